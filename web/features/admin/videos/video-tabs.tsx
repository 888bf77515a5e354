import { adminPaths } from '#contract/admin-paths.ts'
import { AppLink } from '#web/lib/link.tsx'
import '#web/features/admin/catalogue/catalogue.css'
import '#web/ui/chip.css'

const TABS = [
  { key: 'videos', label: 'Videos', path: adminPaths.videos },
  { key: 'tipos', label: 'Tipos', path: adminPaths.videoTypes },
  { key: 'programas', label: 'Programas', path: adminPaths.programs },
] as const

/** The screens of the videos. */
export function VideoTabs({ current }: { current: (typeof TABS)[number]['key'] }) {
  return (
    <nav className="catalogue-tabs" aria-label="Listas de videos">
      {TABS.map(({ key, label, path }) => (
        <AppLink key={key} to={path} className="chip" aria-current={key === current ? 'page' : undefined}>
          {label}
        </AppLink>
      ))}
    </nav>
  )
}
