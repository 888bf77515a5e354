import { tokens } from '#contract/color.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/service-worker.ts'
import source from './offline.js?raw'

/** /sw.js: the worker with the brand of its offline page. A changed brand changes the script, so browsers install it anew. */
export function loader({ context }: Route.LoaderArgs) {
  const { settings } = context.get(rendering)
  const { canvas, paper, ink, brand, 'ink-2': quiet, 'on-brand': onBrand, 'brand-shape': brandEdge } = tokens(settings)
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
    texts: {
      lang: 'es-MX',
      title: 'Sin conexión',
      heading: 'Estás sin conexión',
      next: 'Tu próxima clase',
      none: 'Cuando vuelva la conexión verás aquí tus clases.',
      again: 'Intentar de nuevo',
    },
  }
  return new Response(`const STUDIO = ${JSON.stringify(studio)}\n${source}`, {
    headers: { 'content-type': 'text/javascript; charset=utf-8' },
  })
}
