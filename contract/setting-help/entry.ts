/** The description of one setting for the administration and the OpenAPI document (contract/setting-help.ts). */
import type { Right } from '#contract/rights.ts'
import type { SettingKey } from '#contract/settings.ts'

/** How a setting is edited. Types that follow from the schema (switch, whole number, choice) are omitted. */
export type SettingType =
  | 'boolean'
  | 'integer'
  | 'number'
  | 'select'
  | 'text'
  | 'long'
  | 'html'
  | 'code'
  | 'colour'
  | 'image'
  | 'link'
  | 'phone'
  | 'ref'
  | 'matrix'
  | 'object'

export interface SettingHelp {
  /** Label, es-MX. */
  label: string
  /** Effect, in one or two sentences, es-MX. */
  help: string
  /** Type, where the schema does not define it: see `typeOf`. */
  type?: SettingType
  /** Unit of a number: "horas", "días". */
  unit?: string
  /** Label of each choice. */
  choices?: Readonly<Record<string, string>>
  /** For an id: the path of the list that it refers to. */
  ref?: string
  /** What a change can break or lose, es-MX: the change is confirmed by typing the studio's name. */
  danger?: string
  /** Without this value of another setting this one has no effect. */
  depends_on?: { key: SettingKey; equals: string | boolean }
  /** Right that a change needs beside `settings.edit`. */
  right?: Right
}
