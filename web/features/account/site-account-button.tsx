import { IconChevronDown } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'

const loadMenu = () => import('./site-account-menu.tsx')
/** Loaded when it is wanted; without it 'Mi Cuenta' beside it leads to the same links. */
const SiteAccountMenu = lazy<typeof import('./site-account-menu.tsx')['default']>(() => loadMenu().catch(() => ({ default: () => <></> })))

/** Opens the account menu of a public page, beside 'Mi Cuenta' (S1-2.47). */
export function SiteAccountButton() {
  const [wanted, setWanted] = useState(false)
  const label = 'Menú de tu cuenta'
  const button = (
    <IconButton
      bare
      label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={() => void loadMenu().catch(() => {})}
      onClick={() => setWanted(true)}
    >
      <IconChevronDown className="icon" aria-hidden="true" />
    </IconButton>
  )
  if (!wanted) return button
  return (
    <Suspense fallback={button}>
      <SiteAccountMenu label={label} buttonClass="icon-btn icon-btn-bare" />
    </Suspense>
  )
}
