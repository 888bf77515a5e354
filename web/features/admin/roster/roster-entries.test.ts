import { describe, expect, test } from 'vitest'
import type { RosterReservation } from '#contract/attendance.ts'
import { arrivedText, reservationOf, rosterEntries, withMark } from './roster-entries.ts'

const row = (change: Partial<RosterReservation>): RosterReservation => ({
  class_reservation_id: 1,
  single_class_id: 9,
  customer_id: 4,
  name: 'Ana',
  last_name: 'Treviño',
  email: null,
  phone: null,
  spot: null,
  guest: null,
  guest_reservation_id: null,
  guest_spot: null,
  guest_attend: null,
  is_cash: false,
  is_paid: false,
  owed: null,
  attend: null,
  excuse: null,
  status: 'booked' as RosterReservation['status'],
  paid_with: null,
  first_class: false,
  createdAt: '',
  deletedAt: null,
  cancelled: null,
  class_stars: null,
  coach_stars: null,
  comment: null,
  source: 'customer' as const,
  marked: null,
  photo: null,
  birthday: false,
  health: false,
  unsigned: false,
  visits: 3,
  first_with_coach: false,
  credits: null,
  notes: [],
  version: 1,
  ...change,
})

describe('the entries of a roster', () => {
  test('the entries of a roster are sorted by seat, row by row, with a guest below the customer', () => {
    const rows = [
      row({ class_reservation_id: 1, name: 'Zoe', spot: '1-10' }),
      row({ class_reservation_id: 2, name: 'Ana', spot: '2-1', guest: 'Jimena', guest_reservation_id: 5, guest_spot: '1-1' }),
      row({ class_reservation_id: 3, name: 'Leo', spot: '1-2' }),
    ]
    expect(
      rosterEntries(rows, { money: true, coaches: 'Renata', day: '2026-11-18' }).map(({ name, spot }) => [name.split(' ')[0], spot]),
    ).toEqual([
      ['Leo', '1-2'],
      ['Zoe', '1-10'],
      ['Ana', '2-1'],
      ['Jimena', '1-1'],
    ])
  })

  test('the entries of a roster say who has to sign before the class', () => {
    const [entry] = rosterEntries([row({ unsigned: true, first_class: true })], { money: false, coaches: 'Renata', day: '2026-11-18' })
    expect(entry?.facts.map(({ text }) => text)).toEqual(['Primera clase', 'Falta firmar'])
  })

  test('the entries of a roster say that there is a note for coaches, and how many', () => {
    const about = { money: false, coaches: 'Renata', day: '2026-11-18' }
    const facts = (notes: string[]) => rosterEntries([row({ notes, first_class: true })], about)[0]?.facts.map(({ text }) => text)
    expect(facts([])).toEqual(['Primera clase'])
    expect(facts(['Le gusta la bici del fondo'])).toEqual(['Primera clase', 'Nota'])
    expect(facts(['Le gusta la bici del fondo', 'Llega tarde'])).toEqual(['Primera clase', '2 notas'])
  })

  test('the entries of a roster show debts only to staff who may see money', () => {
    const rows = [row({ is_cash: true, owed: '290.00', first_class: true })]
    expect(rosterEntries(rows, { money: true, coaches: 'Renata', day: '2026-11-18' })[0]?.facts.map(({ text }) => text)).toEqual([
      'Debe $290.00',
      'Primera clase',
    ])
    expect(rosterEntries(rows, { money: false, coaches: 'Renata', day: '2026-11-18' })[0]?.facts.map(({ text }) => text)).toEqual([
      'Primera clase',
    ])
  })

  test("a guest is marked by a reservation of their own and belongs to the host's", () => {
    const rows = [row({ class_reservation_id: 2, guest: 'Jimena', guest_reservation_id: 5 }), row({ class_reservation_id: 7 })]
    const marked = withMark(rows, 5, true)
    expect(marked[0]).toMatchObject({ attend: null, guest_attend: true })
    const guest = rosterEntries(marked, { money: true, coaches: 'Renata', day: '2026-11-18' }).find(({ isGuest }) => isGuest)
    expect(guest && reservationOf(rows, guest)?.class_reservation_id).toBe(2)
    expect(arrivedText(rosterEntries(marked, { money: true, coaches: 'Renata', day: '2026-11-18' }))).toBe('1 de 3 llegó')
  })

  test('marking as arrived removes an excuse', () => {
    const [marked] = withMark([row({ attend: false, excuse: 'Lesión' })], 1, true)
    expect(marked).toMatchObject({ attend: true, excuse: null })
  })
})
