type Size = 'phone' | 'desktop'
export const AT_BOTH_SIZES: readonly string[]
export const IN_EVERY_RUN: readonly string[]
/** `turn`: of CI (turns.mjs), or null. */
export function specsNotAt(size: Size, turn: number | null, files: readonly string[]): string[]
export function runsTagged(size: Size, turn: number | null): boolean
