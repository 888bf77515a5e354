import { brandIcon } from '#contract/brand-icon.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/favicon.ts'

/** /favicon.svg */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(brandIcon(context.get(rendering).settings, 'tab'), { headers: { 'content-type': 'image/svg+xml' } })
}
