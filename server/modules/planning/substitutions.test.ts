/** Substitutions: the coaches asked, who may answer, what changes and who is notified (docs/domain.md L9 to L12). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

interface Coach {
  instructor_id: number
  person: Person
}

let s: TestStudio
let manager: Person
let type: number
let here: number
let sofia: Coach
let diego: Coach
let lucia: Coach
beforeAll(async () => {
  s = await studio()
  manager = await s.make.staff('manager')
  await s.make.staff('owner', { name: 'Mónica' })
})
afterAll(async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
  await s.close()
})
beforeEach(async () => {
  await s.reset()
  s.clock.set(START)
  // A type and coaches of its own keep a test apart from the others.
  type = (await s.make.classType({ name: 'Barre' })).class_type_id
  here = (await s.make.location({ name: 'Roma Norte' })).location_id
  sofia = await coach('Sofía')
  diego = await coach('Diego')
  lucia = await coach('Lucía')
})

async function coach(name: string): Promise<Coach> {
  const { instructor_id } = await s.make.instructor({ name, last_name: 'Ruiz' })
  return { instructor_id, person: await s.make.staff('coach', { instructor_id, name }) }
}
const at = (days: number, hours = 0) => new Date(Date.parse(START) + (days * 24 + hours) * 3_600_000)
const taught = (by: Coach, days: number) =>
  s.make.class({ class_type_id: type, location_id: here, instructor_id: by.instructor_id, starts_at: at(days) })
const toTeach = (by: Coach, days = 3, hours = 0) =>
  s.make.class({ class_type_id: type, location_id: here, instructor_id: by.instructor_id, starts_at: at(days, hours) })
const as = (person: Coach | Person, key: string = randomUUID()) => s.as('person' in person ? person.person : person, key).substitutions
const open = async (by: Coach | Person, single_class_id: number, more: object = { ask: 'elegibles' }) => {
  const { substitutions } = await as(by).open({ single_class_ids: [single_class_id], reason: 'Estoy enferma', ...more })
  return substitutions[0]?.substitution_id ?? 0
}
const coachesOf = async (single_class_id: number) =>
  (
    await s.sql<{ id: number }>('select instructor_id as id from class_instructor where single_class_id = $1 order by sort', [
      single_class_id,
    ])
  ).map(({ id }) => id)
const mails = (email: string) =>
  s.sql<{ title: string }>(
    `select words->>'title' as title from message m join staff using (staff_id) where staff.email = $1 order by message_id`,
    [email],
  )
const emailOf = async (person: Coach) =>
  (await s.sql<{ email: string }>('select email from staff where instructor_id = $1', [person.instructor_id]))[0]?.email ?? ''

describe('asking (L9)', () => {
  test('asks those who taught this type in 90 days, are free, have an account and work there', async () => {
    const { single_class_id } = await toTeach(sofia)
    const busy = await coach('Ocupada')
    const elsewhere = await coach('Otra sede')
    await taught(diego, -20)
    await taught(busy, -20)
    await taught(elsewhere, -20)
    await taught(lucia, -91)
    await toTeach(busy, 3)
    await s.sql('insert into staff_location select staff_id, $2 from staff where instructor_id = $1', [
      elsewhere.instructor_id,
      (await s.make.location()).location_id,
    ])
    const { instructors } = await as(sofia).eligible({ single_class_id })
    expect(instructors.map(({ instructor_id }) => instructor_id)).toEqual([diego.instructor_id])
    await open(sofia, single_class_id)
    await doJobs(s)
    expect(await mails(await emailOf(diego))).toEqual([{ title: '¿Puedes dar esta clase?' }])
    expect(await mails(await emailOf(lucia))).toEqual([])
    expect((await as(diego).list({})).substitutions).toMatchObject([
      { can_answer: true, instructor: { name: 'Sofía' }, reason: 'Estoy enferma' },
    ])
    expect((await as(lucia).list({})).substitutions).toEqual([])
  })

  test('coaches who list the type are asked, whether they taught it lately or not (L23)', async () => {
    const { single_class_id } = await toTeach(sofia)
    const other = (await s.make.classType()).class_type_id
    await taught(diego, -20)
    const lists = (by: Coach, ids: number[] | null) =>
      s.sql('update instructor set class_type_ids = $2 where instructor_id = $1', [by.instructor_id, ids])
    const eligible = async () => (await as(sofia).eligible({ single_class_id })).instructors.map(({ instructor_id }) => instructor_id)
    await lists(lucia, [other, type])
    expect(await eligible()).toEqual([diego.instructor_id, lucia.instructor_id])
    await lists(diego, [other])
    expect(await eligible()).toEqual([lucia.instructor_id])
    await toTeach(lucia, 3)
    expect(await eligible()).toEqual([])
  })

  test('a coach asks for own classes only, once per class, before it begins; nothing is written otherwise', async () => {
    const { single_class_id } = await toTeach(sofia)
    expect(await codeOf(open(diego, single_class_id))).toBe('SUBSTITUTION_NOT_YOURS')
    expect(await codeOf(open(sofia, single_class_id, { assign: diego.instructor_id }))).toBe('FORBIDDEN')
    expect(await codeOf(open(sofia, 999_999))).toBe('CLASS_NOT_FOUND')
    await open(sofia, single_class_id, { ask: [diego.instructor_id] })
    expect(await codeOf(open(sofia, single_class_id))).toBe('SUBSTITUTION_OPEN')
    const other = await toTeach(sofia, 4)
    const both = { single_class_ids: [other.single_class_id, single_class_id], reason: 'Viaje' }
    expect(await codeOf(as(sofia).open(both))).toBe('SUBSTITUTION_OPEN')
    expect((await as(sofia).list({})).substitutions).toHaveLength(1)
    const begun = await toTeach(sofia, 0, 1)
    s.clock.set(at(0, 2))
    expect(await codeOf(open(sofia, begun.single_class_id))).toBe('CLASS_STARTED')
  })

  test('the studio opens one for any class where it works, and assigns a coach at once', async () => {
    const { single_class_id } = await toTeach(sofia)
    await open(manager, single_class_id, { assign: diego.instructor_id })
    expect(await coachesOf(single_class_id)).toEqual([diego.instructor_id])
    const there = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [
      there.uid,
      (await s.make.location()).location_id,
    ])
    expect(await codeOf(open(there, (await toTeach(sofia, 5)).single_class_id))).toBe('FORBIDDEN')
    expect(await codeOf(open(manager, (await toTeach(sofia, 5)).single_class_id, { assign: 999_999 }))).toBe('NOT_FOUND')
  })
})

describe('answering (L10)', () => {
  test('the first who accepts gets it: the class changes, the customers are notified, the public page names both', async () => {
    const { single_class_id } = await toTeach(sofia)
    const buyer = await s.make.buyer()
    await s.as(buyer).bookings.reserve({ single_class_id })
    await doJobs(s)
    const substitution_id = await open(sofia, single_class_id, { ask: [diego.instructor_id, lucia.instructor_id] })
    const { substitution } = await as(diego).answer({ substitution_id, accept: true })
    expect(substitution).toMatchObject({ state: 'done', substitute: { name: 'Diego' } })
    expect(await coachesOf(single_class_id)).toEqual([diego.instructor_id])
    const { single_class } = await s.as(null).schedule.one({ single_class_id })
    expect(single_class).toMatchObject({ substitutes_for: 'Sofía', class_instructors: [{ instructor: { name: 'Diego' } }] })
    await doJobs(s)
    const messages = await s.sql<{ lines: string[] }>(
      `select words->'lines' as lines from message where event = 'class_changed' and customer_id = $1 and channel = 'app'`,
      [buyer.customer_id],
    )
    expect(JSON.stringify(messages)).toContain('Ahora da la clase Diego.')
    expect(await refusalOf(as(lucia).answer({ substitution_id, accept: true }))).toMatchObject({
      code: 'SUBSTITUTION_TAKEN',
      data: { name: 'Diego' },
    })
    // The same answer again is no refusal.
    await as(diego).answer({ substitution_id, accept: true })
    // Another coach, chosen on the timetable, ends the substitution.
    await s.as(manager, randomUUID()).studioSchedule.change({
      changes: [{ op: 'update', single_class_id, fields: { instructor_ids: [lucia.instructor_id] } }],
    })
    expect((await s.as(null).schedule.one({ single_class_id })).single_class.substitutes_for).toBeUndefined()
  })

  test('of two coaches of a class only the one is replaced who asked', async () => {
    const { single_class_id } = await toTeach(sofia)
    await s.sql('insert into class_instructor (single_class_id, instructor_id, sort) values ($1, $2, 1)', [
      single_class_id,
      lucia.instructor_id,
    ])
    const substitution_id = await open(sofia, single_class_id, { ask: [diego.instructor_id] })
    await as(diego).answer({ substitution_id, accept: true })
    expect(await coachesOf(single_class_id)).toEqual([diego.instructor_id, lucia.instructor_id])
  })

  test('only coaches who were asked answer; one who teaches then is refused; one who declined is not asked again', async () => {
    const { single_class_id } = await toTeach(sofia)
    const substitution_id = await open(sofia, single_class_id, { ask: [diego.instructor_id] })
    expect(await codeOf(as(lucia).answer({ substitution_id, accept: true }))).toBe('NOT_FOUND')
    expect(await codeOf(as(sofia).answer({ substitution_id, accept: true }))).toBe('NOT_FOUND')
    expect(await codeOf(as(diego).answer({ substitution_id, approve: true }))).toBe('FORBIDDEN')
    expect(await codeOf(as(diego).answer({ substitution_id, close: true }))).toBe('FORBIDDEN')
    expect(await codeOf(as(diego).answer({ substitution_id }))).toBe('INVALID_INPUT')
    expect(await codeOf(as(diego).answer({ substitution_id, accept: true, close: true }))).toBe('INVALID_INPUT')
    await toTeach(diego, 3)
    expect(await codeOf(as(diego).answer({ substitution_id, accept: true }))).toBe('SUBSTITUTE_BUSY')
    expect((await as(diego).list({})).substitutions).toMatchObject([{ can_answer: true }])
    await as(diego).answer({ substitution_id, accept: false })
    expect((await as(diego).list({})).substitutions).toMatchObject([{ can_answer: false }])
    expect((await as(sofia).list({})).substitutions).toMatchObject([{ state: 'open', asked: [{ name: 'Diego', answer: 'declined' }] }])
  })

  test('a request for a substitution is over when it was closed, or when the class was cancelled or got another coach', async () => {
    const [closed, cancelled, changed] = [await toTeach(sofia, 3), await toTeach(sofia, 4), await toTeach(sofia, 5)]
    const ids = []
    for (const cls of [closed, cancelled, changed]) ids.push(await open(sofia, cls.single_class_id, { ask: [diego.instructor_id] }))
    const [first = 0, second = 0, third = 0] = ids
    await as(sofia).answer({ substitution_id: first, close: true })
    await s.as(manager, randomUUID()).studioSchedule.change({
      changes: [
        { op: 'cancel', single_class_id: cancelled.single_class_id },
        { op: 'update', single_class_id: changed.single_class_id, fields: { instructor_ids: [lucia.instructor_id] } },
      ],
    })
    const codes = []
    for (const substitution_id of [first, second, third]) codes.push(await codeOf(as(diego).answer({ substitution_id, accept: true })))
    expect(codes).toEqual(['SUBSTITUTION_CLOSED', 'CLASS_CANCELLED', 'SUBSTITUTION_CLOSED'])
    expect((await as(sofia).list({})).substitutions).toEqual([])
    expect((await as(sofia).list({ state: 'past' })).substitutions.map(({ state }) => state)).toEqual(['closed', 'closed', 'closed'])
    // The new coach requests a substitute again for the class that was changed.
    await open(lucia, changed.single_class_id, { ask: [diego.instructor_id] })
  })
})

test('with substitution_approval the studio approves the coach who accepted, or continues the search (L11)', async () => {
  await s.having({ substitution_approval: true }, async () => {
    const { single_class_id } = await toTeach(sofia)
    const substitution_id = await open(sofia, single_class_id, { ask: [diego.instructor_id, lucia.instructor_id] })
    await as(diego).answer({ substitution_id, accept: true })
    expect(await coachesOf(single_class_id)).toEqual([sofia.instructor_id])
    expect(await refusalOf(as(lucia).answer({ substitution_id, accept: true }))).toMatchObject({
      code: 'SUBSTITUTION_TAKEN',
      data: { name: 'Diego' },
    })
    const task = async () =>
      (await s.as(manager).today.tasks({})).tasks.find(({ task_id }) => task_id === `substitution-${substitution_id}`)
    expect(await task()).toMatchObject({ title: 'Diego Ruiz acepta dar Barre', link: '/admin/horario/suplencias' })
    await as(manager).answer({ substitution_id, approve: false })
    expect(await task()).toMatchObject({ title: 'Barre necesita suplente' })
    await doJobs(s)
    expect((await mails(await emailOf(diego))).map(({ title }) => title)).toContain('Esta vez la clase la dará alguien más')
    expect(await codeOf(as(manager).answer({ substitution_id, approve: true }))).toBe('INVALID_INPUT')
    await as(lucia).answer({ substitution_id, accept: true })
    await as(manager).answer({ substitution_id, approve: true })
    expect(await coachesOf(single_class_id)).toEqual([lucia.instructor_id])
    expect(await task()).toBeUndefined()
  })
})

test('reminds coaches who have not answered for two hours and warns the owners six hours before, once each (L12)', async () => {
  const { single_class_id } = await toTeach(sofia, 0, 9)
  await open(sofia, single_class_id, { ask: [diego.instructor_id, lucia.instructor_id] })
  await doJobs(s)
  const followUp = () => doJobs(s, 'substitutions.follow_up')
  await followUp()
  expect(await mails(await emailOf(diego))).toHaveLength(1)
  const [mine] = (await as(lucia).list({})).substitutions
  await as(lucia).answer({ substitution_id: mine?.substitution_id ?? 0, accept: false })
  s.clock.set(at(0, 2))
  await followUp()
  await followUp()
  expect((await mails(await emailOf(diego))).map(({ title }) => title)).toEqual([
    '¿Puedes dar esta clase?',
    'Todavía se busca quién dé esta clase',
  ])
  expect(await mails(await emailOf(lucia))).toHaveLength(1)
  const warned = () =>
    s.sql(`select 1 from message m join staff using (staff_id) where staff.role = 'owner' and m.about like $1`, [
      `substitution:${single_class_id}:%:warned`,
    ])
  expect(await warned()).toHaveLength(0)
  s.clock.set(at(0, 4))
  await followUp()
  await followUp()
  expect(await warned()).toHaveLength(1)
})
