/**
 * What the product makes of 24 foreign brands: contrasts, roles that differ, a stage in the hue that the studio chose, visible drawings.
 */
import { describe, expect, test } from 'vitest'
import { contrast, lightness, promises, type Theme, tokens } from '#contract/color.ts'
import { palettes } from '#server/testing/palettes.ts'
import { grounds, palette } from './palette.ts'

const all = Object.entries(palettes)

/** Hue in degrees, and chroma from 0 to 1, of the RGB cube. */
function hue(hex: string): { degrees: number; chroma: number } {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255)
  const [max, min] = [Math.max(r, g, b), Math.min(r, g, b)]
  const chroma = max - min
  const sector = chroma === 0 ? 0 : max === r ? ((g - b) / chroma + 6) % 6 : max === g ? (b - r) / chroma + 2 : (r - g) / chroma + 4
  return { degrees: sector * 60, chroma }
}

test('there are 24, of both modes, with light and dark primaries', () => {
  expect(all).toHaveLength(24)
  expect(new Set(all.map(([, { theme_mode }]) => theme_mode)).size).toBe(2)
  expect(all.filter(([, { primary }]) => lightness(primary) > 0.72).length).toBeGreaterThanOrEqual(8)
})

describe.each(all)('%s', (_name, theme: Theme) => {
  const colors = tokens(theme)

  test('every text reaches 4.5 and every shape 3', () => {
    for (const [text, ground, ratio] of promises) {
      expect([text, ground, contrast(colors[text], colors[ground]) >= ratio]).toEqual([text, ground, true])
      expect(ratio).toBeGreaterThanOrEqual(3)
    }
  })

  test('text, surface, action and danger do not look alike', () => {
    // A surface differs from its text; the filled button from its label; danger from the text beside it.
    for (const [a, b] of [
      ['ink', 'canvas'],
      ['brand', 'on-brand'],
      ['stage', 'on-stage'],
      ['stage-action', 'on-stage-action'],
      ['accent', 'on-accent'],
      ['danger', 'ink'],
      ['ok', 'danger'],
      ['ink', 'ink-2'],
    ] as const)
      expect([a, b, colors[a].toLowerCase() === colors[b].toLowerCase()]).toEqual([a, b, false])
  })

  test('a light primary is its own stage by day, with dark text; no stage changes the hue', () => {
    const { primary, theme_mode } = theme
    if (theme_mode === 'noche') return expect(lightness(colors.stage)).toBeLessThan(0.6)
    const isLight = lightness(primary) > 0.72
    expect(lightness(colors.stage) > 0.7).toBe(isLight)
    expect(lightness(colors['on-stage']) < lightness(colors.stage)).toBe(isLight)
    if (!isLight) return
    expect(Math.abs(lightness(colors.stage) - lightness(primary))).toBeLessThan(0.1)
    const [own, shown] = [hue(primary), hue(colors.stage)]
    if (own.chroma > 0.1)
      expect(Math.min(Math.abs(own.degrees - shown.degrees), 360 - Math.abs(own.degrees - shown.degrees))).toBeLessThan(8)
  })

  test('the drawings are visible on every ground', () => {
    for (const ground of grounds) {
      const drawn = palette(theme, ground)
      const reached = { figure: 3, hot: 1.8, far: 1.5, line: 1.25 } as const
      for (const [part, ratio] of Object.entries(reached) as [keyof typeof reached, number][])
        expect([ground, part, contrast(drawn[part], drawn.ground) >= ratio]).toEqual([ground, part, true])
    }
  })
})
