import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/robots.ts'

/** Paths without content for search engines: pages that need an account, the API, and the checkout. */
const CLOSED = ['/admin', '/api/', '/checkout/', '/cuenta/', '/gracias/', '/identidad/', '/mystudio']

/** /robots.txt */
export function loader({ context }: Route.LoaderArgs) {
  const { publicUrl } = context.get(rendering)
  const rules = ['User-agent: *', ...CLOSED.map((path) => `Disallow: ${path}`), '', `Sitemap: ${publicUrl}/sitemap.xml`, '']
  return new Response(rules.join('\n'), { headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
