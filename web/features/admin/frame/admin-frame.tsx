import {
  IconArrowLeft,
  IconLayoutSidebarLeftCollapse,
  IconLayoutSidebarLeftExpand,
  IconMenu2,
  IconPlus,
  IconSearch,
} from '@tabler/icons-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react'
import { useLocation, useMatches, useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import { paths } from '#contract/paths.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { useRetainedFocus } from '#web/ui/retained-focus.ts'
import { Bell } from './bell.tsx'
import { LiveDot, OthersHere } from './live-dot.tsx'
import { LocationFilter, useLocationFilter, withLocation } from './location-filter.tsx'
import { bottomBar, isInEntry, isWithin, type MenuEntry, missingRight, type Screen, toGroups, toTabs, visibleScreens } from './menu.ts'
import { OfflineBar } from './offline-bar.tsx'
import { DrawerPerson, PersonMenu } from './person-menu.tsx'
import { useFoldedMenu, useSingleKeys } from './preferences.ts'
import { useIdleLock } from './shared-device.ts'
import { useFrameShortcuts, useShortcutListener } from './shortcuts.ts'
import { may, useStaff } from './staff.tsx'
import { TabNav } from './tab-nav.tsx'
import { UndoOffer } from './undo.tsx'
import './admin-frame.css'

const NoRight = lazy(() => import('./no-right.tsx'))

/** What a screen declares for the frame, as `export const handle`. */
export interface AdminHandle {
  /** shown in the top bar */
  title: string
  /**
   * A screen that is opened from another one: the bar has a back button, and on a phone the screen's own buttons are where the menu
   * bar would be.
   */
  detail?: boolean
  /** Several people may change the record of this screen at once: the others who have it open are shown. */
  edits?: boolean
  /** On a phone the bar continues the dark head of the screen. */
  deep?: boolean
  /** The screen brings its own frame. */
  bare?: boolean
}

interface AdminFrameProps {
  /** opens the palette */
  onSearch: () => void
  /** opens the list of keyboard shortcuts */
  onShortcuts: () => void
  children: ReactNode
}

/**
 * The frame of every screen: menu at the side (a rail on tablets, a drawer and a bottom bar on phones) and the top bar (design section 6).
 */
export function AdminFrame({ onSearch, onShortcuts, children }: AdminFrameProps) {
  const site = useSite()
  const staff = useStaff()
  const { pathname } = useLocation()
  const [open, setOpen] = useState(false)
  const main = useRef<HTMLElement>(null)
  const shown = useRef(pathname)
  useRetainedFocus(main)
  useEffect(() => {
    if (shown.current === pathname) return
    shown.current = pathname
    // Client-side navigation moves no focus: move it, so that screen readers start at the new screen.
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  useIdleLock(staff.isSharedDevice)
  const screens = visibleScreens(staff)
  const missing = missingRight(staff, pathname)
  const handle = useHandle()
  const isInBar = (path: string) => bottomBar(staff).some((entry) => entry.path === path)
  const fold = useFoldedMenu()
  const location_id = useRememberedLocation(handle.detail ?? false)
  useShortcutsOfFrame({ screens, location_id, onSearch, onShortcuts })
  return (
    <div className={`admin ${fold.isFolded ? 'admin-folded' : ''}`}>
      <meta name="robots" content="noindex, nofollow" />
      <a className="skip-link" href="#contenido">
        Saltar al contenido
      </a>
      <nav className="admin-side" aria-label="Administración">
        <AppLink to={screens[0]?.path ?? paths.home} className="admin-brand" aria-label={`${site.business_name}, administración`}>
          <Brand ground="stage" />
        </AppLink>
        <div className="admin-menu">
          {toGroups(screens).map((group) => (
            <div key={group[0]?.key} className="admin-menu-group">
              {group.map((entry) => (
                <SideLink key={entry.key} entry={entry} location_id={location_id} />
              ))}
            </div>
          ))}
        </div>
        <button type="button" className="admin-link admin-fold" onClick={() => fold.turn(!fold.isFolded)}>
          {fold.isFolded ? (
            <IconLayoutSidebarLeftExpand className="icon" aria-hidden="true" />
          ) : (
            <IconLayoutSidebarLeftCollapse className="icon" aria-hidden="true" />
          )}
          <span className="admin-text">{fold.isFolded ? 'Desplegar el menú' : 'Plegar el menú'}</span>
        </button>
        <PersonMenu />
      </nav>
      <header className={`admin-top ${handle.deep ? 'admin-top-deep' : ''}`}>
        {handle.detail ? (
          <BackLink screens={screens} location_id={location_id} />
        ) : (
          <IconButton bare label="Abrir menú" className="only-phone" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            <IconMenu2 className="icon" aria-hidden="true" />
          </IconButton>
        )}
        <p className={`admin-top-title ${handle.detail ? '' : 'only-phone'}`} aria-hidden="true">
          {handle.title}
        </p>
        <button
          type="button"
          className={`admin-search ${handle.detail ? 'admin-search-small' : ''}`}
          aria-haspopup="dialog"
          aria-keyshortcuts="Control+K"
          onClick={onSearch}
        >
          <IconSearch className="icon" aria-hidden="true" />
          <span>Busca clientes, compras o clases</span>
          <kbd>Ctrl K</kbd>
        </button>
        <div className="admin-top-end">
          <div className="admin-top-place">
            <LocationFilter />
          </div>
          <LiveDot />
          {may(staff, 'roster.all') && <Bell />}
          {may(staff, 'sales.sell') && pathname !== adminPaths.newSale && (
            <Button
              as={AppLink}
              to={adminPaths.newSale}
              variant="outline"
              size="small"
              className={!handle.detail && isInBar(adminPaths.newSale) ? 'not-phone-bar' : undefined}
              icon={<IconPlus className="icon" aria-hidden="true" />}
            >
              <span className="not-phone">Nueva venta</span>
            </Button>
          )}
        </div>
      </header>
      <main id="contenido" ref={main} className="admin-main" tabIndex={-1}>
        <OfflineBar />
        {missing ? (
          <Suspense>
            <NoRight title={handle.title} right={missing} />
          </Suspense>
        ) : (
          <>
            {handle.edits && <OthersHere />}
            {children}
          </>
        )}
      </main>
      {!handle.detail && <FootBar location_id={location_id} onMenu={() => setOpen(true)} />}
      <Drawer open={open} onClose={() => setOpen(false)} label="Menú" head={<Brand />} foot={<DrawerPerson />}>
        <div className="admin-drawer-place">
          <LocationFilter />
        </div>
        <nav aria-label="Administración">
          {toGroups(screens)
            .flat()
            .map((entry) => (
              <DrawerLink key={entry.key} entry={entry} location_id={location_id} onGo={() => setOpen(false)} />
            ))}
        </nav>
      </Drawer>
      <UndoOffer />
      <Toaster />
    </div>
  )
}

/** The location for links to other screens: that of the address; on a screen opened from another one, that of the screen before. */
function useRememberedLocation(isDetail: boolean): number | null {
  const chosen = useLocationFilter()
  const [remembered, setRemembered] = useState(chosen)
  const current = chosen ?? (isDetail ? remembered : null)
  if (current !== remembered) setRemembered(current)
  return current
}

type FrameShortcutsInput = Omit<AdminFrameProps, 'children'> & { screens: readonly Screen[]; location_id: number | null }

/** The shortcuts of every screen, and the listener of all. */
function useShortcutsOfFrame({ screens, location_id, onSearch, onShortcuts }: FrameShortcutsInput) {
  const staff = useStaff()
  const navigate = useNavigate()
  const to = (path: string) => () => void navigate(withLocation(path, location_id))
  useShortcutListener(useSingleKeys().isOn)
  useFrameShortcuts('En todas las pantallas', [
    { keys: 'Mod+k', label: 'Buscar', act: onSearch },
    { keys: '/', label: 'Buscar', act: onSearch },
    may(staff, 'sales.sell') && { keys: 'N', label: 'Nueva venta', act: to(adminPaths.newSale) },
    { keys: '?', label: 'Atajos de teclado', act: onShortcuts },
  ])
  useFrameShortcuts(
    'Ir a',
    screens.flatMap(({ shortcut, label, path }) => (shortcut ? [{ keys: `g ${shortcut}`, label, act: to(path) }] : [])),
  )
}

function useHandle(): AdminHandle {
  const handles = useMatches().map(({ handle }) => handle as Partial<AdminHandle> | undefined)
  return Object.assign({ title: '' }, ...handles)
}

interface EntryLinkProps {
  entry: MenuEntry
  location_id: number | null
}

function SideLink({ entry, location_id }: EntryLinkProps) {
  const { pathname } = useLocation()
  return (
    <AppLink
      to={withLocation(entry.path, location_id)}
      className="admin-link"
      aria-current={currentOf(entry, pathname)}
      title={entry.label}
    >
      <entry.Icon className="icon" aria-hidden="true" />
      <span className="admin-text">{entry.label}</span>
    </AppLink>
  )
}

function DrawerLink({ entry, location_id, onGo }: EntryLinkProps & { onGo: () => void }) {
  const { pathname } = useLocation()
  return (
    <AppLink to={withLocation(entry.path, location_id)} className="drawer-row" aria-current={currentOf(entry, pathname)} onClick={onGo}>
      <entry.Icon className="icon" aria-hidden="true" />
      {entry.label}
    </AppLink>
  )
}

/** `page` for the entry's own screen, `true` for another screen of the entry. */
function currentOf(entry: MenuEntry, pathname: string): 'page' | 'true' | undefined {
  if (!isInEntry(entry, pathname)) return undefined
  return entry.screens[0] && isWithin(entry.screens[0], pathname) ? 'page' : 'true'
}

/** The screens that share the menu's entry with this one, as tabs below its head. */
function ScreenTabs() {
  const { pathname } = useLocation()
  const location_id = useLocationFilter()
  const tabs = toTabs(visibleScreens(useStaff()), pathname)
  const isDetail = useHandle().detail ?? false
  if (isDetail || tabs.length === 0) return null
  // The address of one screen may begin like that of another: the longest one that fits is the current one.
  const current = tabs.filter((screen) => isWithin(screen, pathname)).sort((a, b) => b.path.length - a.path.length)[0]
  return (
    <TabNav label={`Pantallas de ${tabs[0]?.menuLabel ?? tabs[0]?.label}`} current={current?.key}>
      {tabs.map((screen) => (
        <AppLink key={screen.key} to={withLocation(screen.path, location_id)} aria-current={screen === current ? 'page' : undefined}>
          {screen.label}
        </AppLink>
      ))}
    </TabNav>
  )
}

/** A link to the screen that this one belongs to; not the browser's history, which may lead elsewhere. */
function BackLink({ screens, location_id }: { screens: readonly Screen[]; location_id: number | null }) {
  const { pathname } = useLocation()
  const from = screens.find((screen) => isWithin(screen, pathname)) ?? screens[0]
  if (!from) return null
  return (
    <IconButton as={AppLink} bare label={`Volver a ${from.label}`} to={withLocation(from.path, location_id)}>
      <IconArrowLeft className="icon" aria-hidden="true" />
    </IconButton>
  )
}

/** The bottom bar of phones, by role. */
function FootBar({ location_id, onMenu }: { location_id: number | null; onMenu: () => void }) {
  const { pathname } = useLocation()
  const entries = bottomBar(useStaff())
  if (entries.length < 2) return null
  return (
    <nav className="admin-foot" aria-label="Pantallas">
      {entries.map(({ label, path, Icon, screen }) =>
        path === null ? (
          <button key={label} type="button" aria-haspopup="dialog" onClick={onMenu}>
            <Icon className="icon" aria-hidden="true" />
            {label}
          </button>
        ) : (
          <AppLink
            key={label}
            to={withLocation(path, location_id)}
            aria-current={screen && isWithin(screen, pathname) ? 'page' : undefined}
          >
            <Icon className="icon" aria-hidden="true" />
            {label}
          </AppLink>
        ),
      )}
    </nav>
  )
}

/** The head of a screen: sets the document title, and shows the heading, a sentence and the screen's buttons. */
export function ScreenHead({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) {
  const site = useSite()
  return (
    <>
      <header className="screen-head">
        <title>{`${title} · ${site.business_name}`}</title>
        <div className="grow">
          <h1 className="t1">{title}</h1>
          {about && <p className="muted">{about}</p>}
        </div>
        {children}
      </header>
      <ScreenTabs />
    </>
  )
}
