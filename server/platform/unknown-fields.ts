/** Fields of a request that its endpoint's schema does not know. Zod drops them; where that would mislead, they are refused (`unknownFields` of the contract). */
import type * as z from 'zod'

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** The paths of the fields in `value` that `schema` has no place for, as `fields.0.name`. Inside a union every field passes: its options are tried by the schema itself. */
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
      return Array.isArray(value) ? value.flatMap((one, index) => unknownIn(def.element, one, `${path}${index}.`)) : []
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

/** The unknown fields of an input, by path. An endpoint without a schema knows none. */
export function unknownFields(schema: object | undefined, input: unknown): string[] {
  if (!schema || !('_zod' in schema)) return isRecord(input) ? Object.keys(input) : []
  return unknownIn(schema as z.core.$ZodType, input, '')
}
