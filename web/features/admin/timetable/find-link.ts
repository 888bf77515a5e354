/** What "Todas las que…" begins with, as parameters of the URL. Pure. */
import { isLocalDate, type LocalDate } from '#contract/time.ts'

export interface FindLink {
  from: LocalDate
  to: LocalDate
  /** 1 = Monday; empty: every day. */
  weekdays: readonly number[]
  /** HH:MM at which they start; '' = any. */
  hour: string
}

const KEYS = { from: 'todas', to: 'hasta', weekdays: 'los', hour: 'alas' } as const

/** Removes the parameters. */
export const NO_FIND: Readonly<Record<string, null>> = Object.fromEntries(Object.values(KEYS).map((key) => [key, null]))

/** The parameters that contain it. */
export const findQuery = ({ from, to, weekdays, hour }: FindLink): Record<string, string | null> => ({
  [KEYS.from]: from,
  [KEYS.to]: to,
  [KEYS.weekdays]: weekdays.join('') || null,
  [KEYS.hour]: hour || null,
})

/** What the parameters contain; null without two readable days. */
export function readFindLink(query: URLSearchParams): FindLink | null {
  const [from, to] = [query.get(KEYS.from) ?? '', query.get(KEYS.to) ?? '']
  if (!isLocalDate(from) || !isLocalDate(to)) return null
  const days = query.get(KEYS.weekdays) ?? ''
  const hour = query.get(KEYS.hour) ?? ''
  return {
    from,
    to,
    weekdays: /^[1-7]{1,7}$/.test(days) ? [...new Set(days)].map(Number).sort() : [],
    hour: /^([01]\d|2[0-3]):[0-5]\d$/.test(hour) ? hour : '',
  }
}
