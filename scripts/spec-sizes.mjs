/** At which of the two sizes, phone and desktop, a browser spec runs, and in CI at which turns (turns.mjs). */
import { phaseOf, TURNS } from './turns.mjs'

/** Specs of what people do most: at both sizes in every run. */
export const AT_BOTH_SIZES = ['calendar', 'journey', 'reserve-dialog']

/** Specs of the layouts themselves and of the daily work: in every run, in CI at one size, which changes with the turn. */
export const IN_EVERY_RUN = [
  'account',
  'newcomer',
  'reservations',
  'shell',
  'admin-front-desk',
  'admin-shell',
  'admin-today',
  'new-sale',
  'new-sale-payments',
]

/**
 * Specs of one size: they set their own widths, or are the same at any. Sales screens, accounts, switches, card fields, Google's window and
 * the floating button on a phone; processors, appearance, hostile values and the first steps by keyboard on a desktop.
 */
const ONLY_PHONE = /^(sales-.*|own-accounts|own-staff-accounts|switches|search-and-offline|whatsapp-button|card-frame|google-sign-in)$/
const ONLY_DESKTOP = /^(processors|appearance|hostile-pages|first-steps)$/

/** The sizes at which a spec runs at a turn of CI; null outside CI, where every spec runs at all its sizes. */
function sizesOf(name, turn) {
  const only = ONLY_PHONE.test(name) ? ['phone'] : ONLY_DESKTOP.test(name) ? ['desktop'] : null
  if (turn === null || AT_BOTH_SIZES.includes(name)) return only ?? ['phone', 'desktop']
  const at = (turn + phaseOf(name)) % TURNS
  if (IN_EVERY_RUN.includes(name)) return [at % 2 ? 'phone' : 'desktop']
  // Each size at one turn of six, three turns apart where there are both.
  if (at % 3) return []
  if (only) return at ? only : []
  return [at ? 'phone' : 'desktop']
}

/** The spec files that do not run at a size, at a turn of CI or, with null, outside CI. */
export function specsNotAt(size, turn, files) {
  return files.filter((file) => file.endsWith('.spec.ts') && !sizesOf(file.slice(0, -'.spec.ts'.length), turn).includes(size))
}

/**
 * Whether tests with the tag `@one-size`, whose result no size changes, run at a size. In CI their specs run at every turn, and these tests
 * at one size of those of AT_BOTH_SIZES, and at some turns of those of IN_EVERY_RUN.
 */
export function runsTagged(size, turn) {
  return turn === null || (turn % TURNS < TURNS / 2 ? 'phone' : 'desktop') === size
}
