/** Messages to many customers over HTTP (docs/domain.md, "Broadcasts"). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { type Client, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { runBroadcast } from './broadcasts.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner')
})
afterAll(() => s.close())
beforeEach(() => s.reset())

type CreateInput = Parameters<Client['broadcasts']['create']>[0]
const as = (person: Person = owner): Client['broadcasts'] => s.as(person, randomUUID()).broadcasts

/** A customer with their consents. */
async function person({ promotions = true, whatsapp = false, ...more }: { promotions?: boolean; whatsapp?: boolean; name?: string } = {}) {
  const customer = await s.make.customer(more)
  await s.as(customer).messages.setPreferences({ marketing: promotions, whatsapp })
  return customer
}
const input = (customers: readonly Person[], more: Partial<CreateInput> = {}): CreateInput => ({
  audience: { customer_ids: customers.map(({ customer_id }) => customer_id) },
  channels: ['mail', 'app'],
  subject: 'Clase nueva',
  text: 'Hola {{nombre}}:\n\nAbrimos Barre en {{negocio}}.',
  ...more,
})
async function create(customers: readonly Person[], more: Partial<CreateInput> = {}) {
  const { broadcast } = await as().create(input(customers, more))
  if (!broadcast) throw new Error('Nothing was created.')
  return broadcast
}
const read = async (broadcast_id: number) => as().one({ broadcast_id })
const messagesOf = (broadcast_id: number) =>
  s.sql<{ customer_id: number; channel: string; status: string; reason: string | null }>(
    `select customer_id, channel, status, reason from message where event = 'broadcast' and about = $1 order by customer_id, channel`,
    [`broadcast:${broadcast_id}`],
  )
const mailsTo = (email: string) =>
  s.sql<{ subject: string; html: string; text: string }>('select subject, html, text from mail_outbox where "to" = $1 order by mail_id', [
    email,
  ])
const linkIn = (text = '') => /\/baja\/([\w.-]+)/.exec(text)?.[1] ?? ''

describe('sending', () => {
  it('the preview shows recipients and left out ones, and writes nothing; then each gets it once per channel (BR1 to BR3)', async () => {
    const [ana, beto] = [await person({ name: 'Ana' }), await person({ promotions: false })]
    const trial = await as().create({ ...input([ana, beto], { channels: ['mail'] }), dry_run: true })
    expect(trial).toMatchObject({
      broadcast: null,
      preview: { total: 2, reached: 1, left_out: [{ customer_id: beto.customer_id, reason: 'no_consent' }], left_out_total: 1 },
    })
    expect((await as().list({})).total).toBe(0)

    const created = await create([ana, beto, ana], { channels: ['app', 'mail'], button: 'calendar' })
    expect(created).toMatchObject({
      state: 'scheduled',
      total: 2,
      is_promotion: true,
      audience: '2 clientes elegidos',
      channels: ['mail', 'app'],
    })
    await doJobs(s)
    expect(await messagesOf(created.broadcast_id)).toEqual([
      { customer_id: ana.customer_id, channel: 'app', status: 'sent', reason: null },
      { customer_id: ana.customer_id, channel: 'mail', status: 'sent', reason: null },
      { customer_id: beto.customer_id, channel: 'app', status: 'sent', reason: null },
    ])
    const [mail] = await mailsTo(ana.email)
    expect(mail?.text).toContain('Hola Ana:')
    expect(mail?.html).toMatch(/href="http[^"]*\/mystudio"/)
    const { broadcast, results } = await read(created.broadcast_id)
    expect(broadcast).toMatchObject({ state: 'sent', total: 2, done: 2, left_out: 0, sent: 3, failed: 0, waiting: 0, unsubscribed: 0 })
    expect(results.by_channel.map(({ channel, sent }) => [channel, sent])).toEqual([
      ['mail', 1],
      ['app', 2],
    ])
    await doJobs(s, 'broadcasts.sweep')
    expect(await messagesOf(created.broadcast_id)).toHaveLength(3)
    const notifications = await s.as(ana).messages.list({})
    expect(notifications.messages[0]).toMatchObject({ event: 'broadcast', title: 'Clase nueva' })
  })

  it('writes to the customers who match a filter of the list when it is written (BR2)', async () => {
    const name = `Selma${Date.now()}`
    const people = [await person({ name }), await person({ name })]
    const audience = { filter: { query: name } }
    const { preview } = await as().create({ ...input([]), audience, dry_run: true })
    expect(preview).toMatchObject({ total: 2, reached: 2 })
    const { broadcast } = await as().create({ ...input([]), audience })
    expect(broadcast).toMatchObject({ audience: '2 clientes elegidos', total: 2 })
    await person({ name })
    await doJobs(s)
    const got = new Set((await messagesOf(broadcast?.broadcast_id ?? 0)).map(({ customer_id }) => customer_id))
    expect(got).toEqual(new Set(people.map(({ customer_id }) => customer_id)))
    const twice = { ...audience, customer_ids: [people[0]?.customer_id ?? 0] }
    expect((await refusalOf(as().create({ ...input([]), audience: twice }))).code).toBe('INVALID_INPUT')
  })

  it('the same request again is the same broadcast', async () => {
    const ana = await person()
    const key = randomUUID()
    const [first, two] = [await s.as(owner, key).broadcasts.create(input([ana])), await s.as(owner, key).broadcasts.create(input([ana]))]
    expect(two.broadcast?.broadcast_id).toBe(first.broadcast?.broadcast_id)
    await doJobs(s)
  })

  it('a broadcast to a segment goes to the customers who match when it is sent, not before', async () => {
    const { segment } = await s.as(owner).segments.create({ name: `Zulú ${randomUUID()}`, filter: { query: 'Zulema' } })
    await person({ name: 'Zulema' })
    const at = new Date(s.clock.now().getTime() + 3_600_000).toISOString()
    const { broadcast } = await as().create({ ...input([]), audience: { segment_id: segment.segment_id }, at })
    const broadcast_id = broadcast?.broadcast_id ?? 0
    expect(broadcast).toMatchObject({ state: 'scheduled', total: null, audience: `Segmento ${segment.name}` })
    await doJobs(s, 'broadcasts.sweep')
    expect(await messagesOf(broadcast_id)).toEqual([])
    await person({ name: 'Zulema' })
    s.clock.advance({ minutes: 61 })
    await doJobs(s, 'broadcasts.sweep')
    expect(await messagesOf(broadcast_id)).toHaveLength(4)
    expect((await read(broadcast_id)).broadcast).toMatchObject({ state: 'sent', total: 2 })
  })

  it('a broadcast about a class goes to those with a reservation, without consent to promotions or a link to unsubscribe', async () => {
    const ana = await person({ promotions: false })
    const cls = await s.make.class()
    await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
      cls.single_class_id,
      ana.customer_id,
    ])
    const { broadcast } = await as().create({ ...input([]), audience: { single_class_id: cls.single_class_id } })
    await doJobs(s)
    expect(broadcast).toMatchObject({ is_promotion: false, total: null })
    expect((await messagesOf(broadcast?.broadcast_id ?? 0)).map(({ channel }) => channel)).toEqual(['app', 'mail'])
    expect(linkIn((await mailsTo(ana.email)).at(-1)?.text)).toBe('')
  })

  it('pauses by itself when its author may not send messages any more', async () => {
    const manager = await s.make.staff('manager')
    const ana = await person()
    const { broadcast } = await s.as(manager, randomUUID()).broadcasts.create(input([ana]))
    await s.sql(`update staff set "disabledAt" = now() where uid = $1`, [manager.uid])
    await doJobs(s)
    expect((await read(broadcast?.broadcast_id ?? 0)).broadcast).toMatchObject({
      state: 'paused',
      paused_because: 'Quien lo escribió ya no puede enviar mensajes.',
    })
    expect(await messagesOf(broadcast?.broadcast_id ?? 0)).toEqual([])
  })

  it('a dismissed author’s broadcast has no recipients, since their locations are unknown (BR1)', async () => {
    const [manager, { location_id }] = [await s.make.staff('manager'), await s.make.location()]
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [manager.uid, location_id])
    const name = `Rosaura${randomUUID().slice(0, 8)}`
    await person({ name })
    const { segment } = await s.as(owner).segments.create({ name: `Sede ${randomUUID()}`, filter: { query: name } })
    const at = new Date(s.clock.now().getTime() + 3_600_000).toISOString()
    const { broadcast } = await as(manager).create({ ...input([]), audience: { segment_id: segment.segment_id }, at })
    const broadcast_id = broadcast?.broadcast_id ?? 0
    await s.sql(`update staff set "disabledAt" = now() where uid = $1`, [manager.uid])
    s.clock.advance({ minutes: 61 })
    await doJobs(s, 'broadcasts.sweep')
    expect((await read(broadcast_id)).broadcast).toMatchObject({
      state: 'paused',
      total: null,
      paused_because: 'Quien lo escribió ya no puede enviar mensajes.',
    })
    expect(await s.sql('select from broadcast_recipient where broadcast_id = $1', [broadcast_id])).toEqual([])
  })

  it('reads a segment with the rights of its author, who works at one location (BR1, E4)', async () => {
    const [norte, sur] = [await s.make.location(), await s.make.location()]
    const manager = await s.make.staff('manager')
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [manager.uid, norte.location_id])
    const name = `Quirino${randomUUID().slice(0, 8)}`
    const [here, there] = [await person({ name }), await person({ name })]
    await s.make.lot(here, { location_ids: [norte.location_id] })
    await s.make.lot(there, { location_ids: [sur.location_id] })
    const { segment } = await s.as(owner).segments.create({ name: `Activos ${randomUUID()}`, filter: { query: name, active: true } })
    const request = { ...input([]), audience: { segment_id: segment.segment_id } }
    expect((await as(manager).create({ ...request, dry_run: true })).preview).toMatchObject({ total: 1 })
    const { broadcast } = await as(manager).create(request)
    await doJobs(s)
    const got = (await messagesOf(broadcast?.broadcast_id ?? 0)).map(({ customer_id }) => customer_id)
    expect(new Set(got)).toEqual(new Set([here.customer_id]))
  })

  it('pauses by itself when its author no longer works where its class is', async () => {
    const manager = await s.make.staff('manager')
    const cls = await s.make.class()
    await s.sql(`insert into class_reservation (single_class_id, customer_id, "createdAt", "updatedAt") values ($1, $2, now(), now())`, [
      cls.single_class_id,
      (await person()).customer_id,
    ])
    const { broadcast } = await as(manager).create({ ...input([]), audience: { single_class_id: cls.single_class_id } })
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [
      manager.uid,
      (await s.make.location()).location_id,
    ])
    await doJobs(s)
    expect((await read(broadcast?.broadcast_id ?? 0)).broadcast).toMatchObject({
      state: 'paused',
      paused_because: 'Quien lo escribió ya no trabaja donde es esa clase.',
    })
  })

  it('a broadcast is tried again, and not paused, when its people could not be read', async () => {
    const { segment } = await s.as(owner).segments.create({ name: `Ximena ${randomUUID()}`, filter: { query: `Ximena${randomUUID()}` } })
    const { broadcast } = await as().create({
      ...input([await person()]),
      audience: { segment_id: segment.segment_id },
      at: s.clock.now().toISOString(),
    })
    const broadcast_id = broadcast?.broadcast_id ?? 0
    await s.sql('alter table segment rename to segment_away')
    try {
      await expect(runBroadcast(s.system(), { broadcast_id }, { signal: new AbortController().signal })).rejects.toThrow()
    } finally {
      await s.sql('alter table segment_away rename to segment')
    }
    expect((await read(broadcast_id)).broadcast.state).toBe('scheduled')
    await runBroadcast(s.system(), { broadcast_id }, { signal: new AbortController().signal })
    expect((await read(broadcast_id)).broadcast.state).toBe('sent')
  })

  it('refuses what cannot be sent', async () => {
    const ana = await person()
    const code = async (change: object) => (await refusalOf(as().create({ ...input([ana]), ...change }))).code
    expect(await code({ text: 'Hola {{apellido}}' })).toBe('INVALID_INPUT')
    expect(await code({ channels: [] })).toBe('INVALID_INPUT')
    expect(await code({ channels: ['whatsapp'], text: 'x'.repeat(301) })).toBe('INVALID_INPUT')
    expect(await code({ at: new Date(s.clock.now().getTime() - 1).toISOString() })).toBe('INVALID_INPUT')
    expect(await code({ audience: { segment_id: 2_000_000_000 } })).toBe('NOT_FOUND')
    expect(await code({ audience: { single_class_id: 2_000_000_000 } })).toBe('NOT_FOUND')
    expect(await code({ audience: { single_class_id: (await s.make.class()).single_class_id } })).toBe('BROADCAST_EMPTY')
    expect(await code({ audience: { segment_id: 1, customer_ids: [1] } })).toBe('INVALID_INPUT')
    expect((await refusalOf(as(await s.make.staff('reception')).create(input([ana])))).code).toBe('FORBIDDEN')
  })
})

describe('the limit per week (BR4)', () => {
  it('holds over several broadcasts, also those that are sent at once', async () => {
    await s.change({ messages_per_person_week: 1 })
    const people = [await person(), await person(), await person()]
    const broadcasts = [await create(people), await create(people)]
    await doJobs(s)
    const counts = await Promise.all(broadcasts.map(async ({ broadcast_id }) => (await messagesOf(broadcast_id)).length))
    expect(counts.sort()).toEqual([0, 6])
    const trial = await as().create({ ...input(people), dry_run: true })
    expect(trial.preview?.left_out_by).toEqual([{ reason: 'limit', count: 3 }])
    s.clock.advance({ days: 8 })
    expect((await as().create({ ...input(people), dry_run: true })).preview?.reached).toBe(3)
  })
})

describe('pause and cancel (BR5)', () => {
  it('paused messages wait until it is resumed', async () => {
    const people = [await person({ whatsapp: true }), await person({ whatsapp: true })]
    // In the quiet hours WhatsApp waits in the outbox.
    s.clock.set('2026-11-20T23:30:00-06:00')
    const { broadcast_id } = await create(people, { channels: ['whatsapp'], text: 'Hola {{nombre}}' })
    await doJobs(s)
    expect((await read(broadcast_id)).broadcast).toMatchObject({ state: 'sent', waiting: 2, sent: 0 })
    // What is over cannot be paused, but what waits can still be cancelled.
    expect((await refusalOf(as().pause({ broadcast_id }))).code).toBe('BROADCAST_OVER')
    expect((await as().cancel({ broadcast_id })).broadcast).toMatchObject({ state: 'cancelled', waiting: 0 })
    expect((await refusalOf(as().cancel({ broadcast_id }))).code).toBe('BROADCAST_OVER')
    s.clock.set('2026-11-21T09:00:00-06:00')
    await doJobs(s, 'messages.sweep')
    expect((await messagesOf(broadcast_id)).map(({ status, reason }) => [status, reason])).toEqual([
      ['moot', 'cancelled'],
      ['moot', 'cancelled'],
    ])
  })

  it('a paused broadcast sends nothing, and resumes where it was', async () => {
    const people = [await person(), await person()]
    const { broadcast_id } = await create(people)
    expect((await as().pause({ broadcast_id })).broadcast.state).toBe('paused')
    await doJobs(s, 'broadcasts.sweep')
    expect(await messagesOf(broadcast_id)).toEqual([])
    expect((await as().resume({ broadcast_id })).broadcast.state).toBe('sending')
    await doJobs(s)
    expect(await messagesOf(broadcast_id)).toHaveLength(4)
  })

  it('a cancelled one sends nothing any more, and stays in the list', async () => {
    const ana = await person()
    const at = new Date(s.clock.now().getTime() + 3_600_000).toISOString()
    const { broadcast_id } = await create([ana], { at })
    await as().cancel({ broadcast_id })
    s.clock.advance({ hours: 2 })
    await doJobs(s, 'broadcasts.sweep')
    expect(await messagesOf(broadcast_id)).toEqual([])
    const { broadcasts } = await as().list({})
    expect(broadcasts.find((broadcast) => broadcast.broadcast_id === broadcast_id)).toMatchObject({ state: 'cancelled' })
    for (const verb of ['pause', 'resume'] as const) expect((await refusalOf(as()[verb]({ broadcast_id }))).code).toBe('BROADCAST_OVER')
    expect((await refusalOf(as().pause({ broadcast_id: 2_000_000_000 }))).code).toBe('NOT_FOUND')
  })
})

describe('the way out (BR6)', () => {
  it('a link stops promotions without logging in, opening it changes nothing, and it can be taken back', async () => {
    const ana = await person()
    const { broadcast_id } = await create([ana])
    await doJobs(s)
    const token = linkIn((await mailsTo(ana.email)).at(-1)?.text)
    const visitor = s.as(null).broadcasts
    const allowed = async () => (await s.as(ana).messages.preferences()).preferences.marketing?.allowed
    expect(await visitor.subscription({ token })).toMatchObject({ subscribed: true })
    expect(await allowed()).toBe(true)
    expect(await visitor.subscribe({ token, subscribed: false })).toMatchObject({ subscribed: false })
    expect(await visitor.subscribe({ token, subscribed: false })).toMatchObject({ subscribed: false })
    expect(await allowed()).toBe(false)
    expect((await read(broadcast_id)).broadcast.unsubscribed).toBe(1)
    const trail = await s.sql(`select after from audit where action = 'consent.change' and entity_id = $1 order by audit_id`, [
      String(ana.customer_id),
    ])
    expect(trail.at(-1)).toEqual({ after: { channel: 'marketing', allowed: false, broadcast_id } })
    await visitor.subscribe({ token, subscribed: true })
    expect(await allowed()).toBe(true)
    expect((await read(broadcast_id)).broadcast.unsubscribed).toBe(0)
    for (const forged of [`${token}x`, token.replace(/^\d+/, '1'), 'x.y'])
      expect((await refusalOf(visitor.subscribe({ token: forged, subscribed: false }))).code).toBe('UNSUBSCRIBE_INVALID')
  })

  it('a mail program stops them with one request of a form; a link that is followed only asks', async () => {
    const ana = await person()
    await create([ana])
    await doJobs(s)
    const token = linkIn((await mailsTo(ana.email)).at(-1)?.text)
    const url = `${s.url}/api/one_click_unsubscribe/${token}`
    const followed = await fetch(url, { redirect: 'manual' })
    expect([followed.status, followed.headers.get('location')]).toEqual([303, `/baja/${token}`])
    const allowed = async () => (await s.as(ana).messages.preferences()).preferences.marketing?.allowed
    expect(await allowed()).toBe(true)
    const body = new URLSearchParams({ 'List-Unsubscribe': 'One-Click' })
    expect((await fetch(url, { method: 'POST', body })).status).toBe(200)
    expect(await allowed()).toBe(false)
    expect((await fetch(`${s.url}/api/one_click_unsubscribe/nadie.firma`, { method: 'POST', body })).status).toBe(404)
  })

  it('a waiting message to a customer who left is not sent', async () => {
    s.clock.set('2026-11-20T23:30:00-06:00')
    const ana = await person({ whatsapp: true })
    const { broadcast_id } = await create([ana], { channels: ['whatsapp'], text: 'Hola' })
    await doJobs(s)
    await s.as(ana).messages.setPreferences({ marketing: false })
    s.clock.set('2026-11-21T09:00:00-06:00')
    await doJobs(s, 'messages.sweep')
    expect(await messagesOf(broadcast_id)).toMatchObject([{ status: 'moot', reason: 'unsubscribed' }])
  })
})

describe('a test to oneself', () => {
  it('goes to the caller only, and is no broadcast', async () => {
    const { to } = await as().test({ channel: 'mail', subject: 'Prueba', text: 'Hola {{nombre}}' })
    expect(to).toBe(owner.email)
    await doJobs(s)
    expect((await mailsTo(owner.email)).at(-1)).toMatchObject({ subject: 'Prueba' })
    expect((await refusalOf(as().test({ channel: 'app', subject: 'Prueba', text: 'Hola' }))).code).toBe('NO_OWN_ACCOUNT')
    expect((await refusalOf(as().test({ channel: 'whatsapp', subject: 'Prueba', text: 'Hola' }))).code).toBe('NO_OWN_PHONE')
  })
})
