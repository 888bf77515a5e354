/** Path where files are served; also the prefix of their keys in a bucket, so that base URL + path works for both. */
export const FILES_PATH = '/archivos'

/** Where the studio's icons are served as PNG. */
export const ICONS_PATH = '/iconos'

/** Paths that this server always serves, whatever the base URL of files: private files, and the drawings. */
const OWN = [`${FILES_PATH}/privado/`, '/arte/']

/** The URL of a file: unchanged when absolute, otherwise under the base URL from `filesBase` of the settings (settled 45). */
export function fileAddress(src: string, base: string): string {
  if (/^(?:https?:|data:|blob:)/i.test(src)) return src
  const path = src.startsWith('/') ? src : `/${src}`
  return OWN.some((own) => path.startsWith(own)) ? path : `${base}${path}`
}
