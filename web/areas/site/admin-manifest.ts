import { adminPaths } from '#contract/admin-paths.ts'
import { adminTheme } from '#contract/color.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/admin-manifest.ts'
import { manifestOf } from './app-manifest.server.ts'

/**
 * /administracion.webmanifest: the administration as an app of its own beside that of the site (its screens name it, see admin/shell.tsx).
 */
export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(rendering)
  const app = {
    id: adminPaths.home,
    name: `Administración · ${settings.business_name}`,
    short_name: 'Administración',
    description: undefined,
    start_url: adminPaths.home,
    scope: adminPaths.home,
    shortcuts: [
      { name: 'Hoy', url: adminPaths.today },
      { name: 'Escanear', url: adminPaths.scan },
      { name: 'Nueva venta', url: adminPaths.newSale },
    ],
  }
  return manifestOf(settings, app, adminTheme(settings).theme_mode)
}
