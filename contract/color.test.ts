import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  adminCss,
  adminTheme,
  colourUses,
  contrast,
  demoBrands,
  ensureContrast,
  heatSteps,
  luminance,
  mixColours,
  promises,
  type Theme,
  textColourOn,
  themeCss,
  tokens,
  toMarkColours,
} from './color.ts'
import { hash, themeHash } from './theme-hash.ts'

const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const theme: fc.Arbitrary<Theme> = fc.record({
  primary: hex,
  accent: hex,
  dark: hex,
  gray: hex,
  light: hex,
  'primary-light': hex,
  theme_mode: fc.constantFrom('dia', 'noche'),
  theme_shape: fc.constantFrom('recta', 'suave', 'redonda'),
  theme_voice: fc.constantFrom('ancha', 'normal', 'condensada'),
})

// The values that the mock-ups were drawn with: a change of the rule must not repaint the demo studios by accident.
const drawn = {
  vaiven: {
    canvas: '#F6F4EE',
    paper: '#fdfdfb',
    sunk: '#eceae6',
    ink: '#0F1236',
    'ink-2': '#60637c',
    line: '#dddbda',
    'line-2': '#bfbec2',
    'line-3': '#6b6e86',
    brand: '#2B36D9',
    'on-brand': '#F6F4EE',
    'brand-hover': '#2730bf',
    'brand-ink': '#2b36d9',
    'brand-soft': '#DFE3FF',
    'on-brand-soft': '#1d2488',
    accent: '#FFB000',
    'on-accent': '#0F1236',
    'accent-ink': '#8c6100',
    'accent-soft': '#fdeec9',
    stage: '#212aa2',
    'on-stage': '#ffffff',
    'on-stage-2': '#b4b7df',
    'stage-line': '#4d55b5',
    ok: '#117653',
    'ok-soft': '#dcf0e7',
    danger: '#c32b2b',
    'danger-soft': '#f9e7e5',
    warn: '#8a5b00',
    'warn-soft': '#f8ecce',
  },
  fragua: {
    canvas: '#15120F',
    paper: '#23201d',
    sunk: '#0e0c0a',
    ink: '#F3EEE6',
    'ink-2': '#9b928a',
    line: '#393531',
    'line-2': '#585450',
    'line-3': '#8f867d',
    brand: '#FF5A26',
    'on-brand': '#15120F',
    'brand-hover': '#fd7245',
    'brand-ink': '#ff6231',
    'brand-soft': '#482214',
    'on-brand-soft': '#f9a486',
    accent: '#9BE3EA',
    'on-accent': '#15120F',
    'accent-ink': '#9be3ea',
    'accent-soft': '#303c3b',
    stage: '#0f0d0b',
    'on-stage': '#ffffff',
    'on-stage-2': '#adadac',
    'stage-line': '#3f3d3c',
    ok: '#5cc79b',
    'ok-soft': '#1f3c2e',
    danger: '#ff6f86',
    'danger-soft': '#4f292d',
    warn: '#e8b84a',
    'warn-soft': '#493a17',
  },
}

describe('six colours (S1-3.03)', () => {
  test.each(Object.keys(drawn) as (keyof typeof drawn)[])('%s comes out as it was drawn', (name) => {
    const colors: Record<string, string> = tokens(demoBrands[name])
    for (const [role, value] of Object.entries(drawn[name]))
      expect([role, colors[role]?.toLowerCase()]).toEqual([role, value.toLowerCase()])
  })

  test('every text and every shape of any studio reaches the contrast that its role promises (WCAG 1.4.3, 1.4.11)', () => {
    fc.assert(
      fc.property(theme, (any) => {
        const colors = tokens(any)
        for (const [text, ground, ratio] of promises) {
          const reached = contrast(colors[text], colors[ground])
          if (reached < ratio) throw new Error(`${text} on ${ground}: ${reached.toFixed(2)} instead of ${ratio}`)
        }
      }),
      {
        numRuns: 10_000,
        examples: [
          [{ ...demoBrands.vaiven, light: '#808080', dark: '#808080' }],
          [{ ...demoBrands.fragua, dark: '#ffffff', light: '#000000' }],
          [{ ...demoBrands.vaiven, primary: '#E8B4BC' }],
          [{ ...demoBrands.vaiven, primary: '#FFE600' }],
          [{ ...demoBrands.fragua, primary: '#10151F' }],
        ],
      },
    )
  })

  test('the text on every step of a heat map is readable with any colours (WCAG 1.4.3)', () => {
    fc.assert(
      fc.property(theme, (any) => {
        for (const { ground, text } of heatSteps(adminTheme(any))) expect(contrast(text, ground)).toBeGreaterThanOrEqual(4.5)
      }),
      { numRuns: 2_000, examples: [[{ ...demoBrands.vaiven, primary: '#767676' }]] },
    )
    expect(adminCss(demoBrands.fragua)).toContain('--heat-4:#ff5a26;--on-heat-4:')
  })

  test('the admin area keeps the colours and drops mode, shape and voice', () => {
    expect(adminTheme(demoBrands.fragua)).toMatchObject({
      primary: '#FF5A26',
      theme_mode: 'dia',
      theme_shape: 'suave',
      theme_voice: 'normal',
    })
    expect(luminance(tokens(adminTheme(demoBrands.fragua)).canvas)).toBeGreaterThan(0.5)
  })
})

describe('arithmetic of colour', () => {
  test('contrast is symmetric, from 1 to 21', () => {
    expect(contrast('#000000', '#ffffff')).toBeCloseTo(21)
    fc.assert(
      fc.property(hex, hex, (a, b) => {
        expect(contrast(a, b)).toBe(contrast(b, a))
        expect(contrast(a, b)).toBeGreaterThanOrEqual(1)
      }),
    )
  })

  test('a mix starts at the first colour and ends at the second', () => {
    fc.assert(
      fc.property(hex, hex, (a, b) => {
        expect(mixColours(a, b, 0)).toBe(a)
        expect(mixColours(a, b, 1)).toBe(b)
      }),
    )
  })

  test('a colour that already reads is left alone', () => {
    expect(ensureContrast('#2b36d9', ['#ffffff'], 4.5)).toBe('#2b36d9')
  })

  test('whatever the colour, its text reads', () => {
    fc.assert(fc.property(hex, hex, hex, (ground, dark, light) => contrast(textColourOn(ground, { dark, light }), ground) >= 4.5))
  })
})

test('the rule of a theme holds no character that could leave its declaration', () => {
  fc.assert(fc.property(theme, (any) => /^:root\{(?:[\w-]+:[^;{}<>"\\]+;?)+\}$/.test(themeCss(any))))
})

test('the version of a theme changes with each of its nine settings', () => {
  const base = demoBrands.vaiven
  const changed: Theme[] = [
    { ...base, primary: '#2B36DA' },
    { ...base, accent: '#FFB001' },
    { ...base, dark: '#0F1237' },
    { ...base, gray: '#6B6E87' },
    { ...base, light: '#F6F4EF' },
    { ...base, 'primary-light': '#DFE3FE' },
    { ...base, theme_mode: 'noche' },
    { ...base, theme_shape: 'recta' },
    { ...base, theme_voice: 'normal' },
  ]
  expect(new Set([base, ...changed].map(themeHash)).size).toBe(10)
  expect(themeHash(base)).toMatch(/^[0-9a-f]{8}$/)
  expect(hash('reformer')).toBe(hash('reformer'))
})

test('a colour that marks something contrasts with every surface, and its text with it, whatever the colours of the studio (WCAG 1.4.3, 1.4.11)', () => {
  fc.assert(
    fc.property(hex, theme, (colour, any) => {
      const { ground, ink, edge } = toMarkColours(colour, any)
      const { canvas, paper, sunk } = tokens(any)
      for (const surface of [canvas, paper, sunk]) expect(contrast(edge, surface)).toBeGreaterThanOrEqual(3.1)
      expect(contrast(ink, ground)).toBeGreaterThanOrEqual(4.5)
    }),
  )
  // One that contrasts is its own edge; a light one keeps its tone and gets a darker edge.
  expect(toMarkColours('#2B36D9', demoBrands.vaiven).edge).toBe('#2b36d9')
  const yellow = toMarkColours('#F4E04D', demoBrands.vaiven)
  expect([yellow.ground, yellow.edge === yellow.ground]).toEqual(['#F4E04D', false])
})

describe('how each of the six colours is used (design 4)', () => {
  test('what is promised can be read, whatever the colours; only what could not is replaced', () => {
    fc.assert(
      fc.property(theme, (any) => {
        for (const { ratio, replaced } of colourUses(any)) {
          expect(ratio).toBeGreaterThanOrEqual(4.5)
          if (replaced) expect(replaced.ratio).toBeLessThan(7.3)
        }
      }),
    )
  })

  test('the accent of Vaivén is replaced in texts, its other colours are used as they are', () => {
    const uses = colourUses(demoBrands.vaiven)
    expect(uses.map(({ key, ratio }) => [key, ratio])).toEqual([
      ['primary', 7.2],
      ['accent', 9.8],
      ['dark', 16.4],
      ['gray', 5.3],
      ['light', 16.4],
      ['primary-light', 9.9],
    ])
    expect(uses.filter(({ replaced }) => replaced).map(({ key, replaced }) => [key, replaced])).toEqual([
      ['accent', { by: '#8c6100', as: 'text', ratio: 1.6 }],
    ])
  })

  test('a light colour in which nothing can be read is moved as a background', () => {
    const [, , dark, , light] = colourUses({ ...demoBrands.vaiven, light: '#777777' })
    expect(light?.replaced).toMatchObject({ as: 'ground' })
    expect(light?.ratio).toBeGreaterThanOrEqual(7)
    expect(dark?.ratio).toBeGreaterThanOrEqual(7)
  })
})
