import { describe, expect, test } from 'vitest'
import { articleName, type CardClass, coachNames, listOffers, offerName, spotsText, stateSentence } from './class-facts.ts'

const NOTHING: CardClass['actions'] = { reserve: null, cancel: null, add_guest: false, join_waitlist: false, leave_waitlist: false }

const cls = (changes: Partial<CardClass> = {}): CardClass => ({
  single_class_id: 7,
  class_date: '2026-11-18T18:00:00.000Z',
  duration_minutes: 50,
  capacity: 12,
  taken: 9,
  places_left: 3,
  location_id: 1,
  class_package_id: null,
  class_category_id: null,
  tags: [],
  icon: null,
  state: 'available',
  actions: { ...NOTHING, reserve: 'sign_in' },
  why_not: null,
  opens_at: null,
  mine: null,
  waitlist_id: null,
  class_type: { class_type_id: 1, name: 'Reformer Flow' },
  location: { name: 'Roma Norte' },
  class_instructors: [{ instructor: { instructor_id: 1, name: 'Renata', last_name: 'Quiroz', nick_name: null, file: null } }],
  ...changes,
})
const mine = (changes: Partial<NonNullable<CardClass['mine']>> = {}): CardClass['mine'] => ({
  class_reservation_id: 1,
  spot: '2-5',
  guest: null,
  guest_spot: null,
  attend: null,
  ...changes,
})

describe('the accessible name of a class', () => {
  test.each([
    ['free places', {}, 'Reformer Flow, miércoles 18, 18:00, con Renata, 3 lugares'],
    ['the last place', { places_left: 1 }, 'Reformer Flow, miércoles 18, 18:00, con Renata, Último lugar'],
    ['no place left', { state: 'full', places_left: 0 }, 'Reformer Flow, miércoles 18, 18:00, con Renata, Sin lugares'],
    [
      'my place with a guest',
      { state: 'reserved', mine: mine({ guest: 'Jimena' }) },
      'Reformer Flow, miércoles 18, 18:00, con Renata, reservada, fila 2, lugar 5, con Jimena',
    ],
    [
      'a room without a map',
      { state: 'reserved', mine: mine({ spot: null }) },
      'Reformer Flow, miércoles 18, 18:00, con Renata, reservada',
    ],
    ['the waitlist', { state: 'waitlisted' }, 'Reformer Flow, miércoles 18, 18:00, con Renata, en lista de espera'],
    ['a cancelled class', { state: 'cancelled' }, 'Reformer Flow, miércoles 18, 18:00, con Renata, Cancelada por el estudio'],
    ['a class that was', { state: 'past', mine: mine({ attend: true }) }, 'Reformer Flow, miércoles 18, 18:00, con Renata, Exitosa'],
    ['nobody named yet', { class_instructors: [] }, 'Reformer Flow, miércoles 18, 18:00, 3 lugares'],
  ] as const)('%s', (_what, changes, name) => {
    expect(articleName(cls(changes as Partial<CardClass>))).toBe(name)
  })

  test('the nickname is used instead of the name (S2-3.10)', () => {
    const coach = { instructor_id: 2, name: 'Rodrigo', last_name: 'Treviño', nick_name: 'Rodri', file: null }
    expect(articleName(cls({ class_instructors: [{ instructor: coach }] }))).toContain('con Rodri,')
  })
})

test('a class without capacity has no places (settled 20)', () => {
  expect(spotsText({ capacity: null, places_left: 0 })).toBe('Sin lugares')
})

describe('a class offers exactly the actions that the server allows', () => {
  test.each([
    ['a visitor', { reserve: 'sign_in' }, ['Reservar']],
    ['no credit left: the button leads to the dialog that says so', { reserve: 'buy_credits' }, ['Reservar']],
    ['a class sold as a package', { reserve: 'buy' }, ['Comprar']],
    ['my place', { cancel: 'free', add_guest: true }, ['+1', 'Cancelar']],
    ['my place, too late for a guest', { cancel: 'late' }, ['Cancelar']],
    ['full, with a waitlist', { join_waitlist: true }, ['Espera']],
    ['on the waitlist', { leave_waitlist: true }, ['Quitarme']],
    ['nothing', {}, []],
  ] as const)('%s', (_viewer, actions, labels) => {
    expect(listOffers({ state: 'available', actions: { ...NOTHING, ...actions } }).map(({ label }) => label)).toEqual(labels)
  })

  test('a class without actions shows the reason', () => {
    const opens_at = '2026-11-20T08:00:00.000Z'
    expect(stateSentence(cls({ state: 'not_open', opens_at }))).toBe('Reservas abren el vie 20 nov, 08:00')
    expect(stateSentence(cls({ state: 'penalised', opens_at }))).toBe('Con penalización hasta el 20 nov')
    expect(stateSentence(cls({ state: 'closed', opens_at }))).toBe('Reservas cerraron el vie 20 nov, 08:00')
    expect(stateSentence(cls({ state: 'closed', opens_at, why_not: { code: 'CLASS_STARTED', message: 'Esta clase ya comenzó.' } }))).toBe(
      'Ya comenzó',
    )
    expect(stateSentence(cls())).toBeNull()
  })
})

test('the accessible name of a button contains its class, day and coach', () => {
  expect(offerName('reserve', cls())).toBe('Reservar Reformer Flow con Renata, miércoles 18 de noviembre, 18:00')
  expect(offerName('cancel', cls({ class_instructors: [] }))).toBe('Cancelar mi lugar en Reformer Flow, miércoles 18 de noviembre, 18:00')
})

test('the coach of a class is named with the one who is replaced (L10)', () => {
  expect(coachNames(cls({ substitutes_for: 'Sofía' }))).toBe('Renata (en lugar de Sofía)')
  expect(coachNames(cls())).toBe('Renata')
})
