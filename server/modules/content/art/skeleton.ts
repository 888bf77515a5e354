/**
 * Trazo: a body made of bones and the trace that it leaves (design section 9). This file knows the body: where its
 * joints are in a pose, how one pose becomes the next, and the outline of its limbs. Units are those of the drawings.
 */

export type Point = readonly [x: number, y: number]

/** A pose: the place of the hip and absolute angles in degrees (0 = right, 90 = up). 1 is the near side, 2 the far one. */
export interface Pose {
  x: number
  y: number
  /** torso and neck */
  t: number
  n: number
  /** upper arms and forearms */
  a1: number
  f1: number
  a2: number
  f2: number
  /** thighs, shins, feet */
  l1: number
  s1: number
  l2: number
  s2: number
  p1: number
  p2: number
}

/** The thirteen joints of a pose. */
export interface Joints {
  hip: Point
  shoulder: Point
  head: Point
  elbow1: Point
  hand1: Point
  elbow2: Point
  hand2: Point
  knee1: Point
  ankle1: Point
  knee2: Point
  ankle2: Point
  toe1: Point
  toe2: Point
}

export const DEGREE = Math.PI / 180
export const bones = { torso: 54, neck: 9, head: 11.5, upperArm: 30, forearm: 29, thigh: 44, shin: 44, foot: 13 } as const

const reach = (from: Point, angle: number, length: number): Point => [
  from[0] + Math.cos(angle * DEGREE) * length,
  from[1] - Math.sin(angle * DEGREE) * length,
]

/** Where every joint of a pose is. */
export function computeJoints(pose: Pose): Joints {
  const hip: Point = [pose.x, pose.y]
  const shoulder = reach(hip, pose.t, bones.torso)
  const elbow1 = reach(shoulder, pose.a1, bones.upperArm)
  const elbow2 = reach(shoulder, pose.a2, bones.upperArm)
  const knee1 = reach(hip, pose.l1, bones.thigh)
  const knee2 = reach(hip, pose.l2, bones.thigh)
  const ankle1 = reach(knee1, pose.s1, bones.shin)
  const ankle2 = reach(knee2, pose.s2, bones.shin)
  return {
    hip,
    shoulder,
    head: reach(shoulder, pose.n, bones.neck + bones.head),
    elbow1,
    hand1: reach(elbow1, pose.f1, bones.forearm),
    elbow2,
    hand2: reach(elbow2, pose.f2, bones.forearm),
    knee1,
    ankle1,
    knee2,
    ankle2,
    toe1: reach(ankle1, pose.p1, bones.foot),
    toe2: reach(ankle2, pose.p2, bones.foot),
  }
}

const parts = ['x', 'y', 't', 'n', 'a1', 'f1', 'a2', 'f2', 'l1', 's1', 'l2', 's2', 'p1', 'p2'] as const

/** `count` poses along the key poses. Catmull-Rom keeps the trace smooth through every key. */
export function interpolatePoses(keys: readonly Pose[], count: number): Pose[] {
  const pose = (at: number): Pose => {
    const found = keys[Math.max(0, Math.min(keys.length - 1, at))]
    if (!found) throw new Error('A movement needs at least one key pose.')
    return found
  }
  return Array.from({ length: count }, (_, frame) => {
    const along = (frame / (count - 1)) * (keys.length - 1)
    const key = Math.min(keys.length - 2, Math.floor(along))
    const u = along - key
    const figure = { ...pose(key) }
    for (const part of parts) {
      const [before, from, to, after] = [pose(key - 1)[part], pose(key)[part], pose(key + 1)[part], pose(key + 2)[part]]
      figure[part] =
        0.5 *
        (2 * from + (to - before) * u + (2 * before - 5 * from + 4 * to - after) * u * u + (3 * from - before - 3 * to + after) * u * u * u)
    }
    return figure
  })
}

/** A number as the drawings write it: one decimal, no trailing zero. */
export const short = (value: number): string => String(Math.round(value * 10) / 10)
const xy = (point: Point): string => `${short(point[0])} ${short(point[1])}`

/** A broken line through points, as path data. */
export const polyline = (points: readonly Point[]): string => `M${points.map(xy).join('L')}`

/** A smooth curve through points, as path data. */
export function curve(points: readonly Point[]): string {
  const at = (i: number): Point => points[Math.max(0, Math.min(points.length - 1, i))] ?? [0, 0]
  const steps = points.slice(0, -1).map((_, i) => {
    const [before, from, to, after] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    const leave: Point = [from[0] + (to[0] - before[0]) / 6, from[1] + (to[1] - before[1]) / 6]
    const arrive: Point = [to[0] - (after[0] - from[0]) / 6, to[1] - (after[1] - from[1]) / 6]
    return `C${xy(leave)} ${xy(arrive)} ${xy(to)}`
  })
  return `M${xy(at(0))}${steps.join('')}`
}

/** The bones of a frame as thin lines: spine, arms, legs. */
export const sticks = (j: Joints): string =>
  polyline([j.head, j.shoulder, j.hip]) +
  polyline([j.hand1, j.elbow1, j.shoulder, j.elbow2, j.hand2]) +
  polyline([j.toe1, j.ankle1, j.knee1, j.hip, j.knee2, j.ankle2, j.toe2])

/** A limb is the hull of two circles: tapered, so that the body has weight where a body has it. */
function limb(a: Point, b: Point, ra: number, rb: number): string {
  const [dx, dy] = [b[0] - a[0], b[1] - a[1]]
  const length = Math.hypot(dx, dy)
  if (length <= Math.abs(ra - rb)) return ''
  const lean = Math.acos((ra - rb) / length)
  const direction = Math.atan2(dy, dx)
  const edge = (from: Point, radius: number, angle: number): string =>
    xy([from[0] + Math.cos(angle) * radius, from[1] + Math.sin(angle) * radius])
  return (
    `M${edge(a, ra, direction + lean)}A${ra} ${ra} 0 1 1 ${edge(a, ra, direction - lean)}` +
    `L${edge(b, rb, direction - lean)}A${rb} ${rb} 0 0 1 ${edge(b, rb, direction + lean)}Z`
  )
}

const part = (a: Point, b: Point, share: number): Point => [a[0] + (b[0] - a[0]) * share, a[1] + (b[1] - a[1]) * share]

/** The outline of a body in three planes, as path data: far side, near side with torso, near arm. */
export function drawBody(j: Joints): { far: string; near: string; arm: string } {
  const calf1 = part(j.knee1, j.ankle1, 0.3)
  const calf2 = part(j.knee2, j.ankle2, 0.3)
  const waist = part(j.shoulder, j.hip, 0.62)
  return {
    far:
      limb(j.shoulder, j.elbow2, 4.6, 3.6) +
      limb(j.elbow2, j.hand2, 3.7, 2.2) +
      limb(j.hip, j.knee2, 8.6, 5.2) +
      limb(j.knee2, calf2, 5.2, 5.1) +
      limb(calf2, j.ankle2, 5.1, 2.9) +
      limb(j.ankle2, j.toe2, 3, 1.5),
    near:
      limb(j.shoulder, waist, 8.8, 6.6) +
      limb(waist, j.hip, 6.6, 9.2) +
      limb(j.hip, j.knee1, 9, 5.4) +
      limb(j.knee1, calf1, 5.4, 5.3) +
      limb(calf1, j.ankle1, 5.3, 3) +
      limb(j.ankle1, j.toe1, 3.1, 1.5) +
      limb(j.shoulder, part(j.shoulder, j.head, 0.6), 3.9, 3.4),
    arm: limb(j.shoulder, j.elbow1, 4.8, 3.7) + limb(j.elbow1, j.hand1, 3.8, 2.2),
  }
}
