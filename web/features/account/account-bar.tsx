import { IconBell, IconChevronDown, IconLogout, IconMenu2, IconTicket } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { ADMIN_HOME } from '#contract/admin-home.ts'
import { paths } from '#contract/paths.ts'
import { Banner } from '#web/features/site/banner.tsx'
import { Brand } from '#web/features/site/brand.tsx'
import { queries } from '#web/lib/api.ts'
import { useCustomer } from '#web/lib/customer.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { type MenuEntry, openEntries } from '#web/lib/menu.ts'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { AccountMenu } from './account-menu.tsx'
import './account-bar.css'

/**
 * The bar of the signed-in area: entries by switch, credits, the user's menu; a drawer on narrow screens (S2-2.10 to S2-2.14). `onLeft`
 * runs after signing out, on pages that do not watch the session.
 */
export function AccountBar({ onLeft }: { onLeft?: () => void }) {
  const site = useSite()
  const customer = useCustomer()
  const [open, setOpen] = useState(false)
  const entries = openEntries(site)
  const leave = () => void endSession().then(onLeft)
  return (
    <div className="account-bar">
      <div className="wrap row gap-16">
        <IconButton
          bare
          label="Abrir menú"
          className="account-menu only-narrow"
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(true)}
        >
          <IconMenu2 className="icon" aria-hidden="true" />
        </IconButton>
        <AppLink to={paths.home} className="account-brand" aria-label={`${site.business_name}, inicio`}>
          <Brand />
        </AppLink>
        <nav className="account-links only-wide" aria-label="Principal">
          {entries
            .filter((entry) => entry.bar)
            .map((entry) => (
              <Entry key={entry.key} entry={entry} />
            ))}
        </nav>
        <div className="end row gap-8">
          <CreditsChip />
          <Bell />
          <AccountMenu
            buttonClass="account-user"
            isStaff={Boolean(customer.role)}
            onLeave={leave}
            button={
              <>
                <Avatar name={`${customer.name} ${customer.last_name}`} size={40} />
                <span className="sr-only">Cuenta de {customer.name}</span>
                <span className="only-wide ellipsis" aria-hidden="true">
                  {customer.name}
                </span>
                <IconChevronDown className="icon only-wide" aria-hidden="true" />
              </>
            }
          />
        </div>
      </div>
      <Drawer
        open={open}
        onClose={() => setOpen(false)}
        label="Menú"
        head={<Brand />}
        foot={
          <Button variant="outline" full icon={<IconLogout className="icon" aria-hidden="true" />} onClick={leave}>
            Salir
          </Button>
        }
      >
        <Banner />
        <DrawerPart title="Menú" entries={entries.filter((entry) => entry.drawer === 'menu')} onGo={() => setOpen(false)} />
        <DrawerPart title="Mi Cuenta" entries={entries.filter((entry) => entry.drawer === 'account')} onGo={() => setOpen(false)} />
        {customer.role && (
          <AppLink className="drawer-row" to={ADMIN_HOME}>
            Administrar
          </AppLink>
        )}
      </Drawer>
    </div>
  )
}

function useIsHere(path: string): boolean {
  const { pathname } = useLocation()
  return (pathname.replace(/\/+$/, '') || '/') === path
}

function Entry({ entry }: { entry: MenuEntry }) {
  const site = useSite()
  const isCurrent = useIsHere(entry.path(site))
  return (
    <AppLink to={entry.path(site)} aria-current={isCurrent ? 'page' : undefined}>
      {entry.label(site)}
    </AppLink>
  )
}

function DrawerPart({ title, entries, onGo }: { title: string; entries: readonly MenuEntry[]; onGo: () => void }) {
  return (
    <nav aria-label={title}>
      <p className="tiny muted drawer-title">{title}</p>
      {entries.map((entry) => (
        <DrawerRow key={entry.key} entry={entry} onGo={onGo} />
      ))}
    </nav>
  )
}

function DrawerRow({ entry, onGo }: { entry: MenuEntry; onGo: () => void }) {
  const site = useSite()
  const isCurrent = useIsHere(entry.path(site))
  return (
    <AppLink className="drawer-row" to={entry.path(site)} aria-current={isCurrent ? 'page' : undefined} onClick={onGo}>
      {entry.label(site)}
    </AppLink>
  )
}

/** "8 clases" or "Ilimitadas": links to the credits if the studio shows them, otherwise to the packages. */
function CreditsChip() {
  const site = useSite()
  const { data } = useQuery(queries.credits.list.queryOptions({ meta: { handled: true } }))
  if (!data) return null
  const { has_unlimited, available } = data.summary
  return (
    <AppLink
      className="account-credits only-wide"
      to={site.allow_restricted_class_types ? paths.mystudio.credits : paths.mystudio.packages(site)}
    >
      <IconTicket className="icon" aria-hidden="true" />
      {has_unlimited ? (
        'Ilimitadas'
      ) : (
        <span>
          <b>{available}</b> {available === 1 ? 'clase' : 'clases'}
        </span>
      )}
    </AppLink>
  )
}

/** Polling interval for new messages while the page is open. */
const POLL_MS = 60_000

/** A link to the messages with the number of unread ones. */
function Bell() {
  const { data } = useQuery(queries.messages.list.queryOptions({ input: { page: 1 }, refetchInterval: POLL_MS, meta: { handled: true } }))
  const newMessages = data?.unread ?? 0
  const shown = newMessages > 9 ? '9+' : String(newMessages)
  // The accessible name contains the visible number, so that speech input finds it (WCAG 2.5.3).
  const bellLabel = newMessages === 0 ? 'Mensajes' : `Mensajes, ${shown} sin leer`
  return (
    <IconButton as={AppLink} bare label={bellLabel} to={paths.mystudio.messages} className="account-bell">
      <IconBell className="icon" aria-hidden="true" />
      {newMessages > 0 && (
        <span className="account-unread figure" aria-hidden="true">
          {shown}
        </span>
      )}
    </IconButton>
  )
}
