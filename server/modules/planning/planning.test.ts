/** The timetable as the studio plans it: reading it, and changes of many classes at once (docs/domain.md L1, L3, L4). */
import { describe, expect, test } from 'vitest'
import { type Fields, PlannedStudio } from '#server/testing/planned-studio.ts'
import { codeOf, type Person, refusalOf } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

const planned = new PlannedStudio()
const { plan, fields, create, idOf, week, starts } = planned

/** A staff member who works at one location only. */
async function staffAt(role: 'manager' | 'reception', location_id: number): Promise<Person> {
  const person = await planned.s.make.staff(role)
  await planned.s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
  return person
}

describe('reading the timetable (L1)', () => {
  test('answers every day of the week with figures, and totals without cancelled classes', async () => {
    const { classes } = await create()
    const buyer = await planned.s.make.buyer()
    await planned.s.as(buyer).bookings.reserve({ single_class_id: idOf(classes[0]) })
    const answer = await plan().read({ start_date: '2026-11-23', location_id: planned.locations[0] ?? 0 })
    expect(answer.days.map((day) => day.date)).toEqual(['23', '24', '25', '26', '27', '28', '29'].map((day) => `2026-11-${day}`))
    expect(answer.days[1]?.classes.find((cls) => cls.state === 'published')).toMatchObject({
      single_class_id: idOf(classes[0]),
      taken: 1,
      waiting: 0,
      arrived: 0,
      capacity: 12,
      duration_minutes: 45,
      class_type: { name: 'Ciclo 45' },
      location: { name: 'Roma Norte' },
      instructors: [{ name: 'Íñigo' }],
      conflicts: [],
    })
    expect(answer.totals).toEqual({ classes: 1, coach_minutes: 45, conflicts: 0 })
    expect(await codeOf(plan().read({ start_date: '2026-11-23', end_date: '2027-03-23' }))).toBe('INVALID_INPUT')
  })

  test('shows staff of one location only its classes', async () => {
    const here = await staffAt('reception', planned.locations[0] ?? 0)
    await create({ location_id: planned.locations[0] })
    await create({ location_id: planned.locations[1], class_date: '2026-11-25T07:00:00.000Z' })
    expect(await starts(here)).toEqual(['11-24T20:30'])
    expect(await starts()).toEqual(['11-24T20:30', '11-25T07:00'])
  })
})

describe('conflicts (L3)', () => {
  test('a coach with two classes at once or too little time between two locations, equal classes, and classes that lack something', async () => {
    await create()
    await create({ location_id: planned.locations[1], class_date: '2026-11-24T21:00:00.000Z', capacity: null })
    await create({ class_date: '2026-11-24T20:30:00.000Z', instructor_ids: [] })
    await create({ location_id: planned.locations[1], class_date: '2026-11-24T22:00:00.000Z', spot_map: '2,2', capacity: 5 })
    const found = (await week()).map((cls) => [cls.class_date.slice(11, 16), cls.conflicts.map(({ kind }) => kind).sort()])
    expect(found).toEqual([
      ['20:30', ['coach_busy', 'duplicate']],
      ['20:30', ['duplicate', 'no_coach']],
      ['21:00', ['coach_busy', 'no_capacity']],
      ['22:00', ['capacity_above_map']],
    ])
    const [first] = await week()
    expect(first?.conflicts.map(({ message }) => message).sort()).toEqual([
      'Hay otra clase igual a esa hora en Roma Norte.',
      'Íñigo da otra clase a esa hora: Ciclo 45 en San Ángel, 21:00.',
    ])
    await planned.s.having({ coach_travel_minutes: 60 }, async () => {
      const last = (await week()).at(-1)
      expect(last?.conflicts.map(({ kind }) => kind)).toEqual(['capacity_above_map', 'coach_travel'])
    })
    await create({ class_date: '2026-11-24T22:50:00.000Z' })
    expect((await week()).at(-1)?.conflicts.map(({ message }) => message)).toEqual(['Íñigo tiene 5 min para ir de San Ángel a Roma Norte.'])
  })

  test('conflicts of classes warn and refuse nothing', async () => {
    await create()
    const { result } = await create({ location_id: planned.locations[1] })
    expect(result).toMatchObject({ created: 1, conflicts: [{ kind: 'coach_busy' }] })
  })
})

describe('changes (L4)', () => {
  test('changes of the plan are written together or not at all; the refusal names its change', async () => {
    const before = await starts()
    const refusal = await refusalOf(
      plan().change({
        changes: [
          { op: 'create', fields: fields() },
          { op: 'cancel', single_class_id: 999_999 },
        ],
      }),
    )
    expect(refusal).toMatchObject({ code: 'CLASS_NOT_FOUND', data: { index: 1 } })
    expect(await starts()).toEqual(before)
    for (const field of ['class_type_id', 'location_id', 'class_date', 'capacity'] as const) {
      const { [field]: _, ...rest } = fields()
      expect(await refusalOf(plan().change({ changes: [{ op: 'create', fields: rest }] }))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { field, index: 0 },
      })
    }
  })

  test('a dry run answers people and credits that cancelling concerns, and writes nothing', async () => {
    const { classes } = await create()
    const single_class_id = idOf(classes[0])
    const buyer = await planned.s.make.buyer()
    await planned.s.as(buyer).bookings.reserve({ single_class_id })
    const { result, undo } = await plan().change({ changes: [{ op: 'cancel', single_class_id }], dry_run: true })
    expect([result, undo]).toMatchObject([{ cancelled: 1, told: 1, released: 1, credits_back: 1 }, null])
    expect(result.told_by).toEqual([
      { channel: 'mail', people: 1 },
      { channel: 'app', people: 1 },
    ])
    expect((await week())[0]).toMatchObject({ state: 'published', taken: 1 })
    expect(await planned.s.sql("select 1 from jobs.job where name = 'class-cancelled'")).toEqual([])
  })

  test('a change made from an older state is refused with the name of who changed it', async () => {
    const { classes } = await create()
    const [cls] = classes
    const single_class_id = idOf(cls)
    planned.s.clock.advance({ minutes: 1 })
    await plan(planned.colleague).change({ changes: [{ op: 'update', single_class_id, fields: { capacity: 14 } }] })
    const late = { op: 'update' as const, single_class_id, fields: { capacity: 10 }, if_updatedAt: cls?.updatedAt }
    const refusal = await refusalOf(plan().change({ changes: [late] }))
    expect(refusal).toMatchObject({ code: 'CHANGED_MEANWHILE', data: { by: expect.any(String), when: 'hace 1 min' } })
    expect((await week())[0]?.capacity).toBe(14)
    const [{ updatedAt = null } = {}] = await week()
    await plan().change({ changes: [{ ...late, if_updatedAt: updatedAt }] })
    expect((await week())[0]?.capacity).toBe(10)
  })

  test('customers are notified of another hour once, and of another coach unless it is silent', async () => {
    const { classes } = await create()
    const single_class_id = idOf(classes[0])
    const buyer = await planned.s.make.buyer()
    await planned.s.as(buyer).bookings.reserve({ single_class_id })
    await doJobs(planned.s)
    const countMessages = async () =>
      (
        await planned.s.sql<{ n: number }>(
          `select count(*)::int as n from message where customer_id = $1 and event = 'class_changed' and channel = 'app'`,
          [buyer.customer_id],
        )
      )[0]?.n
    const change = (fields: Fields, notify = true) => plan().change({ changes: [{ op: 'update', single_class_id, fields }], tell: notify })
    expect((await change({ instructor_ids: [planned.coaches[1] ?? 0] }, false)).result.told).toBe(0)
    await doJobs(planned.s)
    expect(await countMessages()).toBe(0)
    expect((await change({ class_date: '2026-11-24T20:45:00.000Z' }, false)).result.told).toBe(1)
    await doJobs(planned.s)
    await doJobs(planned.s)
    expect(await countMessages()).toBe(1)
  })

  test('a location of others is refused, also as a target', async () => {
    const here = await staffAt('manager', planned.locations[0] ?? 0)
    const { classes } = await create({ location_id: planned.locations[1] })
    const there = plan(here)
    expect(await codeOf(there.change({ changes: [{ op: 'create', fields: fields({ location_id: planned.locations[1] }) }] }))).toBe(
      'FORBIDDEN',
    )
    expect(await codeOf(there.change({ changes: [{ op: 'cancel', single_class_id: idOf(classes[0]) }] }))).toBe('FORBIDDEN')
    const mine = await create()
    const moved = { op: 'update' as const, single_class_id: idOf(mine.classes[0]), fields: { location_id: planned.locations[1] } }
    for (const as of ['draft', 'publish'] as const) expect(await codeOf(there.change({ changes: [moved], as }))).toBe('FORBIDDEN')
  })
})

describe('a set of which some changes are refused (L4)', () => {
  test('deletes the classes without reservations and names the others, on request', async () => {
    const { classes } = await plan().change({
      changes: [7, 8, 9].map((hour) => ({ op: 'create' as const, fields: fields({ class_date: `2026-11-27T0${hour}:00:00.000Z` }) })),
    })
    const ids = classes.map(idOf)
    const guest = await planned.s.make.customer()
    await planned.s.make.lot(guest, { granted: 5 })
    await planned.s.as(guest).bookings.reserve({ single_class_id: ids[1] ?? 0 })
    const changes = ids.map((single_class_id) => ({ op: 'delete' as const, single_class_id }))
    expect(await refusalOf(plan().change({ changes }))).toMatchObject({ code: 'CLASS_HAS_HISTORY', data: { index: 1 } })
    const tried = await plan().change({ changes, partial: true, dry_run: true })
    expect(tried.result).toMatchObject({ deleted: 2, refused: [{ index: 1, code: 'CLASS_HAS_HISTORY', message: expect.any(String) }] })
    const done = await plan().change({ changes, partial: true })
    expect(done.result).toMatchObject({ deleted: 2, refused: [{ index: 1 }] })
    expect(await starts()).toEqual(['11-27T08:00'])
    await plan().undo({ undo_id: done.undo?.undo_id ?? 0 })
    expect(await starts()).toEqual(['11-27T07:00', '11-27T08:00', '11-27T09:00'])
  })

  test('a dry run of a cancellation shows the message that the first person would get (B1)', async () => {
    const single_class_id = idOf((await create({ class_date: '2026-11-27T20:30:00.000Z' })).classes[0])
    const cancel = { changes: [{ op: 'cancel' as const, single_class_id, reason: 'Fuga de agua' }] }
    expect((await plan().change({ ...cancel, dry_run: true })).result.message).toBeNull()
    const guest = await planned.s.make.customer({ name: 'Elena' })
    await planned.s.make.lot(guest, { granted: 5 })
    await planned.s.as(guest).bookings.reserve({ single_class_id })
    const { message } = (await plan().change({ ...cancel, dry_run: true })).result
    expect(message).toMatchObject({ name: 'Elena', subject: 'Se canceló Ciclo 45, vie 27 nov, 20:30' })
    expect(message?.text).toContain('Fuga de agua')
    expect(message?.text).toContain('Tu crédito regresó')
    await doJobs(planned.s)
    expect((await plan().change(cancel)).result).toMatchObject({ cancelled: 1, told: 1, message: null })
    await doJobs(planned.s)
    const [sent] = await planned.s.sql<{ words: { subject: string; lines: string[] } }>(
      `select words from message where event = 'class_cancelled' and channel = 'mail' and customer_id is not null order by message_id desc limit 1`,
    )
    expect([sent?.words.subject, sent?.words.lines.join('\n')]).toEqual([message?.subject, message?.text])
  })

  test('a dry run of a cancellation names what its messages offer, without what is cancelled with it (B4)', async () => {
    const at = async (hour: string, more: Fields = {}) =>
      idOf((await create({ class_date: `2026-11-27T${hour}:00.000Z`, ...more })).classes[0])
    const [early, late] = [await at('19:00'), await at('20:30')]
    const near = await at('21:30')
    const full = await at('18:00', { capacity: null })
    const guest = await planned.s.make.customer({ name: 'Elena' })
    await planned.s.make.lot(guest, { granted: 5 })
    await planned.s.as(guest).bookings.reserve({ single_class_id: late })
    const dryRun = async (ids: number[]) =>
      (await plan().change({ changes: ids.map((single_class_id) => ({ op: 'cancel' as const, single_class_id })), dry_run: true })).result
    const [alone] = (await dryRun([late])).alternatives
    expect(alone).toMatchObject({ single_class_id: late, name: 'Ciclo 45', class_date: '2026-11-27T20:30:00.000Z' })
    expect(alone?.others.slice(0, 2)).toEqual([
      { single_class_id: near, class_date: '2026-11-27T21:30:00.000Z', location: 'Roma Norte', places_left: 12 },
      { single_class_id: early, class_date: '2026-11-27T19:00:00.000Z', location: 'Roma Norte', places_left: 12 },
    ])
    expect(alone?.others.map(({ single_class_id }) => single_class_id)).not.toContain(full)
    // The second one has no reservations, so that it has no offers either.
    const both = await dryRun([late, near])
    expect(both.alternatives.map(({ single_class_id }) => single_class_id)).toEqual([late])
    expect(both.alternatives[0]?.others.map(({ single_class_id }) => single_class_id)).not.toContain(near)
    expect(both.message?.text).not.toContain('21:30')
    expect((await dryRun([early])).alternatives).toEqual([])
    const published = await plan().change({ changes: [{ op: 'cancel', single_class_id: late }] })
    expect(published.result.alternatives).toEqual([])
  })

  test('a coach who does not teach the type is a conflict; who teaches what is read by planners (L23)', async () => {
    const other = (await planned.s.make.classType({ name: 'Barre' })).class_type_id
    const owner = await planned.s.make.staff('owner')
    const [coach = 0, free = 0] = planned.coaches
    const save = (class_type_ids: number[] | null) =>
      planned.s.as(owner).catalogue.admin.instructors.update({ instructor_id: coach, class_type_ids })
    expect((await save([other, other])).instructor.class_type_ids).toEqual([other])
    expect(await refusalOf(save([other, 999_999]))).toMatchObject({ code: 'NOT_FOUND', data: { field: 'class_type_ids' } })
    const kinds = async (instructor_ids: number[]) =>
      (await create({ class_date: '2026-11-25T09:00:00.000Z', instructor_ids })).result.conflicts.map(({ kind, message }) => [
        kind,
        message,
      ])
    expect(await kinds([coach])).toEqual([['coach_type', 'Íñigo no da Ciclo 45.']])
    const own = async () => (await plan().coaches()).coaches.filter(({ instructor_id }) => [coach, free].includes(instructor_id))
    expect(await own()).toEqual([{ instructor_id: coach, class_type_ids: [other] }])
    expect(await codeOf(plan(await planned.s.make.staff('reception')).coaches())).toBe('FORBIDDEN')
    // An empty list means all types, as for a new coach; the public profile does not show it.
    expect((await save([])).instructor.class_type_ids).toBeNull()
    expect(await own()).toEqual([])
    const shown = await planned.s.as(null).catalogue.instructor({ instructor_id: coach })
    expect(Object.keys(shown.instructor)).not.toContain('class_type_ids')
  })

  test('changes of hours, drafts and series are never left out', async () => {
    const single_class_id = idOf((await create()).classes[0])
    for (const input of [
      { changes: [{ op: 'update' as const, single_class_id, fields: { capacity: 3 } }] },
      { changes: [{ op: 'cancel' as const, single_class_id, scope: 'all' as const }] },
      { changes: [{ op: 'delete' as const, single_class_id }], as: 'draft' as const },
    ])
      expect(await refusalOf(plan().change({ ...input, partial: true }))).toMatchObject({
        code: 'INVALID_INPUT',
        data: { field: 'partial' },
      })
  })
})
