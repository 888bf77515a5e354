import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/favicon.ts'

/** /favicon.svg */
export function loader({ context }: Route.LoaderArgs) {
  return new Response(context.get(rendering).brandIcon('tab'), { headers: { 'content-type': 'image/svg+xml' } })
}
