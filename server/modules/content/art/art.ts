/**
 * The drawings as files: `GET /arte/{kind}-{seed}.svg?fondo=…`. A drawing is a function of its address and the theme, so
 * it can be cached for ever under an address with the theme's version (`v`, from `themeHash`).
 */
import { adminTheme, type Theme } from '#contract/color.ts'
import { hash, themeHash } from '#contract/theme-hash.ts'
import { drawBust, personOf } from './bust.ts'
import { drawRays, favicon, mark } from './mark.ts'
import { type MoveName, moveNames, moveOf, moves } from './moves.ts'
import { type Ground, grounds, type Palette, palette } from './palette.ts'
import { MAP_BOX, streetMap } from './street-map.ts'
import { rowLength, trace } from './trace.ts'

/**
 * - `clase`: a class type, seed = slug of its name with its id at the end: the movement by keyword, else by hash
 * - `movimiento`: one movement by its name (`estira`, `yoga`…), for empty states and confirmations
 * - `heroe`: a wide trace (`rueda`, `salto`) that draws itself once; fills its box, aligned to its lower edge
 * - `coach`, `avatar`: a person without photo, seed = slug or id; the avatar is the crop without ground
 * - `mapa`: streets around a pin, seed = slug of the location with its id
 * - `rayos`, `marca`, `favicon`: rays of the mission, mark of the studio, icon of the tab (seed = slug of the name)
 */
export const artKinds = ['clase', 'movimiento', 'heroe', 'coach', 'avatar', 'mapa', 'rayos', 'marca', 'favicon'] as const
export type ArtKind = (typeof artKinds)[number]

export interface Drawing {
  kind: ArtKind
  seed: string
  ground: Ground
  theme: Theme
  /** the floor under the feet, drawn unless the page draws its own 18 units above the lower edge; `clase` and `movimiento` only */
  floor?: boolean
  /** `pie` is shown whole, on the lower edge; `llena` covers its box like a photo */
  fit?: 'pie' | 'llena'
  /** as many bodies as classes of a package, 1 to 8 */
  bodies?: number
}

/** Space under the floor for curves that pass below it. */
const UNDER = 18

const svg = (box: readonly number[], inside: string, fit = 'xMidYMid meet'): string =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${box.join(' ')}" preserveAspectRatio="${fit}">${inside}</svg>`

function moveDrawing(name: MoveName, colours: Palette, { floor = true, fit = 'pie', bodies = 1 }: Drawing): string {
  const { floor: y, window } = moves[name]
  const [left, width, height] = window
  const inside = trace(name, colours, { floor, bodies })
  if (fit === 'llena') return svg([left - 8, y - height + 6, width, height + UNDER], inside, 'xMidYMid slice')
  const behind = rowLength(bodies) * 0.9
  return svg([left - behind, y - height, width + behind, height + UNDER], inside, 'xMidYMax meet')
}

const heroes = ['rueda', 'salto'] as const

function hero(seed: string, colours: Palette): string {
  const name = heroes.find((known) => known === seed) ?? heroes[hash(seed) % 2] ?? 'rueda'
  // As high as the trace itself: the page knows by the box how much room the drawing needs.
  const box = name === 'rueda' ? [10, 140, 960, 226] : [0, 62, 1000, 330]
  return svg(box, trace(name, colours, { animate: true, quiet: true }), 'xMidYMax slice')
}

/** A drawing as the text of an SVG file, in the colours of a theme on one ground. Decorative: the <img> carries the words. */
export function drawing(input: Drawing): string {
  const { kind, seed, theme } = input
  const colours = palette(theme, input.ground)
  switch (kind) {
    case 'clase':
      return moveDrawing(moveOf(seed, hash), colours, input)
    case 'movimiento':
      return moveDrawing(moveNames.find((name) => name === seed) ?? moveOf(seed, hash), colours, input)
    case 'heroe':
      return hero(seed, colours)
    case 'coach':
      return svg([4, 10, 240, 240], drawBust(personOf(seed, colours), colours, true), 'xMidYMid slice')
    case 'avatar':
      return svg([66, 46, 116, 116], drawBust(personOf(seed, colours), { ...colours, hair: colours.avatarHair }, false), 'xMidYMid slice')
    case 'mapa':
      return svg([0, 0, ...MAP_BOX], streetMap(seed, colours), 'xMidYMid slice')
    case 'rayos':
      return svg([0, 0, 400, 400], drawRays(colours))
    case 'marca':
      return svg([0, 0, 32, 32], mark(seed, theme, colours))
    case 'favicon':
      return svg([0, 0, 32, 32], favicon(seed, theme))
  }
}

const ADDRESS = /^\/arte\/([a-z]+)-([a-z0-9-]{1,80})\.svg$/
const oneOf = <T extends string>(known: readonly T[], value: unknown, fallback: T): T | null =>
  value === undefined ? fallback : (known.find((word) => word === value) ?? null)

/**
 * The answer to `GET /arte/{kind}-{seed}.svg`, or null for an address that is not a drawing (404).
 * Query: `fondo` (stage, brand, soft, accent, paper), `piso` (si, no), `forma` (pie, llena), `n` (1 to 8), `v` (version).
 * The version of the administration's theme gives its colours: it is light in a brand of dark pages, too. Immutable only when `v` is the
 * version of this very theme: a process with a stale theme must not have its old colours cached for a year.
 */
export function serveArt(
  path: string,
  query: Readonly<Record<string, unknown>>,
  site: Theme,
): { svg: string; headers: Record<string, string> } | null {
  const [, word, seed] = ADDRESS.exec(path) ?? []
  const kind = artKinds.find((known) => known === word)
  const ground = oneOf(grounds, query.fondo, kind === 'heroe' || kind === 'avatar' ? 'stage' : 'paper')
  const fit = oneOf(['pie', 'llena'], query.forma, 'pie')
  const floor = oneOf(['si', 'no'], query.piso, 'si')
  const bodies = Number(query.n ?? 1)
  const theme = query.v === themeHash(adminTheme(site)) ? adminTheme(site) : site
  if (!kind || !seed || !ground || !fit || !floor || !Number.isInteger(bodies) || bodies < 1 || bodies > 8) return null
  return {
    svg: drawing({ kind, seed, ground, theme, fit, floor: floor === 'si', bodies }),
    headers: {
      'content-type': 'image/svg+xml; charset=utf-8',
      'cache-control': query.v === themeHash(theme) ? 'public, max-age=31536000, immutable' : 'public, no-cache',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    },
  }
}
