/**
 * The dry run of coaches, classes, reservations, notes, past purchases and subscriptions. Pure, on what was read before (docs/domain.md
 * IM9 to IM11, IM14, IM15, IM17).
 */
import type { ImportField, ImportKind } from '#contract/imports.ts'
import { wallClock } from '#contract/time.ts'
import { type KnownCoach, missingOf } from '#server/modules/catalogue/catalogue.ts'
import { rowValues } from './check.ts'
import type { ClassAt } from './record-store.ts'
import {
  type ImportedClass,
  type ImportedCoach,
  type ImportedRecord,
  type ImportedReservation,
  normalizedCoachName,
  type ReadRecord,
  readRecord,
  recordRef,
  type Whose,
} from './records.ts'
import { type CheckBase, normalizeWords } from './rules.ts'
import type { CheckedRow, ImportRowRow } from './store.ts'

export type RecordKindOfFile = Exclude<ImportKind, 'customers'>
export interface ReadRecordRow extends ReadRecord {
  row: ImportRowRow
}

export const readRecords = (kind: RecordKindOfFile, rows: readonly ImportRowRow[], base: CheckBase): ReadRecordRow[] =>
  rows.map((row) =>
    row.is_total
      ? { row, record: null, issues: [], out: 'Es un total.' }
      : { row, ...readRecord(kind, rowValues(row, base.columns), base) },
  )

/** Finds a class by day, hour, type and place; null when none or several fit. */
export class ClassFinder {
  private readonly byWall = new Map<string, ClassAt[]>()
  constructor(classes: readonly ClassAt[], zoneOf: (timezone: string | null) => string) {
    for (const cls of classes) {
      const wall = wallClock(new Date(cls.starts_at), zoneOf(cls.timezone)).toISOString().slice(0, 16)
      this.byWall.set(wall, [...(this.byWall.get(wall) ?? []), cls])
    }
  }

  find({ starts, class_type, location }: Pick<ImportedReservation, 'starts' | 'class_type' | 'location'>): number | null {
    const fits = (this.byWall.get(starts ?? '') ?? []).filter(
      (cls) =>
        (class_type === null || normalizeWords(cls.class_type) === normalizeWords(class_type)) &&
        (location === null || normalizeWords(cls.location) === normalizeWords(location)),
    )
    return fits.length === 1 ? (fits[0]?.single_class_id ?? null) : null
  }
}

export interface RecordFacts {
  /** What was imported before, by its ref. */
  refs: ReadonlyMap<string, number>
  /** Customers by "customer 10482" of the source. */
  customers: ReadonlyMap<string, number>
  byEmail: ReadonlyMap<string, number>
  byPhone: ReadonlyMap<string, number>
  classes: ClassFinder
  /** Ids of classes that are in the schedule, of those that rows name by number. */
  living: ReadonlySet<number>
  /** "customer class" of places that are taken. */
  reservations: ReadonlySet<string>
  /** Names of the catalogue by entity, as `normalizeWords`. */
  names: ReadonlyMap<string, ReadonlySet<string>>
  hasOneLocation: boolean
  coaches: readonly KnownCoach[]
  /** Packages whose purchases stay out. */
  skipped: ReadonlySet<string>
  /** Our subscriptions by the name of the file or their title, as `normalizeWords`. */
  plans: ReadonlyMap<string, number>
  /** "customer package" of subscriptions that are charged or wait for a card. */
  subscribed: ReadonlySet<string>
}

/** The same record with the customer and the class that it is about. */
export function resolveReferences<T extends ImportedRecord>(record: T, facts: RecordFacts): T {
  if (record.kind === 'coaches') return { ...record, instructor_id: coachOf(record, facts)?.instructor_id ?? null }
  if (record.kind === 'classes') return { ...record, single_class_id: facts.classes.find(record) }
  const whose = { ...record, customer_id: customerOf(record, facts) }
  if (record.kind === 'subscriptions') return { ...whose, class_package_id: facts.plans.get(normalizeWords(record.title)) ?? null }
  if (record.kind !== 'reservations') return whose
  const byNumber = record.class_ref === null ? undefined : facts.refs.get(`class ${record.class_ref}`)
  const single_class_id = byNumber !== undefined && facts.living.has(byNumber) ? byNumber : facts.classes.find(record)
  return { ...whose, single_class_id }
}

/** The coach with this name, or the only one who is known by nothing but its first name or nick name. */
function coachOf(record: ImportedCoach, { coaches }: RecordFacts): KnownCoach | null {
  const same = coaches.find((coach) => normalizedCoachName(coach) === normalizedCoachName(record))
  if (same) return same
  const short = [record.name, record.nick_name ?? ''].map(normalizeWords).filter(Boolean)
  const known = coaches.filter((coach) => !coach.last_name && short.includes(normalizeWords(coach.name)))
  return known.length === 1 ? (known[0] ?? null) : null
}

function customerOf({ customer_ref, email, phone }: Whose, { customers, byEmail, byPhone }: RecordFacts): number | null {
  const byNumber = customer_ref === null ? undefined : customers.get(`customer ${customer_ref}`)
  return byNumber ?? (email === null ? undefined : byEmail.get(email)) ?? (phone === null ? undefined : byPhone.get(phone)) ?? null
}

const issue = (field: string, message: string) => ({ field, message, suggestion: null })

/** Checks each row: its state and problems. */
export function checkRecords(rows: readonly ReadRecordRow[], facts: RecordFacts): CheckedRow[] {
  const earlier = new Map<string, number>()
  const completed = new Set<number>()
  return rows.map(({ row, record: read, issues, out }): CheckedRow => {
    const base = { n: row.n, person: null, record: read, issues, match: null }
    if (out !== undefined) return { ...base, state: 'skipped', issues: [issue('status', out)] }
    if (row.decision === 'skip') return { ...base, state: 'skipped' }
    if (!read) return { ...base, state: 'error' }
    if ((read.kind === 'purchases' || read.kind === 'subscriptions') && facts.skipped.has(read.title)) {
      const what = read.kind === 'purchases' ? 'compras' : 'suscripciones'
      return { ...base, state: 'skipped', issues: [issue('package', `Las ${what} de este paquete no se traen.`)] }
    }
    const record = resolveReferences(read, facts)
    const wrong = whyNot(record, facts)
    if (wrong) return { ...base, record, state: 'error', issues: [wrong] }
    const ref = recordRef(record)
    // A subscription is also identified by person and package and a coach by name, because their numbers may differ.
    const refs =
      record.kind === 'subscriptions'
        ? [ref, `plan ${record.customer_id} ${record.class_package_id}`]
        : record.kind === 'coaches'
          ? [ref, `named ${normalizedCoachName(record)}`]
          : [ref]
    const before = refs.map((ref) => earlier.get(ref)).find((row) => row !== undefined)
    if (before !== undefined)
      return { ...base, record, state: 'skipped', issues: [issue('external_ref', `Es el mismo que el renglón ${before}.`)] }
    for (const ref of refs) earlier.set(ref, row.n)
    if (facts.refs.has(ref)) return { ...base, record, state: 'same' }
    if (record.kind === 'coaches') {
      // Known by a first name alone, and another row of this name was it already: somebody else.
      const isOther = record.instructor_id !== null && completed.has(record.instructor_id)
      if (record.instructor_id !== null) completed.add(record.instructor_id)
      return coachRow(base, isOther ? { ...record, instructor_id: null } : record, facts)
    }
    if (record.kind === 'classes') return classRow(base, record, facts)
    if (record.kind === 'reservations' && facts.reservations.has(`${record.customer_id} ${record.single_class_id}`))
      return { ...base, record, state: 'same', issues: [issue('class_type', 'Ya tiene lugar en esta clase.')] }
    if (record.kind === 'subscriptions' && facts.subscribed.has(`${record.customer_id} ${record.class_package_id}`))
      return { ...base, record, state: 'same', issues: [issue('package', 'Ya tiene esta suscripción.')] }
    return { ...base, record, state: 'new' }
  })
}

function coachRow(base: Omit<CheckedRow, 'state'>, record: ImportedCoach, facts: RecordFacts): CheckedRow {
  const known = facts.coaches.find(({ instructor_id }) => instructor_id === record.instructor_id)
  if (!known) return { ...base, record, state: 'new' }
  const adds = Object.keys(missingOf(known, record)) as ImportField[]
  if (adds.length === 0) return { ...base, record, state: 'same', issues: [issue('name', 'Ya es coach tuyo.')] }
  const name = `${known.name} ${known.last_name ?? ''}`.trim()
  return { ...base, record, state: 'update', match: { customer_id: null, row: null, name, why: 'Ya es coach', adds } }
}

function classRow(base: Omit<CheckedRow, 'state'>, record: ImportedClass, { names }: RecordFacts): CheckedRow {
  if (record.single_class_id !== null) {
    const match = { customer_id: null, row: null, name: record.class_type, why: 'Ya está en el horario' }
    return { ...base, record, state: 'update', match }
  }
  const isNew = (entity: string, name: string) => !names.get(entity)?.has(normalizeWords(name))
  const issues = [
    ...(isNew('class_type', record.class_type) ? [issue('class_type', `Se crea el tipo de clase ${record.class_type}.`)] : []),
    ...record.instructors.filter((name) => isNew('instructor', name)).map((name) => issue('instructor', `Se crea coach ${name}.`)),
    ...(record.location !== null && isNew('location', record.location)
      ? [issue('location', `Se crea el estudio ${record.location}.`)]
      : []),
  ]
  return { ...base, record, state: 'new', issues }
}

function whyNot(record: ImportedRecord, { hasOneLocation }: RecordFacts) {
  if (record.kind === 'coaches') return null
  if (record.kind === 'classes') return record.location === null && !hasOneLocation ? issue('location', 'Falta en qué estudio es.') : null
  if (record.customer_id === null) return issue('customer_ref', 'No encontramos a este cliente. Importa primero a tus clientes.')
  if (record.kind === 'reservations' && record.single_class_id === null)
    return issue(record.starts === null ? 'class_ref' : 'date', 'No encontramos esta clase. Importa primero el horario.')
  if (record.kind === 'subscriptions' && record.class_package_id === null)
    return issue('package', 'Di en Valores qué suscripción tuya es, o escribe aquí su nombre.')
  return null
}
