/** The manifests of the two apps that a studio can be installed as: its site for customers, and its administration for staff. */
import { ICONS_PATH } from '#contract/file-address.ts'
import { filesBase, type Settings } from '#contract/settings.ts'
import { hash, themeHash } from '#contract/theme-hash.ts'
import { fileUrl } from '#web/lib/settings.tsx'

interface App {
  id: string
  name: string
  short_name: string
  description: string | undefined
  start_url: string
  /** Addresses outside open in the browser. */
  scope: string
  shortcuts: readonly { name: string; url: string }[]
}

/** The response of a manifest: the app, with the studio's icons and colours. `theme_mode`: that of the app's screens. */
export function manifestOf(settings: Settings, app: App, theme_mode = settings.theme_mode): Response {
  const { business_name, favicon, light, dark } = settings
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
    ...app,
    lang: 'es-MX',
    dir: 'ltr',
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
  }
  return Response.json(manifest, { headers: { 'content-type': 'application/manifest+json; charset=utf-8' } })
}
