import { expect, test } from 'vitest'
import { CAPTIONS_MAX, CAPTIONS_NOT_UTF8, CAPTIONS_TOO_LONG, CAPTIONS_WRONG, captionsProblem, isWebVtt } from './captions.ts'

test('only WebVTT with at least one caption is accepted', () => {
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:03.500\nRespira.\n'
  const long = 'WEBVTT - Yin\r\n\r\n1\r\n01:00:01.000 --> 01:00:03.500 align:start\r\nRespira.'
  for (const text of [vtt, `\uFEFF${vtt}`, long]) expect([text, isWebVtt(text)]).toEqual([text, true])
  const srt = '1\n00:00:01,000 --> 00:00:03,500\nRespira.'
  for (const text of ['', 'WEBVTT', 'WEBVTT\n\nRespira.', srt, `WEBVTT\n\n${srt}`, 'WEBVTTX\n\n00:01.000 --> 00:03.500\nRespira.'])
    expect([text, isWebVtt(text)]).toEqual([text, false])
})

test('a rejected captions file names its problem: format, length or encoding', () => {
  const vtt = 'WEBVTT\n\n00:01.000 --> 00:03.500\nRespira.\n'
  expect(captionsProblem(vtt)).toBeNull()
  expect(captionsProblem(vtt.padEnd(CAPTIONS_MAX, 'a'))).toBeNull()
  expect(captionsProblem(vtt.padEnd(CAPTIONS_MAX + 1, 'a'))).toBe(CAPTIONS_TOO_LONG)
  expect(captionsProblem('1\n00:00:01,000 --> 00:00:03,500\nRespira.')).toBe(CAPTIONS_WRONG)
  const inLatin1 = new TextDecoder().decode(Buffer.from(`${vtt}Inhala, sin tensión.`, 'latin1'))
  expect(captionsProblem(inLatin1)).toBe(CAPTIONS_NOT_UTF8)
})
