/** The screens of buying in every state (spec 1 sections 2 to 5): checkout, confirmation, 'Mis Compras'. */
import { createHash } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { asDiego, type OwnStudio, ownStudio } from './own-studio.ts'
import { accept, newCard, newPackage, newPurchase, openCheckout, payButton } from './sales-steps.ts'
import { expect, test } from './test.ts'

const PHONE = { width: 390, height: 844 }
const DESKTOP = { width: 1440, height: 900 }
const MONTH = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 }

test.describe.configure({ timeout: 120_000 })

let studio: OwnStudio
let context: BrowserContext
let page: Page
let diego: number

test.beforeAll(async ({ browser }) => {
  studio = await ownStudio()
  await studio.set({
    discounts_enabled: true,
    cash_checkout_enabled: true,
    payment_sources_enabled: true,
    oxxo_enabled: true,
    spei_enabled: true,
  })
  context = await browser.newContext({ viewport: PHONE, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  page = await context.newPage()
  diego = await asDiego(page, studio)
})
test.afterAll(async () => {
  await context?.close()
  await studio?.close()
})

const paymentRadio = (name: RegExp) => page.getByRole('radio', { name })
/** Accepts the documents, if there are any: earlier tests may have changed that. */
async function acceptDocumentsIfAny() {
  const documents = page.getByRole('checkbox', { name: /^Acepto/ })
  if (await documents.count()) await documents.check()
}

test('an event that is over or was cancelled is neither offered nor sold, and the checkout says why (K13)', async () => {
  const eventValues = { is_special_event: true, is_home: true, class_amount: 1 }
  const [past, off, open] = [
    await newPackage(studio, { ...eventValues, title: 'Taller que pasó' }),
    await newPackage(studio, { ...eventValues, title: 'Taller cancelado' }),
    await newPackage(studio, { ...eventValues, title: 'Taller por venir' }),
  ]
  for (const [packageId, hours, cancelled] of [
    [past, -1, false],
    [off, 30, true],
    [open, 30, false],
  ])
    await studio.sql(
      `insert into single_class (class_type_id, location_id, class_package_id, starts_at, ends_at, capacity, "cancelledAt")
       select class_type_id, location_id, $1, now() + make_interval(hours => $2), now() + make_interval(hours => $2, mins => 50), 10,
         case when $3 then now() end from single_class limit 1`,
      [packageId, hours, cancelled],
    )
  await studio.catalogueChanged()
  await page.goto(`${studio.url}/`)
  await expect(page.getByText('Taller por venir')).toBeVisible()
  await expect(page.getByText(/^Taller (que pasó|cancelado)$/)).toHaveCount(0)
  await openCheckout(page, studio, open)
  await expect(payButton(page)).toBeVisible()
  for (const [packageId, text] of [
    [past, 'Este evento ya pasó: ya no está a la venta.'],
    [off, 'Este evento se canceló: ya no está a la venta.'],
  ] as const) {
    await page.goto(`${studio.url}/checkout/${packageId}`)
    await expect(page.getByText(text)).toBeVisible()
    await expect(payButton(page)).toHaveCount(0)
    await accessible(page, { frames: true })
  }
  await page.getByRole('link', { name: 'Ver paquetes' }).click()
  await expect(page).toHaveURL(/\/paquetes$/)
})

test('the checkout shows all facts of the package (S1-2.60, S1-2.61, S1-2.62, S1-2.64, S1-2.67)', async ({ browser }) => {
  const every3 = await newPackage(studio, {
    ...MONTH,
    subscription_interval: 3,
    title: 'Trimestre',
    sale_price_centavos: 40_000,
    description: '<p>Incluye <strong>toalla</strong></p><script>document.title = "mal"</script>',
  })
  await openCheckout(page, studio, every3)
  const bought = page.getByRole('region', { name: 'Estás Comprando' })
  await expect(bought.locator('strong')).toHaveText('toalla')
  await expect(bought).not.toContainText('<p>')
  await expect(page).toHaveTitle(/^Checkout/)
  await expect(bought.locator('s')).toHaveText('$500.00')
  await expect(bought.locator('.checkout-total b')).toHaveText('$400.00')
  await expect(bought.getByText('Cada 3 meses', { exact: true })).toBeVisible()
  await expect(page.getByText('Esto es una suscripción', { exact: true })).toBeVisible()
  await expect(page.getByText(/^Se cobra cada 3 meses\. Tu siguiente cargo es de \$400\.00 el /)).toBeVisible()
  await expect(page.getByLabel('Código de Descuento')).toBeVisible()
  await accessible(page, { frames: true })

  // The card in the shop shows the same, HTML included, and executes nothing of it.
  await page.goto(`${studio.url}/paquetes`)
  const card = page.getByRole('article').filter({ has: page.getByRole('heading', { name: 'Trimestre', exact: true }) })
  await expect(card.locator('.rich-text strong')).toHaveText('toalla')
  await expect(card).not.toContainText('<p>')
  await expect(card.locator('script')).toHaveCount(0)
  await expect(page).toHaveTitle(/^Paquetes/)

  const once = await newPackage(studio)
  await openCheckout(page, studio, once)
  await expect(bought.locator('s')).toHaveCount(0)
  await expect(page.getByText('Esto es una suscripción')).toHaveCount(0)
  await expect(page.getByLabel('Código de Descuento')).toBeVisible()

  // Codes are only for signed-in customers, and only while the setting is on.
  const visitor = await browser.newPage()
  await visitor.goto(`${studio.url}/checkout/${once}`)
  await expect(visitor.getByRole('heading', { name: 'Crea tu cuenta para comprar' })).toBeVisible()
  await expect(visitor.getByLabel('Código de Descuento')).toHaveCount(0)
  await visitor.close()
  await studio.set({ discounts_enabled: false })
  await openCheckout(page, studio, once)
  await expect(page.getByLabel('Código de Descuento')).toHaveCount(0)
  await studio.set({ discounts_enabled: true })
})

/** A gift card with a known code, in the database only. */
async function newGiftCard(code: string, amount_centavos: number) {
  const purchase_id = await newPurchase(studio, {
    customer_id: diego,
    title: 'Tarjeta de regalo',
    class_amount: 0,
    status: 'completed',
    amount_centavos,
    total_centavos: amount_centavos,
  })
  await studio.sql(
    `with card as (insert into gift_card (nonce, code_hash, last_four, amount_centavos, purchase_id, "createdAt")
       values ($1, $2, $3, $4, $5, now()) returning gift_card_id)
     insert into gift_card_movement (gift_card_id, n, kind, amount_centavos, balance_centavos, "createdAt")
       select gift_card_id, 1, 'sold', $4, $4, now() from card`,
    [code, createHash('sha256').update(code).digest('hex'), code.slice(-4), amount_centavos, purchase_id],
  )
}

test('a gift card pays a part of a package and its rest changes the sum and the button; with enough balance it pays all of it (I12)', async () => {
  const [part, all] = ['PARTE234PARTE567', 'TODA2345TODA6789']
  await newGiftCard(part, 30_000)
  await newGiftCard(all, 90_000)
  await openCheckout(page, studio, await newPackage(studio))
  const bought = page.getByRole('region', { name: 'Estás Comprando' })
  await page.getByRole('button', { name: 'Tengo una tarjeta de regalo' }).click()
  const code = page.getByLabel('Código de la tarjeta de regalo')
  await expect(code).toBeFocused()
  await code.fill('NO-EXISTE')
  await page.getByRole('button', { name: 'Usar', exact: true }).click()
  await expect(page.getByText('Ninguna tarjeta de regalo tiene ese código. Revísalo letra por letra.')).toBeVisible()
  await code.fill('parte234-parte567')
  await page.getByRole('button', { name: 'Usar', exact: true }).click()
  await expect(page.getByText('Paga $300.00. Se usa todo su saldo.')).toBeVisible()
  await expect(bought.getByText('-$300.00')).toBeVisible()
  await expect(bought.locator('.checkout-total b')).toHaveText('$200.00')
  await expect(payButton(page)).toHaveText(/\$200\.00/)
  await accessible(page, { frames: true })

  await page.getByRole('button', { name: 'Quitar la tarjeta de regalo' }).click()
  await expect(bought.locator('.checkout-total b')).toHaveText('$500.00')
  await code.fill(all)
  await page.getByRole('button', { name: 'Usar', exact: true }).click()
  await expect(page.getByText('Paga $500.00. Le quedan $400.00 para otra compra.')).toBeVisible()
  await acceptDocumentsIfAny()
  await page.getByRole('button', { name: 'Pagar con la tarjeta de regalo' }).click()
  await expect(page.getByRole('heading', { name: '¡Compra exitosa!' })).toBeVisible()
  await expect(page.getByText('Tarjeta de regalo', { exact: true }).first()).toBeVisible()
  await expect(page.getByText('-$500.00')).toBeVisible()
})

test('the pay button needs the accepted documents with every payment option, and a dialog shows them (S1-2.69, S1-5.18)', async () => {
  const [document] = await studio.sql<{ title: string }>('select title from page where required order by page_id limit 1')
  await openCheckout(page, studio, await newPackage(studio))
  // Documents that were accepted within the last hour become accepted once that is read: an earlier test did so.
  const accepts = page.getByRole('checkbox', { name: /^Acepto/ })
  await expect(async () => {
    await accepts.uncheck()
    await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true', { timeout: 500 })
  }).toPass()
  for (const name of [/^Efectivo/, /^OXXO/, /^Transferencia SPEI/]) {
    await paymentRadio(name).check()
    await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
    await expect(payButton(page)).toHaveAccessibleDescription('Acepta los documentos para continuar.')
  }
  const reads = page.getByRole('button', { name: document?.title ?? 'ninguno', exact: true }).first()
  const dialog = page.getByRole('dialog', { name: document?.title ?? 'ninguno' })
  // A document that fails to load is reported in the dialog only, with a retry button (S1-8.38).
  await page.route('**/api/pages/*', (route) => route.fulfill({ status: 500, json: { code: 'INTERNAL', status: 500, message: 'Falla' } }))
  await reads.click()
  await expect(dialog.getByRole('alert')).toContainText('Lo sentimos, hubo un error al mostrar este contenido.')
  await expect(page.locator('.toast')).toHaveCount(0)
  await page.unroute('**/api/pages/*')
  await dialog.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(dialog.locator('.document-box')).toContainText(/\w{4}/)
  await accessible(page, { frames: true })
  await dialog.getByRole('button', { name: 'Cerrar' }).last().click()
  await accept(page)
  for (const name of [/^Transferencia SPEI/, /^OXXO/, /^Efectivo/]) {
    await paymentRadio(name).check()
    await expect(payButton(page)).not.toHaveAttribute('aria-disabled')
  }
  await studio.set({ stripe_checkout_mode: 'session' })
  await openCheckout(page, studio, await newPackage(studio))
  await paymentRadio(/^Tarjeta/).check()
  await accepts.uncheck()
  await expect(payButton(page)).toHaveAttribute('aria-disabled', 'true')
  await accept(page)
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled')

  // Without a required document there is nothing to accept.
  await studio.sql('update page set required = false')
  await studio.set({ stripe_checkout_mode: 'embedded' })
  await openCheckout(page, studio, await newPackage(studio))
  await expect(page.getByRole('checkbox', { name: /^Acepto/ })).toHaveCount(0)
  await expect(paymentRadio(/^Efectivo/)).toBeChecked()
  await expect(payButton(page)).not.toHaveAttribute('aria-disabled')
})

test('each switch of the sales enables and disables its payment option (S1-3.15)', async ({ request }) => {
  await newCard(studio, diego, 'visa', '4242')
  const classPackage = await newPackage(studio)
  const shown = { Efectivo: paymentRadio(/^Efectivo/), PayPal: paymentRadio(/^PayPal/), guardada: paymentRadio(/^Visa terminada en 4242/) }
  await studio.set({ paypal_enabled: true })
  await openCheckout(page, studio, classPackage)
  for (const locator of Object.values(shown)) await expect(locator).toBeVisible()
  await paymentRadio(/^Otra tarjeta/).check()
  await expect(page.getByRole('checkbox', { name: 'Guardar esta tarjeta para otra compra' })).toBeVisible()

  await studio.set({ paypal_enabled: false, cash_checkout_enabled: false, payment_sources_enabled: false })
  await openCheckout(page, studio, classPackage)
  await expect(paymentRadio(/^Tarjeta de crédito o débito/)).toBeChecked()
  for (const locator of Object.values(shown)) await expect(locator).toHaveCount(0)
  await expect(page.getByRole('checkbox', { name: 'Guardar esta tarjeta para otra compra' })).toHaveCount(0)

  await studio.set({ checkout_disabled: true })
  await page.goto(`${studio.url}/checkout/${classPackage}`)
  await expect(page.getByText('Por ahora no es posible comprar en línea. Comunícate con nosotros.').first()).toBeVisible()
  await expect(payButton(page)).toHaveCount(0)
  await studio.set({ checkout_disabled: false, cash_checkout_enabled: true, payment_sources_enabled: true })

  const settings = (await (await request.get(`${studio.url}/api/appconfig`)).json()) as { key: string }[]
  const sales = [
    'discounts_enabled',
    'cash_checkout_enabled',
    'checkout_disabled',
    'paypal_enabled',
    'payment_sources_enabled',
    'payment_sources',
  ]
  expect(settings.map(({ key }) => key)).toEqual(expect.arrayContaining(sales))
})

test('the wallet of the built-in processor: leaving it charges nothing, approving it pays once (S1-4.07, S1-4.15)', async () => {
  await studio.set({ paypal_enabled: true })
  const classPackage = await newPackage(studio, { title: 'Con billetera' })
  for (const yes of [false, true]) {
    await openCheckout(page, studio, classPackage)
    await paymentRadio(/^PayPal/).check()
    await acceptDocumentsIfAny()
    await payButton(page).click()
    await expect(page.getByRole('heading', { name: 'Paga con tu billetera' })).toBeVisible()
    await page.getByRole('button', { name: yes ? 'Pagar ahora' : 'Cancelar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: yes ? '¡Compra exitosa!' : 'Falta terminar tu pago' })).toBeVisible()
    if (yes) continue
    await page.getByRole('button', { name: 'Volver a pagar' }).click()
    await expect(page.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
  }
  const sold = await studio.sql('select status from purchase where class_package_id = $1 order by purchase_id', [classPackage])
  expect(sold).toEqual([{ status: 'cancelled' }, { status: 'completed' }])
  const charged = await studio.sql(
    'select i.total_centavos from invoice i join purchase p using (purchase_id) where p.class_package_id = $1',
    [classPackage],
  )
  expect(charged).toEqual([{ total_centavos: 50_000 }])
})

test('the confirmation shows picture, expiry, and the class to book next (S1-2.73, S1-2.81, S1-8.41)', async () => {
  const free = { price_centavos: 0, expiration_days: 60, class_amount: 2 }
  await openCheckout(page, studio, await newPackage(studio, { ...free, title: 'De cortesía', receipt_file: '/icono/192.png' }))
  await acceptDocumentsIfAny()
  await page.getByRole('button', { name: 'Obtener Oferta' }).click()
  await expect(page.getByRole('status').getByText('¡Compra exitosa!', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Recibo de De cortesía' })).toHaveAttribute('src', /\/icono\/192\.png$/)
  const fact = (term: string) => page.locator('dt', { hasText: term }).locator('xpath=following-sibling::dd[1]')
  await expect(fact('Tus beneficios vencen')).toHaveText(/^en 60 días, el \d\d \w{3} \d{4}$/)
  await expect(page.locator('dt', { hasText: 'se renuevan' })).toHaveCount(0)
  await expect(page.getByText(/^Ya tienes 2 clases nuevas\. Hay .+ (hoy|mañana|el \p{L}+ \d+) a las \d\d:\d\d\.$/u)).toBeVisible()
  await accessible(page, { frames: true })
  await page.getByRole('link', { name: /^Reservar .+ a las \d\d:\d\d$/ }).click()
  await expect(page.getByRole('dialog').getByText('Se usará 1 crédito de')).toBeVisible()

  // A package without a picture has none here; a subscription shows its renewal.
  const [card] = await studio.sql<{ purchase_id: number }>("select purchase_id from purchase where title = 'De cortesía'")
  // Looked up later, the days from the purchase on say nothing: only the date.
  await page.goto(`${studio.url}/gracias/${card?.purchase_id}?orden=1`)
  await expect(fact('Tus beneficios vencen')).toHaveText(/^el \d\d \w{3} \d{4}$/)
  const { class_package_id, ...month } = { ...MONTH, class_package_id: await newPackage(studio, { ...MONTH, subscription_interval: 2 }) }
  const purchase = { ...month, subscription_interval: 2, class_package_id, customer_id: diego, status: 'active', title: 'Bimestre' }
  const id = await newPurchase(studio, { ...purchase, subscription_id: 'sub_examen', benefits_until: new Date(Date.now() + 86_400_000) })
  await page.goto(`${studio.url}/gracias/${id}`)
  await expect(fact('Tus beneficios se renuevan')).toHaveText('cada 2 meses')
  await expect(page.locator('dt', { hasText: 'vencen' })).toHaveCount(0)
  await expect(page.getByRole('img', { name: /^Recibo de/ })).toHaveCount(0)
  await studio.sql('delete from purchase where purchase_id = $1', [id])
  expect(card).toBeDefined()
})

test("'Mis Compras': a table or cards, every badge, and who can end a subscription where (S1-2.87, S1-4.18, S1-4.20 to S1-4.22)", async () => {
  const class_package_id = await newPackage(studio)
  const sub = (id: string) => ({ ...MONTH, subscription_id: id, next_total_centavos: 50_000 })
  const later = new Date(Date.now() + 86_400_000)
  const rows: [title: string, badge: RegExp, table: boolean, phone: boolean, row: Record<string, unknown>][] = [
    ['Viva', /^Activa$/, true, true, { status: 'active', benefits_until: later, ...sub('sub_1') }],
    ['Hecha', /^Completada$/, false, false, { status: 'completed' }],
    ['En espera', /^Pendiente$/, false, true, { status: 'pending', hold_until: later, ...sub('sub_2') }],
    ['Sin pago', /^Fallido$/, false, false, { status: 'failed' }],
    ['Dejada', /^Cancelada el \d\d \w{3} \d{4}$/, false, false, { status: 'cancelled', cancelledAt: new Date(), ...sub('sub_3') }],
    ['Retirada', /^Revocada$/, false, false, { status: 'revoked', ...sub('sub_4') }],
    ['Rara', /^en_revision$/, false, false, { status: 'failed' }],
  ]
  const ids: number[] = []
  for (const [title, , , , row] of rows) ids.push(await newPurchase(studio, { class_package_id, customer_id: diego, title, ...row }))
  // A status that this version does not know, as a newer server may send it.
  await page.route('**/api/purchases', async (route) => {
    const answer = await route.fetch()
    const body = (await answer.json()) as { purchases: { title: string; status: string }[] }
    for (const purchase of body.purchases) if (purchase.title === 'Rara') purchase.status = 'en_revision'
    await route.fulfill({ response: answer, json: body })
  })
  await page.goto(`${studio.url}/mystudio/membresias`)
  for (const [title, badge, , phone] of rows) {
    const card = page.getByRole('list', { name: 'Mis compras' }).getByRole('listitem').filter({ hasText: title })
    await expect(card.locator('.badge')).toHaveText(badge)
    await expect(card.getByRole('button', { name: 'Cancelar suscripción' })).toHaveCount(phone ? 1 : 0)
  }
  await expect(page.getByRole('table')).toHaveCount(0)
  await accessible(page, { frames: true })
  await page.setViewportSize(DESKTOP)
  const table = page.getByRole('table', { name: 'Mis compras' })
  for (const [title, badge, inTable] of rows) {
    const row = table.getByRole('row').filter({ hasText: title })
    await expect(row.locator('.badge')).toHaveText(badge)
    await expect(row.getByRole('button', { name: `Cancelar la suscripción ${title}` })).toHaveCount(inTable ? 1 : 0)
  }
  await expect(page.getByRole('list', { name: 'Mis compras' })).toHaveCount(0)
  await accessible(page, { frames: true })
  await page.setViewportSize(PHONE)
  await page.unroute('**/api/purchases')
  await studio.sql('delete from purchase where purchase_id = any($1)', [ids])
})

test('a failed refund is shown as owed, in one sentence, with its purchase and its charge (V37)', async () => {
  const class_package_id = await newPackage(studio, { title: 'Reembolso en camino' })
  const id = await newPurchase(studio, { class_package_id, customer_id: diego, title: 'Reembolso en camino', status: 'revoked' })
  await studio.sql(
    `insert into invoice (purchase_id, customer_id, period, gateway, provider_payment, total_centavos, net_centavos, tax_rate, tax_centavos, status, label, "createdAt", "paidAt")
     values ($1, $2, 'uno', 'sandbox', 'pay_examen_v37', 50000, 50000, 0, 0, 'paid', 'Visa ···4242', now(), now())`,
    [id, diego],
  )
  await studio.sql(
    `insert into money_difference (kind, gateway, about, purchase_id, details, "foundAt")
     values ('refund_failed', 'sandbox', 'pay_examen_v37', $1, '{"amount":50000,"their_refund":0,"our_refund":50000}', now())`,
    [id],
  )
  const text = 'Te debemos $500.00: no se pudo devolver por donde pagaste y te lo damos por otro medio.'
  for (const [size, path] of [
    [PHONE, '/mystudio/membresias'],
    [DESKTOP, '/mystudio/membresias'],
    [PHONE, '/mystudio/pagos'],
    [DESKTOP, '/mystudio/pagos'],
    [PHONE, `/gracias/${id}`],
    [DESKTOP, `/gracias/${id}`],
  ] as const) {
    await page.setViewportSize(size)
    await page.goto(`${studio.url}${path}`)
    await expect(page.getByText(text).filter({ visible: true })).toHaveCount(1)
    await accessible(page, { frames: true })
  }
  await studio.sql(`update invoice set refunded_centavos = 50000, status = 'refunded' where provider_payment = 'pay_examen_v37'`)
  await page.reload()
  await expect(page.getByText('Reembolsado', { exact: true })).toBeVisible()
  await expect(page.getByText(text)).toHaveCount(0)
  await page.setViewportSize(PHONE)
})

test('the file of a package is downloaded from its purchase', async () => {
  const class_package_id = await newPackage(studio, { downloadable: '/icono/192.png' })
  const id = await newPurchase(studio, { class_package_id, customer_id: diego, title: 'Con guía', status: 'completed' })
  await page.goto(`${studio.url}/mystudio/membresias`)
  const link = page.getByRole('link', { name: 'Descargar 192.png de Con guía' })
  const [file] = await Promise.all([page.waitForEvent('download'), link.click()])
  expect(file.suggestedFilename()).toBe('192.png')
  await studio.sql('delete from purchase where purchase_id = $1', [id])
})
