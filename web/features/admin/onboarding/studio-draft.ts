/** What the first step saves for the later ones. */
import type { Theme } from '#contract/color.ts'
import type { Giro } from '#contract/onboarding.ts'

/** What later steps propose for. */
export interface StudioDraft {
  business_name: string
  city: string
  giro: Giro
  logo: string
  theme: Theme
  /** the texts as they were proposed: they may be replaced as long as they are still the same */
  proposed: Record<string, unknown>
}
