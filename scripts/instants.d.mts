/** The instants of the browser tests by name, as ISO 8601 with offset. */
export const INSTANTS: Record<string, string>
/** The name of the instant at which the browser tests run unless another is named. */
export const USUAL_INSTANT: string
/** Two different names of INSTANTS, decided by a commit's hexadecimal id. */
export function instantsOfCommit(commit: string): [phone: string, desktop: string]
