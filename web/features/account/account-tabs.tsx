import { useLocation } from 'react-router'
import { paths } from '#contract/paths.ts'
import { AppLink } from '#web/lib/link.tsx'
import { type MenuEntry, openEntries } from '#web/lib/menu.ts'
import { useSite } from '#web/lib/settings.tsx'
import './account-tabs.css'

/**
 * The tabs, in the order of how often they are opened, with the strokes of their icons: a chunk of its own for each icon would cost more.
 */
const TABS: readonly (readonly [MenuEntry['key'], string])[] = [
  ['calendar', 'M4 5h16v16H4zM16 3v4M8 3v4M4 11h16'],
  ['reservations', 'M4 5h16v4a3 3 0 0 0 0 6v4H4v-4a3 3 0 0 0 0-6zM15 7v2M15 11v2M15 15v2'],
  ['online', 'M7 4v16l13-8z'],
  ['packages', 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM12 12l8-4.5M12 12v9M12 12L4 7.5'],
]
const PERSON = 'M8 7a4 4 0 1 0 8 0 4 4 0 0 0-8 0M6 21v-2a4 4 0 0 1 4-4h4a4 4 0 0 1 4 4v2'

/** The bar at the bottom of the signed-in area on phones: its four parts, and the account ('Yo'). */
export function AccountTabs() {
  const site = useSite()
  const entries = openEntries(site)
  const { pathname } = useLocation()
  return (
    <nav className="account-tabs" aria-label="Secciones">
      {TABS.map(([key, icon]) => {
        const entry = entries.find((entry) => entry.key === key)
        const to = entry?.path(site)
        return entry && to && <Tab key={key} to={to} icon={icon} label={entry.label(site)} current={pathname === to} />
      })}
      <Tab
        to={paths.mystudio.profile}
        icon={PERSON}
        label="Yo"
        current={entries.some((entry) => !entry.bar && entry.path(site) === pathname)}
      />
    </nav>
  )
}

function Tab({ to, icon, label, current }: { to: string; icon: string; label: string; current: boolean }) {
  return (
    <AppLink to={to} aria-current={current ? 'page' : undefined}>
      <svg className="icon" viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth="2" aria-hidden="true">
        <path d={icon} />
      </svg>
      {label}
    </AppLink>
  )
}
