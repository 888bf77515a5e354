import { Navigate } from 'react-router'
import { homeOf } from '#web/features/admin/frame/menu.ts'
import { useStaff } from '#web/features/admin/frame/staff.tsx'

/** /admin: redirects to the first screen of the role. */
export default function Home() {
  return <Navigate to={homeOf(useStaff())} replace />
}
