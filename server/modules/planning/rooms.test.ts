/** Rooms of classes and their maps (docs/domain.md L17 to L19). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { mapOfRows } from '#contract/room-map.ts'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let manager: Person
let type: number
let locations: number[]
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('owner')
  type = (await s.make.classType({ name: 'Ciclo 45', duration_minutes: 45 })).class_type_id
})
afterAll(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
  await s.close()
})
beforeEach(async () => {
  await s.reset({ waitlist_enabled: true, allow_class_guests: true })
  locations = [(await s.make.location({ name: 'Roma Norte' })).location_id, (await s.make.location({ name: 'San Ángel' })).location_id]
})

const plan = (person = manager, key: string = randomUUID()) => s.as(person, key).studioSchedule
const rooms = (person = manager, key: string = randomUUID()) => s.as(person, key).rooms
const makeRoom = async (more: { name?: string; location_id?: number; exclusive?: boolean } = {}) =>
  (await rooms().create({ name: 'Sala 2', location_id: locations[0] ?? 0, ...more })).room
type Fields = NonNullable<ClassChange['fields']>
const fields = (more: Fields = {}): Fields => ({
  class_type_id: type,
  location_id: locations[0] ?? 0,
  class_date: '2026-11-24T20:30:00.000Z',
  capacity: 12,
  instructor_ids: [],
  ...more,
})
const create = async (more: Fields = {}): Promise<PlannedClass> => {
  const { classes } = await plan().change({ changes: [{ op: 'create', fields: fields(more) }] })
  if (!classes[0]) throw new Error('No class was created.')
  return classes[0]
}
const update = (cls: PlannedClass, more: Fields) =>
  plan().change({ changes: [{ op: 'update', single_class_id: cls.single_class_id, fields: more }] })
const read = async (cls: PlannedClass) =>
  (await plan().read({ start_date: '2026-11-23', end_date: '2026-12-31', location_id: cls.location.location_id })).days
    .flatMap(({ classes }) => classes)
    .find((planned) => planned.single_class_id === cls.single_class_id)
/** A map of rows, as it is sent for a room without one. */
const sent = (...sizes: number[]) => mapOfRows(sizes)
const withSpots = (map: ReturnType<typeof sent>) => ({
  rows: map.rows.map((row, r) => ({ ...row, seats: row.seats.map((seat, c) => ({ ...seat, spot: `${r + 1}-${c + 1}` })) })),
})
type SentMap = ReturnType<typeof withSpots>
const close = (map: SentMap, spot: string, until: string | null = null): SentMap => ({
  rows: map.rows.map((row) => ({
    ...row,
    seats: row.seats.map((seat) =>
      seat.spot === spot ? { ...seat, closed: true, closed_until: until, closed_reason: 'Bici descompuesta' } : seat,
    ),
  })),
})

describe('rooms (L17)', () => {
  test('rooms belong to one location for good, have one name there, and are not removed under coming classes', async () => {
    const room = await makeRoom()
    expect(room).toMatchObject({ name: 'Sala 2', exclusive: true, map: null, capacity: null })
    expect(await codeOf(makeRoom({ name: 'sala 2' }))).toBe('ALREADY_EXISTS')
    expect(await codeOf(rooms().update({ room_id: room.room_id, location_id: locations[1] }))).toBe('PROTECTED')
    const cls = await create({ room_id: room.room_id })
    expect(cls.room).toEqual({ room_id: room.room_id, name: 'Sala 2', exclusive: true })
    const roomOf = async ({ single_class_id }: PlannedClass) =>
      (await s.as(manager).attendance.roster({ single_class_id: single_class_id ?? 0 })).single_class.room
    expect([await roomOf(cls), await roomOf(await create())]).toEqual(['Sala 2', null])
    expect(await refusalOf(rooms().remove({ room_id: room.room_id }))).toMatchObject({
      code: 'IN_USE',
      data: { uses: [{ kind: 'single_class', count: 1 }] },
    })
    expect(await refusalOf(create({ location_id: locations[1], room_id: room.room_id }))).toMatchObject({
      code: 'NOT_FOUND',
      data: { field: 'room_id' },
    })
    await plan().change({ changes: [{ op: 'delete', single_class_id: cls.single_class_id }] })
    await rooms().remove({ room_id: room.room_id })
    expect(await codeOf(create({ room_id: room.room_id }))).toBe('NOT_FOUND')
  })

  test('rooms are archived with classes to come, which keep them, ordered within their location, and say what uses them (K14, K15)', async () => {
    const [first, second] = [await makeRoom({ name: 'Sala A' }), await makeRoom({ name: 'Sala B' })]
    const cls = await create({ room_id: first.room_id })
    expect(await rooms().uses({ room_id: first.room_id })).toEqual({ uses: [{ kind: 'single_class', count: 1 }] })
    expect(await rooms().uses({ room_id: second.room_id })).toEqual({ uses: [] })
    expect((await rooms().update({ room_id: first.room_id, archived: true })).room).toMatchObject({ archived: true, name: 'Sala A' })
    const listed = async () => (await rooms().list()).rooms.map(({ room_id, archived }) => [room_id, archived])
    expect(await listed()).toEqual([
      [first.room_id, true],
      [second.room_id, false],
    ])
    expect((await read(cls))?.room).toMatchObject({ room_id: first.room_id })
    await update(cls, { capacity: 14 })
    expect(await read(cls)).toMatchObject({ capacity: 14, room: { room_id: first.room_id } })
    await rooms().order({ ids: [second.room_id, first.room_id] })
    expect((await listed()).map(([room_id]) => room_id)).toEqual([second.room_id, first.room_id])
    expect((await rooms().update({ room_id: first.room_id, archived: false })).room.archived).toBe(false)
    const elsewhere = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [elsewhere.uid, locations[1]])
    await s.studio.db.tx(async (tx) => tx.notify({ topic: 'people', uid: elsewhere.uid }))
    expect(await codeOf(rooms(elsewhere).order({ ids: [second.room_id] }))).toBe('FORBIDDEN')
    expect(await codeOf(rooms(elsewhere).uses({ room_id: second.room_id }))).toBe('FORBIDDEN')
    expect(await codeOf(rooms().order({ ids: [999_999] }))).toBe('NOT_FOUND')
  })

  test('an exclusive room refuses a second class at the same time, whichever verb brings it there', async () => {
    const { room_id } = await makeRoom()
    await create({ room_id })
    const next = await create({ room_id, class_date: '2026-11-24T21:15:00.000Z' })
    const at = '2026-11-24T21:00:00.000Z'
    expect(await refusalOf(create({ room_id, class_date: at }))).toMatchObject({
      code: 'ROOM_TAKEN',
      message: 'La sala Sala 2 está ocupada: Ciclo 45, mar 24 nov, 20:30.',
      data: { index: 0 },
    })
    expect(await codeOf(update(next, { class_date: at }))).toBe('ROOM_TAKEN')
    expect(await codeOf(s.as(manager).schedule.update({ single_class_id: next.single_class_id ?? 0, class_date: at }))).toBe('ROOM_TAKEN')
    expect(await codeOf(s.as(manager).schedule.create({ ...fields({ class_date: at }), room_id } as never))).toBe('ROOM_TAKEN')
    const elsewhere = await create({ class_date: at })
    expect(await codeOf(update(elsewhere, { room_id }))).toBe('ROOM_TAKEN')
    await update(next, { capacity: 9 })
    expect((await read(next))?.capacity).toBe(9)
  })

  test('one set of changes may free the room for another class of it', async () => {
    const { room_id } = await makeRoom()
    const early = await create({ room_id, class_date: '2026-11-25T08:00:00.000Z' })
    const late = await create({ room_id, class_date: '2026-11-25T09:00:00.000Z' })
    await plan().change({
      changes: [
        { op: 'update', single_class_id: early.single_class_id, fields: { class_date: '2026-11-25T09:00:00.000Z' } },
        { op: 'update', single_class_id: late.single_class_id, fields: { class_date: '2026-11-25T08:00:00.000Z' } },
      ],
    })
    expect([(await read(early))?.class_date, (await read(late))?.class_date].map((at) => at?.slice(11, 16))).toEqual(['09:00', '08:00'])
  })

  test('a shared room and drafts only warn', async () => {
    const { room_id } = await makeRoom({ exclusive: false })
    const cls = await create({ room_id })
    const two = await create({ room_id, class_date: '2026-11-24T20:45:00.000Z' })
    expect((await read(cls))?.conflicts.filter(({ kind }) => kind === 'room_taken')).toEqual([
      { kind: 'room_taken', message: 'Sala 2 tiene otra clase a esa hora: Ciclo 45, 20:45.', with: [two.single_class_id] },
    ])
    const exclusive = await makeRoom({ name: 'Sala 3' })
    await create({ room_id: exclusive.room_id, class_date: '2026-11-26T08:00:00.000Z' })
    const { classes } = await plan().change({
      changes: [{ op: 'create', fields: fields({ room_id: exclusive.room_id, class_date: '2026-11-26T08:00:00.000Z' }) }],
      as: 'draft',
    })
    expect(classes[0]?.state).toBe('draft')
    expect(await codeOf(plan().publish({ dry_run: true }))).toBe('ROOM_TAKEN')
    await plan().discard({})
  })

  test('a class that moves to another location leaves its room; two of a kind in two rooms are no conflict', async () => {
    const [first, two] = [await makeRoom(), await makeRoom({ name: 'Sala 3' })]
    const cls = await create({ room_id: first.room_id })
    const other = await create({ room_id: two.room_id })
    expect((await read(other))?.conflicts.map(({ kind }) => kind)).not.toContain('duplicate')
    await update(cls, { location_id: locations[1] })
    expect(await read({ ...cls, location: { ...cls.location, location_id: locations[1] ?? 0 } })).toMatchObject({ room: null })
  })

  test('taking a change back does not put a class into a room that is taken by now', async () => {
    const { room_id } = await makeRoom()
    const cls = await create({ room_id })
    const { undo } = await plan().change({ changes: [{ op: 'cancel', single_class_id: cls.single_class_id }] })
    await create({ room_id })
    const { undone, refused } = await plan().undo({ undo_id: undo?.undo_id ?? 0 })
    expect([undone, refused]).toMatchObject([0, [{ code: 'ROOM_TAKEN' }]])
  })

  test('of two concurrent publications into one exclusive room, one is refused', async () => {
    const { room_id } = await makeRoom()
    const colleague = await s.make.staff('manager')
    const at = { room_id, class_date: '2026-11-27T08:00:00.000Z' }
    const tries = await Promise.all(
      [manager, colleague].map((person) =>
        codeOf(plan(person).change({ changes: [{ op: 'create', fields: fields(at) }] })).catch(() => null),
      ),
    )
    expect(tries.filter((code) => code === 'ROOM_TAKEN')).toHaveLength(1)
  })
})

describe('conflicts with the hours and the packages of the studio (L3)', () => {
  test('a class outside the opening hours, and one that no package pays', async () => {
    await s.sql('update location set hours = $2 where location_id = $1', [locations[0], 'Lunes a viernes de 6:30 a 21:00.'])
    const kinds = async (cls: PlannedClass) => (await read(cls))?.conflicts.map(({ kind }) => kind).sort()
    expect(await kinds(await create({ class_date: '2026-11-24T20:30:00.000Z' }))).toEqual(['no_coach', 'outside_hours'])
    expect(await kinds(await create({ class_date: '2026-11-24T20:15:00.000Z' }))).toEqual(['no_coach'])
    expect(await kinds(await create({ class_date: '2026-11-28T10:00:00.000Z' }))).toEqual(['no_coach', 'outside_hours'])
    const other = (await s.make.classType()).class_type_id
    const classPackage = await s.make.package({ is_special_event: false })
    await s.sql('insert into class_package_type (class_package_id, class_type_id, class_amount, expiration_days) values ($1, $2, 1, 30)', [
      classPackage.class_package_id,
      other,
    ])
    await s.sql('update class_package set available = class_package_id = $1', [classPackage.class_package_id])
    expect(await kinds(await create({ class_date: '2026-11-25T10:00:00.000Z' }))).toEqual(['no_coach', 'no_package'])
    expect(await kinds(await create({ class_date: '2026-11-25T12:00:00.000Z', class_type_id: other }))).toEqual(['no_coach'])
  })
})

describe('the map of a room (L18, L19)', () => {
  test('gives its classes their seats: gaps and the coach are never sold, a closed seat until its last day', async () => {
    const room = await makeRoom()
    const map = close(withSpots(sent(3, 4)), '2-2', '2026-11-26')
    const seats = map.rows[0]?.seats ?? []
    if (seats[1]) seats[1].kind = 'hueco'
    const saved = await rooms().saveMap({
      room_id: room.room_id,
      map: { rows: map.rows.map((row) => ({ ...row, seats: row.seats.map((seat) => ({ ...seat, spot: null })) })) },
    })
    expect(saved.map?.rows[1]?.seats[1]).toMatchObject({ spot: '2-2', closed: true, closed_until: '2026-11-26' })
    const before = await create({ room_id: room.room_id, spot_map: '9,9' })
    const after = await create({ room_id: room.room_id, class_date: '2026-11-27T08:00:00.000Z' })
    expect(before).toMatchObject({ spot_map: '3,4', closed_spots: ['1-2', '2-2'] })
    expect(after).toMatchObject({ spot_map: '3,4', closed_spots: ['1-2'] })
    // Another day gives the seats of that day; a seat closed for the class alone stays closed.
    await update(after, { closed_spots: ['1-1'] })
    await update(after, { class_date: '2026-11-25T08:00:00.000Z' })
    expect((await read(after))?.closed_spots).toEqual(['1-2', '2-2', '1-1'])
    await update(after, { class_date: '2026-11-27T08:00:00.000Z' })
    expect((await read(after))?.closed_spots).toEqual(['1-2', '1-1'])
    expect((await rooms().list({})).rooms.find(({ room_id }) => room_id === room.room_id)).toMatchObject({ seats: 6, spot_map: '3,4' })
  })

  test('closing a seat for many classes lists its customers, proposes free seats, moves and notifies them; no reservation is lost', async () => {
    const room = await makeRoom()
    await rooms().saveMap({ room_id: room.room_id, map: sent(3, 3) as never })
    const [first, two] = [
      await create({ room_id: room.room_id }),
      await create({ room_id: room.room_id, class_date: '2026-11-25T08:00:00.000Z' }),
    ]
    const [ana, iris] = [await s.make.buyer(), await s.make.buyer()]
    const seat = (person: Person, cls: PlannedClass, spot: string) =>
      s.as(person).bookings.reserve({ single_class_id: cls.single_class_id ?? 0, spot })
    await seat(ana, first, '2-2')
    await seat(iris, first, '2-1')
    await seat(iris, two, '2-2')
    await doJobs(s)
    const { room: now } = { room: (await rooms().all({})).rooms.find(({ room_id }) => room_id === room.room_id) }
    const map = close(now?.map as SentMap, '2-2')
    const save = (more = {}) => rooms().saveMap({ room_id: room.room_id, map, ...more })
    const trial = await save({ dry_run: true })
    expect(trial).toMatchObject({
      classes: 2,
      told: 2,
      affected: [
        { spot: '2-2', proposed: '2-3', class_type: 'Ciclo 45', free: ['1-1', '1-2', '1-3', '2-3'] },
        { spot: '2-2', proposed: '2-1' },
      ],
    })
    expect(await refusalOf(save())).toMatchObject({ code: 'SPOTS_IN_USE', data: { spots: expect.stringContaining('lugar 5 (') } })
    expect((await read(first))?.closed_spots).toEqual([])
    const moves = trial.affected.map(({ class_reservation_id, proposed }) => ({ class_reservation_id, spot: proposed ?? '' }))
    expect(await codeOf(save({ moves: moves.map((move) => ({ ...move, spot: '2-1' })) }))).toBe('SPOT_TAKEN')
    expect(await codeOf(save({ moves: moves.map((move) => ({ ...move, spot: '2-2' })) }))).toBe('INVALID_INPUT')
    expect(await save({ moves })).toMatchObject({ classes: 2, told: 2, affected: [] })
    expect((await read(first))?.closed_spots).toEqual(['2-2'])
    expect(
      await s.sql('select spot from class_reservation where "deletedAt" is null and single_class_id = any($1) order by 1', [
        [first.single_class_id, two.single_class_id],
      ]),
    ).toEqual([{ spot: '2-1' }, { spot: '2-1' }, { spot: '2-3' }])
    await doJobs(s)
    const [message] = await s.sql<{ text: string }>(
      `select words::text as text from message where customer_id = $1 and event = 'class_changed' and channel = 'app'`,
      [ana.customer_id],
    )
    expect(message?.text).toContain('Tu lugar cambió: ahora es lugar 6 (antes lugar 5)')
  })

  test('customers stay in their seat when a row in front is removed; those whose seat has another name afterwards are notified', async () => {
    const room = await makeRoom()
    await rooms().saveMap({ room_id: room.room_id, map: sent(2, 3) as never })
    const cls = await create({ room_id: room.room_id })
    const ana = await s.make.buyer()
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id ?? 0, spot: '2-3' })
    const map = withSpots(sent(2, 3))
    expect(await rooms().saveMap({ room_id: room.room_id, map: { rows: map.rows.slice(1) } })).toMatchObject({ classes: 1, told: 0 })
    expect(await s.sql('select spot from class_reservation where single_class_id = $1', [cls.single_class_id])).toEqual([{ spot: '1-3' }])
    const relabelled = withSpots(sent(3))
    expect(await rooms().saveMap({ room_id: room.room_id, map: relabelled })).toMatchObject({ classes: 1, told: 1 })
    await doJobs(s)
    const [message] = await s.sql<{ text: string }>(
      `select words::text as text from message where customer_id = $1 and event = 'class_changed' and channel = 'app'`,
      [ana.customer_id],
    )
    expect(message?.text).toContain('Tu lugar cambió: ahora es lugar 3 (antes lugar 5)')
  })

  test('a seat is called by its number in the room wherever it is named (L18)', async () => {
    const room = await makeRoom()
    const map = sent(2, 3) as SentMap
    const [front] = map.rows
    if (front?.seats[0]) Object.assign(front.seats[0], { label: 'A4', kind: 'vip' })
    if (front?.seats[1]) Object.assign(front.seats[1], { closed: true, closed_reason: 'Le falta un pedal' })
    await rooms().saveMap({ room_id: room.room_id, map: map as never })
    const { single_class_id = 0 } = await create({ room_id: room.room_id })
    const id = single_class_id ?? 0
    const ana = await s.make.buyer()
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: id, spot: '1-1', guest: 'Eva', guest_spot: '2-2' })
    const labels = { seat_label: 'A4', guest_seat_label: '4' }
    expect(class_reservation).toMatchObject(labels)
    const { single_class } = await s.as(ana).schedule.one({ single_class_id: id })
    expect(single_class.mine).toMatchObject(labels)
    expect(single_class.seats?.[0]).toEqual({ spot: '1-1', label: 'A4', kind: 'vip' })
    const roster = await s.as(manager).attendance.roster({ single_class_id: id })
    expect(roster.class_reservations[0]).toMatchObject(labels)
    expect(roster.single_class).toMatchObject({ closed_reasons: [{ spot: '1-2', reason: 'Le falta un pedal' }] })
    expect((await s.as(ana).people.me()).customer.class_reservations[0]).toMatchObject({ seat_label: 'A4' })
    await doJobs(s)
    const [message] = await s.sql<{ text: string }>(
      `select words::text as text from message where customer_id = $1 and event = 'reservation_confirmed' and channel = 'app'`,
      [ana.customer_id],
    )
    expect(message?.text).toContain('Tu lugar: lugar A4.')
    expect(await refusalOf(update({ single_class_id: id } as PlannedClass, { closed_spots: ['1-1'] }))).toMatchObject({
      data: { spots: 'A4' },
    })
  })

  test('refuses a map saved from an older state, one too small for its people, and seats that come from nowhere', async () => {
    const room = await makeRoom()
    const first = await rooms().saveMap({ room_id: room.room_id, map: sent(2) as never })
    s.clock.advance({ minutes: 1 })
    await rooms().saveMap({ room_id: room.room_id, map: withSpots(sent(2)) })
    expect(await codeOf(rooms().saveMap({ room_id: room.room_id, map: null, if_updatedAt: first.updatedAt }))).toBe('CHANGED_MEANWHILE')
    const cls = await create({ room_id: room.room_id })
    for (const customer of [await s.make.buyer(), await s.make.buyer()]) {
      const rows = await s.sql<{ n: number }>('select taken::int as n from single_class where single_class_id = $1', [cls.single_class_id])
      await s.as(customer).bookings.reserve({ single_class_id: cls.single_class_id ?? 0, spot: `1-${(rows[0]?.n ?? 0) + 1}` })
    }
    expect(
      await codeOf(
        rooms().saveMap({
          room_id: room.room_id,
          map: { rows: [{ label: 'Fila 1', seats: withSpots(sent(2)).rows[0]?.seats.slice(0, 1) ?? [] }] },
        }),
      ),
    ).toBe('CAPACITY_BELOW_TAKEN')
    expect(await codeOf(rooms().saveMap({ room_id: room.room_id, map: withSpots(sent(5)) }))).toBe('INVALID_INPUT')
    const away = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [away.uid, locations[1]])
    expect(await codeOf(rooms(away).saveMap({ room_id: room.room_id, map: null }))).toBe('FORBIDDEN')
  })
})

describe('a copy of a room (L17)', () => {
  test('a copy of a room has the map of the original with all seats open, or none; only a new room gets one', async () => {
    const original = await makeRoom()
    const { room_id } = original
    const map = (await rooms().saveMap({ room_id, map: sent(3, 4) })).map
    if (!map) throw new Error('No map was saved.')
    await rooms().saveMap({ room_id, map: close(map as SentMap, '1-2') })
    const copy = (await rooms().create({ name: 'Sala 2 (copia)', location_id: locations[1] ?? 0, map_of: room_id })).room
    expect(copy.map).toEqual(map)
    expect((await rooms().create({ name: 'Sala 3', location_id: locations[0] ?? 0 })).room.map).toBeNull()
    expect(await codeOf(rooms().update({ room_id: copy.room_id, map_of: room_id }))).toBe('PROTECTED')
    expect(await codeOf(rooms().create({ name: 'Sala 4', location_id: locations[0] ?? 0, map_of: 999_999 }))).toBe('NOT_FOUND')
    const elsewhere = await s.make.staff('manager')
    const [row] = await s.sql<{ staff_id: number }>('select staff_id from staff order by staff_id desc limit 1')
    await s.sql('insert into staff_location values ($1, $2)', [row?.staff_id, locations[1]])
    const attempt = rooms(elsewhere).create({ name: 'Sala 5', location_id: locations[1] ?? 0, map_of: room_id })
    expect(await codeOf(attempt)).toBe('FORBIDDEN')
  })
})
