/** Positions of the classes of a week in its grid: hours without classes are folded, overlapping classes are side by side. Pure. */
import { twoDigits } from '#contract/time.ts'

/** "07:05": a minute since midnight; 24:00 is the end of the day. */
export const hourOf = (minute: number): string => `${twoDigits(Math.floor(minute / 60))}:${twoDigits(minute % 60)}`

/** A class as the grid places it; minutes since midnight on its location's clocks. */
export interface GridClass {
  key: string
  start: number
  minutes: number
}

export interface PlacedClass {
  key: string
  /** Pixels from the top of the grid. */
  top: number
  height: number
  /** The index of its column within the day, and the number of columns at that time. */
  lane: number
  lanes: number
}

/** A stretch of hours that is drawn, or a folded one without classes. */
export interface Band {
  from: number
  until: number
  folded: boolean
  top: number
  height: number
}

export interface WeekLayout {
  bands: Band[]
  height: number
  days: PlacedClass[][]
  /** The maximum number of overlapping classes of each day. */
  lanes: number[]
}

export const HOUR_PX = 72
const FOLDED_PX = 36
/** Shorter gaps are drawn as they are. */
const FOLDS_FROM_MINUTES = 120
const DAY_MINUTES = 24 * 60
/** A week without classes shows an ordinary day. */
const EMPTY_DAY = { from: 7 * 60, until: 21 * 60 }

const down = (minute: number): number => Math.floor(minute / 60) * 60
const up = (minute: number): number => Math.ceil(minute / 60) * 60

/** The grid of some days. */
export function weekLayout(days: readonly (readonly GridClass[])[]): WeekLayout {
  const bands = bandsOf(days.flat())
  return {
    bands,
    height: bands.reduce((sum, band) => sum + band.height, 0),
    days: days.map((classes) => placed(classes, bands)),
    lanes: days.map((classes) => Math.max(1, ...placed(classes, bands).map((cls) => cls.lanes))),
  }
}

function bandsOf(classes: readonly GridClass[]): Band[] {
  const spans = classes
    .map((cls) => ({ from: down(cls.start), until: Math.min(DAY_MINUTES, up(cls.start + cls.minutes)) }))
    .sort((a, b) => a.from - b.from)
  const open: { from: number; until: number }[] = []
  for (const { from, until } of spans.length ? spans : [EMPTY_DAY]) {
    const last = open.at(-1)
    if (last && from - last.until < FOLDS_FROM_MINUTES) last.until = Math.max(last.until, until)
    else open.push({ from, until })
  }
  const bands: Band[] = []
  let top = 0
  for (const [n, { from, until }] of open.entries()) {
    const before = open[n - 1]
    if (before) {
      bands.push({ from: before.until, until: from, folded: true, top, height: FOLDED_PX })
      top += FOLDED_PX
    }
    const height = ((until - from) / 60) * HOUR_PX
    bands.push({ from, until, folded: false, top, height })
    top += height
  }
  return bands
}

/** Pixels from the top of a minute of the day. */
export function topOf(minute: number, bands: readonly Band[]): number {
  for (const band of bands)
    if (minute <= band.until) return band.top + (band.height * Math.max(0, minute - band.from)) / (band.until - band.from)
  const last = bands.at(-1)
  return last ? last.top + last.height : 0
}

/** The minute of the day at a height of the grid, in quarters of an hour; null in a folded stretch. */
export function minuteAt(top: number, bands: readonly Band[]): number | null {
  const band = bands.find((band) => top >= band.top && top < band.top + band.height)
  if (!band || band.folded) return null
  return band.from + Math.floor((((top - band.top) / band.height) * (band.until - band.from)) / 15) * 15
}

/**
 * The quarter of an hour nearest to a height of the grid: where a dragged class would begin. Above and below the grid it is extrapolated.
 */
export function minuteNear(top: number, bands: readonly Band[]): number {
  const [first, last] = [bands[0], bands.at(-1)]
  if (!first || !last) return 0
  const quarter = (minute: number) => Math.min(DAY_MINUTES - 15, Math.max(0, Math.round(minute / 15) * 15))
  if (top < first.top) return quarter(first.from + ((top - first.top) / HOUR_PX) * 60)
  const band = bands.find((band) => top < band.top + band.height)
  if (!band) return quarter(last.until + ((top - last.top - last.height) / HOUR_PX) * 60)
  return quarter(band.from + ((top - band.top) / band.height) * (band.until - band.from))
}

/** The quarters of an hour between two heights of the grid, at least one: hours that are marked from one to the other. */
export function hoursBetween(first: number, other: number, bands: readonly Band[]): { minute: number; minutes: number } {
  const [minute, end] = [Math.min(first, other), Math.max(first, other)].map((top) => minuteNear(top, bands)) as [number, number]
  return { minute, minutes: Math.max(15, end - minute) }
}

function placed(classes: readonly GridClass[], bands: readonly Band[]): PlacedClass[] {
  const sorted = [...classes].sort((a, b) => a.start - b.start || b.minutes - a.minutes)
  const all: PlacedClass[] = []
  let group: { cls: GridClass; lane: number }[] = []
  let ends: number[] = []
  const close = () => {
    for (const { cls, lane } of group) {
      const top = topOf(cls.start, bands)
      all.push({ key: cls.key, top, height: topOf(cls.start + cls.minutes, bands) - top, lane, lanes: ends.length })
    }
    group = []
    ends = []
  }
  for (const cls of sorted) {
    if (group.length > 0 && cls.start >= Math.max(...ends)) close()
    const free = ends.findIndex((end) => end <= cls.start)
    const lane = free === -1 ? ends.length : free
    ends[lane] = cls.start + cls.minutes
    group.push({ cls, lane })
  }
  close()
  return all
}
