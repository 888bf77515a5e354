/** Rules of videos: visibility, access, and their serializers. Pure: docs/domain.md, "Videos". */

import { instructorName } from '#contract/copy/instructor-names.ts'
import { type Refusal, refuse } from '#contract/errors.ts'
import { linkOrNull } from '#contract/link.ts'
import type { Settings } from '#contract/settings.ts'
import { wallClock } from '#contract/time.ts'
import type { Embed } from '#contract/video-players.ts'
import type { StudioVideo, Video } from '#contract/videos.ts'
import { photoOf, validImage } from '#server/modules/catalogue/catalogue.ts'
import type { VideoRow } from './store.ts'
import type { StudioVideoRow } from './studio-store.ts'

/** The viewer of videos: a customer, a staff member, or both. */
export interface Viewer {
  customer_id: number | null
  staff: boolean
}

/** Why the viewer has no videos (O1). Staff still see them while they are switched off. */
export function whyNoVideos(viewer: Viewer, settings: Pick<Settings, 'videos_enabled'>): Refusal | null {
  return settings.videos_enabled || viewer.staff ? null : refuse('VIDEOS_DISABLED')
}

/** Whether a video is published: available, and its day has come (O4). */
export function isOut(row: Pick<VideoRow, 'available' | 'deletedAt' | 'published_at'>, now: Date): boolean {
  return row.available && row.deletedAt === null && row.published_at <= now
}

/** Why a video does not exist for the viewer (O4). Staff see unpublished ones; removed ones are hidden from all. */
export function whyNotSeen(
  row: Pick<VideoRow, 'available' | 'deletedAt' | 'published_at'> | null,
  viewer: Viewer,
  now: Date,
): Refusal | null {
  const seen = row !== null && (viewer.staff ? row.deletedAt === null : isOut(row, now))
  return seen ? null : refuse('VIDEO_NOT_FOUND')
}

/** The first seconds of a film, for viewers who may not watch it (O17). */
export interface Preview {
  link: string
  captions: string | null
}

/** Why a visible video cannot be watched (O2). The error carries what the page displays, but never the playback URL (O3). */
export function whyNotWatched(row: VideoRow, viewer: Viewer, member: boolean, preview: Preview | null = null): Refusal | null {
  if (member || viewer.staff) return null
  const { video_id, name, description, duration } = row
  const coach = row.instructor ? instructorName(row.instructor) : null
  const type = row.class_type
  const drawn = { class_type: type?.name ?? null, icon: type?.icon ?? null, image: linkOrNull(type?.image ?? null) }
  const thumbnail = linkOrNull(row.thumbnail)
  const shown = { preview: preview?.link ?? null, preview_captions: preview?.captions ?? null }
  return refuse('VIDEO_NEEDS_PURCHASE', { video_id, name, description, duration, thumbnail, coach, ...shown, ...drawn })
}

/** How to play a video: only for viewers who may watch it (O3). */
export interface Opened {
  url: string | null
  file: Video['file']
  embed: Embed | null
  captions: string | null
}

const CLOSED: Opened = { url: null, file: null, embed: null, captions: null }

/** Serializes a video for one viewer; without playback data unless it is opened for them. */
export function serializeVideo(row: VideoRow, zone: string, opened: Opened = CLOSED): Video {
  const { playback, rating } = row
  return {
    ...sharedOut(row, zone, opened),
    tags: row.tags.map(({ tag_id, name, color }) => ({ tag_id, name, color })),
    playbacks: playback
      ? [
          {
            customer_id: playback.customer_id,
            startedAt: playback.startedAt?.toISOString() ?? null,
            completedAt: playback.completedAt?.toISOString() ?? null,
            createdAt: playback.createdAt.toISOString(),
          },
        ]
      : [],
    completed: Boolean(playback?.completedAt),
    progress: progressOut(playback),
    favorite: row.favorite ? 1 : 0,
    rating: rating && { stars: rating.stars, comment: rating.comment },
  }
}

const progressOut = (playback: VideoRow['playback']): Video['progress'] =>
  playback && playback.position !== null && playback.length !== null ? { position: playback.position, length: playback.length } : null

/** Seconds at the beginning of a film that count as not begun, and the share after which it is over (O18). */
const BEGINNING = 3
const OVER = 0.95

/** Whether a film is over, or where its viewer continues; neither at its beginning (O18). */
export function progressAt(position: number, length: number): { isOver: boolean; progress: Video['progress'] } {
  if (position >= length * OVER) return { isOver: true, progress: null }
  return { isOver: false, progress: position < BEGINNING ? null : { position, length } }
}

/** Serializes a video for staff, with its figures. */
export function serializeStudioVideo(
  row: StudioVideoRow,
  zone: string,
  { sample, ...opened }: Opened & { sample: Video['file'] },
  now: Date,
): StudioVideo {
  const { program_order, views, completed, favorites, ratings, stars } = row
  return {
    ...sharedOut(row, zone, opened),
    tags: row.tags,
    sample: sample && { file_id: sample.file_id, name: sample.name, type: sample.type, src: sample.src },
    program_order,
    state: videoState(row, now),
    views,
    completed,
    favorites,
    ratings,
    rating: stars,
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** The state of a video for staff (O14). */
export function videoState(row: Pick<VideoRow, 'available' | 'published_at'>, now: Date): StudioVideo['state'] {
  if (!row.available) return 'hidden'
  return row.published_at > now ? 'scheduled' : 'published'
}

function sharedOut(row: VideoRow, zone: string, opened: Opened) {
  const { instructor: coach, class_type: type } = row
  return {
    video_id: row.video_id,
    name: row.name,
    description: row.description,
    duration: row.duration,
    ...opened,
    thumbnail: linkOrNull(row.thumbnail),
    instructor: coach && {
      instructor_id: coach.instructor_id,
      name: coach.name,
      last_name: coach.last_name,
      nick_name: coach.nick_name,
      // Day and month only (K5).
      birthdate: coach.birthdate && `--${coach.birthdate.slice(5, 10)}`,
      file: photoOf(coach.photo),
    },
    video_type: row.video_type,
    program: row.program,
    class_type: type && { class_type_id: type.class_type_id, name: type.name, icon: type.icon, image: validImage(type.image) },
    class_category_id: row.class_category_id,
    featured: row.featured,
    available: row.available,
    published_at: row.published_at.toISOString(),
    publish_date: wallClock(row.published_at, zone).toISOString(),
  }
}
