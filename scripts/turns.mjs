/**
 * What CI runs by turn: every commit has a turn, 1 to TURNS, and what is too dear for each commit runs at some turns only. TURNS
 * consecutive commits run everything.
 */
import { createHash } from 'node:crypto'

export const TURNS = 6

/**
 * The turn of a commit: the number of commits up to it, modulo TURNS, so that consecutive commits have consecutive turns. A shallow clone
 * does not know the number (null); there the commit's id decides.
 */
export function turnOf(commit, number) {
  return 1 + ((number ?? Number.parseInt(commit.slice(16, 24), 16)) % TURNS)
}

/**
 * How far the turns of something are shifted, 0 to TURNS - 1: by its name alone, so that a new file moves no other one to another turn. Of
 * several thousand values of SALT this one makes the turns most equal.
 */
export function phaseOf(name) {
  return createHash('sha1').update(`${name}${SALT}`).digest()[0] % TURNS
}
const SALT = 1976
