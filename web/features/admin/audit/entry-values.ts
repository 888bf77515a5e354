/** The recorded values of an entry of the audit trail, as rows for people: label, before, after. */
import { auditFieldLabels } from '#contract/copy/audit-fields.ts'
import { formatMoney } from '#contract/money.ts'
import { type Right, type Role, rights } from '#contract/rights.ts'
import { roleLabels } from '#contract/role-labels.ts'
import { formatInstant, formatWall, isLocalDate } from '#contract/time.ts'

export interface ValueRow {
  key: string
  label: string
  /** null: the entry recorded no value of that time */
  before: string | null
  after: string | null
}

export interface EntryValues {
  /** What changed, or all of what was recorded where only one side was. */
  changed: ValueRow[]
  /** Recorded values that did not change. */
  same: ValueRow[]
}

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields | null =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null

/** The name of the record to which an id belongs, by the key under which it was recorded; undefined where it is not known. */
export type NameOf = (key: string, id: number) => string | undefined

/** The records of the studio that are recorded by id. */
export interface NamedRecords {
  locations: readonly { location_id: number; name: string }[]
  class_types: readonly { class_type_id: number; name: string }[]
  instructors: readonly { instructor_id: number; name: string }[]
  packages: readonly { class_package_id: number; title: string }[]
}

/** Names the ids of locations, class types, coaches and packages; those of records that are gone stay numbers. */
export function namesOf({ locations, class_types, instructors, packages }: NamedRecords): NameOf {
  const location = new Map(locations.map(({ location_id, name }) => [location_id, name]))
  const type = new Map(class_types.map(({ class_type_id, name }) => [class_type_id, name]))
  const coach = new Map(instructors.map(({ instructor_id, name }) => [instructor_id, name]))
  const classPackage = new Map(packages.map(({ class_package_id, title }) => [class_package_id, title]))
  const byKey: Readonly<Record<string, ReadonlyMap<number, string>>> = {
    ...{ location_id: location, location_ids: location, class_type_id: type, class_type_ids: type },
    ...{ instructor_id: coach, instructor_ids: coach, class_package_id: classPackage, class_package_ids: classPackage },
  }
  return (key, id) => byKey[key]?.get(id)
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function textOf(key: string, value: unknown, zone: string, nameOf: NameOf): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  if (typeof value === 'number')
    return key.endsWith('_centavos') ? formatMoney(value) : (nameOf(key, value) ?? value.toLocaleString('es-MX'))
  if (Array.isArray(value)) return value.length ? value.map((one) => textOf(key, one, zone, nameOf)).join(', ') : 'Ninguno'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (key === 'role' && Object.hasOwn(roleLabels, value)) return roleLabels[value as Role]
  if (key.startsWith('rights_') && Object.hasOwn(rights, value)) return rights[value as Right].label
  if (isLocalDate(value)) return formatWall(`${value}T00:00:00Z`, 'date')
  if (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
    return `${formatInstant(new Date(value), zone, 'date')}, ${formatInstant(new Date(value), zone, 'hour')}`
  return value
}

/** A single value (a setting) is one row; of records every field. Fields without a name come last, under their key. */
export function entryValues(
  { before, after }: { before: unknown; after: unknown },
  zone: string,
  nameOf: NameOf = () => undefined,
): EntryValues {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  if (!was && !is) {
    const hasNone = (before ?? null) === null && (after ?? null) === null
    const one = { key: '', label: 'Valor', before: textOf('', before, zone, nameOf), after: textOf('', after, zone, nameOf) }
    return { changed: hasNone ? [] : [one], same: [] }
  }
  const keys = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
  const named = (key: string) => Object.hasOwn(auditFieldLabels, key)
  const rows = keys
    .toSorted((a, b) => Number(named(b)) - Number(named(a)))
    .map((key) => ({
      key,
      label: auditFieldLabels[key]?.label ?? key,
      before: was && Object.hasOwn(was, key) ? textOf(key, was[key], zone, nameOf) : null,
      after: is && Object.hasOwn(is, key) ? textOf(key, is[key], zone, nameOf) : null,
    }))
  return { changed: rows.filter((row) => row.before !== row.after), same: rows.filter((row) => row.before === row.after) }
}
