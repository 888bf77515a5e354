/** What a control is known by reaches 3:1 on every surface, whatever the studio's colours: shapes use `--brand-shape` (WCAG 1.4.11). */
import { readFileSync } from 'node:fs'
import { glob } from 'node:fs/promises'
import { expect, test } from 'vitest'

/** Fills that are no control: marked text, tags whose words read, grounds, drawings. */
const NO_CONTROL: readonly string[] = ['::selection', '.package-flag', '.ground-brand', 'img[src*="fondo=brand"]']

interface Rule {
  file: string
  selector: string
  body: string
}

/** The innermost rules of every style sheet of the site. */
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

test('what is filled with the brand colour has an edge that is seen on any surface', async () => {
  const bare = (await rules()).filter(
    ({ body, selector }) =>
      !NO_CONTROL.includes(selector) &&
      body.split(';').some((line) => /^\s*(?:background|fill)[\w-]*:/.test(line) && /:\s*var\(--(?:own-)?brand\)/.test(line)) &&
      !/var\(--(?:own-)?brand-shape\)/.test(body),
  )
  // The filled button gives its edge in the rule of its variant, because the others only take its fill away.
  expect(bare.map(({ file, selector }) => `${file}: ${selector}`)).toEqual(['web/ui/button.css: .btn'])
})
