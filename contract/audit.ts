/** The audit trail for staff: actions with author, time, and values before and after (docs/domain.md, "The audit trail"). */
import * as z from 'zod'
import { type AuditAction, auditSentences } from './copy/audit.ts'
import { type AuditEntity, auditEntityKeys } from './copy/audit-entities.ts'
import { endpoint, id, instant, localDay, pageNumber, pathId, rowsPerPage, singleLine } from './endpoint.ts'

/** Entries per page. */
export const AUDIT_PER_PAGE = 50
/** Entries are counted up to here: counting every one of a million takes longer than reading the page. */
export const AUDIT_COUNT_LIMIT = 10_000

const actions = Object.keys(auditSentences) as [AuditAction, ...AuditAction[]]

const entry = z.object({
  audit_id: id,
  at: instant.describe('Cuándo pasó.'),
  who: z
    .object({
      kind: z
        .enum(['staff', 'customer', 'visitor', 'system', 'api_key'])
        .describe('Quién fue: equipo, cliente, visitante, el sistema o un programa con su llave.'),
      staff_id: id.nullable().describe('La persona del equipo; null: no fue del equipo.'),
      customer_id: id.nullable().describe('El cliente; null: no fue un cliente.'),
      name: z.string().describe('Su nombre.'),
    })
    .describe('Quién lo hizo.'),
  action: z.string().describe('Clave de lo que se hizo.'),
  sentence: z.string().describe('Lo que pasó, en una oración.'),
  entity: z.string().describe('Clase de cosa que cambió.'),
  entity_id: z.string().nullable().describe('Cuál cambió; null: ninguna en particular.'),
  link: z.string().nullable().describe('Pantalla de la administración de lo que cambió; null: no tiene.'),
  before: z.json().describe('Los valores de antes; null: no había.'),
  after: z.json().describe('Los valores de después; null: no quedó nada.'),
  reason: z.string().nullable().describe('El motivo que se escribió; null: sin motivo.'),
  names: z
    .array(z.object({ key: z.string().describe('El dato que lo nombra, como `room_id`.'), id, name: z.string() }))
    .describe('Cómo se llama hoy lo que los valores nombran con su número; falta lo que ya no existe.'),
})
export type AuditLogEntry = z.infer<typeof entry>

/** Filters of the list; the list's file takes the same. */
export const auditFilter = {
  staff_id: pathId.optional().describe('Solo lo que hizo esta persona del equipo.'),
  action: z.enum(actions).optional().describe('Solo esta acción.'),
  entity: z.enum(auditEntityKeys as [AuditEntity, ...AuditEntity[]]).optional(),
  entity_id: singleLine(100).optional(),
  customer_id: pathId.optional().describe('Solo lo de este cliente.'),
  from: localDay.optional().describe('Desde este día.'),
  to: localDay.optional().describe('Hasta este día.'),
  query: singleLine(100).optional().describe('Palabras del nombre, correo o teléfono del cliente, o el número de la cosa.'),
  sort: z.enum(['at', '-at']).default('-at').describe('El orden: por fecha; con `-`, lo más nuevo primero.'),
}

export const auditLog = {
  /**
   * Entries, newest first unless `sort` says otherwise, 50 per page. All filters must match; days are days of the studio's zone, both
   * included. `query`: words in the name, e-mail or telephone of the customer that it is about, or the number of the thing itself ("1284",
   * "#001284"). Staff who work at some locations read entries of those and of none. The first 10,000 are counted and paged; older ones are
   * reached by their days. Answers of forms and secret values are never recorded.
   */
  list: endpoint('GET', '/admin/audit', 'staff:audit.read', 'Bitácora', 'Lo que se hizo en el estudio')
    .input(
      z.object({
        audit_id: pathId.optional(),
        ...auditFilter,
        page: pageNumber.default(1),
        per_page: rowsPerPage(AUDIT_PER_PAGE),
      }),
    )
    .output(
      z.object({
        entries: z.array(entry),
        total: z.int().describe('Cuántos movimientos son; se cuentan hasta 10,000.'),
        has_more: z.boolean().describe('Hay más de los que se contaron: para verlos se acotan los días.'),
        pages: z.int().describe('Cuántas páginas son.'),
        people: z
          .array(z.object({ staff_id: id, name: z.string() }))
          .describe('Quienes trabajan o trabajaron aquí, por nombre, para filtrar.'),
        actions: z
          .array(
            z.object({
              action: z.enum(actions).describe('Clave de la acción.'),
              label: z.string().describe('Cómo se llama, como “Canceló la reservación de …”.'),
              entity: z.string().describe('Clase de cosa que cambió la última vez.'),
            }),
          )
          .describe('Lo que alguna vez se hizo aquí, por nombre, para filtrar.'),
      }),
    ),
}
