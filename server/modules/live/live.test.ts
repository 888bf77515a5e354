/** Live updates of the administration over HTTP (docs/domain.md Z9 to Z12). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { liveEvents, PRESENCE_SECONDS } from '#contract/live.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let owner: Person
let terminal: number
beforeAll(async () => {
  s = await studio({ settings: { cash_session_required: false } })
  owner = await s.make.staff('owner')
  terminal = (await s.make.paymentMethod({ name: 'Terminal bancaria' })).payment_method_id
})
afterAll(() => s.close())

interface StreamEvent {
  name: string
  data: Record<string, unknown>
}

/** A staff member's open stream: the events so far, and its end. Every event must fit its declaration. */
async function openStream(person: Person, on = s) {
  const { ticket } = await on.as(person).live.ticket()
  return { ticket, ...(await listen(ticket, on)) }
}

async function listen(ticket: string, on = s) {
  const abort = new AbortController()
  const answer = await fetch(`${on.url}/api/admin/live?ticket=${encodeURIComponent(ticket)}`, { signal: abort.signal })
  const received: StreamEvent[] = []
  const ended = (async () => {
    let text = ''
    const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader()
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
      if (done) return
      text += value
      const parts = text.split('\n\n')
      text = parts.pop() ?? ''
      for (const part of parts) {
        const [, name, data] = /^event: (\w+)\ndata: (.*)$/.exec(part) ?? []
        if (!name || !data) continue
        const schema = liveEvents[name as keyof typeof liveEvents]
        received.push({ name, data: schema.strict().parse(JSON.parse(data)) })
      }
    }
  })()
  ended.catch(() => {})
  const count = (name: string, fits: (data: StreamEvent['data']) => boolean = () => true) =>
    received.filter((streamEvent) => streamEvent.name === name && fits(streamEvent.data)).length
  return { answer, heard: received, ended, count, stop: () => abort.abort() }
}

const until = async (isSo: () => boolean) => {
  for (let tries = 0; !isSo(); tries++) {
    if (tries > 1_500) throw new Error('It did not happen within fifteen seconds.')
    await new Promise((resume) => setTimeout(resume, 10))
  }
}

async function limitedTo(role: 'reception' | 'manager', location_id: number): Promise<Person> {
  const person = await s.make.staff(role)
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [person.uid, location_id])
  return person
}

const sell = async (location_id: number) => {
  const { class_package_id } = await s.make.package({ price_centavos: 20_000 })
  const { customer_id } = await s.make.customer()
  const input = { customer_id, class_package_id, payment_method_id: terminal, location_id }
  return (await s.as(owner, randomUUID()).studioSales.giveAccess(input)).purchase.purchase_id
}

test('a ticket opens one stream, for a minute, and only for staff (Z9)', async () => {
  const ana = await s.make.customer()
  await expect(s.as(ana).live.ticket()).rejects.toMatchObject({ code: 'FORBIDDEN' })
  const { ticket, answer, stop } = await openStream(owner)
  expect(answer.status).toBe(200)
  expect(answer.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(answer.headers.get('cache-control')).toBe('no-store')
  const status = async (key: string) => {
    const again = await fetch(`${s.url}/api/admin/live?ticket=${encodeURIComponent(key)}`)
    await again.body?.cancel()
    return again.status
  }
  expect(await status(ticket)).toBe(401)
  expect(await status('')).toBe(401)
  expect(await status(`${ticket.split('.')[0]}.AAAAAAAAAAAAAAAAAAAAAAAA`)).toBe(401)
  const { ticket: twice } = await s.as(owner).live.ticket()
  const raced = await Promise.all(Array.from({ length: 8 }, () => listen(twice)))
  expect(raced.map(({ answer }) => answer.status).sort()).toEqual([200, ...Array(7).fill(401)])
  for (const stream of raced) stream.stop()
  const { ticket: old, expires_at } = await s.as(owner).live.ticket()
  expect(new Date(expires_at).getTime() - s.clock.now().getTime()).toBeLessThanOrEqual(60_000)
  const back = s.clock.now()
  s.clock.set(new Date(back.getTime() + 61_000))
  expect(await status(old)).toBe(401)
  s.clock.set(back)
  stop()
})

test('a booking, a mark, a sale, a customer and a cancelled class are announced by their ids (Z10)', async () => {
  const [desk, cls, ana] = [await openStream(owner), await s.make.class({ spot_map: '5,5' }), await s.make.customer()]
  const { single_class_id, location_id } = cls
  await s.make.lot(ana)
  const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id, spot: '1-1' })
  await until(() => desk.count('class', (data) => data.single_class_id === single_class_id && data.taken === 1) > 0)
  const { class_reservation_id } = class_reservation
  s.clock.set(new Date(cls.starts_at))
  await s.as(owner).attendance.mark({ class_reservation_id, attend: true })
  await until(() => desk.count('roster', (data) => data.class_reservation_id === class_reservation_id) > 0)
  expect(desk.heard.find(({ name }) => name === 'roster')?.data).toEqual({ single_class_id, class_reservation_id })
  const purchase_id = await sell(location_id)
  await until(() => desk.count('purchase', (data) => data.purchase_id === purchase_id) > 0)
  await s.as(owner, randomUUID()).customerFile.addNote({ customer_id: ana.customer_id, text: 'Le gusta la fila de enfrente' })
  await until(() => desk.count('customer', (data) => data.customer_id === ana.customer_id) > 0)
  await s.as(owner).schedule.cancel({ single_class_id: (await s.make.class()).single_class_id, reason: 'Se fue la luz' })
  await until(() => desk.count('schedule') > 0)
  desk.stop()
})

test('sales of another location, and what a right is missing for, are not announced (Z10, E14)', async () => {
  const [norte, sur] = [await s.make.location(), await s.make.location()]
  const all = await openStream(owner)
  const here = await openStream(await limitedTo('reception', norte.location_id))
  const coach = await openStream(await s.make.staff('coach'))
  const [inSur, inNorte] = [await sell(sur.location_id), await sell(norte.location_id)]
  const about = (purchase_id: number) => (data: StreamEvent['data']) => data.purchase_id === purchase_id
  await until(() => all.count('purchase', about(inSur)) > 0 && here.count('purchase', about(inNorte)) > 0)
  expect(here.count('purchase', about(inSur))).toBe(0)
  expect(coach.count('purchase')).toBe(0)
  for (const stream of [all, here, coach]) stream.stop()
})

test('how far a change to many records is, is announced to the person who started it, also while it is undone (Z10, LA5)', async () => {
  const reception = await s.make.staff('reception')
  const [desk, other] = [await openStream(reception), await openStream(owner)]
  const ids: number[] = []
  for (let at = 0; at < 3; at++) ids.push((await s.make.customer()).customer_id)
  const [tag] = await s.sql<{ tag_id: number }>(`insert into tag (name, type) values ('En vivo', 'customer') returning tag_id`)
  const { job_id } = await s.as(reception, randomUUID()).bulk.start({ action: 'tags.add', ids, params: { tag_id: tag?.tag_id ?? 0 } })
  const steps = () => desk.heard.filter(({ name, data }) => name === 'job' && data.job_id === job_id).map(({ data }) => data)
  await doJobs(s)
  await until(() => steps().some(({ state }) => state === 'done'))
  expect(steps()[0]).toEqual({ job_id, state: 'running', done: 0, total: 3 })
  expect(steps().at(-1)).toEqual({ job_id, state: 'done', done: 3, total: 3 })
  await s.as(reception).bulk.undo({ job_id: job_id ?? 0 })
  await doJobs(s)
  await until(() => steps().some(({ state }) => state === 'undone'))
  expect(steps().at(-1)).toEqual({ job_id, state: 'undone', done: 3, total: 3 })
  expect(other.count('job')).toBe(0)
  for (const stream of [desk, other]) stream.stop()
})

test('a person who loses their rights loses the stream at once (Z9)', async () => {
  const reception = await s.make.staff('reception')
  const desk = await openStream(reception)
  const [row] = await s.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [reception.uid])
  const { ticket } = await s.as(reception).live.ticket()
  await s.as(owner).team.disable({ staff_id: row?.staff_id ?? 0 })
  await desk.ended
  expect((await fetch(`${s.url}/api/admin/live?ticket=${encodeURIComponent(ticket)}`)).status).toBe(401)
})

const rowOf = async ({ uid }: Person) =>
  (await s.sql<{ staff_id: number }>('select staff_id from staff where uid = $1', [uid]))[0]?.staff_id ?? 0

test('a ticket of an API key has the rights of the key, and its stream ends with it (Z9, I2)', async () => {
  const { secret, api_key } = await s.as(await s.make.staff('owner')).apiKeys.create({ name: 'Pantalla', rights: ['roster.all'] })
  const program = { uid: '', email: '', token: secret, customer_id: 0 }
  const [all, screen] = [await openStream(owner), await openStream(program)]
  const { ticket } = await s.as(program).live.ticket()
  const [cls, ana] = [await s.make.class(), await s.make.customer()]
  const purchase_id = await sell(cls.location_id)
  await s.make.lot(ana)
  await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
  const ofClass = (data: StreamEvent['data']) => data.single_class_id === cls.single_class_id
  await until(() => screen.count('class', ofClass) > 0 && all.count('purchase', (data) => data.purchase_id === purchase_id) > 0)
  expect([screen.count('purchase'), screen.count('customer')]).toEqual([0, 0])
  await s.as(owner).apiKeys.revoke({ api_key_id: api_key.api_key_id })
  await screen.ended
  expect((await listen(ticket)).answer.status).toBe(401)
  all.stop()
})

test('on a shared device a stream has the rights of reception, and ends when it is locked or changes hands (Z9, E15)', async () => {
  const pinned = await s.make.staff('owner')
  await s.as(pinned).sharedDevice.setPin({ pin: '71935' })
  await s.as(pinned).sharedDevice.share()
  const unlock = async () => s.as(pinned).sharedDevice.choose({ staff_id: await rowOf(pinned), pin: '71935' })
  await unlock()
  const [all, ipad] = [await openStream(owner), await openStream(pinned)]
  const { ticket } = await s.as(pinned).live.ticket()
  const { location_id } = await s.make.location()
  const purchase_id = await sell(location_id)
  await until(() => [all, ipad].every((stream) => stream.count('purchase', (data) => data.purchase_id === purchase_id) > 0))
  await s.as(pinned).sharedDevice.lock()
  await ipad.ended
  expect((await listen(ticket)).answer.status).toBe(401)
  await unlock()
  const again = await openStream(pinned)
  await unlock()
  await again.ended
  all.stop()
})

test('changes of another process arrive, and after a gap everything is to be read again (Z11)', async () => {
  const other = await studio({ database: s.database })
  const desk = await openStream(owner, other)
  const { location_id } = await s.make.location()
  const purchase_id = await sell(location_id)
  await until(() => desk.count('purchase', (data) => data.purchase_id === purchase_id) > 0)
  await s.sql(
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query ilike 'listen estudio' and pid <> pg_backend_pid()`,
  )
  await until(() => desk.count('reload') > 0)
  await other.close()
  await desk.ended
})

test('the persons on a screen get each other’s names, until one leaves or stops reporting (Z12)', async () => {
  const [diego, sofia] = [await s.make.staff('reception'), await s.make.staff('manager')]
  const link = '/admin/clientes/7'
  const [first, other] = [await openStream(diego), await openStream(sofia)]
  expect(await s.as(diego).live.presence({ link, here: true })).toEqual({ names: [] })
  const { names } = await s.as(sofia).live.presence({ link, here: true })
  expect(names).toHaveLength(1)
  await until(() => first.count('presence', (data) => (data.names as string[]).length === 1) > 0)
  expect(first.heard.filter(({ name }) => name === 'presence').at(-1)?.data).toMatchObject({ link })
  await s.as(sofia).live.presence({ link, here: false })
  await until(() => {
    const last = first.heard.filter(({ name }) => name === 'presence').at(-1)
    return (last?.data.names as string[] | undefined)?.length === 0
  })
  expect((await s.as(sofia).live.presence({ link: '/admin/paquetes/3', here: true })).names).toEqual([])
  await s.as(sofia).live.presence({ link, here: true })
  const count = first.count('presence')
  other.stop()
  await until(() => first.count('presence', (data) => (data.names as string[]).length === 0) > 1 && first.count('presence') > count)
  for (const link of ['https://evil.example/admin', '/admin', '/admin/clientes/../../x', '/admin/<b>/7'])
    await expect(s.as(diego).live.presence({ link, here: true })).rejects.toMatchObject({ code: 'INVALID_INPUT' })
  expect(PRESENCE_SECONDS).toBeLessThanOrEqual(60)
  first.stop()
})
