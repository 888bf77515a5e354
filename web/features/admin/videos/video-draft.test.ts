import { expect, test } from 'vitest'
import { changedVideoFields, NEW_VIDEO, videoFields, videoProblems, withAddress } from './video-draft.ts'

const ZONE = 'America/Mexico_City'

test('an address proposes a picture, and another address replaces only what was proposed', () => {
  const first = withAddress(NEW_VIDEO, 'https://youtu.be/dQw4w9WgXcQ')
  expect(first.thumbnail).toBe('https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg')
  expect(withAddress(first, 'https://youtu.be/aaaaaaaaaaa').thumbnail).toBe('https://i.ytimg.com/vi/aaaaaaaaaaa/hqdefault.jpg')
  expect(withAddress({ ...first, thumbnail: '/archivos/mia.jpg' }, 'https://youtu.be/aaaaaaaaaaa').thumbnail).toBe('/archivos/mia.jpg')
  expect(withAddress({ ...NEW_VIDEO, name: 'Mío' }, 'https://cdn.mx/otro.mp4').name).toBe('Mío')
})

test('the date is that of the studio’s clocks', () => {
  expect(videoFields({ ...NEW_VIDEO, publish: '2026-11-24T18:30' }, ZONE).published_at).toBe('2026-11-25T00:30:00.000Z')
  expect(videoFields(NEW_VIDEO, ZONE)).not.toHaveProperty('published_at')
})

test('only what differs is sent', () => {
  const stored = { ...NEW_VIDEO, name: 'Yin', duration: '20', url: 'https://vimeo.com/76979871' }
  expect(changedVideoFields(stored, stored, ZONE)).toEqual({})
  expect(changedVideoFields({ ...stored, duration: '30', tag_ids: ['3'] }, stored, ZONE)).toEqual({ duration: 30, tag_ids: [3] })
})

test('captions belong to a file and are removed with it', () => {
  const stored = { ...NEW_VIDEO, name: 'Yin', duration: '20', source: 'file' as const, file: { file_id: 7, name: 'yin.mp4', src: '/a' } }
  expect(changedVideoFields({ ...stored, captions: 'WEBVTT' }, stored, ZONE)).toEqual({ captions: 'WEBVTT' })
  expect(changedVideoFields({ ...stored, captions: '' }, { ...stored, captions: 'WEBVTT' }, ZONE)).toEqual({ captions: null })
  expect(videoFields({ ...stored, captions: 'WEBVTT', source: 'url', url: 'https://vimeo.com/76979871' }, ZONE)).toMatchObject({
    file_id: null,
    captions: null,
  })
})

test('names what is missing', () => {
  expect(Object.keys(videoProblems(NEW_VIDEO)).sort()).toEqual(['duration', 'name', 'url'])
  expect(videoProblems({ ...NEW_VIDEO, name: 'Yin', duration: '20', url: 'https://ejemplo.mx/7' }).url).toContain('YouTube, Vimeo')
  expect(videoProblems({ ...NEW_VIDEO, name: 'Yin', duration: '20', source: 'file' })).toEqual({ file: 'Elige el archivo del video.' })
})
