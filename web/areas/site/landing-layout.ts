/** The layout of the landing page: which sections, in which order, with which background, and how tiles fill their rows. */
import type { LandingSection, Settings } from '#contract/settings.ts'

export type SectionKey = LandingSection

export type SectionGround = 'stage' | 'accent' | 'soft' | 'canvas' | 'paper'

/** The background of each section, in the order of sections with equal numbers. */
const KIND: Record<SectionKey, SectionGround> = {
  hero: 'stage',
  about: 'canvas',
  mission: 'accent',
  class_types: 'canvas',
  coaches: 'paper',
  packages: 'canvas',
  announcements: 'soft',
  schedule: 'canvas',
  location: 'paper',
}

const sectionKeys = Object.keys(KIND) as SectionKey[]

type Switch = `${Exclude<SectionKey, 'announcements'>}_enabled` | 'landing_announcements_enabled'

/** The enabled sections in the configured order; sections with equal numbers keep the default order (S1-2.01). */
export function enabledSections(settings: Pick<Settings, Switch | `${SectionKey}_order`>): SectionKey[] {
  const on = (key: SectionKey) => (key === 'announcements' ? settings.landing_announcements_enabled : settings[`${key}_enabled`])
  return sectionKeys.filter(on).sort((a, b) => settings[`${a}_order`] - settings[`${b}_order`])
}

/**
 * The backgrounds of the sections, chosen by kind; if two adjacent ones are equal, the second becomes paper or canvas (design section 4).
 */
export function chooseGrounds(sections: readonly SectionKey[]): SectionGround[] {
  const grounds: SectionGround[] = []
  for (const key of sections) {
    const kind = KIND[key]
    grounds.push(kind === grounds.at(-1) ? (kind === 'canvas' ? 'paper' : 'canvas') : kind)
  }
  return grounds
}

/** How many of twelve columns each tile takes: rows of one wide and two narrow tiles, without gaps and without a tile alone in a row. */
export function tileSpans(count: number): number[] {
  const lastRowBy: Record<number, number[]> = { 0: [], 1: count === 1 ? [12] : [3, 3, 3, 3], 2: [6, 6] }
  const lastRow = lastRowBy[count % 3] ?? []
  const rows = Math.floor((count - lastRow.length) / 3)
  const wideFirst = [6, 3, 3]
  const wideLast = [3, 3, 6]
  return [...Array.from({ length: rows }, (_, row) => (row % 2 === 0 ? wideFirst : wideLast)).flat(), ...lastRow]
}

const TILE_GROUNDS = ['stage', 'soft', 'accent', 'soft', 'brand', 'soft'] as const
export type TileGround = (typeof TILE_GROUNDS)[number]
/** The background of the tile at an index. */
export const tileGround = (at: number): TileGround => TILE_GROUNDS[at % TILE_GROUNDS.length] ?? 'soft'
