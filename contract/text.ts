/** A text without accents and in lower case, for comparing names: "Íñigo" is "inigo". */
export const foldText = (text: string): string => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()

/**
 * Characters that change the direction of text or are invisible, and blank letters: with them two names could be displayed alike, or a name
 * as empty. Joiners stay, which emoji and some scripts need.
 */
const INVISIBLE =
  /\u034f|\u17b4|\u17b5|\u180b|\u180c|\u180d|[\u00ad\u061c\u115f\u1160\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0]/gu
/** Joiners, marks and blanks, which are nothing without a letter. */
const NOTHING = /^(?:\u200c|\u200d|\ufe0e|\ufe0f|\s)*$/u

/** A text as it is displayed: without characters that change its direction or are invisible. Empty where nothing is left. */
export function visibleText(text: string): string {
  const seen = text.replace(INVISIBLE, '')
  return NOTHING.test(seen) ? '' : seen
}

/** A text with its first letter in upper case, as a sentence or a label begins. */
export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)
