/** Segments of customers (docs/domain.md X15). */
import { asc, type SQL } from 'drizzle-orm'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import { MAX_SEGMENTS, type Segment, type segments as wire } from '#contract/segments.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { summaryFilter } from './filter.ts'
import { countSegments, findSegment, listSegments, type SegmentRow } from './segment-store.ts'
import { deriveSummaries, refreshBeforeReading } from './summaries.ts'
import { countMatches, isMatch, listSummaryIds, matchingIds } from './summary-store.ts'
import { segment } from './tables.ts'

const onWire = ({ segment_id, name, filter, updatedAt }: SegmentRow, count: number): Segment => ({
  segment_id,
  name,
  filter,
  count,
  updatedAt: updatedAt.toISOString(),
})

export const segmentList = plainListVerbs({
  table: segment,
  id: 'segment_id',
  topic: null,
  order: [asc(segment.name)],
  shown: async (row, ctx) => {
    const [count = 0] = await countMatches(ctx.db, [summaryFilter(ctx, row.filter)], ctx.now)
    return onWire(row, count)
  },
  values: ({ name, filter }: Sent<typeof wire>, _, ctx) => ({ name, filter, updatedAt: ctx.now }),
  async after(tx) {
    if ((await countSegments(tx)) > MAX_SEGMENTS)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'name', message: `Caben ${MAX_SEGMENTS} segmentos: elimina alguno primero.` }] })
  },
})

/** GET /segments/admin/all: every segment with its current count, all counted by one scan. */
export async function allSegments(ctx: Ctx): Promise<{ segments: Segment[] }> {
  await refreshBeforeReading(ctx)
  const rows = await listSegments(ctx.db)
  const filters = rows.map((row) => summaryFilter(ctx, row.filter))
  const counts = await countMatches(ctx.db, filters, ctx.now)
  return { segments: rows.map((row, at) => onWire(row, counts[at] ?? 0)) }
}

/**
 * The current customers of a segment: at most `limit` ids by name, how many there are, and the segment's name. For modules that address a
 * segment, such as messages. Not inside a transaction: figures that are out of date are derived first. NOT_FOUND.
 */
export async function customersOfSegment(
  ctx: Ctx,
  segment_id: number,
  limit: number,
): Promise<{ name: string; ids: number[]; total: number }> {
  const found = await findSegment(ctx.db, segment_id)
  if (!found) throw refuse('NOT_FOUND')
  await refreshBeforeReading(ctx)
  const matching = await listSummaryIds(ctx.db, summaryFilter(ctx, found.filter), { sort: 'name', now: ctx.now, limit })
  return { name: found.name, ...matching }
}

/**
 * The customers of a segment, at this moment, as a query of their ids, and the segment's name; for queries that take only these customers.
 * Not inside a transaction. Null for a segment that does not exist any more.
 */
export async function membersOfSegment(ctx: Ctx, segment_id: number): Promise<{ name: string; members: SQL } | null> {
  const found = await findSegment(ctx.db, segment_id)
  if (!found) return null
  await refreshBeforeReading(ctx)
  return { name: found.name, members: matchingIds(summaryFilter(ctx, found.filter), ctx.now) }
}

/**
 * Whether a customer belongs to a segment now, by the filters of the list; false for a segment that does not exist any more. The customer's
 * figures are derived for the answer, as `on` reads them: inside a transaction with what that has written, and nothing is stored.
 */
export async function isInSegment(
  ctx: Ctx,
  { segment_id, customer_id }: { segment_id: number; customer_id: number },
  on: Reader,
): Promise<boolean> {
  const found = await findSegment(on, segment_id)
  if (!found) return false
  const [summary] = await deriveSummaries(on, ctx, [customer_id])
  return summary !== undefined && isMatch(on, summaryFilter(ctx, found.filter), summary, ctx.now)
}
