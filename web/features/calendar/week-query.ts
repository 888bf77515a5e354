/** The valid query keys of a week. Separate from the calendar, because the server reads it for every public page with one. */
import type { PageHandle } from '#contract/rendering.ts'
import { isLocalDate } from '#contract/time.ts'

/** Years that an address may name. Limited, because every valid address is a document in the server's cache. */
const isDay = (value: string): boolean => /^20\d\d/.test(value) && isLocalDate(value)
/** Whether a value is an id of a row. */
export const isId = (value: string): boolean => /^[1-9]\d{0,8}$/.test(value)

/** The query keys of a public page with a calendar: few, because each combination is a cached document. */
export const weekQuery = { semana: isDay, dia: isDay, estudio: isId, tipo: isId } satisfies PageHandle['query']
