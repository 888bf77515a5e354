/** The state of each of the first steps, from what the studio has. Pure: docs/domain.md, "First steps". */
import { adminPaths } from '#contract/admin-paths.ts'
import { ONBOARDING_STEPS, type OnboardingKey, type OnboardingStep, onboardingKeys } from '#contract/onboarding.ts'
import { defaultSettings, type Settings } from '#contract/settings.ts'
import type { StepRow, StudioFacts } from './store.ts'

/** Which processor takes cards: none, the built-in test processor, or one that moves money. */
export type CardProcessor = 'none' | 'sandbox' | 'real'

interface Found {
  facts: StudioFacts
  settings: Settings
  cards: CardProcessor
  rows: readonly StepRow[]
}

const WHY: Readonly<Record<OnboardingKey, string>> = {
  studio: 'Tu nombre y tus colores salen en todas las páginas.',
  location: 'Así te encuentran, y cada clase dice dónde es.',
  room: 'Con los lugares contados nadie reserva de más.',
  class_types: 'Es lo que la gente elige en el calendario.',
  coaches: 'Cada clase dice quién la da.',
  schedule: 'Sin horario no hay nada que reservar.',
  packages: 'Es lo que se compra para reservar.',
  payments: 'Define cómo te pagan.',
  rules: 'Todos saben hasta cuándo pueden cancelar.',
  legal: 'La ley pide un aviso de privacidad a la vista.',
}

const many = (count: number, singular: string, more: string): string => `${count.toLocaleString('es-MX')} ${count === 1 ? singular : more}`
const and = (names: readonly string[]): string => new Intl.ListFormat('es-MX', { type: 'conjunction' }).format(names)

/** What a step has: its summary in a few words, or null while there is nothing. */
const FOUND: Readonly<Record<OnboardingKey, (found: Found) => string | null>> = {
  studio: ({ settings }) => (settings.business_name === defaultSettings.business_name ? null : settings.business_name),
  location: ({ facts }) => (facts.has_address ? and(facts.locations) : null),
  room: ({ facts }) => {
    if (facts.rooms > 0) {
      const rooms = many(facts.rooms, 'sala', 'salas')
      return facts.places > 0 ? `${rooms}, ${many(facts.places, 'lugar', 'lugares')}` : rooms
    }
    return facts.has_capacity ? 'Lugares por clase' : null
  },
  class_types: ({ facts }) => (facts.class_types > 0 ? many(facts.class_types, 'tipo', 'tipos') : null),
  coaches: ({ facts }) => (facts.coaches > 0 ? many(facts.coaches, 'coach', 'coaches') : null),
  schedule: ({ facts }) => (facts.upcoming_classes > 0 ? many(facts.upcoming_classes, 'clase publicada', 'clases publicadas') : null),
  packages: ({ facts }) => (facts.packages > 0 ? `${facts.packages.toLocaleString('es-MX')} a la venta` : null),
  payments: ({ facts, cards }) => {
    const isChosen = facts.saved_settings.includes('cash_checkout_enabled') || facts.has_transfer || cards === 'real'
    return isChosen ? and(facts.payment_methods.filter((name) => name !== 'Tarjeta' || cards !== 'none')) : null
  },
  rules: ({ facts, settings }) => {
    if (!facts.saved_settings.includes('cancel_timeframe_value')) return null
    const { cancel_timeframe_value: value } = settings
    return value === null || !settings.allow_cancel_reservations ? 'Sin cancelar' : `Cancelar hasta ${value} h antes`
  },
  legal: ({ facts }) => (facts.pages.includes('aviso-de-privacidad') ? many(facts.pages.length, 'página', 'páginas') : null),
}

/** The steps in their order. A step with something to show is done, also when it was skipped before. */
export function buildSteps(found: Found): OnboardingStep[] {
  return onboardingKeys.map((key): OnboardingStep => {
    const summary = FOUND[key](found)
    const row = found.rows.find((row) => row.key === key)
    return {
      key,
      title: ONBOARDING_STEPS[key],
      link: adminPaths.onboardingStep(key),
      why: WHY[key],
      summary,
      state: summary !== null ? 'done' : row?.skippedAt ? 'skipped' : 'pending',
      draft: (row?.draft ?? null) as OnboardingStep['draft'],
    }
  })
}
