import { IconMenu2 } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { useLocation, useRouteLoaderData } from 'react-router'
import { paths } from '#contract/paths.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSessionHint } from '#web/lib/session-hint.ts'
import { type Site, useSite } from '#web/lib/settings.tsx'
import { buttonClass, IconButton } from '#web/ui/button.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Banner } from './banner.tsx'
import { Brand } from './brand.tsx'
import { SiteHeader } from './site-header.tsx'

/**
 * The links of the public bar: the packages page with its own name, and the enabled sections of the landing page (S1-2.44, S1-2.45,
 * S1-2.54). `shown`: the sections with content, known on the landing page itself.
 */
function entries(site: Site, pathname: string, shown: readonly string[] | undefined): { label: string; to: string }[] {
  const has = (section: string) => shown?.includes(section) ?? true
  const page = { label: site.class_packages_name, to: paths.packages(site) }
  const section = { label: 'Paquetes', to: '/#paquetes' }
  // Never two entries with the same name: on the landing page it is the section, elsewhere the page.
  const isOneName = page.label === section.label
  return [
    isOneName && site.packages_enabled && pathname === paths.home && has('packages') ? section : page,
    ...(site.packages_enabled && !isOneName && has('packages') ? [section] : []),
    ...(site.about_enabled && has('about') ? [{ label: 'Nosotros', to: '/#nosotros' }] : []),
    ...(site.schedule_enabled && has('schedule') ? [{ label: 'Horarios', to: '/#horarios' }] : []),
    // Empty on every host except `certification_host`: web/lib/site.server.ts.
    ...(site.certification_link ? [{ label: 'Certificación', to: site.certification_link }] : []),
  ]
}

function EntryLink({ to, label, className }: { to: string; label: string; className?: string }) {
  const { pathname } = useLocation()
  if (!to.startsWith('/'))
    return (
      <a href={to} className={className} target="_blank" rel="noopener">
        {label}
      </a>
    )
  return (
    <AppLink to={to} className={className} aria-current={to === pathname ? 'page' : undefined}>
      {label}
    </AppLink>
  )
}

/** The bar of the public pages (S1-2.43 to S1-2.48). `menu`: opens the account menu, beside 'Mi Cuenta'. */
export function SiteNavbar({ menu }: { menu?: ReactNode }) {
  const site = useSite()
  const signedIn = useSessionHint()
  const [open, setOpen] = useState(false)
  const { pathname } = useLocation()
  const landing = useRouteLoaderData('areas/site/landing') as { order: readonly string[] } | undefined
  const links = entries(site, pathname, landing?.order)
  const account = signedIn ? 'Mi Cuenta' : 'Ingresar'
  return (
    <SiteHeader>
      <div className="wrap site-bar">
        <IconButton bare label="Abrir menú" className="bar-menu" aria-haspopup="dialog" onClick={() => setOpen(true)}>
          <IconMenu2 className="icon" aria-hidden="true" />
        </IconButton>
        <AppLink to={paths.home} aria-label={`${site.business_name}, inicio`}>
          <Brand />
        </AppLink>
        <nav className="bar-links" aria-label="Principal">
          {links.map((entry) => (
            <EntryLink key={entry.to} {...entry} />
          ))}
        </nav>
        <div className="bar-account end">
          <AppLink to={paths.login} className={buttonClass({ variant: 'ink', size: 'small' })}>
            {account}
          </AppLink>
          {signedIn && menu}
        </div>
      </div>
      <noscript>
        <nav className="wrap" aria-label="Principal">
          {links.map(({ to, label }) => (
            <a key={to} href={to} className="link">
              {label}
            </a>
          ))}
        </nav>
      </noscript>
      <Drawer open={open} onClose={() => setOpen(false)} label="Menú" head={<Brand />}>
        <Banner />
        {/* biome-ignore lint/a11y/useKeyWithClickEvents: following a link by mouse or key closes the drawer */}
        <nav className="bar-drawer" aria-label="Principal" onClick={() => setOpen(false)}>
          {links.map((entry) => (
            <EntryLink key={entry.to} {...entry} className="drawer-row" />
          ))}
          <AppLink to={paths.schedule} className="drawer-row">
            Calendario
          </AppLink>
          <AppLink to={paths.login} className="drawer-row">
            {account}
          </AppLink>
        </nav>
      </Drawer>
    </SiteHeader>
  )
}
