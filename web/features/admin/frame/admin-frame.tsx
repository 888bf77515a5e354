import { IconArrowLeft, IconExternalLink, IconLogout, IconMenu2, IconPlus, IconShieldLock } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation, useMatches } from 'react-router'
import { paths } from '#contract/paths.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { Toaster } from '#web/features/site/toaster.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { AppLink } from '#web/lib/link.tsx'
import { endSession } from '#web/lib/session.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Avatar } from '#web/ui/avatar.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { useRetainedFocus } from '#web/ui/retained-focus.ts'
import { isWithin, type Screen, screensOf } from './menu.ts'
import { may, ROLE_NAMES, useStaff } from './staff.tsx'
import { UndoOffer } from './undo.tsx'
import './admin-frame.css'

/** What a screen says of itself to the frame, as `export const handle`. */
export interface AdminHandle {
  /** in the bar at the top */
  title: string
  /** A screen that is opened from another one: the way back stands in the bar, and on a phone its own verbs where the menu would be. */
  detail?: boolean
  /** On a phone the bar continues the screen's deep head. */
  deep?: boolean
}

/** The frame of every screen: menu at the side (a rail on a tablet, a drawer and a bar at the foot on a phone), bar at the top (design section 6). */
export function AdminFrame({ children }: { children: ReactNode }) {
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
    // A step inside the area is a new page for a reader too.
    main.current?.focus({ preventScroll: true })
  }, [pathname])
  const screens = screensOf(staff)
  const handle = useHandle()
  return (
    <div className="admin">
      <meta name="robots" content="noindex, nofollow" />
      <a className="skip-link" href="#contenido">
        Saltar al contenido
      </a>
      <nav className="admin-side" aria-label="Administración">
        <AppLink to={screens[0]?.path ?? paths.home} className="admin-brand" aria-label={`${site.business_name}, administración`}>
          <Brand ground="stage" />
        </AppLink>
        <div className="admin-menu">
          {screens.map((screen) => (
            <SideLink key={screen.key} screen={screen} />
          ))}
        </div>
        <Person />
      </nav>
      <header className={`admin-top ${handle.deep ? 'admin-top-deep' : ''}`}>
        {handle.detail ? (
          <Back screens={screens} />
        ) : (
          <IconButton bare label="Abrir menú" className="only-phone" aria-haspopup="dialog" onClick={() => setOpen(true)}>
            <IconMenu2 className="icon" aria-hidden="true" />
          </IconButton>
        )}
        <p className={`admin-top-title ${handle.detail ? '' : 'only-phone'}`} aria-hidden="true">
          {handle.title}
        </p>
        {may(staff, 'sales.sell') && pathname !== adminPaths.newSale && (
          <Button
            as={AppLink}
            to={adminPaths.newSale}
            variant="outline"
            size="small"
            className="admin-top-end"
            icon={<IconPlus className="icon" aria-hidden="true" />}
          >
            Nueva venta
          </Button>
        )}
      </header>
      <main id="contenido" ref={main} className="admin-main" tabIndex={-1}>
        {children}
      </main>
      {!handle.detail && <FootBar screens={screens} />}
      <Drawer open={open} onClose={() => setOpen(false)} label="Menú" head={<Brand />} foot={<DrawerFoot />}>
        <nav aria-label="Administración">
          {screens.map((screen) => (
            <DrawerLink key={screen.key} screen={screen} onGo={() => setOpen(false)} />
          ))}
        </nav>
      </Drawer>
      <UndoOffer />
      <Toaster />
    </div>
  )
}

function useHandle(): AdminHandle {
  const handles = useMatches().map(({ handle }) => handle as Partial<AdminHandle> | undefined)
  return Object.assign({ title: '' }, ...handles)
}

const useIsHere = (screen: Screen): boolean => isWithin(screen, useLocation().pathname)

function SideLink({ screen }: { screen: Screen }) {
  const here = useIsHere(screen)
  return (
    <AppLink to={screen.path} className="admin-link" aria-current={here ? 'page' : undefined} title={screen.label}>
      <screen.Icon className="icon" aria-hidden="true" />
      <span className="admin-word">{screen.label}</span>
    </AppLink>
  )
}

function DrawerLink({ screen, onGo }: { screen: Screen; onGo: () => void }) {
  const here = useIsHere(screen)
  return (
    <AppLink to={screen.path} className="drawer-row" aria-current={here ? 'page' : undefined} onClick={onGo}>
      <screen.Icon className="icon" aria-hidden="true" />
      {screen.label}
    </AppLink>
  )
}

/** Who works here, and what is about them. */
function Person() {
  const { name, role } = useStaff()
  return (
    <div className="admin-person">
      <Menu
        buttonClass="admin-link admin-who"
        button={
          <>
            <Avatar name={name} size={32} />
            <span className="sr-only">Tu cuenta: </span>
            <span className="admin-word">
              <span className="ellipsis">{name}</span>
              <span className="tiny">{ROLE_NAMES[role]}</span>
            </span>
          </>
        }
      >
        <MenuItem as="a" href={paths.home} icon={<IconExternalLink className="icon" aria-hidden="true" />}>
          Ver el sitio
        </MenuItem>
        <MenuItem as="a" href={paths.security} icon={<IconShieldLock className="icon" aria-hidden="true" />}>
          Seguridad de tu cuenta
        </MenuItem>
        <hr />
        <MenuItem icon={<IconLogout className="icon" aria-hidden="true" />} onClick={() => void endSession()}>
          Salir
        </MenuItem>
      </Menu>
    </div>
  )
}

function DrawerFoot() {
  const { name, role } = useStaff()
  return (
    <div className="stack gap-8">
      <p className="small muted">
        {name} · {ROLE_NAMES[role]}
      </p>
      <a className="link" href={paths.home}>
        Ver el sitio
      </a>
      <a className="link" href={paths.security}>
        Seguridad de tu cuenta
      </a>
      <button type="button" className="link" onClick={() => void endSession()}>
        Salir
      </button>
    </div>
  )
}

/** Back to the screen from which this one is opened; where one came from on this device is the browser's to know. */
function Back({ screens }: { screens: readonly Screen[] }) {
  const { pathname } = useLocation()
  const from = screens.find((screen) => isWithin(screen, pathname)) ?? screens[0]
  if (!from) return null
  return (
    <IconButton as={AppLink} bare label={`Volver a ${from.label}`} to={from.path}>
      <IconArrowLeft className="icon" aria-hidden="true" />
    </IconButton>
  )
}

/** The way between the first screens for one thumb. */
function FootBar({ screens }: { screens: readonly Screen[] }) {
  const { pathname } = useLocation()
  const shown = screens.filter(({ bar }) => bar)
  if (shown.length < 2) return null
  return (
    <nav className="admin-foot" aria-label="Pantallas">
      {shown.map((screen) => (
        <AppLink key={screen.key} to={screen.path} aria-current={isWithin(screen, pathname) ? 'page' : undefined}>
          <screen.Icon className="icon" aria-hidden="true" />
          {screen.label}
        </AppLink>
      ))}
    </nav>
  )
}

/** How a screen begins: its name, in the tab too, a sentence, and its verbs across from it. */
export function ScreenHead({ title, about, children }: { title: string; about?: ReactNode; children?: ReactNode }) {
  const site = useSite()
  return (
    <header className="screen-head">
      <title>{`${title} · ${site.business_name}`}</title>
      <div className="grow">
        <h1 className="t1">{title}</h1>
        {about && <p className="muted">{about}</p>}
      </div>
      {children}
    </header>
  )
}
