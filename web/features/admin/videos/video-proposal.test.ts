import { expect, test } from 'vitest'
import { nameOfFile, proposalOf } from './video-proposal.ts'

test('an address proposes its service, and a picture and a title where it contains them', () => {
  expect(proposalOf('https://youtu.be/dQw4w9WgXcQ?t=30')).toEqual({
    service: 'YouTube',
    thumbnail: 'https://i.ytimg.com/vi/dQw4w9WgXcQ/hqdefault.jpg',
    name: null,
  })
  expect(proposalOf('https://vimeo.com/76979871/8272103f6e')).toEqual({ service: 'Vimeo', thumbnail: null, name: null })
  const mux = 'a'.repeat(24)
  expect(proposalOf(`https://player.mux.com/${mux}`)?.thumbnail).toBe(`https://image.mux.com/${mux}/thumbnail.jpg`)
  const id = '0'.repeat(32)
  expect(proposalOf(`https://www.loom.com/share/como-respirar-${id}`)).toMatchObject({ service: 'Loom', name: 'Como respirar' })
  expect(proposalOf(`https://watch.videodelivery.net/${id}`)?.thumbnail).toBe(`https://videodelivery.net/${id}/thumbnails/thumbnail.jpg`)
  expect(proposalOf('https://cdn.estudio.mx/clases/yin-de%20noche.mp4')).toEqual({
    service: 'Archivo',
    thumbnail: null,
    name: 'Yin de noche',
  })
})

test('an address that cannot be played proposes nothing', () => {
  for (const address of ['', 'https://ejemplo.mx/video/7', 'javascript:alert(1)', 'http://cdn.mx/a.mp4'])
    expect(proposalOf(address)).toBeNull()
})

test('the name of a file becomes a title', () => {
  expect([nameOfFile('fuerza_de-piernas 2.webm'), nameOfFile('.mp4')]).toEqual(['Fuerza de piernas 2', ''])
})
