/** Money of invoiced charges that goes back outside of the studio: in a processor's panel, or to a bank (docs/domain.md FA10, V24, V37). */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { reconcile } from '#server/modules/sales/jobs.ts'
import { CONEKTA_FAKE_KEY, ConektaFake, conektaToken } from '#server/testing/fakes/conekta.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { wrongMoney } from '#server/testing/money-invariants.ts'
import { type Client, type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { deliverPendingWebhooks, doJobs } from '#server/testing/work.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'

const ISSUER = {
  business_rfc: 'EKU9003173C9',
  business_legal_name: 'Escuela Kemper Urgate',
  business_postal_code: '42501',
  business_regime: '601',
} as const
const KARLA = { rfc: 'FUNK671228PH6', name: 'Karla Fuente Nolasco', postal_code: '01160', regime: '612', use: 'G03' } as const

/** What happens in a processor's panel and at banks. */
interface Panel {
  fake: StripeFake | ConektaFake
  env: Record<string, string>
  card: () => string
  refund(of: Charge, amount: number): void
  failRefund(of: Charge): void
  /** `amount`: of a part, in centavos; some processors do not report it. */
  dispute(of: Charge, state: 'open' | 'won' | 'lost', amount?: number): void
}
interface Charge {
  purchase_id: number
  invoice_id: number
  ref: string
  payment: string
}

const PROCESSORS: Record<'stripe' | 'conekta', (now: () => Date) => Promise<Panel>> = {
  async stripe(now) {
    const fake = await new StripeFake({ now }).listen()
    return {
      fake,
      env: {
        PAYMENTS: 'stripe',
        STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
        STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
        STRIPE_API_BASE: fake.url,
      },
      card: () => 'pm_card_visa',
      refund: ({ payment }, amount) => fake.books.refund(fake.books.get('intents', payment), amount, { reason: null, metadata: {} }),
      failRefund({ payment }) {
        const last = [...fake.books.all.refunds.values()].findLast((refund) => refund.payment_intent === payment)
        fake.books.failRefund(last?.id ?? '')
      },
      dispute: ({ payment }, state, amount) => fake.books.dispute(payment, state === 'open' ? 'needs_response' : state, amount),
    }
  },
  async conekta(now) {
    const fake = await new ConektaFake({ now }).listen()
    return {
      fake,
      env: { PAYMENTS: 'conekta', CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY, CONEKTA_API_BASE: fake.url },
      card: () => conektaToken('visa'),
      refund: ({ ref }, amount) => void fake.books.refund(fake.books.get(fake.books.orders, ref), amount),
      failRefund: ({ ref }) => fake.books.failRefund(ref),
      dispute: ({ ref }, state) => fake.books.chargeback(ref, state === 'open' ? 'action_required' : state),
    }
  },
}

describe.each(Object.entries(PROCESSORS))('%s', (name, open) => {
  let s: TestStudio
  let panel: Panel
  let owner: Person
  let boss: Client
  beforeAll(async () => {
    let clock = () => new Date(START)
    panel = await open(() => clock())
    s = await studio({ env: panel.env, settings: { ...ISSUER, gift_cards_on_site: true, gift_card_amounts: '500' } })
    clock = s.clock.now
    panel.fake.courier = async ({ headers, body }) =>
      (await fetch(`${s.url}/api/webhooks/${name}`, { method: 'POST', headers, body })).status
    owner = await s.make.staff('owner')
    boss = s.as(owner)
    await s.make.location()
  })
  beforeEach(() => s.clock.set(START))
  afterAll(async () => {
    await s.close()
    await panel.fake.close()
    expect(panel.fake.complaints).toEqual([])
  })

  async function chargeOf(purchase_id: number): Promise<Charge> {
    const [row] = await s.sql<Charge>(
      `select i.purchase_id, i.invoice_id, i.provider_payment as payment, a.ref_id as ref from invoice i join payment_attempt a using (purchase_id)
       where purchase_id = $1 and i.gateway = $2`,
      [purchase_id, name],
    )
    if (!row) throw new Error('The purchase has no charge.')
    return row
  }
  /** A package that was paid by card and invoiced. */
  async function invoiced(): Promise<Charge & { invoice: string | null }> {
    const [customer, { class_package_id }] = [await s.make.customer(), await s.make.package({ price_centavos: 145_000, class_amount: 10 })]
    const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: panel.card() })
    const charge = await chargeOf(purchase_id)
    const { fiscal_document } = await boss.fiscal.issue({ invoice_ids: [charge.invoice_id], receiver: KARLA })
    return { ...charge, invoice: fiscal_document.uuid }
  }
  /** The processor's news arrive, twice, and the job of credit notes runs, twice. */
  async function deliverEvents() {
    await panel.fake.deliver({ times: 2 })
    await deliverPendingWebhooks(s)
    s.clock.advance({ minutes: 5 })
    await issueCreditNotes(s.system())
    await issueCreditNotes(s.system())
  }
  const notes = async (purchase_id: number) =>
    (await boss.fiscal.ofPurchase({ purchase_id })).documents
      .filter(({ kind }) => kind === 'credit')
      .map(({ total, state, cancel_motive }) => [total, state, ...(cancel_motive ? [cancel_motive] : [])].join(' '))
      .reverse()
  const agrees = async () => expect(await wrongMoney(s, false)).toEqual({})

  test('two refunds in the panel are a credit note each, with the tax of their part', async () => {
    const charge = await invoiced()
    panel.refund(charge, 50_000)
    await deliverEvents()
    expect(await notes(charge.purchase_id)).toEqual(['500.00 valid'])
    panel.refund(charge, 95_000)
    await deliverEvents()
    expect(await notes(charge.purchase_id)).toEqual(['500.00 valid', '950.00 valid'])
    const [sums] = await s.sql<{ base: number; tax: number }>(
      'select sum(base_centavos)::int as base, sum(tax_centavos)::int as tax from fiscal_line where invoice_id = $1 and refund_id is not null',
      [charge.invoice_id],
    )
    expect(sums).toEqual({ base: 125_000, tax: 20_000 })
    const { documents } = await boss.fiscal.ofPurchase({ purchase_id: charge.purchase_id })
    const xml = await (await boss.fiscal.xml({ fiscal_document_id: documents[0]?.fiscal_document_id ?? 0 })).text()
    expect(xml).toContain(`TipoRelacion="01"><cfdi:CfdiRelacionado UUID="${charge.invoice}"/>`)
    await agrees()
  })

  test('a refund in the panel of which no news arrive is found by comparing the books', async () => {
    const charge = await invoiced()
    panel.refund(charge, 30_000)
    await panel.fake.deliver({ lose: () => true })
    await reconcile(s.system())
    await issueCreditNotes(s.system())
    expect(await notes(charge.purchase_id)).toEqual(['300.00 valid'])
  })

  test('one in the panel and one of the studio are not mixed up, and one that failed is cancelled', async () => {
    const charge = await invoiced()
    const { purchase_id, invoice_id } = charge
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, invoice_id, amount: '200', reason: 'Prueba' })
    panel.refund(charge, 30_000)
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['200.00 valid', '300.00 valid'])
    panel.failRefund(charge)
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['200.00 valid', '300.00 cancelled 03'])
    // The studio refunds it by another method.
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, invoice_id, amount: '300', by_hand: true, reason: 'Otra vez' })
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['200.00 valid', '300.00 cancelled 03', '300.00 valid'])
    await agrees()
  })

  test('a lost dispute is a credit note of what was left, none while it is open; won after all, it is cancelled', async () => {
    const charge = await invoiced()
    const { purchase_id } = charge
    await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '450', reason: 'Prueba' })
    panel.dispute(charge, 'open')
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['450.00 valid'])
    panel.dispute(charge, 'lost')
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['450.00 valid', '1000.00 valid'])
    const { documents } = await boss.fiscal.ofPurchase({ purchase_id })
    const xml = await (await boss.fiscal.xml({ fiscal_document_id: documents[0]?.fiscal_document_id ?? 0 })).text()
    expect(xml).toContain('Descripcion="Contracargo de ')
    // It stays in its invoice, which is not cancelled while it has credit notes.
    const income = documents.find(({ kind }) => kind === 'income')
    await expect(boss.fiscal.cancel({ fiscal_document_id: income?.fiscal_document_id ?? 0, motive: '02' })).rejects.toMatchObject({
      code: 'INVOICE_NOT_CANCELLABLE',
    })
    panel.dispute(charge, 'won')
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['450.00 valid', '1000.00 cancelled 03'])
    panel.dispute(charge, 'lost')
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['450.00 valid', '1000.00 cancelled 03', '1000.00 valid'])
  })

  if (name === 'stripe')
    test('a part that a bank took is a credit note of that part', async () => {
      const charge = await invoiced()
      const { purchase_id } = charge
      panel.dispute(charge, 'open', 30_050)
      await deliverEvents()
      expect(await notes(purchase_id)).toEqual([])
      panel.dispute(charge, 'lost')
      await deliverEvents()
      expect(await notes(purchase_id)).toEqual(['300.50 valid'])
      panel.dispute(charge, 'won')
      await deliverEvents()
      expect(await notes(purchase_id)).toEqual(['300.50 cancelled 03'])
    })

  if (name === 'stripe') {
    const stays = async ({ invoice_id }: Charge) =>
      (
        await s.sql<{ stays: number }>(
          `select sum(case when d.kind = 'credit' then -1 else 1 end * (f.base_centavos + f.tax_centavos))::int as stays
           from fiscal_line f join fiscal_document d using (fiscal_document_id) where f.invoice_id = $1 and f.live`,
          [invoice_id],
        )
      )[0]?.stays

    test('a second part that a bank took is a credit note of its own, written once by two processes', async () => {
      const charge = await invoiced()
      const { purchase_id } = charge
      panel.dispute(charge, 'open', 30_000)
      panel.dispute(charge, 'lost')
      await deliverEvents()
      panel.dispute(charge, 'open', 20_000)
      await deliverEvents()
      expect(await notes(purchase_id)).toEqual(['300.00 valid'])
      panel.dispute(charge, 'lost')
      await panel.fake.deliver({ times: 2 })
      await deliverPendingWebhooks(s)
      await Promise.all([1, 2, 3].map(() => issueCreditNotes(s.system())))
      expect([await notes(purchase_id), await stays(charge)]).toEqual([['300.00 valid', '200.00 valid'], 95_000])
      // The bank returns the second one: the first one stays.
      panel.dispute(charge, 'won')
      await deliverEvents()
      expect([await notes(purchase_id), await stays(charge)]).toEqual([['300.00 valid', '200.00 cancelled 03'], 115_000])
      await agrees()
    })

    test('what a bank took of a charge before its invoice is not in it, nor in a credit note', async () => {
      const [customer, { class_package_id }] = [await s.make.customer(), await s.make.package({ price_centavos: 99_000, class_amount: 10 })]
      const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: panel.card() })
      const charge = await chargeOf(purchase_id)
      panel.dispute(charge, 'open', 30_000)
      panel.dispute(charge, 'lost')
      await deliverEvents()
      const { charges } = await boss.fiscal.ofPurchase({ purchase_id })
      expect(charges).toMatchObject([{ amount: '690.00', why_not: null }])
      const { fiscal_document } = await boss.fiscal.issue({ invoice_ids: [charge.invoice_id], receiver: KARLA })
      expect(fiscal_document.total).toBe('690.00')
      await deliverEvents()
      expect(await notes(purchase_id)).toEqual([])
      panel.dispute(charge, 'open', 20_000)
      panel.dispute(charge, 'lost')
      await deliverEvents()
      expect([await notes(purchase_id), await stays(charge)]).toEqual([['200.00 valid'], 49_000])
      await agrees()
    })

    test('a charge of which a bank took a part is in the global invoice with the rest, and can leave it', async () => {
      s.clock.set('2027-04-15T12:00:00-06:00')
      await s.having({ global_invoice: 'month' }, async () => {
        const [customer, { class_package_id }] = [
          await s.make.customer(),
          await s.make.package({ price_centavos: 99_000, class_amount: 5 }),
        ]
        const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: panel.card() })
        const charge = await chargeOf(purchase_id)
        panel.dispute(charge, 'open', 30_000)
        panel.dispute(charge, 'lost')
        await deliverEvents()
        s.clock.set('2027-05-02T12:00:00-06:00')
        await issueGlobals(s.system())
        expect(await stays(charge)).toBe(69_000)
        panel.dispute(charge, 'open', 20_000)
        panel.dispute(charge, 'lost')
        await deliverEvents()
        expect(await stays(charge)).toBe(49_000)
        const { fiscal_document } = await boss.fiscal.issue({ invoice_ids: [charge.invoice_id], receiver: KARLA })
        expect(fiscal_document.total).toBe('490.00')
        await deliverEvents()
        // The global invoice has 690: 200 were lost, and 490 are in the charge's own.
        expect(await notes(purchase_id)).toEqual(['200.00 valid', '490.00 valid'])
        panel.dispute(charge, 'open', 9_000)
        panel.dispute(charge, 'lost')
        await deliverEvents()
        expect(await notes(purchase_id)).toEqual(['200.00 valid', '490.00 valid', '90.00 valid'])
        await agrees()
      })
    })
  }

  test('a refund that arrives after the bank took everything gets no credit note beyond the invoice', async () => {
    const charge = await invoiced()
    const { purchase_id, invoice_id } = charge
    // Asked for, and not done when the dispute is lost.
    await s.sql(
      `insert into refund (purchase_id, invoice_id, amount_centavos, reason, by_hand, state, "createdAt", "updatedAt")
       values ($1, $2, 45000, 'Prueba', false, 'asked', $3, $3)`,
      [purchase_id, invoice_id, s.clock.now()],
    )
    panel.dispute(charge, 'open')
    panel.dispute(charge, 'lost')
    await deliverEvents()
    expect(await notes(purchase_id)).toEqual(['1450.00 valid'])
    await s.sql(`update refund set state = 'done', "doneAt" = $2 where invoice_id = $1`, [invoice_id, s.clock.now()])
    await issueCreditNotes(s.system())
    expect(await notes(purchase_id)).toEqual(['1450.00 valid'])
    await s.sql('delete from refund where invoice_id = $1', [invoice_id])
  })

  test('what was lost of a charge in the global invoice is a credit note to the public', async () => {
    s.clock.set('2027-01-15T12:00:00-06:00')
    await s.having({ global_invoice: 'month' }, async () => {
      const [customer, { class_package_id }] = [await s.make.customer(), await s.make.package({ price_centavos: 99_900, class_amount: 5 })]
      const { purchase_id } = await s.as(customer, randomUUID()).sales.attempt({ class_package_id, payment_method: panel.card() })
      const charge = await chargeOf(purchase_id)
      s.clock.set('2027-02-02T12:00:00-06:00')
      await issueGlobals(s.system())
      panel.dispute(charge, 'open')
      panel.dispute(charge, 'lost')
      await deliverEvents()
      const { documents } = await boss.fiscal.ofPurchase({ purchase_id })
      expect(documents.map(({ kind, total, receiver }) => [kind, kind === 'credit' ? total : '', receiver.rfc, receiver.use])).toEqual([
        ['credit', '999.00', 'XAXX010101000', 'G02'],
        ['global', '', 'XAXX010101000', 'S01'],
      ])
    })
  })

  describe('a gift card', () => {
    const order = async () => {
      const customer = await s.make.customer()
      const { path, purchase_id } = await s.as(customer, randomUUID()).giftCardOrders.buy({ amount: '500' })
      await s.as(null).paymentLinks.pay({ token: path.split('/').at(-1) ?? '' })
      const [attempt] = await s.sql<{ ref_id: string }>('select ref_id from payment_attempt where purchase_id = $1', [purchase_id])
      const { fake } = panel
      if (fake instanceof StripeFake) fake.payPage(attempt?.ref_id ?? '')
      else fake.books.pay(attempt?.ref_id ?? '')
      await deliverEvents()
      const [card] = await s.sql<{ gift_card_id: number }>('select gift_card_id from gift_card where purchase_id = $1', [purchase_id])
      return { ...(await chargeOf(purchase_id)), gift_card_id: card?.gift_card_id ?? 0 }
    }
    const balance = async ({ gift_card_id }: { gift_card_id: number }) => (await boss.giftCards.one({ gift_card_id })).gift_card.balance

    test('loses what was refunded of its own sale in the panel, at most what is left', async () => {
      const card = await order()
      expect(await balance(card)).toBe('500.00')
      panel.refund(card, 20_000)
      await deliverEvents()
      expect(await balance(card)).toBe('300.00')
      await s.as(owner, randomUUID()).giftCards.adjust({ gift_card_id: card.gift_card_id, amount: '-250', reason: 'Se usó' })
      panel.refund(card, 30_000)
      await deliverEvents()
      expect(await balance(card)).toBe('0.00')
      await agrees()
    })

    test('whose refund does not arrive is refunded in another way, and taken once', async () => {
      const card = await order()
      const { purchase_id, invoice_id } = card
      await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, amount: '500', reason: 'Prueba' })
      panel.failRefund(card)
      await deliverEvents()
      expect(await balance(card)).toBe('0.00')
      const again = await s.as(owner, randomUUID()).studioSales.refund({ purchase_id, invoice_id, by_hand: true, reason: 'En efectivo' })
      expect(again.refund.state).toBe('done')
      expect(await balance(card)).toBe('0.00')
      await agrees()
    })

    test('follows its money as before once the data of its buyer were erased', async () => {
      const card = await order()
      panel.refund(card, 20_000)
      await deliverEvents()
      panel.dispute(card, 'open')
      await deliverEvents()
      expect(await balance(card)).toBe('0.00')
      const [buyer] = await s.sql<{ customer_id: number }>('select customer_id from purchase where purchase_id = $1', [card.purchase_id])
      const { customer_id } = buyer ?? { customer_id: 0 }
      await s.as(owner, randomUUID()).customerErasure.start({ customer_id, reason: 'Lo pidió' })
      s.clock.advance({ hours: 73 })
      await doJobs(s, 'customers.erase')
      expect(await s.sql(`select 1 from customer_erasure where customer_id = $1 and outcome = 'erased'`, [customer_id])).toHaveLength(1)
      panel.dispute(card, 'won')
      await deliverEvents()
      expect(await balance(card)).toBe('300.00')
      await agrees()
    })

    test('pays nothing while a bank disputes its sale; it has its balance again when the studio wins', async () => {
      const card = await order()
      panel.dispute(card, 'open')
      await deliverEvents()
      expect(await balance(card)).toBe('0.00')
      panel.dispute(card, 'won')
      await deliverEvents()
      expect(await balance(card)).toBe('500.00')
      const other = await order()
      panel.dispute(other, 'open')
      panel.dispute(other, 'lost')
      await deliverEvents()
      expect(await balance(other)).toBe('0.00')
      await agrees()
    })
  })
})
