/** Phone numbers (spec 1 section 5, settled 37): the input keeps digits, at most ten; the pattern is for values from elsewhere. */

/** Optional plus, 3 digits (parentheses optional), 3 digits, 4 to 6 digits, separators optional. */
export const PHONE_PATTERN = /^\+?\(?\d{3}\)?[-\s.]?\d{3}[-\s.]?\d{4,6}$/

/** Mexico's code, with the 1 that mobile numbers had until 2019, before ten digits: what telephones and contacts fill in. */
const COUNTRY = /^521?(?=\d{10}$)/

/** What a phone field keeps of what was typed, pasted or filled in: digits only, without the country, cut to 10 (S1-2.99). */
export function phoneDigits(typed: string): string {
  return typed.replace(/\D/g, '').replace(COUNTRY, '').slice(0, 10)
}

/** Address of a WhatsApp chat: 52 + ten digits in links, 52 1 in the floating widget (settled 36). */
export function whatsappLink(phone: string, place: 'link' | 'widget' = 'link'): string {
  return `https://wa.me/${place === 'widget' ? '521' : '52'}${phoneDigits(phone)}`
}
