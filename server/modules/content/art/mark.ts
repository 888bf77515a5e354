/** Small signs: the marks of the two demo studios, the initial of any other, and the rays behind the mission. */

import { type Hex, type Theme, tokens } from '#contract/color.ts'
import { letterInSquare } from './brand-icon.ts'
import type { Palette } from './palette.ts'
import { short } from './skeleton.ts'

const fan = (colour: Hex): string =>
  `<g fill="none" stroke="${colour}" stroke-width="2.4" stroke-linecap="round"><path d="M16 28L3 12" opacity=".35"/>` +
  `<path d="M16 28L8.6 7" opacity=".6"/><path d="M16 28V5"/><path d="M16 28L23.4 7" opacity=".6"/>` +
  `<path d="M16 28L29 12" opacity=".35"/><circle cx="16" cy="28" r="2.4" fill="${colour}" stroke="none"/></g>`

const forge = (colour: Hex, spark: Hex): string =>
  `<path d="M4 5H28V12H13V16H23V22H13V28H4Z" fill="${colour}"/><path d="M24 18L29 28H19Z" fill="${spark}"/>`

const radiusOf = { recta: 3, suave: 8, redonda: 12 } as const

/** The initial of a name on a brand tile: the favicon, and the mark of a studio that has none (design section 9). */
function initial(seed: string, theme: Theme): string {
  const t = tokens(theme)
  return `<rect width="32" height="32" rx="${radiusOf[theme.theme_shape]}" fill="${t.brand}"/>${letterInSquare(seed, 15, t['on-brand'])}`
}

/** The inside of a 32 x 32 SVG: the mark of a studio by the slug of its name. */
export function mark(seed: string, theme: Theme, colours: Palette): string {
  if (seed === 'vaiven') return fan(colours.mark)
  if (seed === 'fragua') return forge(colours.ground === tokens(theme).paper ? tokens(theme).ink : colours.mark, tokens(theme).brand)
  return initial(seed, theme)
}

/** The inside of a 32 x 32 SVG for the browser's tab: the mark on a brand tile, or the initial. */
export function favicon(seed: string, theme: Theme): string {
  const t = tokens(theme)
  const tile = `<rect width="32" height="32" rx="${radiusOf[theme.theme_shape]}" fill="${t.brand}"/>`
  const small = (inside: string): string => `${tile}<g transform="translate(4.8 4.2) scale(.7)">${inside}</g>`
  if (seed === 'vaiven') return small(fan(t['on-brand']))
  if (seed === 'fragua') return small(forge(t['on-brand'], t['on-brand']))
  return initial(seed, theme)
}

/** The inside of a 400 x 400 SVG: a sun of rays that fades to the left, behind the words of the mission. */
export function drawRays(colours: Palette): string {
  const lines = Array.from({ length: 37 }, (_, i) => {
    const angle = Math.PI - (i / 36) * Math.PI
    const end = `${short(200 + Math.cos(angle) * 360)} ${short(390 - Math.sin(angle) * 360)}`
    return `<path d="M200 390L${end}" opacity="${(0.12 + (i / 36) * 0.5).toFixed(2)}"/>`
  })
  return `<g fill="none" stroke="${colours.figure}" stroke-width="1.2">${lines.join('')}</g>`
}
