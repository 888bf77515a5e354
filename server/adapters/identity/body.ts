/** Parses requests of clients: own properties only, every type checked, every size limited. */
import { identityFault } from './fault.ts'

/** The JSON object (or form) of a request. Read it only through the functions below. */
export type Body = Readonly<Record<string, unknown>>

const MAX_DEPTH = 8

function tooDeep(value: unknown, left: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (left === 0) return true
  return Object.values(value).some((inner) => tooDeep(inner, left - 1))
}

/** Parses a JSON object; throws a client fault for anything else. MAX_DEPTH limits the recursion above. */
export function parseBody(text: string): Body {
  if (text.trim() === '') return {}
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value) || tooDeep(value, MAX_DEPTH))
    throw identityFault('INVALID_ARGUMENT', 'Invalid JSON payload received.')
  return value as Body
}

/** Parses a form as an object; of repeated fields the first counts. */
export function parseForm(text: string): Body {
  const fields: Record<string, string> = Object.create(null)
  for (const [name, value] of new URLSearchParams(text)) if (!Object.hasOwn(fields, name)) fields[name] = value
  return fields
}

function own(body: Body, name: string): unknown {
  return Object.hasOwn(body, name) ? (body[name] ?? undefined) : undefined
}

/** A text, or undefined when it is absent or null. */
export function text(body: Body, name: string, max = 4_096): string | undefined {
  const value = own(body, name)
  if (value === undefined) return undefined
  if (typeof value !== 'string' || value.length > max) throw identityFault('INVALID_ARGUMENT', `Invalid value at '${name}' (TYPE_STRING)`)
  return value
}

/** Text that is stored and displayed: no control characters (PostgreSQL refuses NUL) and no unpaired surrogates. */
export function getDisplayText(body: Body, name: string, max: number): string | undefined {
  const value = text(body, name, max)
  if (value !== undefined && (/\p{Cc}/u.test(value) || !value.isWellFormed()))
    throw identityFault('INVALID_ARGUMENT', `Invalid value at '${name}' (TYPE_STRING)`)
  return value
}

/** A list of texts; empty when absent. */
export function texts(body: Body, name: string): string[] {
  const value = own(body, name)
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > 20 || !value.every((item) => typeof item === 'string'))
    throw identityFault('INVALID_ARGUMENT', `Invalid value at '${name}' (TYPE_STRING)`)
  return value
}

/** An object inside a request; empty when absent. */
export function getInnerBody(body: Body, name: string): Body {
  const value = own(body, name)
  if (value === undefined) return {}
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw identityFault('INVALID_ARGUMENT', `Invalid value at '${name}'`)
  return value as Body
}

/** The value of a boolean field; false when absent. */
export function readFlag(body: Body, name: string): boolean {
  const value = own(body, name)
  if (value !== undefined && typeof value !== 'boolean') throw identityFault('INVALID_ARGUMENT', `Invalid value at '${name}' (TYPE_BOOL)`)
  return value === true
}

/** Whether a field is present. */
export function hasField(body: Body, name: string): boolean {
  return own(body, name) !== undefined
}

// The pattern of <input type=email>, the same that the browser uses.
const EMAIL = /^[a-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/

/** An e-mail address in lower case, or null when it is invalid (at most 255 characters). */
export function readEmail(typed: string): string | null {
  const email = typed.trim().toLowerCase()
  return email.length < 256 && EMAIL.test(email) ? email : null
}

/** The e-mail of a field. Throws different faults for missing and invalid. */
export function email(body: Body, name = 'email'): string {
  const typed = text(body, name)
  if (typed === undefined) throw identityFault('MISSING_EMAIL')
  const read = readEmail(typed)
  if (!read) throw identityFault('INVALID_EMAIL')
  return read
}
