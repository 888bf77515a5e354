/** The next step after a refusal: one link for each reason that has one. */
import { paths } from '#contract/paths.ts'
import type { Site } from '#web/lib/settings.tsx'

export interface NextStep {
  label: string
  to: string
}

/** The next step for a refusal's code; null if there is none. `cls`: the class that was wanted. */
export function nextStepFor(code: string, site: Site, cls: { single_class_id: number; class_date: string } | null): NextStep | null {
  switch (code) {
    case 'NO_CREDITS':
    case 'NO_MATCHING_CREDITS':
    case 'CREDIT_NOT_USABLE':
      return { label: 'Comprar Clases', to: paths.mystudio.packages(site) }
    case 'PROFILE_INCOMPLETE':
      return { label: 'Completar Información', to: paths.mystudio.profile }
    case 'OVERLAPPING_RESERVATION':
    case 'ALREADY_RESERVED':
    case 'PENALTY_ACTIVE':
      return { label: 'Ver mis reservaciones', to: paths.mystudio.reservations }
    case 'CLASS_FULL':
    case 'CLASS_SOLD_AS_PACKAGE':
      return cls && { label: 'Ver esa clase', to: paths.mystudio.classOn(cls.single_class_id, cls.class_date.slice(0, 10)) }
    default:
      return null
  }
}
