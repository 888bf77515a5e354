/** Queries of videos for staff. */
import { and, desc, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import type { StudioVideoFilter } from '#contract/videos.ts'
import { classCategory, classType, instructor, tag } from '#server/modules/catalogue/tables.ts'
import { file } from '#server/modules/content/tables.ts'
import { customer } from '#server/modules/people/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { listVideosById, matchesPattern, type VideoRow } from './store.ts'
import { favorite, playback, program, video, videoRating, videoTag, videoType } from './tables.ts'

export type StoredVideo = typeof video.$inferSelect
export type VideoValues = Partial<typeof video.$inferInsert>

/** A video with its figures. */
export interface StudioVideoRow extends VideoRow {
  updatedAt: Date
  views: number
  completed: number
  favorites: number
  ratings: number
  stars: number | null
}

// Table aliases: in a query of one table Drizzle writes columns without their table.
const VIEWS = sql<number>`(select count(*)::integer from ${playback} p where p.video_id = video.video_id and p."startedAt" is not null)`
const STARS = sql<number | null>`(select round(avg(r.stars), 1)::double precision from ${videoRating} r where r.video_id = video.video_id)`

const STUDIO_ORDER: Record<StudioVideoFilter['sort'], SQL[]> = {
  '-published': [desc(video.published_at), desc(video.video_id)],
  name: [sql`lower(${video.name})`, desc(video.video_id)],
  '-views': [sql`${VIEWS} desc`, desc(video.video_id)],
  '-rating': [sql`${STARS} desc nulls last`, desc(video.video_id)],
}

type StudioFacts = Omit<StudioVideoFilter, 'page' | 'query'> & { patterns: readonly string[]; now: Date }

/** A page of the videos that were not removed and match all filters (O14), and their total. */
export async function findStudioVideos(db: Reader, facts: StudioFacts, stretch: { limit: number; offset: number }) {
  const { state, now, patterns, sort } = facts
  const day = now.toISOString()
  const where = and(
    isNull(video.deletedAt),
    state && eq(video.available, state !== 'hidden'),
    state === 'published' ? sql`${video.published_at} <= ${day}` : undefined,
    state === 'scheduled' ? sql`${video.published_at} > ${day}` : undefined,
    ...(['video_type_id', 'program_id', 'instructor_id'] as const).map((key) =>
      facts[key] === undefined ? undefined : eq(video[key], facts[key]),
    ),
    ...patterns.map(matchesPattern),
  )
  const [rows, total] = await Promise.all([
    db
      .select({ video_id: video.video_id })
      .from(video)
      .where(where)
      .orderBy(...STUDIO_ORDER[sort])
      .limit(stretch.limit)
      .offset(stretch.offset),
    db.$count(video, where),
  ])
  return {
    rows: await listStudioVideos(
      db,
      rows.map(({ video_id }) => video_id),
    ),
    total,
  }
}

/** Videos with their figures, in the order of the ids; removed ones are left out. */
export async function listStudioVideos(db: Reader, video_ids: readonly number[]): Promise<StudioVideoRow[]> {
  if (video_ids.length === 0) return []
  const [counts, rows] = await Promise.all([
    db
      .select({
        video_id: video.video_id,
        updatedAt: video.updatedAt,
        views: VIEWS,
        stars: STARS,
        completed: sql<number>`(select count(*)::integer from ${playback} p where p.video_id = video.video_id and p."completedAt" is not null)`,
        favorites: sql<number>`(select count(*)::integer from ${favorite} f where f.video_id = video.video_id)`,
        ratings: sql<number>`(select count(*)::integer from ${videoRating} r where r.video_id = video.video_id)`,
      })
      .from(video)
      .where(and(isNull(video.deletedAt), inArray(video.video_id, [...video_ids]))),
    listVideosById(db, [...video_ids], null),
  ])
  const known = new Map(rows.map((row) => [row.video_id, row]))
  const counted = new Map(counts.map((row) => [row.video_id, row]))
  return video_ids.flatMap((video_id) => {
    const [row, count] = [known.get(video_id), counted.get(video_id)]
    return row && count ? [{ ...row, ...count }] : []
  })
}

/** The videos of a program in its order, in every state. */
export async function listProgramVideos(db: Reader, program_id: number) {
  return db
    .select({
      video_id: video.video_id,
      name: video.name,
      duration: video.duration,
      thumbnail: video.thumbnail,
      available: video.available,
      published_at: video.published_at,
    })
    .from(video)
    .where(and(eq(video.program_id, program_id), isNull(video.deletedAt)))
    .orderBy(video.program_order, video.video_id)
}

/** Reads and locks a program; null for an unknown one. */
export async function lockProgram(tx: Tx, program_id: number) {
  const [found] = await tx.select().from(program).where(eq(program.program_id, program_id)).for('update')
  return found ?? null
}

export async function hasProgram(db: Reader, program_id: number): Promise<boolean> {
  return (await db.$count(program, eq(program.program_id, program_id))) > 0
}

/** Stores the positions of the videos of a program. */
export async function reorderPrograms(tx: Tx, video_ids: readonly number[]): Promise<void> {
  for (const [at, video_id] of video_ids.entries()) await tx.update(video).set({ program_order: at }).where(eq(video.video_id, video_id))
}

/** Ratings of a video, latest first, and their count. */
export async function listRatings(db: Reader, video_id: number, stretch: { limit: number; offset: number }) {
  const [rows, total] = await Promise.all([
    db
      .select({
        customer_id: videoRating.customer_id,
        name: customer.name,
        last_name: customer.last_name,
        stars: videoRating.stars,
        comment: videoRating.comment,
        updatedAt: videoRating.updatedAt,
      })
      .from(videoRating)
      .innerJoin(customer, eq(customer.customer_id, videoRating.customer_id))
      .where(eq(videoRating.video_id, video_id))
      .orderBy(desc(videoRating.updatedAt), desc(videoRating.customer_id))
      .limit(stretch.limit)
      .offset(stretch.offset),
    db.$count(videoRating, eq(videoRating.video_id, video_id)),
  ])
  return { rows, total }
}

/** Reads and locks a video that staff change or remove; null for a removed one. */
export async function lockVideo(tx: Tx, video_id: number): Promise<StoredVideo | null> {
  const [found] = await tx
    .select()
    .from(video)
    .where(and(eq(video.video_id, video_id), isNull(video.deletedAt)))
    .for('update')
  return found ?? null
}

export async function insertVideo(tx: Tx, values: typeof video.$inferInsert): Promise<StoredVideo> {
  const [inserted] = await tx.insert(video).values(values).returning()
  if (!inserted) throw new Error('A video was not stored.')
  return inserted
}

export async function updateVideo(tx: Tx, video_id: number, values: VideoValues): Promise<StoredVideo> {
  const [saved] = await tx.update(video).set(values).where(eq(video.video_id, video_id)).returning()
  if (!saved) throw new Error('A video was not stored.')
  return saved
}

/** Replaces the tags of a video. */
export async function replaceTags(tx: Tx, video_id: number, tag_ids: readonly number[]): Promise<void> {
  await tx.delete(videoTag).where(eq(videoTag.video_id, video_id))
  const rows = [...new Set(tag_ids)].map((tag_id) => ({ video_id, tag_id }))
  if (rows.length) await tx.insert(videoTag).values(rows)
}

/** References of a video, by field. */
export interface VideoReferences {
  instructor_id?: number | null | undefined
  video_type_id?: number | null | undefined
  program_id?: number | null | undefined
  class_type_id?: number | null | undefined
  class_category_id?: number | null | undefined
  file_id?: number | null | undefined
  sample_file_id?: number | null | undefined
  tag_ids?: readonly number[] | undefined
}

/** Locks a completely uploaded video file; empty for any other. */
const lockVideoFile = (tx: Tx, file_id: number) =>
  tx
    .select({ id: file.file_id, size: file.size })
    .from(file)
    .where(and(eq(file.file_id, file_id), eq(file.kind, 'video'), eq(file.status, 'ready'), isNull(file.deletedAt)))
    .for('share')

/** The size in bytes of a video file that the transaction locked. */
export async function sizeOfFile(tx: Tx, file_id: number): Promise<number> {
  const [found] = await lockVideoFile(tx, file_id)
  return found?.size ?? 0
}

/** The fields with unknown references; locks the referenced rows until the transaction ends. */
export async function listUnknown(tx: Tx, references: VideoReferences): Promise<(keyof VideoReferences)[]> {
  const found: Record<keyof VideoReferences, (() => Promise<unknown[]>) | null> = {
    instructor_id: references.instructor_id
      ? () =>
          tx
            .select({ id: instructor.instructor_id })
            .from(instructor)
            .where(and(eq(instructor.instructor_id, references.instructor_id ?? 0), isNull(instructor.deletedAt)))
            .for('key share')
      : null,
    video_type_id: references.video_type_id
      ? () =>
          tx
            .select({ id: videoType.video_type_id })
            .from(videoType)
            .where(eq(videoType.video_type_id, references.video_type_id ?? 0))
            .for('key share')
      : null,
    program_id: references.program_id
      ? () =>
          tx
            .select({ id: program.program_id })
            .from(program)
            .where(eq(program.program_id, references.program_id ?? 0))
            .for('key share')
      : null,
    class_type_id: references.class_type_id
      ? () =>
          tx
            .select({ id: classType.class_type_id })
            .from(classType)
            .where(and(eq(classType.class_type_id, references.class_type_id ?? 0), isNull(classType.deletedAt)))
            .for('key share')
      : null,
    class_category_id: references.class_category_id
      ? () =>
          tx
            .select({ id: classCategory.class_category_id })
            .from(classCategory)
            .where(eq(classCategory.class_category_id, references.class_category_id ?? 0))
            .for('key share')
      : null,
    file_id: references.file_id ? () => lockVideoFile(tx, references.file_id ?? 0) : null,
    sample_file_id: references.sample_file_id ? () => lockVideoFile(tx, references.sample_file_id ?? 0) : null,
    tag_ids: null,
  }
  const missing: (keyof VideoReferences)[] = []
  for (const [key, query] of Object.entries(found) as [keyof VideoReferences, (() => Promise<unknown[]>) | null][])
    if (query && (await query()).length === 0) missing.push(key)
  const wanted = [...new Set(references.tag_ids ?? [])]
  if (wanted.length) {
    const there = await tx
      .select({ id: tag.tag_id })
      .from(tag)
      .where(and(inArray(tag.tag_id, wanted), eq(tag.type, 'video')))
      .for('key share')
    if (there.length < wanted.length) missing.push('tag_ids')
  }
  return missing
}
