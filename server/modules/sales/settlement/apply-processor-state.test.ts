/** What a pending purchase changes to (docs/domain.md V7, V10 to V13, V15): paid late, given up, paid in cash, notified by mail. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeEach, expect, test } from 'vitest'
import { sendReceipt, sweep } from '#server/modules/sales/jobs.ts'
import { applyProcessorState } from '#server/modules/sales/settlement/apply-processor-state.ts'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { refusalOf, START } from '#server/testing/studio.ts'

const { s, bank, attempt, sold, run } = await openCheckoutStudio()
afterAll(() => s.close())
beforeEach(() => s.clock.set(START))
const visit = () => randomUUID()

test('money for a closed purchase reserves its stock again, or is refunded (V13)', async () => {
  const classPackage = await s.make.package({ capacity: 1 })
  const [ana, luis] = [await s.make.customer(), await s.make.customer()]
  const slow = await attempt(ana, classPackage.class_package_id, 'tok_timeout_paid')
  // Only the studio's side is closed: as if the provider had not known yet.
  await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [slow.purchase_id])
  await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [slow.purchase_id])
  await s.sql('update class_package set sold = 0 where class_package_id = $1', [classPackage.class_package_id])
  await run('sales.reconcile', {})
  expect((await s.as(ana).sales.one({ id: slow.purchase_id })).purchase.status).toBe('completed')
  expect(await s.balance(ana)).toBe(10)
  expect(await sold(classPackage.class_package_id)).toBe(1)

  await s.sql('update class_package set capacity = 2 where class_package_id = $1', [classPackage.class_package_id])
  const late = await attempt(luis, classPackage.class_package_id, 'tok_timeout_paid')
  await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [late.purchase_id])
  await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [late.purchase_id])
  await s.sql('update class_package set sold = 1, capacity = 1 where class_package_id = $1', [classPackage.class_package_id])
  await run('sales.reconcile', {})
  await run('sales.reconcile', {})
  expect((await s.as(luis).sales.one({ id: late.purchase_id })).purchase.status).toBe('failed')
  expect(await s.balance(luis)).toBe(0)
  expect(await bank.ledger(late.purchase_id)).toMatchObject([
    { kind: 'charge', amount: 219_000 },
    { kind: 'refund', amount: 219_000 },
  ])
  expect(await s.sql('select status, refunded_centavos from invoice where purchase_id = $1', [late.purchase_id])).toEqual([
    { status: 'refunded', refunded_centavos: 219_000 },
  ])
})

test('what is written with a state is told whether money is left to return: a webhook event is done only when none is (V13, V18)', async () => {
  const classPackage = await s.make.package({ capacity: 1 })
  const ana = await s.make.customer()
  const { purchase_id } = await attempt(ana, classPackage.class_package_id, 'tok_ok')
  const complete: boolean[] = []
  const applyTo = async (purchase: number) => {
    const [charge] = await bank.ledger(purchase)
    await applyProcessorState(s.system(), bank.refOf(charge?.object ?? ''), (_, isComplete) => void complete.push(isComplete))
  }
  await applyTo(purchase_id)
  const luis = await s.make.customer()
  await s.sql('update class_package set capacity = 2 where class_package_id = $1', [classPackage.class_package_id])
  const late = await attempt(luis, classPackage.class_package_id, 'tok_timeout_paid')
  await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [late.purchase_id])
  await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [late.purchase_id])
  await s.sql('update class_package set sold = 1, capacity = 1 where class_package_id = $1', [classPackage.class_package_id])
  await applyTo(late.purchase_id)
  expect(complete[0]).toBe(true)
  expect(complete[1]).toBe(false)
  // Applying the refund is another read of the processor, which nothing is written with.
  expect(complete.length).toBe(2)
  expect((await bank.ledger(late.purchase_id)).map(({ kind }) => kind)).toEqual(['charge', 'refund'])
})

test('late money that is already disputed reserves stock again, and what it buys is suspended until the decision (V13, V24)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const { purchase_id } = await attempt(ana, classPackage.class_package_id, 'tok_timeout_paid')
  await s.sql(`update payment_attempt set state = 'cancelled' where purchase_id = $1`, [purchase_id])
  await s.sql(`update purchase set status = 'failed', holds_stock = false where purchase_id = $1`, [purchase_id])
  await s.sql('update class_package set sold = 0 where class_package_id = $1', [classPackage.class_package_id])
  const [charge] = await bank.ledger(purchase_id)
  await bank.dispute(charge?.object ?? '', 'open')
  await run('sales.reconcile', {})
  const creditLots = () =>
    s.sql(
      `select p.status, p."frozenAt" is not null as disputed, l."frozenAt" is not null as frozen from purchase p join available_class l using (purchase_id) where purchase_id = $1`,
      [purchase_id],
    )
  expect(await creditLots()).toEqual([{ status: 'completed', disputed: true, frozen: true }])
  expect(await s.balance(ana)).toBe(0)
  await bank.dispute(charge?.object ?? '', 'won')
  await run('sales.reconcile', {})
  expect(await creditLots()).toEqual([{ status: 'completed', disputed: false, frozen: false }])
  expect(await s.balance(ana)).toBe(10)
})

test('a payment that does not match its purchase grants nothing and raises an alarm (V11)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds')
  const id = payment.clientSecret?.split('_secret_')[0] ?? ''
  await s.sql('update sandbox_payment set amount = 100 where id = $1', [id])
  await bank.authorize(id, true)
  expect((await s.as(ana).sales.one({ id: payment.purchase_id })).purchase.status).toBe('pending')
  expect(await s.balance(ana)).toBe(0)
  expect(await s.sql('select alarm from purchase where purchase_id = $1', [payment.purchase_id])).toEqual([{ alarm: 'other_amount' }])
  expect(s.logged.some((line) => line.includes('payment.amount_mismatch'))).toBe(true)
})

test('giving up releases the stock; a paid or unknown purchase cannot be given up (V12)', async () => {
  const [ana, classPackage, key] = [await s.make.customer(), await s.make.package({ capacity: 1 }), visit()]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds', key)
  for (let n = 0; n < 2; n++) expect((await s.as(ana).sales.giveUp({ purchase_id: payment.purchase_id })).purchase.status).toBe('cancelled')
  expect(await sold(classPackage.class_package_id)).toBe(0)
  // The same visit continues with a new purchase.
  const second = await attempt(ana, classPackage.class_package_id, 'tok_ok', key)
  expect(second).toMatchObject({ status: 'completed' })
  expect(second.purchase_id).not.toBe(payment.purchase_id)
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: second.purchase_id }))).toMatchObject({
    code: 'PURCHASE_CLOSED',
    status: 409,
  })
})

test('paid at the last moment: giving up is refused as closed, and the purchase is completed (V12)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds')
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await refusalOf(s.as(ana).sales.giveUp({ purchase_id: payment.purchase_id }))).toMatchObject({ code: 'PURCHASE_CLOSED' })
  expect((await s.as(ana).sales.one({ id: payment.purchase_id })).purchase.status).toBe('completed')
  expect(await s.balance(ana)).toBe(10)
})

test('cash waits under a reference until staff receive it, and expires otherwise (S1-4.06, V10, V15)', async () => {
  const [ana, classPackage, desk, coach] = [
    await s.make.customer(),
    await s.make.package({ capacity: 1 }),
    await s.make.staff('reception'),
    await s.make.staff('coach'),
  ]
  expect(
    await refusalOf(s.as(ana, visit()).sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: 2 })),
  ).toMatchObject({ code: 'PAYMENT_METHOD_UNAVAILABLE' })
  await s.having({ cash_checkout_enabled: true, cash_hold_hours: 24 }, async () => {
    const key = visit()
    const opened = await s.as(ana, key).sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: 2 })
    expect(opened).toMatchObject({
      status: 'pending',
      voucher: {
        kind: 'efectivo',
        reference: expect.stringMatching(/^EF-[2-9A-Z]{4}-[2-9A-Z]{4}$/),
        expires_at: '2026-11-20T16:00:00.000Z',
      },
    })
    expect(await s.as(ana, key).sales.checkout({ class_package_id: classPackage.class_package_id, payment_method_id: 2 })).toEqual(opened)
    expect((await s.as(ana).sales.one({ id: opened.purchase_id })).purchase).toMatchObject({
      status: 'pending',
      payment_method: { name: 'Efectivo' },
      voucher: opened.voucher,
    })
    expect(await s.balance(ana)).toBe(0)
    expect(await refusalOf(s.as(coach).sales.markPaid({ purchase_id: opened.purchase_id }))).toMatchObject({
      code: 'FORBIDDEN',
      status: 403,
    })
    expect(await refusalOf(s.as(ana).sales.markPaid({ purchase_id: opened.purchase_id }))).toMatchObject({ code: 'FORBIDDEN' })
    for (let n = 0; n < 2; n++)
      expect((await s.as(desk).sales.markPaid({ purchase_id: opened.purchase_id })).purchase.status).toBe('completed')
    expect(await s.balance(ana)).toBe(10)

    const luis = await s.make.customer()
    expect(await refusalOf(s.as(luis, visit()).sales.checkout({ class_package_id: classPackage.class_package_id }))).toMatchObject({
      code: 'PACKAGE_SOLD_OUT',
    })
    await s.sql('update class_package set capacity = 2 where class_package_id = $1', [classPackage.class_package_id])
    const waiting = await s.as(luis, visit()).sales.checkout({ class_package_id: classPackage.class_package_id })
    s.clock.advance({ hours: 25 })
    await sweep(s.system())
    expect((await s.as(luis).sales.one({ id: waiting.purchase_id })).purchase.status).toBe('failed')
    expect(await sold(classPackage.class_package_id)).toBe(1)
    expect(await refusalOf(s.as(desk).sales.markPaid({ purchase_id: waiting.purchase_id }))).toMatchObject({ code: 'PURCHASE_CLOSED' })
  })
})

test('a processing payment is shown as pending until its event arrives (V7, V18)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const answer = await attempt(ana, classPackage.class_package_id, 'tok_async')
  expect(answer).toMatchObject({ status: 'pending', clientSecret: null })
  s.clock.advance({ seconds: 1 })
  expect((await s.as(ana).sales.one({ id: answer.purchase_id })).purchase.status).toBe('pending')
  s.clock.advance({ seconds: 10 })
  await bank.tick()
  const [event] = await s.sql<{ id: number }>('select max(provider_event_id) as id from provider_event')
  await run('sales.event', { provider_event_id: event?.id })
  expect(await s.sql('select status from purchase where purchase_id = $1', [answer.purchase_id])).toEqual([{ status: 'completed' }])
  expect(await s.balance(ana)).toBe(10)
})

test('polling a pending purchase reads its processor at most every two seconds (S1-7.43)', async () => {
  const [ana, classPackage] = [await s.make.customer(), await s.make.package()]
  const payment = await attempt(ana, classPackage.class_package_id, 'tok_3ds')
  const statusNow = async () => (await s.as(ana).sales.one({ id: payment.purchase_id })).purchase.status
  expect(await statusNow()).toBe('pending')
  await bank.authorize(payment.clientSecret?.split('_secret_')[0] ?? '', true)
  expect(await statusNow()).toBe('pending')
  s.clock.advance({ seconds: 2 })
  expect(await statusNow()).toBe('completed')
})

test('the receipt is one email per purchase, with formatted amounts', async () => {
  const [ana, classPackage] = [await s.make.customer({ name: 'Ana <b>' }), await s.make.package({ title: 'Diez clases' })]
  const { purchase_id } = await attempt(ana, classPackage.class_package_id, 'tok_ok')
  for (let n = 0; n < 2; n++) await sendReceipt(s.system(), purchase_id, '0')
  const mails = await s.sql<{ subject: string; text: string; html: string }>(
    'select subject, text, html from mail_outbox where "to" = $1',
    [ana.email],
  )
  expect(mails).toHaveLength(1)
  expect(mails[0]?.subject).toBe('Tu compra: Diez clases')
  expect(mails[0]?.text).toContain('Pagaste $2,190.00 con Visa terminada en 4242.')
  expect(mails[0]?.text).toContain(`Orden #00${purchase_id}`)
  expect(mails[0]?.html).not.toContain('Ana <b>')
})

test('the receipt is in English for who chose it (G13)', async () => {
  await s.change({ languages: 'es-MX,en' })
  const [ana, classPackage] = [await s.make.customer({ language: 'en' }), await s.make.package({ title: 'Diez clases' })]
  const { purchase_id } = await attempt(ana, classPackage.class_package_id, 'tok_ok')
  await sendReceipt(s.system(), purchase_id, '0')
  const [mail] = await s.sql<{ subject: string; text: string }>('select subject, text from mail_outbox where "to" = $1', [ana.email])
  expect(mail?.subject).toBe('Your purchase: Diez clases')
  expect(mail?.text).toContain(`Order #00${purchase_id}: Diez clases, 10 classes. You paid $2,190.00 with Visa ending in 4242.`)
  expect(mail?.text).toContain('Purchase complete!')
  await s.change({ languages: 'es-MX' })
})
