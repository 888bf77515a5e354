import { expect, test } from 'vitest'
import type { Video } from '#contract/videos.ts'
import { withVideo } from './known-videos.ts'

const video = (video_id: number): Video => ({
  video_id,
  name: `Video ${video_id}`,
  description: '',
  duration: 20,
  url: null,
  file: null,
  embed: null,
  captions: null,
  thumbnail: null,
  instructor: null,
  video_type: null,
  program: null,
  class_type: null,
  class_category_id: null,
  tags: [],
  playbacks: [],
  completed: false,
  progress: null,
  favorite: 0,
  rating: null,
  featured: false,
  available: true,
  published_at: '2026-11-01T00:00:00Z',
  publish_date: '2026-11-01T00:00:00.000Z',
})
const loved = (row: Video): Video => ({ ...row, favorite: 1 })

test('a changed favourite is changed in every cached answer, and other objects stay the same (S2-4.26)', () => {
  const list = { videos: [video(1), video(2)], total: 2, pages: 1, featured: video(2), can_watch: true }
  const next = withVideo(list, 2, loved)
  expect(next.videos.map(({ favorite }) => favorite)).toEqual([0, 1])
  expect(next.featured.favorite).toBe(1)
  expect(next.videos[0]).toBe(list.videos[0])
  expect(list.featured.favorite).toBe(0)
  expect(withVideo({ video: video(2) }, 2, loved).video.favorite).toBe(1)
  const other = { videos: [video(1)], total: 1, featured: null }
  expect(withVideo(other, 2, loved)).toBe(other)
  expect(withVideo(undefined, 2, loved)).toBeUndefined()
})
