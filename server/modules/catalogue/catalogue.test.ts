/** Packages, stock, class types, coaches and places over HTTP (docs/domain.md, "Catalogue"). */
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { comparePackages, packageSections } from '#contract/package-sections.ts'
import { defaultSettings } from '#contract/settings.ts'
import { refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { ensurePaymentMethods, findPackage, lockPackage, purchasablePackage, returnStock, takeStock, zoneOf } from './catalogue.ts'
import { serializeFile, stockLeft } from './rules.ts'

let on: TestStudio
beforeAll(async () => {
  on = await studio()
})
afterAll(() => on.close())

describe('packages (K2, K3)', () => {
  it('packages have every field of the spec (S1-3.26)', async () => {
    const reformer = await on.make.classType({ name: 'Reformer' })
    const classPackage = await on.make.package({
      title: 'Membresía 8',
      description: '<p>8 clases</p>',
      short_description: 'Dos por semana.',
      price_centavos: 145_000,
      sale_price_centavos: 0,
      image: '/a.png',
      receipt_file: '/recibo.pdf',
      class_amount: 8,
      expiration_days: 31,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 3,
      free_trial_length: 7,
      free_trial_period: 'day',
      limit_per_customer: 2,
      capacity: 5,
      sold: 2,
      is_featured: true,
    })
    await on.sql('insert into class_package_type values ($1, $2, 8, 31)', [classPackage.class_package_id, reformer.class_type_id])
    const { class_package } = await on.as(null).catalogue.package({ class_package_id: classPackage.class_package_id })
    expect(class_package).toEqual({
      class_package_id: classPackage.class_package_id,
      title: 'Membresía 8',
      description: '<p>8 clases</p>',
      short_description: 'Dos por semana.',
      price: '1450.00',
      sale_price: '0.00',
      image: { src: '/a.png' },
      receipt_file: { src: '/recibo.pdf' },
      class_amount: 8,
      expiration_days: 31,
      clock_starts: 'purchase',
      is_special_event: false,
      is_trial: false,
      is_online: false,
      is_home: true,
      is_featured: true,
      is_subscription: true,
      subscription_period: 'month',
      subscription_interval: 3,
      free_trial_length: 7,
      free_trial_period: 'day',
      limit_per_customer: 2,
      left: 3,
      sold_until: null,
      sort: 0,
      allowed_times: [],
      location_ids: null,
      limits: [],
      class_package_types: [
        { class_type: { class_type_id: reformer.class_type_id, name: 'Reformer' }, class_amount: 8, expiration_days: 31 },
      ],
    })
  })

  it('packages are ordered as the spec says, and every list has its own (S1-2.83 to S1-2.85, S1-7.15, S1-7.17 to S1-7.23)', async () => {
    const ownStudio = await studio()
    const make = (title: string, values: Parameters<typeof ownStudio.make.package>[0]) =>
      ownStudio.make.package({ title, is_home: false, ...values })
    await make('Ilimitado', { class_amount: -1, price_centavos: 100 })
    await make('Diez', { class_amount: 10, price_centavos: 245_000, sale_price_centavos: 150_000, is_home: true })
    await make('Diez barata', { class_amount: 10, price_centavos: 200_000 })
    await make('Suelta', { class_amount: 1 })
    await make('Primera', { class_amount: 1, price_centavos: 15_000, limit_per_customer: 1, is_home: true })
    await make('Única', { class_amount: 5, limit_per_customer: 1 })
    await make('Taller', { class_amount: 2, is_special_event: true, is_home: true })
    await make('Online', { class_amount: 3, is_online: true, is_home: true })
    await make('Taller online', { class_amount: 4, is_online: true, is_special_event: true })
    await make('Retirado', { class_amount: 6, available: false })
    await make('Borrado', { class_amount: 7, deletedAt: ownStudio.clock.now() })
    const owner = await ownStudio.make.staff('owner')
    const titles = async (path: string, caller?: { token: string }) => {
      const answer = await fetch(`${ownStudio.url}/api/class_packages${path}`, {
        headers: caller ? { authorization: `Bearer ${caller.token}` } : {},
      })
      return ((await answer.json()) as { class_packages: { title: string }[] }).class_packages.map((classPackage) => classPackage.title)
    }

    expect(await titles('')).toEqual([
      'Primera',
      'Suelta',
      'Taller',
      'Online',
      'Taller online',
      'Única',
      'Diez barata',
      'Diez',
      'Ilimitado',
    ])
    expect(await titles('/presenciales/all')).toEqual(['Primera', 'Suelta', 'Taller', 'Única', 'Diez barata', 'Diez', 'Ilimitado'])
    expect(await titles('/presenciales/home')).toEqual(['Primera', 'Taller', 'Diez'])
    expect(await titles('/online/all')).toEqual(['Online', 'Taller online'])
    expect(await titles('/online/home')).toEqual(['Online'])
    expect(await titles('/especiales/all')).toEqual(['Taller', 'Taller online'])
    expect(await titles('/especiales/home')).toEqual(['Taller'])

    expect(await titles('/admin/all', owner)).toEqual(expect.arrayContaining(['Retirado', 'Diez', 'Online', 'Taller']))

    const { class_packages } = await ownStudio.as(null).catalogue.presencialesAll()
    const page = packageSections(class_packages, 'page')
    expect(page.trial.map((classPackage) => classPackage.title)).toEqual(['Primera'])
    expect(page.general.map((classPackage) => classPackage.title)).toEqual(['Suelta', 'Diez barata', 'Diez', 'Ilimitado'])
    expect(packageSections(class_packages, 'home').general.map((classPackage) => classPackage.title)).toContain('Taller')
    // An event of one class that is open to all and limited to one per customer is no trial on /paquetes (S1-2.85).
    const [event] = class_packages
    const once = event && { ...event, is_special_event: true, class_amount: 1, limit_per_customer: 1 }
    expect(once && packageSections([once], 'page')).toEqual({ trial: [], general: [] })
    await ownStudio.close()
  })

  it('packages have the same order in the database as in the contract', async () => {
    const ownStudio = await studio()
    const some = fc.record({
      class_amount: fc.constantFrom(-1, 0, 1, 2, 5, 10),
      price_centavos: fc.integer({ min: 0, max: 500_000 }),
      sale_price_centavos: fc.option(fc.integer({ min: 0, max: 500_000 })),
    })
    const drawn = fc.sample(fc.array(some, { minLength: 25, maxLength: 25 }), { numRuns: 1, seed: 7 })[0] ?? []
    for (const values of drawn) await ownStudio.make.package(values)
    const { class_packages } = await ownStudio.as(null).catalogue.packages()
    const order = class_packages.map(({ class_amount, price }) => [class_amount, price])
    expect(order).toEqual([...class_packages].sort(comparePackages).map(({ class_amount, price }) => [class_amount, price]))
    expect(order).toHaveLength(25)
    await ownStudio.close()
  })

  it('that are removed, off sale or unknown are not found', async () => {
    const deletedPackage = await on.make.package({ deletedAt: on.clock.now() })
    const withdrawn = await on.make.package({ available: false })
    for (const class_package_id of [deletedPackage.class_package_id, withdrawn.class_package_id, 2_000_000_000]) {
      expect(await refusalOf(on.as(null).catalogue.package({ class_package_id }))).toMatchObject({
        code: 'PACKAGE_NOT_FOUND',
        status: 404,
        message: 'Lo sentimos, no encontramos el paquete que quieres comprar.',
      })
      await expect(purchasablePackage(on.system(), class_package_id)).rejects.toMatchObject({ code: 'PACKAGE_NOT_FOUND' })
    }
    // A purchase or a lot still speaks of it.
    expect((await findPackage(on.studio.db.read, withdrawn.class_package_id))?.title).toBe(withdrawn.title)
    expect(await findPackage(on.studio.db.read, 2_000_000_000)).toBeNull()
    for (const bad of ['0', '-3', '1.5', 'abc', '99999999999', '%00']) {
      const answer = await fetch(`${on.url}/api/class_packages/${bad}`)
      expect([bad, answer.status]).toEqual([bad, 400])
    }
  })
})

describe('stock (K4)', () => {
  const take = (id: number) => on.studio.db.tx((tx) => takeStock(tx, id))

  it('ends at the capacity, and is returned', async () => {
    const { class_package_id } = await on.make.package({ capacity: 2 })
    const left = async () => (await on.as(null).catalogue.package({ class_package_id })).class_package.left
    await take(class_package_id)
    await take(class_package_id)
    await expect(take(class_package_id)).rejects.toMatchObject({ code: 'PACKAGE_SOLD_OUT' })
    await on.studio.db.tx(async (tx) => tx.notify({ topic: 'catalogue' }))
    expect(await left()).toBe(0)
    await on.studio.db.tx(async (tx) => {
      await returnStock(tx, class_package_id)
      tx.notify({ topic: 'catalogue' })
    })
    expect(await left()).toBe(1)
  })

  it('of thirty concurrent buyers of the last one, one gets it', async () => {
    const { class_package_id } = await on.make.package({ capacity: 1 })
    const answers = await Promise.allSettled(Array.from({ length: 30 }, () => take(class_package_id)))
    expect(answers.filter((answer) => answer.status === 'fulfilled')).toHaveLength(1)
    expect(await on.sql('select sold from class_package where class_package_id = $1', [class_package_id])).toEqual([{ sold: 1 }])
  })

  it('stock is unlimited without a capacity, and unsold stock cannot be returned', async () => {
    const { class_package_id } = await on.make.package({ capacity: null })
    for (let i = 0; i < 5; i++) await take(class_package_id)
    const empty = await on.make.package({ capacity: 3 })
    await expect(on.studio.db.tx((tx) => returnStock(tx, empty.class_package_id))).rejects.toThrow()
    expect((await on.studio.db.tx((tx) => lockPackage(tx, empty.class_package_id)))?.sold).toBe(0)
    expect(await on.studio.db.tx((tx) => lockPackage(tx, 2_000_000_000))).toBeNull()
  })

  it('never shows less than zero left', () => {
    fc.assert(
      fc.property(fc.option(fc.nat(50)), fc.nat(60), (capacity, sold) => {
        const left = stockLeft({ capacity, sold })
        expect(left).toBe(capacity === null ? null : Math.max(0, capacity - sold))
      }),
    )
  })
})

describe('locations, class types, coaches', () => {
  it('locations, class types and coaches are in the studio’s order, without deleted ones', async () => {
    const ownStudio = await studio()
    await ownStudio.make.location({ name: 'San Ángel', sort: 2 })
    await ownStudio.make.location({ name: 'Roma Norte', sort: 1 })
    await ownStudio.make.location({ name: 'Tijuana', sort: 3, timezone: 'America/Tijuana' })
    await ownStudio.make.location({ name: 'Cerrado', deletedAt: ownStudio.clock.now() })
    await ownStudio.make.classType({ name: 'Barre', sort: 2, spot_map: '7,7', intensity: 4 })
    await ownStudio.make.classType({ name: 'Reformer', sort: 1 })
    await ownStudio.make.classType({ name: 'Zumba', deletedAt: ownStudio.clock.now() })
    await ownStudio.make.instructor({ name: 'Ximena', sort: 2 })
    await ownStudio.make.instructor({ name: 'Renata', sort: 1 })
    await ownStudio.make.instructor({ name: 'Paloma', sort: 3, is_home: false })
    const deletedCoach = await ownStudio.make.instructor({ name: 'Nadie', deletedAt: ownStudio.clock.now() })
    const { catalogue } = ownStudio.as(null)
    expect((await catalogue.locations()).locations.map(({ name, timezone }) => [name, timezone])).toEqual([
      ['Roma Norte', 'America/Mexico_City'],
      ['San Ángel', 'America/Mexico_City'],
      ['Tijuana', 'America/Tijuana'],
    ])
    expect((await catalogue.classTypes()).class_types.map(({ name, spot_map, intensity }) => [name, spot_map, intensity])).toEqual([
      ['Reformer', null, null],
      ['Barre', '7,7', 4],
    ])
    expect((await catalogue.instructors()).instructors.map(({ name }) => name)).toEqual(['Renata', 'Ximena', 'Paloma'])
    expect((await catalogue.instructorsHome()).instructors.map(({ name }) => name)).toEqual(['Renata', 'Ximena'])
    expect((await refusalOf(catalogue.instructor({ instructor_id: deletedCoach.instructor_id }))).code).toBe('NOT_FOUND')
    await ownStudio.close()
  })

  it('of a coach’s birthday only day and month are public (K5, S1-2.17)', async () => {
    const { instructor_id } = await on.make.instructor({ birthdate: '1989-03-17', photo: '/archivos/renata.JPEG?x=1', nick_name: 'Ren' })
    const { instructor } = await on.as(null).catalogue.instructor({ instructor_id })
    expect(instructor).toMatchObject({ birthdate: '--03-17', nick_name: 'Ren', file: { name: 'renata.JPEG', type: 'image/jpeg' } })
    expect(JSON.stringify(await on.as(null).catalogue.instructors())).not.toContain('1989')
  })

  it('the whole photo of a coach stays beside the part that is shown; another photo forgets both, and the site sees the part only (K17)', async () => {
    const admin = on.as(await on.make.staff('owner')).catalogue.admin.instructors
    const { instructor_id } = await on.make.instructor({ name: 'Renata' })
    const photo_crop = { x: 0.4, y: 0.25, zoom: 1.5 }
    const { instructor: cut } = await admin.update({
      instructor_id,
      photo: '/files/parte.jpg',
      photo_original: '/files/entera.jpg',
      photo_crop,
    })
    expect(cut).toMatchObject({ photo: '/files/parte.jpg', photo_original: '/files/entera.jpg', photo_crop })
    expect(JSON.stringify(await on.as(null).catalogue.instructor({ instructor_id }))).not.toContain('entera')
    expect((await admin.update({ instructor_id, quote: 'Respira' })).instructor).toMatchObject({
      photo_original: '/files/entera.jpg',
      photo_crop,
    })
    const { instructor: other } = await admin.update({ instructor_id, photo: '/files/otra.jpg' })
    expect(other).toMatchObject({ photo: '/files/otra.jpg', photo_original: null, photo_crop: null })
    expect(await refusalOf(admin.update({ instructor_id, photo_crop: { x: 0.4, y: 1.2, zoom: 1 } }))).toMatchObject({
      code: 'INVALID_INPUT',
    })
    expect(await refusalOf(admin.update({ instructor_id, photo_crop: { x: 0.4, y: 1, zoom: 9 } }))).toMatchObject({ code: 'INVALID_INPUT' })
  })

  it('a location’s zone is its own, the studio’s, or the fixed offset (K1, settled 1)', () => {
    expect(zoneOf({ timezone: 'America/Tijuana' }, defaultSettings)).toBe('America/Tijuana')
    expect(zoneOf({ timezone: null }, defaultSettings)).toBe('America/Mexico_City')
    expect(zoneOf({ timezone: null }, { ...defaultSettings, timezone: '' })).toBe('Etc/GMT+6')
  })

  it('a photo with an unknown extension is a plain file', () => {
    expect(serializeFile('https://x.example/a/b')).toEqual({ name: 'b', type: 'application/octet-stream', src: 'https://x.example/a/b' })
  })
})

describe('payment methods (K6, S1-3.33 to S1-3.35)', () => {
  it('payment methods exist once after a start', async () => {
    const empty = await studio()
    for (let start = 0; start < 3; start++) await empty.studio.db.tx(ensurePaymentMethods)
    expect(
      (await empty.as(null).catalogue.paymentMethods()).payment_methods.map(({ payment_method_id, name }) => [payment_method_id, name]),
    ).toEqual([
      [1, 'Tarjeta'],
      [2, 'Efectivo'],
    ])
    expect((await empty.make.paymentMethod()).payment_method_id).toBe(3)
    await empty.close()
  })
})
