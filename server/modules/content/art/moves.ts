/** The nine movements: key poses drawn by hand, where the floor is and what the movement is done with. */
import { bones, DEGREE, type Joints, type Point, type Pose } from './skeleton.ts'

export const moveNames = ['reformer', 'battement', 'ciclo', 'yoga', 'fuerza', 'box', 'estira', 'salto', 'rueda'] as const
export type MoveName = (typeof moveNames)[number]

export interface Move {
  keys: Pose[]
  /** how many frames the trace has, and which one is the solid body */
  frames: number
  solid: number
  /** joints that leave a curve, and those whose curve carries a dot per frame */
  paths: (keyof Joints)[]
  dots: (keyof Joints)[]
  /** opacity of the frame furthest from the solid body, and of the nearest */
  fade: readonly [far: number, near: number]
  /** a translucent body every so many frames; 0 for none */
  ghosts: number
  floor: number
  /** the viewport that shows the movement on its floor: left edge, width, height above the floor */
  window: readonly [left: number, width: number, height: number]
  gear?: 'rails' | 'bicycle' | 'weight' | 'glove'
}

/** Saddle, crank and wheel of the bicycle, and the length of the crank. */
export const bicycle = { saddle: [150, 178] as Point, crank: [196, 258] as Point, wheel: [290, 252] as Point, arm: 27 }

/** Angles of thigh and shin that bring the foot to a point: two bones, one solution with the knee forward. */
function leg(hip: Point, foot: Point): [thigh: number, shin: number] {
  const [dx, dy] = [foot[0] - hip[0], hip[1] - foot[1]]
  const far = Math.min(Math.hypot(dx, dy), bones.thigh + bones.shin - 0.1)
  const bend = Math.acos((bones.thigh ** 2 + far ** 2 - bones.shin ** 2) / (2 * bones.thigh * far))
  const thigh = Math.atan2(dy, dx) + bend
  const knee: Point = [hip[0] + Math.cos(thigh) * bones.thigh, hip[1] - Math.sin(thigh) * bones.thigh]
  return [thigh / DEGREE, Math.atan2(knee[1] - foot[1], foot[0] - knee[0]) / DEGREE]
}

function pedalling(): Pose[] {
  const { saddle, crank, arm } = bicycle
  return Array.from({ length: 25 }, (_, i) => {
    const turn = ((-360 * i) / 24 + 60) * DEGREE
    const [dx, dy] = [Math.cos(turn) * arm, Math.sin(turn) * arm]
    const [l1, s1] = leg(saddle, [crank[0] + dx, crank[1] - dy])
    const [l2, s2] = leg(saddle, [crank[0] - dx, crank[1] + dy])
    const sway = Math.sin((i / 24) * Math.PI * 2) * 5
    const arms = { a1: -38 - sway, f1: -16, a2: -38 - sway, f2: -16 }
    return { x: saddle[0], y: saddle[1], t: 48 + sway, n: 44 + sway, ...arms, l1, s1, l2, s2, p1: -14, p2: -14 }
  })
}

function cartwheel(): Pose[] {
  return Array.from({ length: 13 }, (_, i) => {
    const u = i / 12
    const a = -360 * u
    const arms = { a1: 58 + a, f1: 54 + a, a2: 122 + a, f2: 126 + a }
    const legs = { l1: -62 + a, s1: -60 + a, l2: -118 + a, s2: -120 + a, p1: -50 + a, p2: -130 + a }
    return { x: 80 + 820 * u, y: 262 - 8 * Math.sin(u * Math.PI * 4), t: 90 + a, n: 90 + a, ...arms, ...legs }
  })
}

const uprightPose = { l2: -90, s2: -90, p2: 0 }
const bow = { x: 190, y: 222, l1: -88, s1: -90, l2: -94, s2: -90, p1: 0, p2: 0 }
const sitting = { x: 170, y: 292, l1: 2, s1: 0, l2: -2, s2: 0, p1: 80, p2: 80 }
const upright = { l1: -88, s1: -90, l2: -94, s2: -90, p1: 0, p2: 0 }

export const moves: Record<MoveName, Move> = {
  salto: {
    keys: [
      { x: 60, y: 300, t: 74, n: 80, a1: -60, f1: -40, a2: -120, f2: -100, l1: -60, s1: -100, l2: -112, s2: -128, p1: -10, p2: -60 },
      { x: 190, y: 306, t: 66, n: 74, a1: -50, f1: -20, a2: -140, f2: -120, l1: -40, s1: -106, l2: -128, s2: -150, p1: -14, p2: -80 },
      { x: 330, y: 250, t: 76, n: 84, a1: 0, f1: 18, a2: -165, f2: -160, l1: 0, s1: -30, l2: -125, s2: -140, p1: -20, p2: -120 },
      { x: 500, y: 170, t: 84, n: 92, a1: 42, f1: 52, a2: 168, f2: 172, l1: 6, s1: 8, l2: -174, s2: -178, p1: 6, p2: -176 },
      { x: 670, y: 205, t: 80, n: 88, a1: 40, f1: 46, a2: 150, f2: 160, l1: -24, s1: -28, l2: -176, s2: -190, p1: -26, p2: -190 },
      { x: 820, y: 290, t: 76, n: 84, a1: 20, f1: 26, a2: 140, f2: 150, l1: -66, s1: -84, l2: -150, s2: -196, p1: -6, p2: -200 },
      { x: 930, y: 302, t: 82, n: 86, a1: 10, f1: 16, a2: 160, f2: 168, l1: -78, s1: -92, l2: -124, s2: -150, p1: 0, p2: -120 },
    ],
    frames: 61,
    solid: 30,
    paths: ['hand1', 'toe2', 'head'],
    dots: ['hand1', 'toe2'],
    fade: [0.16, 0.62],
    ghosts: 10,
    floor: 392,
    window: [262, 480, 400],
  },
  rueda: {
    keys: cartwheel(),
    frames: 73,
    solid: 42,
    paths: ['hand1', 'toe2'],
    dots: ['hand1', 'toe2'],
    fade: [0.18, 0.7],
    ghosts: 9,
    floor: 366,
    window: [330, 480, 376],
  },
  battement: {
    keys: [
      { x: 200, y: 241, t: 90, n: 92, a1: -70, f1: -50, a2: -110, f2: -128, l1: -92, s1: -94, p1: -60, ...uprightPose },
      { x: 200, y: 241, t: 91, n: 92, a1: -30, f1: -10, a2: -150, f2: -168, l1: -30, s1: -32, p1: -34, ...uprightPose },
      { x: 200, y: 241, t: 95, n: 92, a1: 20, f1: 40, a2: 160, f2: 150, l1: 34, s1: 34, p1: 32, ...uprightPose },
      { x: 200, y: 241, t: 99, n: 104, a1: 60, f1: 84, a2: 150, f2: 160, l1: 84, s1: 86, p1: 84, ...uprightPose },
    ],
    frames: 30,
    solid: 29,
    paths: ['hand1', 'toe1'],
    dots: ['toe1'],
    fade: [0.12, 0.85],
    ghosts: 0,
    floor: 330,
    window: [70, 300, 270],
  },
  reformer: {
    keys: [
      { x: 150, y: 250, t: 34, n: 20, a1: -62, f1: -62, a2: -62, f2: -62, l1: -160, s1: -166, l2: -158, s2: -164, p1: -100, p2: -100 },
      { x: 178, y: 240, t: 44, n: 36, a1: -78, f1: -74, a2: -78, f2: -74, l1: -142, s1: -168, l2: -140, s2: -166, p1: -100, p2: -100 },
      { x: 205, y: 215, t: 70, n: 74, a1: -40, f1: -30, a2: -48, f2: -36, l1: -120, s1: -182, l2: -50, s2: -92, p1: -110, p2: 0 },
      { x: 225, y: 205, t: 86, n: 92, a1: 20, f1: 28, a2: 160, f2: 152, l1: -132, s1: -176, l2: -30, s2: -96, p1: -110, p2: 0 },
      { x: 232, y: 204, t: 94, n: 102, a1: 62, f1: 80, a2: 118, f2: 100, l1: -140, s1: -170, l2: -24, s2: -96, p1: -110, p2: 0 },
    ],
    frames: 28,
    solid: 27,
    paths: ['hand1', 'head'],
    dots: ['hand1'],
    fade: [0.12, 0.85],
    ghosts: 0,
    floor: 330,
    window: [56, 300, 262],
    gear: 'rails',
  },
  ciclo: {
    keys: pedalling(),
    frames: 25,
    solid: 4,
    paths: ['knee1', 'ankle1'],
    dots: ['knee1', 'ankle1'],
    fade: [0.35, 0.8],
    ghosts: 0,
    floor: 318,
    window: [78, 290, 236],
    gear: 'bicycle',
  },
  yoga: {
    keys: [
      { ...bow, t: 118, n: 132, a1: 128, f1: 138, a2: 124, f2: 132 },
      { ...bow, t: 96, n: 98, a1: 94, f1: 92, a2: 90, f2: 88 },
      { ...bow, t: 40, n: 36, a1: 38, f1: 36, a2: 34, f2: 32 },
      { ...bow, x: 184, t: -14, n: -30, a1: -16, f1: -20, a2: -20, f2: -24 },
      { ...bow, x: 176, t: -62, n: -84, a1: -74, f1: -76, a2: -78, f2: -80 },
    ],
    frames: 32,
    solid: 0,
    paths: ['hand1', 'head'],
    dots: ['hand1'],
    fade: [0.12, 0.85],
    ghosts: 0,
    floor: 311,
    window: [48, 300, 250],
  },
  fuerza: {
    keys: [
      { x: 176, y: 246, t: 20, n: 34, a1: -128, f1: -128, a2: -126, f2: -126, l1: -38, s1: -112, l2: -38, s2: -112, p1: 0, p2: 0 },
      { x: 186, y: 232, t: 46, n: 54, a1: -86, f1: -84, a2: -84, f2: -82, l1: -58, s1: -104, l2: -60, s2: -104, p1: 0, p2: 0 },
      { x: 198, y: 222, t: 84, n: 88, a1: -20, f1: -14, a2: -18, f2: -12, l1: -86, s1: -92, l2: -92, s2: -90, p1: 0, p2: 0 },
      { x: 200, y: 221, t: 94, n: 98, a1: 36, f1: 42, a2: 38, f2: 44, ...upright },
      { x: 200, y: 221, t: 96, n: 102, a1: 84, f1: 88, a2: 86, f2: 90, ...upright },
    ],
    frames: 30,
    solid: 29,
    paths: ['hand1'],
    dots: ['hand1'],
    fade: [0.12, 0.85],
    ghosts: 0,
    floor: 310,
    window: [76, 280, 262],
    gear: 'weight',
  },
  box: {
    keys: [
      { x: 140, y: 228, t: 84, n: 82, a1: -70, f1: 70, a2: -88, f2: 64, l1: -62, s1: -96, l2: -120, s2: -104, p1: 0, p2: -20 },
      { x: 158, y: 230, t: 80, n: 78, a1: -40, f1: 40, a2: -100, f2: 60, l1: -54, s1: -96, l2: -126, s2: -110, p1: 0, p2: -30 },
      { x: 186, y: 236, t: 68, n: 70, a1: 0, f1: 2, a2: -120, f2: 50, l1: -42, s1: -98, l2: -138, s2: -128, p1: 0, p2: -50 },
      { x: 196, y: 238, t: 64, n: 68, a1: 2, f1: 2, a2: -126, f2: 48, l1: -38, s1: -98, l2: -142, s2: -134, p1: 0, p2: -58 },
    ],
    frames: 26,
    solid: 25,
    paths: ['hand1', 'head'],
    dots: ['hand1'],
    fade: [0.12, 0.85],
    ghosts: 0,
    floor: 324,
    window: [60, 290, 226],
    gear: 'glove',
  },
  estira: {
    keys: [
      { ...sitting, t: 104, n: 112, a1: 96, f1: 98, a2: 100, f2: 102 },
      { ...sitting, t: 90, n: 92, a1: 84, f1: 80, a2: 88, f2: 84 },
      { ...sitting, t: 56, n: 50, a1: 44, f1: 38, a2: 48, f2: 42 },
      { ...sitting, t: 24, n: 8, a1: 10, f1: 2, a2: 12, f2: 4 },
    ],
    frames: 26,
    solid: 25,
    paths: ['hand1', 'head'],
    dots: ['hand1'],
    fade: [0.12, 0.85],
    ghosts: 0,
    floor: 304,
    window: [96, 210, 200],
  },
}

/** Words of a class name and the movement that draws it, the more particular first ("Reformer Flow" is no yoga). */
const keywords: readonly (readonly [RegExp, MoveName])[] = [
  [/reformer|pilates|cadillac|\bmat\b/, 'reformer'],
  [/barre?\b|ballet|danza|baile|dance|zumba/, 'battement'],
  [/ciclo|cycl|spin|bici|bike|\bride|rodada/, 'ciclo'],
  [/\bbox|kick|muay|combate|guardia|saco|mma/, 'box'],
  [/\byin\b|estira|stretch|restaura|descarga|flexib|medita|respira/, 'estira'],
  [/yoga|vinyasa|hatha|ashtanga|movilidad|flow|flujo/, 'yoga'],
  [/fuerza|pesa|kettle|funcional|hiit|cross|strength|gluteo|centro\b|\bcore\b|abdomen|power|metcon|entrena/, 'fuerza'],
  [/salto|jump|cuerda|cajon|plio|trampolin/, 'salto'],
  [/rueda|acro|gimnasia|circo|capoeira|aereo|telas|calisten/, 'rueda'],
]

/** Movements that a hash may choose: those that read well in any tile. */
const anyMove = ['battement', 'yoga', 'fuerza', 'estira', 'reformer'] as const satisfies readonly MoveName[]

/**
 * The movement of a class type without image (design section 9): by a word of its name, else by the hash of its id.
 * `seed` is the name as a slug with the id at its end ("barre-fuerte-12"); renaming a type never moves its hash.
 */
export function moveOf(seed: string, hash: (text: string) => number): MoveName {
  const words = seed
    .normalize('NFD')
    .replace(/\p{Diacritic}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, ' ')
  const known = keywords.find(([word]) => word.test(words))
  if (known) return known[1]
  const id = /(\d+)$/.exec(words)?.[1] ?? words.trim()
  return anyMove[hash(`trazo ${id}`) % anyMove.length] ?? 'yoga'
}
