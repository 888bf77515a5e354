import { expect, test } from 'vitest'
import { NEW_VIDEO } from './video-draft.ts'
import { type VideoOptions, videoVersions } from './video-versions.ts'

const options: VideoOptions = {
  types: [{ value: '3', label: 'Clase completa' }],
  programs: [],
  coaches: [{ value: '5', label: 'Sofía' }],
  classTypes: [],
  categories: [],
  tags: [{ value: '8', label: 'Nuevo' }],
}

test('two versions of a video differ in words, with the names of what was chosen', () => {
  const theirs = { ...NEW_VIDEO, name: 'Ciclo', instructor_id: '5', available: false, tag_ids: ['8'] }
  const mine = { ...NEW_VIDEO, name: 'Ciclo 45', video_type_id: '3' }
  expect(videoVersions(theirs, mine, options)).toEqual([
    { label: 'Título', theirs: 'Ciclo', mine: 'Ciclo 45' },
    { label: 'Tipo de video', theirs: '', mine: 'Clase completa' },
    { label: 'Coach', theirs: 'Sofía', mine: '' },
    { label: 'Etiquetas', theirs: 'Nuevo', mine: '' },
    { label: 'Se muestra', theirs: 'No', mine: 'Sí' },
  ])
  expect(videoVersions(theirs, theirs, options)).toEqual([])
})

test('an address and a file are compared under their own names', () => {
  const file = { ...NEW_VIDEO, source: 'file' as const, file: { file_id: 1, name: 'yoga.mp4', src: '/f/1' } }
  expect(videoVersions({ ...NEW_VIDEO, url: 'https://vimeo.com/1' }, file, options)).toEqual([
    { label: 'Dirección del video', theirs: 'https://vimeo.com/1', mine: '' },
    { label: 'Archivo del video', theirs: '', mine: 'yoga.mp4' },
  ])
})
