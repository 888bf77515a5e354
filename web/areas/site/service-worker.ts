import { tokens } from '#contract/color.ts'
import { fileAddress } from '#contract/file-address.ts'
import { filesBase } from '#contract/settings.ts'
import { fontFiles } from '#web/lib/fonts.server.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/service-worker.ts'
import source from './offline.js?raw'

/** /sw.js: the worker with the brand of its offline page. A changed brand changes the script, so browsers install it anew. */
export function loader({ context }: Route.LoaderArgs) {
  const { settings, brandIcon } = context.get(rendering)
  const theme = tokens(settings)
  const { canvas, paper, ink, brand, 'ink-2': quiet, 'on-brand': onBrand, 'brand-shape': brandEdge } = theme
  const logo = settings.navbar_logo && fileAddress(settings.navbar_logo, filesBase(settings))
  const studio = {
    name: settings.business_name,
    night: settings.theme_mode === 'noche',
    canvas,
    paper,
    ink,
    quiet,
    brand,
    brandEdge,
    onBrand,
    // Files of another site could not be read.
    logo: logo.startsWith('/') ? logo : '',
    mark: brandIcon('tab'),
    /** Of titles and of texts. */
    fonts: fontFiles(settings),
    titles: { width: theme['voice-width'], weight: theme['voice-weight'] },
    texts: {
      lang: 'es-MX',
      title: 'Sin conexión',
      heading: 'Estás sin conexión',
      next: 'Tu próxima clase',
      none: 'Cuando vuelva la conexión verás aquí tus clases.',
      again: 'Intentar de nuevo',
      code: 'Código de acceso',
      show: 'Muéstralo en recepción al llegar.',
    },
  }
  return new Response(`const STUDIO = ${JSON.stringify(studio)}\n${source}`, {
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  })
}
