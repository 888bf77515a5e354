import { Navigate, useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import Packages from './packages.tsx'

/** The configured packages path (S1-2.30); any other address under /mystudio redirects to the calendar. */
export default function AnyPath() {
  const site = useSite()
  const { pathname } = useLocation()
  return pathname.replace(/\/+$/, '') === paths.mystudio.packages(site) ? <Packages /> : <Navigate to={paths.mystudio.calendar} replace />
}
