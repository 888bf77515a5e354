/** The screens in the menus of the administration: one list for sidebar, bottom bar, keyboard shortcuts and palette. */
import {
  IconBarbell,
  IconCalendarEvent,
  IconCalendarWeek,
  IconCashRegister,
  IconChartBar,
  IconCoins,
  IconDiscount,
  IconFileImport,
  IconFileText,
  IconForms,
  IconGift,
  IconHistory,
  IconLayoutDashboard,
  IconMessage,
  IconPlugConnected,
  IconReceipt2,
  IconRobot,
  IconScan,
  IconSend,
  IconSettings,
  IconShoppingBag,
  IconSpeakerphone,
  IconTag,
  IconTicket,
  IconUser,
  IconUserQuestion,
  IconUsers,
  IconUsersGroup,
  IconVideo,
  IconWallet,
  type TablerIcon,
} from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Right } from '#contract/rights.ts'
import { SETTING_AREAS } from '#contract/setting-areas.ts'
import { may, type Staff } from './staff.tsx'

export interface Screen {
  key: string
  label: string
  path: string
  Icon: TablerIcon
  /** the right that the screen needs, or several of which one is enough; without it the screen is hidden */
  right: Right | readonly Right[]
  /** addresses of other screens that are opened from this one */
  leadsTo?: readonly string[]
  /** the letter that opens it after `g`; the alphabet is not enough for all */
  shortcut?: string
  /** the key of the screen of which it is a tab */
  under?: string
  /** the label of its entry of the menu when it has tabs */
  menuLabel?: string
}

/** Rosters are opened from the list of their day. */
const CLASSES = ['/admin/clases']

const SCREENS: readonly (Screen & { only?: (staff: Staff) => boolean })[] = [
  {
    key: 'today',
    label: 'Hoy',
    path: adminPaths.today,
    Icon: IconLayoutDashboard,
    right: 'roster.all',
    shortcut: 'h',
    leadsTo: CLASSES,
  },
  {
    key: 'my-classes',
    label: 'Mis clases',
    path: adminPaths.myClasses,
    Icon: IconCalendarEvent,
    right: 'classes.own',
    shortcut: 'h',
    leadsTo: CLASSES,
    // Staff who see every roster have all classes in Hoy instead.
    only: (staff) => !may(staff, 'roster.all'),
  },
  {
    key: 'my-pay',
    label: 'Mi pago',
    path: adminPaths.myPay,
    Icon: IconWallet,
    right: 'classes.own',
    shortcut: 'y',
    // Staff with a coach's profile who do not run the payroll themselves.
    only: (staff) => staff.instructor_id != null && !may(staff, 'payroll'),
  },
  { key: 'schedule', label: 'Horario', path: adminPaths.schedule, Icon: IconCalendarWeek, right: 'classes.own', shortcut: 'a' },
  {
    key: 'substitutions',
    label: 'Suplencias',
    path: adminPaths.substitutions,
    Icon: IconUserQuestion,
    right: 'classes.own',
    under: 'schedule',
    // Those who plan reach them from the verbs of Horario.
    only: (staff) => !may(staff, 'schedule.edit') && staff.instructor_id != null,
  },
  {
    key: 'reservations',
    label: 'Reservaciones',
    path: adminPaths.reservations,
    Icon: IconTicket,
    right: 'roster.all',
    shortcut: 'b',
  },
  {
    key: 'scan',
    label: 'Escanear',
    path: adminPaths.scan,
    Icon: IconScan,
    right: 'classes.own',
    shortcut: 'e',
    under: 'reservations',
  },
  { key: 'customers', label: 'Clientes', path: adminPaths.customers, Icon: IconUsers, right: 'customers.read', shortcut: 'c' },
  { key: 'sales', label: 'Ventas', path: adminPaths.sales, Icon: IconReceipt2, right: 'sales.sell', shortcut: 'v' },
  { key: 'till', label: 'Caja', path: adminPaths.till, Icon: IconCashRegister, right: 'cash.session', shortcut: 'k' },
  {
    key: 'catalogue',
    label: 'Clases y coaches',
    path: adminPaths.catalogue('tipos'),
    Icon: IconBarbell,
    right: 'catalogue.edit',
    shortcut: 't',
    leadsTo: ['/admin/catalogo'],
  },
  { key: 'packages', label: 'Paquetes', path: adminPaths.packages, Icon: IconTag, right: 'catalogue.edit', shortcut: 'p' },
  {
    key: 'discounts',
    label: 'Descuentos',
    path: adminPaths.discounts,
    Icon: IconDiscount,
    right: 'catalogue.edit',
    shortcut: 'd',
  },
  {
    key: 'products',
    label: 'Productos',
    path: adminPaths.products,
    Icon: IconShoppingBag,
    right: 'catalogue.edit',
    shortcut: 'o',
    under: 'packages',
  },
  {
    key: 'gift-cards',
    label: 'Tarjetas de regalo',
    path: adminPaths.giftCards,
    Icon: IconGift,
    right: 'catalogue.edit',
    shortcut: 'u',
    under: 'packages',
  },
  { key: 'videos', label: 'Videos', path: adminPaths.videos, Icon: IconVideo, right: 'videos.edit', shortcut: 'w' },
  {
    key: 'announcements',
    label: 'Avisos',
    path: adminPaths.announcements,
    Icon: IconSpeakerphone,
    right: 'content.notices',
    shortcut: 'n',
    menuLabel: 'Avisos y páginas',
  },
  {
    key: 'forms',
    label: 'Formularios',
    path: adminPaths.forms,
    Icon: IconForms,
    right: 'content.edit',
    shortcut: 'f',
    under: 'announcements',
  },
  {
    key: 'pages',
    label: 'Páginas',
    path: adminPaths.pages,
    Icon: IconFileText,
    right: 'content.edit',
    shortcut: 's',
    under: 'announcements',
  },
  { key: 'messages', label: 'Mensajes', path: adminPaths.messages, Icon: IconMessage, right: 'customers.read', shortcut: 'm' },
  {
    key: 'broadcasts',
    label: 'Difusiones',
    path: adminPaths.broadcasts,
    Icon: IconSend,
    right: 'messages.send',
    shortcut: 'g',
    under: 'messages',
    leadsTo: [adminPaths.newBroadcast],
  },
  {
    key: 'message-templates',
    label: 'Automáticos',
    path: adminPaths.messageTemplates,
    Icon: IconRobot,
    right: 'messages.send',
    shortcut: 'z',
    under: 'messages',
  },
  {
    key: 'reports',
    label: 'Reportes',
    path: adminPaths.reports,
    Icon: IconChartBar,
    shortcut: 'r',
    // The screen shows the reports that its reader has a right to.
    right: ['reports.activity', 'reports.money'],
  },
  { key: 'payroll', label: 'Nómina', path: adminPaths.payroll, Icon: IconCoins, right: 'payroll', shortcut: 'l', under: 'reports' },
  {
    key: 'settings',
    label: 'Ajustes',
    path: adminPaths.settings,
    Icon: IconSettings,
    right: 'settings.edit',
    shortcut: 'j',
    leadsTo: Object.keys(SETTING_AREAS).map((area) => adminPaths.settingsArea(area)),
  },
  {
    key: 'team',
    label: 'Equipo',
    path: adminPaths.team,
    Icon: IconUsersGroup,
    right: 'staff.edit',
    shortcut: 'q',
    under: 'settings',
  },
  {
    key: 'audit',
    label: 'Bitácora',
    path: adminPaths.audit,
    Icon: IconHistory,
    right: 'audit.read',
    shortcut: 'i',
    under: 'settings',
  },
  {
    key: 'imports',
    label: 'Importar',
    path: adminPaths.imports,
    Icon: IconFileImport,
    right: 'data.import',
    shortcut: 'y',
    under: 'settings',
  },
  {
    key: 'exports',
    label: 'Exportar',
    path: adminPaths.exports,
    Icon: IconFileText,
    right: 'data.export',
    under: 'settings',
  },
  {
    key: 'integrations',
    label: 'Integraciones',
    path: adminPaths.integrations,
    Icon: IconPlugConnected,
    right: 'settings.code',
    shortcut: 'x',
    under: 'settings',
  },
]

/** The screens that a staff member has, in the order of the menu. */
export const visibleScreens = (staff: Staff): readonly Screen[] =>
  SCREENS.filter(({ right, only }) => mayAny(staff, right) && (only?.(staff) ?? true))

const mayAny = (staff: Staff, right: Screen['right']): boolean => [right].flat().some((key) => may(staff, key))

/**
 * Screens that are not in a menu and need another right than the screen above them; `*` is one part of the address. Where reading needs
 * less than writing, as with packages, the right is that of writing: the screens are editors.
 */
const OTHER_SCREENS: readonly { path: string; right: Screen['right'] }[] = [
  { path: '/admin/clases', right: 'classes.own' },
  // Coaches scan the reservations of their classes.
  { path: '/admin/reservaciones/*', right: 'classes.own' },
  { path: adminPaths.scheduleTemplates, right: 'schedule.edit' },
  { path: adminPaths.duplicates, right: 'customers.merge' },
  { path: '/admin/contenido/formularios/*/respuestas', right: 'customers.read' },
  { path: adminPaths.newBroadcast, right: 'messages.send' },
  { path: adminPaths.storedMails, right: 'settings.code' },
  { path: '/admin/catalogo', right: 'catalogue.edit' },
  { path: '/admin/ajustes', right: 'settings.edit' },
]

/** Every screen with a right, the longest address first: an address below another one is found before it. */
const GUARDED = [...SCREENS, ...OTHER_SCREENS]
  .map(({ path, right }) => ({ address: new RegExp(`^${path.replaceAll('*', '[^/]+')}(/|$)`), right, length: path.length }))
  .sort((a, b) => b.length - a.length)

/** The right that an address needs and the staff member lacks; null if they may open it. Of several, the first. */
export function missingRight(staff: Staff, pathname: string): Right | null {
  const right = GUARDED.find(({ address }) => address.test(pathname))?.right
  return right === undefined || mayAny(staff, right) ? null : ([right].flat()[0] ?? null)
}

/** The first screen of a staff member. */
export const homePath = (staff: Staff): string => (may(staff, 'roster.all') ? adminPaths.today : adminPaths.myClasses)

/** Whether an address belongs to a screen of the menu: its own, or that of a screen opened from it. */
export function isWithin(screen: Pick<Screen, 'path' | 'leadsTo'>, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  return [screen.path, ...(screen.leadsTo ?? [])].some((root) => path === root || path.startsWith(`${root}/`))
}

/** An entry of the menu: a screen, and the screens of its tabs. */
export interface MenuEntry extends Pick<Screen, 'key' | 'label' | 'path' | 'Icon'> {
  screens: readonly Screen[]
}

/** The entries of the menu. Without a right to its first screen, an entry is that of the next one that the person has. */
export function toEntries(screens: readonly Screen[]): MenuEntry[] {
  const together = new Map<string, Screen[]>()
  for (const screen of screens) {
    const key = screen.under ?? screen.key
    together.set(key, [...(together.get(key) ?? []), screen])
  }
  return [...together.values()].flatMap((members) => {
    const [first] = members
    if (!first) return []
    const { key, label, path, Icon, menuLabel } = first
    return [{ key, path, Icon, label: members.length > 1 ? (menuLabel ?? label) : label, screens: members }]
  })
}

/** The tabs of a screen: the screens of its entry, the screen itself among them. Empty when it has no other tabs. */
export function toTabs(screens: readonly Screen[], pathname: string): readonly Screen[] {
  const entry = toEntries(screens).find((entry) => isInEntry(entry, pathname))
  return entry && entry.screens.length > 1 ? entry.screens : []
}

/** Whether an address belongs to an entry of the menu. */
export const isInEntry = (entry: MenuEntry, pathname: string): boolean => entry.screens.some((screen) => isWithin(screen, pathname))

/** A group of entries in the menu, with a separator before it. */
export type MenuGroup = readonly MenuEntry[]

/** Beginnings of the addresses of each group, after the screens of the day. */
const GROUPS: readonly (readonly string[])[] = [
  ['/admin/catalogo', '/admin/paquetes', '/admin/descuentos', '/admin/videos', '/admin/contenido', '/admin/mensajes'],
  ['/admin/reportes', '/admin/nomina', '/admin/ajustes'],
]

/** The menu in groups: the screens of the day, those of what the studio offers, and reports with settings. */
export function toGroups(screens: readonly Screen[]): MenuGroup[] {
  const groupOf = ({ path }: MenuEntry) => GROUPS.findIndex((paths) => paths.some((begin) => path.startsWith(begin)))
  const entries = toEntries(screens)
  return [-1, ...GROUPS.keys()].map((at) => entries.filter((entry) => groupOf(entry) === at)).filter((group) => group.length > 0)
}

/** An entry of the bottom bar of phones; without a path it opens the menu. */
export interface BarEntry {
  label: string
  path: string | null
  Icon: TablerIcon
  /** whose addresses mark it as the current one */
  screen: Screen | null
}

/** The bottom bar of a person: coaches have their classes, the timetable, the scanner and themselves; the others what the counter needs. */
export function bottomBar(staff: Staff): BarEntry[] {
  const screens = visibleScreens(staff)
  const entry = (key: string, label?: string): BarEntry[] =>
    screens
      .filter((screen) => screen.key === key)
      .map((screen) => ({ label: label ?? screen.label, path: screen.path, Icon: screen.Icon, screen }))
  if (!may(staff, 'roster.all'))
    return [
      ...entry('my-classes', 'Hoy'),
      ...entry('schedule', 'Clases'),
      ...entry('scan'),
      { label: 'Yo', path: null, Icon: IconUser, screen: null },
    ]
  const sell = may(staff, 'sales.sell') ? [{ label: 'Vender', path: adminPaths.newSale, Icon: IconShoppingBag, screen: null }] : []
  return [...entry('today'), ...entry('scan'), ...sell, ...entry('customers'), ...entry('till')]
}
