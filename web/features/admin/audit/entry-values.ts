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

/** The names of records that the values have by id; those of records that are gone are missing. */
type Names = readonly { key: string; id: number; name: string }[]

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d/

function textOf(key: string, value: unknown, zone: string, names: Names): string {
  if (value === null || value === undefined || value === '') return '—'
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  if (typeof value === 'number')
    return key.endsWith('_centavos')
      ? formatMoney(value)
      : (names.find((name) => name.key === key && name.id === value)?.name ?? value.toLocaleString('es-MX'))
  if (Array.isArray(value)) return value.length ? value.map((item) => textOf(key, item, zone, names)).join(', ') : 'Ninguno'
  if (typeof value !== 'string') return JSON.stringify(value)
  if (key === 'role' && Object.hasOwn(roleLabels, value)) return roleLabels[value as Role]
  if (key.startsWith('rights_') && Object.hasOwn(rights, value)) return rights[value as Right].label
  if (isLocalDate(value)) return formatWall(`${value}T00:00:00Z`, 'date')
  if (INSTANT.test(value) && !Number.isNaN(Date.parse(value)))
    return `${formatInstant(new Date(value), zone, 'date')}, ${formatInstant(new Date(value), zone, 'hour')}`
  return value
}

/** A single value (a setting) is one row; of records every field. Fields without a name come last, under their key. */
export function entryValues({ before, after, names }: { before: unknown; after: unknown; names: Names }, zone: string): EntryValues {
  const [was, is] = [fieldsOf(before), fieldsOf(after)]
  if (!was && !is) {
    const hasNone = (before ?? null) === null && (after ?? null) === null
    const row = { key: '', label: 'Valor', before: textOf('', before, zone, names), after: textOf('', after, zone, names) }
    return { changed: hasNone ? [] : [row], same: [] }
  }
  const keys = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])]
  const named = (key: string) => Object.hasOwn(auditFieldLabels, key)
  const rows = keys
    .toSorted((a, b) => Number(named(b)) - Number(named(a)))
    .map((key) => ({
      key,
      label: auditFieldLabels[key]?.label ?? key,
      before: was && Object.hasOwn(was, key) ? textOf(key, was[key], zone, names) : null,
      after: is && Object.hasOwn(is, key) ? textOf(key, is[key], zone, names) : null,
    }))
  return { changed: rows.filter((row) => row.before !== row.after), same: rows.filter((row) => row.before === row.after) }
}
