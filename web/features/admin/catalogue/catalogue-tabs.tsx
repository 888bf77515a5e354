import { adminPaths } from '#contract/admin-paths.ts'
import { AppLink } from '#web/lib/link.tsx'
import { CATALOGUE_LISTS } from './catalogue-lists.ts'
import '#web/ui/chip.css'

/** The lists of the catalogue; rooms come after the locations that they are in. */
export function CatalogueTabs({ current }: { current: string }) {
  const tabs = CATALOGUE_LISTS.flatMap(({ slug, title }) =>
    slug === 'estudios'
      ? [
          { slug, title },
          { slug: 'salas', title: 'Salas' },
        ]
      : [{ slug, title }],
  )
  return (
    <nav className="catalogue-tabs" aria-label="Listas del catálogo">
      {tabs.map(({ slug, title }) => (
        <AppLink key={slug} to={adminPaths.catalogue(slug)} className="chip" aria-current={slug === current ? 'page' : undefined}>
          {title}
        </AppLink>
      ))}
    </nav>
  )
}
