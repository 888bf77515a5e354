/** A movement drawn: ghosts, frames, the curves of hand and foot, the solid body, and what it holds or rides. */
import { bicycle, type Move, type MoveName, moves } from './moves.ts'
import type { Palette } from './palette.ts'
import { computeJoints, curve, DEGREE, drawBody, interpolatePoses, type Joints, type Point, short, sticks } from './skeleton.ts'

export interface TraceOptions {
  /** draws itself once in 1.4 s, frame by frame, then rests; still with reduced motion */
  animate?: boolean
  /** bodies in a row behind the first, one per class of a package; 1 to 8 */
  bodies?: number
  /** the floor under the feet */
  floor?: boolean
  /** frames in the quieter shade, for pictures behind a title */
  quiet?: boolean
}

const LAST = 1400
const WEIGHT = 1.1
const STRIDE = 34

/** Opacity comes from the element, so the animation only has its start. */
const animation = `<style>@media (prefers-reduced-motion:no-preference){
.f,.b{animation:a .12s both}.b{animation-duration:.3s}
.p{stroke-dasharray:1;animation:d ${LAST}ms linear both}}
@keyframes a{from{opacity:0}}@keyframes d{from{stroke-dashoffset:1}}</style>`

/** Floors reach past any picture: an image of any proportion is crossed from side to side. */
const floorLine = (y: number, colour: string): string =>
  `<path d="M-4000 ${y}H5000" stroke="${colour}" stroke-width="1" opacity=".5" vector-effect="non-scaling-stroke"/>`

function head(j: Joints, colour: string): string {
  const lean = short(Math.atan2(j.head[1] - j.shoulder[1], j.head[0] - j.shoulder[0]) / DEGREE + 90)
  const [x, y] = [short(j.head[0]), short(j.head[1])]
  return `<ellipse cx="${x}" cy="${y}" rx="8.6" ry="10.4" fill="${colour}" transform="rotate(${lean} ${x} ${y})"/>`
}

function bun(j: Joints, colour: string): string {
  const [ux, uy] = [j.head[0] - j.shoulder[0], j.head[1] - j.shoulder[1]]
  const far = Math.hypot(ux, uy) || 1
  const at: Point = [j.head[0] + (ux / far) * 8 + (uy / far) * 7, j.head[1] + (uy / far) * 8 + (ux / far) * -7]
  return `<circle cx="${short(at[0])}" cy="${short(at[1])}" r="4.6" fill="${colour}"/>`
}

function solidBody(j: Joints, colours: Palette): string {
  const { far, near, arm } = drawBody(j)
  const whole = `${bun(j, colours.figure)}${head(j, colours.figure)}<path d="${near}${arm}" fill="${colours.figure}"/>`
  return `<path d="${far}" fill="${colours.far}"/>${whole}`
}

function ghost(j: Joints, opacity: number, colour: string): string {
  const { far, near, arm } = drawBody(j)
  return `<g opacity="${opacity.toFixed(2)}" fill="${colour}"><path d="${far}${near}${arm}"/>${head(j, colour)}</g>`
}

function gearBehind(move: Move, colours: Palette): string {
  if (move.gear === 'rails') {
    const wheels = Array.from({ length: 14 }, (_, i) => `M${70 + i * 20} 324h0`).join('')
    return (
      `<path d="M56 320H344M56 328H344" stroke="${colours.line}" fill="none" opacity=".6"/>` +
      `<rect x="60" y="306" width="130" height="9" rx="4.5" fill="${colours.hot}" opacity=".9"/>` +
      `<path d="${wheels}" stroke="${colours.line}" stroke-width="3.2" stroke-linecap="round" opacity=".5"/>`
    )
  }
  if (move.gear === 'bicycle') {
    const [x, y] = bicycle.wheel
    const wheel = [14, 24, 34, 44, 54, 64].map((r, i) => `<circle cx="${x}" cy="${y}" r="${r}" opacity="${short(0.25 + i * 0.13)}"/>`)
    const frame = 'M196 258L290 252M150 194L172 316H130M196 258L180 316H220M252 176L262 160M252 172L290 252M290 316H270'
    return `<g fill="none" stroke="${colours.line}">${wheel.join('')}<path d="${frame}" stroke-width="3" opacity=".7"/></g>`
  }
  return ''
}

/** A row of quieter bodies behind the first: the picture of a package. */
function row(move: Move, frames: Joints[], count: number, line: string): string {
  const [x, y] = bicycle.wheel
  return Array.from({ length: count }, (_, i) => count - i)
    .map((step) => {
      const at = (move.solid + step * 2) % (frames.length - 1)
      const j = frames[move.gear === 'bicycle' ? at : Math.max(0, move.solid - step)]
      if (!j) return ''
      const wheel =
        move.gear === 'bicycle'
          ? `<circle cx="${x}" cy="${y}" r="64" fill="none" stroke="${line}" opacity="${(0.4 - 0.045 * step).toFixed(2)}"/>`
          : ''
      return `<g transform="translate(${-step * STRIDE} 0)">${ghost(j, 0.5 - 0.055 * step, line)}${wheel}</g>`
    })
    .join('')
}

/** The inside of an SVG: a movement in the colours of its ground. */
export function trace(name: MoveName, colours: Palette, options: TraceOptions = {}): string {
  const move = moves[name]
  const frames = interpolatePoses(move.keys, move.frames).map(computeJoints)
  const last = frames.length - 1
  const line = options.quiet ? colours.quiet : colours.line
  const moment = (frame: number): number => Math.round((frame / last) * LAST)
  const appears = (kind: 'f' | 'b', at: number): string => (options.animate ? ` class="${kind}" style="animation-delay:${at}ms"` : '')
  const longest = Math.max(move.solid, last - move.solid)

  const lines = frames.map((j, i) => {
    const opacity = move.fade[1] + (move.fade[0] - move.fade[1]) * Math.min(1, Math.abs(i - move.solid) / longest)
    return `<path d="${sticks(j)}" opacity="${opacity.toFixed(2)}"${appears('f', moment(i))}/>`
  })
  const ghosts = frames.map((j, i) => {
    if (!move.ghosts || i === move.solid || (i - move.solid) % move.ghosts) return ''
    const quiet = ghost(j, 0.06 + 0.16 * (1 - Math.abs(i - move.solid) / frames.length), line)
    return options.animate ? `<g${appears('b', moment(i))}>${quiet}</g>` : quiet
  })
  const paths = move.paths.map((joint) => {
    const draws = options.animate ? ' class="p" pathLength="1"' : ''
    return `<path d="${curve(frames.map((j) => j[joint]))}" fill="none" stroke="${colours.hot}" stroke-width="${WEIGHT * 1.5}"${draws}/>`
  })
  const dots = move.dots.map((joint) => {
    const marks = frames.map((j) => `M${short(j[joint][0])} ${short(j[joint][1])}h0`)
    const size = options.animate ? 8 : marks.length
    const groups = Array.from({ length: Math.ceil(marks.length / size) }, (_, i) => marks.slice(i * size, (i + 1) * size).join(''))
    return groups.map((d, i) => `<path d="${d}"${appears('f', moment(Math.min(last, (i + 1) * size)))}/>`).join('')
  })

  const solid = frames[move.solid] ?? frames[last]
  if (!solid) throw new Error(`The movement ${name} has no frames.`)
  const [x, y] = [short(solid.hand1[0]), short(solid.hand1[1])]
  const held = { weight: 15, glove: 10, rails: 0, bicycle: 0 }[move.gear ?? 'rails']
  const weight = held ? `<circle cx="${x}" cy="${y}" r="${held}" fill="${colours.hot}"/>` : ''
  return [
    options.animate ? animation : '',
    options.floor ? floorLine(move.floor, colours.line) : '',
    gearBehind(move, { ...colours, line }),
    row(move, frames, Math.min(8, options.bodies ?? 1) - 1, line),
    ...ghosts,
    `<g fill="none" stroke="${line}" stroke-width="${WEIGHT}" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}</g>`,
    ...paths,
    `<g stroke="${colours.hot}" stroke-width="4.2" stroke-linecap="round">${dots.join('')}</g>`,
    `<g${appears('b', moment(move.solid))}>${solidBody(solid, colours)}${weight}</g>`,
  ].join('')
}

/** Distance between the first and the last body of a row. */
export const rowLength = (bodies: number): number => (Math.min(8, bodies) - 1) * STRIDE
