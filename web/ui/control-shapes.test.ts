/**
 * The outline of every control has a contrast of 3:1 on every surface, whatever the studio's colours: outlines use `--brand-shape`
 * (WCAG 1.4.11).
 */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

/** Brand-coloured fills that are not controls: selected text, labels with readable text, surfaces, drawings. */
const NO_CONTROL: readonly string[] = ['::selection', '.package-flag', '.ground-brand', 'img[src*="fondo=brand"]']

interface Rule {
  file: string
  selector: string
  body: string
}

/** The innermost rules of every style sheet in web/. */
async function rules(): Promise<Rule[]> {
  const found: Rule[] = []
  for await (const file of glob('web/**/*.css')) {
    const text = readFileSync(file, 'utf8').replace(/\/\*[\s\S]*?\*\//g, '')
    for (const [, selector = '', body = ''] of text.matchAll(/([^{};]+)\{([^{}]*)\}/g))
      found.push({ file, selector: selector.trim(), body })
  }
  return found
}

const RAW = /var\(--(?:own-)?brand\)/

test('no border, outline or stroke is drawn in the raw brand colour', async () => {
  const all = await rules()
  expect(all.length).toBeGreaterThan(500)
  const raw = all.filter(({ body }) =>
    body.split(';').some((line) => /^\s*(?:border|outline|stroke|color)[\w-]*:/.test(line) && RAW.test(line)),
  )
  expect(raw.map(({ file, selector }) => `${file}: ${selector}`)).toEqual([])
})

/**
 * Accents that are no outlines of controls: a card that is filled with it, the mark of a step beside its name, a frame over the
 * camera's picture.
 */
const ACCENTED: readonly string[] = ['.package.ground-accent', '[aria-current="step"] > .steps-mark', '.scan-frame']

test('no control has its outline in the accent or the stage colour, which need not be visible on paper', async () => {
  const raw = (await rules()).filter(
    ({ body, selector }) =>
      !ACCENTED.includes(selector) &&
      body.split(';').some((line) => /^\s*(?:border|outline|stroke)[\w-]*:/.test(line) && /var\(--(?:own-)?(?:accent|stage)\)/.test(line)),
  )
  expect(raw.map(({ file, selector }) => `${file}: ${selector}`)).toEqual([])
})

test('everything filled with the brand colour has an outline that is visible on any surface', async () => {
  const bare = (await rules()).filter(
    ({ body, selector }) =>
      !NO_CONTROL.includes(selector) &&
      body.split(';').some((line) => /^\s*(?:background|fill)[\w-]*:/.test(line) && /:\s*var\(--(?:own-)?brand\)/.test(line)) &&
      !/var\(--(?:own-)?brand-shape\)/.test(body),
  )
  // `.btn` has its edge in the rule of the filled variant, because the other variants remove only the fill.
  expect(bare.map(({ file, selector }) => `${file}: ${selector}`)).toEqual(['web/ui/button.css: .btn'])
})

test('no text has a mix of the brand colour as its background, whose contrast nothing guarantees', async () => {
  const mixed = (await rules()).filter(
    ({ body }) =>
      body.split(';').some((line) => /^\s*background[\w-]*:.*color-mix\(.*var\(--(?:own-)?(?:brand|accent|stage)\)/.test(line)) &&
      /(?:^|;)\s*color:/.test(body),
  )
  expect(mixed.map(({ file, selector }) => `${file}: ${selector}`)).toEqual([])
})

/** Style sheets for one medium, which change what others define. */
const FOR_A_MEDIUM: readonly string[] = ['web/contrast.css', 'web/print.css']

/** The style sheets that another one imports, in its order, by the one that imports them: they are loaded together only. */
async function importedSheets(): Promise<Map<string, string>> {
  const found = new Map<string, string>()
  for await (const file of glob('web/**/*.css'))
    for (const [, part = ''] of readFileSync(file, 'utf8').matchAll(/@import "(\.\/[\w-]+\.css)"/g))
      found.set(join(dirname(file), part), file)
  return found
}

test('no class is defined in two style sheets: one of them would change the other on pages that load both', async () => {
  const files = new Map<string, Set<string>>()
  const imported = await importedSheets()
  for (const { file, selector } of await rules())
    for (const [, name = ''] of selector.split(',').flatMap((part) => [...part.trim().matchAll(/^\.([\w-]+)$/g)]))
      if (!FOR_A_MEDIUM.includes(file)) files.set(name, (files.get(name) ?? new Set()).add(imported.get(file) ?? file))
  expect(files.size).toBeGreaterThan(300)
  const shared = [...files].filter(([, where]) => where.size > 1)
  expect(shared.map(([name, where]) => `.${name}: ${[...where].sort().join(', ')}`)).toEqual([])
})
