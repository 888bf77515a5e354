/** Archiving, order and uses of the plain lists and of packages (docs/domain.md, K2, K11, K14, K15, V46). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Client, codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let boss: Client
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
  boss = s.as(owner)
})
afterAll(() => s.close())

describe('archived records (K14)', () => {
  test('a coach with a class to come is archived, though not removed: no longer offered, still in the class, and taken back', async () => {
    const cls = await s.make.class()
    const [{ instructor_id } = { instructor_id: 0 }] = await s.sql<{ instructor_id: number }>(
      'select instructor_id from class_instructor where single_class_id = $1',
      [cls.single_class_id],
    )
    const admin = boss.catalogue.admin
    expect(await refusalOf(admin.instructors.remove({ instructor_id }))).toMatchObject({
      code: 'IN_USE',
      data: { uses: [{ kind: 'single_class', count: 1 }] },
    })
    expect(await admin.arranged.instructors.uses({ instructor_id })).toEqual({ uses: [{ kind: 'single_class', count: 1 }] })
    expect((await admin.instructors.update({ instructor_id, archived: true })).instructor).toMatchObject({ archived: true })
    const offered = async () => (await s.as(null).catalogue.instructors()).instructors.map((instructor) => instructor.instructor_id)
    expect(await offered()).not.toContain(instructor_id)
    const listed = (await admin.instructors.all()).instructors.find((instructor) => instructor.instructor_id === instructor_id)
    expect(listed).toMatchObject({ archived: true })
    expect(await s.sql('select 1 from class_instructor where instructor_id = $1', [instructor_id])).toHaveLength(1)
    await admin.instructors.update({ instructor_id, name: 'Sofía' })
    expect(await offered()).not.toContain(instructor_id)
    await admin.instructors.update({ instructor_id, archived: false })
    expect(await offered()).toContain(instructor_id)
  })

  test('locations, types, categories and tags', async () => {
    const admin = boss.catalogue.admin
    const [location, type] = [await s.make.location(), await s.make.classType()]
    const { class_category } = await admin.classCategories.create({ name: 'Fuerza' })
    const { tag } = await admin.tags.create({ name: 'Nueva' })
    await admin.locations.update({ location_id: location.location_id, archived: true })
    await admin.classTypes.update({ class_type_id: type.class_type_id, archived: true, color: '#2B36D9' })
    await admin.classCategories.update({ class_category_id: class_category.class_category_id, archived: true })
    await admin.tags.update({ tag_id: tag.tag_id, archived: true })
    const open = s.as(null).catalogue
    expect((await open.locations()).locations.map((location) => location.location_id)).not.toContain(location.location_id)
    expect((await open.classTypes()).class_types.map((classType) => classType.class_type_id)).not.toContain(type.class_type_id)
    expect((await open.classCategories()).class_categories).toEqual([])
    expect((await open.tags({})).tags).toEqual([])
    expect((await admin.classTypes.all()).class_types.find((classType) => classType.class_type_id === type.class_type_id)).toMatchObject({
      archived: true,
      color: '#2B36D9',
    })
  })
})

describe('the order of a list (K15)', () => {
  test('the given records come first, the others after them; an unknown one changes nothing', async () => {
    const ownStudio = await studio()
    const admin = ownStudio.as(await ownStudio.make.staff('owner')).catalogue.admin
    const make = async (name: string) => (await admin.classTypes.create({ name })).class_type.class_type_id
    const [a, b, c] = [await make('A'), await make('B'), await make('C')]
    const names = async () => (await ownStudio.as(null).catalogue.classTypes()).class_types.map(({ name }) => name).join('')
    await admin.arranged.classTypes.order({ ids: [c, a] })
    expect(await names()).toBe('CAB')
    expect(await codeOf(admin.arranged.classTypes.order({ ids: [b, 999_999] }))).toBe('NOT_FOUND')
    expect(await names()).toBe('CAB')
    await admin.arranged.classTypes.order({ ids: [b, b, c] })
    expect(await names()).toBe('BCA')
    await admin.classTypes.remove({ class_type_id: b })
    expect(await codeOf(admin.arranged.classTypes.order({ ids: [b] }))).toBe('NOT_FOUND')
    const [entry] = await ownStudio.sql<{ after: unknown }>(
      `select after from audit where action = 'class_type.order' order by audit_id desc limit 1`,
    )
    expect(entry?.after).toEqual({ ids: [b, c, a] })
    await ownStudio.close()
  })

  test('uses of a tag and a category are the records that have them', async () => {
    const admin = boss.catalogue.admin
    const { tag_id } = (await admin.tags.create({ name: 'En clase' })).tag
    const { class_category_id } = (await admin.classCategories.create({ name: 'Con clase' })).class_category
    const { single_class_id } = await s.make.class()
    expect(await admin.arranged.tags.uses({ tag_id })).toEqual({ uses: [] })
    await s.sql('insert into class_tag (single_class_id, tag_id) values ($1, $2)', [single_class_id, tag_id])
    await s.sql('update single_class set class_category_id = $2 where single_class_id = $1', [single_class_id, class_category_id])
    expect(await admin.arranged.tags.uses({ tag_id })).toEqual({ uses: [{ kind: 'class_tag', count: 1 }] })
    expect(await admin.arranged.classCategories.uses({ class_category_id })).toEqual({ uses: [{ kind: 'single_class', count: 1 }] })
    expect(await codeOf(admin.arranged.tags.uses({ tag_id: 999_999 }))).toBe('NOT_FOUND')
  })
})

describe('packages', () => {
  test('packages are ordered as the studio says, archived, and taken back (K2, K11)', async () => {
    const ownStudio = await studio()
    const admin = ownStudio.as(await ownStudio.make.staff('owner')).studioPackages
    const make = async (title: string, class_amount: number) =>
      (await admin.create({ title, price: '100', class_amount, expiration_days: 30 })).class_package.class_package_id
    const [ten, five, one_] = [await make('Diez', 10), await make('Cinco', 5), await make('Una', 1)]
    const sold = async () => (await ownStudio.as(null).catalogue.packages()).class_packages.map(({ title }) => title)
    expect(await sold()).toEqual(['Una', 'Cinco', 'Diez'])
    await admin.order({ ids: [ten] })
    expect(await sold()).toEqual(['Diez', 'Una', 'Cinco'])
    expect(await codeOf(admin.order({ ids: [999_999] }))).toBe('PACKAGE_NOT_FOUND')
    await admin.remove({ class_package_id: five })
    expect(await sold()).toEqual(['Diez', 'Una'])
    expect((await admin.all({ archived: true })).class_packages).toMatchObject([{ title: 'Cinco', archived: true }])
    expect(await codeOf(admin.restore({ class_package_id: one_ }))).toBe('PACKAGE_NOT_FOUND')
    await admin.restore({ class_package_id: five })
    expect(await sold()).toEqual(['Diez', 'Una', 'Cinco'])
    await ownStudio.close()
  })

  test('every price that it had, with who set it; other changes are not listed', async () => {
    const admin = boss.studioPackages
    const { class_package } = await admin.create({ title: 'Con historia', price: '900', class_amount: 5, expiration_days: 30 })
    const { class_package_id } = class_package
    s.clock.advance({ days: 10 })
    await admin.update({ class_package_id, price: '1000' })
    await admin.update({ class_package_id, title: 'Con más historia' })
    s.clock.advance({ days: 10 })
    await admin.update({ class_package_id, sale_price: '800' })
    const { prices, sold_ever, collected_ever } = await admin.figures({ class_package_id })
    expect(prices.map(({ price, sale_price }) => [price, sale_price])).toEqual([
      ['1000.00', '800.00'],
      ['1000.00', null],
      ['900.00', null],
    ])
    expect(prices.every(({ by }) => by !== null)).toBe(true)
    expect([sold_ever, collected_ever]).toEqual([0, '0.00'])
    const seeded = await s.make.package({ price_centavos: 12_300 })
    expect((await admin.figures({ class_package_id: seeded.class_package_id })).prices).toMatchObject([{ price: '123.00', by: null }])
  })

  test('a tax rate of its own is the one of its charges, at the counter (V46)', async () => {
    const desk = await s.make.staff('reception')
    const { location_id } = await s.make.location()
    const cash = await s.make.paymentMethod({ name: 'Efectivo' })
    const { class_package } = await boss.studioPackages.create({
      title: 'Frontera',
      price: '1080',
      class_amount: 5,
      expiration_days: 30,
      tax_rate: 8,
      sat_key: '93141701',
    })
    expect(class_package).toMatchObject({ tax_rate: 8, sat_key: '93141701' })
    await s.as(desk).cashSessions.open({ location_id, opening: '0' })
    const { sale } = await s.as(desk).counterSales.sell({
      customer_id: (await s.make.customer()).customer_id,
      location_id,
      lines: [{ kind: 'package', class_package_id: class_package.class_package_id }],
      payments: [{ payment_method_id: cash.payment_method_id, amount: '1080' }],
      shown: { total: '1080' },
    })
    expect(sale.lines[0]?.tax).toEqual({ rate: 8, exempt: false, net: '1000.00', amount: '80.00' })
    expect(await codeOf(boss.studioPackages.update({ class_package_id: class_package.class_package_id, sat_key: '12' }))).toBe(
      'INVALID_INPUT',
    )
  })

  test('of a charge counts what is sold, then its location, then the studio; exempt is none of them (K16)', async () => {
    const desk = await s.make.staff('reception')
    const { location_id } = await s.make.location()
    await boss.catalogue.admin.locations.update({ location_id, tax_rate: 8 })
    expect((await boss.catalogue.admin.locations.all({})).locations.find((location) => location.location_id === location_id)).toMatchObject(
      {
        tax_rate: 8,
      },
    )
    const cash = await s.make.paymentMethod({ name: 'Efectivo de la frontera' })
    const make = async (more: object) =>
      (await boss.studioPackages.create({ title: 'Frontera', price: '1000', class_amount: 5, expiration_days: 30, ...more })).class_package
    const [usual, own, exempt] = [await make({}), await make({ tax_rate: 16 }), await make({ tax_exempt: true, tax_rate: 16 })]
    expect(exempt).toMatchObject({ tax_exempt: true, tax_rate: null })
    await s.as(desk).cashSessions.open({ location_id, opening: '0' })
    const { sale } = await s.as(desk).counterSales.sell({
      customer_id: (await s.make.customer()).customer_id,
      location_id,
      lines: [usual, own, exempt].map(({ class_package_id }) => ({ kind: 'package' as const, class_package_id })),
      payments: [{ payment_method_id: cash.payment_method_id, amount: '3000' }],
      shown: { total: '3000' },
    })
    expect(sale.lines.map(({ tax }) => [tax.rate, tax.exempt, tax.amount])).toEqual([
      [8, false, '74.07'],
      [16, false, '137.93'],
      [0, true, '0.00'],
    ])
    const { invoices } = await boss.studioSales.purchase({ purchase_id: sale.lines[2]?.purchase_id ?? 0 })
    expect(invoices.map(({ tax }) => [tax.rate, tax.exempt])).toEqual([[0, true]])
    const charges = await s.sql(
      `select i.tax_rate, i.tax_exempt, i.net_centavos + i.tax_centavos = i.total_centavos as whole from invoice i join purchase p using (purchase_id)
        where p.sale_id = $1 order by i.invoice_id`,
      [sale.sale_id],
    )
    expect(charges).toEqual([
      { tax_rate: 800, tax_exempt: false, whole: true },
      { tax_rate: 1600, tax_exempt: false, whole: true },
      { tax_rate: 0, tax_exempt: true, whole: true },
    ])
    // A period ends now, without the instant itself.
    s.clock.advance({ minutes: 1 })
    const { rows } = await boss.reports.read({ key: 'iva', group_by: 'rate', location_id })
    expect(rows.map(({ cells }) => [cells.name, Number(cells.tax)])).toEqual(
      expect.arrayContaining([
        ['Exento', 0],
        ['IVA 8 %', 74.07],
      ]),
    )
    // A rate of its own ends the exemption, and vice versa.
    const { class_package_id } = exempt
    expect((await boss.studioPackages.update({ class_package_id, tax_rate: 8 })).class_package).toMatchObject({
      tax_exempt: false,
      tax_rate: 8,
    })
    expect((await boss.studioPackages.update({ class_package_id, tax_exempt: true })).class_package).toMatchObject({
      tax_exempt: true,
      tax_rate: null,
    })
  })
})
