/** Addresses that a visitor may follow or a page may show: a path of ours or http(s), mailto, tel. Never `javascript:` or `data:`. */
export const LINK_PATTERN = /^$|^\/(?![/\\\s])|^https?:\/\/|^mailto:|^tel:/i

/** What a form says beside an address that is none of these. */
export const LINK_MESSAGE = 'Escribe una dirección que empiece con / o con https://'

/** Where files are served; also the beginning of their names in a bucket, so that base + path is the address in both. */
export const FILES_PATH = '/archivos'

/** Where the studio's icons are served as PNG. */
export const ICONS_PATH = '/iconos'

/** Paths that only the studio itself answers, whatever the base of files: private files, and the drawings. */
const OWN = [`${FILES_PATH}/privado/`, '/arte/']

/** The address of a file: as it is when absolute, otherwise under the base that `filesBase` of the settings gives (decision 45). */
export function fileAddress(src: string, base: string): string {
  if (/^(?:https?:|data:|blob:)/i.test(src)) return src
  const path = src.startsWith('/') ? src : `/${src}`
  return OWN.some((own) => path.startsWith(own)) ? path : `${base}${path}`
}
