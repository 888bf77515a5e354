/** Subscriptions for the staff: the list and its figures, the end, the retry and the card link (docs/domain.md V47 to V49). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { passDays } from '#server/testing/sandbox-bank.ts'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'

let s: TestStudio
let bank: Sandbox
let reception: Person
let manager: Person
beforeAll(async () => {
  s = await studio({ settings: { trial_once_per_card: false } })
  bank = s.bank()
  bank.held = true
  reception = await s.make.staff('reception')
  manager = await s.make.staff('manager')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

const monthly = (values: Partial<Parameters<TestStudio['make']['package']>[0]> = {}) =>
  s.make.package({
    title: 'Membresía 8',
    price_centavos: 116_000,
    class_amount: 8,
    expiration_days: 30,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    ...values,
  })
async function subscriber(values: Partial<Parameters<TestStudio['make']['package']>[0]> = {}, payment_method = 'tok_ok') {
  const [customer, { class_package_id }] = [await s.make.customer(), await monthly(values)]
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method })
  return { who: customer, purchase_id, class_package_id }
}
const desk = () => s.as(reception).studioSubscriptions
/** The list as read by a caller with the right to the studio's money. */
const books = () => s.as(manager).studioSubscriptions
const reason = 'Se muda de ciudad'

describe('the list (V47)', () => {
  test('the list of subscriptions has each live subscription under one state, with MRR of those in good standing and the overdue ones beside', async () => {
    const active = await subscriber({ title: 'Lista' })
    const yearly = await subscriber({ title: 'Lista', subscription_period: 'year', price_centavos: 1_392_000 })
    const trial = await subscriber({ title: 'Lista', free_trial_length: 7, free_trial_period: 'day' })
    const paused = await subscriber({ title: 'Lista' })
    await s.as(reception).studioSales.pause({ purchase_id: paused.purchase_id, reason })
    const ending = await subscriber({ title: 'Lista' })
    await desk().cancel({ purchase_id: ending.purchase_id, reason })
    const over = await subscriber({ title: 'Lista' })
    await desk().cancel({ purchase_id: over.purchase_id, reason, when: 'now' })
    const found = await books().list({ query: 'lista' })
    expect(Object.fromEntries(found.subscriptions.map((row) => [row.purchase_id, row.state]))).toEqual({
      [active.purchase_id]: 'active',
      [yearly.purchase_id]: 'active',
      [trial.purchase_id]: 'trial',
      [paused.purchase_id]: 'paused',
      [ending.purchase_id]: 'ending',
    })
    expect(found.total).toBe(5)
    expect(found.sum).toEqual({
      // 1,160.00 and 13,920.00 / 12, both without 16 % of IVA.
      mrr: '2000.00',
      past_due: '0.00',
      states: { active: 2, trial: 1, past_due: 0, paused: 1, ending: 1 },
    })
    // What comes in every month is money of the studio, as in the reports.
    expect((await desk().list({ query: 'lista' })).sum).toMatchObject({ mrr: null, past_due: '0.00', states: { active: 2 } })
    const onlyPaused = await books().list({ query: 'lista', state: 'paused' })
    expect(onlyPaused).toMatchObject({ total: 1, subscriptions: [{ purchase_id: paused.purchase_id }], sum: { mrr: '2000.00' } })
    expect((await books().list({ class_package_id: yearly.class_package_id })).sum.mrr).toBe('1000.00')
    const [first, second] = [
      await books().list({ query: 'lista', per_page: 3 }),
      await books().list({ query: 'lista', per_page: 3, page: 2 }),
    ]
    expect([first.subscriptions.length, second.subscriptions.length]).toEqual([3, 2])
    expect(new Set([...first.subscriptions, ...second.subscriptions].map((row) => row.purchase_id)).size).toBe(5)
    // The first to be charged or to end is the one in its trial.
    expect(first.subscriptions[0]?.purchase_id).toBe(trial.purchase_id)
  })

  test('a refused renewal leaves MRR and is listed beside it, until it is paid', async () => {
    const { who, purchase_id, class_package_id } = await subscriber({}, 'tok_renew_fail')
    expect((await books().list({ class_package_id })).sum).toMatchObject({ mrr: '1000.00', past_due: '0.00' })
    await passDays(s, 31)
    const { sum, subscriptions } = await books().list({ class_package_id, state: 'past_due' })
    expect(sum).toMatchObject({ mrr: '0.00', past_due: '1160.00', states: { past_due: 1, active: 0 } })
    expect(subscriptions).toMatchObject([{ purchase_id, past_due: true, customer: { customer_id: who.customer_id } }])
    expect((await s.as(reception).studioSales.purchases({ past_due: true })).purchases.map((row) => row.purchase_id)).toEqual([purchase_id])
  })
})

describe('the end (V48)', () => {
  test('cancelling at the end of the period keeps what was paid; a dry run shows it and writes nothing; twice is once', async () => {
    const { who, purchase_id } = await subscriber()
    const before = await s.sql('select status, "updatedAt", cancel_reason from purchase where purchase_id = $1', [purchase_id])
    const trail = () => s.sql(`select action from audit where entity_id = $1 and action like 'subscription.%'`, [String(purchase_id)])
    const dry = await desk().cancel({ purchase_id, reason, dry_run: true })
    expect(dry.consequence).toBe('Conserva lo que pagó hasta el 19 dic 2026. No se le vuelve a cobrar y no se devuelve dinero.')
    expect(dry.purchase.status).toBe('active')
    expect(await s.sql('select status, "updatedAt", cancel_reason from purchase where purchase_id = $1', [purchase_id])).toEqual(before)
    expect(await trail()).toEqual([])
    const done = await desk().cancel({ purchase_id, reason })
    expect(done).toMatchObject({ purchase: { status: 'cancelled', cancel_reason: reason }, consequence: dry.consequence })
    expect((await desk().cancel({ purchase_id, reason })).purchase.status).toBe('cancelled')
    expect(await trail()).toEqual([{ action: 'subscription.cancel' }])
    expect(await s.balance(who)).toBe(8)
    await passDays(s, 40)
    expect((await bank.ledger(purchase_id)).map(({ kind }) => kind)).toEqual(['charge'])
    expect(await s.balance(who)).toBe(0)
  })

  test('now takes away what is left, with the reservations that it paid for, and refunds nothing', async () => {
    const { who, purchase_id } = await subscriber()
    const { single_class_id } = await s.make.class({ starts_at: new Date(s.clock.now().getTime() + 3 * 86_400_000) })
    await s.as(who).bookings.reserve({ single_class_id })
    const { purchase, consequence } = await desk().cancel({ purchase_id, reason, when: 'now' })
    expect(purchase.status).toBe('cancelled')
    expect(consequence).toContain('pierde lo que le queda')
    await doJobs(s)
    s.clock.advance({ seconds: 1 })
    expect(await s.balance(who)).toBe(0)
    expect(await s.sql('select 1 from class_reservation where single_class_id = $1 and "deletedAt" is null', [single_class_id])).toEqual([])
    expect((await bank.ledger(purchase_id)).map(({ kind }) => kind)).toEqual(['charge'])
  })

  test('now needs the right to take credits away, and is not for one that was cancelled before', async () => {
    const { purchase_id } = await subscriber()
    const limited = await s.make.staff('reception')
    await s.sql(`insert into staff_right select staff_id, 'credits.edit', false from staff where uid = $1`, [limited.uid])
    const now = { purchase_id, reason, when: 'now' as const }
    expect(await refusalOf(s.as(limited).studioSubscriptions.cancel(now))).toMatchObject({
      code: 'FORBIDDEN',
      data: { needs: 'credits.edit' },
    })
    expect((await s.as(limited).studioSubscriptions.cancel({ purchase_id, reason })).purchase.status).toBe('cancelled')
    expect((await refusalOf(desk().cancel(now))).code).toBe('SUBSCRIPTION_NOT_CANCELLABLE')
  })

  test('cancelling in a free trial is immediate, and announced as such', async () => {
    const { purchase_id } = await subscriber({ free_trial_length: 7, free_trial_period: 'day' })
    const { consequence } = await desk().cancel({ purchase_id, reason, dry_run: true })
    expect(consequence).toContain('Está en su prueba: termina ahora')
    expect((await desk().cancel({ purchase_id, reason })).purchase.status).toBe('cancelled')
    await passDays(s, 10)
    expect(await bank.ledger(purchase_id)).toEqual([])
  })

  test('ending a subscription is refused for what does not renew', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package()
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    expect((await refusalOf(desk().cancel({ purchase_id, reason }))).code).toBe('SUBSCRIPTION_NOT_CANCELLABLE')
    expect((await refusalOf(desk().cardLink({ purchase_id }))).code).toBe('SUBSCRIPTION_OVER')
    expect((await refusalOf(desk().retry({ purchase_id }))).code).toBe('SUBSCRIPTION_NOT_OVERDUE')
  })
})

describe('an overdue renewal (V49)', () => {
  test('an overdue renewal is retried with the same card, refused again, and paid with the card of the link that staff sent', async () => {
    const { purchase_id } = await subscriber({}, 'tok_renew_fail')
    expect((await refusalOf(desk().retry({ purchase_id }))).code).toBe('SUBSCRIPTION_NOT_OVERDUE')
    await passDays(s, 31)
    expect(await desk().retry({ purchase_id })).toMatchObject({ result: 'declined', purchase: { past_due: true } })
    const { url, until } = await desk().cardLink({ purchase_id })
    expect(new Date(until).getTime() - s.clock.now().getTime()).toBe(30 * 86_400_000)
    const token = new URL(url).pathname.split('/').at(-1) ?? ''
    expect((await s.as(null).cardLinks.shown({ token })).subscription).toMatchObject({ title: 'Membresía 8', past_due: true })
    const [stored] = await s.sql<{ rows: string }>(`select coalesce(string_agg(t::text, ''), '') as rows from card_link t`)
    expect(stored?.rows).not.toContain(token)
    expect(await s.as(null).cardLinks.change({ token, token_id: 'tok_ok~mastercard~4444~122030~a' })).toMatchObject({ paid: true })
    expect((await s.as(reception).studioSales.purchase({ purchase_id })).purchase.past_due).toBe(false)
    expect((await refusalOf(s.as(null).cardLinks.shown({ token }))).code).toBe('CARD_LINK_GONE')
    expect(
      await s.sql(`select action from audit where entity_id = $1 and actor = 'staff:reception' order by audit_id`, [String(purchase_id)]),
    ).toEqual([{ action: 'subscription.retry' }, { action: 'subscription.card_link' }])
  })

  test('mails its link again when staff ask for it, five times a day', async () => {
    const { who, purchase_id } = await subscriber({}, 'tok_renew_fail')
    expect((await refusalOf(desk().sendCardLink({ purchase_id }))).code).toBe('SUBSCRIPTION_NOT_OVERDUE')
    await passDays(s, 31)
    await doJobs(s)
    const links = async () =>
      (await s.sql<{ text: string }>('select text from mail_outbox where "to" = $1', [who.email])).filter(({ text }) =>
        text.includes('/tarjeta/'),
      ).length
    const before = await links()
    s.clock.advance({ minutes: 5 })
    expect((await desk().sendCardLink({ purchase_id })).purchase.past_due).toBe(true)
    await doJobs(s)
    expect(await links()).toBe(before + 1)
    for (let n = 0; n < 4; n++) await desk().sendCardLink({ purchase_id })
    expect((await refusalOf(desk().sendCardLink({ purchase_id }))).code).toBe('TOO_MANY_REQUESTS')
  })
})
