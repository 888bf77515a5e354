/**
 * Drafts of settings: what is typed in a field, the value that it means, and what is wrong with it. The server decides; this only
 * answers sooner.
 */
import type { EditedSetting } from '#contract/content.ts'
import { isSameJson } from '#web/lib/same-json.ts'

/** What a field holds: text of text fields and choices, the state of a switch, the matrix of messages. */
export type Typed = string | boolean | Readonly<Record<string, readonly string[]>>

/** A changed field, with the stored value that it was changed from: saving is refused if that is another one by then. */
export interface DraftEntry {
  typed: Typed
  base: EditedSetting['value']
}
export type SettingsDraft = Readonly<Record<string, DraftEntry>>

export type ReadValue = { value: EditedSetting['value'] } | { problem: string }

const isNumber = ({ type }: Pick<EditedSetting, 'type'>) => type === 'integer' || type === 'number'

/** What a field shows for a stored value. */
export function toTyped(setting: Pick<EditedSetting, 'type'>, value: EditedSetting['value']): Typed {
  if (typeof value === 'boolean') return value
  if (setting.type === 'matrix') return (value ?? {}) as Record<string, string[]>
  if (setting.type === 'object') return value === null ? '' : JSON.stringify(value, null, 2)
  return value === null || value === undefined ? '' : String(value)
}

/** Pairs of a configuration as the Google console shows it, or as JSON: `apiKey: "AIza"` and `"apiKey": "AIza"`. */
function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/["']?(\w+)["']?\s*:\s*["']([^"']*)["']/g)].map(([, key = '', value = '']) => [key, value]))
}

/** Whether a limit is a real one: schemas of whole numbers without one have the largest that JavaScript can hold. */
const isLimit = (limit: number | null): limit is number => limit !== null && Math.abs(limit) < 1e9

function rangeText({ min, max, type }: Pick<EditedSetting, 'min' | 'max' | 'type'>): string {
  const what = type === 'integer' ? 'un número entero' : 'un número'
  const text = (limit: number) => limit.toLocaleString('es-MX')
  if (isLimit(min) && isLimit(max)) return `Escribe ${what} de ${text(min)} a ${text(max)}.`
  if (isLimit(min)) return `Escribe ${what}, ${text(min)} o más.`
  return isLimit(max) ? `Escribe ${what}, ${text(max)} o menos.` : `Escribe ${what}.`
}

type Rules = Pick<EditedSetting, 'type' | 'min' | 'max' | 'nullable' | 'unit'>

function readNumber(setting: Rules, typed: string): ReadValue {
  const text = typed.trim().replace(/,(?=\d{3}\b)/g, '')
  if (text === '') return setting.nullable ? { value: null } : { problem: rangeText(setting) }
  const value = Number(text)
  const fits =
    Number.isFinite(value) &&
    (setting.type === 'number' || Number.isInteger(value)) &&
    value >= (setting.min ?? Number.NEGATIVE_INFINITY) &&
    value <= (setting.max ?? Number.POSITIVE_INFINITY)
  return fits ? { value } : { problem: rangeText(setting) }
}

/** The value that a field means, or what is wrong with it in a sentence. */
export function readTyped(setting: Rules, typed: Typed): ReadValue {
  if (typeof typed !== 'string') return { value: typed as EditedSetting['value'] }
  if (isNumber(setting)) return readNumber(setting, typed)
  if (setting.type === 'ref') return { value: typed === '' ? null : Number(typed) }
  if (setting.type === 'object') {
    if (typed.trim() === '') return { value: null }
    const pairs = pairsOf(typed)
    return Object.keys(pairs).length > 0 ? { value: pairs } : { problem: 'Pega la configuración tal como la muestra Google.' }
  }
  if (setting.type === 'colour') {
    const colour = `#${typed.trim().replace(/^#/, '').toUpperCase()}`
    return /^#[0-9A-F]{6}$/.test(colour) ? { value: colour } : { problem: 'Un color se escribe como #2B36D9.' }
  }
  const text = setting.type === 'phone' ? typed.replace(/[\s().-]/g, '') : typed
  if (setting.max !== null && text.length > setting.max)
    return { problem: `Escribe ${setting.max.toLocaleString('es-MX')} caracteres como máximo.` }
  return { value: text }
}

/** The draft after a field was changed; a field with the stored value again is no change. */
export function withTyped(draft: SettingsDraft, setting: EditedSetting, typed: Typed): SettingsDraft {
  const base = draft[setting.key] ? (draft[setting.key]?.base ?? null) : setting.value
  const read = readTyped(setting, typed)
  if (isSameJson(typed, toTyped(setting, base)) || ('value' in read && isSameJson(read.value, base)))
    return withoutSetting(draft, setting.key)
  return { ...draft, [setting.key]: { typed, base } }
}

/** The draft without one of its changes. */
export function withoutSetting(draft: SettingsDraft, key: string): SettingsDraft {
  const { [key]: _, ...rest } = draft
  return rest
}

export interface Change {
  key: string
  value: EditedSetting['value']
  if_value: EditedSetting['value']
}

/** The changes of a draft as the API takes them, and the fields that cannot be read, by key. */
export function validateChanges(
  settings: ReadonlyMap<string, EditedSetting>,
  draft: SettingsDraft,
): { changes: Change[]; problems: Record<string, string> } {
  const changes: Change[] = []
  const problems: Record<string, string> = {}
  for (const [key, { typed, base }] of Object.entries(draft)) {
    const setting = settings.get(key)
    if (!setting) continue
    const read = readTyped(setting, typed)
    if ('problem' in read) problems[key] = read.problem
    else changes.push({ key, value: read.value, if_value: base })
  }
  return { changes, problems }
}

/** The values that the studio would have: the stored ones, and in their place those of the draft that can be read. */
export function valuesWith(settings: readonly EditedSetting[], draft: SettingsDraft): Record<string, unknown> {
  return Object.fromEntries(
    settings.map((setting) => {
      const entry = draft[setting.key]
      const read = entry ? readTyped(setting, entry.typed) : { value: setting.value }
      return [setting.key, 'value' in read ? read.value : setting.value]
    }),
  )
}

/** Whether a setting has an effect with these values: what it depends on has the value that it needs. */
export function hasEffect({ depends_on }: Pick<EditedSetting, 'depends_on'>, values: Readonly<Record<string, unknown>>): boolean {
  return depends_on === null || values[depends_on.key] === depends_on.equals
}

const MAX_LENGTH = 120

/** A value for people: "12 horas", "Sí", "Día". */
export function valueText(setting: Pick<EditedSetting, 'type' | 'unit' | 'options'>, value: unknown): string {
  if (value === null || value === undefined || value === '') return 'Sin valor'
  if (typeof value === 'boolean') return value ? 'Sí' : 'No'
  const option = setting.options?.find((option) => option.value === value)
  if (option) return option.label
  if (setting.type === 'matrix') {
    const own = Object.keys(value).length
    return own === 0 ? 'Los de costumbre' : own === 1 ? '1 aviso con medios propios' : `${own} avisos con medios propios`
  }
  if (typeof value === 'object') return 'Configurado'
  const text = typeof value === 'number' ? value.toLocaleString('es-MX') : String(value)
  const whole = setting.unit && setting.unit !== 'hora' ? `${text} ${setting.unit}` : text
  return whole.length > MAX_LENGTH ? `${whole.slice(0, MAX_LENGTH)}…` : whole
}

const plain = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')

const splitWords = (text: string): string[] =>
  plain(text)
    .split(/[^\p{L}\p{N}#.]+/u)
    .filter(Boolean)

/** Whether every typed word begins a word of the setting: of its label, group, help, choices or present value ("12 horas"). */
export function isFound(setting: EditedSetting, typed: string): boolean {
  const { label, group, help, options } = setting
  const words = splitWords(
    [label, group, help, ...(options ?? []).map((option) => option.label), valueText(setting, setting.value)].join(' '),
  )
  return splitWords(typed).every((word) => words.some((term) => term.startsWith(word)))
}

/** A label in pieces, those that a typed word matches marked. */
export function markedParts(label: string, typed: string): { text: string; marked: boolean }[] {
  const wanted = splitWords(typed)
  return label
    .split(/(\s+)/)
    .filter(Boolean)
    .map((text) => ({
      text,
      marked: wanted.some((word) =>
        plain(text)
          .replace(/^[^\p{L}\p{N}]+/u, '')
          .startsWith(word),
      ),
    }))
}
