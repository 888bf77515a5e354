/**
 * Inputs that an endpoint's schema accepts, for tests that call every endpoint: as few fields as it needs, and the ids that a test wants.
 */
import * as z from 'zod'

interface Shape {
  type?: string
  properties?: Record<string, Shape>
  required?: string[]
  items?: Shape
  minItems?: number
  anyOf?: Shape[]
  oneOf?: Shape[]
  allOf?: Shape[]
  enum?: unknown[]
  const?: unknown
  pattern?: string
  format?: string
  minimum?: number
  exclusiveMinimum?: number
  minLength?: number
  $ref?: string
  $defs?: Record<string, Shape>
}

/** Texts, of which the first that a pattern accepts is taken. */
const TEXTS = [
  '10',
  '10.00',
  '2026-12-01',
  '2026-12',
  '08:00',
  '5512345678',
  'alguien@ejemplo.mx',
  'texto',
  'XAXX010101000',
  'F',
  '2580',
  'a'.repeat(40),
]

/** A value by the name of its field, or undefined. */
export type ValueFor = (name: string) => unknown

export function minimalInput(schema: z.ZodType, valueFor: ValueFor): unknown {
  const root = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Shape
  const make = (at: Shape, name: string): unknown => {
    if (at.$ref) return make(root.$defs?.[at.$ref.split('/').at(-1) ?? ''] ?? {}, name)
    const wanted = valueFor(name)
    if (wanted !== undefined && at.type !== 'array' && at.type !== 'object') return wanted
    if (at.const !== undefined) return at.const
    if (at.enum) return at.enum[0]
    const choice = (at.anyOf ?? at.oneOf)?.find(({ type }) => type !== 'null')
    if (choice) return make(choice, name)
    if (at.allOf) return Object.assign({}, ...at.allOf.map((part) => make(part, name)))
    if (at.properties) {
      const needed = new Set(at.required)
      const fields = Object.entries(at.properties).filter(([field, of]) => needed.has(field) || mentions(of, field))
      return Object.fromEntries(fields.map(([field, of]) => [field, make(of, field)]))
    }
    if (at.type === 'array') return [make(at.items ?? {}, singular(name))].slice(0, Math.max(1, at.minItems ?? 0))
    if (at.type === 'integer' || at.type === 'number') return Math.max(at.minimum ?? 1, (at.exclusiveMinimum ?? 0) + 1)
    if (at.type === 'boolean') return name !== 'dry_run'
    if (at.type === 'object') return {}
    const accepts = (text: string) => text.length >= (at.minLength ?? 0) && (!at.pattern || new RegExp(at.pattern, 'u').test(text))
    return TEXTS.find(accepts) ?? 'texto'
  }
  /** Whether a field, or one inside it, has a value that the test wants. */
  const mentions = (at: Shape, name: string, depth = 0): boolean => {
    if (depth > 5) return false
    if (at.$ref) return mentions(root.$defs?.[at.$ref.split('/').at(-1) ?? ''] ?? {}, name, depth + 1)
    if (valueFor(name) !== undefined || valueFor(singular(name)) !== undefined) return true
    return [
      ...Object.entries(at.properties ?? {}),
      ...(at.items ? [[singular(name), at.items] as const] : []),
      ...(at.anyOf ?? at.oneOf ?? at.allOf ?? []).map((shape) => [name, shape] as const),
    ].some(([field, of]) => mentions(of, field, depth + 1))
  }
  return make(root, '')
}

/** The name of one value of a list: `location_ids` is of `location_id`. */
const singular = (name: string) => name.replace(/s$/, '')
