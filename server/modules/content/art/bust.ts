/** A person without photo: a bust in two planes of light, with the outlines of a turning head behind (design section 9). */
import type { Hex } from '#contract/color.ts'
import { hash } from '#contract/theme-hash.ts'
import type { Palette } from './palette.ts'
import { short } from './skeleton.ts'

/** Centre of the face; everything else is measured from it. */
const X = 124
const Y = 104

export const hairNames = ['chongo', 'corto', 'largo', 'rizo', 'coleta', 'rapado'] as const
export type HairName = (typeof hairNames)[number]

export interface Person {
  hair: HairName
  beard: boolean
  top: Hex
}

/** The coaches of the two demo studios, as in the mock-ups: by first name. */
const demoPeople: Record<string, string> = {
  renata: 'chongo',
  inigo: 'corto-barba',
  mariana: 'rizo',
  ximena: 'coleta',
  tomas: 'rapado',
  emilio: 'rapado-barba',
  lucia: 'largo',
  david: 'rapado-barba',
  valeria: 'coleta',
  rodrigo: 'corto-barba',
  itzel: 'rizo',
  paloma: 'largo',
  bruno: 'corto',
  nora: 'chongo',
  alberto: 'corto-barba',
}

/** Hair styles from which the hash chooses, for all persons. A beard is never guessed. */
const anyHair = ['corto', 'rizo', 'coleta', 'chongo', 'largo'] as const satisfies readonly HairName[]

/**
 * Hair, beard and clothes of a person without photo, the same for the same seed on every ground. A seed may name them
 * ("ana-sofia-3-coleta", "hector-corto-barba"); otherwise its hash chooses.
 */
export function personOf(seed: string, colours: Pick<Palette, 'tops' | 'hot'>): Person {
  const words = seed.split('-')
  const traits = [...words, ...(demoPeople[words[0] ?? '']?.split('-') ?? [])]
  const number = hash(`retrato ${seed}`)
  const hair = hairNames.find((name) => traits.includes(name)) ?? anyHair[number % anyHair.length] ?? 'corto'
  return { hair, beard: traits.includes('barba'), top: colours.tops[(number >>> 4) % colours.tops.length] ?? colours.hot }
}

/** A point by its distance from the centre of the face, as the paths below write it. */
const p = (dx: number, dy: number): string => `${short(X + dx)} ${short(Y + dy)}`
const c = (...points: [number, number][]): string => `C${points.map(([dx, dy]) => p(dx, dy)).join(' ')}`

const filled = (d: string, colour: Hex): string => `<path d="${d}" fill="${colour}"/>`
const stroke = (d: string, colour: Hex, width: number): string =>
  `<path d="${d}" fill="none" stroke="${colour}" stroke-width="${width}" stroke-linecap="round"/>`

/** Hair that covers the head from ear to ear; `front` is the path over the face. */
const cap = (front: string): string => `M${p(-28, 3)}${c([-33, -52], [34, -52], [28.5, 1])}${front}Z`

const hair: Record<HairName, (colour: Hex) => string> = {
  chongo: (colour) =>
    `<ellipse cx="${X - 4}" cy="${Y - 45}" rx="14" ry="12" fill="${colour}"/>` +
    filled(cap(c([26, -14], [12, -22], [2, -22]) + c([-12, -22], [-24, -12], [-28, 3])), colour),
  corto: (colour) =>
    filled(cap(c([27, -8], [24, -14], [18, -18]) + c([4, -10], [-12, -12], [-21, -8]) + c([-24, -6], [-25, 6], [-28, 3])), colour),
  largo: (colour) =>
    filled(
      `M${p(-26, 64)}${c([-44, 20], [-42, -42], [0, -40])}${c([42, -42], [44, 20], [26, 64])}` +
        `${c([32, 24], [30, -4], [8, -24])}${c([-2, -10], [-20, -8], [-25, 4])}${c([-28, 24], [-28, 44], [-26, 64])}`,
      colour,
    ),
  rizo: (colour) => {
    const curls = [
      [-27, -6, 13],
      [-24, -24, 15],
      [-8, -36, 16],
      [11, -35, 15],
      [25, -22, 14],
      [28, -4, 12],
      [-31, 9, 10],
      [31, 10, 9],
      [0, -30, 16],
    ] as const
    return `<g fill="${colour}">${curls.map(([dx, dy, r]) => `<circle cx="${X + dx}" cy="${Y + dy}" r="${r}"/>`).join('')}</g>`
  },
  coleta: (colour) =>
    filled(`M${p(-22, -22)}${c([-56, -30], [-62, 18], [-46, 52])}${c([-42, 26], [-40, 8], [-24, -4])}Z`, colour) +
    filled(cap(c([18, -8], [8, -18], [4, -24]) + c([-8, -12], [-24, -10], [-28, 3])), colour),
  rapado: (colour) => filled(cap(`${c([24, -16], [20, -20], [14, -21])}L${p(-14, -21)}${c([-20, -20], [-25, -14], [-28, 3])}`), colour),
}

const behind: Partial<Record<HairName, (colour: Hex) => string>> = {
  largo: (colour) => filled(`M${p(-36, 66)}${c([-50, 0], [-36, -36], [0, -36])}S${p(50, 0)} ${p(36, 66)}Z`, colour),
  rizo: (colour) => `<ellipse cx="${X}" cy="${Y - 6}" rx="38" ry="38" fill="${colour}"/>`,
}

/** Nine outlines of the same head turning away. */
function turning(line: Hex): string {
  const outlines = Array.from({ length: 9 }, (_, i) => {
    const at = X - (i + 1) * 11.5
    const width = 26 - Math.abs(i - 4) * 0.7
    const shoulders =
      `M${at - 72} 250C${at - 70} 176 ${at - 24} 168 ${at - 11} 160V132` +
      `M${at + 72} 250C${at + 70} 176 ${at + 24} 168 ${at + 11} 160V132`
    const face = `<ellipse cx="${at}" cy="${short(Y + (i + 1) * 0.6)}" rx="${short(width)}" ry="33"/>`
    return `<g opacity="${(0.68 - i * 0.07).toFixed(2)}">${face}<path d="${shoulders}"/></g>`
  })
  return `<g fill="none" stroke="${line}" stroke-width="1.1">${outlines.join('')}</g>`
}

const neckLeft = `M${X - 76} 260C${X - 74} 182 ${X - 30} 172 ${X - 13} 164`
const clothes = `M${X - 76} 260C${X - 75} 206 ${X - 56} 184 ${X - 42} 178C${X - 30} 212 ${X + 30} 212 ${X + 42} 178C${X + 56} 184 ${X + 75} 206 ${X + 76} 260Z`
const face = `M${p(-26, -4)}${c([-26, -42], [27, -42], [27, -4])}${c([27, 16], [18, 38], [2, 38])}${c([-14, 38], [-26, 16], [-26, -4])}Z`
const profile =
  `M${p(-26, -4)}${c([-26, -30], [-10, -36], [4, -33])}${c([6, -22], [3, -12], [4, -7])}${c([6, 0], [13, 7], [11, 11])}` +
  `${c([9, 13], [5, 12], [5, 15])}${c([5, 18], [9, 19], [9, 21.5])}${c([9, 24], [4, 25], [5, 29])}${c([6, 33], [5, 36], [2, 38])}` +
  `${c([-14, 38], [-26, 16], [-26, -4])}Z`
const beardShape =
  `M${p(-25, 4)}${c([-22, 14], [-14, 14], [-8, 15])}${c([2, 12], [14, 12], [18, 14])}${c([23, 13], [26, 8], [27, 3])}` +
  `${c([28, 26], [18, 44], [2, 44])}${c([-16, 44], [-27, 24], [-25, 4])}Z`

/** The inside of an SVG of 240 x 240 around the bust; `outlines` are left out of an avatar. */
export function drawBust(person: Person, colours: Palette, outlines: boolean): string {
  const chest = `${neckLeft}L${X + 13} 164C${X + 30} 172 ${X + 74} 182 ${X + 76} 260Z`
  const shaded = `${neckLeft}L${X - 13} ${Y + 20}H${X + 13}V${Y + 40}C${X + 2} ${Y + 46} ${X - 2} 168 ${X - 2} 190C${X - 2} 214 ${X - 30} 230 ${X - 34} 260Z`
  return [
    outlines ? turning(colours.line) : '',
    behind[person.hair]?.(colours.hair) ?? '',
    filled(chest, colours.skin),
    filled(shaded, colours.shade),
    filled(clothes, person.top),
    filled(face, colours.skin),
    filled(profile, colours.shade),
    stroke(`M${p(-15, -2)}${c([-12, 1], [-6, 1], [-3, -2])}`, colours.skin, 1.8),
    stroke(`M${p(11, -2)}${c([14, 1], [18, 1], [21, -2])}`, colours.shade, 1.8),
    person.beard ? filled(beardShape, colours.hair) + stroke(`M${p(0, 22)}${c([4, 24], [9, 24], [12, 21])}`, colours.shade, 2) : '',
    hair[person.hair](colours.hair),
  ].join('')
}
