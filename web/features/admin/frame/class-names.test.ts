import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

/** The classes that a style sheet gives a style of their own: a rule whose selector begins with them and has nothing else. */
const styledIn = (files: readonly string[]): Set<string> =>
  new Set(
    files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/^ {2}\.([\w-]+)(?=[ ,]*(?:\{|,)$)/gm)].map(([, name]) => name ?? '')),
  )

// A dialog of the administration can load styles of public pages after its own: the same class would then have the style of the public one.
test('no class of the administration has a style in a sheet of the public pages', () => {
  const own = styledIn(globSync('web/features/admin/**/*.css'))
  const others = styledIn(globSync('web/{features,areas,ui}/**/*.css').filter((file) => !file.includes('/features/admin/')))
  expect(own.size).toBeGreaterThan(100)
  expect([...own].filter((name) => others.has(name))).toEqual([])
})
