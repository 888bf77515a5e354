/** Queries of videos for viewers. A list takes two queries: first the ids, then the details. */
import { and, eq, inArray, isNull, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { CatalogueTag } from '#contract/catalogue.ts'
import { linkOrNull } from '#contract/link.ts'
import type { Program, VideoFilters } from '#contract/videos.ts'
import { classType, instructor, tag } from '#server/modules/catalogue/tables.ts'
import { file } from '#server/modules/content/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { plainText } from '#server/platform/search.ts'
import { favorite, playback, program, video, videoRating, videoTag, videoType } from './tables.ts'

const sample = alias(file, 'sample')

/** Columns of a video, with what the given customer did with it. */
const whole = {
  video_id: video.video_id,
  name: video.name,
  description: video.description,
  duration: video.duration,
  url: video.url,
  thumbnail: video.thumbnail,
  featured: video.featured,
  available: video.available,
  class_category_id: video.class_category_id,
  program_order: video.program_order,
  published_at: video.published_at,
  deletedAt: video.deletedAt,
  file,
  sample,
  instructor: {
    instructor_id: instructor.instructor_id,
    name: instructor.name,
    last_name: instructor.last_name,
    nick_name: instructor.nick_name,
    birthdate: instructor.birthdate,
    photo: instructor.photo,
  },
  video_type: { video_type_id: videoType.video_type_id, name: videoType.name },
  program: { program_id: program.program_id, name: program.name },
  class_type: { class_type_id: classType.class_type_id, name: classType.name, icon: classType.icon, image: classType.image },
  tags: sql<CatalogueTag[]>`(
    select coalesce(json_agg(json_build_object('tag_id', t.tag_id, 'name', t.name, 'type', t.type, 'color', t.color) order by t.name), '[]')
    from ${videoTag} vt join ${tag} t on t.tag_id = vt.tag_id where vt.video_id = ${video.video_id})`,
  playback,
  favorite: favorite.video_id,
  rating: videoRating,
}

const query = (db: Reader, customer_id: number | null) => {
  const viewerId = customer_id ?? 0
  return db
    .select(whole)
    .from(video)
    .leftJoin(file, and(eq(file.file_id, video.file_id), isNull(file.deletedAt)))
    .leftJoin(sample, and(eq(sample.file_id, video.sample_file_id), isNull(sample.deletedAt)))
    .leftJoin(instructor, eq(instructor.instructor_id, video.instructor_id))
    .leftJoin(videoType, eq(videoType.video_type_id, video.video_type_id))
    .leftJoin(program, eq(program.program_id, video.program_id))
    .leftJoin(classType, eq(classType.class_type_id, video.class_type_id))
    .leftJoin(playback, and(eq(playback.video_id, video.video_id), eq(playback.customer_id, viewerId)))
    .leftJoin(favorite, and(eq(favorite.video_id, video.video_id), eq(favorite.customer_id, viewerId)))
    .leftJoin(videoRating, and(eq(videoRating.video_id, video.video_id), eq(videoRating.customer_id, viewerId)))
}

export type VideoRow = Awaited<ReturnType<typeof query>>[number]

/** Videos by their ids, in that order, with what this customer did with them. */
export async function listVideosById(db: Reader, ids: readonly number[], customer_id: number | null): Promise<VideoRow[]> {
  if (ids.length === 0) return []
  const rows = await query(db, customer_id).where(inArray(video.video_id, [...ids]))
  const known = new Map(rows.map((row) => [row.video_id, row]))
  return ids.flatMap((id) => known.get(id) ?? [])
}

/** A video, also one that was removed or is not published. */
export async function findVideo(db: Reader, video_id: number, customer_id: number | null): Promise<VideoRow | null> {
  const [found = null] = await listVideosById(db, [video_id], customer_id)
  return found
}

/** The captions of a video, which no list loads. */
export async function findCaptions(db: Reader, video_id: number): Promise<string | null> {
  const [found] = await db.select({ captions: video.captions }).from(video).where(eq(video.video_id, video_id))
  return found?.captions ?? null
}

const NEWEST = sql`${video.published_at} desc, ${video.video_id} desc`
const SOONEST = sql`${video.published_at}, ${video.video_id}`
const IN_PROGRAM = sql`${video.program_order}, ${video.video_id}`

const out = (now: Date) => sql`${video.available} and ${video.deletedAt} is null and ${video.published_at} <= ${now.toISOString()}`

/** A page of ids, their total, and the featured video. */
export interface Found {
  ids: number[]
  total: number
  featured: number | null
}

interface Stretch {
  limit: number
  offset: number
}

async function findIds(db: Reader, where: SQL, order: SQL, { limit, offset }: Stretch, front: SQL = sql`null::integer`): Promise<Found> {
  const { rows } = await db.execute<{ ids: number[]; total: number; featured: number | null }>(sql`
    select (select count(*)::integer from ${video} where ${where}) as total,
      array(select ${video.video_id} from ${video} where ${where} order by ${order} limit ${limit} offset ${offset}) as ids,
      (${front}) as featured`)
  const [found] = rows
  return { ids: found?.ids ?? [], total: found?.total ?? 0, featured: found?.featured ?? null }
}

/** SQL: a word occurs in a video, or in the names that it references (O9). The small tables are searched once each, not once per video. */
export const matchesPattern = (pattern: string) => sql`(${video.search} like ${pattern}
  or ${video.instructor_id} in (select i.instructor_id from ${instructor} i where ${plainText(sql`concat_ws(' ', i.nick_name, i.name, i.last_name)`)} like ${pattern})
  or ${video.video_type_id} in (select y.video_type_id from ${videoType} y where ${plainText(sql`y.name`)} like ${pattern})
  or ${video.program_id} in (select p.program_id from ${program} p where ${plainText(sql`p.name`)} like ${pattern})
  or ${video.class_type_id} in (select c.class_type_id from ${classType} c where ${plainText(sql`c.name`)} like ${pattern})
  or ${video.video_id} in (select vt.video_id from ${videoTag} vt join ${tag} t on t.tag_id = vt.tag_id where ${plainText(sql`t.name`)} like ${pattern}))`

const has = (yes: boolean, question: SQL): SQL => (yes ? sql`exists ${question}` : sql`not exists ${question}`)
const labelled = (tag_ids: readonly number[]) =>
  sql`exists (select 1 from ${videoTag} vt where vt.video_id = ${video.video_id} and vt.tag_id = any(${`{${tag_ids.join(',')}}`}::integer[]))`

type Narrowed = Omit<VideoFilters, 'page' | 'limit' | 'query'>

/** Published videos, newest first, that match all filters (O8), with the featured one (O10). */
export function findOut(
  db: Reader,
  input: Narrowed & { patterns: readonly string[]; customer_id: number | null; now: Date },
  stretch: Stretch,
): Promise<Found> {
  const { customer_id, now, patterns } = input
  const conditions: SQL[] = [out(now)]
  for (const key of ['class_category_id', 'class_type_id', 'instructor_id', 'video_type_id', 'program_id'] as const)
    if (input[key] !== undefined) conditions.push(eq(video[key], input[key]))
  if (input.tag_id !== undefined) conditions.push(labelled([input.tag_id]))
  if (input.tags !== undefined) conditions.push(labelled(input.tags))
  if (input.duration !== undefined) conditions.push(sql`${video.duration} <= ${input.duration}`)
  const mine = (table: typeof playback | typeof favorite) =>
    sql`from ${table} m where m.video_id = ${video.video_id} and m.customer_id = ${customer_id ?? 0}`
  if (input.completed !== undefined)
    conditions.push(has(input.completed, sql`(select 1 ${mine(playback)} and m."completedAt" is not null)`))
  if (input.favorites !== undefined) conditions.push(has(input.favorites, sql`(select 1 ${mine(favorite)})`))
  for (const pattern of patterns) conditions.push(matchesPattern(pattern))
  const front = sql`select ${video.video_id} from ${video} where ${out(now)} order by ${video.featured} desc, ${NEWEST} limit 1`
  return findIds(db, sql.join(conditions, sql` and `), NEWEST, stretch, front)
}

/** Videos to be published, soonest first. */
export function findUpcoming(db: Reader, now: Date, stretch: Stretch): Promise<Found> {
  const coming = sql`${video.available} and ${video.deletedAt} is null and ${video.published_at} > ${now.toISOString()}`
  return findIds(db, coming, SOONEST, stretch)
}

/** Published videos of a program, in its order. */
export function findOfProgram(db: Reader, program_id: number, now: Date, stretch: Stretch): Promise<Found> {
  return findIds(db, sql`${out(now)} and ${video.program_id} = ${program_id}`, IN_PROGRAM, stretch)
}

/** Published videos that a customer stopped in, the last one watched first. */
export async function listUnfinishedIds(db: Reader, customer_id: number, now: Date, limit: number): Promise<number[]> {
  const { rows } = await db.execute<{ video_id: number }>(sql`
    select ${video.video_id} as video_id from ${playback} join ${video} on ${video.video_id} = ${playback.video_id}
    where ${playback.customer_id} = ${customer_id} and ${playback.position} is not null and ${out(now)}
    order by ${playback.lastAt} desc, ${video.video_id} desc limit ${limit}`)
  return rows.map(({ video_id }) => video_id)
}

/** A customer's favourites that are published, last added first. */
export async function listFavoriteIds(db: Reader, customer_id: number, now: Date): Promise<number[]> {
  const { rows } = await db.execute<{ video_id: number }>(sql`
    select ${video.video_id} as video_id from ${favorite} join ${video} on ${video.video_id} = ${favorite.video_id}
    where ${favorite.customer_id} = ${customer_id} and ${out(now)} order by ${favorite.createdAt} desc, ${video.video_id} desc`)
  return rows.map(({ video_id }) => video_id)
}

/** A video tag by its id, or by its name, ignoring accents and case. */
export async function findVideoTag(db: Reader, nameOrId: string): Promise<number | null> {
  const named = sql`${plainText(sql`${tag.name}`)} = ${plainText(sql`${nameOrId}`)}`
  const [found] = await db
    .select({ tag_id: tag.tag_id })
    .from(tag)
    .where(and(eq(tag.type, 'video'), /^[1-9]\d{0,8}$/.test(nameOrId) ? eq(tag.tag_id, Number(nameOrId)) : named))
  return found?.tag_id ?? null
}

export async function listVideoTypes(db: Reader) {
  return db
    .select({ video_type_id: videoType.video_type_id, name: videoType.name })
    .from(videoType)
    .orderBy(videoType.sort, videoType.video_type_id)
}

/** Programs with their published videos and the customer's progress; `program_id`: only that one. */
export async function listPrograms(
  db: Reader,
  input: { customer_id: number | null; now: Date; program_id?: number | undefined },
): Promise<Program[]> {
  const { rows } = await db.execute<Program & Record<string, unknown>>(sql`
    select p.program_id, p.name, p.description, p.image, count(${video.video_id})::integer as videos,
      coalesce(sum(${video.duration}), 0)::integer as duration, count(m.video_id)::integer as completed
    from ${program} p
    left join ${video} on ${video.program_id} = p.program_id and ${out(input.now)}
    left join ${playback} m on m.video_id = ${video.video_id} and m.customer_id = ${input.customer_id ?? 0} and m."completedAt" is not null
    ${input.program_id === undefined ? sql`` : sql`where p.program_id = ${input.program_id}`}
    group by p.program_id order by p.sort, p.program_id`)
  return rows.map((row) => ({ ...row, image: linkOrNull(row.image) }))
}

/** Locks a video against being removed until the transaction ends. */
export async function lockVideoAgainstRemoval(tx: Tx, video_id: number) {
  const [found] = await tx
    .select({ available: video.available, deletedAt: video.deletedAt, published_at: video.published_at })
    .from(video)
    .where(eq(video.video_id, video_id))
    .for('key share')
  return found ?? null
}

/** Stores that a customer started watching; an earlier time stays. */
export async function upsertStart(tx: Tx, customer_id: number, video_id: number, now: Date): Promise<void> {
  await tx
    .insert(playback)
    .values({ customer_id, video_id, startedAt: now, lastAt: now, createdAt: now })
    .onConflictDoUpdate({
      target: [playback.customer_id, playback.video_id],
      set: {
        startedAt: sql`coalesce(${playback.startedAt}, excluded."startedAt")`,
        lastAt: sql`greatest(${playback.lastAt}, excluded."lastAt")`,
      },
    })
}

/** Stores where a customer stopped, and with null that nothing is left to continue. */
export async function upsertProgress(
  tx: Tx,
  customer_id: number,
  video_id: number,
  progress: { position: number; length: number } | null,
  now: Date,
): Promise<void> {
  const { position, length } = progress ?? { position: null, length: null }
  await tx
    .insert(playback)
    .values({ customer_id, video_id, startedAt: now, lastAt: now, createdAt: now, position, length })
    .onConflictDoUpdate({
      target: [playback.customer_id, playback.video_id],
      set: {
        startedAt: sql`coalesce(${playback.startedAt}, excluded."startedAt")`,
        lastAt: sql`greatest(${playback.lastAt}, excluded."lastAt")`,
        position,
        length,
      },
    })
}

/** Stores that a customer completed a video; an earlier time stays. */
export async function upsertCompleted(tx: Tx, customer_id: number, video_id: number, now: Date): Promise<void> {
  await tx
    .insert(playback)
    .values({ customer_id, video_id, completedAt: now, createdAt: now })
    .onConflictDoUpdate({
      target: [playback.customer_id, playback.video_id],
      set: { completedAt: sql`coalesce(${playback.completedAt}, excluded."completedAt")` },
    })
}

/** Removes the mark; deletes the row when the customer never started watching. */
export async function dropCompleted(tx: Tx, customer_id: number, video_id: number): Promise<void> {
  const mine = and(eq(playback.customer_id, customer_id), eq(playback.video_id, video_id))
  await tx.delete(playback).where(and(mine, isNull(playback.startedAt)))
  await tx.update(playback).set({ completedAt: null }).where(mine)
}

export async function hasPlayed(db: Reader, customer_id: number, video_id: number): Promise<boolean> {
  return (await db.$count(playback, and(eq(playback.customer_id, customer_id), eq(playback.video_id, video_id)))) > 0
}

export async function upsertFavorite(tx: Tx, customer_id: number, video_id: number, now: Date): Promise<void> {
  await tx.insert(favorite).values({ customer_id, video_id, createdAt: now }).onConflictDoNothing()
}

export async function dropFavorite(tx: Tx, customer_id: number, video_id: number): Promise<void> {
  await tx.delete(favorite).where(and(eq(favorite.customer_id, customer_id), eq(favorite.video_id, video_id)))
}

/** Stores a customer's rating of a video, replacing the previous one. */
export async function upsertRating(
  tx: Tx,
  values: { customer_id: number; video_id: number; stars: number; comment: string },
  now: Date,
): Promise<void> {
  const { stars, comment } = values
  await tx
    .insert(videoRating)
    .values({ ...values, createdAt: now, updatedAt: now })
    .onConflictDoUpdate({ target: [videoRating.customer_id, videoRating.video_id], set: { stars, comment, updatedAt: now } })
}
