import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/maskable-icon.ts'

/** /icono.svg: the icon for home screens that crop icons to a shape of their own. */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(context.get(rendering).brandIcon('cut'), { headers: { 'content-type': 'image/svg+xml' } })
}
