/** The result of the rule test for one customer and one class agrees with a real booking (R25). */
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let reception: Person
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(async () => {
  await s.reset({})
  reception = await s.make.staff('reception', { name: 'Lorena' })
})

const HOUR = 3_600_000
const inHours = (hours: number) => new Date(s.clock.now().getTime() + hours * HOUR)
const testRules = (person: Person, cls: { single_class_id: number }) =>
  s.as(reception).ruleTest.read({ customer_id: person.customer_id, single_class_id: cls.single_class_id })
const ruleOf = (answer: Awaited<ReturnType<typeof testRules>>, topic: string) => answer.rules.find((rule) => rule.topic === topic)

/** The answer agrees with the booking itself, which is tried last. */
async function agrees(person: Person, cls: { single_class_id: number }) {
  const answer = await testRules(person, cls)
  const code = await codeOf(s.as(person).bookings.reserve({ single_class_id: cls.single_class_id })).catch(() => null)
  expect(answer.can_reserve).toBe(code === null)
  return { answer, code }
}

test('a customer with credits may book, and sees which lot pays and until when cancelling is free', async () => {
  const customer = await s.make.buyer()
  const cls = await s.make.class({ starts_at: inHours(48), capacity: 12 })
  const answer = await testRules(customer, cls)
  expect(answer).toMatchObject({ can_reserve: true, staff_can_reserve: true, customer: { customer_id: customer.customer_id } })
  expect(answer.rules.map(({ topic, ok }) => [topic, ok])).toEqual([
    ['time', true],
    ['places', true],
    ['penalty', true],
    ['clash', true],
    ['documents', true],
    ['credit', true],
    ['cancel', null],
  ])
  expect(ruleOf(answer, 'places')?.text).toBe('Quedan 12 lugares de 12.')
  expect(ruleOf(answer, 'credit')?.text).toMatch(/^(Se usa 1 de sus \d+ créditos de|Entra con) “/)
  expect(ruleOf(answer, 'cancel')?.settings).toContain('cancel_timeframe_value')
  // Nothing was booked, and nothing was spent.
  expect(await s.sql('select 1 from class_reservation where customer_id = $1', [customer.customer_id])).toEqual([])
  expect((await agrees(customer, cls)).code).toBeNull()
})

test('each rule that refuses is named with what the person reads and the settings that make it', async () => {
  const customer = await s.make.buyer()
  const soon = await s.make.class({ starts_at: inHours(0.25) })
  await s.reset({ reservation_timeframe_hours: 1 })
  const late = await agrees(customer, soon)
  expect(late.code).toBe('CLASS_CLOSED')
  expect(ruleOf(late.answer, 'time')).toMatchObject({ ok: false, settings: expect.arrayContaining(['reservation_timeframe_hours']) })
  expect(late.answer.staff_can_reserve).toBe(true)

  await s.reset({ waitlist_enabled: true })
  const small = await s.make.class({ starts_at: inHours(30), capacity: 1 })
  await s.as(await s.make.buyer()).bookings.reserve({ single_class_id: small.single_class_id })
  const full = await agrees(customer, small)
  expect(full.code).toBe('CLASS_FULL')
  expect([ruleOf(full.answer, 'places')?.ok, ruleOf(full.answer, 'waitlist')?.text]).toEqual([
    false,
    'Puede anotarse en la lista de espera.',
  ])

  const poor = await s.make.customer()
  const cls = await s.make.class({ starts_at: inHours(50) })
  const unpaid = await agrees(poor, cls)
  expect(unpaid.code).toBe('NO_CREDITS')
  expect(ruleOf(unpaid.answer, 'credit')?.ok).toBe(false)
  expect(unpaid.answer.staff_can_reserve).toBe(true)

  await s.as(customer).bookings.reserve({ single_class_id: cls.single_class_id })
  const again = await agrees(customer, cls)
  expect(again.code).toBe('ALREADY_RESERVED')
  expect([ruleOf(again.answer, 'clash')?.ok, again.answer.staff_can_reserve]).toEqual([false, false])
})

test('an unknown class or customer is refused, and a class of a location of others', async () => {
  const customer = await s.make.customer()
  const cls = await s.make.class({ starts_at: inHours(48) })
  expect(await codeOf(testRules(customer, { single_class_id: 999_999 }))).toBe('CLASS_NOT_FOUND')
  expect(await codeOf(s.as(reception).ruleTest.read({ customer_id: 999_999, single_class_id: cls.single_class_id }))).toBe('NOT_FOUND')
  const { location_id } = await s.make.location()
  const elsewhere = await s.make.staff('reception')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [elsewhere.uid, location_id])
  expect(await codeOf(s.as(elsewhere).ruleTest.read({ customer_id: customer.customer_id, single_class_id: cls.single_class_id }))).toBe(
    'FORBIDDEN',
  )
})
