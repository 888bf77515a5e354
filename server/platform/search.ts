/** A search as people type it: words in any order, whatever their accents and capitals. */
import { type SQL, sql } from 'drizzle-orm'

/** More words than anybody types; each costs a condition. */
const MOST_WORDS = 8

/** What is typed as patterns of LIKE, one per word, each to be found in a `plainText`. The signs of a phone number stand between words. */
export function wordPatterns(typed: string): string[] {
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
