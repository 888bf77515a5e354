/** Columns of JSON: what is read from values of another shape, and what is reported. */
import { integer, pgTable } from 'drizzle-orm/pg-core'
import { expect, test } from 'vitest'
import * as z from 'zod'
import { json, logInvalidValues, textEnum } from './checked-columns.ts'

const points = z.object({ at: z.array(z.int()) })
const sample = pgTable('sample', {
  sample_id: integer().primaryKey(),
  points: json(points, { at: [] }).notNull(),
  more: json(points, null),
})

test('a value of its shape is read as it is, any other as what the column declares, never the same object twice', () => {
  expect(sample.points.mapFromDriverValue({ at: [1, 2] })).toEqual({ at: [1, 2] })
  for (const wrong of [{}, [], 'https://[', 0, { at: ['1'] }, { at: null }]) {
    expect(sample.points.mapFromDriverValue(wrong)).toEqual({ at: [] })
    expect(sample.more.mapFromDriverValue(wrong)).toBeNull()
  }
  expect(sample.points.mapFromDriverValue({})).not.toBe(sample.points.mapFromDriverValue({}))
  expect([sample.points.getSQLType(), sample.points.mapToDriverValue({ at: [1] })]).toEqual(['jsonb', '{"at":[1]}'])
})

test('a word of another list is read as the declared one', () => {
  const { kind } = pgTable('worded', { kind: textEnum(['a', 'b'], 'a').notNull() })
  expect(['a', 'b', 'c', '', 'constructor'].map((stored) => kind.mapFromDriverValue(stored))).toEqual(['a', 'b', 'a', 'a', 'a'])
})

test('half of a character is stored as the sign for it, and nothing else changes', () => {
  const sent = { at: [1], '🧘': 'a 🧘 \\ud83e é' }
  expect(sample.points.mapToDriverValue(sent)).toBe(JSON.stringify(sent))
  expect(sample.points.mapToDriverValue({ at: [1], name: '🧘🧘'.slice(0, 3) } as never)).toBe('{"at":[1],"name":"🧘\ufffd"}')
})

test('a column that cannot be null declares a value', () => {
  expect(() => pgTable('wrong', { points: json(points, null).notNull() })).toThrow('wrong.points')
  expect(() => pgTable('open', { points: json(z.unknown(), null).notNull() })).not.toThrow()
})

test('reports a column once a minute, with the path of what is wrong and without the value', () => {
  const lines: [object, string][] = []
  const log = {
    debug: () => {},
    info: () => {},
    warn: () => {},
    error: (details: object, text: string) => void lines.push([details, text]),
  }
  let now = 0
  const stop = logInvalidValues(log, () => now)
  sample.points.mapFromDriverValue({ at: ['ana@correo.mx'] })
  sample.points.mapFromDriverValue({})
  sample.more.mapFromDriverValue({})
  now = 60_000
  sample.points.mapFromDriverValue({})
  stop()
  now = 120_000
  sample.points.mapFromDriverValue({})
  expect(lines.map(([details, text]) => [(details as { column: string }).column, text])).toEqual([
    ['points', 'stored_value.invalid'],
    ['more', 'stored_value.invalid'],
    ['points', 'stored_value.invalid'],
  ])
  expect(lines[0]?.[0]).toMatchObject({ table: 'sample', issues: [expect.stringMatching(/^at\.0: /)] })
  expect(JSON.stringify(lines)).not.toContain('ana@')
})
