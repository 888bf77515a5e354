/** UUIDs are excluded: by chance one may contain a valid card number in groups of four, and card numbers are not typed in that shape. */
const UUIDS = /[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}/gi

/** Whether a text contains what looks like a card number: 13 to 19 digits, in a row or in groups, with a valid first and check digit. */
export function hasCardNumber(text: string): boolean {
  for (const [run] of text.replace(UUIDS, '').matchAll(/\d(?:[ -]?\d){12,18}/g)) {
    const digits = run.replace(/\D/g, '')
    let sum = 0
    for (const [at, sign] of [...digits].reverse().entries()) {
      const doubled = at % 2 ? Number(sign) * 2 : Number(sign)
      sum += doubled > 9 ? doubled - 9 : doubled
    }
    if (/^(3|4|5|6|2[2-7])/.test(digits) && sum % 10 === 0) return true
  }
  return false
}
