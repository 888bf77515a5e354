/** Free-text search: words in any order, ignoring accents and case. */
import { and, type SQL, sql } from 'drizzle-orm'

/** Limit on words, since each adds a condition; more than any real search has. */
const MAX_WORDS = 8

/** The words of a text in lower case and without accents. Punctuation of phone numbers separates words. */
export function searchWords(text: string): string[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
  return plain.split(/[\s()+-]+/).filter((word) => word !== '')
}

/** The typed text as LIKE patterns, one per word, for matching against a `plainText`. */
export const searchPatterns = (typed: string): string[] =>
  searchWords(typed)
    .slice(0, MAX_WORDS)
    .map((word) => `%${escapeLike(word)}%`)

/** A text in which LIKE finds no wildcards. */
export const escapeLike = (text: string): string => text.replace(/[\\%_]/g, '\\$&')

/** A text expression of the database without accents and in lower case, as the patterns are. */
export const plainText = (text: SQL): SQL => sql`regexp_replace(normalize(lower(${text}), NFD), '[\\u0300-\\u036f]', '', 'g')`

/** Whether a text contains every typed word, in any order, ignoring accents and case. Undefined when nothing was typed. */
export const matchesSearch = (text: SQL, typed: string): SQL | undefined => hasPatterns(plainText(text), searchPatterns(typed))

/** The same for a text that is normalized already, such as a column that stores it so. */
export const hasPatterns = (plain: SQL, patterns: readonly string[]): SQL | undefined =>
  and(...patterns.map((pattern) => sql`${plain} like ${pattern}`))
