import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  everyVideo,
  isFiltered,
  readVideoView,
  toSearchText,
  VIDEO_LENGTHS,
  VIDEO_SHOWS,
  videoFilters,
  writeVideoView,
} from './video-view.ts'

const read = (search: string) => readVideoView(new URLSearchParams(search))

test('search, filters and view are written to the address and read back (S2-2.61, S2-2.62)', () => {
  const id = fc.option(fc.integer({ min: 1, max: 999_999_999 }), { nil: null })
  const views = fc.record({
    text: fc.string({ maxLength: 60 }).map(toSearchText),
    coach: id,
    type: id,
    program: id,
    under: fc.option(fc.constantFrom(...VIDEO_LENGTHS), { nil: null }),
    tags: fc.uniqueArray(fc.integer({ min: 1, max: 999 }), { maxLength: 20 }),
    show: fc.constantFrom(...VIDEO_SHOWS),
    page: fc.integer({ min: 1, max: 400 }),
  })
  fc.assert(
    fc.property(views, (view) => {
      expect(read(writeVideoView(view))).toEqual(view)
    }),
  )
  expect(writeVideoView({ ...everyVideo, tags: [3, 8], show: 'favoritos' })).toBe('?etiquetas=3,8&ver=favoritos')
})

test('invalid values in an address are ignored', () => {
  expect(read('')).toEqual(everyVideo)
  expect(read('?coach=-1&tipo=x&duracion=44&etiquetas=a,,0&ver=todo&pagina=0&programa=1e3&buscar=%20%00%20')).toEqual(everyVideo)
  expect(read('?etiquetas=4,4,x,9').tags).toEqual([4, 9])
  expect(toSearchText('a'.repeat(500))).toHaveLength(120)
})

test('the query for the API excludes 45 minutes for "Menos de 45" (S2-3.21)', () => {
  expect(videoFilters(everyVideo, 12)).toEqual({ page: 1, limit: 12 })
  const view = { text: 'yin', coach: 2, type: 3, program: 4, under: 45, tags: [5, 6], show: 'completados', page: 2 } as const
  expect(videoFilters(view, 32)).toEqual({
    page: 2,
    limit: 32,
    query: 'yin',
    instructor_id: 2,
    video_type_id: 3,
    program_id: 4,
    duration: 44,
    tags: '5,6',
    completed: true,
  })
  expect(videoFilters({ ...everyVideo, show: 'favoritos' }, 32)).toEqual({ page: 1, limit: 32, favorites: true })
})

test('page and view do not count as filters', () => {
  expect(isFiltered({ ...everyVideo, show: 'favoritos', page: 3 })).toBe(false)
  expect(isFiltered({ ...everyVideo, tags: [1] })).toBe(true)
})
