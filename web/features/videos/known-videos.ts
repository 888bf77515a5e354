/** Changes a video in cached answers, wherever it occurs: in lists, alone, as the featured one. */
import type { Video } from '#contract/videos.ts'

/** The same answer with one video changed. Parts without that video stay the same objects. */
export function withVideo<T>(known: T, videoId: number, change: (video: Video) => Video): T {
  if (Array.isArray(known)) {
    const next = known.map((video) => withVideo(video, videoId, change))
    return next.some((video, at) => video !== known[at]) ? (next as T) : known
  }
  if (typeof known !== 'object' || known === null) return known
  if (isVideo(known)) return known.video_id === videoId ? (change(known) as T) : known
  const next = Object.entries(known).map(([key, value]) => [key, withVideo(value, videoId, change)] as const)
  return next.some(([key, value]) => value !== known[key as keyof typeof known]) ? (Object.fromEntries(next) as T) : known
}

const isVideo = (known: object): known is Video => 'video_id' in known && 'playbacks' in known
