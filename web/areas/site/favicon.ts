import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/favicon.ts'
import { brandIcon } from './brand-icon.ts'

/** /favicon.svg */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(brandIcon(context.get(rendering).settings, { round: true }), { headers: { 'content-type': 'image/svg+xml' } })
}
