/** The language of a request: a visitor's choice, where the studio offers another one than Spanish. */

/** The languages of the interface. */
export const LANGUAGES = ['es-MX', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** The cookie with the choice of a browser; documents are rendered in its language. */
export const LANGUAGE_COOKIE = 'language'

/** The header with the language of a page, for the texts of the API. */
export const LANGUAGE_HEADER = 'x-language'

const CHOSEN = new RegExp(`(?:^|;\\s*)${LANGUAGE_COOKIE}=en(?:;|$)`)

/** Whether a browser chose English. */
export const choosesEnglish = (cookies: string | undefined): boolean => cookies !== undefined && CHOSEN.test(cookies)

/** Whether a studio offers English. */
export const offersEnglish = ({ languages }: { languages: string }): boolean => languages.includes('en')

/** The language in which a studio writes to a person who chose `chosen`. */
export const languageFor = (chosen: Language | null | undefined, settings: { languages: string }): Language =>
  chosen === 'en' && offersEnglish(settings) ? 'en' : 'es-MX'
