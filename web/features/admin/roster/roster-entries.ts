/** The entries of a roster: one per customer and one per guest. */
import type { RosterReservation } from '#contract/attendance.ts'
import { formatPesos } from '#contract/money.ts'
import { addDays, type LocalDate } from '#contract/time.ts'
import type { BadgeTone } from '#web/ui/badge.tsx'

export interface RosterEntry {
  /** id of the entry's own reservation; a guest has one too */
  class_reservation_id: number
  /** id of the customer's reservation; for a guest, of the customer who brought them */
  host_id: number
  customer_id: number
  name: string
  spot: string | null
  /** what the room calls the spot */
  seatLabel?: string | undefined
  attend: boolean | null
  isGuest: boolean
  photo: string | null
  facts: readonly Fact[]
}

export interface Fact {
  kind:
    | 'owed'
    | 'unpaid'
    | 'unsigned'
    | 'first'
    | 'coach'
    | 'note'
    | 'birthday'
    | 'health'
    | 'round'
    | 'left'
    | 'expires'
    | 'excused'
    | 'guest'
  text: string
  tone: BadgeTone
}

export interface RosterFacts {
  /** whether the staff member may see money */
  money: boolean
  /** the names of the coaches */
  coaches: string
  /** the date of the class in its time zone */
  day: LocalDate
}

const fullName = (row: Pick<RosterReservation, 'name' | 'last_name'>): string => `${row.name} ${row.last_name}`.trim()

/** Every hundredth class is mentioned. */
const MILESTONE = 100

/** "Vence hoy", "Vence mañana" on the day of the class; null if the credit expires later. */
function expiryText(expiration: string, day: LocalDate): string | null {
  const last = expiration.slice(0, 10)
  if (last === day) return 'Vence hoy'
  return last === addDays(day, 1) ? 'Vence mañana' : null
}

/** The facts about a customer, most urgent first. `money`: whether the staff member may see debts. */
function factsOf(row: RosterReservation, { money, coaches, day }: RosterFacts): Fact[] {
  const facts: Fact[] = []
  if (money && row.owed) facts.push({ kind: 'owed', text: `Debe ${formatPesos(row.owed)}`, tone: 'warn' })
  else if (money && row.is_cash && !row.is_paid) facts.push({ kind: 'unpaid', text: 'Por cobrar', tone: 'warn' })
  if (row.first_class) facts.push({ kind: 'first', text: 'Primera clase', tone: 'accent' })
  else if (row.first_with_coach && coaches) facts.push({ kind: 'coach', text: `Primera con ${coaches}`, tone: 'outline' })
  if (row.notes.length > 0)
    facts.push({ kind: 'note', text: row.notes.length === 1 ? 'Nota' : `${row.notes.length} notas`, tone: 'outline' })
  if (row.health) facts.push({ kind: 'health', text: 'Salud', tone: 'warn' })
  if (row.birthday) facts.push({ kind: 'birthday', text: 'Cumple años', tone: 'brand' })
  if (row.visits > 0 && (row.visits + 1) % MILESTONE === 0) facts.push({ kind: 'round', text: `Clase ${row.visits + 1}`, tone: 'brand' })
  if (row.credits && !row.credits.has_unlimited && row.credits.available === 1)
    facts.push({ kind: 'left', text: 'Le queda 1 clase', tone: 'outline' })
  const expires = row.credits?.next_expiration && expiryText(row.credits.next_expiration, day)
  if (expires) facts.push({ kind: 'expires', text: expires, tone: 'outline' })
  if (row.unsigned) facts.push({ kind: 'unsigned', text: 'Falta firmar', tone: 'warn' })
  if (row.attend === false && row.excuse) facts.push({ kind: 'excused', text: 'Justificada', tone: 'outline' })
  return facts
}

/** The entries of a class, sorted by seat, or by name in a room without a map; a guest is below the customer. */
export function rosterEntries(rows: readonly RosterReservation[], about: RosterFacts): RosterEntry[] {
  const collator = new Intl.Collator('es-MX', { numeric: true })
  const sorted = [...rows].sort((a, b) => collator.compare(a.spot ?? '~', b.spot ?? '~') || collator.compare(fullName(a), fullName(b)))
  return sorted.flatMap((row): RosterEntry[] => {
    const { class_reservation_id, customer_id } = row
    const own: RosterEntry = {
      class_reservation_id,
      host_id: class_reservation_id,
      customer_id,
      name: fullName(row),
      spot: row.spot,
      attend: row.attend,
      ...(row.seat_label ? { seatLabel: row.seat_label } : {}),
      isGuest: false,
      facts: factsOf(row, about),
      photo: row.photo,
    }
    if (row.guest_reservation_id === null) return [own]
    return [
      own,
      {
        class_reservation_id: row.guest_reservation_id,
        host_id: class_reservation_id,
        customer_id,
        name: row.guest ?? 'Invitado',
        spot: row.guest_spot,
        attend: row.guest_attend,
        isGuest: true,
        photo: null,
        ...(row.guest_seat_label ? { seatLabel: row.guest_seat_label } : {}),
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

/** The rows with one attendance marked: shown before the server has answered. */
export function withMark(
  rows: readonly RosterReservation[],
  class_reservation_id: number,
  attend: boolean | null,
  excuse: string | null = null,
): RosterReservation[] {
  return rows.map((row) => {
    if (row.class_reservation_id === class_reservation_id) return { ...row, attend, excuse: attend === false ? excuse : null }
    if (row.guest_reservation_id === class_reservation_id) return { ...row, guest_attend: attend }
    return row
  })
}
