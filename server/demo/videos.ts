/** Videos of a demo studio: playable clips, stored like uploads of the owner, and what the regular customer did with some of them. */
import { fileURLToPath } from 'node:url'
import { and, eq, inArray, isNull, sql } from 'drizzle-orm'
import { Refusal } from '#contract/errors.ts'
import { addDays, fromWallClock, type LocalDate, localDate } from '#contract/time.ts'
import { tag } from '#server/modules/catalogue/tables.ts'
import { dropFile, filesById, storeFile } from '#server/modules/content/files.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { findPrincipals } from '#server/modules/people/people.ts'
import { customer, staff } from '#server/modules/people/tables.ts'
import { favorite, playback, program, video, videoRating, videoTag, videoType } from '#server/modules/videos/tables.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { audit } from '#server/platform/tables.ts'
import type { Brand, DemoVideo } from './brand.ts'
import { newIds } from './bulk.ts'
import { zoneOfBrand } from './week.ts'
import { type BrandIds, findRows } from './write.ts'

const DONE = 'demo.videos'
const CLIPS = new URL('./clips/', import.meta.url)
const HOUR = 3_600_000
const DAY = 24 * HOUR

const isMade = async (db: Reader): Promise<boolean> => (await db.$count(audit, and(eq(audit.entity, 'demo'), eq(audit.action, DONE)))) > 0

/** Creates a demo studio's videos once; `roomy` takes the demo's lock. Does nothing without an owner, or when there are videos already. */
export async function makeVideos(ctx: Ctx, brand: Brand, brandIds: BrandIds, roomy: (tx: Tx) => Promise<void>): Promise<void> {
  if (!brand.videos || (await isMade(ctx.db))) return
  const owner = await ownerOf(ctx, brand)
  if (!owner || (await ctx.db.$count(video)) > 0) return
  const types = [...new Set([...brand.videos.list, ...brand.videos.upcoming].map(({ type }) => type))]
  const clips: Record<string, number> = {}
  try {
    for (const type of types) {
      const path = fileURLToPath(new URL(`${type}.webm`, CLIPS))
      clips[type] = (await storeFile(owner, { path, filename: `${type}.webm` }, {})).file_id
    }
  } catch (error) {
    // Without file storage the studio starts without videos; the next start tries again.
    if (!(error instanceof Refusal)) throw error
    ctx.studio.log.warn({ error }, 'demo.videos_skipped')
    return
  }
  await ctx.tx(async (tx) => {
    await roomy(tx)
    // Another process was faster: deletes the files stored here.
    if (await isMade(tx)) for (const row of await filesById(tx, Object.values(clips))) await dropFile(ctx, tx, row)
    else await write(ctx, tx, brand, brandIds, clips)
  })
}

/** A context of the owner, who may upload files. */
export async function ownerOf(ctx: Ctx, brand: Brand): Promise<Ctx | null> {
  const { email } = brand.owner
  const [found] = await ctx.db
    .select({ uid: staff.uid })
    .from(staff)
    .where(and(eq(staff.email, email), eq(staff.role, 'owner')))
  const owns = found?.uid ? await findPrincipals(ctx.db, found.uid) : null
  return found?.uid && owns?.staff
    ? new Ctx(ctx.studio, { actor: { kind: 'identity', uid: found.uid, email, emailVerified: true, ...owns } })
    : null
}

async function write(ctx: Ctx, tx: Tx, brand: Brand, brandIds: BrandIds, clips: Record<string, number>): Promise<void> {
  const { videos } = brand
  if (!videos) return
  const kinds = await named(videos.kinds, async (names) =>
    (
      await tx
        .insert(videoType)
        .values(names.map((name, sort) => ({ name, sort })))
        .returning()
    ).map((row) => row.video_type_id),
  )
  const programs = await named(videos.programs, async (all) =>
    (
      await tx
        .insert(program)
        .values(all.map((row, sort) => ({ ...row, sort })))
        .returning()
    ).map((row) => row.program_id),
  )
  const tags = await named(videos.tags, async (all) => {
    const names = all.map(({ name }) => name)
    await tx
      .insert(tag)
      .values(all.map((row) => ({ ...row, type: 'video' })))
      .onConflictDoNothing()
    const rows = await tx
      .select()
      .from(tag)
      .where(and(eq(tag.type, 'video'), inArray(tag.name, names)))
    return names.map((name) => rows.find((row) => row.name === name)?.tag_id ?? 0)
  })

  const out = videos.list.map((demoVideo, i) => ({ video: demoVideo, at: new Date(ctx.now.getTime() - i * 4 * DAY - 2 * HOUR) }))
  const zone = zoneOfBrand(brand)
  const early = (day: LocalDate) => fromWallClock(new Date(`${day}T07:00:00.000Z`), zone)
  const coming = videos.upcoming.map((video) => ({ video, at: early(addDays(localDate(ctx.now, zone), video.inDays)) }))
  const all = [...out, ...coming]
  const ids = await newIds(tx, video, 'video_id', all.length)
  const row = ({ video, at }: { video: DemoVideo; at: Date }, i: number) => ({
    video_id: ids[i] ?? 0,
    name: video.name,
    description: video.description,
    duration: video.duration,
    featured: video.featured ?? false,
    file_id: findRows(clips, video.type),
    class_type_id: findRows(brandIds.types, video.type),
    instructor_id: findRows(brandIds.coaches, video.coach),
    video_type_id: findRows(kinds, video.kind),
    program_id: video.program ? findRows(programs, video.program) : null,
    // The oldest video is the first of its program.
    program_order: video.program
      ? videos.list.slice(videos.list.indexOf(video)).filter((other) => other.program === video.program).length
      : 0,
    published_at: at,
    createdAt: ctx.now,
    updatedAt: ctx.now,
  })
  await tx.insert(video).values(all.map(row))
  await tx
    .insert(videoTag)
    .values(all.flatMap(({ video }, i) => video.tags.map((key) => ({ video_id: ids[i] ?? 0, tag_id: findRows(tags, key) }))))
  await watched(ctx, tx, brand, ids)
  await ctx.audit(tx, { action: DONE, entity: 'demo', entity_id: brand.key, after: { videos: all.length } })
}

/** Inserts what the regular customer started, completed, favourited and rated. */
async function watched(ctx: Ctx, tx: Tx, brand: Brand, ids: readonly number[]): Promise<void> {
  const [regular] = await tx
    .select({ customer_id: customer.customer_id })
    .from(customer)
    .where(and(eq(sql`lower(${customer.email})`, brand.regular.email), isNull(customer.deletedAt)))
  const mine = brand.videos?.mine
  if (!regular || !mine) return
  const { customer_id } = regular
  const ago = (days: number) => new Date(ctx.now.getTime() - days * DAY)
  const at = (index: number) => ids[index] ?? 0
  await tx.insert(favorite).values(mine.favorites.map((index, i) => ({ customer_id, video_id: at(index), createdAt: ago(1 + i / 4) })))
  const seen = [...new Set([...mine.started, ...mine.completed])]
  await tx.insert(playback).values(
    seen.map((index, i) => {
      const startedAt = ago(1 + i / 2)
      const completedAt = mine.completed.includes(index) ? new Date(startedAt.getTime() + HOUR) : null
      // The clips last seven seconds.
      const stopped = completedAt ? {} : { position: 3 + (i % 3), length: 7 }
      return { customer_id, video_id: at(index), startedAt, lastAt: startedAt, completedAt, createdAt: startedAt, ...stopped }
    }),
  )
  const timestamps = { createdAt: ago(0.5), updatedAt: ago(0.5) }
  await tx
    .insert(videoRating)
    .values(mine.rated.map(({ at: index, stars, comment }) => ({ customer_id, video_id: at(index), stars, comment, ...timestamps })))
}

/** Inserts records and returns their ids by key. */
async function named<T>(all: Readonly<Record<string, T>>, insert: (values: T[]) => Promise<number[]>): Promise<Record<string, number>> {
  const ids = await insert(Object.values(all))
  return Object.fromEntries(Object.keys(all).map((key, i) => [key, ids[i] ?? 0]))
}
