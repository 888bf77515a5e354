/** Finds possible card numbers: runs of 13 to 19 digits, together or in groups, with a card's first digit and check digit. */

const TOGETHER = /(?<![0-9A-Za-z])\d{13,19}(?![0-9A-Za-z])/g
const IN_GROUPS = /(?<!\d)(?:\d{4}[ -]){3}\d{1,7}(?!\d)|(?<!\d)\d{4}[ -]\d{6}[ -]\d{5}(?!\d)/g
/** UUIDs are removed first: one in some thousands contains such a run by chance. */
const UUIDS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi

function passesLuhn(digits: string): boolean {
  let sum = 0
  for (const [at, sign] of [...digits].reverse().entries()) {
    const doubled = at % 2 ? Number(sign) * 2 : Number(sign)
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Every run in a text that could be a card number (PCI DSS: none may be stored or logged). */
export function cardNumbersIn(text: string): string[] {
  const rest = text.replace(UUIDS, '<uuid>')
  return [...(rest.match(TOGETHER) ?? []), ...(rest.match(IN_GROUPS) ?? [])].filter((found) => {
    const digits = found.replace(/\D/g, '')
    return /^(3|4|5|6|2[2-7])/.test(digits) && passesLuhn(digits)
  })
}
