/** The customer's file for staff: state, notes and tags (docs/domain.md, "Customers for the staff"). */
import * as z from 'zod'
import { catalogueTag } from './catalogue.ts'
import { CUSTOMER_STATES } from './copy/customer-list.ts'
import { creditMovement } from './credits.ts'
import { versioned } from './crud.ts'
import { done, endpoint, id, ids, instant, pageNumber, paragraph, pathId, pesosWire, refusals } from './endpoint.ts'
import { actUndo } from './undo-act.ts'

/** The `type` of customer tags. */
export const CUSTOMER_TAG = 'customer'
/** Maximum number of tags, and of notes, per customer. */
export const MAX_CUSTOMER_TAGS = 20
export const MAX_CUSTOMER_NOTES = 200

/** Past purchases per page. */
export const PAST_PURCHASES_PER_PAGE = 50

/** A purchase at the system that the studio used before: history, which counts nowhere. */
const pastPurchase = z.object({
  past_purchase_id: id.describe('La compra.'),
  bought_on: z.string().describe('Día de la compra.'),
  title: z.string().describe('Qué compró.'),
  amount: pesosWire.describe('Lo que pagó allá.'),
  way: z.string().nullable().describe('Cómo pagó; null: no se sabe.'),
  source: z.string().describe('De qué sistema viene.'),
})
export type PastPurchase = z.infer<typeof pastPurchase>

/** A note of staff about a customer. */
export const customerNote = z.object({
  customer_note_id: id.describe('La nota.'),
  text: z.string().describe('Lo que dice.'),
  pinned: z.boolean().describe('Si va antes que las demás.'),
  for_coaches: z.boolean().describe('Si también la leen los coaches, en la lista de su clase.'),
  author: z.string().describe('Quién del equipo la escribió.'),
  createdAt: instant,
  updatedAt: instant,
})
export type CustomerNote = z.infer<typeof customerNote>

/** The state of a customer. */
export const customerState = z.enum(CUSTOMER_STATES)

/** Something about a customer that staff have to know. */
const alert = z.object({
  kind: z
    .enum(['health', 'debt', 'renewal', 'penalty', 'signup_fee', 'documents', 'expiring'])
    .describe(
      'De qué se trata: dijo algo de su salud (para quien puede saberlo), debe dinero, no pasó su renovación, penalización, no ha pagado su inscripción, falta aceptar documentos, algo vence.',
    ),
  message: z.string().describe('El aviso, en una oración.'),
  detail: z.string().nullable().describe('De qué viene, en una oración.'),
})
export type CustomerAlert = z.infer<typeof alert>

/**
 * When, where and with which instructor a customer usually comes, over the last 90 days, and the next such class that they could book;
 * null: too few visits.
 */
const habits = z.object({
  weekday: z.string().describe('Día de la semana al que más viene: martes.'),
  weekdays: z.array(z.string()).describe('Los días en que viene a esa hora, desde el lunes; también `weekday`.'),
  hour: z.string().describe('Hora en el reloj del estudio: 19:30.'),
  coach: z.string().nullable().describe('Coach con quien más viene a esa hora.'),
  row: z.int().nullable().describe('Fila en la que casi siempre se pone, desde el frente; null: en ninguna.'),
  location: z.string().describe('Estudio al que más viene.'),
  next: z
    .object({
      single_class_id: id.describe('La clase.'),
      class_type: z.string().describe('Tipo de clase.'),
      class_date: instant.describe('Cuándo empieza, en el reloj del estudio escrito como UTC.'),
      places_left: z.int().describe('Lugares libres.'),
    })
    .nullable()
    .describe('La próxima clase de su costumbre que tiene lugar y no ha reservado; null: ninguna en dos semanas.'),
})
export type CustomerHabits = z.infer<typeof habits>

const figures = z.object({
  visits: z.int().describe('Clases a las que ha venido.'),
  visits_30: z.int().describe('Clases a las que vino en los últimos 30 días.'),
  visits_before: z.int().describe('Clases a las que vino en los 30 días de antes.'),
  last_visit: instant.nullable().describe('Última clase a la que vino; null: ninguna.'),
  first_visit: instant.nullable().describe('Primera clase a la que vino; null: ninguna.'),
  no_shows: z.int().describe('Clases a las que no llegó, sin las justificadas.'),
  marked: z.int().describe('Clases en las que se pasó lista y no se justificó la falta.'),
  spent: pesosWire.describe('Lo que ha pagado, menos lo devuelto.'),
  owed: pesosWire.describe('Lo que debe.'),
})
export type CustomerFigures = z.infer<typeof figures>

const noteText = paragraph(2_000).min(1, 'Debes llenar este campo.').describe('Lo que dice la nota.')
const personalDataFormat = z.enum(['html', 'json'])
export type PersonalDataFormat = z.infer<typeof personalDataFormat>

const customerPath = z.object({ customer_id: pathId })
const noteAnswer = z.object({ note: customerNote.describe('La nota, como quedó.') })

export const customerFile = {
  /**
   * Everything that staff see about a customer besides the profile: state, alerts, habits, figures, notes (pinned first, then newest) and
   * tags.
   */
  one: endpoint('GET', '/admin/customers/{customer_id}', 'staff:customers.read', 'Clientes', 'Ficha de un cliente')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        state: customerState.describe('Estado del cliente: el primero que se cumple.'),
        archived_at: instant.nullable().describe('Desde cuándo está de baja; null: no lo está.'),
        alerts: z.array(alert).describe('Lo que hay que saber al atenderle.'),
        limits_reached: z
          .array(
            z.object({
              class_package_id: id.describe('El paquete.'),
              title: z.string().describe('Cómo se llama.'),
              limit: z.int().describe('Cuántas veces puede comprarlo una persona.'),
            }),
          )
          .describe('Paquetes a la venta de los que ya compró los que se permiten por persona.'),
        habits: habits.nullable().describe('Cuándo suele venir; null: no se sabe.'),
        figures: figures.describe('Cifras del cliente.'),
        notes: z.array(customerNote).describe('Notas: primero las fijas, luego las más nuevas.'),
        tags: z.array(catalogueTag),
      }),
    ),
  /** Everything that changed a customer's credits, the newest first, fifty per page. */
  creditMovements: endpoint(
    'GET',
    '/admin/customers/{customer_id}/credit_movements',
    'staff:customers.read',
    'Clientes',
    'Movimientos de los créditos de un cliente',
  )
    .input(customerPath.extend({ page: pageNumber.default(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        movements: z.array(
          creditMovement.extend({ who: z.string().nullable().describe('Quién del equipo lo hizo; null: la persona o el sistema.') }),
        ),
        total: z.int(),
        pages: z.int(),
      }),
    ),
  /** What a customer bought at the system that the studio used before, newest first, fifty per page. No report, till or invoice has it. */
  pastPurchases: endpoint(
    'GET',
    '/admin/customers/{customer_id}/past_purchases',
    'staff:sales.sell',
    'Clientes',
    'Compras de un cliente en el sistema anterior',
  )
    .input(customerPath.extend({ page: pageNumber.default(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        past_purchases: z.array(pastPurchase).describe('Compras en el sistema anterior, la más nueva primero.'),
        total: z.int(),
        pages: z.int(),
      }),
    ),
  /** The tags that a customer can be given: those of type `customer`. The public list does not carry them. */
  tags: endpoint('GET', '/admin/customer_tags', 'staff:customers.read', 'Clientes', 'Etiquetas de clientes').output(
    z.object({ tags: z.array(catalogueTag) }),
  ),
  /** Replaces the tags of a customer. INVALID_INPUT: a tag that does not exist, or is not of type `customer`. */
  putTags: endpoint('PUT', '/admin/customers/{customer_id}/tags', 'staff:customers.edit', 'Clientes', 'Etiquetar a un cliente')
    .input(customerPath.extend({ tag_ids: ids(MAX_CUSTOMER_TAGS) }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ tags: z.array(catalogueTag), undo: actUndo.nullable().describe('Cómo se deshace; null: no cambió nada.') })),
  /**
   * Adds a note about a customer, which the customer never sees. Send `Idempotency-Key`. INVALID_INPUT: the maximum number of notes is
   * reached.
   */
  addNote: endpoint('POST', '/admin/customers/{customer_id}/notes', 'staff:customers.edit', 'Clientes', 'Escribir una nota de un cliente')
    .input(
      customerPath.extend({
        text: noteText,
        pinned: z.boolean().default(false).describe('Si va antes que las demás.'),
        for_coaches: z.boolean().default(false).describe('Si también la leen los coaches, en la lista de su clase.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'IDEMPOTENCY_KEY_REUSED'))
    .output(noteAnswer),
  /** Changes the given fields of a note. */
  changeNote: endpoint('PUT', '/admin/customers/{customer_id}/notes', 'staff:customers.edit', 'Clientes', 'Cambiar una nota')
    .input(
      customerPath.extend({
        customer_note_id: id.describe('La nota que cambia.'),
        text: noteText.optional(),
        pinned: z.boolean().optional().describe('Si va antes que las demás.'),
        for_coaches: z.boolean().optional().describe('Si también la leen los coaches, en la lista de su clase.'),
        ...versioned.sent,
      }),
    )
    .errors(refusals('NOT_FOUND', 'CHANGED_MEANWHILE'))
    .output(noteAnswer),
  /** Removes a note; the audit trail keeps its text. */
  removeNote: endpoint(
    'DELETE',
    '/admin/customers/{customer_id}/notes/{customer_note_id}',
    'staff:customers.edit',
    'Clientes',
    'Borrar una nota',
  )
    .input(customerPath.extend({ customer_note_id: pathId.describe('La nota que se borra.') }))
    .errors(refusals('NOT_FOUND'))
    .output(done),
  /**
   * Everything that the studio holds about a person as one file, for a request of access (ARCO). Recorded in the audit trail with
   * its author.
   */
  exportPersonalData: endpoint(
    'GET',
    '/admin/customers/{customer_id}/export',
    'staff:customers.erase',
    'Clientes',
    'Descargar los datos de una persona',
  )
    .input(customerPath.extend({ format: personalDataFormat.default('html').describe('html: para leer; json: para programas.') }))
    .errors(refusals('NOT_FOUND'))
    .output(z.file()),
}
