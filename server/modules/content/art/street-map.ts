/** A drawn map of a neighbourhood with a pin: a drawing, not a plan of real streets, which a link opens. Determined by its seed. */

import { mixColours } from '#contract/color.ts'
import { hash } from '#contract/theme-hash.ts'
import type { Palette } from './palette.ts'
import { short } from './skeleton.ts'

/** Width and height of the drawing. */
export const MAP_BOX = [640, 300] as const

/** Half the side of the square that is filled with blocks: it covers the box in every rotation. */
const REACH = 400
const STREET = 13

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
function randomOf(seed: string): () => number {
  let state = hash(seed)
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** The inside of an SVG of `MAP_BOX`: blocks between streets, an avenue, a park, and the pin in the middle. */
export function streetMap(seed: string, colours: Palette): string {
  const random = randomOf(seed)
  const between = (least: number, most: number): number => least + random() * (most - least)
  const [width, height] = MAP_BOX
  const [x, y] = [width / 2, height / 2]
  const block = mixColours(colours.ground, colours.line, 0.2)
  const park = mixColours(colours.ground, colours.hot, 0.34)
  const tree = mixColours(colours.ground, colours.hot, 0.62)
  const turn = between(-16, 16)

  const blocks: string[] = []
  const parkAt = Math.floor(between(0, 2))
  let parks = 0
  for (let top = -REACH; top < REACH; ) {
    const tall = between(46, 92)
    for (let left = -REACH + between(-60, 0); left < REACH; ) {
      const wide = between(64, 150)
      // The park is beside the pin, on one side of it or the other.
      const isNear = top < 0 && top + tall > -110 && (parkAt === 0 ? left < -70 && left + wide > -220 : left > 60 && left < 190)
      if (isNear && parks === 0) {
        parks++
        blocks.push(`<rect x="${short(left)}" y="${short(top)}" width="${short(wide)}" height="${short(tall)}" rx="7" fill="${park}"/>`)
        for (let i = 0; i < 7; i++)
          blocks.push(
            `<circle cx="${short(left + between(12, wide - 12))}" cy="${short(top + between(12, tall - 12))}" r="${short(between(4, 7.5))}" fill="${tree}"/>`,
          )
      } else
        blocks.push(`<rect x="${short(left)}" y="${short(top)}" width="${short(wide)}" height="${short(tall)}" rx="5" fill="${block}"/>`)
      left += wide + STREET
    }
    top += tall + STREET
  }
  const slope = between(0.25, 0.6) * (random() < 0.5 ? -1 : 1)
  const offset = between(46, 84) * (random() < 0.5 ? -1 : 1)
  const avenue = `M${-REACH} ${short(-REACH * slope + offset)}L${REACH} ${short(REACH * slope + offset)}`

  return (
    `<g transform="translate(${x} ${y}) rotate(${short(turn)})">${blocks.join('')}` +
    `<path d="${avenue}" stroke="${colours.ground}" stroke-width="30"/>` +
    `<path d="${avenue}" stroke="${colours.line}" stroke-width="2" stroke-dasharray="14 12"/></g>` +
    `<ellipse cx="${x}" cy="${y + 34}" rx="22" ry="7" fill="${colours.line}" opacity=".5"/>` +
    `<path d="M${x} ${y + 34}C${x - 12} ${y + 10} ${x - 34} ${y - 2} ${x - 34} ${y - 26}A34 34 0 0 1 ${x + 34} ${y - 26}C${x + 34} ${y - 2} ${x + 12} ${y + 10} ${x} ${y + 34}Z" fill="${colours.figure}"/>` +
    `<circle cx="${x}" cy="${y - 26}" r="13" fill="${colours.hot}"/>`
  )
}
