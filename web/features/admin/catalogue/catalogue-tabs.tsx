import { adminPaths } from '#contract/admin-paths.ts'
import { TabNav } from '#web/features/admin/frame/tab-nav.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { CATALOGUE_LISTS } from './catalogue-lists.ts'

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
    <TabNav label="Listas del catálogo" current={current}>
      {tabs.map(({ slug, title }) => (
        <AppLink key={slug} to={adminPaths.catalogue(slug)} aria-current={slug === current ? 'page' : undefined}>
          {title}
        </AppLink>
      ))}
    </TabNav>
  )
}
