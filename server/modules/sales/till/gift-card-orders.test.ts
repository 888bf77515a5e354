/** Gift cards that customers buy on the site (docs/domain.md I9 to I11). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { reconcile, salesJobs, sweep } from '#server/modules/sales/jobs.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { newRun } from '#server/testing/run.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
let owner: Person
beforeAll(async () => {
  s = await studio({ settings: { gift_cards_on_site: true, gift_card_amounts: '1000, 500' } })
  owner = await s.make.staff('owner')
  await s.make.location()
})
afterAll(async () => {
  expect(await wrongMoney(s, true)).toEqual({})
  await s.close()
})
beforeEach(() => s.clock.set(START))

type Input = Parameters<ReturnType<TestStudio['as']>['giftCardOrders']['buy']>[0]
const buy = (person: Person, more: Partial<Input> = {}, key: string = randomUUID()) =>
  s.as(person, key).giftCardOrders.buy({ amount: '500', ...more })
const tokenOf = (path: string) => path.split('/').at(-1) ?? ''
async function pay(path: string) {
  const { url } = await s.as(null).paymentLinks.pay({ token: tokenOf(path) })
  await s.bank().giveToken(new URL(url ?? '').pathname.split('/').at(-1) ?? '', 'tok_ok')
  s.clock.advance({ seconds: 3 })
  expect((await s.as(null).paymentLinks.shown({ token: tokenOf(path) })).order.state).toBe('paid')
}
const mailsTo = (email: string | null) =>
  s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1 order by mail_id', [email])
const recipientOf = (email: string) => ({ name: 'Nadia', email })
const codeIn = (text: string | undefined) => /[2-9A-HJ-NP-Z]{4}(-[2-9A-HJ-NP-Z]{4}){3}/.exec(text ?? '')?.[0] ?? ''
/** Does the jobs that mail codes. */
const mail = async () => {
  const rows = await s.sql<{ data: { data: object } }>(`delete from jobs.job where data->>'job' = 'sales.gift-card' returning data`)
  for (const { data } of rows)
    await salesJobs.find((salesJob) => salesJob.name === 'sales.gift-card')?.work(s.system('sales.gift-card'), data.data, newRun())
}
const due = () => salesJobs.find((salesJob) => salesJob.name === 'sales.gift-cards')?.work(s.system('sales.gift-cards'), {}, newRun())

test('a gift card is offered and sold in the amounts of the studio only', async () => {
  const customer = await s.make.customer()
  expect(await s.as(null).giftCardOrders.offer()).toEqual({ amounts: ['500.00', '1000.00'] })
  expect(await codeOf(buy(customer, { amount: '501' }))).toBe('GIFT_CARDS_CLOSED')
  expect(await refusalOf(buy(customer, { deliver_on: '2020-01-01' }))).toMatchObject({
    code: 'INVALID_INPUT',
    data: { field: 'deliver_on' },
  })
  await s.having({ gift_cards_on_site: false }, async () => {
    expect(await s.as(null).giftCardOrders.offer()).toEqual({ amounts: [] })
    expect(await codeOf(buy(customer))).toBe('GIFT_CARDS_CLOSED')
  })
  await s.having({ checkout_disabled: true }, async () => expect(await codeOf(buy(customer))).toBe('CHECKOUT_DISABLED'))
})

test('once paid its code is mailed to who receives it, with the dedication, and pays at the counter', async () => {
  const customer = await s.make.customer({ name: 'Berta', last_name: 'Luz' })
  const email = `nadia-${randomUUID().slice(0, 8)}@ejemplo.mx`
  const { path, purchase_id } = await buy(customer, { recipient: recipientOf(email), message: 'Feliz cumpleaños' })
  await mail()
  expect(await mailsTo(email)).toEqual([])
  await pay(path)
  await mail()
  const [firstMail, ...more] = await mailsTo(email)
  expect(more).toEqual([])
  expect(firstMail?.subject).toContain('Berta Luz te regaló una tarjeta de $500.00')
  expect(firstMail?.text).toContain('Feliz cumpleaños')
  const code = codeIn(firstMail?.text)
  const mails = (await mailsTo(customer.email)).map(({ subject, text }) => [subject, text.includes(code)])
  expect(mails).toContainEqual(['Tu regalo para Nadia', false])
  const { gift_card } = await s.as(owner).giftCards.find({ code })
  expect(gift_card).toMatchObject({ balance: '500.00', purchase_id, customer: { customer_id: customer.customer_id } })
  const [charge] = await s.sql('select total_centavos, tax_centavos, gateway from invoice where purchase_id = $1', [purchase_id])
  expect(charge).toEqual({ total_centavos: 50_000, tax_centavos: 0, gateway: 'sandbox' })
  // A repeated job mails it no second time.
  await salesJobs.find((salesJob) => salesJob.name === 'sales.gift-card')?.work(s.system('sales.gift-card'), { purchase_id }, newRun())
  expect(await mailsTo(email)).toHaveLength(1)
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '200', reason: 'Prueba' })
  expect((await s.as(owner).giftCards.find({ code })).gift_card.balance).toBe('300.00')
  await reconcile(s.system())
  expect((await s.as(owner).differences.list({})).money_differences.filter((row) => row.closedAt === null)).toEqual([])
})

test('waits for its day, and is not sent once its money went back', async () => {
  const customer = await s.make.customer()
  const emails = ['uno', 'dos'].map((name) => `${name}-${randomUUID().slice(0, 8)}@ejemplo.mx`)
  const orders = []
  for (const email of emails) {
    const order = await buy(customer, { recipient: recipientOf(email), deliver_on: '2026-11-25' })
    await pay(order.path)
    orders.push(order)
  }
  await mail()
  await due()
  await mail()
  for (const email of emails) expect(await mailsTo(email)).toEqual([])
  await s.as(owner, randomUUID()).studioSales.refund({ purchase_id: orders[1]?.purchase_id ?? 0, reason: 'Se arrepintió' })
  s.clock.set('2026-11-25T08:30:00-06:00')
  await due()
  await mail()
  expect(await mailsTo(emails[0] ?? '')).toEqual([])
  s.clock.set('2026-11-25T09:10:00-06:00')
  for (let round = 0; round < 2; round++) {
    await due()
    await mail()
  }
  expect(await mailsTo(emails[0] ?? '')).toHaveLength(1)
  expect(await mailsTo(emails[1] ?? '')).toEqual([])
})

test('staff see where it goes, correct the address and send it again; both are in the trail without the address (I10)', async () => {
  const customer = await s.make.customer({ name: 'Berta', last_name: 'Luz' })
  const [wrong, right] = [1, 2].map((n) => `nadia-${n}-${randomUUID().slice(0, 8)}@ejemplo.mx`)
  const { path } = await buy(customer, { recipient: recipientOf(wrong ?? '') })
  await pay(path)
  await mail()
  const { gift_cards } = await s.as(owner).giftCards.list({})
  const card = gift_cards[0]
  const gift_card_id = card?.gift_card_id ?? 0
  expect(card?.delivery).toEqual({ name: 'Nadia', email: wrong, on: null, sentAt: expect.any(String) })
  const desk = await s.make.staff('reception')
  expect(await codeOf(s.as(desk).giftCards.correctEmail({ gift_card_id, email: right ?? '' }))).toBe('FORBIDDEN')
  const { gift_card } = await s.as(owner).giftCards.correctEmail({ gift_card_id, email: right ?? '' })
  expect(gift_card.delivery?.email).toBe(right)
  await mail()
  expect(await mailsTo(right ?? '')).toEqual([])
  const key = randomUUID()
  await s.as(owner, key).giftCards.send({ gift_card_id })
  await s.as(owner, key).giftCards.send({ gift_card_id })
  await mail()
  const [sent, ...more] = await mailsTo(right ?? '')
  expect(more).toEqual([])
  expect(codeIn(sent?.text)).toBe(codeIn((await mailsTo(wrong ?? ''))[0]?.text))
  const trail = await s.sql<{ action: string; text: string }>(
    `select action, row_to_json(a)::text as text from audit a where entity = 'gift_card' and entity_id = $1 order by audit_id`,
    [String(gift_card_id)],
  )
  expect(trail.map(({ action }) => action)).toEqual(['gift_card.recipient', 'gift_card.send'])
  expect(trail.map(({ text }) => text).join()).not.toContain('@ejemplo.mx')
  const ownCard = await buy(customer)
  await pay(ownCard.path)
  const own = (await s.as(owner).giftCards.list({})).gift_cards[0]?.gift_card_id ?? 0
  expect(await codeOf(s.as(owner).giftCards.correctEmail({ gift_card_id: own, email: right ?? '' }))).toBe('GIFT_CARD_NOT_SENT_BY_MAIL')
  // Nothing would be sent of a card whose purchase was revoked.
  await s.sql(`update purchase set status = 'revoked' where purchase_id in (select purchase_id from gift_card where gift_card_id = $1)`, [
    gift_card_id,
  ])
  expect(await codeOf(s.as(owner).giftCards.send({ gift_card_id }))).toBe('GIFT_CARD_NOT_SENT_BY_MAIL')
})

test('for oneself its code is mailed to who bought it; the same key is one purchase; unpaid it expires', async () => {
  const customer = await s.make.customer()
  const key = randomUUID()
  const [first, again] = [await buy(customer, {}, key), await buy(customer, {}, key)]
  expect(again).toEqual(first)
  expect(await codeOf(buy(customer, { amount: '1000' }, key))).toBe('IDEMPOTENCY_KEY_REUSED')
  await pay(first.path)
  await mail()
  expect(codeIn((await mailsTo(customer.email)).find(({ subject }) => subject === 'Tu tarjeta de regalo de $500.00')?.text)).not.toBe('')
  const { path, purchase_id } = await buy(customer)
  expect((await s.as(owner).counterOrders.list({ customer_id: customer.customer_id })).total).toBe(0)
  s.clock.advance({ hours: 72 })
  await sweep(s.system())
  expect(await codeOf(s.as(null).paymentLinks.pay({ token: tokenOf(path) }))).toBe('PAYMENT_LINK_GONE')
  expect(await s.sql('select status from purchase where purchase_id = $1', [purchase_id])).toEqual([{ status: 'failed' }])
})
