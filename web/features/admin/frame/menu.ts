/** The screens of the administration that stand in its menus. One list for the sidebar, the bar of a phone, the keys and the palette. */
import {
  IconCalendarEvent,
  IconCashRegister,
  IconLayoutDashboard,
  IconReceipt2,
  IconScan,
  IconTicket,
  IconUsers,
  type TablerIcon,
} from '@tabler/icons-react'
import type { Right } from '#contract/rights.ts'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { may, type Staff } from './staff.tsx'

export interface Screen {
  key: string
  label: string
  path: string
  Icon: TablerIcon
  /** who does not have it does not see the screen */
  right: Right
  /** addresses of other screens that are opened from this one */
  leadsTo?: readonly string[]
  /** the letter that leads there after `g` */
  letter: string
  /** stands in the bar at the foot of a phone */
  bar: boolean
}

/** A class is opened from the day that it is on. */
const CLASSES = ['/admin/clases']

const SCREENS: readonly (Screen & { only?: (staff: Staff) => boolean })[] = [
  {
    ...{ key: 'today', label: 'Hoy', path: adminPaths.today, Icon: IconLayoutDashboard, right: 'roster.all', letter: 'h', bar: true },
    leadsTo: CLASSES,
  },
  {
    ...{ key: 'my-classes', label: 'Mis clases', path: adminPaths.myClasses, Icon: IconCalendarEvent },
    ...{ right: 'classes.own', letter: 'h', bar: true, leadsTo: CLASSES },
    // Who sees every list has all classes under Hoy.
    only: (staff) => !may(staff, 'roster.all'),
  },
  {
    ...{ key: 'reservations', label: 'Reservaciones', path: adminPaths.reservations, Icon: IconTicket, right: 'roster.all' },
    ...{ letter: 'b', bar: false },
  },
  { key: 'scan', label: 'Escanear', path: adminPaths.scan, Icon: IconScan, right: 'classes.own', letter: 'e', bar: true },
  { key: 'customers', label: 'Clientes', path: adminPaths.customers, Icon: IconUsers, right: 'customers.read', letter: 'c', bar: true },
  { key: 'sales', label: 'Ventas', path: adminPaths.sales, Icon: IconReceipt2, right: 'sales.sell', letter: 'v', bar: true },
  { key: 'till', label: 'Caja', path: adminPaths.till, Icon: IconCashRegister, right: 'cash.session', letter: 'k', bar: true },
]

/** The screens that somebody has, in the order of the menu. */
export const screensOf = (staff: Staff): readonly Screen[] =>
  SCREENS.filter(({ right, only }) => may(staff, right) && (only?.(staff) ?? true))

/** The screen that somebody begins with. */
export const homeOf = (staff: Staff): string => (may(staff, 'roster.all') ? adminPaths.today : adminPaths.myClasses)

/** Whether an address belongs to a screen of the menu: what is opened from it stands below it. */
export function isWithin(screen: Pick<Screen, 'path' | 'leadsTo'>, pathname: string): boolean {
  const path = pathname.replace(/\/+$/, '')
  return [screen.path, ...(screen.leadsTo ?? [])].some((one) => path === one || path.startsWith(`${one}/`))
}
