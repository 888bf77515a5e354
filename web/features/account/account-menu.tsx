import { IconLayoutDashboard, IconLogout } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ADMIN_HOME } from '#contract/admin-home.ts'
import { AppLink } from '#web/lib/link.tsx'
import { openEntries } from '#web/lib/menu.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'

interface AccountMenuProps {
  /** accessible name of the button, if its contents give none */
  label?: string
  button: ReactNode
  buttonClass: string
  /** already asked for when it is rendered */
  startsOpen?: boolean
  /** the customer also works here */
  isStaff: boolean
  onLeave: () => void
}

/** The menu of the account, the same on every page: the links of the account and 'Salir' (S1-2.47, S2-2.13, S2-2.14). */
export function AccountMenu({ isStaff, onLeave, ...menu }: AccountMenuProps) {
  const site = useSite()
  return (
    <Menu {...menu}>
      {openEntries(site)
        .filter((entry) => !entry.bar)
        .map((entry) => (
          <MenuItem key={entry.key} as={AppLink} to={entry.path(site)}>
            {entry.label(site)}
          </MenuItem>
        ))}
      <hr />
      {isStaff && (
        <MenuItem as={AppLink} to={ADMIN_HOME} icon={<IconLayoutDashboard className="icon" aria-hidden="true" />}>
          Administrar
        </MenuItem>
      )}
      <MenuItem icon={<IconLogout className="icon" aria-hidden="true" />} onClick={onLeave}>
        Salir
      </MenuItem>
    </Menu>
  )
}
