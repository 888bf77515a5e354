/** Videos for customers: lists, playback, favourites, ratings (docs/domain.md, "Videos"). */

import { refuse } from '#contract/errors.ts'
import { pageCount } from '#contract/paging.ts'
import { embedOf } from '#contract/video-players.ts'
import { type Program, VIDEOS_PER_PAGE, type Video, type VideoFilters } from '#contract/videos.ts'
import { PREVIEW_SECONDS } from '#server/adapters/files/preview.ts'
import { previewAddress, serializeFile } from '#server/modules/content/content.ts'
import { onlineCreditLots, startOnlineClock } from '#server/modules/credits/credits.ts'
import { type Ctx, noCustomer } from '#server/modules/ctx.ts'
import { enqueueMessages } from '#server/modules/messages/messages.ts'
import type { Reader } from '#server/platform/db.ts'
import { searchPatterns } from '#server/platform/search.ts'
import { ratingEmail } from './emails.ts'
import { captionsBefore } from './preview-captions.ts'
import { type Opened, type Preview, progressAt, serializeVideo, type Viewer, whyNotSeen, whyNotWatched, whyNoVideos } from './rules.ts'
import {
  dropCompleted,
  dropFavorite,
  type Found,
  findCaptions,
  findOfProgram,
  findOut,
  findUpcoming,
  findVideo,
  findVideoTag,
  hasPlayed,
  listFavoriteIds,
  listPrograms,
  listUnfinishedIds,
  listVideosById,
  listVideoTypes,
  lockVideoAgainstRemoval,
  upsertCompleted,
  upsertFavorite,
  upsertProgress,
  upsertRating,
  upsertStart,
  type VideoRow,
} from './store.ts'

interface List {
  videos: Video[]
  total: number
  pages: number
}

/** The viewer. VIDEOS_DISABLED, NO_CUSTOMER (O1). */
function viewerOf(ctx: Ctx): Viewer {
  const viewer = { customer_id: ctx.customerOrNull?.customer_id ?? null, staff: ctx.staff !== null }
  if (viewer.customer_id === null && !viewer.staff) throw noCustomer(ctx.actor)
  const no = whyNoVideos(viewer, ctx.settings)
  if (no) throw no
  return viewer
}

/** Whether the viewer has an active online membership (O2). */
async function isMember(ctx: Ctx, on: Reader, { customer_id }: Viewer): Promise<boolean> {
  return customer_id !== null && (await onlineCreditLots(ctx, on, customer_id)).length > 0
}

const stretch = (page: number, limit = VIDEOS_PER_PAGE) => ({ limit, offset: (page - 1) * limit })

/** Unfinished videos in their list. */
const UNFINISHED = 8

async function listed(
  ctx: Ctx,
  viewer: Viewer,
  { ids, total, featured }: Found,
  limit = VIDEOS_PER_PAGE,
): Promise<List & { featured: Video | null }> {
  const wanted = featured === null || ids.includes(featured) ? ids : [...ids, featured]
  const rows = await listVideosById(ctx.db, wanted, viewer.customer_id)
  const shown = rows.map((row) => serializeVideo(row, ctx.zone))
  return {
    videos: shown.filter(({ video_id }) => ids.includes(video_id)),
    total,
    pages: pageCount(total, limit),
    featured: shown.find(({ video_id }) => video_id === featured) ?? null,
  }
}

/** Published videos, newest first, 32 per page or fewer, without playback data (O3, O8 to O10). */
export async function videos(ctx: Ctx, input: VideoFilters): Promise<List & { featured: Video | null; can_watch: boolean }> {
  const viewer = viewerOf(ctx)
  const { page, limit, query = '', ...narrowed } = input
  const facts = { ...narrowed, patterns: searchPatterns(query), customer_id: viewer.customer_id, now: ctx.now }
  const [found, member] = await Promise.all([findOut(ctx.db, facts, stretch(page, limit)), isMember(ctx, ctx.db, viewer)])
  return { ...(await listed(ctx, viewer, found, limit)), can_watch: member || viewer.staff }
}

/** Videos to be published, soonest first, without playback data. */
export async function upcomingVideos(ctx: Ctx, input: { page: number }): Promise<List> {
  const viewer = viewerOf(ctx)
  return listed(ctx, viewer, await findUpcoming(ctx.db, ctx.now, stretch(input.page)))
}

/** Videos that the viewer began and did not finish, the last one watched first, without playback data (O18). */
export async function unfinishedVideos(ctx: Ctx): Promise<{ videos: Video[] }> {
  const { customer_id } = viewerOf(ctx)
  if (customer_id === null) return { videos: [] }
  const rows = await listVideosById(ctx.db, await listUnfinishedIds(ctx.db, customer_id, ctx.now, UNFINISHED), customer_id)
  return { videos: rows.map((row) => serializeVideo(row, ctx.zone)) }
}

/** Videos with a tag. NOT_FOUND for an unknown tag. */
export async function videosOfTag(ctx: Ctx, input: { tag: string; page: number }): Promise<List> {
  const viewer = viewerOf(ctx)
  const tag_id = await findVideoTag(ctx.db, input.tag)
  if (tag_id === null) throw refuse('NOT_FOUND')
  const facts = { tag_id, patterns: [], customer_id: viewer.customer_id, now: ctx.now }
  return listed(ctx, viewer, await findOut(ctx.db, facts, stretch(input.page)))
}

/** Videos of a program in its order. NOT_FOUND. */
export async function videosOfProgram(ctx: Ctx, input: { program: number; page: number }): Promise<List> {
  const viewer = viewerOf(ctx)
  const [found, [known]] = await Promise.all([
    findOfProgram(ctx.db, input.program, ctx.now, stretch(input.page)),
    listPrograms(ctx.db, { customer_id: viewer.customer_id, now: ctx.now, program_id: input.program }),
  ])
  if (!known) throw refuse('NOT_FOUND')
  return listed(ctx, viewer, found)
}

/**
 * How a video is played. The link of an uploaded file is valid for the length of the video plus an hour (O5); `alone`: with its captions.
 */
export async function openVideo(ctx: Ctx, row: VideoRow, { alone }: { alone: boolean }): Promise<Opened> {
  if (row.file) {
    const [{ file_id, name, type, src }, captions] = await Promise.all([
      serializeFile(ctx, row.file, row.duration + 60),
      alone ? findCaptions(ctx.db, row.video_id) : null,
    ])
    return { url: row.url, file: { file_id, name, type, src }, embed: { kind: 'file', src, host: null }, captions }
  }
  return { url: row.url, file: null, embed: row.url === null ? null : embedOf(row.url), captions: null }
}

/** A video that exists for the viewer. VIDEO_NOT_FOUND. */
async function seen(ctx: Ctx, viewer: Viewer, video_id: number): Promise<VideoRow> {
  const row = await findVideo(ctx.db, video_id, viewer.customer_id)
  const no = whyNotSeen(row, viewer, ctx.now)
  if (no || !row) throw no
  return row
}

/** The preview of a video: its sample, or the first seconds of an uploaded film with their captions; null when it has neither (O17). */
async function previewOf(ctx: Ctx, { video_id, file, sample }: VideoRow): Promise<Preview | null> {
  if (sample) return { link: (await serializeFile(ctx, sample)).src, captions: null }
  const link = file && previewAddress(ctx, file)
  if (!link) return null
  const captions = await findCaptions(ctx.db, video_id)
  return { link, captions: captions && captionsBefore(captions, PREVIEW_SECONDS) }
}

/** One video with playback data. VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE (O2 to O4). */
export async function oneVideo(ctx: Ctx, input: { video_id: number }): Promise<{ video: Video }> {
  const viewer = viewerOf(ctx)
  const [row, member] = await Promise.all([seen(ctx, viewer, input.video_id), isMember(ctx, ctx.db, viewer)])
  const no = whyNotWatched(row, viewer, member, member || viewer.staff ? null : await previewOf(ctx, row))
  if (no) throw no
  return { video: serializeVideo(row, ctx.zone, await openVideo(ctx, row, { alone: true })) }
}

/** The viewer as a customer. VIDEOS_DISABLED. */
function watcherOf(ctx: Ctx): Viewer & { customer_id: number } {
  return { ...viewerOf(ctx), customer_id: ctx.customer.customer_id }
}

/** Starts playback: checks membership again and stores the start (O7). VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE. */
export async function playVideo(ctx: Ctx, input: { video_id: number }): Promise<{ video: Video }> {
  const viewer = watcherOf(ctx)
  const row = await seen(ctx, viewer, input.video_id)
  await ctx.tx(async (tx) => {
    const refusal = whyNotSeen(await lockVideoAgainstRemoval(tx, input.video_id), viewer, ctx.now)
    const no = refusal ?? whyNotWatched(row, viewer, await isMember(ctx, tx, viewer))
    if (no) throw no
    await startOnlineClock(tx, ctx, viewer.customer_id)
    await upsertStart(tx, viewer.customer_id, input.video_id, ctx.now)
  })
  return oneVideo(ctx, input)
}

/** Stores where the viewer stopped; at the end of the film it is completed instead (O18). VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE. */
export async function saveProgress(ctx: Ctx, input: { video_id: number; position: number; length: number }) {
  const viewer = watcherOf(ctx)
  const { video_id, position, length } = input
  const row = await seen(ctx, viewer, video_id)
  const { isOver, progress } = progressAt(position, length)
  await ctx.tx(async (tx) => {
    const refusal = whyNotSeen(await lockVideoAgainstRemoval(tx, video_id), viewer, ctx.now)
    const no = refusal ?? whyNotWatched(row, viewer, await isMember(ctx, tx, viewer))
    if (no) throw no
    await upsertProgress(tx, viewer.customer_id, video_id, progress, ctx.now)
    if (isOver) await upsertCompleted(tx, viewer.customer_id, video_id, ctx.now)
  })
  return { video_id, progress, completed: isOver || Boolean(row.playback?.completedAt) }
}

/** A video that the customer may mark: it exists, and they may watch it or once did. VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE (O12). */
async function known(ctx: Ctx, viewer: Viewer & { customer_id: number }, video_id: number): Promise<VideoRow> {
  const row = await seen(ctx, viewer, video_id)
  const open = (await isMember(ctx, ctx.db, viewer)) || (await hasPlayed(ctx.db, viewer.customer_id, video_id))
  const no = whyNotWatched(row, viewer, open)
  if (no) throw no
  return row
}

/** Marks a video as completed (S2-4.27, O12). VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE. */
export async function completeVideo(ctx: Ctx, { video_id }: { video_id: number }): Promise<{ video_id: number; completed: boolean }> {
  const viewer = watcherOf(ctx)
  await known(ctx, viewer, video_id)
  await ctx.tx((tx) => upsertCompleted(tx, viewer.customer_id, video_id, ctx.now))
  return { video_id, completed: true }
}

/** Removes the completed mark. VIDEO_NOT_FOUND. */
export async function uncompleteVideo(ctx: Ctx, { video_id }: { video_id: number }): Promise<{ video_id: number; completed: boolean }> {
  const viewer = watcherOf(ctx)
  await seen(ctx, viewer, video_id)
  await ctx.tx((tx) => dropCompleted(tx, viewer.customer_id, video_id))
  return { video_id, completed: false }
}

/** Rates a video, replacing an earlier rating (O12). VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE. */
export async function rateVideo(ctx: Ctx, input: { video_id: number; stars: number; comment?: string | undefined }) {
  const viewer = watcherOf(ctx)
  const { video_id, stars, comment = '' } = input
  await known(ctx, viewer, video_id)
  await ctx.tx((tx) => upsertRating(tx, { customer_id: viewer.customer_id, video_id, stars, comment }, ctx.now))
  return { rating: { video_id, stars, comment } }
}

/** Emails the link to rate a video, once a day per video (O13). VIDEO_NOT_FOUND, VIDEO_NEEDS_PURCHASE, TOO_MANY_REQUESTS. */
export async function mailRatingLink(ctx: Ctx, { video_id }: { video_id: number }): Promise<{ ok: true }> {
  const viewer = watcherOf(ctx)
  const row = await known(ctx, viewer, video_id)
  await ctx.throttle({ name: 'video-rating-mail', subject: String(viewer.customer_id), max: 20, seconds: 86_400 })
  await ctx.tx((tx) => enqueueMessages(tx, ctx, [ratingEmail(row, viewer.customer_id, ctx.now, ctx.zone)]))
  return { ok: true }
}

/** The customer's favourites that are published, last added first, without playback data. */
export async function favorites(ctx: Ctx): Promise<{ favorites: Video[] }> {
  const { customer_id } = watcherOf(ctx)
  const rows = await listVideosById(ctx.db, await listFavoriteIds(ctx.db, customer_id, ctx.now), customer_id)
  return { favorites: rows.map((row) => serializeVideo(row, ctx.zone)) }
}

/** Adds a video to the favourites; idempotent (S2-4.26). VIDEO_NOT_FOUND. */
export async function addFavorite(ctx: Ctx, { video_id }: { video_id: number }): Promise<{ video_id: number; favorite: 1 }> {
  const viewer = watcherOf(ctx)
  await ctx.tx(async (tx) => {
    const no = whyNotSeen(await lockVideoAgainstRemoval(tx, video_id), viewer, ctx.now)
    if (no) throw no
    await upsertFavorite(tx, viewer.customer_id, video_id, ctx.now)
  })
  return { video_id, favorite: 1 }
}

/** Removes a video from the favourites, also an unpublished one; idempotent. VIDEO_NOT_FOUND for an id that never existed. */
export async function removeFavorite(ctx: Ctx, { video_id }: { video_id: number }): Promise<{ video_id: number; favorite: 0 }> {
  const { customer_id } = watcherOf(ctx)
  await ctx.tx(async (tx) => {
    if (!(await lockVideoAgainstRemoval(tx, video_id))) throw refuse('VIDEO_NOT_FOUND')
    await dropFavorite(tx, customer_id, video_id)
  })
  return { video_id, favorite: 0 }
}

/** Video types, in the studio's order. */
export async function videoTypes(ctx: Ctx) {
  viewerOf(ctx)
  return { video_types: await listVideoTypes(ctx.db) }
}

/** Programs, in the studio's order, with the customer's progress. */
export async function programs(ctx: Ctx): Promise<{ programs: Program[] }> {
  const { customer_id } = viewerOf(ctx)
  return { programs: await listPrograms(ctx.db, { customer_id, now: ctx.now }) }
}

/** One program. NOT_FOUND. */
export async function oneProgram(ctx: Ctx, input: { program_id: number }): Promise<{ program: Program }> {
  const { customer_id } = viewerOf(ctx)
  const [found] = await listPrograms(ctx.db, { customer_id, now: ctx.now, program_id: input.program_id })
  if (!found) throw refuse('NOT_FOUND')
  return { program: found }
}
