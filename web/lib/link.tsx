/** Links that do a full page load when they lead to another area of the product. */
import { Link, type LinkProps, useLocation } from 'react-router'
import { crossesAreas } from './paths.ts'

/** An internal link: client-side navigation within an area, a full load across areas. `to` is a full path from `paths.ts`. */
export function AppLink({ to, ...rest }: Omit<LinkProps, 'to' | 'reloadDocument'> & { to: string }) {
  const { pathname } = useLocation()
  return <Link {...rest} to={to} reloadDocument={crossesAreas(pathname, to)} />
}
