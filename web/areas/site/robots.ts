import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/robots.ts'

/** Nothing to read for a search engine: what needs an account, the API, and the ways to pay. */
const CLOSED = ['/admin', '/api/', '/checkout/', '/cuenta/', '/gracias/', '/identidad/', '/mystudio']

/** /robots.txt */
export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(rendering)
  const lines = ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}/sitemap.xml`, '']
  return new Response(lines.join('\n'), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
