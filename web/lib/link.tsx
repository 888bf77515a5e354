/** Links and moves that know when a step leads to another part of the product and must be a full load. */
import { useCallback } from 'react'
import { Link, type LinkProps, useLocation, useNavigate } from 'react-router'
import { crossesAreas } from './paths.ts'

/** A link of our own: inside one area a step in the page, across areas a full load. `to` is a full path from `paths.ts`. */
export function AppLink({ to, ...rest }: Omit<LinkProps, 'to' | 'reloadDocument'> & { to: string }) {
  const { pathname } = useLocation()
  return <Link {...rest} to={to} reloadDocument={crossesAreas(pathname, to)} />
}

/** Goes somewhere, the same way as `AppLink`. */
export function useGo(): (to: string, options?: { replace?: boolean }) => void {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  return useCallback(
    (to, { replace = false } = {}) => {
      if (!crossesAreas(pathname, to)) void navigate(to, { replace })
      else if (replace) location.replace(to)
      else location.assign(to)
    },
    [pathname, navigate],
  )
}
