/** The English text of a Spanish one. */
import { errorsInEnglish } from '#contract/english/errors.ts'
import { contractInEnglish } from '#contract/english/texts.ts'
import { type ErrorCode, errors } from '#contract/errors.ts'
import { access } from './access.ts'
import { account } from './account.ts'
import { booking } from './booking.ts'
import { byFile } from './by-file.ts'
import { calendar } from './calendar.ts'
import { checkout } from './checkout.ts'
import { frame } from './frame.ts'
import { signedIn } from './signed-in.ts'
import { site } from './site.ts'
import type { Texts } from './texts.ts'
import { videos } from './videos.ts'

const sentences: Texts = Object.fromEntries(
  Object.entries(errors).map(([code, { message }]) => [message, errorsInEnglish[code as ErrorCode]]),
)

/** The catalogues; a text that several files have is in one of them. */
export const catalogues: Readonly<Record<string, Texts>> = {
  access,
  account,
  booking,
  calendar,
  checkout,
  frame,
  signedIn,
  site,
  videos,
}

const everywhere: ReadonlyMap<string, string> = new Map(
  [sentences, contractInEnglish, ...Object.values(catalogues)].flatMap((texts) => Object.entries(texts)),
)

/** The words that only one file translates. `file`: path from the project's folder. */
export const ownTexts = (file: string): Texts => byFile[file] ?? {}

/** The English of a text in a file; undefined when it has none. */
export const english = (file: string, text: string): string | undefined =>
  Object.hasOwn(ownTexts(file), text) ? ownTexts(file)[text] : everywhere.get(text)
