/** RFCs, the tax ids of Mexico. Free of schemas, so that a page can check one without loading them. */

/** The receiver of invoices without a name, and the one of foreigners. */
export const GENERIC_RFC = 'XAXX010101000'
export const FOREIGN_RFC = 'XEXX010101000'

const PATTERN = /^[A-ZÑ&]{3,4}\d{2}(0[1-9]|1[012])(0[1-9]|[12]\d|3[01])[A-Z0-9]{2}[0-9A]$/

/** An RFC as it is registered: capitals, without blanks and dashes. */
export const cleanRfc = (text: string): string => text.toUpperCase().replace(/[\s.-]+/g, '')

export const isRfc = (text: string): boolean => PATTERN.test(text)

/** Twelve characters are a company (persona moral), thirteen a person (persona física). */
export const isCompany = (rfc: string): boolean => rfc.length === 12

/** Characters by their value in the check digit. */
const ALPHABET = '0123456789ABCDEFGHIJKLMN&OPQRSTUVWXYZ Ñ'

/** Whether the last character is the check digit of the others. Registered RFCs with another one exist, so this only warns. */
export function hasCheckDigit(rfc: string): boolean {
  const padded = rfc.padStart(13, ' ')
  let sum = 0
  for (let at = 0; at < 12; at++) sum += ALPHABET.indexOf(padded.charAt(at)) * (13 - at)
  const digit = 11 - (sum % 11)
  return padded.charAt(12) === (digit === 11 ? '0' : digit === 10 ? 'A' : String(digit))
}
