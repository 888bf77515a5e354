import { afterAll, beforeAll, expect, test } from 'vitest'
import { classPackageType } from '#server/modules/catalogue/tables.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { grantCredits, lockSpendable, type PackageGrant, recordSpends, returnCredits, spendCredit } from './credits.ts'
import type { PayableClass } from './rules.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())

const credits = (person: Person) => s.as(person).credits.list()

async function give(input: Omit<PackageGrant, 'kind' | 'from' | 'period'> & { period?: string }) {
  const ctx = s.system()
  return ctx.tx((tx) => grantCredits(tx, ctx, { kind: 'package', period: '1', from: ctx.now, ...input }))
}

/** Spends one credit of a customer on a class, as a reservation would. */
async function spend(person: Person, cls: PayableClass, chosen: number | null = null) {
  const ctx = s.system()
  const at = await s.make.class({ class_type_id: cls.class_type_id, location_id: cls.location_id, starts_at: cls.starts_at })
  const [row] = await s.sql<{ id: number }>(
    `insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now()) returning class_reservation_id as id`,
    [at.single_class_id, person.customer_id],
  )
  const id = row?.id ?? 0
  await ctx.tx(async (tx) => {
    const [paid] = await spendCredit(tx, ctx, await lockSpendable(tx, ctx, person.customer_id), { cls, guest: false, chosen })
    if (paid) await recordSpends(tx, ctx, [{ ...paid, class_reservation_id: id }])
  })
  return id
}

async function someClass(days: number): Promise<PayableClass> {
  const starts_at = new Date(s.clock.now().getTime() + days * 86_400_000)
  const [{ class_type_id }, { location_id }] = await Promise.all([s.make.classType(), s.make.location()])
  return { starts_at, wall: new Date(starts_at.getTime() - 6 * 3_600_000), class_type_id, location_id, class_package_id: null }
}

test('a package grants one lot that is valid to the last second of its last day (C10, S1-1.14, S2-1.02, settled 3)', async () => {
  const [ana, classPackage] = await Promise.all([
    s.make.customer(),
    s.make.package({ title: 'Diez clases', class_amount: 10, expiration_days: 30 }),
  ])
  await give({ customer_id: ana.customer_id, class_package_id: classPackage.class_package_id, purchase_id: 1 })
  const { available_classes, summary } = await credits(ana)
  expect(available_classes).toMatchObject([
    {
      title: 'Diez clases',
      available_classes: 10,
      granted: 10,
      expiration_date: '2026-12-19T23:59:59.000Z',
      expires_at: '2026-12-20T05:59:59.000Z',
      class_types: '',
      is_courtesy: false,
    },
  ])
  expect(summary).toEqual({
    has_unlimited: false,
    unlimited_membership_expiration: null,
    available: 10,
    next_expiration: '2026-12-19T23:59:59.000Z',
  })
})

test('a package that counts by class type grants one lot each; "Ilimitadas" has its last day (C10, C13, S1-1.14, S2-1.02, S2-2.45)', async () => {
  const [ana, classPackage, reformer, barre] = await Promise.all([
    s.make.customer(),
    s.make.package(),
    s.make.classType({ name: 'Reformer' }),
    s.make.classType({ name: 'Barre' }),
  ])
  await s.system().tx((tx) =>
    tx.insert(classPackageType).values([
      { class_package_id: classPackage.class_package_id, class_type_id: reformer.class_type_id, class_amount: 4, expiration_days: 30 },
      { class_package_id: classPackage.class_package_id, class_type_id: barre.class_type_id, class_amount: -1, expiration_days: 15 },
    ]),
  )
  await give({ customer_id: ana.customer_id, class_package_id: classPackage.class_package_id, purchase_id: 2 })
  const { available_classes, summary } = await credits(ana)
  expect(available_classes.map((creditLot) => [creditLot.class_types, creditLot.class_type_id, creditLot.available_classes])).toEqual([
    ['Barre', barre.class_type_id, -1],
    ['Reformer', reformer.class_type_id, 4],
  ])
  expect(summary).toMatchObject({ has_unlimited: true, unlimited_membership_expiration: '2026-12-04T23:59:59.000Z', available: 4 })
})

test('a period of a purchase is granted once, also by twenty concurrent calls (C11)', async () => {
  const [ana, classPackage] = await Promise.all([s.make.customer(), s.make.package({ class_amount: 5 })])
  const input = { customer_id: ana.customer_id, class_package_id: classPackage.class_package_id, purchase_id: 3 }
  const answers = await Promise.all(Array.from({ length: 20 }, () => give(input)))
  expect(answers.filter((creditLots) => creditLots.length === 1)).toHaveLength(1)
  expect((await credits(ana)).summary.available).toBe(5)
  await give({ ...input, period: '2' })
  expect((await credits(ana)).summary.available).toBe(10)
})

test('the terms frozen at the purchase apply; a package without classes grants no lot (C10, C12)', async () => {
  const [ana, classPackage] = await Promise.all([s.make.customer(), s.make.package({ class_amount: 10, expiration_days: 60 })])
  await give({
    customer_id: ana.customer_id,
    class_package_id: classPackage.class_package_id,
    purchase_id: 4,
    class_amount: 8,
    expiration_days: 3,
    title: 'Ocho',
  })
  expect((await credits(ana)).available_classes).toMatchObject([
    { title: 'Ocho', available_classes: 8, expiration_date: '2026-11-22T23:59:59.000Z' },
  ])
  const fee = await s.make.package({ class_amount: 0 })
  expect(await give({ customer_id: ana.customer_id, class_package_id: fee.class_package_id, purchase_id: 5 })).toEqual([])
})

test('a clock that starts at the first class starts there, and stops when its credit is returned (C7)', async () => {
  const [ana, classPackage] = await Promise.all([
    s.make.customer(),
    s.make.package({ class_amount: 2, expiration_days: 10, clock_starts: 'first_class' }),
  ])
  await give({ customer_id: ana.customer_id, class_package_id: classPackage.class_package_id, purchase_id: 6 })
  expect((await credits(ana)).available_classes).toMatchObject([{ expiration_date: null }])
  const late = await spend(ana, await someClass(5))
  expect((await credits(ana)).available_classes).toMatchObject([{ available_classes: 1, expiration_date: '2026-12-04T23:59:59.000Z' }])
  const early = await spend(ana, await someClass(2))
  const ctx = s.system()
  expect(await ctx.tx((tx) => returnCredits(tx, ctx, [early]))).toBe('returned')
  expect((await credits(ana)).available_classes).toMatchObject([{ available_classes: 1, expiration_date: '2026-12-01T23:59:59.000Z' }])
  expect(await ctx.tx((tx) => returnCredits(tx, ctx, [late]))).toBe('returned')
  expect((await credits(ana)).available_classes).toMatchObject([{ available_classes: 2, expiration_date: null }])
})

test('expired, empty, frozen and revoked lots do not count; a frozen one is still listed (C1, S2-2.46)', async () => {
  const ana = await s.make.customer()
  await s.make.lot(ana, { granted: 3, title: 'Viva' })
  await s.make.lot(ana, { granted: 3, title: 'Expirada', expires_at: new Date(s.clock.now().getTime() - 1000) })
  await s.make.lot(ana, { granted: 0, title: 'Vacía' })
  await s.make.lot(ana, { granted: 3, title: 'Revocada', revokedAt: s.clock.now() })
  await s.make.lot(ana, { granted: 3, title: 'Congelada', frozenAt: s.clock.now() })
  await s.make.lot(ana, { granted: 3, title: 'Videos', is_online: true })
  const { available_classes, summary } = await credits(ana)
  expect(available_classes.map((creditLot) => [creditLot.title, creditLot.frozen]).sort()).toEqual([
    ['Congelada', true],
    ['Videos', false],
    ['Viva', false],
  ])
  expect(summary.available).toBe(3)
})

test('another customer’s credits are not listed, and a visitor gets none', async () => {
  const [ana, eva] = await Promise.all([s.make.customer(), s.make.customer()])
  await s.make.lot(ana)
  expect((await credits(eva)).available_classes).toEqual([])
  await expect(s.as(null).credits.list()).rejects.toMatchObject({ code: 'UNAUTHENTICATED', status: 401 })
})

test('the ledger cannot be rewritten, and the database refuses a balance below zero', async () => {
  const ana = await s.make.customer()
  const creditLot = await s.make.lot(ana, { granted: 1 })
  const movement = `insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt") values ($1, $2, 'spend', -1, 'test', now())`
  await s.sql(movement, [creditLot.available_class_id, ana.customer_id])
  await expect(s.sql(movement, [creditLot.available_class_id, ana.customer_id])).rejects.toMatchObject({
    constraint: 'available_class_balance',
  })
  await expect(
    s.sql('update credit_movement set amount = 5 where available_class_id = $1', [creditLot.available_class_id]),
  ).rejects.toThrow(/written once/)
})

test('the credit history lists movements with their classes, newest first, of this customer only', async () => {
  const ana = await s.make.buyer({ title: 'Diez clases' })
  const { single_class_id } = await s.make.class()
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id })
  const id = class_reservation.class_reservation_id
  s.clock.advance({ minutes: 30 })
  await s.as(ana).bookings.cancel({ class_reservation_id: id })
  const { movements, total } = await s.as(ana).credits.movements({})
  expect(total).toBe(3)
  expect(movements).toMatchObject([
    {
      kind: 'give_back',
      amount: 1,
      title: 'Diez clases',
      class_reservation_id: id,
      class_date: '2026-11-20T10:00:00.000Z',
      class_type: expect.stringMatching(/^Reformer/),
    },
    { kind: 'spend', amount: -1, class_reservation_id: id },
    { kind: 'grant', amount: 10, class_reservation_id: null, class_type: null },
  ])
  const eva = await s.make.buyer()
  expect((await s.as(eva).credits.movements({})).total).toBe(1)
  expect(await codeOf(s.as(eva).credits.movements({ available_class_id: movements[0]?.available_class_id ?? 0 }))).toBe('CREDIT_NOT_FOUND')
})
