/** JSON that strangers send. */

/**
 * A JSON text, and where in it stands what the database cannot keep: NUL, or half of a character that takes two ("data.name"; null = nowhere).
 * Only an escape can carry it, so almost every text is done after one look. Throws where the text is no JSON.
 */
export function parseJson(text: string): { value: unknown; unkept: string | null } {
  const value: unknown = JSON.parse(text)
  return { value, unkept: text.includes('\\u') ? unkeptIn(value) : null }
}

/** The path is put together on the way out: a body may be very deep. */
function unkeptIn(value: unknown): string | null {
  if (typeof value === 'string') return isKept(value) ? null : ''
  if (typeof value !== 'object' || value === null) return null
  for (const [key, inner] of Object.entries(value)) {
    if (!isKept(key)) return ''
    const found = unkeptIn(inner)
    if (found !== null) return found ? `${key}.${found}` : key
  }
  return null
}

const isKept = (text: string) => !text.includes('\0') && text.isWellFormed()
