/** Texts as people see them. */
import { expect, test } from 'vitest'
import { paragraph, singleLine } from './endpoint.ts'
import { visibleText } from './text.ts'

test('what turns a text around or is not seen is left out, and a text of nothing else is empty', () => {
  expect(visibleText('Ana\u202e zepoL \u202cR\u00edos\u2069')).toBe('Ana zepoL Ríos')
  expect(visibleText('\ufeffAna\u200b\u2060 López\u00ad')).toBe('Ana López')
  for (const nothing of ['\u200b', '\u3164\u3164', '\u200d \u200c', '\u202e\u00a0', '\uffa0', '\u034f', '\ufe0f'])
    expect(visibleText(nothing)).toBe('')
  const unchanged = ['👩‍👩‍👧', '❤️', 'José Ñuño', 'Zoë', '名前', 'می‌خواهم', 'عائشة', 'नमस्ते']
  expect(unchanged.map(visibleText)).toEqual(unchanged)
})

test('one line and several lines are stored as they are seen', () => {
  expect(singleLine(80).min(1).safeParse('\u200b\u3164').success).toBe(false)
  expect(singleLine(80).parse(' \u202eAna ')).toBe('Ana')
  expect(paragraph().parse('Uno\u2066\nDos')).toBe('Uno\nDos')
  expect(singleLine(80).safeParse('Ana\u0007').success).toBe(false)
})
