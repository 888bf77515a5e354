/** At which of the two sizes, phone and desktop, a browser spec runs. */

/**
 * Specs of the layouts themselves and of what people do most: at both sizes in every run. Their tests with the tag `@one-size`, whose result no
 * size changes, run at one size in CI.
 */
export const AT_BOTH_SIZES = [
  ...['account', 'calendar', 'choose-package', 'dialogs', 'journey', 'newcomer', 'palettes', 'reservation-dialogs', 'reservations'],
  ...['reserve-dialog', 'shell', 'admin-front-desk', 'admin-shell', 'admin-today', 'new-sale'],
]

/**
 * Specs of one size: they set their own widths, or look the same at any. Sales screens, accounts, switches, card fields, Google's window and the
 * floating button on a phone; processors, appearance, hostile values and the first steps by keyboard on a desktop.
 */
const ONLY_PHONE = /^(sales-.*|own-accounts|switches|search-and-offline|whatsapp-button|card-frame|google-sign-in)$/
const ONLY_DESKTOP = /^(processors|appearance|hostile-pages|first-steps)$/

/**
 * The spec files that do not run at a size. All specs without a place above run at both, and in CI at one: every second of them at `oneSize`
 * (sizeOfCommit in instants.mjs), the others at the other size; null outside CI.
 */
export function specsNotAt(size, oneSize, files) {
  const names = files.filter((file) => file.endsWith('.spec.ts')).map((file) => file.slice(0, -'.spec.ts'.length))
  const other = size === 'phone' ? ONLY_DESKTOP : ONLY_PHONE
  const alternating = names.filter((name) => !(AT_BOTH_SIZES.includes(name) || ONLY_PHONE.test(name) || ONLY_DESKTOP.test(name))).sort()
  const elsewhere = oneSize ? alternating.filter((_name, n) => (n % 2 === 0) !== (oneSize === size)) : []
  return [...names.filter((name) => other.test(name)), ...elsewhere].map((name) => `${name}.spec.ts`)
}
