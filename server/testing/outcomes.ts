/** Counts the results of concurrent calls. */
import { codeOf } from './studio.ts'

/** Counts equal texts. */
export function countOutcomes(outcomes: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const outcome of outcomes) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

/** "ok", the error code of a refusal, or what `ok` returns for the result. */
export const outcome = <T>(call: Promise<T>, ok: (answer: T) => string = () => 'ok'): Promise<string> => call.then(ok, () => codeOf(call))

/** Counts the outcomes of calls. */
export const outcomes = async <T>(calls: readonly Promise<T>[], ok?: (answer: T) => string) =>
  countOutcomes(await Promise.all(calls.map((call) => outcome(call, ok))))
