/** The order of the sections of the landing page, from their settings. */

import type { LandingSection } from '#contract/settings.ts'

/** The sections in the order of the landing page where two have the same number (web/areas/site/landing-layout.ts). */
const NAMES = {
  hero: 'Bienvenida',
  about: 'Nosotros',
  mission: 'Misión',
  class_types: 'Clases',
  coaches: 'Coaches',
  packages: 'Paquetes',
  announcements: 'Avisos',
  schedule: 'Horarios',
  location: 'Ubicación',
} as const satisfies Record<LandingSection, string>

export interface Section {
  key: string
  name: string
  enabledKey: string
  orderKey: string
  order: number
  isShown: boolean
}

/** The sections as the page would show them with these values. */
export function orderedSections(values: Readonly<Record<string, unknown>>): Section[] {
  return Object.entries(NAMES)
    .map(([key, name]) => {
      const enabledKey = key === 'announcements' ? 'landing_announcements_enabled' : `${key}_enabled`
      const orderKey = `${key}_order`
      return { key, name, enabledKey, orderKey, order: Number(values[orderKey] ?? 0), isShown: values[enabledKey] === true }
    })
    .sort((a, b) => a.order - b.order)
}

/** The new numbers, by setting, after a section was moved by one place: only those that change. */
export function reordered(sections: readonly Section[], key: string, by: 1 | -1): [string, number][] {
  const from = sections.findIndex((section) => section.key === key)
  const to = from + by
  if (from < 0 || to < 0 || to >= sections.length) return []
  const next = sections.toSpliced(from, 1).toSpliced(to, 0, sections[from] as Section)
  return next.flatMap(({ orderKey, order }, index) => (order === index + 1 ? [] : [[orderKey, index + 1] as [string, number]]))
}
