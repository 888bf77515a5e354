/** Queries of segments. */
import { asc, count, eq } from 'drizzle-orm'
import { type Reader, singleRow } from '#server/platform/db.ts'
import { segment } from './tables.ts'

export type SegmentRow = typeof segment.$inferSelect

export async function findSegment(on: Reader, segment_id: number): Promise<SegmentRow | null> {
  const [row] = await on.select().from(segment).where(eq(segment.segment_id, segment_id))
  return row ?? null
}

/** All segments, by name. */
export const listSegments = (on: Reader): Promise<SegmentRow[]> => on.select().from(segment).orderBy(asc(segment.name))

export const countSegments = async (on: Reader): Promise<number> => singleRow(await on.select({ n: count() }).from(segment)).n
