import { useQuery } from '@tanstack/react-query'
import { Navigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { Finished } from '#web/features/admin/onboarding/finished.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'

export const handle: AdminHandle = { title: 'Primeros pasos' }

/** The end of the first steps. */
export default function OnboardingDone() {
  const site = useSite()
  const isAllowed = may(useStaff(), 'catalogue.edit')
  const query = useQuery({ ...queries.onboarding.read.queryOptions({ meta: { handled: true } }), enabled: isAllowed })
  if (!isAllowed) return <Navigate to={adminPaths.home} replace />
  return (
    <>
      <title>{`Primeros pasos · ${site.business_name}`}</title>
      <Loaded query={query} skeleton={<ListSkeleton rows={8} />} failed="No pudimos cargar los primeros pasos." nothing={null}>
        {query.data && <Finished onboarding={query.data} />}
      </Loaded>
    </>
  )
}
