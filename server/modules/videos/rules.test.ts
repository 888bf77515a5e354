/** Visibility of videos by viewer, and their serialised fields (docs/domain.md, O1 to O4). */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isOut, progressAt, serializeStudioVideo, serializeVideo, type Viewer, whyNotSeen, whyNotWatched, whyNoVideos } from './rules.ts'
import type { VideoRow } from './store.ts'

const NOW = new Date('2026-11-19T16:00:00Z')
const ZONE = 'America/Mexico_City'
const SECRET = 'https://vimeo.com/76979871/8272103f6e'

const row = (more: Partial<VideoRow> = {}): VideoRow => ({
  video_id: 7,
  name: 'Barre express',
  description: 'Piernas.',
  duration: 15,
  url: SECRET,
  thumbnail: null,
  featured: false,
  available: true,
  class_category_id: null,
  program_order: 0,
  published_at: new Date('2026-11-18T16:00:00Z'),
  deletedAt: null,
  file: null,
  sample: null,
  instructor: null,
  video_type: null,
  program: null,
  class_type: null,
  tags: [],
  playback: null,
  favorite: null,
  rating: null,
  ...more,
})
const ana: Viewer = { customer_id: 1, staff: false }
const renata: Viewer = { customer_id: null, staff: true }

const viewers = fc.record({ customer_id: fc.option(fc.integer({ min: 1, max: 9 })), staff: fc.boolean() })
const rows = fc
  .record({
    available: fc.boolean(),
    deletedAt: fc.option(fc.constant(NOW)),
    published_at: fc.date({ min: new Date('2026-11-01'), max: new Date('2026-12-01'), noInvalidDate: true }),
  })
  .map((more) => row(more))

describe('whether the viewer has videos (O1)', () => {
  test.each([
    ['a customer, switched on', ana, true, null],
    ['a customer, switched off', ana, false, 'VIDEOS_DISABLED'],
    ['staff, switched off', renata, false, null],
    ['staff who are customers too, switched off', { customer_id: 2, staff: true }, false, null],
  ])('%s', (_what, viewer, videos_enabled, code) => {
    expect(whyNoVideos(viewer, { videos_enabled })?.code ?? null).toBe(code)
  })
})

describe('which videos exist for the viewer (O4)', () => {
  const soon = new Date(NOW.getTime() + 1)
  test.each([
    ['out', {}, null, null],
    ['out since this instant', { published_at: NOW }, null, null],
    ['not yet', { published_at: soon }, 'VIDEO_NOT_FOUND', null],
    ['put away', { available: false }, 'VIDEO_NOT_FOUND', null],
    ['removed', { deletedAt: NOW }, 'VIDEO_NOT_FOUND', 'VIDEO_NOT_FOUND'],
  ])('%s', (_what, more, customer, staff) => {
    expect(whyNotSeen(row(more), ana, NOW)?.code ?? null).toBe(customer)
    expect(whyNotSeen(row(more), renata, NOW)?.code ?? null).toBe(staff)
  })

  test('no video exists without access, with the spec’s message (S2-8.02)', () => {
    expect(whyNotSeen(null, renata, NOW)).toMatchObject({
      code: 'VIDEO_NOT_FOUND',
      status: 404,
      message: 'Lo sentimos, no hemos encontrado este video.',
    })
  })

  test('a customer sees exactly the published ones, and staff at least those', () => {
    fc.assert(
      fc.property(rows, viewers, (video, viewer) => {
        expect(whyNotSeen(video, { ...viewer, staff: false }, NOW) === null).toBe(isOut(video, NOW))
        if (isOut(video, NOW)) expect(whyNotSeen(video, { ...viewer, staff: true }, NOW)).toBeNull()
      }),
    )
  })
})

describe('what the response contains (O2, O3)', () => {
  const all = fc.record({ member: fc.boolean(), who: viewers })

  test('a refusal without membership has what the page shows, but no playback data (S2-4.25, S2-8.03)', () => {
    const coach = { instructor_id: 1, name: 'Ximena', last_name: 'Ibáñez', nick_name: 'Xime', birthdate: null, photo: null }
    const type = { class_type_id: 3, name: 'Barre', icon: 'barre', image: null }
    const no = whyNotWatched(row({ instructor: coach, class_type: type }), ana, false)
    expect(no).toMatchObject({
      code: 'VIDEO_NEEDS_PURCHASE',
      status: 412,
      message: 'no cuentas con una membresía activa para clases online',
    })
    expect(no?.data).toEqual({
      video_id: 7,
      name: 'Barre express',
      description: 'Piernas.',
      duration: 15,
      thumbnail: null,
      coach: 'Xime',
      class_type: 'Barre',
      icon: 'barre',
      image: null,
      preview: null,
      preview_captions: null,
    })
  })

  test('refuses exactly viewers who are neither member nor staff', () => {
    fc.assert(
      fc.property(all, ({ member, who }) => {
        const no = whyNotWatched(row(), who, member)
        expect(no === null).toBe(member || who.staff)
        expect(JSON.stringify([no?.message, no?.data ?? null])).not.toContain('vimeo')
      }),
    )
  })

  test('the response of a video has no playback data unless the video is opened', () => {
    const shut = serializeVideo(row(), ZONE)
    expect(shut).toMatchObject({ url: null, file: null, embed: null, captions: null })
    expect(JSON.stringify(shut)).not.toContain('vimeo')
    const opened = { url: SECRET, file: null, embed: null, captions: null }
    expect(serializeVideo(row(), ZONE, opened).url).toBe(SECRET)
    const figures = { views: 2, completed: 1, favorites: 1, ratings: 0, stars: null, updatedAt: NOW }
    expect(serializeStudioVideo({ ...row(), ...figures }, ZONE, { ...opened, sample: null }, NOW)).toMatchObject({
      url: SECRET,
      views: 2,
      state: 'published',
    })
  })

  test('the response of a video has the viewer’s marks; day and hour in the studio’s zone beside the instant (S2-3.19, settled 2)', () => {
    const at = new Date('2026-11-18T16:00:00Z')
    const mine = { customer_id: 1, video_id: 7, startedAt: at, lastAt: at, completedAt: null, position: 90, length: 900, createdAt: at }
    const rating = { customer_id: 1, video_id: 7, stars: 4, comment: 'Buena', createdAt: at, updatedAt: at }
    expect(serializeVideo(row({ playback: mine, favorite: 7, rating }), ZONE)).toMatchObject({
      playbacks: [{ customer_id: 1, startedAt: '2026-11-18T16:00:00.000Z', completedAt: null }],
      progress: { position: 90, length: 900 },
      completed: false,
      favorite: 1,
      rating: { stars: 4, comment: 'Buena' },
      published_at: '2026-11-18T16:00:00.000Z',
      publish_date: '2026-11-18T10:00:00.000Z',
    })
    expect(serializeVideo(row({ playback: { ...mine, completedAt: at } }), ZONE).completed).toBe(true)
    expect(serializeVideo(row(), ZONE)).toMatchObject({ playbacks: [], completed: false, favorite: 0, rating: null })
  })
})

describe('where the viewer continues (O18)', () => {
  test.each([
    [0, 600, false, null],
    [2, 600, false, null],
    [3, 600, false, { position: 3, length: 600 }],
    [569, 600, false, { position: 569, length: 600 }],
    [570, 600, true, null],
    [600, 600, true, null],
    [900, 600, true, null],
    [1, 1, true, null],
  ])('second %i of %i', (position, length, isOver, progress) => {
    expect(progressAt(position, length)).toEqual({ isOver, progress })
  })
})
