/** The studio's initial on its brand colour, for studios that uploaded no icon (design section 9). */
import { type Theme, tokens } from '#contract/color.ts'
import type { IconShape } from '#contract/rendering.ts'
import { initialOf } from './letterforms.ts'

const CAPITAL = { tab: 15, home: 14, cut: 11.5 } as const

/** SVG path of a name's initial, with capital height `high`, centred in a 32 x 32 square. */
export function letterInSquare(name: string, high: number, colour: string): string {
  const { width, path } = initialOf(name)
  const scale = Math.min(high / 100, 22 / width)
  const at = (side: number) => (16 - (side * scale) / 2).toFixed(2)
  return `<path transform="translate(${at(width)} ${at(100)}) scale(${scale.toFixed(4)})" fill="${colour}" d="${path}"/>`
}

/** The icon as an SVG file. */
export function brandIcon(of: Theme & { business_name: string }, shape: IconShape): string {
  const { brand, 'on-brand': ink } = tokens(of)
  const corner = shape === 'tab' ? ' rx="9"' : ''
  const initial = letterInSquare(of.business_name, CAPITAL[shape], ink)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32"${corner} fill="${brand}"/>${initial}</svg>`
}
