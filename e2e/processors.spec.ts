/**
 * The browser side of the real processors: their scripts, fields and buttons come from fakes on the loopback interface, with fakes of their
 * APIs behind them (S1-4.08 to S1-4.15, S1-7.50, S1-7.51). What was charged is checked in the fakes' books.
 */
import { readFile } from 'node:fs/promises'
import type { Page } from '@playwright/test'
import { type BrowserSite, openBrowserSite } from '#server/testing/fakes/browser-site.ts'
import { CONEKTA_FAKE_KEY, ConektaFake } from '#server/testing/fakes/conekta.ts'
import { PAYPAL_FAKE_ID, PAYPAL_FAKE_SECRET, PAYPAL_FAKE_WEBHOOK, PayPalFake } from '#server/testing/fakes/paypal.ts'
import { STRIPE_FAKE_KEY, STRIPE_FAKE_SECRET, StripeFake } from '#server/testing/fakes/stripe.ts'
import { accessible } from './axe.ts'
import { asDiego, type OwnStudio, ownStudio } from './own-studio.ts'
import { expect, test } from './test.ts'

const now = () => new Date()

async function newPackage(studio: OwnStudio, more = ''): Promise<number> {
  const [created] = await studio.sql<{ class_package_id: number }>(
    `insert into class_package (title, price_centavos, class_amount, expiration_days${more && ', is_subscription, subscription_period, subscription_interval'}) values ('De examen', 50000, 3, 30${more}) returning class_package_id`,
  )
  await studio.catalogueChanged()
  return created?.class_package_id ?? 0
}

/** Collects CSP violations, and every request to the studio that contains the typed card number. */
function watch(page: Page, studio: OwnStudio) {
  const violations: string[] = []
  page.on('console', (message) => {
    if (/content security policy/i.test(message.text())) violations.push(message.text())
  })
  page.on('request', (request) => {
    const all = `${request.url()} ${request.postData() ?? ''}`
    if (request.url().startsWith(studio.url) && /4242\D*4242\D*4242/.test(all)) violations.push(`a card number in ${request.url()}`)
  })
  return violations
}

const accept = (page: Page) => page.getByRole('checkbox', { name: /^Acepto/ }).check()
const card = (page: Page) => page.getByRole('radio', { name: /^(Otra tarjeta|Tarjeta de crédito o débito)/ })
const bought = (page: Page) => expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible({ timeout: 20_000 })
const purchaseOf = (page: Page, studio: OwnStudio) => async () => {
  const id = Number(new URL(page.url()).pathname.split('/').at(-1))
  const [row] = await studio.sql<{ purchase_id: number }>(
    'select purchase_id from payment_attempt where payment_id = $1 or purchase_id = $1 order by purchase_id desc limit 1',
    [id],
  )
  return row?.purchase_id ?? 0
}

async function fillStripe(page: Page, number: string) {
  await page.frameLocator('iframe[title="Stripe cardNumber"]').getByLabel('Número').fill(number)
  await page.frameLocator('iframe[title="Stripe cardExpiry"]').getByLabel('Vence').fill('09/31')
  await page.frameLocator('iframe[title="Stripe cardCvc"]').getByLabel('Código').fill('123')
  await page.getByLabel('Nombre en la tarjeta').fill('Diego Salas')
}

/** A studio with Stripe for cards and PayPal as its wallet, both fakes. */
async function stripeAndPayPal(wallets: Parameters<typeof openBrowserSite>[0]['wallets'] = {}) {
  const stripe = await new StripeFake({ now }).listen()
  const paypal = await new PayPalFake({ now }).listen()
  const bank = { confirm: (secret: string, yes: boolean) => stripe.books.authenticate(secret, yes) }
  const site: BrowserSite = await openBrowserSite({
    tokens: {
      '4242': 'pm_card_visa',
      '4444': 'pm_card_mastercard',
      '8431': 'pm_card_amex',
      '3155': 'pm_card_threeDSecure2Required',
      '3184': 'pm_card_authenticationRequired',
      '9995': 'pm_card_chargeDeclinedInsufficientFunds',
      '0003': 'no:Tu tarjeta no admite este tipo de compra.',
    },
    wallets,
    confirm: (secret, yes) => bank.confirm(secret, yes),
    approve: (kind, id) => (kind === 'orden' ? paypal.books.approve(id) : paypal.books.approveSubscription(id)),
  })
  const studio = await ownStudio({
    PAYMENTS: 'stripe',
    STRIPE_SECRET_KEY: STRIPE_FAKE_KEY,
    STRIPE_WEBHOOK_SECRET: STRIPE_FAKE_SECRET,
    STRIPE_API_BASE: stripe.url,
    STRIPE_JS_BASE: site.url,
    PAYPAL_CLIENT_ID: PAYPAL_FAKE_ID,
    PAYPAL_CLIENT_SECRET: PAYPAL_FAKE_SECRET,
    PAYPAL_WEBHOOK_ID: PAYPAL_FAKE_WEBHOOK,
    PAYPAL_API_BASE: paypal.url,
    PAYPAL_JS_BASE: site.url,
  })
  await studio.set({ stripe_public: 'pk_test_twin', paypal_enabled: true, paypal_client_id: PAYPAL_FAKE_ID, cash_checkout_enabled: true })
  const close = async () => {
    await studio.close()
    await Promise.all([stripe.close(), paypal.close(), site.close()])
  }
  return { stripe, paypal, bank, site, studio, close }
}

test("Stripe's fields, 3-D Secure and saved cards, and PayPal's button (S1-3.09)", async ({ page }) => {
  test.setTimeout(240_000)
  const { stripe, paypal, site, studio, close } = await stripeAndPayPal()
  try {
    await asDiego(page, studio)
    const violations = watch(page, studio)
    const classPackage = await newPackage(studio)

    // The CSP names the fake and no real processor; nothing is loaded from it while cash is chosen.
    const document = await page.goto(`${studio.url}/checkout/${classPackage}`)
    expect(document?.headers()['content-security-policy']).toContain(`script-src 'self'`)
    expect(document?.headers()['content-security-policy']).toContain(site.url)
    expect(document?.headers()['content-security-policy']).not.toMatch(/stripe\.com|paypal\.com/)
    await expect(page.getByRole('radio', { name: /^Efectivo/ })).toBeChecked()
    expect(site.requested).toEqual([])

    // A script that did not load can be retried.
    site.down = true
    await card(page).check()
    await expect(page.getByText('No pudimos cargar los datos de la tarjeta.')).toBeVisible()
    site.down = false
    await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
    await expect(page.locator('iframe[title="Stripe cardNumber"]')).toBeVisible()
    expect(site.requested).not.toContain('/sdk/js')

    const pay = page.getByRole('button', { name: 'Pagar $500.00' })
    await accept(page)
    await expect(pay).toHaveAttribute('aria-disabled', 'true')
    await fillStripe(page, '4000000000009995')
    await pay.click()
    await expect(page.getByRole('alert').getByText('Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.')).toBeVisible()
    await fillStripe(page, '4000002500003155')
    await pay.click()
    await page.frameLocator('iframe[title="Banco de Stripe"]').getByRole('button', { name: 'Rechazar' }).click()
    await expect(
      page.getByRole('alert').getByText('Hubo un error al procesar tu compra: No pudimos autenticar tu método de pago.'),
    ).toBeVisible()
    await page.getByRole('checkbox', { name: 'Guardar esta tarjeta para otra compra' }).check()
    await fillStripe(page, '4242424242424242')
    await pay.click()
    await bought(page)
    expect(stripe.taken(await purchaseOf(page, studio)())).toBe(50_000)

    // The bank challenges the payment, and the customer confirms.
    const next = await newPackage(studio)
    // The card is saved after the answer.
    await expect(async () => {
      await page.goto(`${studio.url}/checkout/${next}`)
      await expect(page.getByRole('radio', { name: /Visa terminada en 4242/ })).toBeVisible({ timeout: 3_000 })
    }).toPass()
    await card(page).check()
    await fillStripe(page, '4000002500003155')
    await accept(page)
    await pay.click()
    await page.frameLocator('iframe[title="Banco de Stripe"]').getByRole('button', { name: 'Autorizar' }).click()
    await bought(page)

    // The saved card pays without card fields.
    await page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
    await page.getByRole('radio', { name: /Visa terminada en 4242/ }).check()
    await accept(page)
    await pay.click()
    await bought(page)
    expect(stripe.taken(await purchaseOf(page, studio)())).toBe(50_000)

    // PayPal: first closed, then approved. The money is captured after the approval.
    await page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
    await page.getByRole('radio', { name: /^PayPal/ }).check()
    await accept(page)
    const wallet = page.frameLocator('iframe[title="PayPal"]')
    await wallet.getByRole('button', { name: 'Cerrar PayPal' }).click()
    await expect
      .poll(() => studio.sql("select status from purchase where gateway = 'paypal'").then((rows) => rows.map((row) => row.status)))
      .toEqual(['cancelled'])
    await wallet.getByRole('button', { name: 'Pagar con PayPal' }).click()
    await bought(page)
    expect(paypal.taken(await purchaseOf(page, studio)())).toBe(50_000)

    const month = await newPackage(studio, ", true, 'month', 1")
    await page.goto(`${studio.url}/checkout/${month}`)
    await page.getByRole('radio', { name: /^PayPal/ }).check()
    await accept(page)
    await wallet.getByRole('button', { name: 'Pagar con PayPal' }).click()
    await bought(page)
    await expect(page.getByText('Activa')).toBeVisible()

    // A card is saved on the page of saved cards.
    await page.goto(`${studio.url}/mystudio/metodos`)
    await page.getByRole('button', { name: 'Agregar tarjeta' }).click()
    await fillStripe(page, '5555555555554444')
    await page.getByRole('button', { name: 'Guardar tarjeta' }).click()
    await expect(page.getByText('Método de pago guardado.', { exact: true })).toBeVisible()
    await expect(page.getByRole('img', { name: 'Mastercard' })).toBeVisible()
    await expect(page.getByRole('img', { name: 'Visa' })).toBeVisible()

    // Each charge is listed with its card and its receipt.
    await page.goto(`${studio.url}/mystudio/pagos`)
    const charges = page.getByRole('table', { name: 'Mis cargos' }).getByRole('row').filter({ hasText: 'De examen' })
    const byCard = charges.filter({ hasText: 'Visa terminada en 4242' }).first()
    await expect(byCard.getByText('Pagado')).toBeVisible()
    const [receipt] = await Promise.all([
      page.waitForEvent('download'),
      byCard.getByRole('button', { name: /^Descargar recibo de De examen/ }).click(),
    ])
    expect((await readFile(await receipt.path())).subarray(0, 5).toString()).toBe('%PDF-')

    expect(violations).toEqual([])
    expect([...stripe.complaints, ...paypal.complaints]).toEqual([])
  } finally {
    await close()
  }
})

test('Apple Pay, Google Pay and Link pay with a tap where the browser has them, and take no room elsewhere (V59)', async ({ page }) => {
  test.setTimeout(180_000)
  const wallets: Parameters<typeof openBrowserSite>[0]['wallets'] = { applePay: 'pm_twin_applePay', googlePay: 'pm_twin_googlePayDeclined' }
  const { stripe, studio, close } = await stripeAndPayPal(wallets)
  const express = page.getByRole('group', { name: 'Pago con un toque' })
  const buttons = page.frameLocator('iframe[title="Express Checkout"]')
  const sheetOf = (wallet: string) => page.frameLocator(`iframe[title="Hoja de ${wallet}"]`)
  const errors: string[] = []
  page.on('pageerror', ({ message }) => errors.push(message))
  try {
    await asDiego(page, studio)
    const violations = watch(page, studio)
    await studio.set({ express_checkout_enabled: true })
    // Acceptances of the last hour tick the box beforehand: those of a demo that has just started.
    await studio.sql(`update accepted_page set "createdAt" = "createdAt" - interval '2 hours'`)
    await page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
    await expect(express).toBeVisible()
    await accessible(page)
    // Until the documents are accepted a tap leads to them.
    await page.getByRole('button', { name: 'Apple Pay, Google Pay o Link: Acepta los documentos para continuar.' }).click()
    await expect(page.getByRole('checkbox', { name: /^Acepto/ })).toBeFocused()
    await accept(page)
    // A declined payment is reported on the page, and the wallet's window closes.
    await buttons.getByRole('button', { name: 'Google Pay' }).click()
    await expect(sheetOf('google_pay').getByText('500.00 MXN')).toBeVisible()
    await sheetOf('google_pay').getByRole('button', { name: 'Autorizar' }).click()
    await expect(page.getByRole('alert').getByText('Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.')).toBeVisible()
    await expect(page.locator('iframe[title^="Hoja de"]')).toHaveCount(0)
    await buttons.getByRole('button', { name: 'Apple Pay' }).click()
    await sheetOf('apple_pay').getByRole('button', { name: 'Cerrar' }).click()
    await buttons.getByRole('button', { name: 'Apple Pay' }).click()
    await sheetOf('apple_pay').getByRole('button', { name: 'Autorizar' }).click()
    await bought(page)
    expect(stripe.taken(await purchaseOf(page, studio)())).toBe(50_000)
    await expect(page.getByText('Visa terminada en 4242 (Apple Pay)')).toBeVisible()

    // Link is a method of its own.
    delete wallets.applePay
    delete wallets.googlePay
    wallets.link = 'pm_twin_link'
    await page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
    await accept(page)
    await buttons.getByRole('button', { name: 'Link' }).click()
    await sheetOf('link').getByRole('button', { name: 'Autorizar' }).click()
    await bought(page)
    expect(stripe.taken(await purchaseOf(page, studio)())).toBe(50_000)

    delete wallets.link
    await page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
    await expect(page.getByRole('radio', { name: /^Efectivo/ })).toBeChecked()
    await expect(express).toBeHidden()
    const title = await page.getByRole('heading', { name: 'Forma de Pago' }).boundingBox()
    const options = await page
      .getByRole('radiogroup', { name: 'Forma de pago' })
      .or(page.getByRole('group', { name: 'Forma de pago' }))
      .boundingBox()
    expect(Math.round((options?.y ?? 0) - (title?.y ?? 0) - (title?.height ?? 0))).toBe(16)
    // This payment method is not offered for a subscription.
    await page.goto(`${studio.url}/checkout/${await newPackage(studio, ", true, 'month', 1")}`)
    await expect(page.getByText('Esto es una suscripción')).toBeVisible()
    await expect(express).toHaveCount(0)
    expect([violations, errors, stripe.complaints]).toEqual([[], [], []])
  } finally {
    await close()
  }
})

test('a renewal that needs a challenge is confirmed from Mis Cargos and charged once (V33)', async ({ page }) => {
  test.setTimeout(180_000)
  const { stripe, studio, close } = await stripeAndPayPal()
  stripe.courier = async ({ headers, body }) => (await fetch(`${studio.url}/api/webhooks/stripe`, { method: 'POST', headers, body })).status
  const bankFrame = page.frameLocator('iframe[title="Banco de Stripe"]')
  try {
    await asDiego(page, studio)
    const violations = watch(page, studio)
    await page.goto(`${studio.url}/checkout/${await newPackage(studio, ", true, 'month', 1")}`)
    await card(page).check()
    await fillStripe(page, '4000002760003184')
    await accept(page)
    await page.getByRole('button', { name: 'Pagar $500.00' }).click()
    await bankFrame.getByRole('button', { name: 'Autorizar' }).click()
    await bought(page)
    const id = await purchaseOf(page, studio)()

    // The period ends now: the bank requires a challenge for the next charge.
    for (const { items } of stripe.books.all.subscriptions.values())
      for (const item of items.data) item.current_period_end = stripe.books.seconds
    stripe.tick()
    await stripe.deliver()
    await expect(async () => {
      await page.goto(`${studio.url}/mystudio/pagos`)
      await expect(page.getByText('Tu banco quiere que confirmes el cargo de De examen')).toBeVisible({ timeout: 3_000 })
    }).toPass()
    await page.getByRole('button', { name: 'Confirmar el cargo de De examen' }).click()
    const confirm = page.getByRole('button', { name: 'Confirmar $500.00 con mi banco' })
    await confirm.click()
    await bankFrame.getByRole('button', { name: 'Rechazar' }).click()
    await expect(page.getByRole('alert').getByText('No pudimos autenticar tu método de pago.')).toBeVisible()
    expect(stripe.taken(id)).toBe(50_000)
    await confirm.click()
    await bankFrame.getByRole('button', { name: 'Autorizar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Listo, tu cargo quedó pagado' })).toBeVisible({ timeout: 15_000 })
    expect(stripe.movements(id)).toEqual(['charge 50000', 'charge 50000'])
    await page.goto(`${studio.url}/mystudio/pagos`)
    await expect(page.getByRole('table', { name: 'Mis cargos' }).getByRole('row').filter({ hasText: 'De examen' })).toHaveCount(2)
    await expect(page.getByText('Tu banco quiere que confirmes')).toHaveCount(0)
    expect(violations).toEqual([])
    expect(stripe.complaints).toEqual([])
  } finally {
    await close()
  }
})

test("Stripe's own page and back, a redirect that waits for the money, and failures of PayPal's window (S1-3.09, S1-3.17, S1-8.27)", async ({
  page,
}) => {
  test.setTimeout(240_000)
  const { stripe, paypal, bank, studio, close } = await stripeAndPayPal()
  const checkout = async () => page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
  const statuses = () =>
    studio
      .sql<{ status: string }>("select status from purchase where title = 'De examen' order by purchase_id")
      .then((all) => all.map((row) => row.status))
  try {
    await asDiego(page, studio)

    // Stripe's own message is shown for a decline without a sentence of ours (S1-8.27).
    await checkout()
    await card(page).check()
    await fillStripe(page, '4000000000000003')
    await accept(page)
    await page.getByRole('button', { name: 'Pagar $500.00' }).click()
    await expect(page.getByRole('alert').getByText('Tu tarjeta no admite este tipo de compra.', { exact: true })).toBeVisible()

    // S1-3.17: the bank has confirmed, but the money has not arrived: no redirect to the studio's own page yet.
    await studio.set({ checkout_redirect_url: '/avisos?compra=lista' })
    await checkout()
    bank.confirm = (secret) =>
      Object.assign(stripe.books.get('intents', secret.split('_secret_')[0]), { status: 'processing', next_action: null })
    await card(page).check()
    await fillStripe(page, '4000002500003155')
    await accept(page)
    await page.getByRole('button', { name: 'Pagar $500.00' }).click()
    await page.frameLocator('iframe[title="Banco de Stripe"]').getByRole('button', { name: 'Autorizar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Estamos confirmando tu pago' })).toBeVisible()
    expect(await statuses()).toEqual(['pending'])
    await page.waitForResponse(/\/api\/purchases\/\d+$/)
    await expect(page).toHaveURL(/\/gracias\/\d+\?pagando=1$/)
    for (const intent of stripe.books.all.intents.values()) if (intent.status === 'processing') stripe.books.succeed(intent)
    await expect(page).toHaveURL(`${studio.url}/avisos?compra=lista`, { timeout: 20_000 })
    expect(await statuses()).toEqual(['completed'])

    // Stripe's page (S1-4.14): left without paying, started again, one card declined, another accepted.
    await studio.set({ stripe_checkout_mode: 'session' })
    await checkout()
    await card(page).check()
    await accept(page)
    await page.getByRole('button', { name: 'Continuar al pago' }).click()
    await expect(page.getByRole('heading', { name: 'Stripe Checkout' })).toBeVisible()
    await page.getByRole('link', { name: 'Volver' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Falta terminar tu pago' })).toBeVisible()
    await expect(page.getByText('No se ha hecho ningún cargo.')).toBeVisible()
    await page.getByRole('button', { name: 'Volver a pagar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
    expect(await statuses()).toEqual(['completed', 'cancelled'])
    await card(page).check()
    await accept(page)
    await page.getByRole('button', { name: 'Continuar al pago' }).click()
    await page.getByRole('button', { name: 'Pagar con una que no pasa' }).click()
    await expect(page.getByRole('alert')).toHaveText('Tu tarjeta fue rechazada.')
    await page.getByRole('button', { name: 'Pagar', exact: true }).click()
    await expect(page).toHaveURL(`${studio.url}/avisos?compra=lista`, { timeout: 20_000 })
    expect(await statuses()).toEqual(['completed', 'cancelled', 'completed'])
    expect([...stripe.books.all.sessions.values()].map(({ status }) => status)).toEqual(['expired', 'complete'])
    expect(stripe.ledger.filter(({ kind }) => kind === 'charge').map(({ amount }) => amount)).toEqual([50_000, 50_000])

    // PayPal: the window cannot open, the funding source is declined, and the same order is approved again.
    await studio.set({ checkout_redirect_url: '' })
    await checkout()
    await page.getByRole('radio', { name: /^PayPal/ }).check()
    await accept(page)
    const wallet = page.frameLocator('iframe[title="PayPal"]')
    await wallet.getByRole('button', { name: 'Ventana bloqueada' }).click()
    await expect(page.getByRole('alert').getByText('Hubo un error al procesar tu compra. Inténtalo más tarde.')).toBeVisible()
    paypal.books.nextCapture = 'INSTRUMENT_DECLINED'
    await wallet.getByRole('button', { name: 'Pagar con PayPal' }).click()
    await expect(page.getByRole('alert').getByText('Lo sentimos. Tu banco ha rechazado la tarjeta. Comunícate con tu banco.')).toBeVisible()
    await wallet.getByRole('button', { name: 'Pagar con PayPal' }).click()
    await bought(page)
    expect(paypal.taken(await purchaseOf(page, studio)())).toBe(50_000)
    expect(paypal.books.orders.size).toBe(1)
    expect([...stripe.complaints, ...paypal.complaints]).toEqual([])
  } finally {
    await close()
  }
})

test("Conekta's form returns a token, and our button submits it (S1-8.48)", async ({ page }) => {
  test.setTimeout(180_000)
  const conekta = await new ConektaFake({ now }).listen()
  const site = await openBrowserSite({ tokens: { '4242': 'tok_test_visa', '9995': 'tok_test_insufficient_funds' } })
  const studio = await ownStudio({
    PAYMENTS: 'conekta',
    CONEKTA_PRIVATE_KEY: CONEKTA_FAKE_KEY,
    CONEKTA_WEBHOOK_KEY: conekta.publicKey,
    CONEKTA_API_BASE: conekta.url,
    CONEKTA_JS_BASE: site.url,
  })
  try {
    await studio.set({ conekta_public: 'key_twin_public' })
    await asDiego(page, studio)
    const violations = watch(page, studio)
    await page.goto(`${studio.url}/checkout/${await newPackage(studio)}`)
    const number = page.frameLocator('iframe[title="Conekta"]').getByLabel('Número')
    const pay = page.getByRole('button', { name: 'Pagar $500.00' })
    await number.fill('4000000000009995')
    await accept(page)
    await pay.click()
    await expect(page.getByRole('alert').getByText('Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.')).toBeVisible()
    await number.fill('4000000000000119')
    await pay.click()
    await expect(
      page.getByRole('alert').getByText('El formato de la tarjeta no es válido, revisa los datos que ingresaste por favor.'),
    ).toBeVisible()
    await number.fill('4242424242424242')
    await pay.click()
    await bought(page)
    expect(conekta.taken(await purchaseOf(page, studio)())).toBe(50_000)
    await page.goto(`${studio.url}/mystudio/metodos`)
    await page.getByRole('button', { name: 'Agregar tarjeta' }).click()
    await number.fill('4242424242424242')
    await page.getByRole('button', { name: 'Guardar tarjeta' }).click()
    await expect(page.getByRole('status').getByText('¡Método de Pago guardado con éxito!', { exact: true })).toBeVisible()
    expect(violations).toEqual([])
    expect(conekta.complaints).toEqual([])
  } finally {
    await studio.close()
    await Promise.all([conekta.close(), site.close()])
  }
})
