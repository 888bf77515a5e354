/**
 * Verbs of several steps and what their jobs do, in a process that is killed at any moment: after the next process repeated the requests,
 * each has its effect once, and jobs have finished by themselves (docs/domain.md S15, V23, I7, X8, X9, PY4, L15, IM6, IM12, I7 to
 * I9, FA11).
 */
import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Refusal } from '#contract/errors.ts'
import { workOnImport } from '#server/modules/imports/run.ts'
import { startImport } from '#server/testing/imported-studio.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { newRun } from '#server/testing/run.ts'
import { type SecondProcess, secondProcess } from '#server/testing/second-process.ts'
import { type Client, type Person, studio, type TestStudio } from '#server/testing/studio.ts'

/** After how many milliseconds the process is killed, by round. */
const KILLS = [40, 250, 900]
const PERIODS = ['2026-09-01', '2026-09-16', '2026-10-01']
const PEOPLE = 30

let s: TestStudio
let owner: Person
let location_id: number
let cash: number
let coach: number
/** Messages of webhooks by id: how often each arrived. */
const got = new Map<string, number>()
/** Requests to the killed processes. */
const requests = { answered: 0, cut: 0 }
const receiver = createServer((req, res) => {
  req.resume().on('end', () => {
    const id = String(req.headers['webhook-id'])
    got.set(id, (got.get(id) ?? 0) + 1)
    setTimeout(() => res.writeHead(204).end(), 20)
  })
})

beforeAll(async () => {
  s = await studio({
    at: '2026-11-16T10:00:00-06:00',
    env: { WEBHOOKS_LOOPBACK: '1' },
    settings: {
      cash_session_required: false,
      pos_refund_max: '100000',
      global_invoice: 'day',
      business_regime: '601',
      business_rfc: 'EKU9003173C9',
      business_legal_name: 'Escuela Kemper Urgate',
      business_postal_code: '42501',
    },
  })
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo', kind: 'cash' })).payment_method_id
  coach = (await s.make.instructor()).instructor_id
  await new Promise<void>((resume) => receiver.listen(0, '127.0.0.1', resume))
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/avisos`
  await s.as(owner).webhooks.create({ url, event_types: ['customer.created', 'purchase.completed'] })
})
afterAll(async () => {
  receiver.closeAllConnections()
  receiver.close()
  await s.close()
})

const boss = (key: string = randomUUID()) => s.as(owner, key)

async function giftCard(amount: string): Promise<string> {
  const { sale } = await boss().counterSales.sell({
    customer_id: null,
    location_id,
    lines: [{ kind: 'gift_card', amount }],
    shown: { total: amount },
    payments: [{ payment_method_id: cash, amount }],
  })
  return sale.lines[0]?.gift_card?.code ?? ''
}
let digits = 5_000
/** A package paid in cash, with a gift card and by a saved card, as an order that is opened by a client. */
async function splitOrder() {
  const { class_package_id } = await s.make.package({ price_centavos: 100_000 })
  const customer = await s.make.customer()
  const { payment_source } = await s.as(customer).cards.keep({ token_id: `tok_ok~visa~${++digits}~122030~k` })
  const code = await giftCard('200')
  const input = {
    customer_id: customer.customer_id,
    location_id,
    payment_source_id: payment_source?.payment_source_id ?? 0,
    shown: { total: '1000' },
    lines: [{ kind: 'package' as const, class_package_id }],
    payments: [
      { payment_method_id: cash, amount: '300' },
      { gift_card_code: code, amount: '200' },
    ],
  }
  return { who: customer, open: (client: Client) => client.counterOrders.open(input) }
}

interface Attempt {
  key: string
  send(client: Client): Promise<unknown>
  /** Refusals that mean that it was done before. */
  done?: string[]
}

/** Repeats a request until there is an answer that means something. */
async function repeated(on: SecondProcess, { key, send, done = [] }: Attempt): Promise<void> {
  const until = performance.now() + 60_000
  for (;;) {
    try {
      await send(on.as(owner, key))
      return
    } catch (error) {
      const { code = '' } = error as { code?: string }
      if (done.includes(code)) return
      const isPassing =
        !(error instanceof Refusal) && ['BUSY', 'PAYMENT_IN_PROGRESS', 'REFUND_IN_PROGRESS', 'PAYMENT_TRY_LATER'].includes(code)
      if (!isPassing || performance.now() > until) throw new Error(`${key}: ${code}`, { cause: error })
      await sleep(200)
    }
  }
}

const value = async (text: string, values: unknown[] = []) =>
  Object.values((await s.sql<Record<string, unknown>>(text, values))[0] ?? {})[0]

// Slow: two processes for each moment, and leases of killed ones expire.
test.each(KILLS.map((after, round) => ({ after, round })))('killed after $after ms', { timeout: 240_000 }, async ({ after, round }) => {
  const word = `Ronda${round}`
  s.clock.set(`2026-11-${17 + 3 * round}T12:00:00-06:00`)
  const env = { WEBHOOKS_LOOPBACK: '1', DATA_DIR: s.dataDir }
  // What exists before.
  const order = await splitOrder()
  const earlier = await splitOrder()
  const { purchase } = await earlier.open(boss())
  const charges = await s.sql<{ invoice_id: number; gateway: string }>('select invoice_id, gateway from invoice where purchase_id = $1', [
    purchase.purchase_id,
  ])
  expect(charges.map(({ gateway }) => gateway).sort()).toHaveLength(3)
  const creditLotIds = await Promise.all(
    Array.from({ length: PEOPLE }, async () => (await s.make.lot(await s.make.customer())).available_class_id),
  )
  const ends = await value('select sum(extract(epoch from expires_at))::float8 from available_class where available_class_id = any($1)', [
    creditLotIds,
  ])
  // Without credits: the holiday would lengthen them, and what was changed is not taken back.
  const rows = Array.from({ length: PEOPLE }, (_, n) => `${word}-${n},${word} ${n},Prueba,${word}${n}@importados.test`)
  const file = `ID cliente,Nombre,Apellidos,Correo\n${rows.join('\n')}`
  const { import_id } = await startImport(s, owner, 'customers', file)
  await workOnImport(s.system(), { import_id }, newRun())
  const period = PERIODS[round] ?? ''
  await boss().payrolls.adjust({ period, instructor_id: coach, amount: '100', note: 'Bono' })
  // The charges of this day are due two days later.
  s.clock.advance({ days: 2 })
  const [first, other, apart, together] = [await s.make.buyer(), await s.make.buyer(), await s.make.buyer(), await s.make.buyer()]
  const merged = await boss().customerMerge.merge({ keep_id: apart.customer_id, merge_id: together.customer_id })

  const attempts: Attempt[] = [
    { key: `order-${round}`, send: order.open },
    ...charges.map(({ invoice_id, gateway }) => ({
      key: `refund-${invoice_id}`,
      send: (client: Client) =>
        client.studioSales.refund({
          purchase_id: purchase.purchase_id,
          invoice_id,
          reason: 'Prueba',
          ...(gateway === 'sandbox' || gateway === 'regalo' ? {} : { by_hand: true, payment_method_id: cash }),
        }),
    })),
    {
      key: `merge-${round}`,
      send: (client) => client.customerMerge.merge({ keep_id: first.customer_id, merge_id: other.customer_id }),
      done: ['NOT_FOUND'],
    },
    {
      key: `separate-${round}`,
      send: (client) => client.customerMerge.undo({ customer_merge_id: merged.customer_merge_id ?? 0 }),
      done: ['NOT_FOUND'],
    },
    { key: `pay-${round}`, send: (client) => client.payrolls.approve({ period, total: '100.00' }), done: ['PAYROLL_APPROVED'] },
    {
      key: `holiday-${round}`,
      send: (client) =>
        client.holidays.add({ holidays: [{ name: word, from: `2026-12-${10 + round}`, to: `2026-12-${10 + round}` }], extend_days: 3 }),
    },
    { key: `undo-${round}`, send: (client) => client.imports.undo({ import_id }), done: ['IMPORT_STATE'] },
    { key: `export-${round}`, send: (client) => client.studioExport.start({ with_files: false }) },
  ]
  const doomed = await secondProcess(s, { work: true, env })
  await s.studio.jobs.send({ name: 'fiscal.global', data: {} })
  const sent = attempts.map(({ key, send }) => send(doomed.as(owner, key)))
  const answers = sent.map((answer) =>
    answer.then(
      () => requests.answered++,
      () => requests.cut++,
    ),
  )
  await sleep(after)
  // In the last round some were answered, however busy the machine is.
  if (after === KILLS.at(-1)) await Promise.any(sent)
  await doomed.kill()
  await Promise.all(answers)

  s.clock.advance({ minutes: 2 })
  const next = await secondProcess(s, { work: true, env })
  await Promise.all(attempts.map((each) => repeated(next, each)))
  // What the schedule does every minute.
  for (const name of ['fiscal.recover', 'fiscal.global']) await s.studio.jobs.send({ name, data: {} })
  const isOver = async () => ({
    import: await value('select state from import where import_id = $1', [import_id]),
    exports: await value(`select count(*)::int from studio_export where state <> 'done'`),
    webhooks: await value(`select count(*)::int from webhook_delivery where state = 'waiting'`),
    stamping: await value(`select count(*)::int from fiscal_document where state = 'stamping'`),
    refunds: await value(`select count(*)::int from refund where state = 'asked'`),
    uninvoiced: await value(
      `select count(*)::int from invoice i where purchase_id = $1 and gateway <> 'regalo' and not exists (select 1 from fiscal_line l where l.invoice_id = i.invoice_id and l.live)
        and status in ('paid', 'partially_refunded')`,
      [purchase.purchase_id],
    ),
  })
  const over = { import: 'undone', exports: 0, webhooks: 0, stamping: 0, refunds: 0, uninvoiced: 0 }
  const until = performance.now() + 120_000
  let state = await isOver()
  while (JSON.stringify(state) !== JSON.stringify(over) && performance.now() < until) {
    await sleep(300)
    state = await isOver()
  }
  expect(state).toEqual(over)
  await next.close()

  const bought = await s.sql(`select status from purchase where customer_id = $1`, [order.who.customer_id])
  expect(bought).toEqual([{ status: 'completed' }])
  const kinds = await s.sql<{ kind: string; n: number }>(
    `select kind, count(*)::int as n from sandbox_ledger l join purchase p using (purchase_id) where p.customer_id = any($1) group by 1 order by 1`,
    [[order.who.customer_id, earlier.who.customer_id]],
  )
  expect(kinds).toEqual([
    { kind: 'charge', n: 2 },
    { kind: 'refund', n: 1 },
  ])
  const back = await s.sql(`select state, amount_centavos as amount from refund where purchase_id = $1 order by 2`, [purchase.purchase_id])
  expect(back).toEqual([20_000, 30_000, 50_000].map((amount) => ({ state: 'done', amount })))
  expect(
    await s.sql('select customer_id, merged_into from customer where customer_id = any($1) order by 1', [
      [other, apart, together].map((person) => person.customer_id),
    ]),
  ).toEqual([
    { customer_id: other.customer_id, merged_into: first.customer_id },
    { customer_id: apart.customer_id, merged_into: null },
    { customer_id: together.customer_id, merged_into: null },
  ])
  expect(
    await value(
      `select count(*)::int from payroll_line join payroll_period using (payroll_period_id) where from_day = $1 and "approvedAt" is not null`,
      [period],
    ),
  ).toBe(1)
  expect(await value('select count(*)::int from holiday where name = $1', [word])).toBe(1)
  expect(
    await value('select sum(extract(epoch from expires_at))::float8 from available_class where available_class_id = any($1)', [
      creditLotIds,
    ]),
  ).toBe((ends as number) + PEOPLE * 3 * 86_400)
  expect(await value(`select count(*)::int from customer where email like $1`, [`${word.toLowerCase()}%@importados.test`])).toBe(0)
  const deliveries = await s.sql<{ message_id: string }>('select message_id from webhook_delivery')
  expect(deliveries.filter(({ message_id }) => !got.has(message_id))).toEqual([])
  expect(await s.sql('select invoice_id from fiscal_line where live and refund_id is null group by 1 having count(*) > 1')).toEqual([])
  expect(await wrongMoney(s, false)).toEqual({})
})

test('requests of both kinds were made: answered and cut off', () => {
  expect({ answered: requests.answered > 0, cut: requests.cut > 0 }).toEqual({ answered: true, cut: true })
})
