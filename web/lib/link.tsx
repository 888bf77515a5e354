/** Links that know when a step leads to another part of the product and must be a full load. */
import { Link, type LinkProps, useLocation } from 'react-router'
import { crossesAreas } from './paths.ts'

/** A link of our own: inside one area a step in the page, across areas a full load. `to` is a full path from `paths.ts`. */
export function AppLink({ to, ...rest }: Omit<LinkProps, 'to' | 'reloadDocument'> & { to: string }) {
  const { pathname } = useLocation()
  return <Link {...rest} to={to} reloadDocument={crossesAreas(pathname, to)} />
}
