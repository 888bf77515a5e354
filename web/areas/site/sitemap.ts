import { paths } from '#contract/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import type { Route } from './+types/sitemap.ts'

const inXml = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** /sitemap.xml: every public page with content; empty pages are left out (S2-2.75). */
export async function loader({ context }: Route.LoaderArgs) {
  const { client, settings, publicUrl, dependsOn } = context.get(rendering)
  dependsOn('content', 'catalogue')
  const [{ pages }, { instructors }, { class_types }] = await Promise.all([
    client.content.pages(),
    client.catalogue.instructors(),
    client.catalogue.classTypes(),
  ])
  const addresses = new Set<string>([
    paths.home,
    paths.schedule,
    paths.packages(settings),
    paths.location,
    paths.questions,
    paths.announcements,
    ...class_types.map(({ class_type_id }) => paths.classType(class_type_id)),
    ...instructors.map(({ instructor_id }) => paths.instructor(instructor_id)),
    ...pages.filter(({ content }) => content !== null).map(({ slug }) => paths.page(slug)),
  ])
  const entries = [...addresses].map((path) => `<url><loc>${inXml(publicUrl + path)}</loc></url>`)
  const xml = `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('\n')}\n</urlset>\n`
  return new Response(xml, { headers: { 'content-type': 'application/xml; charset=utf-8' } })
}
