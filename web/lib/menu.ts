/** The entries that a studio's switches enable: one list for the menus and for the router (spec 2 section 2). */
import { paths } from '#contract/paths.ts'
import type { Site } from './settings.tsx'

export interface MenuEntry {
  key:
    | 'calendar'
    | 'online'
    | 'reservations'
    | 'waitlists'
    | 'packages'
    | 'profile'
    | 'purchases'
    | 'invoices'
    | 'cards'
    | 'credits'
    | 'messages'
  label: (site: Site) => string
  path: (site: Site) => string
  /** Whether the studio's switches enable the entry; always enabled without it. */
  open?: (site: Site) => boolean
  /** Section of the drawer: 'Menú' or 'Mi Cuenta'. `null`: only in the account links of the user menu. */
  drawer: 'menu' | 'account' | null
  /** Shown in the bar on a desktop. */
  bar: boolean
}

/** All entries, in the order of the menus. */
export const accountMenu: readonly MenuEntry[] = [
  {
    key: 'calendar',
    label: (site) => (site.single_class_enabled ? 'Presenciales' : 'Calendario'),
    path: () => paths.mystudio.calendar,
    drawer: 'menu',
    bar: true,
  },
  {
    key: 'online',
    label: () => 'Online',
    path: () => paths.mystudio.online,
    open: (site) => site.videos_enabled,
    drawer: 'menu',
    bar: true,
  },
  { key: 'reservations', label: () => 'Reservaciones', path: () => paths.mystudio.reservations, drawer: 'menu', bar: true },
  { key: 'packages', label: (site) => site.class_packages_name, path: (site) => paths.mystudio.packages(site), drawer: 'menu', bar: true },
  { key: 'profile', label: () => 'Mi Información', path: () => paths.mystudio.profile, drawer: 'account', bar: false },
  { key: 'purchases', label: () => 'Mis Compras', path: () => paths.mystudio.purchases, drawer: 'account', bar: false },
  {
    key: 'invoices',
    label: () => 'Mis Cargos',
    path: () => paths.mystudio.invoices,
    open: (site) => site.subscriptions_enabled,
    drawer: null,
    bar: false,
  },
  { key: 'cards', label: () => 'Mis Método de Pago', path: () => paths.mystudio.cards, drawer: null, bar: false },
  {
    key: 'credits',
    label: () => 'Mis Créditos',
    path: () => paths.mystudio.credits,
    open: (site) => site.allow_restricted_class_types,
    drawer: null,
    bar: false,
  },
  {
    key: 'waitlists',
    label: () => 'Mis Listas de Espera',
    path: () => paths.mystudio.waitlists,
    open: (site) => site.waitlist_enabled,
    drawer: null,
    bar: false,
  },
  { key: 'messages', label: () => 'Mis Mensajes', path: () => paths.mystudio.messages, drawer: null, bar: false },
]

/** The entries that a studio's switches enable. */
export const openEntries = (site: Site): readonly MenuEntry[] => accountMenu.filter((entry) => entry.open?.(site) ?? true)

/**
 * Whether the studio's switches allow an address of the signed-in area. A link to invoice charges (`facturar`, which stays when the dialog
 * of one closes) opens Mis Cargos also where nothing is sold by subscription: it is the only place where customers request invoices.
 */
export function isOpenPath(pathname: string, site: Site, search = ''): boolean {
  const path = pathname.replace(/\/+$/, '') || '/'
  if (path === paths.mystudio.invoices && /[?&]facturar=1/.test(search)) return true
  if (/^\/mystudio\/video\//.test(path)) return site.videos_enabled
  const entry = accountMenu.find((menuEntry) => menuEntry.path(site) === path)
  return entry?.open?.(site) ?? true
}
