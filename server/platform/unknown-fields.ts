/**
 * Fields of a request that its endpoint's schema does not define. Zod drops them; where that would mislead the caller they are refused
 * (`unknownFields` of the contract).
 */
import type * as z from 'zod'
import { isRecord } from '#contract/record.ts'

/** Paths of the fields in `value` that `schema` does not define, as `fields.0.name`. Fields inside a union are not checked here. */
function unknownIn(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'optional':
    case 'nullable':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return unknownIn(def.innerType, value, path)
    case 'pipe':
      return unknownIn(def.in, value, path)
    case 'array':
      return Array.isArray(value) ? value.flatMap((item, index) => unknownIn(def.element, item, `${path}${index}.`)) : []
    case 'object':
      if (!isRecord(value)) return []
      return Object.entries(value).flatMap(([key, field]) => {
        const known = Object.hasOwn(def.shape, key) ? def.shape[key] : undefined
        return known ? unknownIn(known, field, `${path}${key}.`) : [`${path}${key}`]
      })
    default:
      return []
  }
}

/** The unknown fields of an input, by path. For an endpoint without a schema, every field is unknown. */
export function unknownFields(schema: object | undefined, input: unknown): string[] {
  if (!schema || !('_zod' in schema)) return isRecord(input) ? Object.keys(input) : []
  return unknownIn(schema as z.core.$ZodType, input, '')
}
