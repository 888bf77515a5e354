/**
 * Rows of the authorisation matrix: the input of each endpoint, and the roles whose result differs from its declared access. Every new
 * endpoint needs a row. `mine` owns the row's records; `other` is another customer, for whom they do not exist.
 */
import { moneyRows } from './access-rows/money.ts'
import { peopleRows } from './access-rows/people.ts'
import type { Row } from './access-rows/row.ts'
import { scheduleRows } from './access-rows/schedule.ts'
import { siteRows } from './access-rows/site.ts'

export type { Row } from './access-rows/row.ts'

export const rows: Record<string, Row> = { ...moneyRows, ...peopleRows, ...scheduleRows, ...siteRows }
