/** The order of the first steps in the browser, and how long each takes. Pure. */
import type { OnboardingKey, OnboardingStep } from '#contract/onboarding.ts'

/** Minutes that a step takes, as the bar at the top estimates them. */
export const STEP_MINUTES: Readonly<Record<OnboardingKey, number>> = {
  studio: 1,
  location: 1,
  room: 1,
  class_types: 1,
  coaches: 1,
  schedule: 2,
  packages: 1,
  payments: 1,
  rules: 1,
  legal: 1,
}

/** The label of the button to the next step. */
export const STEP_LABELS: Readonly<Record<OnboardingKey, string>> = {
  studio: 'tu estudio',
  location: 'el lugar',
  room: 'la sala',
  class_types: 'las clases',
  coaches: 'coaches',
  schedule: 'el horario',
  packages: 'paquetes',
  payments: 'cobros',
  rules: 'reglas',
  legal: 'legales',
}

/** The step of the address; without one the first that is pending; null: nothing is pending. */
export function chooseStep(steps: readonly OnboardingStep[], wanted: string | null): OnboardingStep | null {
  return steps.find(({ key }) => key === wanted) ?? steps.find(({ state }) => state === 'pending') ?? null
}
