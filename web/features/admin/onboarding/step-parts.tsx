/** Small parts of the first steps. */
import { useQuery } from '@tanstack/react-query'
import type { OnboardingProposal } from '#contract/onboarding.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { useStepDraft } from './step-form.tsx'
import type { StudioDraft } from './studio-draft.ts'

/** While a step loads what it begins with. */
export function StepSkeleton() {
  return (
    <main id="contenido" className="admin-main steps-main" tabIndex={-1}>
      <Skeleton height="320px" />
    </main>
  )
}

/** What is usual for a studio of this kind in its city; undefined while it loads. */
export function useProposal(): OnboardingProposal | undefined {
  const studio = useStepDraft<StudioDraft>('studio')
  const input = { giro: studio?.giro ?? ('otro' as const), city: studio?.city ?? '' }
  return useQuery(queries.onboarding.proposal.queryOptions({ input, staleTime: Number.POSITIVE_INFINITY })).data
}

/** What the studio has already, with the screen where it is changed. */
export function AlreadyThere({ children, to, screen }: { children: string; to: string; screen: string }) {
  return (
    <Banner tone="ok">
      {children}{' '}
      <AppLink to={to} className="link">
        {screen}
      </AppLink>
    </Banner>
  )
}
