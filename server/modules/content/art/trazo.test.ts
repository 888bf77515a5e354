import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adminTheme, contrast, demoBrands, type Theme, tokens } from '#contract/color.ts'
import { hash, themeHash } from '#contract/theme-hash.ts'
import { artKinds, drawing, serveArt } from './art.ts'
import { hairNames, personOf } from './bust.ts'
import { moveNames, moveOf, moves } from './moves.ts'
import { grounds, palette } from './palette.ts'
import { bones, computeJoints, interpolatePoses, type Point, type Pose } from './skeleton.ts'

const { vaiven, fragua } = demoBrands
const far = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1])
const hex = fc.integer({ min: 0, max: 0xffffff }).map((value) => `#${value.toString(16).padStart(6, '0')}`)
const anyTheme: fc.Arbitrary<Theme> = fc.record({
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
const get = (path: string, query: Record<string, unknown> = {}, theme: Theme = vaiven) => serveArt(path, query, theme)

/** Opened and closed in order, no attribute left empty, every number a number. */
function wellFormed(svg: string): void {
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="-?[\d.]+ -?[\d.]+ [\d.]+ [\d.]+"/)
  expect(svg).not.toMatch(/NaN|undefined|Infinity|var\(/)
  const open: string[] = []
  for (const [, close, name, self] of svg.matchAll(/<(\/?)([a-z]+)[^>]*?(\/?)>/gi)) {
    if (close) expect(open.pop()).toBe(name)
    else if (!self) open.push(name ?? '')
  }
  expect(open).toEqual([])
}

describe('the skeleton', () => {
  test('bones keep their length in any pose', () => {
    const angle = fc.double({ min: -360, max: 360, noNaN: true })
    const pose: fc.Arbitrary<Pose> = fc.record({
      x: angle,
      y: angle,
      t: angle,
      n: angle,
      a1: angle,
      f1: angle,
      a2: angle,
      f2: angle,
      l1: angle,
      s1: angle,
      l2: angle,
      s2: angle,
      p1: angle,
      p2: angle,
    })
    fc.assert(
      fc.property(pose, (any) => {
        const j = computeJoints(any)
        expect(far(j.hip, j.shoulder)).toBeCloseTo(bones.torso)
        expect(far(j.shoulder, j.elbow1)).toBeCloseTo(bones.upperArm)
        expect(far(j.elbow2, j.hand2)).toBeCloseTo(bones.forearm)
        expect(far(j.hip, j.knee1)).toBeCloseTo(bones.thigh)
        expect(far(j.knee2, j.ankle2)).toBeCloseTo(bones.shin)
      }),
    )
  })

  test.each(moveNames)('%s starts and ends on its key poses and never goes below its floor', (name) => {
    const move = moves[name]
    const frames = interpolatePoses(move.keys, move.frames)
    expect(frames).toHaveLength(move.frames)
    expect(frames[0]?.x).toBeCloseTo(move.keys[0]?.x ?? 0)
    expect(frames.at(-1)?.t).toBeCloseTo(move.keys.at(-1)?.t ?? 0)
    const solid = frames[move.solid]
    if (!solid) throw new Error('no solid body')
    const { ankle1, ankle2, hip } = computeJoints(solid)
    expect(Math.max(ankle1[1], ankle2[1], hip[1])).toBeLessThanOrEqual(move.floor + 1)
  })
})

describe('a class type without image', () => {
  test.each([
    ['reformer-flow-1', 'reformer'],
    ['barre-fuerte-2', 'battement'],
    ['ciclo-45-3', 'ciclo'],
    ['vinyasa-4', 'yoga'],
    ['fuerza-y-centro-5', 'fuerza'],
    ['yin-al-atardecer-6', 'estira'],
    ['box-tecnico-7', 'box'],
    ['movilidad-8', 'yoga'],
    ['descarga-9', 'estira'],
    ['salto-10', 'salto'],
    ['acro-yoga-11', 'yoga'],
    ['Gimnasia', 'rueda'],
  ])('%s is drawn as %s', (seed, move) => expect(moveOf(seed, hash)).toBe(move))

  test('an unknown name is drawn by its id, so that renaming changes nothing', () => {
    expect(moveOf('clase-especial-31', hash)).toBe(moveOf('domingos-con-ana-31', hash))
    const drawn = new Set(Array.from({ length: 40 }, (_, id) => moveOf(`clase-${id}`, hash)))
    expect(drawn.size).toBe(5)
  })
})

describe('a person without photo', () => {
  test('looks the same on every background', () => {
    for (const ground of grounds)
      expect(personOf('ana-12', palette(vaiven, ground))).toMatchObject({ hair: personOf('ana-12', palette(vaiven, 'stage')).hair })
  })

  test('a person without photo has a beard only when the seed says so', () => {
    const colours = palette(vaiven, 'stage')
    fc.assert(fc.property(fc.stringMatching(/^[a-z]{1,8}-\d{1,4}$/), (seed) => !personOf(seed, colours).beard))
    expect(personOf('hector-3-corto-barba', colours)).toMatchObject({ hair: 'corto', beard: true })
    expect(personOf('inigo-larrea-2', colours)).toMatchObject({ hair: 'corto', beard: true })
  })

  test.each(hairNames)('%s is a complete drawing', (hair) =>
    wellFormed(drawing({ kind: 'coach', seed: `x-${hair}-barba`, ground: 'stage', theme: fragua })),
  )
})

describe('a drawing as a file', () => {
  test('every kind, background and brand is well-formed, in fixed colours and within 40 KB', () => {
    for (const theme of [vaiven, fragua])
      for (const kind of artKinds)
        for (const ground of grounds)
          for (const seed of kind === 'movimiento' ? moveNames : ['vaiven', 'fragua', 'otro-7']) {
            const svg = drawing({ kind, seed, ground, theme, bodies: kind === 'clase' ? 8 : 1 })
            wellFormed(svg)
            expect(svg.length).toBeLessThan(40_000)
          }
  })

  test('the body has contrast with its background, whatever six colours a studio chose', () => {
    fc.assert(
      fc.property(anyTheme, fc.constantFrom(...grounds), (theme, ground) => {
        const colours = palette(theme, ground)
        expect(contrast(colours.figure, colours.ground)).toBeGreaterThanOrEqual(3)
        expect(contrast(colours.hot, colours.ground)).toBeGreaterThanOrEqual(1.8)
        expect(contrast(colours.line, colours.ground)).toBeGreaterThanOrEqual(1.25)
      }),
      { numRuns: 500 },
    )
  })

  test('only the hero is animated, and not with reduced motion', () => {
    const hero = get('/arte/heroe-salto.svg')?.svg
    expect(hero).toContain('prefers-reduced-motion:no-preference')
    expect(get('/arte/clase-barre-2.svg')?.svg).not.toContain('animation')
  })

  test('the row of a package has one body per class, up to eight', () => {
    const bodies = (n: number): number => (get('/arte/clase-ciclo-1.svg', { n })?.svg.match(/<ellipse/g) ?? []).length
    expect([1, 3, 8].map(bodies)).toEqual([1, 3, 8])
  })

  test('a map is the same for the same location, and another for another', () => {
    const map = (seed: string) => get(`/arte/mapa-${seed}.svg`)?.svg
    expect(map('roma-1')).toBe(map('roma-1'))
    expect(map('roma-1')).not.toBe(map('angel-2'))
    for (let id = 0; id < 40; id++) expect(map(`lugar-${id}`)?.match(/<circle/g)?.length).toBe(8)
  })

  test('an unknown URL is not found', () => {
    for (const path of [
      '/arte/clase-.svg',
      '/arte/nada-x.svg',
      '/arte/clase-<b>.svg',
      '/arte/clase-x.png',
      '/arte/../x.svg',
      `/arte/clase-${'x'.repeat(81)}.svg`,
    ])
      expect(get(path)).toBeNull()
    for (const query of [
      { fondo: 'rojo' },
      { fondo: ['stage', 'soft'] },
      { n: '9' },
      { n: '1.5' },
      { n: 'x' },
      { piso: '1' },
      { forma: '' },
    ])
      expect(get('/arte/clase-barre-2.svg', query)).toBeNull()
  })

  test('a drawing as a file is cached for ever only under the version of the theme that drew it', () => {
    const cacheControl = (v?: string) => get('/arte/clase-barre-2.svg', { v })?.headers['cache-control']
    expect(cacheControl(themeHash(vaiven))).toContain('immutable')
    expect(cacheControl(themeHash(fragua))).toBe('public, no-cache')
    expect(cacheControl()).toBe('public, no-cache')
  })

  test('a drawing as a file has the colours of the administration under the version of its theme, also in a brand of dark pages', () => {
    const admin = adminTheme(fragua)
    const art = get('/arte/movimiento-estira.svg', { v: themeHash(admin) }, fragua)
    expect(art?.headers['cache-control']).toContain('immutable')
    expect(art?.svg).toBe(drawing({ kind: 'movimiento', seed: 'estira', ground: 'paper', theme: admin, fit: 'pie', floor: true }))
    expect(art?.svg).toContain(palette(admin, 'paper').figure)
    expect(contrast(palette(admin, 'paper').figure, tokens(admin).paper)).toBeGreaterThanOrEqual(3)
    expect(get('/arte/movimiento-estira.svg', { v: themeHash(fragua) }, fragua)?.svg).not.toBe(art?.svg)
  })

  test('of the URL only one letter reaches the file', () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 90 }), fc.constantFrom(...artKinds), (seed, kind) => {
        const art = get(`/arte/${kind}-${seed}.svg`)
        return art === null || !/<script|on\w+=|javascript:/i.test(art.svg)
      }),
    )
  })
})
