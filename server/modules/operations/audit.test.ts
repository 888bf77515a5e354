/** GET /admin/audit: sentences, filters, pages, rights, and values that are never recorded. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { staffIdOf } from '#server/testing/staff-ids.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let on: TestStudio
let owner: Person
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner', { name: 'Mónica' })
})
afterAll(() => on.close())

const read = (input: object = {}, by = owner) => on.as(by).auditLog.list(input)

test('lists actor, action and record, newest first, with link and values (Y1, Y3)', async () => {
  const { class_package_id } = await on.make.package({ title: 'Paquete 10', price_centavos: 190_000 })
  await on.as(owner).studioPackages.update({ class_package_id, price: '1790.00' })
  const ana = await on.make.customer({ name: 'Ana', last_name: 'Ruiz' })
  await on.as(owner).credits.create({ customer_id: ana.customer_id, class_package_id, reason: 'cortesía' })
  const { entries } = await read()
  expect(entries[0]).toMatchObject({
    who: { kind: 'staff', staff_id: await staffIdOf(on, owner), name: 'Mónica' },
    sentence: 'Mónica dio créditos a Ana Ruiz',
    action: 'credits.give',
    entity: 'customer',
    entity_id: String(ana.customer_id),
    link: `/admin/clientes/${ana.customer_id}`,
    reason: 'cortesía',
  })
  const [changed] = (await read({ entity: 'class_package', entity_id: String(class_package_id) })).entries
  expect(changed).toMatchObject({
    sentence: 'Mónica cambió el precio de Paquete 10 de $1,900.00 a $1,790.00',
    before: { price_centavos: 190_000 },
    after: { price_centavos: 179_000 },
  })
})

test('an entry of a setting leads to its field; one of a setting that is no more to nothing (Y3, G8)', async () => {
  await on.as(owner).content.changeSettings({ settings: [{ key: 'undo_minutes', value: 9 }] })
  await on.sql(
    "insert into audit (at, actor, action, entity, entity_id) values (now(), 'system:test', 'setting.change', 'setting', 'ya_no_existe')",
  )
  const links = (await read({ entity: 'setting' })).entries.map(({ entity_id, link }) => [entity_id, link])
  expect(links).toEqual([
    ['ya_no_existe', null],
    ['undo_minutes', '/admin/ajustes/reservas?ajuste=undo_minutes'],
  ])
})

test('filters by person, action, thing, customer, days and words, all together (Y2)', async () => {
  const desk = await on.make.staff('reception', { name: 'Diego' })
  const eva = await on.make.customer({ name: 'Eva', last_name: 'Ñandú' })
  const { tag_id } = (await on.as(owner).catalogue.admin.tags.create({ name: 'VIP', type: 'customer' })).tag
  await on.as(desk).customerFile.putTags({ customer_id: eva.customer_id, tag_ids: [tag_id] })
  await on.as(desk).customerFile.addNote({ customer_id: eva.customer_id, text: 'Llega tarde' })
  const staff_id = await staffIdOf(on, desk)
  expect((await read({ staff_id })).entries.map(({ sentence }) => sentence)).toEqual([
    'Diego escribió una nota sobre Eva Ñandú',
    'Diego cambió las etiquetas de Eva Ñandú',
  ])
  const tagged = await read({ staff_id, action: 'customer.tags' })
  expect(tagged.total).toBe(1)
  // What was ever done, for the filter, in order of its name.
  expect(tagged.actions).toContainEqual({ action: 'customer.note_add', label: 'Escribió una nota sobre …', entity: 'customer' })
  expect(tagged.actions.map(({ action }) => action)).not.toContain('payroll.approve')
  expect((await read({ customer_id: eva.customer_id })).total).toBe(2)
  expect((await read({ entity: 'tag', staff_id })).total).toBe(0)
  // The search reads names as the list of customers derives them.
  await on.as(owner).customerList.list({})
  expect((await read({ query: 'nandu', staff_id })).total).toBe(2)
  expect((await read({ query: `#00${eva.customer_id}`, entity: 'customer', staff_id })).total).toBe(2)
  expect((await read({ query: 'nadie así' })).entries).toEqual([])
  const day = on.clock.now().toISOString().slice(0, 10)
  expect((await read({ staff_id, from: '2000-01-01', to: '2000-01-02' })).total).toBe(0)
  expect((await read({ staff_id, from: '2000-01-01', to: `${Number(day.slice(0, 4)) + 1}${day.slice(4)}` })).total).toBe(2)
  expect(await codeOf(read({ colour: 'x' }))).toBe('INVALID_INPUT')
  expect(await codeOf(read({ action: 'x' }))).toBe('INVALID_INPUT')
})

test('pages hold fifty, and the last page says so (Y2)', async () => {
  const { customer_id } = await on.make.customer()
  await on.sql(
    `insert into audit (at, actor, action, entity, entity_id) select now(), 'system:x', 'customer.change', 'customer', $1 from generate_series(1, 120)`,
    [String(customer_id)],
  )
  const first = await read({ customer_id })
  expect([first.entries.length, first.total, first.pages]).toEqual([50, 120, 3])
  const last = await read({ customer_id, page: 3 })
  expect([last.entries.length, last.entries[0]?.who.name]).toEqual([20, 'El sistema'])
  const ids = [...first.entries, ...(await read({ customer_id, page: 2 })).entries, ...last.entries].map(({ audit_id }) => audit_id)
  expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a))
  expect((await read({ customer_id, page: 4 })).entries).toEqual([])
})

test('counts up to ten thousand entries, and says that there are more (Y2)', async () => {
  const [exact, above] = [await on.make.customer(), await on.make.customer()]
  for (const [{ customer_id }, count] of [
    [exact, 10_000],
    [above, 10_001],
  ] as const)
    await on.sql(
      `insert into audit (at, actor, action, entity, entity_id) select now(), 'system:x', 'customer.change', 'customer', $1 from generate_series(1, ${count})`,
      [String(customer_id)],
    )
  expect(await read({ customer_id: exact.customer_id })).toMatchObject({ total: 10_000, has_more: false, pages: 200 })
  expect(await read({ customer_id: above.customer_id, page: 200 })).toMatchObject({ total: 10_000, has_more: true, pages: 200 })
})

test('the audit trail is for those with the right, and shows entries of their locations and of none (Y4)', async () => {
  const [here, there] = [await on.make.location({ name: 'Roma' }), await on.make.location({ name: 'Lejos' })]
  const classes = [await on.make.class({ location_id: here.location_id }), await on.make.class({ location_id: there.location_id })]
  for (const [n, { single_class_id }] of classes.entries()) await on.as(owner).schedule.update({ single_class_id, capacity: 30 + n })
  const capacities = async (by: Person) =>
    (await read({ entity: 'single_class' }, by)).entries.map(({ after }) => (after as { capacity: number }).capacity)
  expect(await capacities(await on.make.staff('manager'))).toEqual([31, 30])
  const manager = await on.make.staff('manager')
  await on.sql('insert into staff_location values ($1, $2)', [await staffIdOf(on, manager), here.location_id])
  expect(await capacities(manager)).toEqual([30])
  expect((await read({}, manager)).entries.some(({ entity }) => entity === 'customer')).toBe(true)
  for (const role of ['reception', 'coach'] as const) expect(await codeOf(read({}, await on.make.staff(role)))).toBe('FORBIDDEN')
})

test('a location, its rooms, and days without classes of one location are read by its staff only (Y4)', async () => {
  const [here, there] = [await on.make.location({ name: 'Condesa' }), await on.make.location({ name: 'Polanco' })]
  const manager = await on.make.staff('manager')
  await on.sql('insert into staff_location values ($1, $2)', [await staffIdOf(on, manager), here.location_id])
  for (const { location_id } of [here, there]) {
    await on.as(owner).catalogue.admin.locations.update({ location_id, archived: true })
    await on.as(owner).catalogue.admin.locations.update({ location_id, archived: false })
    const { room } = await on.as(owner).rooms.create({ location_id, name: 'Sala de prueba' })
    await on.as(owner).rooms.remove({ room_id: room.room_id })
  }
  for (const [n, location_ids] of [[here.location_id], [there.location_id], [here.location_id, there.location_id], null].entries()) {
    const day = `2027-03-0${n + 1}`
    await on.as(owner, crypto.randomUUID()).holidays.add({ holidays: [{ name: 'Cierre', from: day, to: day, location_ids }] })
  }
  const count = async (entity: 'location' | 'room' | 'holiday', by: Person) => (await read({ entity }, by)).entries.length
  for (const [entity, all, own] of [
    ['location', 4, 2],
    ['room', 4, 2],
    ['holiday', 4, 3],
  ] as const)
    expect([entity, await count(entity, owner), await count(entity, manager)]).toEqual([entity, all, own])
})

test('gift cards, pieces of a product and what was changed of one person belong to their location and customer (Y4)', async () => {
  const [here, there] = [await on.make.location(), await on.make.location()]
  const method = await on.make.paymentMethod({ name: 'Terminal bancaria' })
  const manager = await on.make.staff('manager')
  await on.sql('insert into staff_location values ($1, $2)', [await staffIdOf(on, manager), here.location_id])
  const boss = () => on.as(owner, crypto.randomUUID())
  const { product } = await boss().products.create({ name: 'Agua', price: '20.00' })
  const cards: Record<number, number> = {}
  for (const { location_id } of [here, there]) {
    await boss().counterSales.sell({
      customer_id: null,
      location_id,
      lines: [{ kind: 'gift_card', amount: '100' }],
      shown: { total: '100' },
      payments: [{ payment_method_id: method.payment_method_id, amount: '100' }],
    })
    const [card] = (await boss().giftCards.list({})).gift_cards
    cards[location_id] = card?.gift_card_id ?? 0
    await boss().giftCards.adjust({ gift_card_id: cards[location_id], amount: '-1.00', reason: 'Prueba' })
    await boss().products.correct({ product_id: product.product_id, location_id, counted: 3, reason: 'Compra' })
  }
  const idsOf = async (entity: 'gift_card', by: Person) => (await read({ entity }, by)).entries.map(({ entity_id }) => Number(entity_id))
  expect(await idsOf('gift_card', manager)).toEqual([cards[here.location_id]])
  expect(await idsOf('gift_card', owner)).toEqual([cards[there.location_id], cards[here.location_id]])
  const stock = async (by: Person) => (await read({ entity: 'product', action: 'product.stock' }, by)).entries.length
  expect([await stock(manager), await stock(owner)]).toEqual([1, 2])
  const { customer_id } = await on.make.customer()
  await boss().bulk.start({ action: 'credits.freeze', ids: [customer_id], params: {}, reason: 'Una lesión' })
  expect((await read({ customer_id })).entries.map(({ action }) => action)).toContain('bulk.start')
})

test('answers of forms and secret values are never recorded or shown (Y5)', async () => {
  const ana = await on.make.customer()
  const { form } = await on
    .as(owner)
    .forms.admin.forms.create({ name: 'Salud', form_fields: [{ key: 'lesion', label: 'Lesiones', type: 'text' }] })
  await on.as(owner).forms.answer({ form_id: form.form_id, customer_id: ana.customer_id, answers: { lesion: 'rodilla operada' } })
  await on.as(owner).forms.answers({ form_id: form.form_id, customer_id: ana.customer_id })
  await on.sql(
    `insert into audit (at, actor, action, entity, entity_id, before, after)
     values (now(), 'staff:owner', 'form_answer.change', 'customer', $1, '{"lesion": "hombro"}', '{"lesion": "rodilla operada"}')`,
    [String(ana.customer_id)],
  )
  const { entries } = await read({ customer_id: ana.customer_id })
  expect(entries.map(({ action, after }) => [action, after])).toEqual([
    ['form_answer.change', { fields: ['lesion'] }],
    ['form_answer.read', { form_id: form.form_id }],
    ['form_answer.change', { form_id: form.form_id, fields: ['lesion'] }],
  ])
  expect(JSON.stringify(entries)).not.toMatch(/rodilla|hombro/)

  const system = on.system()
  const after = { name: 'Stripe', api_key: 'sk_live_1', more: { password: 'secreta', webhook_secret: null, tokens: 3 } }
  await system.tx((tx) => system.audit(tx, { action: 'payment_method.change', entity: 'payment_method', entity_id: 1, after }))
  const [recorded] = await on.sql<{ after: object }>(`select after from audit order by audit_id desc limit 1`)
  expect(recorded?.after).toEqual({ name: 'Stripe', api_key: '•••', more: { password: '•••', webhook_secret: null, tokens: 3 } })
})

test('names what the values have by id: rooms, customers, staff and catalogue; what is gone stays a number (Y3)', async () => {
  const { location_id } = await on.make.location()
  const { room } = await on.as(owner).rooms.create({ name: 'Sala Norte', location_id })
  const ana = await on.make.customer({ name: 'Ana', last_name: 'Paz' })
  const staff_id = await staffIdOf(on, owner)
  const after = {
    room_id: room.room_id,
    customer_id: ana.customer_id,
    signed_in_staff_id: staff_id,
    location_ids: [location_id, 999_999],
    tag_id: 'x',
  }
  await on.sql(
    `insert into audit (at, actor, action, entity, entity_id, before, after) values (now(), 'system:test', 'import.start', 'import', '77', $1, $2)`,
    [JSON.stringify({ room_id: 999_999 }), JSON.stringify(after)],
  )
  const [entry] = (await read({ entity: 'import', entity_id: '77' })).entries
  const names = entry?.names.map(({ key, id, name }) => [key, id, name]).sort()
  expect(names).toEqual([
    ['customer_id', ana.customer_id, 'Ana Paz'],
    ['location_ids', location_id, expect.any(String)],
    ['room_id', room.room_id, 'Sala Norte'],
    ['signed_in_staff_id', staff_id, 'Mónica'],
  ])
})
