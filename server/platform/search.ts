/** A search as people type it: words in any order, whatever their accents and capitals. */
import { and, type SQL, sql } from 'drizzle-orm'

/** More words than anybody types; each costs a condition. */
const MOST_WORDS = 8

/** What is typed as patterns of LIKE, one per word, each to be found in a `plainText`. The signs of a phone number stand between words. */
export function searchPatterns(typed: string): string[] {
  const plain = typed
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  return plain
    .split(/[\s()+-]+/)
    .filter((word) => word !== '')
    .slice(0, MOST_WORDS)
    .map((word) => `%${word.replace(/[\\%_]/g, '\\$&')}%`)
}

/** A text of the database without accents and capitals, like the patterns. */
export const plainText = (text: SQL): SQL => sql`regexp_replace(normalize(lower(${text}), NFD), '[\\u0300-\\u036f]', '', 'g')`

/** Whether a text of the database has every word that was typed, in any order, whatever accents and capitals. Undefined when nothing was typed. */
export const matchesSearch = (text: SQL, typed: string): SQL | undefined => hasPatterns(plainText(text), searchPatterns(typed))

/** The same for a text that is plain already, as a column that is kept so. */
export const hasPatterns = (plain: SQL, patterns: readonly string[]): SQL | undefined =>
  and(...patterns.map((pattern) => sql`${plain} like ${pattern}`))
