/** Message for an invalid URL. */
export const LINK_MESSAGE = 'Escribe una dirección completa, que empiece con / o con https://'
export const WEB_ADDRESS_MESSAGE = 'Escribe una dirección completa, que empiece con https://'

/** Blanks, control and invisible characters, and characters that browsers interpret differently. */
const UNUSABLE = /[\s\p{Cc}\p{Cf}\p{Cs}\\<>"]/u
/** A host name as the URL parser normalizes it, or an IPv6 address. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])$/

/** Whether it is an absolute http(s) URL with a host, without user or password. */
export function isWebAddress(text: string): boolean {
  if (UNUSABLE.test(text) || !/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return HOST.test(hostname) && username === '' && password === ''
}

/** Whether a URL may be followed or shown: a path of this site or absolute http(s), mailto, tel. Never `javascript:` or `data:`. */
export function isLink(text: string): boolean {
  if (UNUSABLE.test(text)) return false
  return /^\/(?!\/)|^mailto:[^@]+@[^@]+\.[^@]+$|^tel:\+?\d[\d().;=a-z-]{2,}$/i.test(text) || isWebAddress(text)
}

/** A stored URL if it is valid, otherwise null: a value written past the API must not break a page. */
export const linkOrNull = (stored: string | null): string | null => (stored && isLink(stored) ? stored : null)

/** Whether it is valid as an icon beside a name: an emoji, or the URL of a picture. */
export const isIcon = (text: string): boolean => !/^\/|^[a-z]+:\/\//i.test(text) || isLink(text)
