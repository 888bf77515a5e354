/** JSON from untrusted senders, and for the database. */

/**
 * Parses a JSON text. `unkept` is the path of the first string that the database cannot store, one with NUL or an unpaired surrogate
 * ("data.name"; null = none). Only a `\u` escape can contain these, so almost every text skips the search. Throws on invalid JSON.
 */
export function parseJson(text: string): { value: unknown; unkept: string | null } {
  const value: unknown = JSON.parse(text)
  return { value, unkept: text.includes('\\u') ? unkeptIn(value) : null }
}

/** The path is assembled on return from the recursion, only when something was found: a body may be nested very deep. */
function unkeptIn(value: unknown): string | null {
  if (typeof value === 'string') return isStorable(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (!isStorable(key)) return ''
    const found = unkeptIn(inner)
    if (found !== null) return found ? `${key}.${found}` : key
  }
  return null
}

const isStorable = (text: string) => !text.includes('\0') && text.isWellFormed()

const LONE_SURROGATE = /\\ud[89a-f][0-9a-f]{2}/

/**
 * A value as JSON that a column can store: half of a character, which is left where a text is cut, becomes U+FFFD. `replacer` as for
 * `JSON.stringify`.
 */
export function storableJson(value: unknown, replacer: (key: string, value: unknown) => unknown = (_, inner) => inner): string {
  const text = JSON.stringify(value, replacer)
  if (!LONE_SURROGATE.test(text)) return text
  return JSON.stringify(value, (key, inner) => {
    const replaced = replacer(key, inner)
    return typeof replaced === 'string' ? replaced.toWellFormed() : replaced
  })
}
