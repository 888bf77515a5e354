/** Each screen of the administration loads the style sheets of the classes that it draws: in a full load there are no others. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const textOf = (() => {
  const read = new Map<string, string>()
  return (file: string): string => {
    if (!read.has(file)) read.set(file, readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''))
    return read.get(file) ?? ''
  }
})()

const resolved = (from: string, path: string): string | null =>
  path.startsWith('#web/') ? path.slice(1) : path.startsWith('.') ? join(dirname(from), path) : null

function importsOf(file: string, pattern: RegExp): string[] {
  return [...textOf(file).matchAll(pattern)].flatMap(([, path]) => resolved(file, path ?? '') ?? [])
}
const staticImports = (file: string) =>
  importsOf(file, file.endsWith('.css') ? /^@import "([^"]+)"/gm : /^(?:import|export)\s(?!type\b)(?:[^'"]*?from\s)?'([^']+)'/gm)
const dynamicImports = (file: string) => importsOf(file, /import\('([^']+)'\)/g)

/** Everything that comes with a module. */
function closureOf(roots: readonly string[]): Set<string> {
  const found = new Set<string>()
  const visit = (file: string) => {
    if (found.has(file)) return
    found.add(file)
    for (const staticImport of staticImports(file)) visit(staticImport)
  }
  for (const root of roots) visit(root)
  return found
}

const classesIn = (sheets: Iterable<string>) =>
  new Set([...sheets].flatMap((file) => [...textOf(file).matchAll(/\.([a-z][\w-]*)/gi)].map(([, name]) => name ?? '')))

/** The class names in the literals of a component. */
function drawnBy(file: string): string[] {
  const literals = [...textOf(file).matchAll(/className=(?:"([^"]*)"|\{`([^`]*)`\})/g)]
  return literals.flatMap(([, plain, template]) => (plain ?? template ?? '').replace(/\$\{[^}]*\}/g, ' ').split(/\s+/)).filter(Boolean)
}

/** Drawn by another component of its module than the one that the administration uses. */
const NOT_USED: ReadonlySet<string> = new Set(['coach-portrait.tsx: coach-portrait'])

const sheetsOf = (files: Iterable<string>) => [...files].filter((file) => file.endsWith('.css'))
const SHELL = 'web/areas/admin/shell.tsx'
const COMMON = closureOf(['web/root.tsx', SHELL])
const STYLED = classesIn(globSync('web/**/*.css'))

/** "plan-bars.tsx: select-bar" for each class that is styled, but not where it is drawn. */
function missingIn(route: string): string[] {
  const missing = new Set<string>()
  const seen = new Set<string>()
  const check = (modules: Set<string>) => {
    const loaded = classesIn([...sheetsOf(COMMON), ...sheetsOf(modules)])
    for (const file of modules) {
      if (!file.endsWith('.tsx')) continue
      for (const name of drawnBy(file))
        if (STYLED.has(name) && !loaded.has(name)) missing.add(`${file.slice(file.lastIndexOf('/') + 1)}: ${name}`)
      for (const part of dynamicImports(file)) {
        if (seen.has(part)) continue
        seen.add(part)
        check(new Set([...modules, ...closureOf([part])]))
      }
    }
  }
  check(closureOf([route]))
  return [...missing]
}

test.each(globSync('web/areas/admin/*.tsx').sort())('%s loads the styles of what it draws', (route) => {
  expect(missingIn(route).filter((name) => !NOT_USED.has(name))).toEqual([])
})
