import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { TURNS, turnOf } from './turns.mjs'
import { FILES_BY_SECOND_TURN, FILES_BY_TURN, filesNotAt } from './unit-turns.mjs'

const turns = Array.from({ length: TURNS }, (_, n) => n + 1)
const commits = Array.from({ length: 400 }, (_, n) => createHash('sha1').update(String(n)).digest('hex'))

test('consecutive commits have consecutive turns; where their number is unknown each turn comes about as often', () => {
  expect([1178, 1179, 1180, 1181, 1182].map((number) => turnOf(commits[0] ?? '', number))).toEqual([3, 4, 5, 6, 1])
  for (const turn of turns) expect(Math.abs(commits.filter((commit) => turnOf(commit, null) === turn).length - 67)).toBeLessThan(30)
  expect(commits.every((commit) => turns.includes(turnOf(commit, null)))).toBe(true)
})

test('every unit test file that runs by turn exists, and runs at one turn of six, or at three', () => {
  expect(FILES_BY_TURN).toHaveLength(TURNS)
  expect(FILES_BY_SECOND_TURN).toHaveLength(2)
  const files = [...FILES_BY_TURN, ...FILES_BY_SECOND_TURN].flat()
  expect(files.filter((file) => !existsSync(join(import.meta.dirname, '..', file)))).toEqual([])
  expect(new Set(files).size).toBe(files.length)
  const turnsOf = (file: string) => turns.filter((turn) => !filesNotAt(turn).includes(file))
  for (const file of FILES_BY_TURN.flat()) expect([file, turnsOf(file).length]).toEqual([file, 1])
  for (const [n, names] of FILES_BY_SECOND_TURN.entries())
    for (const file of names) expect([file, turnsOf(file)]).toEqual([file, n ? [2, 4, 6] : [1, 3, 5]])
})
