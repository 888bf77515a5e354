/** Filters of the list of customers, as requests and segments name them, converted for its queries. */
import type { SegmentFilter } from '#contract/customer-list.ts'
import { refuse } from '#contract/errors.ts'
import { addDays, type LocalDate, localDate, startOfDay } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { searchPatterns } from '#server/platform/search.ts'
import { findSegment } from './segment-store.ts'
import type { SummaryFilter } from './summary-store.ts'

export type FilterInput = SegmentFilter & { segment_id?: number | undefined }

const inCentavos = (amount: number | undefined) => (amount === undefined ? undefined : amount * 100)

/** The filter as queries take it. Days are days of the studio's zone; of two that limit the same the one that selects fewer holds. */
export function summaryFilter(ctx: Ctx, filter: SegmentFilter): SummaryFilter {
  const { query, state, last_class_before, expires_before, away_days, expires_in_days, ...exact } = filter
  const today = localDate(ctx.now, ctx.zone)
  const instants = (...days: (string | undefined)[]) =>
    days.flatMap((day) => (day === undefined ? [] : [startOfDay(day as LocalDate, ctx.zone).getTime()]))
  const earliest = (...days: (string | undefined)[]) => {
    const found = instants(...days)
    return found.length ? new Date(Math.min(...found)) : undefined
  }
  return {
    patterns: searchPatterns(query ?? ''),
    state: state ?? [],
    last_class_before: earliest(last_class_before, away_days === undefined ? undefined : addDays(today, -away_days)),
    expires_before: earliest(expires_before, expires_in_days === undefined ? undefined : addDays(today, expires_in_days + 1)),
    tag_id: exact.tag_id,
    // `active` filters by location itself, so the filter for the usual location is dropped.
    location_id: exact.active === undefined ? exact.location_id : undefined,
    class_package_id: exact.class_package_id,
    birthday_month: exact.birthday_month,
    owes: exact.owes,
    penalised: exact.penalised,
    has_account: exact.has_account,
    consent: exact.consent,
    subscription: exact.subscription,
    documents_missing: exact.documents_missing,
    created_from: earliest(exact.created_from),
    created_before: earliest(exact.created_to && addDays(exact.created_to as LocalDate, 1)),
    has_next_class: exact.has_next_class,
    visits_30: { min: exact.visits_30_min, max: exact.visits_30_max },
    spent_centavos: { min: inCentavos(exact.spent_min), max: inCentavos(exact.spent_max) },
    active:
      exact.active === undefined
        ? undefined
        : { wanted: exact.active, locations: exact.location_id === undefined ? ctx.locationIds : [exact.location_id] },
    segment: null,
  }
}

/** The same with the segment that it names. INVALID_INPUT for one that does not exist. */
export async function loadFilter(ctx: Ctx, { segment_id, ...filter }: FilterInput): Promise<SummaryFilter> {
  if (segment_id === undefined) return summaryFilter(ctx, filter)
  const found = await findSegment(ctx.db, segment_id)
  if (!found) throw refuse('INVALID_INPUT', { issues: [{ path: 'segment_id', message: 'Ese segmento ya no existe.' }] })
  return { ...summaryFilter(ctx, filter), segment: summaryFilter(ctx, found.filter) }
}
