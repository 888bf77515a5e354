/**
 * Plain lists of the studio: one declaration gives staff endpoints to list, save and delete records at the spec's paths. Visitors and
 * customers have separate endpoints, which show less.
 */
import * as z from 'zod'
import { done, endpoint, id, instant, pathId, refusals, type StaffAccess } from './endpoint.ts'

/**
 * The id in a saved record: a number identifies a stored record, anything else ('nueva', '', missing) means a new one
 * (S1-4.34, S1-3.45; "Drafts" in spec 2 section 4).
 */
export const draftId = z
  .union([z.number(), z.string().max(40)])
  .nullish()
  .transform((value, context): number | null => {
    const number = typeof value === 'number' ? value : value && /^[+-]?\d/.test(value) ? Number(value) : null
    if (number === null) return null
    if (id.safeParse(number).success) return number
    context.addIssue({ code: 'custom', message: 'Ese número no puede ser un registro.' })
    return z.NEVER
  })

type Keyed<K extends string, V> = { [Key in K]: V }
const keyed = <K extends string, V>(key: K, value: V) => ({ [key]: value }) as Keyed<K, V>

interface PlainList<One extends string, Many extends string, Id extends string, Fields extends z.ZodRawShape, Row extends z.ZodRawShape> {
  /** `/locations` */
  path: `/${string}`
  /** Key of one record and of the list in answers: `location`, `locations`. */
  one: One
  many: Many
  /** Name of the id on the wire: `location_id`. */
  id: Id
  /** Another name under which the id may arrive (S1-3.36). */
  alias?: string
  /** Heading in the API reference, and what one record is called there. */
  tag: string
  called: string
  access: 'customer' | StaffAccess
  /** Writable fields. Optional ones get their default on creation and stay unchanged on update. */
  fields: Fields
  /** Fields that staff read, besides the id. */
  row: Row
}

/**
 * Endpoints of a plain list: `all` (GET path/admin/all), `create` (POST: creates a record when the id is no number, once per
 * `Idempotency-Key`, otherwise changes it), `update` (PUT: only the fields that are sent) and `remove` (DELETE path/{id}). NOT_FOUND,
 * IN_USE, ALREADY_EXISTS, PROTECTED.
 */
export function crud<One extends string, Many extends string, Id extends string, F extends z.ZodRawShape, R extends z.ZodRawShape>(
  of: PlainList<One, Many, Id, F, R>,
) {
  const row = z.object({ ...keyed(of.id, id), ...of.row })
  const rowOutput = z.object(keyed(of.one, row))
  const ids = { ...keyed(of.id, draftId), ...(of.alias ? keyed(of.alias, draftId) : {}) } as Keyed<Id, typeof draftId>
  const fields = z.object(of.fields)
  return {
    all: endpoint('GET', `${of.path}/admin/all`, of.access, of.tag, `Todo lo guardado: ${of.called}`).output(
      z.object(keyed(of.many, z.array(row))),
    ),
    create: endpoint('POST', of.path, of.access, of.tag, `Crear ${of.called}, o guardar cambios si lleva su id`)
      .input(z.object({ ...ids, ...fields.shape }))
      .errors(refusals('NOT_FOUND', 'ALREADY_EXISTS', 'PROTECTED', 'CHANGED_MEANWHILE', 'IDEMPOTENCY_KEY_REUSED'))
      .output(rowOutput),
    update: endpoint('PUT', of.path, of.access, of.tag, `Cambiar ${of.called}: solo lo que se envía`)
      .input(z.object({ ...ids, ...fields.partial().shape }))
      .errors(refusals('NOT_FOUND', 'ALREADY_EXISTS', 'PROTECTED', 'CHANGED_MEANWHILE'))
      .output(rowOutput),
    remove: endpoint('DELETE', `${of.path}/{${of.id}}`, of.access, of.tag, `Eliminar ${of.called}`)
      .input(z.object(keyed(of.id, pathId)))
      .errors(refusals('NOT_FOUND', 'IN_USE', 'PROTECTED'))
      .output(done),
  }
}

/** The last change of a record, and the one that a change was made from: another one refuses it (CHANGED_MEANWHILE). */
export const versioned = {
  row: { updatedAt: instant.describe('Cuándo se cambió. Se regresa como `if_updatedAt`.') },
  sent: {
    if_updatedAt: instant
      .nullish()
      .describe('La fecha de cambio con la que se abrió; si ya es otra, se rechaza con CHANGED_MEANWHILE. Sin ella no se revisa.'),
  },
}

/**
 * A record that is no longer offered; what has it stays as it is (K14). A field and a column of the lists whose records can be archived.
 */
export const archived = z.boolean().describe('Si está archivado: ya no se ofrece, y lo que lo tiene se queda como está.')

/** Endpoints of a plain list whose records have an order that the studio chooses, and uses (K14, K15). */
export function orderedListEndpoints<Id extends string>(of: {
  path: `/${string}`
  id: Id
  tag: string
  called: string
  access: StaffAccess
}) {
  return {
    /** The given records first, in this order; the others after them, in theirs. NOT_FOUND: one of them does not exist. */
    order: endpoint('PUT', `${of.path}/order`, of.access, of.tag, `Ordenar ${of.called}`)
      .input(z.object({ ids: z.array(id).min(1).max(500).describe('Los registros en su nuevo orden; los que falten van después.') }))
      .errors(refusals('NOT_FOUND'))
      .output(done),
    uses: endpoint('GET', `/admin${of.path}/{${of.id}}/uses`, of.access, of.tag, `En qué se usa: ${of.called}`)
      .input(z.object(keyed(of.id, pathId)))
      .errors(refusals('NOT_FOUND'))
      .output(z.object({ uses: z.array(useCount).describe('En qué se usa; vacío: en nada.') })),
  }
}

const useCount = z.object({
  kind: z.string().describe('Qué clase de registro lo usa: single_class, class_package, available_class, staff, video, customer.'),
  count: z.int().describe('Cuántos.'),
})

/** Input for saving a record of a plain list: its fields, all optional because an update sends only some. */
export type Sent<L extends { update: { '~orpc': { inputSchema?: z.ZodType | undefined } } }> = z.output<
  NonNullable<L['update']['~orpc']['inputSchema']>
>
