/** What the palette offers without the server: verbs, screens, and what was last opened on this device. */
import {
  IconCalendarEvent,
  IconCalendarX,
  IconExternalLink,
  IconGift,
  IconKeyboard,
  IconListCheck,
  IconLogout,
  IconPlus,
  IconReceipt2,
  IconSettings,
  IconUser,
  IconUserPlus,
} from '@tabler/icons-react'
import { adminPaths } from '#contract/admin-paths.ts'
import { formatPesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { formatPhone } from '#contract/phone.ts'
import type { FoundClass, FoundCustomer, FoundPurchase, FoundSetting } from '#contract/search.ts'
import { isSettingArea, SETTING_AREAS } from '#contract/setting-areas.ts'
import { formatWall } from '#contract/time.ts'
import { RECENT_KEY, withStorage } from '#web/features/admin/frame/device-data.ts'
import { type Screen, visibleScreens } from '#web/features/admin/frame/menu.ts'
import { may, type Staff } from '#web/features/admin/frame/staff.tsx'
import { newClassQuery } from '#web/features/admin/timetable/new-class-link.ts'
import type { ProposedClass } from './parse-class.ts'
import type { ProposedSelection } from './parse-selection.ts'

export interface PaletteItem {
  /** unique among all items, the same each time: "customer-7", "screen-till" */
  id: string
  label: string
  detail: string
  Icon: Screen['Icon']
  /** the address that it opens; null: it is called by its id */
  to: string | null
  /** further words by which it is found */
  keywords?: string
}

const splitWords = (text: string): string[] =>
  text
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .split(/[^a-z0-9]+/)
    .filter(Boolean)

/** Whether every typed word begins a word of the item. Nothing typed fits everything. */
export function isItemNamed({ label, keywords = '' }: Pick<PaletteItem, 'label' | 'keywords'>, typed: string): boolean {
  const words = splitWords(`${label} ${keywords}`)
  return splitWords(typed).every((word) => words.some((term) => term.startsWith(word)))
}

export const SHORTCUTS_ITEM = 'verb-shortcuts'
export const SIGN_OUT_ITEM = 'verb-sign-out'

/** A verb whose object is chosen next, in the palette itself. */
export type Goal = 'access' | 'cancel'

export const GOALS: Readonly<Record<Goal, { label: string; placeholder: string; typed: RegExp }>> = {
  access: { label: 'Dar acceso a…', placeholder: 'Nombre, teléfono o correo', typed: /^dar acceso a\s+(?=\S)/i },
  cancel: { label: 'Cancelar clase…', placeholder: 'Clase, coach, día u hora', typed: /^cancelar (?:la )?clase\s+(?=\S)/i },
}

/** The goal of a verb; null for one that needs no object. */
export const parseGoal = (id: string): Goal | null => (id === 'verb-access' ? 'access' : id === 'verb-cancel' ? 'cancel' : null)

/** A verb typed with its object: "dar acceso a ana". `verbs`: those that the person may use. */
export function typedGoal(typed: string, verbs: readonly PaletteItem[]): { goal: Goal; rest: string } | null {
  for (const { id } of verbs) {
    const goal = parseGoal(id)
    if (goal && GOALS[goal].typed.test(typed)) return { goal, rest: typed.replace(GOALS[goal].typed, '').trim() }
  }
  return null
}

/** The customer as the object of "Dar acceso a…". */
export const accessItem = (customer: FoundCustomer): PaletteItem => ({
  ...customerItem(customer),
  id: `access-${customer.customer_id}`,
  to: adminPaths.giveAccess(customer.customer_id),
})

/** The class as the object of "Cancelar clase…". */
export const cancelItem = (cls: FoundClass): PaletteItem => ({
  ...classItem(cls),
  id: `cancel-${cls.single_class_id}`,
  to: adminPaths.cancelClass(cls.single_class_id, cls.class_date.slice(0, 10)),
})

/** The verbs that the person may use. `today`: the studio's date, for a new class. */
export function listVerbs(staff: Staff, today: string): PaletteItem[] {
  const verb = (id: string, label: string, Icon: Screen['Icon'], to: string | null, keywords = ''): PaletteItem => ({
    id: `verb-${id}`,
    label,
    detail: '',
    Icon,
    to,
    keywords,
  })
  return [
    may(staff, 'sales.sell') && verb('sale', 'Nueva venta', IconPlus, adminPaths.newSale, 'vender cobrar'),
    may(staff, 'customers.edit') && verb('customer', 'Agregar cliente', IconUserPlus, adminPaths.newCustomer, 'nuevo alta'),
    may(staff, 'schedule.edit') && verb('class', 'Nueva clase', IconCalendarEvent, adminPaths.newClass(today), 'crear agregar horario'),
    may(staff, 'credits.edit') && may(staff, 'customers.read') && verb('access', GOALS.access.label, IconGift, null, 'creditos regalar'),
    may(staff, 'schedule.edit') && verb('cancel', GOALS.cancel.label, IconCalendarX, null, 'suspender'),
    may(staff, 'staff.edit') && verb('invite', 'Invitar a alguien', IconUserPlus, adminPaths.invite, 'equipo agregar'),
    verb('shortcuts', 'Atajos de teclado', IconKeyboard, null, 'teclas ayuda'),
    verb('site', 'Ver el sitio', IconExternalLink, paths.home, 'pagina publica'),
    verb('sign-out', 'Salir', IconLogout, null, 'cerrar sesion'),
  ].filter((other) => other !== false)
}

/** The screens of the menu. */
export const screenItems = (staff: Staff): PaletteItem[] =>
  visibleScreens(staff).map(({ key, label, path, Icon }) => ({ id: `screen-${key}`, label, detail: '', Icon, to: path }))

export const customerItem = ({ customer_id, name, last_name, phone, email }: FoundCustomer): PaletteItem => ({
  id: `customer-${customer_id}`,
  label: `${name} ${last_name}`.trim(),
  detail: [phone && formatPhone(phone), email].filter(Boolean).join(' · '),
  Icon: IconUser,
  to: adminPaths.customer(customer_id),
})

export const classItem = ({ single_class_id, name, class_date, coach, location, cancelled }: FoundClass): PaletteItem => ({
  id: `class-${single_class_id}`,
  label: `${name}, ${formatWall(class_date, 'class')}`,
  detail: [coach, location, cancelled && 'Cancelada'].filter(Boolean).join(' · '),
  Icon: IconCalendarEvent,
  to: adminPaths.roster(single_class_id),
})

/** The panel of a class that was typed. */
export const newClassItem = (cls: ProposedClass): PaletteItem => ({
  id: 'new-class',
  label: cls.label,
  detail: cls.detail,
  Icon: IconPlus,
  to: adminPaths.newClassWith(cls.day, cls.hour, newClassQuery(cls)),
})

/** The selection of classes that was typed. */
export const selectionItem = ({ label, detail, query }: ProposedSelection): PaletteItem => ({
  id: 'select-classes',
  label,
  detail,
  Icon: IconListCheck,
  to: adminPaths.selectClasses(query),
})

export const purchaseItem = ({ purchase_id, title, customer, total }: FoundPurchase): PaletteItem => ({
  id: `purchase-${purchase_id}`,
  label: `Orden #00${purchase_id}`,
  detail: [customer, title, formatPesos(total)].join(' · '),
  Icon: IconReceipt2,
  to: adminPaths.sale(purchase_id),
})

export const settingItem = ({ key, label, area, group }: FoundSetting): PaletteItem => ({
  id: `setting-${key}`,
  label,
  detail: [isSettingArea(area) ? SETTING_AREAS[area] : '', group].filter(Boolean).join(' · '),
  Icon: IconSettings,
  to: adminPaths.setting(area, key),
})

/** How many are remembered. */
const MOST_RECENT = 6

type Stored = Pick<PaletteItem, 'id' | 'label' | 'detail'> & { to: string }
/** How each kind is shown, and whether the person may still open it. */
const KINDS: Readonly<Record<string, { Icon: Screen['Icon']; mayOpen: (staff: Staff) => boolean }>> = {
  customer: { Icon: IconUser, mayOpen: (staff) => may(staff, 'customers.read') },
  class: { Icon: IconCalendarEvent, mayOpen: (staff) => may(staff, 'classes.own') },
  purchase: { Icon: IconReceipt2, mayOpen: (staff) => may(staff, 'sales.sell') },
}
const kindOf = (id: string) => KINDS[id.split('-')[0] ?? '']

const isStored = (value: unknown): value is Stored => {
  const candidate = value as Partial<Stored> | null
  return (
    [candidate?.id, candidate?.label, candidate?.detail, candidate?.to].every((text) => typeof text === 'string') &&
    /^\/admin\//.test(candidate?.to ?? '')
  )
}

const storedItems = (): Stored[] =>
  withStorage((storage) => {
    const stored: unknown = JSON.parse(storage.getItem(RECENT_KEY) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isStored).slice(0, MOST_RECENT) : []
  }, [])

/** What was last opened from the palette on this device since the sign-in, without what the person may no longer open. */
export const recentItems = (staff: Staff): PaletteItem[] =>
  storedItems().flatMap((stored) => {
    const kind = kindOf(stored.id)
    return kind?.mayOpen(staff) ? [{ ...stored, Icon: kind.Icon }] : []
  })

/** Remembers a customer, class or purchase that was opened. */
export function rememberItem({ id, label, detail, to }: PaletteItem): void {
  if (!to || !kindOf(id)) return
  const next = [{ id, label, detail, to }, ...storedItems().filter((storedItem) => storedItem.id !== id)].slice(0, MOST_RECENT)
  withStorage((storage) => storage.setItem(RECENT_KEY, JSON.stringify(next)), undefined)
}
