/**
 * What belongs to one customer, record by record, for staff: everything that happened, and what the profile is made of (docs/domain.md
 * X16, X17).
 */
import * as z from 'zod'
import { address } from './addresses.ts'
import { TIMELINE_KINDS, type TimelineKind } from './copy/customer-timeline.ts'
import { anyOf, done, endpoint, id, instant, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'
import { messagePreferences } from './notifications.ts'

/** Entries per page of the timeline. */
export const TIMELINE_PER_PAGE = 25

const timelineKind = z.enum(TIMELINE_KINDS as [TimelineKind, ...TimelineKind[]])

const timelineEntry = z.object({
  entry_id: z.string().describe('Lo que pasó, sin repetirse en la lista.'),
  at: instant.describe('Cuándo pasó.'),
  kind: timelineKind.describe(
    'Qué fue: reservó, canceló, asistió, no asistió, lista de espera, penalización, compra, cargo, devolución, créditos, mensaje o un cambio del equipo.',
  ),
  title: z.string().describe('Lo que pasó, en una oración.'),
  detail: z.string().nullable().describe('Lo que hay que saber además; null: nada.'),
  who: z.string().nullable().describe('Quién del equipo lo hizo; null: la persona o el sistema.'),
  link: z.string().nullable().describe('Pantalla de la administración que lo muestra; null: no tiene.'),
})
export type TimelineEntry = z.infer<typeof timelineEntry>

const customerPath = z.object({ customer_id: pathId })
const TAG = 'Clientes'
const NEEDS = 'staff:customers.read'

/** The sheet of a signature, in its own units, and how many points may be drawn on it. */
export const SIGNATURE_WIDTH = 600
export const SIGNATURE_HEIGHT = 200
export const SIGNATURE_POINTS = 4_000

export const strokes = z
  .array(z.array(z.tuple([z.int().min(0).max(SIGNATURE_WIDTH), z.int().min(0).max(SIGNATURE_HEIGHT)])).min(2))
  .max(100)
  .refine((drawn) => drawn.reduce((sum, stroke) => sum + stroke.length, 0) <= SIGNATURE_POINTS, 'La firma es demasiado larga.')
/** A signature as its strokes: the points of each, from left and top. */
export type Strokes = z.infer<typeof strokes>

const documents = z.object({
  accepted_pages: z.array(
    z.object({
      page_id: id.describe('El documento.'),
      title: z.string().describe('Cómo se llama.'),
      version: z.int().describe('La versión que aceptó.'),
      is_current: z.boolean().describe('Si es la versión vigente.'),
      createdAt: instant,
      signature: z
        .object({
          name: z.string().describe('El nombre de quien firmó.'),
          strokes: strokes.describe('Los trazos de la firma; vacío: escribió su nombre.'),
          staff: z.string().nullable().describe('Quién del equipo estaba; null: ya no está en el equipo.'),
        })
        .nullable()
        .describe('La firma en un dispositivo del estudio; null: lo aceptó sin firmar.'),
    }),
  ),
  pending: z
    .array(
      z.object({
        page_id: id.describe('El documento.'),
        title: z.string().describe('Cómo se llama.'),
        slug: z.string().describe('La última parte de su dirección.'),
      }),
    )
    .describe('Los que le falta aceptar.'),
})

export const customerRecords = {
  /**
   * Everything that happened to a customer, newest first, 25 per page: bookings, cancellations, attendance, waitlists, penalties,
   * purchases, charges, refunds, credits by hand, messages and changes by staff. `kinds`: any of those named. Staff of some locations read
   * classes and money of those and of none.
   */
  timeline: endpoint('GET', '/admin/customers/{customer_id}/timeline', NEEDS, TAG, 'Lo que ha pasado con un cliente')
    .input(
      customerPath.extend({
        page: pageNumber.default(1),
        kinds: anyOf(timelineKind).optional(),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        entries: z.array(timelineEntry).describe('Lo que pasó; primero lo más nuevo.'),
        has_more: z.boolean().describe('Hay más en la página siguiente.'),
      }),
    ),
  /**
   * Sends a customer without an account the invitation to create it with their email, or one with an account the link for a new password.
   * Send `Idempotency-Key`.
   */
  invite: endpoint('POST', '/admin/customers/{customer_id}/invite', 'staff:customers.edit', TAG, 'Invitar a crear su cuenta')
    .input(customerPath)
    .errors(refusals('NOT_FOUND', 'CUSTOMER_WITHOUT_EMAIL', 'IDEMPOTENCY_KEY_REUSED'))
    .output(
      z.object({ sent: z.enum(['invitation', 'password']).describe('Qué se le envió: la invitación o el enlace para su contraseña.') }),
    ),
  /** Archives a customer (state Baja) until they book or buy again, with a reason. ARCHIVE_BLOCKED with `reasons`. */
  archive: endpoint('POST', '/admin/customers/{customer_id}/archive', 'staff:customers.edit', TAG, 'Dar de baja a un cliente')
    .input(customerPath.extend({ reason: singleLine(300).min(3, 'Escribe el motivo.') }))
    .errors(refusals('NOT_FOUND', 'ARCHIVE_BLOCKED'))
    .output(done),
  /** Takes that back; also when it was not so. */
  unarchive: endpoint('DELETE', '/admin/customers/{customer_id}/archive', 'staff:customers.edit', TAG, 'Reactivar a un cliente')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(done),
  /** The waitlists that a customer is or was on, the last class first; at most the latest hundred. */
  waitlists: endpoint('GET', '/admin/customers/{customer_id}/waitlists', NEEDS, TAG, 'Listas de espera de un cliente')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        waitlists: z.array(
          z.object({
            waitlist_id: id.describe('El lugar en la lista de espera.'),
            single_class_id: id.describe('La clase.'),
            class_type: z.string().describe('Tipo de clase.'),
            location: z.string().describe('Estudio.'),
            starts_at: instant.describe('Cuándo empieza la clase.'),
            timezone: z.string().describe('Zona horaria de la clase.'),
            status: z.enum(['waiting', 'offered', 'booked', 'passed', 'left', 'closed']).describe('Cómo va o cómo quedó.'),
            position: z.int().nullable().describe('Su turno, desde 1; null: ya no espera.'),
            createdAt: instant,
          }),
        ),
      }),
    ),
  /** The documents that a customer accepted, in every version, newest first, and those still to accept. */
  acceptedPages: endpoint('GET', '/admin/customers/{customer_id}/accepted_pages', NEEDS, TAG, 'Documentos que aceptó un cliente')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(documents),
  /**
   * Records that a customer read and accepted a document on a device of the studio, with their signature where they drew or typed one.
   * `version`: of the text that they saw. The staff member is recorded with it. A repetition changes nothing.
   */
  acceptPage: endpoint(
    'POST',
    '/admin/customers/{customer_id}/accepted_pages',
    'staff:customers.edit',
    TAG,
    'Anotar que aceptó un documento',
  )
    .input(
      customerPath.extend({
        page_id: id,
        version: z.int().min(1).describe('La versión del texto que leyó.'),
        signature: z
          .object({
            name: singleLine(120).min(1).describe('El nombre de quien firma.'),
            strokes: strokes.default([]).describe('Los trazos de la firma; vacío: firma con su nombre escrito.'),
          })
          .refine((value) => value.strokes.length > 0 || value.name.length >= 3, { path: ['name'], message: 'Escribe el nombre completo.' })
          .nullish()
          .describe('La firma, dibujada o con su nombre escrito; sin ella, solo lo aceptó.'),
      }),
    )
    .errors(refusals('NOT_FOUND', 'DOCUMENT_CHANGED'))
    .output(documents),
  /** The cards that a customer has saved: brand and last digits. */
  paymentSources: endpoint('GET', '/admin/customers/{customer_id}/payment_sources', NEEDS, TAG, 'Tarjetas guardadas de un cliente')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(
      z.object({
        payment_sources: z.array(
          z.object({
            payment_source_id: id.describe('La tarjeta.'),
            card_type: z.string().describe('Marca.'),
            last_digits: z.string().describe('Últimos dígitos.'),
            exp: z.string().nullable().describe('Cuándo vence; null: no se sabe.'),
            subscriptions: z.int().describe('Cuántas suscripciones se cobran a ella.'),
            createdAt: instant,
          }),
        ),
      }),
    ),
  /** All addresses of a customer; the first is the one for invoices. */
  addresses: endpoint('GET', '/admin/customers/{customer_id}/addresses', NEEDS, TAG, 'Direcciones de un cliente')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ addresses: z.array(address) })),
  /** By which channels the studio may write to a customer. */
  messagePreferences: endpoint('GET', '/admin/customers/{customer_id}/message_preferences', NEEDS, TAG, 'Por dónde se le puede escribir')
    .input(customerPath)
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ preferences: messagePreferences })),
  /** Records a customer's consent to messages; `source` (where they gave it) is in the audit trail with the date. */
  setMessagePreferences: endpoint(
    'PUT',
    '/admin/customers/{customer_id}/message_preferences',
    'staff:customers.edit',
    TAG,
    'Anotar por dónde se le puede escribir',
  )
    .input(
      customerPath.extend({
        whatsapp: z.boolean().optional(),
        mail: z.boolean().optional(),
        marketing: z.boolean().optional(),
        source: singleLine(200).min(3, 'Escribe cómo lo dijo.').describe('Cómo lo dijo: en recepción, por teléfono, en un papel firmado.'),
      }),
    )
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ preferences: messagePreferences })),
}
