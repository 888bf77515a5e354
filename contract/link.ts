/** What a form says beside an address that cannot be followed. */
export const LINK_MESSAGE = 'Escribe una dirección completa, que empiece con / o con https://'
export const WEB_ADDRESS_MESSAGE = 'Escribe una dirección completa, que empiece con https://'

/** Blanks, control and invisible characters, and signs that browsers read in different ways. */
const UNUSABLE = /[\s\p{Cc}\p{Cf}\p{Cs}\\<>"]/u
/** A name as hosts have it once it is parsed, or an IPv6 address. */
const HOST = /^(?:[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?(?:\.[a-z0-9_](?:[a-z0-9_-]*[a-z0-9_])?)*\.?|\[[0-9a-f:.]+\])$/

/** A whole address of the web: http(s) with a host, without user or password. */
export function isWebAddress(text: string): boolean {
  if (UNUSABLE.test(text) || !/^https?:\/\/[^/?#]/i.test(text) || !URL.canParse(text)) return false
  const { hostname, username, password } = new URL(text)
  return HOST.test(hostname) && username === '' && password === ''
}

/** Addresses that a visitor may follow or a page may show: a path of ours or whole http(s), mailto, tel. Never `javascript:` or `data:`. */
export function isLink(text: string): boolean {
  if (UNUSABLE.test(text)) return false
  return /^\/(?!\/)|^mailto:[^@]+@[^@]+\.[^@]+$|^tel:\+?\d[\d().;=a-z-]{2,}$/i.test(text) || isWebAddress(text)
}

/** An address as it was stored, if it can be shown: what somebody wrote around the API must not break a page. */
export const linkOrNull = (stored: string | null): string | null => (stored && isLink(stored) ? stored : null)

/** A sign beside a name: an emoji, or the address of a picture. */
export const isIcon = (text: string): boolean => !/^\/|^[a-z]+:\/\//i.test(text) || isLink(text)

/** The handle of an Instagram account, however it was written. */
export const instagramHandle = (written: string): string =>
  written
    .trim()
    .replace(/^(?:https?:\/\/)?(?:www\.)?instagram\.com\//i, '')
    .replace(/^@|[/?].*$/g, '')

/** Whether a text names an account of Instagram: "@vaiven", "vaiven" or its address. */
export const isInstagram = (text: string): boolean => text === '' || /^[\w.]{1,30}$/.test(instagramHandle(text))

/** Where files are served; also the beginning of their names in a bucket, so that base + path is the address in both. */
export const FILES_PATH = '/archivos'

/** Where the studio's icons are served as PNG. */
export const ICONS_PATH = '/iconos'

/** Paths that only the studio itself answers, whatever the base of files: private files, and the drawings. */
const OWN = [`${FILES_PATH}/privado/`, '/arte/']

/** The address of a file: as it is when absolute, otherwise under the base that `filesBase` of the settings gives (settled 45). */
export function fileAddress(src: string, base: string): string {
  if (/^(?:https?:|data:|blob:)/i.test(src)) return src
  const path = src.startsWith('/') ? src : `/${src}`
  return OWN.some((own) => path.startsWith(own)) ? path : `${base}${path}`
}
