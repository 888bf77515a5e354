import type { Failure } from '#web/lib/errors.ts'

/** The sentences of a refusal, by the fields that they are about. */
export function fieldErrors(failure: Failure | null): Record<string, string> {
  const issues = (failure?.data.issues as { path: string; message: string }[] | undefined) ?? []
  return Object.fromEntries(issues.map(({ path, message }) => [path, message]))
}
