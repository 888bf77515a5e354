/**
 * Converts numbers that arrive as text. Browsers send what a page read from its own address (`/checkout/{class_package_id}`) or from a form
 * field as text: "3" becomes 3 where the contract requires a number. Only plain digits; everything else is left for the schema to refuse.
 */
import type * as z from 'zod'
import { isRecord } from '#contract/record.ts'

type Read = (value: unknown) => unknown

const PLAIN = /^-?(0|[1-9]\d{0,9})(\.\d{1,6})?$/

const number: Read = (value) => (typeof value === 'string' && PLAIN.test(value) ? Number(value) : value)

/** The converter for a schema's numbers; null when it has none. Converters never modify their input. */
function reader(schema: z.core.$ZodType): Read | null {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'number':
      return number
    case 'nullable': {
      const inner = reader(def.innerType)
      // An empty form field.
      return inner && ((value) => (inner === number && value === '' ? null : inner(value)))
    }
    case 'optional':
    case 'default':
    case 'prefault':
    case 'nonoptional':
    case 'readonly':
      return reader(def.innerType)
    case 'pipe':
      return reader(def.in)
    case 'array': {
      const readItem = reader(def.element)
      return readItem && ((value) => (Array.isArray(value) ? value.map(readItem) : value))
    }
    case 'object': {
      const fields = Object.entries(def.shape).flatMap(([key, field]) => {
        const read = reader(field)
        return read ? [[key, read] as const] : []
      })
      if (!fields.length) return null
      return (value) => {
        if (!isRecord(value)) return value
        const named = fields.filter(([key]) => Object.hasOwn(value, key))
        return named.length ? { ...value, ...Object.fromEntries(named.map(([key, read]) => [key, read(value[key])])) } : value
      }
    }
    default:
      return null
  }
}

const readers = new WeakMap<object, Read>()

/** The input of an endpoint with its numeric fields converted from text. */
export function withNumbers(schema: object | undefined, input: unknown): unknown {
  if (!schema || !('_zod' in schema)) return input
  let read = readers.get(schema)
  if (!read) {
    read = reader(schema as z.core.$ZodType) ?? ((value) => value)
    readers.set(schema, read)
  }
  return read(input)
}
