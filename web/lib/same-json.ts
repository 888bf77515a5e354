/** Whether two values have the same JSON: for drafts and settings, whose keys are always in one order. */
export const isSameJson = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)
