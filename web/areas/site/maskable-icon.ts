import { brandIcon } from '#contract/brand-icon.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/maskable-icon.ts'

/** /icono.svg: for home screens that cut icons to a shape of their own. */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(brandIcon(context.get(rendering).settings, 'cut'), { headers: { 'content-type': 'image/svg+xml' } })
}
