/** The language of these pages: a fact of the build (docs/decisions/026-english-is-a-second-build.md). */
import type { Language } from '#contract/language.ts'

export const pageLanguage: Language = 'es-MX'
