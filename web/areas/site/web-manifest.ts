import { ICONS_PATH } from '#contract/file-address.ts'
import { paths } from '#contract/paths.ts'
import { filesBase } from '#contract/settings.ts'
import { hash, themeHash } from '#contract/theme-hash.ts'
import { rendering } from '#web/lib/rendering.ts'
import { fileUrl } from '#web/lib/settings.tsx'
import type { Route } from './+types/web-manifest.ts'

/** /manifest.webmanifest: name, icons and colours of the installed app. It opens the signed-in area. */
export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(rendering)
  const { business_name, tagline, favicon, theme_mode, light, dark } = settings
  const ground = theme_mode === 'noche' ? dark : light
  const own = favicon ? [{ src: fileUrl({ files: filesBase(settings) }, favicon), sizes: 'any', purpose: 'any' }] : []
  // Devices reload an icon only if its address changes.
  const version = hash(`${themeHash(settings)} ${business_name} ${favicon}`).toString(36)
  const png = (file: string, size: number, purpose: string) => ({
    src: `${ICONS_PATH}/${file}.png?v=${version}`,
    type: 'image/png',
    sizes: `${size}x${size}`,
    purpose,
  })
  const manifest = {
    id: '/',
    name: business_name,
    short_name: business_name.length > 14 ? (business_name.split(/\s+/)[0] ?? business_name) : business_name,
    description: tagline || undefined,
    lang: 'es-MX',
    dir: 'ltr',
    start_url: paths.mystudio.calendar,
    scope: '/',
    display: 'standalone',
    background_color: ground,
    theme_color: ground,
    icons: [
      ...own,
      png('192', 192, 'any'),
      png('512', 512, 'any'),
      png('recorte-512', 512, 'maskable'),
      { src: '/favicon.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'any' },
      { src: '/icono.svg', type: 'image/svg+xml', sizes: 'any', purpose: 'maskable' },
    ],
    shortcuts: [
      { name: 'Calendario', url: paths.mystudio.calendar },
      { name: 'Mis Reservaciones', url: paths.mystudio.reservations },
    ],
  }
  return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json; charset=utf-8' } })
}
