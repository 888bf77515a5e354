/**
 * Subscriptions between their charges, over HTTP: announced, overdue, given another card, paused, ended (docs/domain.md V17, V30, V33, V34;
 * settled 16).
 */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { Sandbox } from '#server/adapters/payments/sandbox/sandbox.ts'
import { ledgerAmounts, passDays } from '#server/testing/sandbox-bank.ts'
import { codeOf, type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { doJobs } from '#server/testing/work.ts'
import { announceRenewals } from './subscriptions.ts'

let s: TestStudio
let bank: Sandbox
let desk: Person
beforeAll(async () => {
  s = await studio()
  bank = s.bank()
  bank.held = true
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))

async function member(payment_method = 'tok_ok', values: Parameters<TestStudio['make']['package']>[0] = {}) {
  const customer = await s.make.customer()
  const { class_package_id } = await s.make.package({
    title: 'Membresía 8',
    price_centavos: 145_000,
    class_amount: 8,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    ...values,
  })
  const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method })
  return { who: customer, purchase_id }
}
const messagesOf = (person: Person, event: string) =>
  s.sql<{ words: { title: string; lines: string[]; action: { path: string } } }>(
    `select words from message where customer_id = $1 and event = $2 and channel = 'app' order by message_id`,
    [person.customer_id, event],
  )
const shown = async (person: Person, id: number) => (await s.as(person).sales.one({ id })).purchase

describe('an upcoming charge (V30)', () => {
  test('an upcoming charge is announced five days before, once, however many runs look for it', async () => {
    const { who, purchase_id } = await member()
    s.clock.advance({ days: 24, hours: 23 })
    await doJobs(s, 'sales.renewal-notices')
    expect(await messagesOf(who, 'renewal_notice')).toEqual([])
    s.clock.advance({ hours: 2 })
    await Promise.all(Array.from({ length: 6 }, () => announceRenewals(s.system())))
    await doJobs(s, 'sales.renewal-notices')
    const [message, ...more] = await messagesOf(who, 'renewal_notice')
    expect(more).toEqual([])
    expect(message?.words.title).toBe('Membresía 8 se renueva el 19 dic 2026')
    expect(message?.words.lines[0]).toMatch(/^El 19 dic 2026 se cobran \$1,450\.00 a .*4242\.$/)
    await passDays(s, 6)
    s.clock.advance({ days: 25 })
    await doJobs(s, 'sales.renewal-notices')
    expect(await messagesOf(who, 'renewal_notice')).toHaveLength(2)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000, 145_000])
  })

  test('an upcoming charge is announced at the end of a trial; not when cancelled, paused, or charged more often than that', async () => {
    const trial = await member('tok_ok', { free_trial_length: 14, free_trial_period: 'day' })
    const over = await member()
    await s.as(over.who).sales.cancel({ id: over.purchase_id, reason: 'Me mudo' })
    const resting = await member()
    await s.as(desk).studioSales.pause({ purchase_id: resting.purchase_id, reason: 'Lesión' })
    const daily = await member('tok_ok', { subscription_period: 'day', subscription_interval: 3 })
    s.clock.advance({ days: 10 })
    await doJobs(s, 'sales.renewal-notices')
    expect((await messagesOf(trial.who, 'renewal_notice')).map(({ words }) => words.title)).toEqual(['Tu prueba termina el 03 dic 2026'])
    s.clock.advance({ days: 17 })
    await doJobs(s, 'sales.renewal-notices')
    for (const { who } of [over, resting, daily]) expect(await messagesOf(who, 'renewal_notice')).toEqual([])
  })
})

describe('an unpaid renewal (V33)', () => {
  async function overdue() {
    const subscription = await member('tok_renew_fail')
    await passDays(s, 30)
    s.clock.advance({ seconds: 1 })
    await doJobs(s)
    const [message] = await messagesOf(subscription.who, 'payment_failed')
    return { ...subscription, token: message?.words.action.path.replace('/tarjeta/', '') ?? '' }
  }

  test('an unpaid renewal is notified once, with a link that works without sign-in and whose reading changes nothing', async () => {
    const { who, purchase_id, token } = await overdue()
    await passDays(s, 1)
    await doJobs(s)
    expect(await messagesOf(who, 'payment_failed')).toHaveLength(1)
    expect(await shown(who, purchase_id)).toMatchObject({ status: 'active', past_due: true })
    for (let n = 0; n < 2; n++)
      expect((await s.as(null).cardLinks.shown({ token })).subscription).toMatchObject({
        title: 'Membresía 8',
        amount: '1450.00',
        past_due: true,
        next_date: null,
        card: { processor: 'sandbox' },
      })
    expect(JSON.stringify(await s.as(null).cardLinks.shown({ token }))).not.toContain(who.email)
    const links = await s.sql<{ token_hash: string }>('select token_hash from card_link where purchase_id = $1', [purchase_id])
    expect(links).toHaveLength(1)
    expect(links[0]?.token_hash).not.toContain(token)
  })

  test('an unpaid renewal is paid at once with another card, with its credits; the link is used up then, and the customer is notified of the card', async () => {
    const { who, purchase_id, token } = await overdue()
    // The day of the charge is the last one of what was paid (C1).
    expect((await s.as(who).credits.list()).summary.available).toBe(8)
    s.clock.advance({ hours: 14 })
    expect((await s.as(who).credits.list()).summary.available).toBe(0)
    const after = await s.as(null).cardLinks.change({ token, token_id: 'tok_ok~mastercard~4444~122030~k' })
    expect(after).toMatchObject({ changed: true, paid: true, setup: null, card_label: expect.stringMatching(/4444/) })
    await doJobs(s)
    expect(await shown(who, purchase_id)).toMatchObject({ status: 'active', past_due: false })
    expect((await s.as(who).credits.list()).summary.available).toBe(8)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000, 145_000])
    expect((await messagesOf(who, 'card_changed'))[0]?.words.lines[0]).toMatch(/4444/)
    for (const call of [() => s.as(null).cardLinks.shown({ token }), () => s.as(null).cardLinks.change({ token, token_id: 'tok_ok' })])
      expect(await refusalOf(call())).toMatchObject({ code: 'CARD_LINK_GONE', status: 409 })
    expect(await s.sql(`select actor from audit where action = 'subscription.card' and entity_id = $1`, [String(purchase_id)])).toEqual([
      { actor: 'system:card-link' },
    ])
  })

  test('stays overdue with a declined card, and the link stays valid; a wrong or foreign link is not found', async () => {
    const { purchase_id, token } = await overdue()
    expect(await refusalOf(s.as(null).cardLinks.change({ token, token_id: 'tok_insufficient' }))).toMatchObject({
      code: 'PAYMENT_SOURCE_FAILED',
      message: 'Hubo un error al agregar este método de pago.',
    })
    expect((await s.as(null).cardLinks.shown({ token })).subscription.past_due).toBe(true)
    const other = s.studio.signer.sign('oferta', `${purchase_id}-1`)
    const unknown = s.studio.signer.sign('tarjeta', `${purchase_id}-1`)
    for (const wrong of [`${token}x`, other, unknown, 'abc'])
      expect((await refusalOf(s.as(null).cardLinks.shown({ token: wrong }))).code).toBe('CARD_LINK_INVALID')
    s.clock.advance({ days: 31 })
    expect((await refusalOf(s.as(null).cardLinks.shown({ token }))).code).toBe('CARD_LINK_GONE')
  })

  test('limits trying cards on a link, and reading links from one address', async () => {
    const { token } = await overdue()
    const change = () => codeOf(s.as(null).cardLinks.change({ token, token_id: 'tok_insufficient' }))
    const tried: (string | null)[] = []
    for (let n = 0; n < 21; n++) tried.push(await change())
    expect([...new Set(tried.slice(0, 20)), tried.at(-1)]).toEqual(['PAYMENT_SOURCE_FAILED', 'TOO_MANY_REQUESTS'])
    s.clock.advance({ minutes: 3 })
    expect(await change()).toBe('PAYMENT_SOURCE_FAILED')
    const looked = await Promise.all(Array.from({ length: 121 }, () => codeOf(s.as(null).cardLinks.shown({ token: `${token}x` }))))
    expect(looked.filter((code) => code === 'TOO_MANY_REQUESTS')).toHaveLength(1)
  })

  test('ends after the grace period if the processor has not ended it, and notifies', async () => {
    await s.change({ subscription_grace_days: 1 })
    const { who, purchase_id } = await overdue()
    await doJobs(s, 'sales.unpaid-subscriptions')
    expect((await shown(who, purchase_id)).status).toBe('active')
    s.clock.advance({ hours: 25 })
    await doJobs(s, 'sales.unpaid-subscriptions')
    expect((await shown(who, purchase_id)).status).toBe('cancelled')
    expect((await messagesOf(who, 'subscription_ended'))[0]?.words.lines).toEqual([
      'No pudimos cobrar su renovación.',
      'Sus beneficios ya terminaron.',
    ])
    await s.change({ subscription_grace_days: 7 })
  })
})

describe('changing the card (V33)', () => {
  test('applies from the next period on; another customer’s card or purchase is not found', async () => {
    const { who, purchase_id } = await member()
    const eva = await s.make.customer()
    const saveCard = async (person: Person, digits: string) =>
      (await s.as(person).cards.keep({ token_id: `tok_ok~visa~${digits}~122030~k` })).payment_source?.payment_source_id ?? 0
    const [mine, theirs] = [await saveCard(who, '1881'), await saveCard(eva, '1882')]
    expect((await refusalOf(s.as(who).cardLinks.own({ id: purchase_id, payment_source_id: theirs }))).code).toBe('PAYMENT_SOURCE_NOT_FOUND')
    expect((await refusalOf(s.as(eva).cardLinks.own({ id: purchase_id, payment_source_id: theirs }))).code).toBe('PURCHASE_NOT_FOUND')
    const { purchase } = await s.as(who).cardLinks.own({ id: purchase_id, payment_source_id: mine })
    expect(purchase).toMatchObject({ status: 'active', payment_method: { name: expect.stringMatching(/1881/) } })
    expect(await refusalOf(s.as(who).cards.remove({ id: mine }))).toMatchObject({ code: 'PAYMENT_SOURCE_IN_USE' })
    await passDays(s, 31)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000, 145_000])
  })
})

describe('pausing (V34)', () => {
  test('keeps what is paid, charges and grants nothing, resumes by the same calendar, and notifies both times', async () => {
    const { who, purchase_id } = await member()
    const pause = () => s.as(desk).studioSales.pause({ purchase_id, reason: 'Lesión de rodilla' })
    for (let n = 0; n < 2; n++) expect((await pause()).purchase).toMatchObject({ status: 'active', paused: true, next_charge: null })
    await doJobs(s)
    expect((await s.as(who).credits.list()).summary.available).toBe(8)
    await passDays(s, 45)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000])
    expect((await s.as(who).credits.list()).summary.available).toBe(0)
    const { purchase } = await s.as(desk).studioSales.resume({ purchase_id, reason: 'Ya está bien' })
    expect(purchase).toMatchObject({ paused: false, next_charge: { amount: '1450.00', date: '2027-01-19T10:00:00.000Z' } })
    await doJobs(s)
    expect((await messagesOf(who, 'subscription_paused')).map(({ words }) => words.title)).toEqual([
      'Membresía 8 está en pausa',
      'Membresía 8 se reanudó',
    ])
    await passDays(s, 17)
    expect(await ledgerAmounts(s, purchase_id)).toEqual([145_000, 145_000])
    const trail = await s.sql(`select action, reason from audit where entity_id = $1 and action like 'subscription.%' order by audit_id`, [
      String(purchase_id),
    ])
    expect(trail).toEqual([
      { action: 'subscription.pause', reason: 'Lesión de rodilla' },
      { action: 'subscription.resume', reason: 'Ya está bien' },
    ])
  })

  test('pausing is refused for a subscription that ended or is overdue, and for other purchases', async () => {
    const customer = await s.make.customer()
    const { class_package_id } = await s.make.package()
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: 'tok_ok' })
    const over = await member()
    await s.as(over.who).sales.cancel({ id: over.purchase_id, reason: 'Me mudo' })
    for (const id of [purchase_id, over.purchase_id])
      expect(await refusalOf(s.as(desk).studioSales.pause({ purchase_id: id, reason: 'Prueba' }))).toMatchObject({
        code: 'SUBSCRIPTION_NOT_PAUSABLE',
        status: 409,
      })
    expect((await refusalOf(s.as(desk).studioSales.pause({ purchase_id: 999_999, reason: 'Prueba' }))).code).toBe('PURCHASE_NOT_FOUND')
  })
})

test('a cancellation states until when it can be used; in a trial upcoming reservations end at once (V17, R24)', async () => {
  const paid = await member()
  await s.as(paid.who).sales.cancel({ id: paid.purchase_id, reason: 'Me mudo' })
  const trial = await member('tok_ok', { free_trial_length: 14, free_trial_period: 'day' })
  await s.as(trial.who).bookings.reserve({ single_class_id: (await s.make.class()).single_class_id })
  await s.as(trial.who).sales.cancel({ id: trial.purchase_id, reason: 'No me gustó' })
  s.clock.advance({ seconds: 1 })
  await doJobs(s)
  expect((await messagesOf(paid.who, 'subscription_ended'))[0]?.words.lines).toEqual([
    'No se harán más cargos.',
    'Puedes usarla hasta el 19 dic 2026.',
  ])
  expect((await messagesOf(trial.who, 'subscription_ended'))[0]?.words.lines[1]).toBe('Sus beneficios ya terminaron.')
  expect((await s.as(trial.who).bookings.list({})).class_reservations).toMatchObject([{ status: 'Cancelada' }])
  expect((await s.as(trial.who).credits.list()).summary.available).toBe(0)
})
