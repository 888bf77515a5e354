/** Notifications on the devices of a person: recipients, the page that a tap opens, and how subscriptions end (M14 to M16). */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { endPushOfSession, openPushDevices } from '#server/modules/people/push-devices.ts'
import { type LoopbackPush, loopbackPush } from '#server/testing/loopback-push.ts'
import { type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { sweepMessages } from '#server/testing/work.ts'
import { enqueueMessages, type OutgoingMessage } from './messages.ts'

let s: TestStudio
let service: LoopbackPush
beforeAll(async () => {
  service = await loopbackPush()
  s = await studio({ env: { PUSH_LOOPBACK: '1' }, settings: { waitlist_enabled: true } })
})
afterAll(async () => {
  await s.close()
  await service.close()
})
beforeEach(() => s.reset({ waitlist_enabled: true }))

type Ending = Parameters<LoopbackPush['subscribe']>[1]
async function subscribed(person: Person, ending?: Ending) {
  const { key } = await s.as(person).push.devices()
  const device = service.subscribe(key, ending)
  await s.as(person).push.add(device)
  return device
}
const endpointsOf = async (person: Person) => (await s.as(person).push.devices()).endpoints
let n = 0
const messageTo = (person: Person, more: Partial<OutgoingMessage> = {}): OutgoingMessage => ({
  event: 'waitlist_open',
  about: `opening:${++n}`,
  to: { customer_id: person.customer_id },
  before: null,
  texts: (name) => ({
    title: 'Se liberó un lugar',
    lines: ['Reformer, vie 20 nov, 10:00.', 'Es de quien reserve primero.'],
    notes: [],
    action: { label: 'Reservar', path: '/mystudio?clase=7' },
    blanks: [name, 'Reformer', 'vie 20 nov, 10:00', 'Roma Norte'],
  }),
  ...more,
})
async function enqueue(...messages: OutgoingMessage[]) {
  const ctx = s.system()
  await ctx.tx((tx) => enqueueMessages(tx, ctx, messages))
  await sweepMessages(ctx, {})
}
const states = async (person: Person) =>
  (
    await s.sql<{ channel: string; status: string }>('select channel, status from message where customer_id = $1 order by message_id', [
      person.customer_id,
    ])
  ).map(({ channel, status }) => `${channel} ${status}`)
const shownOn = ({ endpoint }: { endpoint: string }) => service.shown.filter((pushedMessage) => pushedMessage.endpoint === endpoint)

describe('sending', () => {
  test('goes to every device, opens the page of the message, and replaces itself; without a device it is not sent', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const [phone, laptop] = [await subscribed(ana), await subscribed(ana)]
    await enqueue(messageTo(ana), messageTo(eva))
    expect(await states(ana)).toEqual(['whatsapp sent', 'mail sent', 'push sent', 'app sent'])
    expect(await states(eva)).toEqual(['whatsapp sent', 'mail sent', 'app sent'])
    for (const device of [phone, laptop]) {
      const [shown, ...others] = shownOn(device)
      expect(others).toEqual([])
      expect(shown).toMatchObject({
        ttl: 86_400,
        urgency: 'normal',
        topic: shown?.notification.tag,
        notification: {
          title: 'Se liberó un lugar',
          body: 'Reformer, vie 20 nov, 10:00.\nEs de quien reserve primero.',
          path: '/mystudio?clase=7',
        },
      })
    }
    expect(service.faults).toEqual([])
  })

  test('waits for the end of the quiet hours, unless its class comes before (M4)', async () => {
    const ana = await s.make.customer()
    const device = await subscribed(ana)
    s.clock.set('2026-11-19T23:00:00-06:00')
    const soon = new Date('2026-11-20T01:00:00-06:00')
    await enqueue(messageTo(ana), messageTo(ana, { before: soon }))
    expect(shownOn(device)).toHaveLength(1)
    expect(shownOn(device)[0]).toMatchObject({ urgency: 'high', ttl: 7_200 })
    s.clock.set('2026-11-20T08:00:00-06:00')
    await sweepMessages(s.system(), {})
    expect(shownOn(device)).toHaveLength(2)
  })

  test('the studio switches it off by event (M12), and writes its own text (M11)', async () => {
    const [ana, owner] = [await s.make.customer(), await s.make.staff('owner')]
    const device = await subscribed(ana)
    const text = { subject: 'Corre, {{nombre}}', text: '{{detalles}}' }
    await s.as(owner).messageTemplates.change({ event: 'waitlist_open', channel: 'push', ...text })
    await enqueue(messageTo(ana))
    expect(shownOn(device).at(-1)?.notification).toMatchObject({
      title: expect.stringMatching(/^Corre, /),
      body: expect.stringContaining('Reformer'),
    })
    await s.as(owner).messageTemplates.change({ event: 'waitlist_open', channel: 'push', enabled: false })
    await enqueue(messageTo(ana))
    expect(shownOn(device)).toHaveLength(1)
    await s.as(owner).messageTemplates.change({ event: 'waitlist_open', channel: 'push', subject: '', text: '', enabled: true })
  })

  test('staff try it on their own devices (M13)', async () => {
    const ana = await s.make.customer()
    await s.sql(`insert into staff (uid, name, email, role) values ($1, 'Ana', $2, 'owner')`, [ana.uid, ana.email])
    const trial = () => s.as(ana).messageTemplates.test({ event: 'waitlist_open', channel: 'push' })
    expect((await refusalOf(trial())).code).toBe('NO_OWN_PUSH')
    const device = await subscribed(ana)
    expect(await trial()).toEqual({ ok: true, to: 'tus dispositivos' })
    await sweepMessages(s.system(), {})
    expect(shownOn(device)).toHaveLength(1)
  })
})

describe('failures', () => {
  test('a device that is gone is forgotten; the others still get it, and without any an email takes its place (M6)', async () => {
    await s.change({ message_channels: { waitlist_open: ['push', 'app'] } })
    const ana = await s.make.customer()
    const [expired, phone] = [await subscribed(ana, 'gone'), await subscribed(ana)]
    await enqueue(messageTo(ana))
    expect(await states(ana)).toEqual(['push sent', 'app sent'])
    expect(await endpointsOf(ana)).toEqual([phone.endpoint])
    expect(shownOn(expired)).toEqual([])
    const eva = await s.make.customer()
    await subscribed(eva, 'gone')
    await enqueue(messageTo(eva))
    await sweepMessages(s.system(), {})
    expect(await states(eva)).toEqual(['push failed', 'app sent', 'mail sent'])
    // Without a device from the start, too (M3).
    await enqueue(messageTo(eva))
    expect((await states(eva)).slice(3)).toEqual(['app sent', 'mail sent'])
  })

  test('an email that is sent anyway is not repeated', async () => {
    const ana = await s.make.customer()
    await subscribed(ana, 'refuses')
    await enqueue(messageTo(ana))
    expect(await states(ana)).toEqual(['whatsapp sent', 'mail sent', 'push failed', 'app sent'])
  })

  test('a service that fails is tried again, also after a process died while it sent', async () => {
    const ana = await s.make.customer()
    await subscribed(ana, 'broken')
    await enqueue(messageTo(ana))
    expect(await states(ana)).toContain('push waiting')
    await s.sql(`update message set status = 'sending', "claimedAt" = $2 where customer_id = $1 and channel = 'push'`, [
      ana.customer_id,
      new Date(s.clock.now().getTime() - 600_000),
    ])
    await s.as(ana).push.remove({ endpoint: (await endpointsOf(ana))[0] ?? '' })
    const phone = await subscribed(ana)
    s.clock.advance({ minutes: 2 })
    await sweepMessages(s.system(), {})
    expect(await states(ana)).toContain('push sent')
    expect(shownOn(phone)).toHaveLength(1)
  })
})

describe('devices', () => {
  test('an address outside the internet or a key that is none is refused', async () => {
    const ana = await s.make.customer()
    const device = service.subscribe((await s.as(ana).push.devices()).key)
    const wrong = [
      { endpoint: 'https://10.0.0.5/x' },
      { endpoint: 'ftp://push.ejemplo.mx/x' },
      { p256dh: 'A'.repeat(87) },
      { auth: 'A'.repeat(21) },
    ]
    for (const change of wrong) expect((await refusalOf(s.as(ana).push.add({ ...device, ...change }))).code).toBe('INVALID_INPUT')
    expect(await endpointsOf(ana)).toEqual([])
  })

  test('a device belongs to the last account that switched it on, and an account has ten at most', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const shared = await subscribed(ana)
    await s.as(eva).push.add(shared)
    expect([await endpointsOf(ana), await endpointsOf(eva)]).toEqual([[], [shared.endpoint]])
    // The subscription of another customer stays.
    await s.as(ana).push.remove({ endpoint: shared.endpoint })
    expect(await endpointsOf(eva)).toHaveLength(1)
    for (let at = 0; at < 11; at++) await subscribed(ana)
    expect(await endpointsOf(ana)).toHaveLength(10)
  })

  test('a renewed subscription replaces the old one for the holder of its secret, and keeps its session', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const [old, others] = [await subscribed(ana), await subscribed(eva)]
    const { key } = await s.as(ana).push.devices()
    const renewed = service.subscribe(key)
    const renew = (secret: string, to: typeof old) => s.as(null).push.renew({ old: { endpoint: old.endpoint, auth: secret }, renewed: to })
    await renew(others.auth, renewed)
    expect(await endpointsOf(ana)).toEqual([old.endpoint])
    expect((await refusalOf(renew(old.auth, { ...renewed, endpoint: 'https://10.0.0.5/x' }))).code).toBe('INVALID_INPUT')
    const [before] = await s.sql('select uid, session from push_device where endpoint = $1', [old.endpoint])
    await renew(old.auth, renewed)
    expect(await s.sql('select uid, session from push_device where endpoint = $1', [renewed.endpoint])).toEqual([before])
    expect(await endpointsOf(ana)).toEqual([renewed.endpoint])
    await enqueue(messageTo(ana))
    expect([shownOn(renewed).length, shownOn(old)]).toEqual([1, []])
    // Once: the old secret is worth nothing any more.
    await renew(old.auth, old)
    expect(await endpointsOf(ana)).toEqual([renewed.endpoint])
    // A device that another account has meanwhile stays there.
    await s.as(null).push.renew({ old: { endpoint: renewed.endpoint, auth: renewed.auth }, renewed: others })
    expect([await endpointsOf(ana), await endpointsOf(eva)]).toEqual([[], [others.endpoint]])
  })

  test('ends with the session in which it was added, and with the account', async () => {
    const [ana, eva] = [await s.make.customer(), await s.make.customer()]
    const [phone] = [await subscribed(ana), await subscribed(eva)]
    await s.sql('update push_device set session = $2 where endpoint = $1', [phone.endpoint, '999999'])
    // The session has ended elsewhere.
    expect(await openPushDevices(s.system(), { customer_id: ana.customer_id, staff_id: null })).toEqual([])
    expect(await endpointsOf(ana)).toEqual([])
    await s.system().tx((tx) => endPushOfSession(tx, eva.uid, 'otra'))
    expect(await endpointsOf(eva)).toHaveLength(1)
    await s.as(eva).people.sessions.end()
    expect(await s.sql('select 1 from push_device where uid = $1', [eva.uid])).toEqual([])
  })

  test('a record that was merged keeps its devices', async () => {
    const [ana, old] = [await s.make.customer(), await s.make.customer()]
    const device = await subscribed(old)
    await s.sql('update customer set merged_into = $2, "deletedAt" = now() where customer_id = $1', [old.customer_id, ana.customer_id])
    await enqueue(messageTo(ana))
    expect(shownOn(device)).toHaveLength(1)
  })
})
