/** The staff's list of customers (docs/domain.md X6 and X7). */
import * as z from 'zod'
import { catalogueTag } from './catalogue.ts'
import { CUSTOMER_SORTS, SUBSCRIPTION_STATES } from './copy/customer-list.ts'
import { customerState } from './customer-file.ts'
import { endpoint, id, instant, localDay, numberBetween, pageNumber, pathId, pesosWire, singleLine, yesOrNo } from './endpoint.ts'

/** Default and maximum number of customers per page. */
export const CUSTOMER_LIST_PER_PAGE = 50
const MOST_PER_PAGE = 200

const customerSort = z.enum(CUSTOMER_SORTS)

/** What a customer can reserve with in person. */
const has = z.object({
  has_unlimited: z.boolean(),
  available: z.int().min(0),
  next_expiration: instant.nullable().describe('Lo primero que vence de lo que puede usar; null: nada vence.'),
  titles: z.array(z.string()).describe('Los nombres de lo que puede usar.'),
})

/** A customer in the staff's list. */
export const customerRow = z.object({
  customer_id: id.describe('Cliente.'),
  name: z.string(),
  last_name: z.string(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  photo: z.string().nullable().describe('Foto de la persona; el enlace vence. Null: no tiene.'),
  has_account: z.boolean(),
  createdAt: instant.describe('Desde cuándo es cliente.'),
  state: customerState.describe('Estado del cliente: el primero que se cumple.'),
  tags: z.array(catalogueTag).describe('Sus etiquetas, por nombre.'),
  home_location: z
    .object({ location_id: id, name: z.string() })
    .nullable()
    .describe('Estudio al que más vino en los últimos 90 días; null: no ha venido.'),
  has: has.describe('Lo que puede usar para reservar.'),
  renewal_refused: z.boolean().describe('Si no pasó el pago de su renovación.'),
  last_class: instant.nullable().describe('Última clase a la que vino; null: ninguna.'),
  next_class: instant.nullable().describe('Próxima clase que tiene reservada; null: ninguna.'),
  visits_30: z.int().describe('Clases a las que vino en los últimos 30 días.'),
  visits: z.int().describe('Clases a las que ha venido.'),
  spent: pesosWire.describe('Lo que ha pagado, menos lo devuelto.'),
  owed: pesosWire.describe('Lo que debe.'),
  penalised_until: instant.nullable().describe('Hasta cuándo no puede reservar; null: puede.'),
})
export type CustomerRow = z.infer<typeof customerRow>

/** A sum over all customers, in pesos. */
const sumWire = z.string().regex(/^-?\d{1,12}\.\d{2}$/)

const stateCounts = z.object(
  Object.fromEntries(customerState.options.map((state) => [state, z.int()])) as Record<z.infer<typeof customerState>, z.ZodInt>,
)

/** Filters of the list. A segment stores them, so that one that is renamed needs a migration. */
const filters = {
  query: singleLine(100).optional(),
  state: z
    .union([customerState.transform((value) => [value]), z.array(customerState).max(7)])
    .optional()
    .describe('Estados; se repite la clave para varios.'),
  tag_id: pathId.optional().describe('Los que llevan esta etiqueta.'),
  location_id: pathId.optional().describe('Los que más vienen a este estudio.'),
  class_package_id: pathId.optional().describe('Los que pueden usar créditos de este paquete.'),
  last_class_before: localDay.optional(),
  expires_before: localDay.optional(),
  birthday_month: numberBetween(1, 12).optional(),
  owes: yesOrNo.optional(),
  penalised: yesOrNo.optional(),
  has_account: yesOrNo.optional(),
  away_days: numberBetween(1, 365).optional(),
  expires_in_days: numberBetween(0, 365).optional(),
  consent: yesOrNo.optional(),
  subscription: z.enum(SUBSCRIPTION_STATES).optional().describe('Suscripción al corriente, atrasada, en pausa, o ninguna.'),
  documents_missing: yesOrNo.optional(),
  created_from: localDay.optional(),
  created_to: localDay.optional(),
  has_next_class: yesOrNo.optional(),
  visits_30_min: numberBetween(0, 1_000).optional(),
  visits_30_max: numberBetween(0, 1_000).optional(),
  spent_min: numberBetween(0, 10_000_000).optional(),
  spent_max: numberBetween(0, 10_000_000).optional(),
  active: yesOrNo
    .optional()
    .describe(
      'Quienes cuentan como clientes activos (vinieron en 30 días, o tienen créditos o suscripción), con `location_id` en ese estudio; o los demás.',
    ),
}

/** The filters that a segment stores: those of the list. An unknown key is refused, because it would select all customers. */
export const segmentFilter = z.strictObject(filters)
export type SegmentFilter = z.output<typeof segmentFilter>

/** Filters and order of the list; the list's file and changes to many take the same. */
export const customerFilter = {
  ...filters,
  segment_id: pathId.optional(),
  sort: customerSort.default('name').describe('El orden: por una columna; con `-`, al revés.'),
}

export const customerList = {
  /**
   * Customers with their state and figures. `query`: words in name, e-mail or telephone, in any order and without accents. All filters must
   * match; of `state` any of the given values. Customers without a value of the sorted column come last. Figures follow their cause within
   * a minute, and the latest changes at once.
   */
  list: endpoint('GET', '/admin/customers', 'staff:customers.read', 'Clientes', 'Clientes con su estado')
    .input(
      z.object({
        ...customerFilter,
        page: pageNumber.default(1),
        per_page: numberBetween(1, MOST_PER_PAGE).default(CUSTOMER_LIST_PER_PAGE),
      }),
    )
    .output(
      z.object({
        customers: z.array(customerRow),
        total: z.int().describe('Clientes que coinciden.'),
        pages: z.int(),
        spent: sumWire.nullable().describe('Lo que han pagado juntos los que coinciden; null: la persona no ve dinero.'),
        owed: sumWire.describe('Lo que deben juntos los que coinciden.'),
        states: stateCounts.describe('Cuántos clientes hay en cada estado, sin los filtros.'),
      }),
    ),
}
