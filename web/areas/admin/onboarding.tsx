import { useQuery } from '@tanstack/react-query'
import { type ComponentType, lazy, Suspense } from 'react'
import { Navigate, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { OnboardingKey } from '#contract/onboarding.ts'
import { type Right, rolesText } from '#contract/rights.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { OnboardingFrame } from '#web/features/admin/onboarding/onboarding-frame.tsx'
import { StepForm } from '#web/features/admin/onboarding/step-form.tsx'
import { chooseStep } from '#web/features/admin/onboarding/step-order.ts'
import { StepSkeleton } from '#web/features/admin/onboarding/step-parts.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'

export const handle: AdminHandle = { title: 'Primeros pasos', bare: true }

/** Each step with the right that its verbs need. */
const STEPS: Readonly<Record<OnboardingKey, { Screen: ComponentType; right: Right }>> = {
  studio: { Screen: lazy(() => import('#web/features/admin/onboarding/studio-step.tsx')), right: 'settings.edit' },
  location: { Screen: lazy(() => import('#web/features/admin/onboarding/location-step.tsx')), right: 'catalogue.edit' },
  room: { Screen: lazy(() => import('#web/features/admin/onboarding/room-step.tsx')), right: 'schedule.edit' },
  class_types: { Screen: lazy(() => import('#web/features/admin/onboarding/class-types-step.tsx')), right: 'catalogue.edit' },
  coaches: { Screen: lazy(() => import('#web/features/admin/onboarding/coaches-step.tsx')), right: 'catalogue.edit' },
  schedule: { Screen: lazy(() => import('#web/features/admin/onboarding/schedule-step.tsx')), right: 'schedule.edit' },
  packages: { Screen: lazy(() => import('#web/features/admin/onboarding/packages-step.tsx')), right: 'catalogue.edit' },
  payments: { Screen: lazy(() => import('#web/features/admin/onboarding/payments-step.tsx')), right: 'settings.edit' },
  rules: { Screen: lazy(() => import('#web/features/admin/onboarding/rules-step.tsx')), right: 'settings.edit' },
  legal: { Screen: lazy(() => import('#web/features/admin/onboarding/legal-step.tsx')), right: 'settings.edit' },
}

/** Primeros pasos: from an empty studio to a first reservation, one question a screen. */
export default function OnboardingScreen() {
  const staff = useStaff()
  const [search] = useSearchParams()
  const isAllowed = may(staff, 'catalogue.edit')
  const query = useQuery({ ...queries.onboarding.read.queryOptions({ meta: { handled: true } }), enabled: isAllowed })
  if (!isAllowed) return <Navigate to={adminPaths.home} replace />
  if (query.isError && !query.data) return <NotLoaded query={query}>No pudimos cargar los primeros pasos.</NotLoaded>
  if (!query.data) return <StepSkeleton />
  const { steps } = query.data
  const step = chooseStep(steps, search.get('paso'))
  if (!step) return <Navigate to={adminPaths.onboardingDone} replace />
  const { Screen, right } = STEPS[step.key]
  return (
    <OnboardingFrame steps={steps} step={step}>
      <Suspense fallback={<StepSkeleton />}>
        {may(staff, right) ? <Screen key={step.key} /> : <NotAllowed key={step.key} title={step.title} right={right} />}
      </Suspense>
    </OnboardingFrame>
  )
}

/** A step for which this person lacks the right. */
function NotAllowed({ title, right }: { title: string; right: Right }) {
  return (
    <StepForm
      title={title}
      about="Puedes saltar este paso."
      draft={null}
      problem={`Esto lo puede hacer ${rolesText(right)}.`}
      onSubmit={async () => ({})}
    >
      <EmptyState>Esto lo puede hacer {rolesText(right)}.</EmptyState>
    </StepForm>
  )
}
