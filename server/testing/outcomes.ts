/** What many calls at once came to. */
import { codeOf } from './studio.ts'

/** How often each word was said. */
export function tally(said: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const one of said) counts[one] = (counts[one] ?? 0) + 1
  return counts
}

/** "ok", the code of the refusal, or what `ok` makes of an answer. */
export const outcome = <T>(call: Promise<T>, ok: (answer: T) => string = () => 'ok'): Promise<string> => call.then(ok, () => codeOf(call))

/** How often each outcome came. */
export const outcomes = async <T>(calls: readonly Promise<T>[], ok?: (answer: T) => string) =>
  tally(await Promise.all(calls.map((call) => outcome(call, ok))))
