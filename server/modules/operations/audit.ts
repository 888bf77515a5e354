/** Reading the audit trail: GET /admin/audit (docs/domain.md, "The audit trail"). */
import { adminPaths } from '#contract/admin-paths.ts'
import { AUDIT_COUNT_LIMIT, type AuditLogEntry } from '#contract/audit.ts'
import { type AuditAction, auditSentence, isAuditAction } from '#contract/copy/audit.ts'
import { auditActionLabel } from '#contract/copy/audit-actions.ts'
import { type AuditEntity, auditEntities } from '#contract/copy/audit-entities.ts'
import { pageCount } from '#contract/paging.ts'
import { infoOf } from '#contract/setting-help.ts'
import { isSettingKey } from '#contract/settings.ts'
import { addDays, formatInstant, type LocalDate, startOfDay } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { EXPORT_MAX_ROWS, exportList, momentColumns, rowsByPage } from '#server/modules/list-export.ts'
import { listTeamNames } from '#server/modules/people/people.ts'
import { searchPatterns } from '#server/platform/search.ts'
import {
  type AuditFilter,
  type AuditRow,
  countAudit,
  listAudit,
  listRecordedActions,
  listSubjects,
  type SubjectRow,
} from './audit-store.ts'

interface AuditInput {
  audit_id?: number | undefined
  staff_id?: number | undefined
  action?: AuditAction | undefined
  entity?: AuditEntity | undefined
  entity_id?: string | undefined
  customer_id?: number | undefined
  from?: LocalDate | undefined
  to?: LocalDate | undefined
  query?: string | undefined
  sort: 'at' | '-at'
}

interface AuditLog {
  entries: AuditLogEntry[]
  total: number
  has_more: boolean
  pages: number
  people: { staff_id: number; name: string }[]
  actions: { action: AuditAction; label: string; entity: string }[]
}

/** A page of entries with the sentence of each. */
export async function auditEntries(
  ctx: Ctx,
  { page, per_page, ...input }: AuditInput & { page: number; per_page: number },
): Promise<AuditLog> {
  const filter = filterOf(ctx, input)
  const [rows, counted, people, recorded] = await Promise.all([
    listAudit(ctx.db, filter, { number: page, size: per_page }),
    countAudit(ctx.db, filter, AUDIT_COUNT_LIMIT + 1),
    listTeamNames(ctx.db),
    listRecordedActions(ctx.db),
  ])
  const subjects = await subjectsOf(ctx, rows, true)
  const total = Math.min(counted, AUDIT_COUNT_LIMIT)
  const actions = recorded.flatMap(({ action, entity }) =>
    isAuditAction(action) ? [{ action, label: auditActionLabel(action), entity }] : [],
  )
  return {
    actions: actions.sort((a, b) => a.label.localeCompare(b.label, 'es')),
    entries: rows.map((row) => serialize(ctx, row, subjects)),
    people,
    total,
    has_more: counted > total,
    pages: pageCount(total, per_page),
  }
}

/** The entries as a file, without the values before and after. EXPORT_TOO_LARGE. */
export function exportAudit(ctx: Ctx, input: AuditInput & { format: 'csv' | 'xlsx' }): Promise<File> {
  const { format: _, ...filterInput } = input
  const filter = filterOf(ctx, filterInput)
  return exportList<AuditLogEntry>(ctx, {
    name: 'bitacora',
    title: 'Bitácora',
    input: { ...input, entity: input.entity && auditEntities[input.entity], action: input.action && auditActionLabel(input.action) },
    columns: [
      ...momentColumns<AuditLogEntry>('Fecha', (entry) => new Date(entry.at), ctx.zone),
      { header: 'Quién', cell: ({ who }) => who.name },
      { header: 'Qué pasó', cell: ({ sentence }) => `${sentence}.` },
      { header: 'Qué cambió', cell: ({ entity }) => (isEntity(entity) ? auditEntities[entity] : entity) },
      { header: 'Número', cell: ({ entity_id }) => entity_id },
      { header: 'Motivo', cell: ({ reason }) => reason },
    ],
    rows: rowsByPage<AuditLogEntry>(
      ({ audit_id }) => audit_id,
      async (page) => {
        const [rows, total] = await Promise.all([
          listAudit(ctx.db, filter, page),
          page.number === 1 ? countAudit(ctx.db, filter, EXPORT_MAX_ROWS + 1) : 0,
        ])
        const subjects = await subjectsOf(ctx, rows, false)
        return { rows: rows.map((row) => serialize(ctx, row, subjects)), total }
      },
    ),
  })
}

function filterOf(ctx: Ctx, { from, to, query = '', ...exact }: AuditInput): AuditFilter {
  return {
    ...exact,
    from: from === undefined ? undefined : startOfDay(from, ctx.zone),
    until: to === undefined ? undefined : startOfDay(addDays(to, 1), ctx.zone),
    patterns: searchPatterns(query),
    number: /^#?0*([1-9]\d{0,8})$/.exec(query.trim())?.[1] ?? null,
    locations: ctx.locationIds,
  }
}

const MAX_ID = 2_147_483_647

type Subjects = ReadonlyMap<string, SubjectRow>

const isEntity = (entity: string): entity is AuditEntity => Object.hasOwn(auditEntities, entity)
const keyOf = (entity: string, id: string | null) => `${entity} ${id}`

/** Keys of recorded ids that are not named after their entity. */
const NAMED_BY: Readonly<Record<string, AuditEntity>> = { signed_in_staff_id: 'staff', asked: 'instructor' }

interface RecordedId {
  key: string
  entity: AuditEntity
  id: number
}

/** The ids in the recorded values: `room_id`, `class_type_ids`. */
function recordedIds({ before, after }: Pick<AuditRow, 'before' | 'after'>): RecordedId[] {
  const found = new Map<string, RecordedId>()
  for (const value of [before, after]) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) continue
    for (const [key, recorded] of Object.entries(value)) {
      const entity = NAMED_BY[key] ?? key.replace(/_ids?$/, '')
      if (!isEntity(entity) || (entity === key && !(key in NAMED_BY))) continue
      for (const id of Array.isArray(recorded) ? recorded : [recorded])
        if (Number.isInteger(id) && id > 0 && id <= MAX_ID) found.set(`${key} ${id}`, { key, entity, id })
    }
  }
  return [...found.values()]
}

/** The records that entries are about, and those that their values have by id (`withValues`). */
async function subjectsOf(ctx: Ctx, rows: readonly AuditRow[], withValues: boolean): Promise<Subjects> {
  const wanted = new Map<AuditEntity, Set<number>>()
  const want = (entity: AuditEntity, id: number) => wanted.set(entity, (wanted.get(entity) ?? new Set()).add(id))
  for (const row of rows) {
    const { entity, entity_id } = row
    if (isEntity(entity) && entity_id !== null && /^\d{1,9}$/.test(entity_id)) want(entity, Number(entity_id))
    if (withValues) for (const { entity, id } of recordedIds(row)) want(entity, id)
  }
  const found = await listSubjects(ctx.db, new Map([...wanted].map(([entity, ids]) => [entity, [...ids]])))
  return new Map(found.map((row) => [keyOf(row.entity, row.id), row]))
}

/** "Ana Ruiz en Barre, mar 24 nov, 19:00", "Paquete 10 (Ana Ruiz)", "la caja de Diego en Roma Norte". */
function subjectName(ctx: Ctx, row: SubjectRow): string {
  const { entity, name, person, location, starts_at, zone } = row
  if (entity === 'cash_session') return `la caja de ${name} en ${location}`
  const what = starts_at ? `${name}, ${formatInstant(new Date(starts_at), zone ?? ctx.zone, 'class')}` : (name ?? '')
  if (!person) return what
  return starts_at ? `${person} en ${what}` : `${what} (${person})`
}

/** The former name of a deleted record. */
function recordedName({ entity, entity_id, before, after }: AuditRow): string | null {
  if (entity === 'setting') return entity_id
  for (const value of [after, before]) {
    if (typeof value !== 'object' || value === null) continue
    const { name, title, code } = value as Record<string, unknown>
    for (const value of [name, title, code]) if (typeof value === 'string' && value !== '') return value
  }
  return null
}

/** Screens of the administration by entity (contract/admin-paths.ts). */
const LINKS: Partial<Record<AuditEntity, (id: number) => string>> = {
  customer: (id) => adminPaths.customer(id),
  sale: (id) => adminPaths.customer(id),
  available_class: (id) => adminPaths.customer(id),
  class_reservation_penalty: (id) => adminPaths.customer(id),
  purchase: (id) => adminPaths.sale(id),
  class_reservation: (id) => adminPaths.reservationDetails(id),
  waitlist: (id) => adminPaths.roster(id),
  single_class: (id) => adminPaths.roster(id),
  cash_session: (id) => adminPaths.tillCount(id),
  staff: (id) => `${adminPaths.team}?persona=${id}`,
}

/** The field of a setting; settings that there are no more have none. */
const settingLink = (key: string | null): string | undefined =>
  key !== null && isSettingKey(key) ? adminPaths.setting(infoOf(key).area, key) : undefined

function actorOf(row: AuditRow, subject: string | null): AuditLogEntry['who'] {
  const { actor, actor_id, staff_name, customer_name } = row
  if (actor.startsWith('staff:')) return { kind: 'staff', staff_id: actor_id, customer_id: null, name: staff_name ?? 'Alguien del equipo' }
  if (actor === 'api_key') return { kind: 'api_key', staff_id: null, customer_id: null, name: `La llave ${staff_name ?? ''}`.trim() }
  if (actor === 'visitor') return { kind: 'visitor', staff_id: null, customer_id: null, name: 'Un visitante' }
  if (actor.startsWith('system')) return { kind: 'system', staff_id: null, customer_id: null, name: 'El sistema' }
  // A person who accepts an invitation may be no customer: the entry is about themselves.
  return { kind: 'customer', staff_id: null, customer_id: actor_id, name: customer_name || subject || 'Alguien' }
}

/** Older entries hold the answers of forms, which may be health data: only the names of their fields are shown. */
function answeredFields(value: unknown): unknown {
  const isAnswers = typeof value === 'object' && value !== null && !Array.isArray((value as { fields?: unknown }).fields)
  return isAnswers ? { fields: Object.keys(value).sort() } : value
}

/** The values of a product with the pieces of the locations where the reader works. */
function piecesHere(ctx: Ctx, value: unknown): unknown {
  const { stock } = (value ?? {}) as { stock?: unknown }
  if (ctx.locationIds === null || !Array.isArray(stock)) return value
  return { ...(value as object), stock: stock.filter((piece: { location_id?: number } | null) => ctx.worksAt(piece?.location_id ?? 0)) }
}

function serialize(ctx: Ctx, row: AuditRow, subjects: Subjects): AuditLogEntry {
  const { audit_id, at, action, entity, entity_id, reason } = row
  const found = subjects.get(keyOf(entity, entity_id))
  const subject = found ? subjectName(ctx, found) : recordedName(row)
  const link = entity === 'setting' ? settingLink(entity_id) : found?.link_id != null ? LINKS[found.entity]?.(found.link_id) : undefined
  const isForm = action === 'form_answer.change'
  const shown = (value: unknown) => (isForm ? answeredFields(value) : entity === 'product' ? piecesHere(ctx, value) : value)
  const [before, after] = [shown(row.before), shown(row.after)]
  const author = actorOf(row, subject)
  const sentence = auditSentence(author.name, action, { subject, before, after })
  const names = recordedIds({ before, after }).flatMap(({ key, entity, id }) => {
    const named = subjects.get(keyOf(entity, String(id)))
    const name = named && subjectName(ctx, named)
    return name ? [{ key, id, name }] : []
  })
  return {
    audit_id,
    at,
    who: author,
    action,
    sentence,
    entity,
    entity_id,
    link: link ?? null,
    reason,
    names,
    before: (before ?? null) as AuditLogEntry['before'],
    after: (after ?? null) as AuditLogEntry['after'],
  }
}
