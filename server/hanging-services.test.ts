/**
 * The mail server, WhatsApp, one processor, the receiver of a webhook and a push service accept connections and never answer, all at once:
 * purchases, holds and refunds keep working, because each queue of jobs waits for one of them only (server/adapters/queues.ts). A process
 * killed while it sent leaves nothing for minutes.
 */
import { createECDH, randomBytes, randomUUID } from 'node:crypto'
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { loopbackSmtp } from '#server/testing/loopback-smtp.ts'
import { loopbackWhatsApp } from '#server/testing/loopback-whatsapp.ts'
import { secondProcess } from '#server/testing/second-process.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

/** A server that accepts every connection and never answers. */
async function silentServer(): Promise<{ port: number; connections: () => number; close(): Promise<void> }> {
  const sockets = new Set<Socket>()
  let seen = 0
  const server: Server = createServer((socket) => {
    seen++
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    socket.resume()
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    port: (server.address() as AddressInfo).port,
    connections: () => seen,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}

const WHATSAPP = { WHATSAPP_TOKEN: 'una-clave', WHATSAPP_PHONE_ID: '1065' }

describe('mail, WhatsApp, Stripe, a webhook’s receiver and a push service hang at the same time', () => {
  let s: TestStudio
  let owner: Person
  const silent: Awaited<ReturnType<typeof silentServer>>[] = []
  beforeAll(async () => {
    for (let n = 0; n < 5; n++) silent.push(await silentServer())
    const [mail, whatsapp, stripe] = silent.map(({ port }) => port)
    s = await studio({
      at: new Date(),
      work: true,
      env: {
        ...WHATSAPP,
        WEBHOOKS_LOOPBACK: '1',
        PUSH_LOOPBACK: '1',
        SMTP_URL: `smtp://127.0.0.1:${mail}`,
        WHATSAPP_API_BASE: `http://127.0.0.1:${whatsapp}`,
        STRIPE_SECRET_KEY: 'sk_test_silent',
        STRIPE_API_BASE: `http://127.0.0.1:${stripe}`,
      },
      settings: {
        waitlist_enabled: true,
        waitlist_mode: 'oferta',
        quiet_hours_start: 0,
        quiet_hours_end: 0,
        message_channels: { reservation_confirmed: ['mail', 'whatsapp', 'push', 'app'] },
      },
    })
    owner = await s.make.staff('owner')
    await s.as(owner).webhooks.create({ url: `http://127.0.0.1:${silent[3]?.port}/avisos`, event_types: ['booking.created'] })
  })
  afterAll(async () => {
    await s?.close()
    for (const peer of silent) await peer.close()
  })

  const until = (check: () => Promise<void>) =>
    vi.waitFor(
      async () => {
        // The sandbox settles by the studio's clock.
        s.clock.set(new Date())
        await check()
      },
      { timeout: 20_000, interval: 100 },
    )
  const states = async (queue: string): Promise<Record<string, number>> => {
    const rows = await s.sql<{ state: string; n: number }>(
      `select state, count(*)::int as n from jobs.job where name = $1 group by state`,
      [queue],
    )
    return Object.fromEntries(rows.map(({ state, n }) => [state, n]))
  }

  test('purchases, waitlist holds and refunds continue while other queues wait (W5, V8, V18)', async () => {
    // Sixty people whose confirmations go by mail and by WhatsApp, and forty notices that only Stripe can explain.
    const { single_class_id } = await s.make.class({ capacity: 60, starts_at: new Date(Date.now() + 48 * 3_600_000) })
    const browser = createECDH('prime256v1')
    browser.generateKeys()
    const keys = { p256dh: browser.getPublicKey('base64url'), auth: randomBytes(16).toString('base64url') }
    for (let n = 0; n < 30; n++) {
      const customer = await s.make.customer({ phone: `5530${String(100 + n)}390` })
      await s.make.lot(customer)
      await s.as(customer).messages.setPreferences({ whatsapp: true })
      await s.as(customer).push.add({ ...keys, endpoint: `http://127.0.0.1:${silent[4]?.port}/${n}` })
      await s.as(customer).bookings.reserve({ single_class_id })
    }
    for (let n = 0; n < 40; n++) {
      const [row] = await s.sql<{ id: number }>(
        `insert into provider_event (gateway, event_id, about, "receivedAt") values ('stripe', $1, $2, now()) returning provider_event_id as id`,
        [`evt_${n}`, JSON.stringify([{ kind: 'payment', id: `pi_${n}` }])],
      )
      await s.studio.jobs.send({ name: 'sales.event', data: { provider_event_id: row?.id, gateway: 'stripe' } })
    }
    await until(async () => {
      for (const peer of silent) expect(peer.connections()).toBeGreaterThan(0)
      for (const queue of ['mail', 'whatsapp', 'processor-stripe']) {
        const now = await states(queue)
        expect(now, queue).toMatchObject({ active: expect.any(Number), created: expect.any(Number) })
      }
    })

    // A purchase whose outcome comes as a notice of another processor.
    const [ana, classPackage] = [await s.make.customer(), await s.make.package({ class_amount: 3 })]
    const { purchase_id } = await s
      .as(ana, randomUUID())
      .sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_async' })
    const statusOf = async (id: number) =>
      (await s.sql<{ status: string }>('select status from purchase where purchase_id = $1', [id]))[0]?.status
    await until(async () => expect(await statusOf(purchase_id)).toBe('completed'))

    // A hold of the waitlist that is over: the place is offered on.
    const cls = await s.make.class({ capacity: 1, starts_at: new Date(Date.now() + 72 * 3_600_000) })
    const [inside, first, second] = [await s.make.customer(), await s.make.customer(), await s.make.customer()]
    for (const customer of [inside, first, second]) await s.make.lot(customer)
    const reservation = await s.as(inside).bookings.reserve({ single_class_id: cls.single_class_id })
    for (const customer of [first, second]) await s.as(customer).waitlist.join({ single_class_id: cls.single_class_id })
    await s.as(inside).bookings.cancel({ class_reservation_id: reservation.class_reservation.class_reservation_id })
    const offered = () =>
      s.sql<{ customer_id: number }>(`select customer_id from waitlist where single_class_id = $1 and status = 'offered'`, [
        cls.single_class_id,
      ])
    await until(async () => expect(await offered()).toEqual([{ customer_id: first.customer_id }]))
    await s.sql(`update waitlist set offer_until = now() - interval '1 second' where single_class_id = $1 and status = 'offered'`, [
      cls.single_class_id,
    ])
    await s.studio.jobs.send({ name: 'waitlist.sweep', data: {} })
    await until(async () => expect(await offered()).toEqual([{ customer_id: second.customer_id }]))

    // A refund that a dead process left open, and a cash purchase whose hold is over.
    const [charge] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [purchase_id])
    await s.sql(
      `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, staff_id, "createdAt", "updatedAt")
       values ($1, $2, 10000, false, 'prueba', 'asked', $3, now() - interval '5 minutes', now() - interval '5 minutes')`,
      [purchase_id, charge?.invoice_id, owner.customer_id || null],
    )
    await s.studio.jobs.send({ name: 'sales.refunds', data: {} })
    await until(async () =>
      expect(await s.sql('select state from refund where purchase_id = $1', [purchase_id])).toEqual([{ state: 'done' }]),
    )
    await s.studio.jobs.send({ name: 'sales.sweep', data: {} })
    await until(async () => expect((await states('processor-stripe')).active).toBeGreaterThan(0))
    await until(async () =>
      expect(
        await s.sql(
          `select 1 from jobs.job where data->>'job' = 'sales.sweep-gateway' and data->'data'->>'gateway' = 'sandbox' and state = 'completed'`,
        ),
      ).not.toEqual([]),
    )

    // The hanging calls still hang, no job beside them lost a retry, and the figures name the waiting queues.
    const figures = await s.studio.jobs.figures()
    const waitingIn = (queue: string) => figures.find((row) => row.queue === queue)
    expect(waitingIn('mail')?.waiting).toBeGreaterThan(0)
    expect(waitingIn('whatsapp')?.waiting).toBeGreaterThan(0)
    expect(waitingIn('processor-stripe')?.waiting).toBeGreaterThan(0)
    expect(await s.sql(`select data->>'job' as job from jobs.job where name = 'estudio' and (state = 'retry' or retry_count > 0)`)).toEqual(
      [],
    )
    // Waits for the jobs of several queues, one after another.
  }, 120_000)
})

test('messages of a killed process are sent within half a minute, on WhatsApp never twice (M6)', async () => {
  const [mail, silent] = [await loopbackSmtp(), await silentServer()]
  const meta = await loopbackWhatsApp({ token: WHATSAPP.WHATSAPP_TOKEN, phoneId: WHATSAPP.WHATSAPP_PHONE_ID })
  const outside = { ...WHATSAPP, WHATSAPP_API_BASE: meta.url, MAIL_FROM: 'hola@vaiven.mx' }
  const s = await studio({ at: new Date(), env: { ...outside, SMTP_URL: `smtp://127.0.0.1:${mail.port}` } })
  try {
    // It sends to a mail server that hangs, and dies there.
    const victim = await secondProcess(s, { work: true, env: { ...outside, SMTP_URL: `smtp://127.0.0.1:${silent.port}` } })
    const ana = await s.make.customer()
    await s.make.lot(ana)
    const { single_class_id } = await s.make.class({ starts_at: new Date(Date.now() + 48 * 3_600_000) })
    await s.as(ana).bookings.reserve({ single_class_id })
    const sending = () => s.sql(`select 1 from message where channel = 'mail' and status = 'sending'`)
    for (let n = 0; n < 200 && (await sending()).length === 0; n++) await sleep(50)
    expect(await sending()).toHaveLength(1)
    await victim.kill()
    const began = performance.now()
    await s.studio.work()
    await vi.waitFor(() => expect(mail.received).toHaveLength(1), { timeout: 60_000, interval: 100 })
    expect(performance.now() - began).toBeLessThan(30_000)
    await vi.waitFor(async () => expect(await s.sql(`select status from message where channel = 'mail'`)).toEqual([{ status: 'sent' }]))
  } finally {
    await s.close()
    await mail.close()
    await meta.close()
    await silent.close()
  }
  // Two programs start, and the lease of the killed one has to run out.
}, 120_000)
