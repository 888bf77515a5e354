import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { AT_BOTH_SIZES, specsNotAt } from './spec-sizes.mjs'

const E2E = join(import.meta.dirname, '../e2e')
const specs = readdirSync(E2E).filter((file) => file.endsWith('.spec.ts'))

/** The sizes of a spec in a run. */
const sizesOf = (spec: string, oneSize: 'phone' | 'desktop' | null) =>
  (['phone', 'desktop'] as const).filter((size) => !specsNotAt(size, oneSize, specs).includes(spec))

test('CI runs every browser spec at one size or at both, and over its commits at each size that it has elsewhere', () => {
  expect(specs.length).toBeGreaterThan(70)
  for (const spec of specs) {
    const [first, second] = [sizesOf(spec, 'phone'), sizesOf(spec, 'desktop')]
    expect(Math.min(first.length, second.length), spec).toBeGreaterThan(0)
    expect([...new Set([...first, ...second])].sort(), spec).toEqual(sizesOf(spec, null).sort())
    if (AT_BOTH_SIZES.includes(spec.replace('.spec.ts', ''))) expect([first.length, second.length], spec).toEqual([2, 2])
  }
})

test('a test with the tag @one-size is in a spec that runs at both sizes; elsewhere no run of CI would have it at some commits', () => {
  const tagged = specs.filter((spec) => readFileSync(join(E2E, spec), 'utf8').includes('@one-size'))
  expect(tagged.filter((spec) => !AT_BOTH_SIZES.includes(spec.replace('.spec.ts', '')))).toEqual([])
  expect(AT_BOTH_SIZES.filter((name) => !specs.includes(`${name}.spec.ts`))).toEqual([])
})
