/** What is known of a video, changed wherever it stands: in lists, alone, among the featured. */
import type { Video } from '#contract/videos.ts'

/** The same answer with one video changed. What has nothing of it stays the very same object. */
export function withVideo<T>(known: T, videoId: number, change: (video: Video) => Video): T {
  if (Array.isArray(known)) {
    const next = known.map((one) => withVideo(one, videoId, change))
    return next.some((one, at) => one !== known[at]) ? (next as T) : known
  }
  if (typeof known !== 'object' || known === null) return known
  if (isVideo(known)) return known.video_id === videoId ? (change(known) as T) : known
  const next = Object.entries(known).map(([key, value]) => [key, withVideo(value, videoId, change)] as const)
  return next.some(([key, value]) => value !== known[key as keyof typeof known]) ? (Object.fromEntries(next) as T) : known
}

const isVideo = (known: object): known is Video => 'video_id' in known && 'playbacks' in known
