import { expect, test } from 'vitest'
import { captionsBefore } from './preview-captions.ts'

const text = [
  'WEBVTT - Yin\nKind: captions',
  'STYLE\n::cue { color: white }',
  'NOTE 00:01 es el saludo; al final hay una sorpresa',
  '1\n00:00:01.000 --> 00:00:03.500 align:start\nRespira.',
  '00:14.999 --> 00:20.000\nY suelta.',
  '00:15.000 --> 00:17.000\nOtra vez.',
  '01:00:02.000 --> 01:00:04.000\nDescansa.',
]

test('a preview has the captions that begin in its seconds, with their styles', () => {
  const wanted = ['WEBVTT - Yin', text[1], text[3], text[4]].join('\n\n')
  expect(captionsBefore(text.join('\n\n'), 15)).toBe(wanted)
  expect(captionsBefore(`${text.join('\n\n\n')}\n`.replaceAll('\n', '\r\n'), 15)).toBe(wanted)
})

test('a preview whose seconds have no caption has none', () => {
  expect(captionsBefore('WEBVTT\n\n00:15.000 --> 00:17.000\nRespira.', 15)).toBeNull()
  // Hours count too.
  expect(captionsBefore('WEBVTT\n\n01:00:02.000 --> 01:00:04.000\nRespira.', 15)).toBeNull()
})
