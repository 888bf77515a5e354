/**
 * Label, help and editor type of each setting, for the administration and the OpenAPI document. A setting without an entry does not
 * compile. Separate from contract/settings.ts because public pages load that file and need none of these texts.
 */
import * as z from 'zod'
import type { SettingInfo } from './content.ts'
import type { Right } from './rights.ts'
import { groupOf } from './setting-groups.ts'
import { accountHelp } from './setting-help/accounts.ts'
import type { SettingHelp, SettingType } from './setting-help/entry.ts'
import { reservationHelp } from './setting-help/reservations.ts'
import { salesHelp } from './setting-help/sales.ts'
import { siteHelp } from './setting-help/site.ts'
import { type SettingKey, settings } from './settings.ts'

const PARTS = [siteHelp, accountHelp, salesHelp, reservationHelp]

export const settingHelp = { ...siteHelp, ...accountHelp, ...salesHelp, ...reservationHelp } satisfies Record<SettingKey, SettingHelp>

if (Object.keys(settingHelp).length !== PARTS.reduce((sum, part) => sum + Object.keys(part).length, 0))
  throw new Error('A setting has help in two files of contract/setting-help.')

interface JsonSchema {
  type?: string
  enum?: string[]
  minimum?: number
  maximum?: number
  maxLength?: number
  anyOf?: JsonSchema[]
}

/** The schema of the value itself, and whether it may be null instead. */
function schemaOf(key: SettingKey): { schema: JsonSchema; nullable: boolean } {
  const whole = z.toJSONSchema(settings[key].schema, { unrepresentable: 'any', io: 'input' }) as JsonSchema
  const parts = whole.anyOf ?? [whole]
  return { schema: parts.find(({ type }) => type !== 'null') ?? whole, nullable: parts.some(({ type }) => type === 'null') }
}

const DERIVED: Readonly<Record<string, SettingType>> = { boolean: 'boolean', integer: 'integer', number: 'number' }

function describe(key: SettingKey): SettingInfo {
  const { label, help, type, unit, choices, ref, danger, depends_on, right }: SettingHelp = settingHelp[key]
  const { area, title, shown_on } = groupOf(key)
  const { schema, nullable } = schemaOf(key)
  return {
    area,
    group: title,
    label,
    help,
    type: type ?? (schema.enum ? 'select' : (DERIVED[schema.type ?? ''] ?? 'text')),
    options: schema.enum?.map((value) => ({ value, label: choices?.[value] ?? value })) ?? null,
    min: schema.minimum ?? null,
    max: schema.maximum ?? schema.maxLength ?? null,
    nullable,
    unit: unit ?? null,
    ref: ref ?? null,
    shown_on: [...shown_on],
    depends_on: depends_on ?? null,
    danger: danger ?? null,
    right: right ?? null,
  }
}

const described = new Map<SettingKey, SettingInfo>()

/** Area, group, label, help, type and limits of a setting; what the schema defines is taken from it. */
export function infoOf(key: SettingKey): SettingInfo {
  const known = described.get(key)
  if (known) return known
  const info = describe(key)
  described.set(key, info)
  return info
}

/** The settings whose change needs a right of its own beside `settings.edit`. */
export const rightsOfSettings: readonly { key: SettingKey; right: Right }[] = (Object.keys(settingHelp) as SettingKey[]).flatMap((key) => {
  const { right }: SettingHelp = settingHelp[key]
  return right ? [{ key, right }] : []
})

/** All settings as a Markdown table: what `PUT /appconfig` accepts, for the OpenAPI document. */
export function settingsTable(): string {
  const rows = (Object.keys(settings) as SettingKey[]).map((key) => {
    const { label, help, type, options, unit } = infoOf(key)
    const kind = options ? options.map(({ value }) => `\`${value}\``).join(', ') : [type, unit && `(${unit})`].filter(Boolean).join(' ')
    return `| \`${key}\` | ${label}. ${help} | ${kind} | \`${JSON.stringify(settings[key].default)}\` |`.replaceAll('<', '&lt;')
  })
  return ['| clave | qué es | tipo | de inicio |', '|---|---|---|---|', ...rows].join('\n')
}
