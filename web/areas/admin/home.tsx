import { Navigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { homePath } from '#web/features/admin/frame/menu.ts'
import { useStaff } from '#web/features/admin/frame/staff.tsx'

/** /admin: redirects to the first screen of the role; the owner of a studio that is not finished to its first steps. */
export default function Home() {
  const staff = useStaff()
  return <Navigate to={staff.onboarding && staff.role === 'owner' ? adminPaths.onboarding : homePath(staff)} replace />
}
