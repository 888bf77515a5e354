import { adminPaths } from '#contract/admin-paths.ts'
import { TabNav } from '#web/features/admin/frame/tab-nav.tsx'
import { AppLink } from '#web/lib/link.tsx'

const TABS = [
  { key: 'videos', label: 'Videos', path: adminPaths.videos },
  { key: 'tipos', label: 'Tipos', path: adminPaths.videoTypes },
  { key: 'programas', label: 'Programas', path: adminPaths.programs },
] as const

/** The screens of the videos. */
export function VideoTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  return (
    <TabNav label="Listas de videos" current={current}>
      {TABS.map(({ key, label, path }) => (
        <AppLink key={key} to={path} aria-current={key === current ? 'page' : undefined}>
          {label}
        </AppLink>
      ))}
    </TabNav>
  )
}
