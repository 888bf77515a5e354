import { describe, expect, test } from 'vitest'
import type { CardClass } from './class-facts.ts'
import {
  chosenDay,
  emptyWeek,
  emptyWeekText,
  inWeek,
  isOtherWeek,
  lastShownDay,
  monthChoices,
  nextToday,
  onDay,
  otherHours,
  ownWeekQuery,
  readWeekView,
  type WeekView,
  weekAriaLabel,
  weekDays,
  weekTitle,
  wholeWeek,
  withChoice,
  writeWeekView,
  zoneSentence,
} from './week-view.ts'

const TODAY = '2026-11-18'
const view: WeekView = wholeWeek('2026-11-16')

let id = 0
const cls = (at: string, changes: Partial<CardClass> = {}): CardClass => ({
  single_class_id: ++id,
  class_date: `${at}:00.000Z`,
  duration_minutes: 50,
  capacity: 12,
  taken: 0,
  places_left: 12,
  location_id: 1,
  class_package_id: null,
  class_category_id: null,
  tags: [],
  icon: null,
  state: at < '2026-11-18T12:00' ? 'past' : 'available',
  actions: { reserve: null, cancel: null, add_guest: false, join_waitlist: false, leave_waitlist: false },
  why_not: null,
  opens_at: null,
  mine: null,
  waitlist_id: null,
  class_type: { class_type_id: 1, name: 'Barre' },
  location: { name: 'Roma Norte' },
  class_instructors: [],
  ...changes,
})
const day = (date: string, ...classes: CardClass[]) => ({ date, classes })
const read = (query: string) => readWeekView(new URLSearchParams(query), TODAY)

describe('a week view in the address', () => {
  test('without query keys it is this week without filters', () => {
    expect(read('')).toEqual(view)
    expect(writeWeekView(view, TODAY)).toBe('')
  })

  test.each([
    { ...view, week: '2026-11-23' },
    { ...view, day: '2026-11-20' },
    { ...view, week: '2026-11-23', day: '2026-11-29', location: 2 },
    { ...view, location: 3, type: 5 },
  ])('what is written is read again: %o', (written) => {
    expect(read(writeWeekView(written, TODAY))).toEqual(written)
  })

  test('a customer’s own calendar has more filters than a public page', () => {
    const filtered: WeekView = { ...view, coach: 4, part: 'noche', free: true }
    const written = writeWeekView(filtered, TODAY)
    expect(readWeekView(new URLSearchParams(written), TODAY, ownWeekQuery)).toEqual(filtered)
    expect(read(written)).toEqual(view)
    expect(readWeekView(new URLSearchParams('coach=x&hora=siesta&lugares=si'), TODAY, ownWeekQuery)).toEqual(view)
  })

  test.each(['semana=2026-02-30', 'dia=hoy', 'dia=1999-01-04', 'estudio=0', 'estudio=-1', 'tipo=1e3', 'tipo=', 'semana=2026-11-18T00:00'])(
    'what makes no sense is as if it were not there: %s',
    (query) => {
      expect(read(query)).toEqual(view)
    },
  )

  test('any day of a week shows the week from its Monday (S2-2.18)', () => {
    expect(read('semana=2026-11-22').week).toBe('2026-11-16')
    expect(onDay(view, '2026-11-29')).toEqual({ ...view, week: '2026-11-23', day: '2026-11-29' })
    expect(inWeek({ ...view, day: '2026-11-20', type: 4 }, '2026-11-25')).toEqual({ ...view, week: '2026-11-23', type: 4 })
  })
})

describe('the days of a week', () => {
  const days = [
    day('2026-11-16', cls('2026-11-16T18:00')),
    day('2026-11-18', cls('2026-11-18T11:59'), cls('2026-11-18T07:00'), cls('2026-11-18T12:00')),
    day('2026-11-20', cls('2026-11-20T08:00', { location_id: 2, state: 'reserved' }), cls('2026-11-20T09:00', { state: 'waitlisted' })),
  ]
  const week = weekDays(days, view, TODAY)

  test('seven days, also those without an answer (S2-2.17)', () => {
    expect(week.map(({ number, weekday }) => `${weekday} ${number}`)).toEqual([
      'lun 16',
      'mar 17',
      'mié 18',
      'jue 19',
      'vie 20',
      'sáb 21',
      'dom 22',
    ])
    expect(week.map(({ count }) => count)).toEqual([1, 0, 3, 0, 2, 0, 0])
    expect(week[2]).toMatchObject({ today: true, past: false, title: 'Miércoles 18', ariaLabel: 'miércoles 18 de noviembre' })
  })

  test('a closed day says why, and where while all locations are shown', () => {
    const closed = [
      { name: 'Navidad', places: null },
      { name: 'Aniversario', places: [{ location_id: 2, name: 'Roma' }] },
    ]
    const texts = (location: number | null) =>
      weekDays([{ date: '2026-11-18', classes: [], closed }], { ...view, location }, TODAY).find((day) => day.date === '2026-11-18')?.closed
    expect(texts(null)).toEqual(['Cerrado: Navidad', 'Cerrado en Roma: Aniversario'])
    expect(texts(2)).toEqual(['Cerrado: Navidad', 'Cerrado: Aniversario'])
    expect(texts(1)).toEqual(['Cerrado: Navidad'])
  })

  test('the afternoon begins at noon, and classes are sorted by their time', () => {
    const [morning, afternoon] = week[2]?.parts ?? [[], []]
    expect(morning.map(({ class_date }) => class_date.slice(11, 16))).toEqual(['07:00', '11:59'])
    expect(afternoon).toHaveLength(1)
  })

  test('a day shows whether the viewer has a class or is on a waitlist', () => {
    expect(week.map(({ mine, waiting }) => [mine, waiting])).toEqual([
      ...Array(4).fill([false, false]),
      [true, true],
      ...Array(2).fill([false, false]),
    ])
  })

  test('filters hide classes of other locations and types', () => {
    expect(weekDays(days, { ...view, location: 2 }, TODAY).map(({ count }) => count)).toEqual([0, 0, 0, 0, 1, 0, 0])
    expect(weekDays(days, { ...view, type: 9 }, TODAY).every(({ count }) => count === 0)).toBe(true)
  })

  test('coach, part of the day and free places are filters too; reserved classes stay', () => {
    const coach = { instructor: { instructor_id: 4, name: 'Renata', last_name: 'Quiroz', nick_name: null, file: null } }
    const some = [
      day(
        '2026-11-20',
        cls('2026-11-20T08:00', { class_instructors: [coach] }),
        cls('2026-11-20T17:59', { state: 'full' }),
        cls('2026-11-20T18:00', { state: 'reserved' }),
      ),
    ]
    const hours = (changes: Partial<WeekView>) =>
      weekDays(some, { ...view, ...changes }, TODAY).flatMap(({ parts }) => parts.flat().map(({ class_date }) => class_date.slice(11, 16)))
    expect(hours({ coach: 4 })).toEqual(['08:00'])
    expect(hours({ part: 'manana' })).toEqual(['08:00'])
    expect(hours({ part: 'tarde' })).toEqual(['17:59'])
    expect(hours({ part: 'noche' })).toEqual(['18:00'])
    expect(hours({ free: true })).toEqual(['08:00', '18:00'])
  })

  test('a narrow screen opens with the day of the address, else the next one with a class to come, else today', () => {
    expect(chosenDay(week, { ...view, day: '2026-11-21' })).toBe('2026-11-21')
    expect(chosenDay(week, view)).toBe(TODAY)
    const over = [day(TODAY, cls('2026-11-18T08:00')), day('2026-11-20', cls('2026-11-20T08:00'))]
    expect(chosenDay(weekDays(over, view, TODAY), view)).toBe('2026-11-20')
    expect(chosenDay(weekDays(over.slice(0, 1), view, TODAY), view)).toBe(TODAY)
    const next = { ...view, week: '2026-11-23' }
    expect(chosenDay(weekDays([day('2026-11-25', cls('2026-11-25T08:00'))], next, TODAY), next)).toBe('2026-11-25')
    expect(chosenDay(weekDays([], next, TODAY), next)).toBe('2026-11-23')
  })
})

test('an empty week and one with nothing more to come have different texts (S2-2.34, S2-2.35)', () => {
  const past = [day('2026-11-17', cls('2026-11-17T08:00'))]
  expect(emptyWeek(weekDays([], view, TODAY), TODAY)).toBe('none')
  expect(emptyWeek(weekDays(past, view, TODAY), TODAY)).toBe('no-more')
  expect(emptyWeek(weekDays([...past, day('2026-11-22', cls('2026-11-22T08:00'))], view, TODAY), TODAY)).toBeNull()
  // A cancelled class does not count as coming.
  const off = { ...cls('2026-11-22T08:00'), state: 'cancelled' as const }
  expect(emptyWeek(weekDays([...past, day('2026-11-22', off)], view, TODAY), TODAY)).toBe('no-more')
  // A past week does not show whether there are classes ahead.
  expect(emptyWeek(weekDays(past, view, '2026-11-25'), '2026-11-25')).toBeNull()
})

test('a week without classes says why it is closed only if all its days to come are', () => {
  const closed = (date: string, name: string, at: { location_id: number; name: string }[] | null = null) => ({
    date,
    classes: [],
    closed: [{ name, places: at }],
  })
  const NONE = 'No hay clases programadas.'
  const text = (days: Parameters<typeof weekDays>[0], changes: Partial<WeekView> = {}, today = TODAY) =>
    emptyWeekText(weekDays(days, { ...view, ...changes }, today), NONE)
  expect(text([])).toBe(NONE)
  expect(text([closed('2026-11-20', 'Inventario')])).toBe(`${NONE} Viernes 20. Cerrado: Inventario.`)
  expect(text([closed('2026-11-20', 'Inventario'), closed('2026-11-21', 'Inventario')])).toBe(
    `${NONE} Viernes 20, Sábado 21. Cerrado: Inventario.`,
  )
  // Monday and Tuesday are over.
  const ahead = ['18', '19', '20', '21', '22'].map((day) => closed(`2026-11-${day}`, 'Vacaciones'))
  expect(text(ahead)).toBe('Cerrado: Vacaciones')
  expect(text(ahead.slice(1))).toMatch(NONE)
  expect(text([closed('2026-11-16', 'Puente')])).toBe(NONE)
  // Closed at one location is not closed.
  const atOne = ahead.map(({ date }) => closed(date, 'Obra', [{ location_id: 2, name: 'Roma' }]))
  expect(text(atOne)).toMatch(`${NONE} Miércoles 18, Jueves 19`)
  expect(text(atOne, { location: 2 })).toBe('Cerrado: Obra')
  expect(text(atOne, { location: 1 })).toBe(NONE)
  // A past week names its own closed days.
  expect(text([closed('2026-11-16', 'Puente')], {}, '2026-11-25')).toBe(`${NONE} Lunes 16. Cerrado: Puente.`)
})

describe('words', () => {
  test('the title of a week, also across months and years', () => {
    expect(weekTitle('2026-11-16')).toBe('16 – 22 noviembre')
    expect(weekTitle('2026-11-16', { year: true })).toBe('16 – 22 nov 2026')
    expect(weekTitle('2026-11-30')).toBe('30 nov – 6 dic')
    expect(weekTitle('2026-12-28', { year: true })).toBe('28 dic – 3 ene 2027')
  })

  test('the announcement for screen readers when the week changes', () => {
    expect(weekAriaLabel('2026-11-23', 27)).toBe('Semana del 23 al 29 de noviembre, 27 clases')
    expect(weekAriaLabel('2026-11-30', 1)).toBe('Semana del 30 de noviembre al 6 de diciembre, 1 clase')
    expect(weekAriaLabel('2026-11-23', 0)).toBe('Semana del 23 al 29 de noviembre, sin clases')
  })

  test('a month opens its first week, the current month this week, and the shown month the shown week', () => {
    const months = monthChoices('2026-12-14', TODAY)
    expect(months).toHaveLength(9)
    expect(months[0]).toEqual({ week: '2026-08-31', label: 'sep 2026', shown: false })
    expect(months.find(({ label }) => label === 'nov 2026')).toEqual({ week: '2026-11-16', label: 'nov 2026', shown: false })
    expect(months.filter(({ shown }) => shown)).toEqual([{ week: '2026-12-14', label: 'dic 2026', shown: true }])
    expect(monthChoices('2028-02-07', TODAY).at(-1)).toEqual({ week: '2028-02-07', label: 'feb 2028', shown: true })
  })

  test('the zone is named by its city; several zones are not named', () => {
    expect(zoneSentence(['America/Mexico_City', 'America/Mexico_City'])).toBe('Horario de la Ciudad de México')
    expect(zoneSentence(['America/Tijuana'])).toBe('Horario de Tijuana')
    expect(zoneSentence(['America/Mexico_City', 'America/Tijuana'])).toBe('Cada clase, en la hora de su estudio')
    expect(zoneSentence(['Etc/GMT+6'])).toBe('')
    expect(zoneSentence([])).toBe('')
  })
})

describe('the separator between past and coming classes', () => {
  const dayOf = (...classes: CardClass[]) => {
    const found = weekDays([day(TODAY, ...classes)], view, TODAY).find((weekDay) => weekDay.date === TODAY)
    if (!found) throw new Error('today is not in its week')
    return found
  }

  test('the separator between past and coming classes is before the first class of today that is not over', () => {
    const next = cls('2026-11-18T18:00')
    expect(nextToday(dayOf(cls('2026-11-18T07:00'), next, cls('2026-11-18T19:15')))).toBe(next.single_class_id)
  })

  test('the separator between past and coming classes is at the end when all classes of today are over', () => {
    expect(nextToday(dayOf(cls('2026-11-18T07:00'), cls('2026-11-18T08:15')))).toBeNull()
  })
})

describe('the filters of the calendar of a customer', () => {
  test('a category shows only its classes and is in the address', () => {
    const yoga = cls('2026-11-18T18:00', { class_category_id: 2 })
    const requested = readWeekView(new URLSearchParams('categoria=2'), TODAY, ownWeekQuery)
    expect(requested.category).toBe(2)
    expect(writeWeekView(requested, TODAY)).toBe('?categoria=2')
    const shown = weekDays([day(TODAY, yoga, cls('2026-11-18T19:15'))], requested, TODAY).flatMap(({ parts }) => parts.flat())
    expect(shown).toEqual([yoga])
  })
})

test('a choice made before the previous one is rendered changes only its own part of the view', () => {
  const rendered = { ...view, day: '2026-11-18' }
  const current: WeekView = { ...rendered, coach: 7, free: true }
  expect(withChoice(current, rendered, { ...rendered, part: 'tarde' })).toEqual({ ...current, part: 'tarde' })
  expect(withChoice(current, rendered, inWeek(rendered, '2026-11-25'))).toEqual({ ...current, week: '2026-11-23', day: null })
  expect(withChoice({ ...current, week: '2026-11-23', day: null }, rendered, { ...rendered, type: 3 })).toEqual({
    ...current,
    week: '2026-11-23',
    day: null,
    type: 3,
  })
  // A choice can be taken back.
  expect(withChoice(current, current, { ...current, coach: null })).toEqual({ ...current, coach: null })
})

test('on a Saturday and Sunday the next week follows the current one', () => {
  for (const [today, last] of [
    ['2026-11-16', '2026-11-22'],
    ['2026-11-20', '2026-11-22'],
    ['2026-11-21', '2026-11-29'],
    ['2026-11-22', '2026-11-29'],
  ] as const)
    expect(lastShownDay('2026-11-16', today)).toBe(last)
  // Other weeks stay as they are.
  expect(lastShownDay('2026-11-23', '2026-11-22')).toBe('2026-11-29')
  expect(lastShownDay('2026-11-09', '2026-11-22')).toBe('2026-11-15')
})

test('names the hour of the locations that keep another one than the studio', () => {
  const at = (location_id: number, timezone: string) => ({ location_id, timezone })
  const locations = [at(1, 'America/Mexico_City'), at(2, 'America/Tijuana'), at(3, 'America/Cancun'), at(4, 'Etc/GMT+6')]
  expect([...otherHours(locations, 'America/Mexico_City')]).toEqual([
    [2, 'hora de Tijuana'],
    [3, 'hora de Cancún'],
  ])
  expect([...otherHours(locations.slice(0, 1), 'America/Tijuana')]).toEqual([[1, 'hora de la Ciudad de México']])
})

test('an address shows another week than the one before it; one without a week is read again', () => {
  const today = '2026-11-11'
  const other = (before: string, next: string) => isOtherWeek(new URLSearchParams(before), new URLSearchParams(next), today)
  expect(other('', 'semana=2026-11-16')).toBe(true)
  expect(other('semana=2026-11-16', 'semana=2026-11-09')).toBe(true)
  expect(other('semana=2026-11-16', 'dia=2026-11-18&tipo=2')).toBe(false)
  expect(other('', 'dia=2026-11-12')).toBe(false)
  expect(other('dia=2026-11-12', '')).toBe(true)
  expect(other('', 'tipo=2')).toBe(false)
})
