/** Captions of an uploaded film: text in the WebVTT format (docs/domain.md, O19); without schemas, because the form of a video loads it. */

/** Maximum characters: those of about two hours of speech. */
export const CAPTIONS_MAX = 120_000

export const CAPTIONS_WRONG = 'Ese archivo no tiene subtítulos en formato WebVTT (.vtt).'

export const CAPTIONS_TOO_LONG = `Esos subtítulos pasan de ${CAPTIONS_MAX.toLocaleString('en-US')} caracteres: quítales lo que sobre.`
export const CAPTIONS_NOT_UTF8 = 'Ese archivo no está en UTF-8: guárdalo de nuevo con esa codificación.'

const TIMING = /^(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}[ \t]+-->[ \t]+(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}/m

/** Whether a text begins as WebVTT and has at least one caption with its times. */
export const isWebVtt = (text: string): boolean => /^\uFEFF?WEBVTT(?:[ \t\r\n])/.test(text) && TIMING.test(text)

/**
 * Why the text of a captions file cannot be stored, as a sentence for the screen; null if it can. A character that is not UTF-8 is read as
 * U+FFFD.
 */
export function captionsProblem(text: string): string | null {
  if (text.includes('\uFFFD')) return CAPTIONS_NOT_UTF8
  if (!isWebVtt(text)) return CAPTIONS_WRONG
  return text.length > CAPTIONS_MAX ? CAPTIONS_TOO_LONG : null
}
