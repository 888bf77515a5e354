/** What an address may say about a week of classes, apart from the calendar: the server reads it of pages that only may show one. */
import type { PageHandle } from '#contract/rendering.ts'
import { isLocalDate } from '#contract/time.ts'

/** Years that a link may name: the rest is no studio's calendar, and every address is a document to keep. */
const isDay = (value: string): boolean => /^20\d\d/.test(value) && isLocalDate(value)
export const isId = (value: string): boolean => /^[1-9]\d{0,8}$/.test(value)

/** The query keys of a public page with a calendar: few, because each combination is a document that is kept. */
export const weekQuery = { semana: isDay, dia: isDay, estudio: isId, tipo: isId } satisfies PageHandle['query']
