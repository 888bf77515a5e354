import { AppLink } from '#web/lib/link.tsx'
import { openEntries } from '#web/lib/menu.ts'
import { useSite } from '#web/lib/settings.tsx'
import '#web/ui/chip.css'
import './account-pages.css'

/** The other pages of the account, on the page of 'Yo' on phones: the same as in the menu of the header. */
export function AccountPages() {
  const site = useSite()
  return (
    <nav className="account-pages" aria-label="Mi cuenta">
      {openEntries(site)
        .filter((entry) => !entry.bar && entry.key !== 'profile')
        .map((entry) => (
          <AppLink key={entry.key} to={entry.path(site)} className="chip">
            {entry.label(site)}
          </AppLink>
        ))}
    </nav>
  )
}
