import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VARIABLES } from './config.ts'

test('docs/operations.md lists every variable of the environment, and none that is not read', () => {
  const text = readFileSync('docs/operations.md', 'utf8')
  const rows = text.slice(text.indexOf('## Environment'), text.indexOf('## The first owner')).matchAll(/^\| (`[^|]*`) \|/gm)
  const listed = [...rows].flatMap(([, cell = '']) => [...cell.matchAll(/`(\w+)`/g)].map(([, name]) => name))
  expect(listed.sort()).toEqual([...VARIABLES].sort())
})
