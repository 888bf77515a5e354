/**
 * What a page's colours are worth, measured in the browser from what it really computed: text, shapes of controls, and roles beside
 * each other.
 */
import { join } from 'node:path'
import type { Page, TestInfo } from '@playwright/test'
import { type Theme, themeCss } from '#contract/color.ts'
import { palettes } from '#server/testing/palettes.ts'

/** Text that can be read and the shape of a control that can be seen (WCAG 2, 1.4.3 and 1.4.11). */
const TEXT = 4.5
const SHAPE = 3

/** Filled parts and edges that separate a control from its background. The edge of a button with an icon is not one: its icon is text. */
const SHAPES = [
  '.btn-filled',
  '.btn-ink',
  '.btn-danger',
  '.btn-outline',
  '.check > input',
  '.switch > input',
  '.radio-card input[type="radio"]',
  '.control',
  '.field :is(select, textarea):not(.control > *)',
  '.seat-free',
  '.seat-mine',
  '.seat-guest',
].join(', ')

/** Shows a page in other colours, as if its studio had chosen them. Transitions are off: a colour halfway is none. */
export async function showIn(page: Page, theme: Theme): Promise<void> {
  await page.evaluate((css) => {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(`${css}*,*::before,*::after{transition:none!important;animation:none!important}`)
    document.adoptedStyleSheets = [sheet]
  }, themeCss(theme))
}

/** Texts and shapes of the page below their contrast, each once: 'text "Reservar" 3.9'. */
export function faintParts(page: Page): Promise<string[]> {
  return page.evaluate(
    ({ least, shapes }) => {
      type Colour = readonly [number, number, number, number]
      const brush = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
      const known = new Map<string, Colour>()
      const colourOf = (css: string): Colour => {
        const found = known.get(css)
        if (found) return found
        if (!brush) throw new Error('no canvas')
        brush.clearRect(0, 0, 1, 1)
        brush.fillStyle = css
        brush.fillRect(0, 0, 1, 1)
        const [r = 0, g = 0, b = 0, a = 0] = brush.getImageData(0, 0, 1, 1).data
        const colour = [r, g, b, a / 255] as const
        known.set(css, colour)
        return colour
      }
      const over = (top: Colour, under: Colour, share = 1): Colour => {
        const a = top[3] * share
        return [0, 1, 2].map((at) => (top[at] ?? 0) * a + (under[at] ?? 0) * (1 - a)).concat(1) as unknown as Colour
      }
      const light = ([r, g, b]: Colour) => {
        const [x = 0, y = 0, z = 0] = [r, g, b].map((value) => {
          const unit = value / 255
          return unit <= 0.03928 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4
        })
        return 0.2126 * x + 0.7152 * y + 0.0722 * z
      }
      const contrast = (a: Colour, b: Colour) => {
        const [high = 0, low = 0] = [light(a), light(b)].sort((x, y) => y - x)
        return (high + 0.05) / (low + 0.05)
      }
      const flatten = (nodes: Iterable<Element>): Colour => {
        const layers: Colour[] = []
        for (const node of nodes) {
          const colour = colourOf(getComputedStyle(node).backgroundColor)
          if (colour[3] > 0) layers.push(colour)
          if (colour[3] === 1) break
        }
        return layers.reduceRight<Colour>((under, top) => over(top, under), [255, 255, 255, 1])
      }
      const groundOf = (from: Element | null): Colour => {
        const nodes: Element[] = []
        for (let node = from; node; node = node.parentElement) nodes.push(node)
        return flatten(nodes)
      }
      // What is really below a button that floats over another part, as the one that closes a dialog; outside of the window its parents'.
      const groundBelow = (node: Element): Colour => {
        const { left, top, width, height } = node.getBoundingClientRect()
        const below = document.elementsFromPoint(left + width / 2, top + height / 2)
        const at = below.indexOf(node)
        return at < 0 ? groundOf(node) : flatten(below.slice(at))
      }
      const opacityOf = (from: Element): number => {
        let opacity = 1
        for (let node: Element | null = from; node; node = node.parentElement) opacity *= Number(getComputedStyle(node).opacity)
        return opacity
      }
      const isShown = (node: Element) => {
        const { width, height } = node.getBoundingClientRect()
        return width > 2 && height > 2 && node.checkVisibility({ opacityProperty: true, visibilityProperty: true })
      }
      // What cannot be used may be faint; what is on a picture is measured by the drawings' own tests.
      const isExempt = (node: Element) => node.closest(':disabled, [aria-disabled="true"], svg, noscript, option, .hero-pictured') !== null
      const faint = new Set<string>()
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const node = text.parentElement
        const shownText = text.textContent?.trim()
        if (!node || !shownText || !/[\p{L}\p{N}]/u.test(shownText) || isExempt(node) || !isShown(node)) continue
        const ground = groundOf(node)
        const found = contrast(over(colourOf(getComputedStyle(node).color), ground, opacityOf(node)), ground)
        if (found < least.text) faint.add(`text "${shownText.slice(0, 24)}" in ${node.className || node.tagName}: ${found.toFixed(2)}`)
      }
      for (const icon of document.querySelectorAll('a svg.icon, button svg.icon')) {
        const node = icon.parentElement
        if (!node || node.closest(':disabled, [aria-disabled="true"], .hero-pictured') || !isShown(icon)) continue
        const ground = groundBelow(node)
        const found = contrast(over(colourOf(getComputedStyle(icon).color), ground, opacityOf(icon)), ground)
        if (found < least.shape) faint.add(`icon in ${node.className || node.tagName}: ${found.toFixed(2)}`)
      }
      for (const node of document.querySelectorAll(shapes)) {
        if (isExempt(node) || !isShown(node)) continue
        const style = getComputedStyle(node)
        const under = groundOf(node.parentElement)
        const parts = [over(colourOf(style.backgroundColor), under)]
        if (style.borderTopStyle !== 'none' && Number.parseFloat(style.borderTopWidth) >= 1)
          parts.push(over(colourOf(style.borderTopColor), under))
        for (const shadow of style.boxShadow.match(/(?:rgba?|color|oklab|oklch)\([^)]+\)/g) ?? []) parts.push(over(colourOf(shadow), under))
        const found = Math.max(...parts.map((part) => contrast(part, under)))
        if (found < least.shape) faint.add(`shape ${node.className || node.tagName}: ${found.toFixed(2)}`)
      }
      return [...faint]
    },
    { least: { text: TEXT, shape: SHAPE }, shapes: SHAPES },
  )
}

/**
 * Pairs of roles without a visible difference, in the order of the selectors: neither their fill nor their edge differs, and none is
 * dashed, hatched or marked where the other is not. A role that is not on the page is reported, too.
 */
export function equalRoles(page: Page, roles: Record<string, string>): Promise<string[]> {
  return page.evaluate((selectors) => {
    const brush = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true })
    /** OKLab with its alpha: distances are what eyes see. */
    const labOf = (css: string): number[] => {
      if (!brush) throw new Error('no canvas')
      brush.clearRect(0, 0, 1, 1)
      brush.fillStyle = css
      brush.fillRect(0, 0, 1, 1)
      const [r8 = 0, g8 = 0, b8 = 0, alpha = 0] = brush.getImageData(0, 0, 1, 1).data
      const [r = 0, g = 0, b = 0] = [r8, g8, b8].map((value) => {
        const unit = value / 255
        return unit <= 0.04045 ? unit / 12.92 : ((unit + 0.055) / 1.055) ** 2.4
      })
      const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
      const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
      const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
      return [
        0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
        1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
        0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
        alpha / 255,
      ]
    }
    const differ = (a: string, b: string) => {
      const [first, two] = [labOf(a), labOf(b)]
      return Math.hypot(...first.map((value, at) => value - (two[at] ?? 0))) > 0.03
    }
    const ringOf = ({ boxShadow }: CSSStyleDeclaration) =>
      boxShadow === 'none' ? 'no ring' : boxShadow.includes('inset') ? 'inner ring' : 'outer ring'
    const seen = Object.entries(selectors).map(([role, selector]) => {
      const node = [...document.querySelectorAll(selector)].find((element) => element.checkVisibility())
      if (!node) return { role, style: null, form: '' }
      const style = getComputedStyle(node)
      const crossed = ['::before', '::after'].some((part) => !['none', 'normal'].includes(getComputedStyle(node, part).content))
      const form = [style.backgroundImage !== 'none', style.borderTopStyle, style.textDecorationLine, ringOf(style), crossed]
      return { role, style: { fill: style.backgroundColor, edge: style.borderTopColor }, form: form.join() }
    })
    return seen.flatMap((element, at) => {
      const { style } = element
      if (!style) return [`${element.role} is not shown`]
      return seen.slice(at + 1).flatMap((two) => {
        if (!two.style || element.form !== two.form || differ(style.fill, two.style.fill) || differ(style.edge, two.style.edge)) return []
        return [`${element.role} = ${two.role}`]
      })
    })
  }, roles)
}

/** What is wrong on a page in each of the invented palettes; nothing, if everything holds. `GALLERY`: a folder for pictures. */
export async function wrongInPalettes(
  page: Page,
  info: TestInfo,
  screen: string,
  roles: Record<string, string> = {},
): Promise<Record<string, string[]>> {
  const wrong: Record<string, string[]> = {}
  for (const [name, theme] of Object.entries(palettes)) {
    await showIn(page, theme)
    const found = [...(await faintParts(page)), ...(await equalRoles(page, roles))]
    if (found.length) wrong[name] = found
    if (process.env.GALLERY)
      await page.screenshot({ path: join(process.env.GALLERY, `${screen}-${name}-${info.project.name}.jpg`), quality: 60 })
  }
  return wrong
}
