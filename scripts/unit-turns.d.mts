export const FILES_BY_TURN: readonly (readonly string[])[]
export const FILES_BY_SECOND_TURN: readonly (readonly string[])[]
/** Test files, relative to the project, that do not run at a turn of CI (turns.mjs). */
export function filesNotAt(turn: number): string[]
