/** The places of a class as its list shows them: a line for each person, guests too. */
import type { RosterReservation } from '#contract/attendance.ts'
import { formatPesos } from '#contract/money.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export interface RosterEntry {
  /** of the place itself: a guest's has one of its own */
  class_reservation_id: number
  /** of the customer's place, which a guest's belongs to */
  host_id: number
  customer_id: number
  name: string
  spot: string | null
  attend: boolean | null
  isGuest: boolean
  facts: readonly Fact[]
}

export interface Fact {
  kind: 'owed' | 'unpaid' | 'first' | 'excused' | 'guest'
  text: string
  tone: BadgeTone
}

const fullName = (row: Pick<RosterReservation, 'name' | 'last_name'>): string => `${row.name} ${row.last_name}`.trim()

/** What the list says of somebody, the most pressing first. `money`: whether who looks may read it. */
function factsOf(row: RosterReservation, money: boolean): Fact[] {
  const facts: Fact[] = []
  if (money && row.owed) facts.push({ kind: 'owed', text: `Debe ${formatPesos(row.owed)}`, tone: 'warn' })
  else if (money && row.is_cash && !row.is_paid) facts.push({ kind: 'unpaid', text: 'Por cobrar', tone: 'warn' })
  if (row.first_class) facts.push({ kind: 'first', text: 'Primera clase', tone: 'accent' })
  if (row.attend === false && row.excuse) facts.push({ kind: 'excused', text: 'Justificada', tone: 'outline' })
  return facts
}

/** Everybody of a class in the order of their seats, without a map of their names; a guest stands below who brought them. */
export function rosterEntries(rows: readonly RosterReservation[], money: boolean): RosterEntry[] {
  const collator = new Intl.Collator('es-MX', { numeric: true })
  const sorted = [...rows].sort((a, b) => collator.compare(a.spot ?? '~', b.spot ?? '~') || collator.compare(fullName(a), fullName(b)))
  return sorted.flatMap((row): RosterEntry[] => {
    const { class_reservation_id, customer_id } = row
    const own: RosterEntry = {
      ...{ class_reservation_id, host_id: class_reservation_id, customer_id, name: fullName(row), spot: row.spot, attend: row.attend },
      ...{ isGuest: false, facts: factsOf(row, money) },
    }
    if (row.guest_reservation_id === null) return [own]
    return [
      own,
      {
        ...{ class_reservation_id: row.guest_reservation_id, host_id: class_reservation_id, customer_id, name: row.guest ?? 'Invitado' },
        ...{ spot: row.guest_spot, attend: row.guest_attend, isGuest: true },
        facts: [{ kind: 'guest', text: `Con ${row.name}`, tone: 'outline' }],
      },
    ]
  })
}

/** The reservation that an entry belongs to. */
export const reservationOf = (rows: readonly RosterReservation[], entry: Pick<RosterEntry, 'host_id'>): RosterReservation | undefined =>
  rows.find(({ class_reservation_id }) => class_reservation_id === entry.host_id)

export const arrivedCount = (entries: readonly RosterEntry[]): number => entries.filter(({ attend }) => attend === true).length

/** "4 de 9 llegaron" */
export function arrivedText(entries: readonly RosterEntry[]): string {
  const came = arrivedCount(entries)
  return `${came} de ${entries.length} ${came === 1 ? 'llegó' : 'llegaron'}`
}

/** The rows with one place marked: what the screen shows before the server has answered. */
export function withMark(rows: readonly RosterReservation[], class_reservation_id: number, attend: boolean | null): RosterReservation[] {
  return rows.map((row) => {
    if (row.class_reservation_id === class_reservation_id) return { ...row, attend, ...(attend === false ? {} : { excuse: null }) }
    if (row.guest_reservation_id === class_reservation_id) return { ...row, guest_attend: attend }
    return row
  })
}
