import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AT_BOTH_SIZES, IN_EVERY_RUN, runsTagged, specsNotAt } from './spec-sizes.mjs'
import { TURNS } from './turns.mjs'

const E2E = join(import.meta.dirname, '../e2e')
const specs = readdirSync(E2E).filter((file) => file.endsWith('.spec.ts'))
const SIZES = ['phone', 'desktop'] as const
const turns = Array.from({ length: TURNS }, (_, n) => n + 1)

/** The sizes of a spec in a run. */
const sizesOf = (spec: string, turn: number | null) => SIZES.filter((size) => !specsNotAt(size, turn, specs).includes(spec))
const isIn = (list: readonly string[], spec: string) => list.includes(spec.replace('.spec.ts', ''))

test('six turns of CI run every browser spec at each of its sizes, and one of both sizes at every third turn at least', () => {
  expect(specs.length).toBeGreaterThan(70)
  for (const spec of specs) {
    const found = turns.map((turn) => sizesOf(spec, turn))
    expect([...new Set(found.flat())].sort(), spec).toEqual(sizesOf(spec, null).sort())
    expect(sizesOf(spec, null).length, spec).toBeGreaterThan(0)
    if (sizesOf(spec, null).length === 2)
      for (const n of found.keys()) expect([0, 1, 2].flatMap((later) => found[(n + later) % TURNS]).length, spec).toBeGreaterThan(0)
    if (isIn(AT_BOTH_SIZES, spec)) expect(found, spec).toEqual(turns.map(() => [...SIZES]))
    else if (isIn(IN_EVERY_RUN, spec))
      expect(
        found.map(({ length }) => length),
        spec,
      ).toEqual(turns.map(() => 1))
  }
})

test('no turn has much more browser specs than another', () => {
  const numbers = turns.map((turn) => specs.flatMap((spec) => sizesOf(spec, turn)).length)
  expect(Math.max(...numbers) / Math.min(...numbers)).toBeLessThan(1.25)
})

test('tests with the tag @one-size run at both sizes within six turns, since their specs run at every turn', () => {
  const tagged = specs.filter((spec) => readFileSync(join(E2E, spec), 'utf8').includes('@one-size'))
  expect(tagged.length).toBeGreaterThan(5)
  for (const spec of tagged) {
    expect(isIn([...AT_BOTH_SIZES, ...IN_EVERY_RUN], spec), spec).toBe(true)
    const found = turns.flatMap((turn) => sizesOf(spec, turn).filter((size) => runsTagged(size, turn)))
    expect([...new Set(found)].sort(), spec).toEqual(['desktop', 'phone'])
  }
  expect(SIZES.map((size) => runsTagged(size, null))).toEqual([true, true])
  expect([...AT_BOTH_SIZES, ...IN_EVERY_RUN].filter((name) => !specs.includes(`${name}.spec.ts`))).toEqual([])
})
