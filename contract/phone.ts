/** Phone numbers (spec 1 section 5, settled 37): the input keeps digits, at most ten; the pattern is for values from other sources. */

/** Optional plus, 3 digits (parentheses optional), 3 digits, 4 to 6 digits, separators optional. */
export const PHONE_PATTERN = /^\+?\(?\d{3}\)?[-\s.]?\d{3}[-\s.]?\d{4,6}$/

/** Mexico's country code before ten digits, with the 1 that mobile numbers had until 2019: phones and contacts fill it in. */
const COUNTRY = /^521?(?=\d{10}$)/

/** The value of a phone field after typing, pasting or autofill: digits only, without the country code, cut to 10 (S1-2.99). */
export function phoneDigits(typed: string): string {
  return typed.replace(/\D/g, '').replace(COUNTRY, '').slice(0, 10)
}

/** URL of a WhatsApp chat: 52 + ten digits in links, 52 1 in the floating widget (settled 36). */
export function whatsappLink(phone: string, kind: 'link' | 'widget' = 'link'): string {
  return `https://wa.me/${kind === 'widget' ? '521' : '52'}${phoneDigits(phone)}`
}

/** "55 4821 7390": area codes of two digits for the largest cities, of three elsewhere. */
export function formatPhone(phone: string): string {
  const long = /^(?:55|56|33|81)/.test(phone)
  return phone.replace(long ? /^(\d{2})(\d{4})(\d{4})$/ : /^(\d{3})(\d{3})(\d{4})$/, '$1 $2 $3')
}
