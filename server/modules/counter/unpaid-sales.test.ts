/** What a sale still owes is the same wherever it is read, whatever happened to it in whatever order (docs/domain.md S4, V45, RE29). */
import { randomUUID } from 'node:crypto'
import { ORPCError } from '@orpc/client'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { adminPaths } from '#contract/admin-paths.ts'
import { oweReservationRefund, withdrawReservationRefund } from '#server/modules/sales/sales.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Person, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
let location_id: number
let cash: number
let transfer: number
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '200.00', cash_session_required: false } })
  owner = await s.make.staff('owner')
  location_id = (await s.make.location()).location_id
  cash = (await s.make.paymentMethod({ name: 'Efectivo' })).payment_method_id
  transfer = (await s.make.paymentMethod({ name: 'Transferencia' })).payment_method_id
})
afterAll(() => s.close())

const desk = () => s.as(owner, randomUUID())
/** A step that is refused in this state changes nothing. */
const unlessRefused = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error: unknown) => {
    if (!(error instanceof ORPCError)) throw error
  })
const pesosOf = (centavos: number) => (centavos / 100).toFixed(2)
const VERBS = ['cash', 'transfer', 'gift', 'confirm', 'reject', 'refund', 'cancel', 'cancel', 'restore', 'restore', 'revoke'] as const
const steps = fc.array(fc.record({ verb: fc.constantFrom(...VERBS), at: fc.nat(20), part: fc.integer({ min: 1, max: 100 }) }), {
  minLength: 4,
  maxLength: 12,
})
type Step = (typeof steps extends fc.Arbitrary<infer T> ? T : never) extends (infer One)[] ? One : never

/** A sale of two places and a towel, all of it owed, with what happens to it. */
async function follow(all: readonly Step[]) {
  const customer = await s.make.customer()
  const { customer_id } = customer
  const inDays = (days: number) => new Date(s.clock.now().getTime() + days * 86_400_000)
  const classes = [await s.make.class({ location_id, starts_at: inDays(4) }), await s.make.class({ location_id, starts_at: inDays(5) })]
  const { sale } = await desk().counterSales.sell({
    customer_id,
    location_id,
    payments: [],
    shown: { total: '425.50' },
    owe: { until: '2026-12-19', reason: 'Quincena' },
    lines: [
      ...classes.map(({ single_class_id }) => ({ kind: 'class' as const, single_class_id })),
      { kind: 'other', title: 'Toalla', amount: '25.50' },
    ],
  })
  const sale_id = sale.sale_id ?? 0
  const cancelled: { purchase_id: number; amount: number }[] = []
  const purchases = () =>
    s.sql<{ purchase_id: number; left: number }>(
      `select purchase_id, total_centavos - waived_centavos as left from purchase where sale_id = $1 and status = 'completed' order by 1`,
      [sale_id],
    )
  const charges = (where: string) =>
    s.sql<{ invoice_id: number; purchase_id: number; left: number }>(
      `select i.invoice_id, i.purchase_id, i.total_centavos - i.refunded_centavos as left from invoice i join purchase using (purchase_id)
       where sale_id = $1 and i.${where} order by 1`,
      [sale_id],
    )
  const pick = <T>(rows: readonly T[], at: number) => rows[at % Math.max(1, rows.length)]

  async function pay(verb: 'cash' | 'transfer' | 'gift', part: number): Promise<void> {
    const owed = Math.round(Number((await desk().counterSales.one({ sale_id })).sale.owed) * 100)
    if (owed === 0) return
    const amount = pesosOf(Math.max(1, Math.ceil((owed * part) / 100)))
    if (verb !== 'gift') {
      await desk().counterSales.pay({ sale_id, payments: [{ payment_method_id: verb === 'cash' ? cash : transfer, amount }] })
      return
    }
    const { sale: sold } = await desk().counterSales.sell({
      customer_id: (await s.make.customer()).customer_id,
      location_id,
      shown: { total: '500' },
      lines: [{ kind: 'gift_card' as const, amount: '500' }],
      payments: [{ payment_method_id: cash, amount: '500' }],
    })
    const gift_card_code = sold.lines[0]?.gift_card?.code ?? ''
    await desk().counterSales.pay({ sale_id, payments: [{ gift_card_code, amount }] })
  }
  async function take({ verb, at, part }: Step): Promise<void> {
    if (verb === 'cash' || verb === 'transfer' || verb === 'gift') {
      await pay(verb, part)
      return
    }
    if (verb === 'confirm' || verb === 'reject') {
      const charge = pick(await charges(`status = 'pending'`), at)
      if (!charge) return
      const { invoice_id } = charge
      if (verb === 'confirm') await desk().counterSales.confirm({ invoice_id })
      else await desk().counterSales.reject({ invoice_id, reason: 'No llegó' })
      return
    }
    if (verb === 'refund') {
      const charge = pick(await charges(`status in ('paid', 'partially_refunded')`), at)
      if (!charge) return
      const { invoice_id, purchase_id, left } = charge
      const amount = pesosOf(Math.ceil((left * part) / 100))
      await unlessRefused(
        desk().studioSales.refund({ purchase_id, invoice_id, amount, by_hand: true, payment_method_id: cash, reason: 'Prueba' }),
      )
      return
    }
    const ctx = s.system()
    if (verb === 'restore') {
      const spot = cancelled[at % Math.max(1, cancelled.length)]
      if (!spot) return
      await ctx.tx((tx) => withdrawReservationRefund(tx, ctx, spot))
      cancelled.splice(cancelled.indexOf(spot), 1)
      return
    }
    const purchase = pick(await purchases(), at)
    if (!purchase) return
    const { purchase_id, left } = purchase
    if (verb === 'revoke') {
      await unlessRefused(desk().studioSales.revokeAccess({ purchase_id, reason: 'Prueba' }))
      return
    }
    // A guest's place, or the host's: a part of the purchase.
    const spot = { purchase_id, amount: Math.floor((left * part) / 100) }
    if (spot.amount <= 0) return
    await ctx.tx((tx) => oweReservationRefund(tx, ctx, spot))
    cancelled.push(spot)
  }

  for (const step of all) {
    await take(step)
    const { sale: now } = await desk().counterSales.one({ sale_id })
    const listed = (await desk().counterSales.list({ state: 'owed', customer_id })).sales[0]?.owed ?? '0.00'
    const file = (await desk().customerFile.one({ customer_id })).figures.owed
    const task = (await desk().today.tasks({})).tasks.find((row) => row.task_id === `debt-${sale_id}`)?.amount ?? '0.00'
    const report = await desk().reports.read({ key: 'por-cobrar', group_by: 'person', only: 'adeudos' })
    const reported = report.rows.some(({ link }) => link?.split('?')[0] === adminPaths.customer(customer_id))
    expect({ verb: step.verb, listed, file, task, reported }).toEqual({
      verb: step.verb,
      listed: now.owed,
      file: now.owed,
      task: now.owed,
      reported: now.owed !== '0.00',
    })
  }
}

test('payments, gift cards, transfers, refunds, cancelled and restored places and revoked purchases leave one answer', async () => {
  await fc.assert(fc.asyncProperty(steps, follow), { numRuns: 12, endOnFailure: true })
  expect(await wrongMoney(s, false)).toEqual({})
}, 120_000)
