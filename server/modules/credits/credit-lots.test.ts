import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import { codeOf, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let reception: Person
beforeAll(async () => {
  s = await studio()
  reception = await s.make.staff('reception')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const desk = () => s.as(reception).credits
const audit = (entity_id: number, action: string) =>
  s.sql<{ reason: string }>('select reason from audit where action = $1 and entity_id = $2', [action, String(entity_id)])

describe('the customer’s own credit lots', () => {
  test('a customer’s own credit lots are all listed by expiry, also ended ones, with their movements (S2-7.36)', async () => {
    const ana = await s.make.customer()
    const now = s.clock.now()
    await s.make.lot(ana, { title: 'Viva', expires_at: new Date('2027-01-10T05:59:59Z') })
    await s.make.lot(ana, { title: 'Vacía', granted: 0, expires_at: new Date('2027-01-05T05:59:59Z') })
    await s.make.lot(ana, { title: 'Vieja', expires_at: new Date('2026-10-01T05:59:59Z') })
    await s.make.lot(ana, { title: 'Retirada', revokedAt: now, expires_at: new Date('2027-02-01T05:59:59Z') })
    await s.make.lot(ana, { title: 'Quieta', frozenAt: now, expires_at: new Date('2027-02-02T05:59:59Z') })
    await s.make.lot(ana, { title: 'Sin reloj', expires_at: null, days_from_first_class: 30 })
    const { available_classes } = await s.as(ana).credits.all({})
    expect(available_classes.map((creditLot) => [creditLot.title, creditLot.state])).toEqual([
      ['Vieja', 'expired'],
      ['Vacía', 'used_up'],
      ['Viva', 'alive'],
      ['Retirada', 'revoked'],
      ['Quieta', 'frozen'],
      ['Sin reloj', 'alive'],
    ])
    const on = async (date: string) => (await s.as(ana).credits.all({ date })).available_classes.map((creditLot) => creditLot.title)
    expect(await on('2027-01-09')).toEqual(['Viva', 'Sin reloj'])
    expect(await on('2027-01-10')).toEqual(['Sin reloj'])
    expect(await codeOf(s.as(ana).credits.all({ date: '2027-02-30' }))).toBe('INVALID_INPUT')
  })

  test('one is returned, and never another customer’s (S2-7.37)', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const creditLot = await s.make.lot(ana, { title: 'Diez clases' })
    const input = { available_class_id: creditLot.available_class_id }
    expect((await s.as(ana).credits.one(input)).available_class).toMatchObject({
      title: 'Diez clases',
      available_classes: 10,
      state: 'alive',
    })
    expect(await codeOf(s.as(eva).credits.one(input))).toBe('CREDIT_NOT_FOUND')
    expect(await codeOf(s.as(ana).credits.one({ available_class_id: 2_000_000_000 }))).toBe('CREDIT_NOT_FOUND')
  })
})

describe('granted by staff (C16, S2-7.38)', () => {
  test('an amount until a day, with restrictions, as courtesy, with a stored reason', async () => {
    const [ana, type, location] = [
      await s.make.customer(),
      await s.make.classType({ name: 'Barre' }),
      await s.make.location({ name: 'Norte' }),
    ]
    const { available_classes } = await desk().create({
      customer_id: ana.customer_id,
      available_classes: 3,
      expiration_date: '2026-12-24',
      class_type_ids: [type.class_type_id],
      location_ids: [location.location_id],
      allowed_times: [{ days: [1, 2], from: '07:00', to: '12:00' }],
      reason: 'Se fue la luz',
    })
    expect(available_classes).toMatchObject([
      {
        title: 'Cortesía del estudio',
        available_classes: 3,
        granted: 3,
        is_courtesy: true,
        expiration_date: '2026-12-24T23:59:59.000Z',
        class_types: 'Barre',
        locations: 'Norte',
        allowed_times: [{ days: [1, 2], from: '07:00', to: '12:00' }],
      },
    ])
    expect((await s.as(ana).credits.list()).summary.available).toBe(3)
    expect(await audit(ana.customer_id, 'credits.give')).toEqual([{ reason: 'Se fue la luz' }])
    expect((await s.as(ana).credits.movements({})).movements).toMatchObject([{ kind: 'grant', amount: 3, reason: 'Se fue la luz' }])
  })

  test('by a package’s terms or other ones, and unlimited', async () => {
    const [ana, classPackage] = [await s.make.customer(), await s.make.package({ title: 'Diez', class_amount: 10, expiration_days: 30 })]
    const give = async (more: object) =>
      (
        await desk().create({
          customer_id: ana.customer_id,
          class_package_id: classPackage.class_package_id,
          reason: 'Pagó en efectivo',
          ...more,
        })
      ).available_classes[0]
    expect(await give({})).toMatchObject({
      title: 'Diez',
      available_classes: 10,
      expiration_date: '2026-12-19T23:59:59.000Z',
      is_courtesy: false,
    })
    expect(await give({ available_classes: 4, expiration_date: '2026-11-30', title: 'Cuatro' })).toMatchObject({
      title: 'Cuatro',
      available_classes: 4,
      expiration_date: '2026-11-30T23:59:59.000Z',
    })
    const free = await desk().create({
      customer_id: ana.customer_id,
      available_classes: -1,
      expiration_date: '2026-11-30',
      title: 'Semana libre',
      reason: 'Ganó la rifa',
    })
    expect(free.available_classes).toMatchObject([{ available_classes: -1, granted: -1, title: 'Semana libre' }])
  })

  test.each<[string, object]>([
    ['INVALID_INPUT', { available_classes: 3 }],
    ['INVALID_INPUT', { expiration_date: '2026-12-24' }],
    ['INVALID_INPUT', { available_classes: 0, expiration_date: '2026-12-24' }],
    ['INVALID_INPUT', { available_classes: 3, expiration_date: '2026-11-18' }],
    ['INVALID_INPUT', { available_classes: 3, expiration_date: '9999-12-31' }],
    ['INVALID_INPUT', { available_classes: 3, expiration_date: '2026-12-24', reason: '' }],
    ['PACKAGE_NOT_FOUND', { class_package_id: 2_000_000_000 }],
    ['NOT_FOUND', { customer_id: 2_000_000_000, available_classes: 3, expiration_date: '2026-12-24' }],
    ['NOT_FOUND', { class_type_ids: [2_000_000_000], available_classes: 3, expiration_date: '2026-12-24' }],
    ['NOT_FOUND', { location_ids: [2_000_000_000], available_classes: 3, expiration_date: '2026-12-24' }],
  ])('%s for %j: nothing is given', async (expected, wrong) => {
    const ana = await s.make.customer()
    expect(await codeOf(desk().create({ customer_id: ana.customer_id, reason: 'Regalo', ...wrong }))).toBe(expected)
    expect((await s.as(ana).credits.all({})).available_classes).toEqual([])
  })

  test('a repeated request with one key grants once', async () => {
    const ana = await s.make.customer()
    const input = { customer_id: ana.customer_id, available_classes: 3, expiration_date: '2026-12-24', reason: 'Regalo' }
    for (let n = 0; n < 2; n++) await s.as(reception, `una-vez-${ana.customer_id}`).credits.create(input)
    expect((await s.as(ana).credits.list()).summary.available).toBe(3)
  })
})

describe('changed by staff (C17, S2-7.39)', () => {
  const creditLotOf = async (values: Parameters<TestStudio['make']['lot']>[1] = {}) => {
    const ana = await s.make.customer()
    const { available_class_id } = await s.make.lot(ana, values)
    return { ana, available_class_id }
  }

  test('the last day, the balance, or both are movements of the ledger', async () => {
    const { ana, available_class_id } = await creditLotOf()
    const changed = await desk().update({ available_class_id, expiration_date: '2027-03-01', add: 2, reason: 'Estuvo enferma' })
    expect(changed.available_class).toMatchObject({ available_classes: 12, expiration_date: '2027-03-01T23:59:59.000Z' })
    expect(
      (await desk().update({ available_class_id, add: -5, reason: 'Tomó cinco sin reservar' })).available_class.available_classes,
    ).toBe(7)
    expect((await s.as(ana).credits.movements({})).movements.map((movement) => [movement.kind, movement.amount])).toEqual([
      ['remove', -5],
      ['adjust', 2],
      ['extend', 0],
      ['grant', 10],
    ])
    expect(await audit(available_class_id, 'credits.change')).toHaveLength(2)
  })

  test('a frozen lot pays for nothing; unfrozen it is valid as many days longer, started ones included', async () => {
    const { ana, available_class_id } = await creditLotOf({ expires_at: new Date('2026-12-01T05:59:59Z') })
    await desk().update({ available_class_id, frozen: true, reason: 'Se va de viaje' })
    const cls = await s.make.class()
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('NO_CREDITS')
    s.clock.advance({ days: 9, hours: 1 })
    const thawed = await desk().update({ available_class_id, frozen: false, reason: 'Regresó' })
    expect(thawed.available_class).toMatchObject({ frozen: false, expiration_date: '2026-12-10T23:59:59.000Z' })
    expect((await desk().update({ available_class_id, frozen: false, reason: 'Otra vez' })).available_class.expiration_date).toBe(
      '2026-12-10T23:59:59.000Z',
    )
  })

  test('a day set by staff replaces a clock that waits for the first class', async () => {
    const { available_class_id } = await creditLotOf({ expires_at: null, days_from_first_class: 30 })
    const { available_class } = await desk().update({ available_class_id, expiration_date: '2027-01-15', reason: 'Fecha fija' })
    expect(available_class.expiration_date).toBe('2027-01-15T23:59:59.000Z')
    expect(await s.sql('select days_from_first_class from available_class where available_class_id = $1', [available_class_id])).toEqual([
      { days_from_first_class: null },
    ])
  })

  test.each<[string, object, object]>([
    ['INVALID_INPUT', { add: -11 }, {}],
    ['INVALID_INPUT', { add: 1 }, { unlimited: true }],
    ['INVALID_INPUT', { expiration_date: '2026-11-01' }, {}],
    ['CREDIT_REVOKED', { add: 1 }, { revokedAt: new Date('2026-11-01T00:00:00Z') }],
  ])('%s for %j: nothing changes', async (expected, input, values) => {
    const { available_class_id } = await creditLotOf(values)
    const before = await s.sql('select * from available_class where available_class_id = $1', [available_class_id])
    expect(await codeOf(desk().update({ available_class_id, reason: 'A ver', ...input }))).toBe(expected)
    expect(await s.sql('select * from available_class where available_class_id = $1', [available_class_id])).toEqual(before)
  })

  test('ten concurrent changes of minus three on a lot of ten take nine', async () => {
    const { ana, available_class_id } = await creditLotOf()
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, () => desk().update({ available_class_id, add: -3, reason: 'A la vez' })),
    )
    expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(3)
    expect((await s.as(ana).credits.list()).summary.available).toBe(1)
  })
})

test('revoking (S2-7.40) removes the balance, keeps what it paid, and is idempotent (C18)', async () => {
  const ana = await s.make.customer()
  const { available_class_id } = await s.make.lot(ana)
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
  expect((await desk().revoke({ available_class_id, reason: 'Contracargo' })).available_class).toMatchObject({
    state: 'revoked',
    available_classes: 0,
  })
  expect((await s.as(ana).credits.list()).summary.available).toBe(0)
  expect((await s.as(ana).bookings.one({ class_reservation_id: class_reservation.class_reservation_id })).class_reservation.status).toBe(
    'Próxima',
  )
  expect(await codeOf(desk().revoke({ available_class_id, reason: 'Otra vez' }))).toBe('CREDIT_REVOKED')
  expect(await audit(available_class_id, 'credits.revoke')).toEqual([{ reason: 'Contracargo' }])
  expect((await s.as(ana).credits.movements({})).movements[0]).toMatchObject({ kind: 'revoke', amount: -9, reason: 'Contracargo' })
})

test('granting, changing and revoking is for reception and the owner; customers cannot', async () => {
  const ana = await s.make.customer()
  const { available_class_id } = await s.make.lot(ana)
  for (const person of [ana, await s.make.staff('coach')]) {
    const mine = s.as(person).credits
    expect(
      await codeOf(mine.create({ customer_id: ana.customer_id, available_classes: 99, expiration_date: '2027-01-01', reason: 'Para mí' })),
    ).toBe('FORBIDDEN')
    expect(await codeOf(mine.update({ available_class_id, add: 99, reason: 'Para mí' }))).toBe('FORBIDDEN')
    expect(await codeOf(mine.revoke({ available_class_id, reason: 'Para mí' }))).toBe('FORBIDDEN')
    expect(await codeOf(mine.ofCustomer({ customer_id: ana.customer_id }))).toBe('FORBIDDEN')
  }
  expect((await desk().ofCustomer({ customer_id: ana.customer_id })).summary.available).toBe(10)
  expect(await codeOf(desk().ofCustomer({ customer_id: 2_000_000_000 }))).toBe('NOT_FOUND')
})

test('a customer is notified of credits that end within a week, once a day (C19)', async () => {
  const [ana, eva] = [await s.make.customer(), await s.make.customer()]
  await s.make.lot(ana, { title: 'Diez clases', granted: 3, expires_at: new Date('2026-11-23T05:59:59Z') })
  await s.make.lot(eva, { title: 'Diez clases', expires_at: new Date('2026-12-23T05:59:59Z') })
  expect(await desk().notifyEnding({ customer_id: ana.customer_id })).toEqual({ notified: 1 })
  // The same answer, and no second message.
  expect(await desk().notifyEnding({ customer_id: ana.customer_id })).toEqual({ notified: 1 })
  const messages = () =>
    s.sql(`select words->>'title' as title from message where customer_id = $1 and event = 'credit_expiring' and channel = 'mail'`, [
      ana.customer_id,
    ])
  expect(await messages()).toEqual([{ title: 'Diez clases expira el 22 nov 2026' }])
  s.clock.advance({ days: 1 })
  expect(await desk().notifyEnding({ customer_id: ana.customer_id })).toEqual({ notified: 1 })
  expect(await messages()).toHaveLength(2)
  expect(await codeOf(desk().notifyEnding({ customer_id: eva.customer_id }))).toBe('CREDITS_NOT_ENDING')
  expect(await codeOf(s.as(ana).credits.notifyEnding({ customer_id: ana.customer_id }))).toBe('FORBIDDEN')
})

test('all counters match the rows', async () => {
  expect(await findBrokenInvariants(s)).toEqual({})
})
