/**
 * Packages and discounts as the studio keeps them, over HTTP (docs/domain.md K10 to K12, D1, D5; S1-6.03, S1-7.18, S1-7.25, S1-7.26,
 * S1-7.52 to S1-7.57).
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Client
let reception: Client
let ana: Person
beforeAll(async () => {
  on = await studio()
  owner = on.as(await on.make.staff('owner'))
  reception = on.as(await on.make.staff('reception'))
  ana = await on.make.customer()
})
afterAll(() => on.close())

const visitor = () => on.as(null)
const FOUR = { title: 'Cuatro', price: '890', class_amount: 4, expiration_days: 30 }
const trail = (entity: string, id: number) =>
  on
    .sql<{ action: string; actor: string }>('select action, actor from audit where entity = $1 and entity_id = $2 order by audit_id', [
      entity,
      String(id),
    ])
    .then((rows) => rows.map(({ action, actor }) => `${actor} ${action}`))
const issuesOf = async (call: Promise<unknown>) => {
  const { code, data } = await refusalOf(call)
  return [code, ...(data as { issues: { path: string }[] }).issues.map(({ path }) => path)]
}

describe('packages (K10)', () => {
  it('a new one is on sale at once, with defaults for omitted fields', async () => {
    const { class_package } = await owner.studioPackages.create({ ...FOUR, price: '890.5', description: '<p>Hola</p><script>x</script>' })
    expect(class_package).toMatchObject({
      title: 'Cuatro',
      price: '890.50',
      sale_price: null,
      description: '<p>Hola</p>',
      class_amount: 4,
      expiration_days: 30,
      clock_starts: 'purchase',
      is_home: false,
      is_subscription: false,
      capacity: null,
      sold: 0,
      left: null,
      allowed_times: [],
      location_ids: null,
      guests_use_credit: true,
      available: true,
      class_package_types: [],
    })
    const { class_package_id } = class_package
    expect((await visitor().catalogue.package({ class_package_id })).class_package.price).toBe('890.50')
    expect(await trail('class_package', class_package_id)).toEqual(['staff:owner class_package.create'])
    expect(await refusalOf(reception.studioPackages.create(FOUR))).toMatchObject({ code: 'FORBIDDEN' })
  })

  it('a change touches only the given fields, and reaches every page', async () => {
    const [reformer, location] = [await on.make.classType({ name: 'Reformer' }), await on.make.location()]
    const { class_package: saved } = await owner.studioPackages.create({
      ...FOUR,
      description: '<p>Cuatro clases</p>',
      image: { src: '/foto.jpg' },
      sale_price: '790',
      clock_starts: 'first_class',
      location_ids: [location.location_id],
      allowed_times: [{ days: [1, 2], from: '07:00', to: '12:00' }],
      class_package_types: [{ class_type_id: reformer.class_type_id, class_amount: 4, expiration_days: 30 }],
      capacity: 10,
    })
    const { class_package_id } = saved
    const { class_package: after } = await owner.studioPackages.update({ class_package_id, price: 950 })
    expect(after).toEqual({ ...saved, price: '950.00' })
    const sold = (await visitor().catalogue.packages()).class_packages.find(
      (classPackage) => classPackage.class_package_id === class_package_id,
    )
    expect(sold).toMatchObject({
      price: '950.00',
      location_ids: [location.location_id],
      limits: ['Solo lun y mar, 07:00–12:00', `Solo en ${location.name}`],
    })
    const { class_package: bare } = await owner.studioPackages.update({
      class_package_id,
      sale_price: '',
      image: null,
      location_ids: null,
      capacity: null,
      class_package_types: [],
    })
    expect(bare).toMatchObject({
      sale_price: null,
      image: null,
      location_ids: null,
      capacity: null,
      left: null,
      class_package_types: [],
      price: '950.00',
    })
    expect(await trail('class_package', class_package_id)).toEqual([
      'staff:owner class_package.create',
      'staff:owner class_package.change',
      'staff:owner class_package.change',
    ])
  })

  it('invalid fields are reported per field, and nothing is written', async () => {
    const { class_package } = await owner.studioPackages.create(FOUR)
    const { class_package_id } = class_package
    const typed = { class_type_id: (await on.make.classType()).class_type_id, class_amount: 1, expiration_days: 3 }
    const cases: [Partial<Parameters<Client['studioPackages']['create']>[0]>, string[]][] = [
      [{ sale_price: '900' }, ['sale_price']],
      [{ expiration_days: 0 }, ['expiration_days']],
      [{ class_package_types: [typed, typed] }, ['class_package_types']],
      [{ class_package_types: [{ class_amount: 1, expiration_days: 3 }] }, ['class_package_types.0.class_type_id']],
      [{ allowed_times: [{ days: [1], from: '12:00', to: '09:00' }] }, ['allowed_times']],
      [{ is_subscription: true }, ['subscription_period', 'subscription_interval']],
      [{ is_subscription: true, subscription_period: 'month', subscription_interval: 37 }, ['subscription_interval']],
      [
        { is_subscription: true, subscription_period: 'year', subscription_interval: 1, free_trial_length: 25, free_trial_period: 'month' },
        ['free_trial_length'],
      ],
      [{ is_subscription: true, subscription_period: 'year', subscription_interval: 1, price: '0' }, ['price']],
      [{ price: '8.999' }, ['price']],
      [{ price: '-1' }, ['price']],
      [{ price: 'mucho' }, ['price']],
      [{ class_amount: -2 }, ['class_amount']],
      [{ image: { src: 'javascript:alert(1)' } }, ['image.src']],
    ]
    for (const [wrong, paths] of cases) {
      const note = JSON.stringify(wrong)
      expect(await issuesOf(owner.studioPackages.create({ ...FOUR, ...wrong })), note).toEqual(['INVALID_INPUT', ...paths])
      expect(await issuesOf(owner.studioPackages.update({ class_package_id, ...wrong })), note).toEqual(['INVALID_INPUT', ...paths])
    }
    const named = { class_package_types: [{ ...typed, class_type_id: 2_000_000_000 }] }
    expect(await refusalOf(owner.studioPackages.create({ ...FOUR, ...named }))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusalOf(owner.studioPackages.create({ ...FOUR, location_ids: [2_000_000_000] }))).toMatchObject({ code: 'NOT_FOUND' })
    expect(await refusalOf(owner.studioPackages.update({ class_package_id: 2_000_000_000, price: '1' }))).toMatchObject({
      code: 'PACKAGE_NOT_FOUND',
    })
    const { class_packages } = await reception.studioPackages.all({ query: 'cuatro' })
    expect(class_packages.find((classPackage) => classPackage.class_package_id === class_package_id)).toEqual(class_package)
    expect(await on.sql(`select 1 from audit where entity = 'class_package' and entity_id = $1`, [String(class_package_id)])).toHaveLength(
      1,
    )
  })

  it('the capacity is never set below what was sold (K4)', async () => {
    const classPackage = await on.make.package({ price_centavos: 0, capacity: 5 })
    const { class_package_id } = classPackage
    for (const customer of [ana, await on.make.customer()]) await on.as(customer).sales.checkout({ class_package_id })
    expect(await refusalOf(owner.studioPackages.update({ class_package_id, capacity: 1 }))).toMatchObject({
      code: 'BELOW_USED',
      status: 409,
      message: 'Ya van 2: el límite no puede ser menor.',
    })
    expect((await owner.studioPackages.update({ class_package_id, capacity: 2 })).class_package).toMatchObject({
      capacity: 2,
      sold: 2,
      left: 0,
    })
    expect(await refusalOf(on.as(await on.make.customer()).sales.checkout({ class_package_id }))).toMatchObject({
      code: 'PACKAGE_SOLD_OUT',
      status: 412,
    })
  })

  it('staff list all of them, also off sale, by part of the title (S1-6.03, S1-7.18)', async () => {
    const off = await on.make.package({ title: 'Guardado Ñandú', available: false })
    const deletedPackage = await on.make.package({ title: 'Borrado Ñandú', deletedAt: new Date() })
    const { class_packages } = await reception.studioPackages.all({ query: 'ñandú' })
    expect(class_packages.map((classPackage) => classPackage.class_package_id)).toEqual([off.class_package_id])
    expect(class_packages.map((classPackage) => classPackage.class_package_id)).not.toContain(deletedPackage.class_package_id)
    expect((await reception.studioPackages.all({})).class_packages.length).toBeGreaterThan(1)
    expect((await reception.studioPackages.all({ query: '%' })).class_packages).toEqual([])
    expect(await refusalOf(visitor().catalogue.package({ class_package_id: off.class_package_id }))).toMatchObject({
      code: 'PACKAGE_NOT_FOUND',
    })
  })

  it('packages can be added to the landing page and removed (S1-1.20, S1-7.25, S1-7.26, settled 27)', async () => {
    const { class_package_id } = await on.make.package({ is_home: false, is_special_event: true })
    const home = async () =>
      (await visitor().catalogue.especialesHome()).class_packages.map((classPackage) => classPackage.class_package_id)
    expect(await home()).not.toContain(class_package_id)
    for (let twice = 0; twice < 2; twice++)
      expect((await owner.studioPackages.addToHome({ class_package_id })).class_package.is_home).toBe(true)
    expect(await home()).toContain(class_package_id)
    for (let twice = 0; twice < 2; twice++)
      expect((await owner.studioPackages.removeFromHome({ class_package_id })).class_package.is_home).toBe(false)
    expect(await home()).not.toContain(class_package_id)
    expect(await trail('class_package', class_package_id)).toEqual([
      'staff:owner class_package.add_to_home',
      'staff:owner class_package.remove_from_home',
    ])
    expect(await refusalOf(owner.studioPackages.addToHome({ class_package_id: 2_000_000_000 }))).toMatchObject({
      code: 'PACKAGE_NOT_FOUND',
    })
  })

  it('a removed one is no longer sold, and its purchases stay (K11)', async () => {
    const { class_package_id } = await on.make.package({ title: 'Último', price_centavos: 0 })
    const { purchase_id } = await on.as(ana).sales.checkout({ class_package_id })
    await owner.studioPackages.remove({ class_package_id })
    expect(await refusalOf(visitor().catalogue.package({ class_package_id }))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
    expect((await on.as(ana).sales.one({ id: purchase_id })).purchase).toMatchObject({ title: 'Último', status: 'completed' })
    expect((await on.as(ana).credits.list()).available_classes.map((creditLot) => creditLot.title)).toContain('Último')
    expect(await refusalOf(owner.studioPackages.remove({ class_package_id }))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
    expect(await refusalOf(owner.studioPackages.update({ class_package_id, price: '1' }))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
  })

  it('the sign-up fee, and a package that an upcoming class is sold as, cannot be removed (K11)', async () => {
    const fee = await on.make.package({ class_amount: 0, expiration_days: 0 })
    await on.change({ signup_fee: fee.class_package_id })
    expect(await refusalOf(owner.studioPackages.remove(fee))).toMatchObject({ code: 'IN_USE', status: 409 })
    await on.change({ signup_fee: null })
    expect(await owner.studioPackages.remove(fee)).toEqual({ ok: true })
    const event = await on.make.package({ is_special_event: true })
    const cls = await on.make.class({ class_package_id: event.class_package_id })
    expect(await refusalOf(owner.studioPackages.remove(event))).toMatchObject({ code: 'IN_USE' })
    await owner.schedule.cancel({ single_class_id: cls.single_class_id })
    // Calling a class off can be undone for ten minutes.
    expect(await refusalOf(owner.studioPackages.remove(event))).toMatchObject({ code: 'IN_USE' })
    on.clock.advance({ minutes: 11 })
    expect(await owner.studioPackages.remove(event)).toEqual({ ok: true })
    // No class can be sold as it any more.
    const other = await on.make.class()
    expect(
      await refusalOf(owner.schedule.update({ single_class_id: other.single_class_id, class_package_id: event.class_package_id })),
    ).toMatchObject({ code: 'NOT_FOUND' })
  })

  it('a class sold as a package is bought, then booked with that purchase’s credit and no other (K12)', async () => {
    const event = await on.make.package({ is_special_event: true, price_centavos: 0, class_amount: 1, capacity: 2 })
    const { single_class_id } = await on.make.class({ class_package_id: event.class_package_id })
    const [eva, other] = [await on.make.customer(), await on.make.class({ starts_at: new Date(on.clock.now().getTime() + 3 * 86_400_000) })]
    await on.make.lot(eva)
    const reserve = (id: number) => on.as(eva).bookings.reserve({ single_class_id: id })
    expect(await refusalOf(reserve(single_class_id))).toMatchObject({
      code: 'CLASS_SOLD_AS_PACKAGE',
      data: { class_package_id: event.class_package_id },
    })
    await on.as(eva).sales.checkout({ class_package_id: event.class_package_id })
    const { class_reservation } = await reserve(single_class_id)
    expect(class_reservation.status).toBe('Próxima')
    // The other class is paid with the other credit.
    await reserve(other.single_class_id)
    expect((await on.as(eva).credits.list()).available_classes.map((creditLot) => creditLot.available_classes)).toEqual([9])
  })

  it('staff list the buyers of a special event, without purchases that came to nothing (S1-7.24, K12)', async () => {
    const event = await on.make.package({ is_special_event: true, price_centavos: 0 })
    const { class_package_id } = event
    const luis = await on.make.customer({ name: 'Luis', last_name: 'Peña', phone: '5511112222' })
    const { purchase_id } = await on.as(luis).sales.checkout({ class_package_id })
    await on.change({ cash_checkout_enabled: true })
    await on.make.paymentMethod({ name: 'Efectivo' })
    await on.sql('update class_package set price_centavos = 50000 where class_package_id = $1', [class_package_id])
    const waits = await on.as(ana).sales.checkout({ class_package_id })
    const { asistentes } = await reception.studioPackages.attendees({ class_package_id })
    expect(asistentes).toEqual([
      {
        purchase_id,
        customer_id: luis.customer_id,
        name: 'Luis',
        last_name: 'Peña',
        email: luis.email,
        phone: '5511112222',
        status: 'completed',
        created_date: '2026-11-19T10:11:00.000Z',
      },
      expect.objectContaining({ purchase_id: waits.purchase_id, customer_id: ana.customer_id, status: 'pending' }),
    ])
    await on.as(ana).sales.giveUp({ purchase_id: waits.purchase_id })
    expect((await reception.studioPackages.attendees({ class_package_id })).asistentes).toHaveLength(1)
    const plain = await on.make.package()
    expect(await refusalOf(reception.studioPackages.attendees(plain))).toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
    expect(await refusalOf(on.as(ana).studioPackages.attendees({ class_package_id }))).toMatchObject({ code: 'FORBIDDEN' })
  })
})

describe('discounts (D1, D5)', () => {
  it('a code is stored in capitals and found by part of it; one discount is under `discount`, lists under `descuentos`; an unknown one is not found (S1-3.32, S1-8.36)', async () => {
    const { discount } = await owner.discounts.create({ code: '  bienvenida ', amount: '10', is_percent: true })
    expect(discount).toEqual({
      discount_id: discount.discount_id,
      code: 'BIENVENIDA',
      amount: '10.00',
      is_percent: true,
      first_invoice_only: false,
      class_package_ids: null,
      segment_id: null,
      starts_on: null,
      ends_on: null,
      max_uses: null,
      max_uses_per_customer: null,
      income: null,
      series: null,
      used: 0,
      available: true,
      createdAt: '2026-11-19T16:11:00.000Z',
      updatedAt: '2026-11-19T16:11:00.000Z',
    })
    expect(await reception.discounts.one(discount)).toEqual({ discount })
    expect(await reception.discounts.all({ query: 'envenida' })).toEqual({ descuentos: [discount] })
    expect(await reception.discounts.all({ query: '%' })).toEqual({ descuentos: [] })
    expect(await refusalOf(owner.discounts.create({ code: 'Bienvenida', amount: '5', is_percent: true }))).toMatchObject({
      code: 'ALREADY_EXISTS',
      status: 409,
    })
    expect(await refusalOf(reception.discounts.one({ discount_id: 2_000_000_000 }))).toMatchObject({
      code: 'DISCOUNT_NOT_FOUND',
      status: 404,
      message: 'Descuento no encontrado.',
    })
    expect(await refusalOf(reception.discounts.create({ code: 'OTRO', amount: '5', is_percent: true }))).toMatchObject({
      code: 'FORBIDDEN',
    })
  })

  it('invalid fields are reported per field, in a change merged with the unchanged ones', async () => {
    const half = { code: 'MITAD', amount: '50', is_percent: true }
    const { discount } = await owner.discounts.create({ ...half, ends_on: '2026-12-31' })
    const { discount_id } = discount
    const cases: [Partial<Parameters<Client['discounts']['create']>[0]>, string[]][] = [
      [{ amount: '0' }, ['amount']],
      [{ amount: '100.01' }, ['amount']],
      [{ amount: '0.001' }, ['amount']],
      [{ amount: Number.NaN }, ['amount']],
      [{ starts_on: '2027-01-01' }, ['ends_on']],
      [{ starts_on: '2026-02-30' }, ['starts_on']],
      [{ max_uses: 0 }, ['max_uses']],
      [{ code: 'CON ESPACIO' }, ['code']],
      [{ code: 'A' }, ['code']],
      [{ class_package_ids: [] }, ['class_package_ids']],
    ]
    for (const [wrong, paths] of cases) {
      expect(
        await issuesOf(owner.discounts.create({ ...half, code: 'NUEVO', ends_on: '2026-12-31', ...wrong })),
        JSON.stringify(wrong),
      ).toEqual(['INVALID_INPUT', ...paths])
      expect(await issuesOf(owner.discounts.update({ discount_id, ...wrong })), JSON.stringify(wrong)).toEqual(['INVALID_INPUT', ...paths])
    }
    expect(await refusalOf(owner.discounts.update({ discount_id, class_package_ids: [2_000_000_000] }))).toMatchObject({
      code: 'PACKAGE_NOT_FOUND',
    })
    expect(await reception.discounts.one({ discount_id })).toEqual({ discount })
    // 100 % and 0.01 % are the ends; fixed ones go further.
    expect((await owner.discounts.update({ discount_id, amount: '100' })).discount.amount).toBe('100.00')
    expect((await owner.discounts.update({ discount_id, amount: '0.01' })).discount.amount).toBe('0.01')
    expect((await owner.discounts.update({ discount_id, amount: '350.5', is_percent: false })).discount.amount).toBe('350.50')
    expect(await trail('discount', discount_id)).toEqual([
      'staff:owner discount.create',
      ...Array.from({ length: 3 }, () => 'staff:owner discount.change'),
    ])
  })

  it('a limit is never set below the uses; a removed code is free again (D5)', async () => {
    const { discount_id, code } = await on.make.discount({ max_uses: 5, used: 3 })
    expect(await refusalOf(owner.discounts.update({ discount_id, max_uses: 2 }))).toMatchObject({ code: 'BELOW_USED', status: 409 })
    expect((await owner.discounts.update({ discount_id, max_uses: 3 })).discount).toMatchObject({ max_uses: 3, used: 3 })
    expect((await owner.discounts.update({ discount_id, max_uses: null })).discount.max_uses).toBeNull()
    expect(await owner.discounts.remove({ discount_id })).toEqual({ ok: true })
    expect(await refusalOf(owner.discounts.remove({ discount_id }))).toMatchObject({ code: 'DISCOUNT_NOT_FOUND' })
    expect((await owner.discounts.create({ code, amount: '5', is_percent: true })).discount).toMatchObject({ code, used: 0 })
    expect(await trail('discount', discount_id)).toEqual([
      ...Array.from({ length: 2 }, () => 'staff:owner discount.change'),
      'staff:owner discount.remove',
    ])
  })
})
