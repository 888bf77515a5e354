/** What single plain lists add to what all of them do (docs/domain.md, K5 to K9, T3 to T8, F5; S1-3.36, S2-7.12, S2-7.56 to S2-7.58). */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { ensurePaymentMethods } from '#server/modules/catalogue/catalogue.ts'
import { attacks, dangersIn } from '#server/testing/attacks.ts'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
let reception: Person
let ana: Person
let boss: Client
beforeAll(async () => {
  on = await studio()
  ;[owner, reception, ana] = [await on.make.staff('owner'), await on.make.staff('reception'), await on.make.customer()]
  boss = on.as(owner)
})
afterAll(() => on.close())

describe('records in use cannot be removed (K8)', () => {
  const inUse = async (removal: Promise<unknown>) =>
    expect(await refusalOf(removal)).toMatchObject({ code: 'IN_USE', status: 409, message: 'No se puede eliminar porque está en uso.' })

  it('a location, class type and coach with an upcoming class; afterwards they can, and past records keep their names', async () => {
    const ownStudio = await studio()
    const admin = ownStudio.as(await ownStudio.make.staff('owner')).catalogue.admin
    const cls = await ownStudio.make.class()
    const [{ instructor_id }] = (await ownStudio.sql<{ instructor_id: number }>('select instructor_id from class_instructor')) as [
      { instructor_id: number },
    ]
    const removals = [
      () => admin.locations.remove({ location_id: cls.location_id }),
      () => admin.classTypes.remove({ class_type_id: cls.class_type_id }),
      () => admin.instructors.remove({ instructor_id }),
    ]
    for (const remove of removals) await inUse(remove())
    // B5: while the cancelling can be taken back, the class may still come.
    await ownStudio.as(await ownStudio.make.staff('owner')).schedule.cancel({ single_class_id: cls.single_class_id })
    for (const remove of removals) await inUse(remove())
    ownStudio.clock.advance({ minutes: 11 })
    for (const remove of removals) expect(await remove()).toEqual({ ok: true })
    expect((await ownStudio.as(null).catalogue.instructors()).instructors).toEqual([])
    expect((await refusalOf(ownStudio.as(null).catalogue.instructor({ instructor_id }))).code).toBe('NOT_FOUND')
    expect(await ownStudio.sql('select name from class_type')).toHaveLength(1)
    await ownStudio.close()
  })

  it('a class type and a location cannot be removed with a package on sale or a usable credit lot restricted to them', async () => {
    const [type, location] = [await on.make.classType(), await on.make.location()]
    const classPackage = await on.make.package({ location_ids: [location.location_id] })
    await on.sql('insert into class_package_type values ($1, $2, 8, 31)', [classPackage.class_package_id, type.class_type_id])
    const removals = [
      () => boss.catalogue.admin.classTypes.remove({ class_type_id: type.class_type_id }),
      () => boss.catalogue.admin.locations.remove({ location_id: location.location_id }),
    ]
    for (const remove of removals) await inUse(remove())
    await on.sql('update class_package set available = false where class_package_id = $1', [classPackage.class_package_id])
    const creditLot = await on.make.lot(ana, { class_type_ids: [type.class_type_id], location_ids: [location.location_id] })
    for (const remove of removals) await inUse(remove())
    await on.sql(`update available_class set "revokedAt" = now() where available_class_id = $1`, [creditLot.available_class_id])
    for (const remove of removals) expect(await remove()).toEqual({ ok: true })
  })

  it('a coach with a staff account cannot be removed', async () => {
    const coach = await on.make.instructor()
    const login = await on.make.staff('coach', { instructor_id: coach.instructor_id })
    await inUse(boss.catalogue.admin.instructors.remove(coach))
    await on.sql(`update staff set "disabledAt" = now() where uid = $1`, [login.uid])
    expect(await boss.catalogue.admin.instructors.remove(coach)).toEqual({ ok: true })
  })

  it('a category of any class, and a form that was answered or is in use', async () => {
    const { class_category } = await boss.catalogue.admin.classCategories.create({ name: 'Baja impacto' })
    await on.make.class({ class_category_id: class_category.class_category_id })
    await inUse(boss.catalogue.admin.classCategories.remove(class_category))

    const { form } = await boss.forms.admin.forms.create({ name: 'Perfil', form_fields: [{ key: 'talla', label: 'Talla', type: 'text' }] })
    await on.change({ profile_form_id: form.form_id })
    await inUse(boss.forms.admin.forms.remove(form))
    await on.change({ profile_form_id: null })
    await on.as(ana).forms.answer({ form_id: form.form_id, answers: { talla: 'M' } })
    await inUse(boss.forms.admin.forms.remove(form))
  })

  it('a removed page leaves the site at once, and its row stays with the acceptance (T8, S1-7.79)', async () => {
    const beto = await on.make.customer()
    const page = await on.make.page({ slug: 'reglamento-viejo', required: true, required_signup: true, content: '<p>Uno</p>' })
    await on.as(ana).content.accept({ page_id: page.page_id })
    expect((await on.as(beto).content.accepted()).pending.map(({ slug }) => slug)).toContain('reglamento-viejo')
    expect(await boss.content.admin.pages.remove(page)).toEqual({ ok: true })

    const visitor = on.as(null)
    expect((await visitor.content.pages()).pages.map(({ slug }) => slug)).not.toContain('reglamento-viejo')
    expect((await boss.content.admin.pages.all()).pages.map(({ page_id }) => page_id)).not.toContain(page.page_id)
    expect((await refusalOf(visitor.content.page({ slug: 'reglamento-viejo' }))).code).toBe('CONTENT_FAILED')
    expect((await on.as(beto).content.accepted()).pending.map(({ slug }) => slug)).not.toContain('reglamento-viejo')
    for (const again of [
      () => on.as(beto).content.accept({ page_id: page.page_id }),
      () => boss.content.admin.pages.update({ page_id: page.page_id, required: false }),
      () => boss.content.admin.pages.remove(page),
    ])
      expect((await refusalOf(again())).code).toBe('NOT_FOUND')
    expect(
      await on.sql('select p.content, a.version from accepted_page a join page p using (page_id) where customer_id = $1 and page_id = $2', [
        ana.customer_id,
        page.page_id,
      ]),
    ).toEqual([{ content: '<p>Uno</p>', version: 1 }])

    // Its address is free for another one, which has to be accepted anew.
    const { page: next } = await boss.content.admin.pages.create({
      slug: 'reglamento-viejo',
      title: 'Nuevo',
      content: '<p>Dos</p>',
      required: true,
    })
    expect((await visitor.content.page({ slug: 'reglamento-viejo' })).page.content).toBe('<p>Dos</p>')
    expect((await on.as(ana).content.accepted()).pending.map(({ page_id }) => page_id)).toContain(next.page_id)
    await boss.content.admin.pages.remove({ page_id: next.page_id })
  })

  it('a removed tag is removed from all records (K9)', async () => {
    const { tag } = await boss.catalogue.admin.tags.create({ name: 'Con velas' })
    const cls = await on.make.class()
    await on.sql('insert into class_tag values ($1, $2)', [cls.single_class_id, tag.tag_id])
    expect(await boss.catalogue.admin.tags.remove(tag)).toEqual({ ok: true })
    expect(await on.sql('select 1 from class_tag where single_class_id = $1', [cls.single_class_id])).toEqual([])
  })
})

describe('built-in records (K6, F5)', () => {
  it('card and cash cannot be removed, and cash keeps its name', async () => {
    const ownStudio = await studio()
    await ownStudio.studio.db.tx(ensurePaymentMethods)
    const methods = ownStudio.as(await ownStudio.make.staff('owner')).catalogue.admin.paymentMethods
    const [card, cash] = (await methods.all()).payment_methods
    if (!card || !cash) throw new Error('The two ways to pay are missing.')
    for (const method of [card, cash]) expect((await refusalOf(methods.remove(method))).code).toBe('PROTECTED')
    expect(await refusalOf(methods.update({ payment_method_id: cash.payment_method_id, name: 'Billetes' }))).toMatchObject({
      code: 'PROTECTED',
      status: 409,
    })
    expect((await methods.update({ payment_method_id: cash.payment_method_id, description: 'En caja' })).payment_method).toMatchObject({
      name: 'Efectivo',
      description: 'En caja',
    })
    expect((await methods.update({ payment_method_id: card.payment_method_id, name: 'Tarjeta bancaria' })).payment_method.name).toBe(
      'Tarjeta bancaria',
    )
    expect((await refusalOf(methods.create({ name: 'Efectivo' }))).code).toBe('ALREADY_EXISTS')
    await ownStudio.close()
  })

  it('a used payment method is archived, keeps its name in reports, and can be restored; an unused one is removed', async () => {
    const ownStudio = await studio()
    await ownStudio.studio.db.tx(ensurePaymentMethods)
    const [owner, reception, ana] = [
      await ownStudio.make.staff('owner'),
      await ownStudio.make.staff('reception'),
      await ownStudio.make.customer(),
    ]
    const methods = ownStudio.as(owner).catalogue.admin.paymentMethods
    const [{ payment_method: terminal }, { payment_method: unused }] = [
      await methods.create({ name: 'Terminal bancaria' }),
      await methods.create({ name: 'Vales' }),
    ]
    const { class_package_id } = await ownStudio.make.package()
    const { payment_method_id } = terminal
    const sell = () => ownStudio.as(reception).studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id, payment_method_id })
    await sell()
    const refusal = await refusalOf(methods.remove(terminal))
    expect(refusal).toMatchObject({ code: 'IN_USE', status: 409 })
    expect((refusal.data as { uses: { count: number }[] }).uses.map(({ count }) => count).every((count) => count > 0)).toBe(true)
    expect(await methods.remove(unused)).toEqual({ ok: true })

    expect((await methods.update({ payment_method_id, archived: true })).payment_method).toMatchObject({ archived: true })
    const offered = async () => (await ownStudio.as(null).catalogue.paymentMethods()).payment_methods.map((method) => method.name)
    expect(await offered()).not.toContain('Terminal bancaria')
    expect((await refusalOf(sell())).code).toBe('PAYMENT_METHOD_UNAVAILABLE')
    expect((await methods.all()).payment_methods.find((method) => method.payment_method_id === payment_method_id)).toMatchObject({
      name: 'Terminal bancaria',
      archived: true,
    })
    const today = await ownStudio.as(reception).studioSales.invoices({})
    expect(JSON.stringify(today)).toContain('Terminal bancaria')

    await methods.update({ payment_method_id, archived: false })
    expect(await offered()).toContain('Terminal bancaria')
    for (const method of (await methods.all()).payment_methods.slice(0, 2))
      expect((await refusalOf(methods.update({ payment_method_id: method.payment_method_id, archived: true }))).code).toBe('PROTECTED')
    await ownStudio.close()
  })

  it('PaymentMethod_id decides whether a payment method is created or changed (S1-3.36)', async () => {
    const methods = boss.catalogue.admin.paymentMethods
    const { payment_method } = await methods.create({ name: 'Vales', PaymentMethod_id: 'nueva' } as never)
    const { payment_method_id } = payment_method
    const changed = await methods.create({ name: 'Vales de regalo', PaymentMethod_id: payment_method_id } as never)
    expect(changed.payment_method).toMatchObject({ payment_method_id, name: 'Vales de regalo' })
    expect((await on.as(null).catalogue.paymentMethod({ payment_method_id })).payment_method.name).toBe('Vales de regalo')
  })

  it('every studio has the address form; it can change, but keeps city, state and country', async () => {
    const { form } = await on.as(null).forms.one({ form_id: 6 })
    expect(form.form_fields.filter((field) => field.required).map((field) => field.key)).toEqual(['city', 'state', 'country'])
    expect((await refusalOf(boss.forms.admin.forms.remove({ form_id: 6 }))).code).toBe('PROTECTED')
    const without = form.form_fields.filter((field) => field.key !== 'state')
    const optional = form.form_fields.map((field) => ({ ...field, required: false }))
    for (const form_fields of [[], without, optional])
      expect((await refusalOf(boss.forms.admin.forms.update({ form_id: 6, form_fields } as never))).code).toBe('PROTECTED')
    const zip = form.form_fields.map((field) => (field.key === 'zip_code' ? { ...field, required: true } : field))
    await boss.forms.admin.forms.update({ form_id: 6, form_fields: zip } as never)
    expect((await on.as(null).forms.one({ form_id: 6 })).form.form_fields.find((field) => field.key === 'zip_code')?.required).toBe(true)
  })
})

describe('names are unique where they say which', () => {
  it('handles, tags of a type, slugs and custom fields are unique; of two concurrent ones one is created', async () => {
    const admin = boss.catalogue.admin
    for (const make of [
      () => admin.classCategories.create({ name: 'Única', handle: 'unica' }),
      () => admin.tags.create({ name: 'Única', type: 'video' }),
      () => boss.content.admin.pages.create({ slug: 'unica', title: 'Única' }),
      () => boss.forms.admin.customFields.create({ object: 'unico', key: 'a', type: 'text' }),
      () => admin.paymentMethods.create({ name: 'Única' }),
    ]) {
      const results = await Promise.allSettled([make(), make(), make()])
      expect(results.filter((result) => result.status === 'fulfilled')).toHaveLength(1)
      expect(await refusalOf(make())).toMatchObject({ code: 'ALREADY_EXISTS', status: 409 })
    }
    expect((await admin.tags.create({ name: 'Única', type: 'class' })).tag.type).toBe('class')
  })

  it('a category without a handle gets one from its name, and keeps it when renamed', async () => {
    const { classCategories } = boss.catalogue.admin
    const { class_category } = await classCategories.create({ name: ' Pilates & Más… ' })
    expect(class_category).toMatchObject({ name: 'Pilates & Más…', handle: 'pilates-mas', available: true, description: '' })
    const { class_category_id } = class_category
    expect((await classCategories.update({ class_category_id, name: 'Otro' })).class_category.handle).toBe('pilates-mas')
    await classCategories.update({ class_category_id, available: false })
    const ids = (list: { class_categories: { class_category_id: number }[] }) =>
      list.class_categories.map((classCategory) => classCategory.class_category_id)
    expect(ids(await on.as(null).catalogue.classCategories())).toContain(class_category_id)
    expect(ids(await on.as(null).catalogue.classCategoriesAvailable())).not.toContain(class_category_id)
    expect((await on.as(null).catalogue.classCategory({ class_category_id })).class_category.name).toBe('Otro')
    expect((await refusalOf(on.as(null).catalogue.classCategory({ class_category_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })
})

describe('pages and announcements', () => {
  it('a changed text is a new version to accept again; a changed title or the same text is not (T4, T3)', async () => {
    const { pages } = boss.content.admin
    const { page } = await pages.create({ slug: 'terminos', title: 'Términos', content: '<p>Uno</p>', required: true })
    expect(page).toMatchObject({ version: 1, source: '<p>Uno</p>', content: '<p>Uno</p>' })
    const { page_id } = page
    const pending = async () => (await on.as(ana).content.accepted()).pending.map((page) => page.page_id)
    await on.as(ana).content.accept({ page_id })
    expect((await pages.update({ page_id, title: 'Términos y condiciones', content: '<p>Uno</p><script>x</script>' })).page.version).toBe(1)
    expect(await pending()).not.toContain(page_id)
    expect((await pages.update({ page_id, content: '<p>Dos</p>' })).page.version).toBe(2)
    expect(await pending()).toContain(page_id)
    expect((await on.as(null).content.page({ slug: 'terminos' })).page).toMatchObject({ content: '<p>Dos</p>', version: 2 })
    // What was agreed on can be read later: the trail has each text.
    const texts = await on.sql<{ content: string }>(
      `select after->>'content' as content from audit where entity = 'page' and entity_id = $1 order by audit_id`,
      [String(page_id)],
    )
    expect(texts.map((row) => row.content)).toEqual(['<p>Uno</p>', '<p>Uno</p>', '<p>Dos</p>'])
    await pages.update({ page_id, content: null })
    expect((await on.as(null).content.pages()).pages.find((page) => page.page_id === page_id)?.content).toBeNull()
  })

  it('HTML is sanitised when saved, the editor gets the source back, and visitors get neither scripts nor the source (T6)', async () => {
    const dirty = attacks.join('\n').replaceAll('\u0000', '')
    const { announcement } = await boss.content.admin.announcements.create({ title: 'x', content: dirty })
    const { page } = await boss.content.admin.pages.create({ slug: 'ataques', title: 'x', content: dirty })
    expect([announcement.source, page.source]).toEqual([dirty, dirty])
    const stored = await on.sql<{ content: string }>(
      `select content from announcement where announcement_id = $1 union all select content from page where page_id = $2`,
      [announcement.announcement_id, page.page_id],
    )
    const seen = [
      announcement.content,
      page.content ?? '',
      (await on.as(null).content.announcement(announcement)).announcement.content,
      (await on.as(null).content.page({ slug: 'ataques' })).page.content ?? '',
      ...stored.map((row) => row.content),
    ]
    for (const html of seen) expect(dangersIn(html)).toEqual([])
    const visible = JSON.stringify([await on.as(null).content.pages(), await on.as(null).content.announcements()])
    expect(visible).not.toContain('source')
  })

  it('reception publishes announcements; pages, tags, locations and forms need management', async () => {
    const desk = on.as(reception)
    expect((await desk.content.admin.announcements.create({ title: 'Hola', content: '<p>Hola</p>' })).announcement.createdAt).toBe(
      on.clock.now().toISOString(),
    )
    for (const call of [
      () => desk.content.admin.pages.create({ slug: 'x', title: 'x' }),
      () => desk.catalogue.admin.tags.create({ name: 'x' }),
      () => desk.catalogue.admin.locations.create({ name: 'x' }),
      () => desk.forms.admin.forms.create({ name: 'x' }),
    ])
      expect((await refusalOf(call())).code).toBe('FORBIDDEN')
    const manager = on.as(await on.make.staff('manager'))
    expect((await manager.catalogue.admin.tags.create({ name: 'Nueva' })).tag.type).toBe('class')
  })

  it('staff get a coach’s full birthday, other callers without the year (K5)', async () => {
    const { instructor } = await boss.catalogue.admin.instructors.create({
      name: 'Iván',
      birthdate: '1990-12-24',
      photo: '/archivos/cccccccccccccccccccccc.png',
    })
    expect(instructor).toMatchObject({ birthdate: '1990-12-24', file: { type: 'image/png' } })
    expect((await on.as(null).catalogue.instructor(instructor)).instructor.birthdate).toBe('--12-24')
  })
})

describe('filtered lists', () => {
  it('tags by type (S2-7.12)', async () => {
    await boss.catalogue.admin.tags.create({ name: 'Para video', type: 'video' })
    const { tags } = await on.as(null).catalogue.tags({ type: 'video' })
    expect(tags.map((tag) => tag.name)).toContain('Para video')
    expect(new Set(tags.map((tag) => tag.type))).toEqual(new Set(['video']))
    expect((await on.as(null).catalogue.tags({ type: 'nada' })).tags).toEqual([])
    expect((await on.as(null).catalogue.tag({ tag_id: tags[0]?.tag_id ?? 0 })).tag).toEqual(tags[0])
    expect((await refusalOf(on.as(null).catalogue.tag({ tag_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })

  it('custom fields by object, by type and one by one (S2-7.56 to S2-7.58), by step, then by order', async () => {
    const make = (key: string, step: number, order: number, type = 'text') =>
      boss.forms.admin.customFields.create({ object: 'coche', key, type, step, order })
    await make('c', 2, 0)
    await make('b', 1, 2, 'number')
    await make('a', 1, 1)
    const keys = (list: { custom_fields: { key: string }[] }) => list.custom_fields.map((field) => field.key)
    expect(keys(await on.as(null).forms.customFieldsOf({ object: 'coche' }))).toEqual(['a', 'b', 'c'])
    expect(keys(await on.as(null).forms.customFields({ object: 'coche', type: 'number' }))).toEqual(['b'])
    const { custom_fields } = await on.as(null).forms.customFields({})
    const first = custom_fields.find((field) => field.object === 'coche')
    expect(first).toMatchObject({ key: 'a', label: 'a', value: null })
    expect((await on.as(null).forms.customField({ custom_field_id: first?.custom_field_id ?? 0 })).custom_field).toEqual(first)
    expect((await refusalOf(on.as(null).forms.customField({ custom_field_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })
})
