/** Videos as staff manage them (docs/domain.md, O5, O10 and O11), also while videos are switched off for customers. */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import { SAMPLE_MEGABYTES, SAMPLE_TOO_LARGE } from '#contract/files.ts'
import { pageCount } from '#contract/paging.ts'
import { embedOf } from '#contract/video-players.ts'
import { RATINGS_PER_PAGE, STUDIO_VIDEOS_PER_PAGE, type StudioVideo, type StudioVideoFilter, type videos } from '#contract/videos.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import { serializeFile } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { searchPatterns } from '#server/platform/search.ts'
import { serializeStudioVideo } from './rules.ts'
import {
  findStudioVideos,
  insertVideo,
  listRatings,
  listStudioVideos,
  listUnknown,
  lockVideo,
  replaceTags,
  type StoredVideo,
  type StudioVideoRow,
  sizeOfFile,
  updateVideo,
  type VideoReferences,
  type VideoValues,
} from './studio-store.ts'
import { openVideo } from './videos.ts'

type Admin = (typeof videos)['admin']['videos']
type Input<K extends 'create' | 'update'> = z.output<NonNullable<Admin[K]['~orpc']['inputSchema']>>

const MESSAGES: Record<keyof VideoReferences, string> = {
  instructor_id: 'Ese coach no existe.',
  video_type_id: 'Ese tipo de video no existe.',
  program_id: 'Ese programa no existe.',
  class_type_id: 'Ese tipo de clase no existe.',
  class_category_id: 'Esa categoría no existe.',
  file_id: 'Ese archivo no es un video.',
  sample_file_id: 'Ese archivo no es un video.',
  tag_ids: 'Alguna de esas etiquetas no existe, o no es de videos.',
}

async function shown(ctx: Ctx, row: StudioVideoRow, alone: boolean): Promise<StudioVideo> {
  const [opened, sample] = await Promise.all([openVideo(ctx, row, { alone }), row.sample && serializeFile(ctx, row.sample)])
  return serializeStudioVideo(row, ctx.zone, { ...opened, sample }, ctx.now)
}

/** Videos in any state, 50 per page (O14). */
export async function studioVideos(ctx: Ctx, { page, query = '', ...filter }: StudioVideoFilter) {
  const stretch = { limit: STUDIO_VIDEOS_PER_PAGE, offset: (page - 1) * STUDIO_VIDEOS_PER_PAGE }
  const { rows, total } = await findStudioVideos(ctx.db, { ...filter, patterns: searchPatterns(query), now: ctx.now }, stretch)
  return { videos: await Promise.all(rows.map((row) => shown(ctx, row, false))), total, pages: pageCount(total, STUDIO_VIDEOS_PER_PAGE) }
}

/** One video with its figures. VIDEO_NOT_FOUND. */
export const studioVideo = (ctx: Ctx, { video_id }: { video_id: number }) => readVideo(ctx, ctx.db, video_id)

/** Ratings of a video, latest first. VIDEO_NOT_FOUND. */
export async function videoRatings(ctx: Ctx, { video_id, page }: { video_id: number; page: number }) {
  const stretch = { limit: RATINGS_PER_PAGE, offset: (page - 1) * RATINGS_PER_PAGE }
  const [{ rows, total }, [there]] = await Promise.all([listRatings(ctx.db, video_id, stretch), listStudioVideos(ctx.db, [video_id])])
  if (!there) throw refuse('VIDEO_NOT_FOUND')
  const ratings = rows.map(({ updatedAt, ...row }) => ({ ...row, updatedAt: updatedAt.toISOString() }))
  return { ratings, total, pages: pageCount(total, RATINGS_PER_PAGE) }
}

async function readVideo(ctx: Ctx, on: Reader, video_id: number): Promise<{ video: StudioVideo }> {
  const [row] = await listStudioVideos(on, [video_id])
  if (!row) throw refuse('VIDEO_NOT_FOUND')
  return { video: await shown(ctx, row, true) }
}

/** Creates a video, or changes the one with the given id (K7). VIDEO_ADDRESS, VIDEO_NOT_FOUND, INVALID_INPUT. */
export async function saveVideo(ctx: Ctx, input: Input<'create'>): Promise<{ video: StudioVideo }> {
  return input.video_id === null ? makeVideo(ctx, input) : changeVideo(ctx, input)
}

async function makeVideo(ctx: Ctx, input: Input<'create'>): Promise<{ video: StudioVideo }> {
  const { video_id: _, name, duration, tag_ids, ...rest } = input
  const { video_id } = await ctx.once('videos.create', input, async (tx) => {
    await assertReferences(tx, { ...rest, tag_ids })
    const values = valuesOf(rest)
    assertSource({ url: values.url ?? null, file_id: values.file_id ?? null })
    assertCaptions(values.captions, values.file_id ?? null)
    await assertSample(tx, { file_id: values.file_id ?? null, sample_file_id: values.sample_file_id ?? null })
    const times = { published_at: values.published_at ?? ctx.now, createdAt: ctx.now, updatedAt: ctx.now }
    const video = await insertVideo(tx, { ...values, name, duration, ...times })
    await replaceTags(tx, video.video_id, tag_ids ?? [])
    await trace(ctx, tx, 'video.create', video.video_id, null, { ...video, tag_ids: tag_ids ?? [] })
    return { video_id: video.video_id }
  })
  return readVideo(ctx, ctx.db, video_id)
}

/**
 * Changes the given fields (K7, O15). VIDEO_NOT_FOUND, VIDEO_ADDRESS, INVALID_INPUT without an id or with unknown references,
 * CHANGED_MEANWHILE when it is no longer the version of `if_updatedAt`.
 */
export async function changeVideo(
  ctx: Ctx,
  { video_id, tag_ids, if_updatedAt, ...rest }: Input<'update'>,
): Promise<{ video: StudioVideo }> {
  if (video_id === null) throw refuse('INVALID_INPUT', { issues: [{ path: 'video_id', message: 'Falta decir cuál.' }] })
  await ctx.tx(async (tx) => {
    const before = await lockVideo(tx, video_id)
    if (!before) throw refuse('VIDEO_NOT_FOUND')
    await assertUnchanged(tx, ctx, { entity: 'video', id: video_id, updatedAt: before.updatedAt }, if_updatedAt)
    await assertReferences(tx, { ...rest, tag_ids })
    const values = valuesOf(rest)
    const file_id = values.file_id === undefined ? before.file_id : values.file_id
    assertSource({ url: values.url === undefined ? before.url : values.url, file_id })
    assertCaptions(values.captions, file_id)
    const sample_file_id = values.sample_file_id === undefined ? before.sample_file_id : values.sample_file_id
    await assertSample(tx, { file_id, sample_file_id })
    // The times of captions are those of their film.
    if (file_id !== before.file_id && values.captions === undefined) values.captions = null
    const after = await updateVideo(tx, video_id, { ...values, updatedAt: ctx.now })
    if (tag_ids) await replaceTags(tx, video_id, tag_ids)
    await trace(ctx, tx, 'video.change', video_id, before, tag_ids ? { ...after, tag_ids } : after)
  })
  return readVideo(ctx, ctx.db, video_id)
}

/** Removes a video; what customers did with it stays in the table. VIDEO_NOT_FOUND. */
export async function removeVideo(ctx: Ctx, { video_id }: { video_id: number }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const before = await lockVideo(tx, video_id)
    if (!before) throw refuse('VIDEO_NOT_FOUND')
    await updateVideo(tx, video_id, { deletedAt: ctx.now, updatedAt: ctx.now })
    await trace(ctx, tx, 'video.remove', video_id, before, null)
    return { ok: true as const }
  })
}

/** Writes the entry of the audit trail, without the captions and the generated search text, and the event for open screens. */
function trace(
  ctx: Ctx,
  tx: Tx,
  action: 'video.create' | 'video.change' | 'video.remove',
  entity_id: number,
  before: Traced | null,
  after: Traced | null,
): Promise<void> {
  tx.notify({ topic: 'catalogue' })
  // Of captions the audit entry has only their length: they are as long as the film.
  const without = (row: Traced | null) => row && { ...row, search: undefined, captions: row.captions ? row.captions.length : null }
  return ctx.audit(tx, { action, entity: 'video', entity_id, before: without(before), after: without(after) })
}

/** Throws INVALID_INPUT for unknown references. */
async function assertReferences(tx: Tx, references: VideoReferences): Promise<void> {
  const issues = (await listUnknown(tx, references)).map((path) => ({ path, message: MESSAGES[path] }))
  if (issues.length) throw refuse('INVALID_INPUT', { issues })
}

/** Refuses a video without a playable source (O5). */
function assertSource({ url, file_id }: { url: string | null; file_id: number | null }): void {
  if (url !== null && embedOf(url) === null) throw refuse('VIDEO_ADDRESS')
  if (url === null && file_id === null)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'url', message: 'Escribe la dirección del video o sube el archivo.' }] })
}

/** Refuses captions of a video that is elsewhere: its service has its own (O19). */
function assertCaptions(captions: string | null | undefined, file_id: number | null): void {
  if (captions && file_id === null)
    throw refuse('INVALID_INPUT', { issues: [{ path: 'captions', message: 'Solo un video subido aquí lleva subtítulos.' }] })
}

/** Refuses a sample that is the film itself or larger than a clip needs: anybody may watch all of it (O17). */
async function assertSample(tx: Tx, { file_id, sample_file_id }: { file_id: number | null; sample_file_id: number | null }): Promise<void> {
  if (sample_file_id === null) return
  const refuseSample = (message: string) => refuse('INVALID_INPUT', { issues: [{ path: 'sample_file_id', message }] })
  if (sample_file_id === file_id) throw refuseSample('La muestra es el video completo. Sube un clip corto aparte.')
  if ((await sizeOfFile(tx, sample_file_id)) > SAMPLE_MEGABYTES * 1_048_576) throw refuseSample(SAMPLE_TOO_LARGE)
}

/** A video in the audit trail. */
type Traced = Partial<StoredVideo> & { tag_ids?: readonly number[] }

type Written = Omit<Input<'update'>, 'video_id' | 'tag_ids' | 'if_updatedAt'>

/** The columns that a request changes; empty values are stored as null. */
function valuesOf({ published_at, url, thumbnail, ...rest }: Written): VideoValues {
  const values = {
    ...rest,
    ...(url === undefined ? {} : { url: url || null }),
    ...(thumbnail === undefined ? {} : { thumbnail: thumbnail || null }),
    ...(published_at === undefined ? {} : { published_at: new Date(published_at) }),
  }
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined))
}
