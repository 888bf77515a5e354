import { paths } from '#contract/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/web-manifest.ts'
import { manifestOf } from './app-manifest.server.ts'

/** /manifest.webmanifest: name, icons and colours of the installed app. It opens the signed-in area. */
export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(rendering)
  const { business_name, tagline } = settings
  return manifestOf(settings, {
    id: '/',
    name: business_name,
    short_name: business_name.length > 14 ? (business_name.split(/\s+/)[0] ?? business_name) : business_name,
    description: tagline || undefined,
    start_url: paths.mystudio.calendar,
    scope: '/',
    shortcuts: [
      { name: 'Calendario', url: paths.mystudio.calendar },
      { name: 'Mis Reservaciones', url: paths.mystudio.reservations },
    ],
  })
}
