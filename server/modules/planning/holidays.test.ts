/** Days without classes and absences of coaches (docs/domain.md L13 to L16). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { addDays } from '#contract/time.ts'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { extendSeries } from './jobs.ts'

let s: TestStudio
let manager: Person
let type: number
let here: number
let there: number
let coach: number
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
  type = (await s.make.classType({ name: 'Barre', duration_minutes: 45 })).class_type_id
})
afterAll(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
  await s.close()
})
beforeEach(async () => {
  await s.reset()
  s.clock.set(START)
  await s.sql('delete from holiday')
  here = (await s.make.location({ name: 'Roma Norte' })).location_id
  there = (await s.make.location({ name: 'San Ángel' })).location_id
  coach = (await s.make.instructor({ name: 'Renata' })).instructor_id
})

const TODAY = START.slice(0, 10)
const day = (ahead: number) => addDays(TODAY, ahead)
const as = (person = manager, key: string = randomUUID()) => s.as(person, key)
const add = (holidays: { name?: string; from: string; to?: string; location_ids?: number[] | null }[], more: object = {}) =>
  as().holidays.add({
    holidays: holidays.map(({ name = 'Navidad', from, to = from, location_ids = null }) => ({ name, from, to, location_ids })),
    ...more,
  })
const aClass = (ahead: number, hour = '20:00', location_id = here) =>
  as()
    .studioSchedule.change({
      changes: [
        {
          op: 'create',
          fields: { class_type_id: type, location_id, class_date: `${day(ahead)}T${hour}:00.000Z`, capacity: 9, instructor_ids: [coach] },
        },
      ],
    })
    .then(({ classes }) => classes[0]?.single_class_id ?? 0)
const read = async (from: string, to = from, location_id = here) =>
  (await as().studioSchedule.read({ start_date: from, end_date: to, location_id })).days
const startsOf = (days: Awaited<ReturnType<typeof read>>) =>
  days.flatMap(({ classes }) => classes.flatMap((cls) => (cls.state === 'cancelled' ? [] : [cls.class_date.slice(0, 10)])))

describe('a day without classes (L13)', () => {
  test('a day without classes is a band of the week and a conflict of its classes at its locations only', async () => {
    await aClass(3)
    await aClass(3, '08:00', there)
    await add([{ from: day(3), to: day(4), location_ids: [here] }])
    const [at] = await read(day(3))
    expect(at?.holiday).toEqual({ name: 'Navidad', location_ids: [here] })
    expect(at?.classes[0]?.conflicts).toMatchObject([{ kind: 'holiday', message: 'Es un día sin clases: Navidad.' }])
    const [other] = await read(day(3), day(3), there)
    expect([other?.holiday, other?.classes[0]?.conflicts]).toEqual([null, []])
    expect((await read(day(5)))[0]?.holiday).toBeNull()
  })

  test('a day without classes is on the calendar of customers with its name, where it holds, unless the studio keeps it to itself', async () => {
    const addOne = (holiday: object) => as().holidays.add({ holidays: [holiday as never] })
    await addOne({ name: 'Navidad', from: '2026-12-25', to: '2026-12-25' })
    await addOne({ name: 'Aniversario', from: '2026-12-22', to: '2026-12-23', location_ids: [here] })
    await addOne({ name: 'Junta del equipo', from: '2026-12-24', to: '2026-12-24', public: false })
    const closed = async (location_id?: number) => {
      const { days } = await s
        .as(null)
        .schedule.week({ start_date: '2026-12-21', end_date: '2026-12-27', ...(location_id ? { location_id } : {}) })
      return days.flatMap(
        (day) => day.closed?.map(({ name, places }) => `${day.date} ${name} ${places?.map((spot) => spot.location_id) ?? ''}`.trim()) ?? [],
      )
    }
    expect(await closed()).toEqual([`2026-12-22 Aniversario ${here}`, `2026-12-23 Aniversario ${here}`, '2026-12-25 Navidad'])
    expect(await closed(there)).toEqual(['2026-12-25 Navidad'])
    // An archived location is ignored: it is not named, and a day for it alone is not shown.
    const deletedId = (await s.make.location({ name: 'Coyoacán', deletedAt: s.clock.now() })).location_id
    await s.sql('update holiday set location_ids = $1 where name = $2', [[here, deletedId], 'Aniversario'])
    await addOne({ name: 'Obra', from: '2026-12-21', to: '2026-12-21' })
    await s.sql('update holiday set location_ids = $1 where name = $2', [[deletedId], 'Obra'])
    await s.studio.db.tx(async (tx) => tx.notify({ topic: 'catalogue' }))
    expect(await closed()).toEqual([`2026-12-22 Aniversario ${here}`, `2026-12-23 Aniversario ${here}`, '2026-12-25 Navidad'])
    const { holidays } = await as().holidays.list({ year: 2026 })
    const team = holidays.find(({ name }) => name === 'Junta del equipo')
    // Left out, it stays as it was.
    await as().holidays.update({ holiday_id: team?.holiday_id ?? 0, name: 'Junta', from: '2026-12-24', to: '2026-12-24' })
    expect(await closed(there)).toEqual(['2026-12-25 Navidad'])
    await as().holidays.update({
      holiday_id: team?.holiday_id ?? 0,
      name: 'Nochebuena',
      from: '2026-12-24',
      to: '2026-12-24',
      public: true,
    })
    expect(await closed(there)).toEqual(['2026-12-24 Nochebuena', '2026-12-25 Navidad'])
  })

  test('a day without classes is left out by a series when it is drawn, created and extended, and by a copied week', async () => {
    const wednesdays = [6, 13, 20]
    await add([{ from: day(13), location_ids: [here] }])
    const series = { weekdays: [3], every_weeks: 1, until: day(20), except: [] }
    const fields = { class_type_id: type, location_id: here, class_date: `${day(6)}T20:00:00.000Z`, capacity: 9, instructor_ids: [coach] }
    await as().studioSchedule.change({ changes: [{ op: 'create', fields, series }], as: 'draft' })
    expect(startsOf(await read(day(0), day(30)))).toEqual([day(6), day(20)])
    const { result } = await as().studioSchedule.publish({})
    expect(result.created).toBe(2)
    expect(startsOf(await read(day(0), day(30)))).toEqual(wednesdays.filter((n) => n !== 13).map(day))
    // An endless one, extended by the job.
    await s.having({ schedule_weeks_ahead: 1 }, async () => {
      await as().studioSchedule.change({
        changes: [{ op: 'create', fields: { ...fields, location_id: there }, series: { ...series, until: null } }],
      })
    })
    await add([{ name: 'Mudanza', from: day(20), location_ids: [there] }])
    await s.having({ schedule_weeks_ahead: 4 }, () => extendSeries(s.system()))
    expect(startsOf(await read(day(0), day(27), there))).toEqual([day(6), day(13), day(27)])
    const { skipped, result: copied } = await as().studioSchedule.copy({
      from_week: day(6),
      to_weeks: [day(13)],
      location_ids: [here],
      as: 'publish',
      on_conflict: 'mark',
    })
    expect([skipped.length, copied.created]).toEqual([1, 0])
  })

  test('refuses days that are marked already, past or reversed, and locations of others; writes nothing then', async () => {
    await add([{ from: day(3) }])
    expect(await refusalOf(add([{ from: day(1) }, { name: 'Puente', from: day(2), to: day(3), location_ids: [here] }]))).toMatchObject({
      code: 'HOLIDAY_OVERLAP',
      data: { name: 'Navidad', index: 1 },
    })
    expect(await codeOf(add([{ from: day(-1) }]))).toBe('INVALID_INPUT')
    expect(await codeOf(add([{ from: day(9), to: day(8) }]))).toBe('INVALID_INPUT')
    expect(await codeOf(add([{ from: day(9), location_ids: [999_999] }]))).toBe('NOT_FOUND')
    const local = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [local.uid, here])
    const of = (location_ids: number[] | null) =>
      as(local).holidays.add({ holidays: [{ name: 'Puente', from: day(9), to: day(9), location_ids }] })
    expect([await codeOf(of(null)), await codeOf(of([there]))]).toEqual(['FORBIDDEN', 'FORBIDDEN'])
    await of([here])
    const { holidays } = await as().holidays.list({})
    expect(holidays.map(({ from }) => from)).toEqual([day(3), day(9)])
    expect(await codeOf(as(local).holidays.remove({ holiday_id: holidays[0]?.holiday_id ?? 0 }))).toBe('FORBIDDEN')
    // Changed in itself it does not overlap with itself.
    const { holiday } = await as().holidays.update({
      holiday_id: holidays[0]?.holiday_id ?? 0,
      name: 'Nochebuena',
      from: day(3),
      to: day(4),
      location_ids: null,
    })
    expect(holiday).toMatchObject({ name: 'Nochebuena', to: day(4) })
    await as().holidays.remove({ holiday_id: holiday.holiday_id })
    expect((await read(day(3)))[0]?.holiday).toBeNull()
  })

  test('two people who add the same day at once: one is refused', async () => {
    const codes = await Promise.all(
      [0, 1, 2, 3].map(() =>
        add([{ from: day(12) }]).then(
          () => 'ok',
          (error: unknown) => codeOf(Promise.reject(error)),
        ),
      ),
    )
    expect(codes.sort()).toEqual(['HOLIDAY_OVERLAP', 'HOLIDAY_OVERLAP', 'HOLIDAY_OVERLAP', 'ok'])
  })
})

test('classes of the days are cancelled in the same step, after a dry run, and taken back within ten minutes (L13, B1)', async () => {
  const single_class_id = await aClass(3)
  await aClass(3, '08:00', there)
  const buyer = await s.make.buyer()
  await s.as(buyer).bookings.reserve({ single_class_id })
  const sent = { holidays: [{ name: 'Puente', from: day(3), to: day(3), location_ids: [here] }], classes: 'cancel' as const }
  const trial = await as().holidays.add({ ...sent, dry_run: true })
  expect(trial).toMatchObject({ holidays: [], classes: 1, undo_id: null, result: { cancelled: 1, told: 1, released: 1, credits_back: 1 } })
  expect(startsOf(await read(day(3)))).toHaveLength(1)
  expect((await as().holidays.list({})).holidays).toEqual([])
  const key = randomUUID()
  const done = await as(manager, key).holidays.add(sent)
  expect(await as(manager, key).holidays.add(sent)).toEqual(done)
  expect(done.result).toEqual(trial.result)
  expect(startsOf(await read(day(3)))).toHaveLength(0)
  expect(startsOf(await read(day(3), day(3), there))).toHaveLength(1)
  await doJobs(s)
  const messages = await s.sql<{ words: unknown }>(
    `select words from message where event = 'class_cancelled' and customer_id = $1 and channel = 'app'`,
    [buyer.customer_id],
  )
  expect(messages).toHaveLength(1)
  expect(JSON.stringify(messages)).toContain('Puente')
  await as().studioSchedule.undo({ undo_id: done.undo_id ?? 0 })
  expect(startsOf(await read(day(3)))).toHaveLength(1)
})

test('a holiday that is moved cancels the classes of its new days only, after a dry run, and can be taken back (L13)', async () => {
  const earlier = await aClass(3)
  const meets = await aClass(4)
  const buyer = await s.make.buyer()
  await s.as(buyer).bookings.reserve({ single_class_id: meets })
  const { holidays } = await add([{ name: 'Puente', from: day(3), location_ids: [here] }])
  const holiday_id = holidays[0]?.holiday_id ?? 0
  const sent = { holiday_id, name: 'Puente', from: day(3), to: day(4), location_ids: [here], classes: 'cancel' as const }
  const trial = await as().holidays.update({ ...sent, dry_run: true })
  expect(trial).toMatchObject({ classes: 1, undo_id: null, holiday: { to: day(4) }, result: { cancelled: 1, told: 1, credits_back: 1 } })
  expect((await as().holidays.list({})).holidays[0]?.to).toBe(day(3))
  const key = randomUUID()
  const done = await as(manager, key).holidays.update(sent)
  expect(await as(manager, key).holidays.update(sent)).toEqual(done)
  expect(done.result).toEqual(trial.result)
  const open = (await read(day(3), day(4))).flatMap(({ classes }) => classes.filter(({ state }) => state !== 'cancelled'))
  expect(open.map(({ single_class_id }) => single_class_id)).toEqual([earlier])
  await as().studioSchedule.undo({ undo_id: done.undo_id ?? 0 })
  expect(startsOf(await read(day(4)))).toHaveLength(1)
  // A change of the name only does not decide again about the classes of the day.
  expect(await as().holidays.update({ ...sent, name: 'Puente largo' })).toMatchObject({ classes: 0, result: { cancelled: 0 } })
})

test('classes of the days are moved in the same step: customers are notified, conflicts come first, and it can be taken back (L13, B7)', async () => {
  const single_class_id = await aClass(3)
  await aClass(3, '08:00', there)
  await aClass(4, '20:30')
  const buyer = await s.make.buyer()
  await s.as(buyer).bookings.reserve({ single_class_id })
  const holidays = [{ name: 'Puente', from: day(3), to: day(3), location_ids: [here] }]
  const sent = { holidays, classes: 'move' as const, move: { days: 1, minutes: 15 } }
  const trial = await as().holidays.add({ ...sent, dry_run: true })
  expect(trial).toMatchObject({ classes: 1, undo_id: null, result: { changed: 1, cancelled: 0, told: 1, released: 0 } })
  expect(trial.result.conflicts.map(({ kind }) => kind)).toEqual(['coach_busy'])
  expect(startsOf(await read(day(3)))).toEqual([day(3)])
  const done = await as().holidays.add(sent)
  expect(done.result).toEqual(trial.result)
  const [moved] = (await read(day(4)))[0]?.classes ?? []
  expect(moved).toMatchObject({ single_class_id, class_date: `${day(4)}T20:15:00.000Z`, taken: 1 })
  expect([startsOf(await read(day(3))), startsOf(await read(day(3), day(3), there))]).toEqual([[], [day(3)]])
  await doJobs(s)
  const [messages] = await s.sql<{ words: { lines: string[] } }>(
    `select words from message where event = 'class_changed' and customer_id = $1 and channel = 'mail'`,
    [buyer.customer_id],
  )
  expect(messages?.words.lines.join(' ')).toMatch(/Nueva hora: .*20:15/)
  await as().studioSchedule.undo({ undo_id: done.undo_id ?? 0 })
  expect(startsOf(await read(day(3)))).toEqual([day(3)])
})

test('a move needs somewhere else to go, not into the past, and warns of another day without classes (L13)', async () => {
  await aClass(3)
  const holidays = [{ name: 'Puente', from: day(3), to: day(4), location_ids: [here] }]
  const move = (by: { days?: number; minutes?: number } | null) => as().holidays.add({ holidays, classes: 'move', move: by, dry_run: true })
  for (const by of [null, {}, { days: 0, minutes: 0 }, { days: -10 }])
    expect(await refusalOf(move(by)), JSON.stringify(by)).toMatchObject({ code: 'INVALID_INPUT', data: { field: 'move' } })
  expect(await codeOf(move({ days: 93 }))).toBe('INVALID_INPUT')
  expect((await move({ days: 1 })).result.conflicts).toMatchObject([{ kind: 'holiday', message: 'Es un día sin clases: Puente.' }])
  expect((await as().holidays.list({})).holidays).toEqual([])
})

describe('credits last longer (L15)', () => {
  const lastDay = async (customer_id: number) =>
    (await s.sql<{ at: Date }>('select expires_at as at from available_class where customer_id = $1 order by 1', [customer_id])).map(
      ({ at }) => new Date(at).toISOString(),
    )
  const customerWithCredits = async (more: Parameters<TestStudio['make']['lot']>[1]) => {
    const customer = await s.make.customer()
    await s.make.lot(customer, more)
    return customer.customer_id ?? 0
  }

  test('by the days that were chosen, where they are valid on the first day and usable there, once', async () => {
    const end = (days: number) => new Date(Date.parse(`${day(days)}T23:59:59.999-06:00`))
    const valid = await customerWithCredits({ expires_at: end(30) })
    const unlimited = await customerWithCredits({ expires_at: end(30), unlimited: true })
    const ended = await customerWithCredits({ expires_at: end(4) })
    const elsewhere = await customerWithCredits({ expires_at: end(30), location_ids: [there] })
    const frozen = await customerWithCredits({ expires_at: end(30), frozenAt: new Date(START) })
    const before = await Promise.all([ended, elsewhere, frozen].map(lastDay))
    const sent = { holidays: [{ name: 'Obra', from: day(5), to: day(9), location_ids: [here] }], extend_days: 5 }
    const trial = await as().holidays.add({ ...sent, dry_run: true })
    const key = randomUUID()
    const { extended } = await as(manager, key).holidays.add(sent)
    await as(manager, key).holidays.add(sent)
    expect(extended).toBe(trial.extended)
    expect(extended).toBeGreaterThanOrEqual(2)
    expect(await lastDay(valid)).toEqual([end(35).toISOString()])
    expect(await lastDay(unlimited)).toEqual([end(35).toISOString()])
    expect(await Promise.all([ended, elsewhere, frozen].map(lastDay))).toEqual(before)
    const movements = await s.sql(`select kind, amount, reason from credit_movement where customer_id = $1 and kind = 'extend'`, [valid])
    expect(movements).toEqual([{ kind: 'extend', amount: 0, reason: 'Obra' }])
    expect(
      await s.sql(`select 1 from audit where action = 'credits.extend_all' and (after->>'extended')::int = $1`, [extended]),
    ).toHaveLength(1)
  })

  test('only with the right to change credits', async () => {
    const planner = await s.make.staff('coach')
    await s.sql(`insert into staff_right (staff_id, "right", granted) select staff_id, 'schedule.edit', true from staff where uid = $1`, [
      planner.uid,
    ])
    const sent = { holidays: [{ name: 'Obra', from: day(5), to: day(5), location_ids: null }], extend_days: 2 }
    expect(await refusalOf(as(planner).holidays.add(sent))).toMatchObject({ code: 'FORBIDDEN', data: { needs: 'credits.edit' } })
    expect((await as().holidays.list({})).holidays).toEqual([])
  })
})

test('official holidays of a year are proposed and say which are there already (L14)', async () => {
  await add([{ name: 'Navidad', from: '2027-12-20', to: '2027-12-31' }])
  const { holidays } = await as().holidays.official({ year: 2027 })
  expect(holidays).toHaveLength(11)
  expect(holidays.filter(({ added }) => added).map(({ name }) => name)).toEqual(['Navidad'])
})

test('an absence is corrected: its days and reason, and the classes of the new days are counted (L16)', async () => {
  await aClass(4)
  const { absence } = await as().instructorAbsences.add({ instructor_id: coach, from: day(2), to: day(2), reason: 'Boda' })
  const { instructor_absence_id } = absence
  expect(await as().instructorAbsences.update({ instructor_absence_id, from: day(4), to: day(5), reason: 'Viaje' })).toMatchObject({
    classes: 1,
    absence: { instructor_absence_id, instructor_id: coach, from: day(4), to: day(5), reason: 'Viaje' },
  })
  expect((await as().instructorAbsences.list()).absences).toHaveLength(1)
  expect((await read(day(4)))[0]?.classes[0]?.conflicts).toMatchObject([{ kind: 'coach_absent' }])
  expect(await codeOf(as().instructorAbsences.update({ instructor_absence_id, from: day(4), to: day(3) }))).toBe('INVALID_INPUT')
  expect(await codeOf(as().instructorAbsences.update({ instructor_absence_id: 999_999, from: day(4), to: day(4) }))).toBe('NOT_FOUND')
})

test('an absence is a conflict of the classes of its coach, and can be taken away (L16)', async () => {
  await aClass(3)
  expect(await codeOf(as().instructorAbsences.add({ instructor_id: 999_999, from: day(2), to: day(4) }))).toBe('NOT_FOUND')
  expect(await codeOf(as().instructorAbsences.add({ instructor_id: coach, from: day(4), to: day(2) }))).toBe('INVALID_INPUT')
  const { absence, classes } = await as().instructorAbsences.add({ instructor_id: coach, from: day(2), to: day(4), reason: 'Vacaciones' })
  expect([absence.name, classes]).toEqual(['Renata', 1])
  expect((await read(day(3)))[0]?.classes[0]?.conflicts).toMatchObject([{ kind: 'coach_absent', message: 'Renata no está ese día.' }])
  await as().instructorAbsences.remove({ instructor_absence_id: absence.instructor_absence_id })
  expect((await read(day(3)))[0]?.classes[0]?.conflicts).toEqual([])
})
