/**
 * The error catalogue of the sales screens with its exact sentences (spec 1 section 8), and their other texts: declines are produced by the
 * sandbox's test cards, the rest by changing the catalogue or settings.
 */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { BrowserContext, Page } from '@playwright/test'
import { accessible as seemsAccessible } from './axe.ts'
import { asDiego, type OwnStudio, ownStudio } from './own-studio.ts'
import {
  accept as acceptAll,
  fillCard as fill,
  newDiscount,
  newPackage,
  openCheckout as open,
  payButton as theButton,
} from './sales-steps.ts'
import { expect, test } from './test.ts'

let studio: OwnStudio
let context: BrowserContext
let page: Page
let diego: number

test.beforeAll(async ({ browser }) => {
  studio = await ownStudio()
  await studio.set({ discounts_enabled: true, cash_checkout_enabled: true, payment_sources_enabled: true })
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  page = await context.newPage()
  diego = await asDiego(page, studio)
})
test.afterAll(async () => {
  await context?.close()
  await studio?.close()
})

const accessible = () => seemsAccessible(page, { frames: true })
const makePackage = (more?: Record<string, unknown>) => newPackage(studio, more)
const discount = (code: string, more?: Record<string, unknown>) => newDiscount(studio, code, more)
const change = (id: number, what: string) => studio.sql(`update class_package set ${what} where class_package_id = ${id}`)
const openCheckout = (id: number) => open(page, studio, id)
const fillCard = (number: string, where = page) => fill(where, number)
const chooseCard = () => page.getByRole('radio', { name: /^(Otra tarjeta|Tarjeta de crédito o débito)/ }).check()
const accept = () => acceptAll(page)
const payButton = () => theButton(page)
const refusal = (sentence: string) =>
  page
    .locator('.checkout-banners')
    .getByRole('alert')
    .filter({ has: page.getByText(sentence, { exact: true }) })

async function payByCard(number: string) {
  await chooseCard()
  await fillCard(number)
  await accept()
  await payButton().click()
}

/** Spec 1 section 8, "Checkout (card provider flow)", and two lines of the first flow that a card can produce. */
const DECLINES: readonly (readonly [number: string, sentence: string])[] = [
  ['4000000000009995', 'Lo sentimos. Tu tarjeta ha sido rechazada por fondos insuficientes.'],
  ['4000000000009987', 'Lo sentimos. Tu tarjeta está reportada como perdida o robada y no se puede usar.'],
  ['4000000000009979', 'Lo sentimos. Tu tarjeta está reportada como perdida o robada y no se puede usar.'],
  ['4000000000000002', 'Lo sentimos. Tu banco ha rechazado la tarjeta. Comunícate con tu banco.'],
  ['4000000000000069', 'Lo sentimos. Tu tarjeta ha expirado'],
  ['4000000000000127', 'Lo sentimos. El CVV de tu tarjeta es incorrecto.'],
  ['4000000000000101', 'Lo sentimos. El número de tu tarjeta es incorrecto.'],
  ['4100000000000019', 'Lo sentimos, nuestro procesador de tarjetas ha rechazado el pago. Comunícate con nosotros.'],
  ['4000000000000119', 'El formato de la tarjeta no es válido, revisa los datos que ingresaste por favor.'],
]

test('before the first purchase the lists say so and link to the packages (S1-2.32, S1-2.88)', async () => {
  await page.goto(`${studio.url}/mystudio/membresias`)
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Compras', exact: true })).toBeVisible()
  await expect(page.getByText('No has hecho ninguna compra.', { exact: true })).toBeVisible()
  // One filled button: the way out under the sentence, not the one of the head.
  await expect(page.getByRole('main').locator('.btn-filled')).toHaveText(['Comprar Clases'])
  await accessible()
})

test('each declined card shows the reason, and another card can be tried (S1-8.13, S1-8.14, S1-8.17 to S1-8.23)', async () => {
  await openCheckout(await makePackage())
  await chooseCard()
  await accept()
  for (const [number, sentence] of DECLINES) {
    await fillCard(number)
    await payButton().click()
    await expect(refusal(sentence)).toBeVisible()
  }
  await accessible()
  await fillCard('4242424242424242')
  await payButton().click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
})

test('a refused challenge of the bank shows the reason, and can be tried again (S1-8.28, S1-8.32)', async () => {
  await openCheckout(await makePackage())
  await payByCard('4000008400001629')
  const bank = page.frameLocator('iframe[title="Confirmación de tu banco"]')
  await bank.getByRole('button', { name: 'Autorizar' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /^Hubo un error al procesar tu compra: \S/ })).toBeVisible()
  await fillCard('4000002500003155')
  await payButton().click()
  await bank.getByRole('button', { name: 'Rechazar' }).click()
  await expect(page.getByRole('alert').filter({ hasText: /^Hubo un error al procesar tu compra: \S/ })).toBeVisible()
  // A failure without a code shows the general sentence.
  await page.route('**/api/checkout/attempt', (route) =>
    route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' }),
  )
  await payButton().click()
  await expect(refusal('Hubo un error al procesar tu compra. Inténtalo más tarde.')).toBeVisible()
  await page.unroute('**/api/checkout/attempt')
})

test('packages that are gone, sold out or bought already have the texts of each flow (S1-8.12, S1-8.15, S1-8.16, S1-8.25, S1-8.26, S1-8.30, S1-8.31)', async () => {
  const deletedPackage = await makePackage()
  await openCheckout(deletedPackage)
  await change(deletedPackage, 'available = false')
  await accept()
  await payButton().click()
  await expect(refusal('Lo sentimos, no encontramos el paquete que quieres comprar.')).toBeVisible()

  const soldOut = await makePackage({ capacity: 1 })
  await openCheckout(soldOut)
  await change(soldOut, 'sold = 1')
  await accept()
  await payButton().click()
  await expect(refusal('Lo sentimos, se ha alcanzado el límite de personas para este paquete.')).toBeVisible()
  await chooseCard()
  await fillCard('4242424242424242')
  await payButton().click()
  await expect(refusal('Lo sentimos. Este paquete se ha agotado.')).toBeVisible()

  const once = await makePackage({ limit_per_customer: 1 })
  await openCheckout(once)
  await chooseCard()
  await fillCard('4242424242424242')
  await page.getByRole('checkbox', { name: 'Guardar esta tarjeta para otra compra' }).check()
  await accept()
  await payButton().click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  // The card is saved after the answer.
  const saved = page.getByRole('radio', { name: /^Visa terminada en 4242/ })
  await expect(async () => {
    await openCheckout(once)
    await expect(saved).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await accept()
  await payButton().click()
  await expect(refusal('Lo sentimos, ya has alcanzado el límite de compras de este paquete.')).toBeVisible()
  await chooseCard()
  await fillCard('5555555555554444')
  await payButton().click()
  await expect(refusal('Lo sentimos. Has alcanzado el límite de compras de este paquete.')).toBeVisible()
  await saved.check()
  await payButton().click()
  await expect(refusal('Lo sentimos, ya has alcanzado el límite de compras de este paquete.')).toBeVisible()
})

test('a payment option that was disabled meanwhile cannot be used (S1-8.24)', async () => {
  await studio.set({ stripe_checkout_mode: 'session' })
  await openCheckout(await makePackage())
  await chooseCard()
  await studio.set({ stripe_checkout_mode: 'embedded' })
  await accept()
  await payButton().click()
  await expect(refusal('No has seleccionado un método de pago.')).toBeVisible()
})

test('a price that changed meanwhile is shown before anything is charged; the next try pays it (V36)', async () => {
  const id = await makePackage({ capacity: 5 })
  await discount('SIGUE20')
  await openCheckout(id)
  await page.getByLabel('Código de Descuento').fill('SIGUE20')
  await page.getByRole('button', { name: 'Aplicar' }).click()
  await expect(payButton()).toHaveText(/\$400\.00$/)
  await change(id, 'price_centavos = 60000')
  await studio.catalogueChanged()
  await payByCard('4242424242424242')
  await expect(
    refusal('El precio cambió mientras comprabas: ahora es $480.00. No te cobramos nada; revísalo y confirma de nuevo.'),
  ).toBeVisible()
  await expect(page.getByText('Total hoy').locator('..')).toContainText('$480.00')
  await expect(payButton()).toHaveText(/\$480\.00$/)
  await accessible()
  expect(await studio.sql(`select 1 from purchase where class_package_id = ${id}`)).toEqual([])
  await payButton().click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  expect(await studio.sql(`select total_centavos, discount_code from purchase where class_package_id = ${id}`)).toEqual([
    { total_centavos: 48_000, discount_code: 'SIGUE20' },
  ])
})

test('discount codes: applied, exhausted, unknown, and with a network failure (S1-2.63, S1-7.58, S1-4.16, S1-4.17, S1-5.20, S1-8.29, S1-8.33 to S1-8.35)', async () => {
  const id = await makePackage()
  await discount('VERANO20')
  await discount('AGOTADO', { max_uses: 1, used: 1 })
  await openCheckout(id)
  const code = page.getByLabel('Código de Descuento')
  await code.fill('agotado')
  await page.getByRole('button', { name: 'Aplicar' }).click()
  await expect(page.getByRole('alert').getByText('Lo sentimos, ya has agotado este descuento.')).toBeVisible()
  await code.fill('no-existe')
  await code.press('Enter')
  await expect(page.getByRole('alert').getByText('Lo sentimos, ese descuento no es válido.')).toBeVisible()
  await expect(code).toHaveAttribute('aria-invalid', 'true')
  await code.fill(' verano20 ')
  // The lookup is the only request of the checkout (S1-7.58, settled 27).
  const lookup = page.waitForRequest(/\/api\/discounts\//)
  await page.getByRole('button', { name: 'Aplicar' }).click()
  const address = new URL((await lookup).url())
  expect([address.pathname, address.searchParams.get('class_package_id')]).toEqual(['/api/discounts/code/verano20', String(id)])
  await expect(page.getByText('Listo, te ahorras $100.00.')).toBeVisible()
  await expect(page.getByText('Total hoy').locator('..')).toContainText('$400.00')
  await expect(payButton()).toHaveText(/\$400\.00$/)
  await accessible()
  await chooseCard()
  await fillCard('4242424242424242')
  await studio.sql("update discount set max_uses = 1, used = 1 where code = 'VERANO20'")
  await accept()
  await payButton().click()
  await expect(refusal('Lo sentimos. No puedes usar este descuento')).toBeVisible()
  // The refused code is removed automatically; nothing was charged, and the next try pays the full price.
  await expect(page.getByRole('button', { name: 'Quitar el código VERANO20' })).toBeHidden()
  await expect(payButton()).toHaveText(/\$500\.00$/)
})

test('a refusal is shown at the top of the checkout, in view at 390 px (S1-2.70)', async () => {
  await openCheckout(await makePackage({ title: 'Paquete rechazado' }))
  await payByCard('4000000000000002')
  const banner = refusal('Lo sentimos. Tu banco ha rechazado la tarjeta. Comunícate con tu banco.')
  await expect(banner).toBeInViewport({ ratio: 1 })
  const [above, title] = [await banner.boundingBox(), await page.getByRole('heading', { name: 'Estás Comprando' }).boundingBox()]
  expect((above?.y ?? 0) + (above?.height ?? 0)).toBeLessThanOrEqual(title?.y ?? 0)
  expect([above?.x ?? -1, (above?.x ?? 0) + (above?.width ?? 999)].every((x) => x >= 0 && x <= 390)).toBe(true)
})

test('offer and code are lines that add up to the total; only the listed price is struck through (S1-2.61, S1-4.17)', async () => {
  const id = await makePackage({ title: 'Paquete en oferta', price_centavos: 245_000, sale_price_centavos: 219_000 })
  await discount('DIEZMENOS', { amount: 1_000 })
  await openCheckout(id)
  const lines = async () => (await page.locator('.checkout-sum > div').allInnerTexts()).map((line) => line.replace(/\s+/g, ' '))
  expect(await lines()).toEqual(['Precio Precio anterior: $2,450.00', 'Oferta -$260.00', 'Total hoy $2,190.00'])
  await page.getByLabel('Código de Descuento').fill('DIEZMENOS')
  await page.getByRole('button', { name: 'Aplicar' }).click()
  await expect(page.getByText('Total hoy').locator('..')).toContainText('$1,971.00')
  expect(await lines()).toEqual([
    'Precio Precio anterior: $2,450.00',
    'Oferta -$260.00',
    'Descuento DIEZMENOS -$219.00',
    'Total hoy $1,971.00',
  ])
  await expect(page.locator('.checkout-sum s')).toHaveText(['$2,450.00'])
  await accessible()
  await payByCard('4242424242424242')
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  // The order begins with the price before the discount.
  for (const [name, amount] of [
    ['Precio', '$2,190.00'],
    ['Descuento', '-$219.00'],
    ['Total', '$1,971.00'],
  ] as const)
    await expect(
      page
        .getByRole('term')
        .filter({ hasText: new RegExp(`^${name}$`) })
        .locator('xpath=following-sibling::dd[1]'),
    ).toHaveText(amount)
})

test('a code for the first charge shows the later charges; one of 100 percent shows only the offer (S1-5.22, S1-2.68)', async () => {
  await discount('PRIMERO', { first_invoice_only: true })
  await discount('COMPLETO', { amount: 10_000 })
  const month = await makePackage({ is_subscription: true, subscription_period: 'month', subscription_interval: 1 })
  await openCheckout(month)
  await expect(page.getByText('Esto es una suscripción')).toBeVisible()
  await expect(
    page.getByText(/Se cobra cada mes\. Tu siguiente cargo es de \$500\.00 el \d\d \w{3} \d{4}\. Te avisamos cinco días antes/),
  ).toBeVisible()
  await page.getByLabel('Código de Descuento').fill('PRIMERO')
  await page.getByRole('button', { name: 'Aplicar' }).click()
  await expect(page.getByText('Desde el segundo mes pagas $500.00. El descuento aplica solo al primer cobro.')).toBeVisible()
  const once = await makePackage()
  await openCheckout(once)
  await page.getByLabel('Código de Descuento').fill('COMPLETO')
  await page.getByRole('button', { name: 'Aplicar' }).click()
  await accept()
  await page.getByRole('button', { name: 'Obtener Oferta' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
})

test('the sign-up fee must be bought first, in a dialog (S1-2.71, S1-3.18, S1-5.23, S1-5.24)', async () => {
  const fee = await makePackage({ title: 'Inscripción', price_centavos: 0, class_amount: 0 })
  await studio.set({ signup_fee: fee })
  const id = await makePackage()
  await openCheckout(id)
  const dialog = page.getByRole('dialog', { name: 'Completar Inscripción' })
  await expect(dialog).toContainText('Antes de comprar un paquete de clases debes pagar tu inscripción.')
  await accessible()
  await dialog.getByRole('button', { name: 'Ir a Pagar' }).click()
  await expect(page).toHaveURL(new RegExp(`/checkout/${fee}$`))
  // The button of the fee's own checkout: until it is there, the terms are those of the package before.
  await expect(page.getByRole('button', { name: 'Obtener Oferta' })).toBeVisible()
  await accept()
  await page.getByRole('button', { name: 'Obtener Oferta' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  await openCheckout(id)
  await expect(dialog).toBeHidden()
  await studio.set({ signup_fee: null })
})

test('a disabled checkout says so, and the button cannot be used', async () => {
  await studio.set({ checkout_disabled: true })
  await page.goto(`${studio.url}/checkout/${await makePackage()}`)
  await expect(page.getByText('Por ahora no es posible comprar en línea. Comunícate con nosotros.').first()).toBeVisible()
  await accessible()
  await studio.set({ checkout_disabled: false })
})

test('vouchers and cash show how they are paid, and the page shows the payment by itself (S1-2.70, S1-4.06, S1-8.40)', async () => {
  await studio.set({ oxxo_enabled: true, spei_enabled: true })
  // Without a saved card, cash is the default if it is enabled.
  await studio.sql('update payment_source set "deletedAt" = now() where customer_id = $1', [diego])
  await openCheckout(await makePackage())
  await expect(page.getByRole('radio', { name: /^Efectivo/ })).toBeChecked()
  await page.getByRole('radio', { name: /^OXXO/ }).check()
  await accept()
  await page.getByRole('button', { name: 'Generar referencia por $500.00' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Falta tu pago' })).toBeVisible()
  const voucher = page.getByRole('region', { name: 'Paga en cualquier OXXO' })
  await expect(voucher.getByText(/^Tienes hasta el/)).toBeVisible()
  await context.grantPermissions(['clipboard-read', 'clipboard-write'], { origin: studio.url })
  await voucher.getByRole('button', { name: 'Copiar la referencia' }).click()
  await expect(voucher.getByText('Copiada').first()).toBeVisible()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^\d{10,}$/)
  await accessible()
  const link = await voucher.getByRole('link').getAttribute('href')
  const shop = await context.newPage()
  await shop.goto(link ?? '')
  // The shop stays open, because closing a loading page can hang. One message announces it, in the live region.
  await shop.getByRole('button').first().click()
  const paid = page.getByRole('status').getByRole('heading', { level: 1, name: '¡Pago exitoso!' })
  await expect(paid).toBeVisible({ timeout: 60_000 })
  await expect(page.getByText('¡Pago exitoso!')).toHaveCount(1)
  await expect(page.locator('.toast')).toHaveCount(0)
})

test('cards are saved, charged and deleted with the exact texts (S1-1.16, S1-2.34, S1-2.89 to S1-2.94, S1-4.19, S1-4.23 to S1-4.28, S1-5.25, S1-8.37, S1-8.45, S1-8.49, S1-8.50)', async () => {
  await studio.sql('update payment_source set "deletedAt" = now() where customer_id = $1', [diego])
  await page.goto(`${studio.url}/mystudio/metodos`)
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Método de Pago' })).toBeVisible()
  await expect(page.getByText('No hay metodos de pago registrados', { exact: true })).toBeVisible()
  await accessible()
  const adding = page.getByRole('button', { name: 'Agregar tarjeta' })
  await adding.click()
  // Escape closes the dialog from inside the processor's fields too.
  await page.frameLocator('iframe[title="Datos de la tarjeta"]').getByLabel('Vencimiento').press('Escape')
  await expect(page.getByRole('dialog')).toBeHidden()
  await expect(adding).toBeFocused()
  await adding.click()
  await fillCard('4000000000000002')
  await page.getByRole('button', { name: 'Guardar tarjeta' }).click()
  await expect(page.getByRole('alert').getByText('Hubo un error al agregar este método de pago.')).toBeVisible()
  await fillCard('5555555555554444')
  await page.getByRole('button', { name: 'Guardar tarjeta' }).click()
  await expect(page.getByText('Método de pago guardado.', { exact: true })).toBeVisible()
  await expect(page.getByRole('img', { name: 'Mastercard' })).toBeVisible()
  await accessible()

  // A card that a live subscription charges cannot be deleted.
  await openCheckout(
    await makePackage({ title: 'Mes de examen', is_subscription: true, subscription_period: 'month', subscription_interval: 1 }),
  )
  await page.getByRole('radio', { name: /^Mastercard terminada en 4444/ }).check()
  await accept()
  await payButton().click()
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  await page.goto(`${studio.url}/mystudio/pagos`)
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Cargos' })).toBeVisible()
  const charge = page.getByRole('listitem').filter({ hasText: 'Mes de examen' })
  await expect(charge.getByText('Pagado')).toBeVisible()
  const [receipt] = await Promise.all([page.waitForEvent('download'), charge.getByRole('button', { name: /^Descargar recibo/ }).click()])
  expect(receipt.suggestedFilename()).toMatch(/\.pdf$/)
  const bytes = await readFile(await receipt.path())
  expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
  await accessible()
  await page.goto(`${studio.url}/mystudio/metodos`)
  await page.getByRole('button', { name: 'Eliminar Mastercard terminada en 4444' }).click()
  const dialog = page.getByRole('dialog', { name: 'Precaución' })
  // A card in use, then a network failure: the message is in the dialog only.
  await dialog.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(dialog.getByRole('alert')).toHaveText(
    /^Hubo un error al agregar este método de pago\. Una suscripción activa se cobra a esta tarjeta/,
  )
  await expect(page.locator('.toast')).toHaveCount(0)
  await page.route('**/api/payment_sources/**', (route) => route.abort())
  await dialog.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Hubo un error al agregar este método de pago.')
  await expect(page.locator('.toast')).toHaveCount(0)
  await page.unroute('**/api/payment_sources/**')
  await dialog.getByRole('button', { name: 'No, conservarla' }).click()

  // A subscription is cancelled with a reason, never without one.
  await page.goto(`${studio.url}/mystudio/membresias`)
  await page.getByRole('listitem').filter({ hasText: 'Mes de examen' }).getByRole('button', { name: 'Cancelar suscripción' }).click()
  const end = page.getByRole('dialog', { name: 'Cancelar suscripción' })
  await expect(end).toContainText('No hay reembolso y no se puede deshacer.')
  await end.getByRole('button', { name: 'Cancelar suscripción' }).click()
  await expect(end.getByText('Debes indicar un motivo de cancelación.')).toBeVisible()
  await accessible()
  await end.getByLabel('¿Por qué cancelas?').fill('Me mudo de ciudad')
  await end.getByRole('button', { name: 'Cancelar suscripción' }).click()
  await expect(page.getByRole('status').getByText('¡Suscripción cancelada!', { exact: true })).toBeVisible()
  await expect(
    page
      .getByRole('listitem')
      .filter({ hasText: 'Mes de examen' })
      .getByText(/^Cancelada el \d\d \w{3} \d{4}$/),
  ).toBeVisible()
  await accessible()

  await page.goto(`${studio.url}/mystudio/metodos`)
  await page.getByRole('button', { name: 'Eliminar Mastercard terminada en 4444' }).click()
  await dialog.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByText('Metodo de Pago eliminado con éxito.')).toBeVisible()
  await expect(page.getByText('No hay metodos de pago registrados')).toBeVisible()
})

test('another card for a subscription: by the link of an email without logging in, and from the list of purchases', async ({ browser }) => {
  await openCheckout(
    await makePackage({ title: 'Mes con enlace', is_subscription: true, subscription_period: 'month', subscription_interval: 1 }),
  )
  await payByCard('4242424242424242')
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  const [sale] = await studio.sql<{ purchase_id: number }>("select purchase_id from purchase where title = 'Mes con enlace'")
  const token = await studio.sign('tarjeta', `${sale?.purchase_id}-examen`)
  await studio.sql(
    'insert into card_link (token_hash, purchase_id, "expiresAt", "createdAt") values ($1, $2, now() + interval \'1 day\', now())',
    [createHash('sha256').update(token).digest('base64url'), sale?.purchase_id],
  )
  const elsewhere = await browser.newContext()
  const stranger = await elsewhere.newPage()
  await stranger.goto(`${studio.url}/tarjeta/nada`)
  await expect(stranger.getByRole('heading', { name: 'Este enlace no es válido.' })).toBeVisible()
  // The page where the card of a subscription is changed.
  await expect(stranger.getByRole('link', { name: 'Ver mis compras' })).toHaveAttribute('href', '/mystudio/membresias')
  await seemsAccessible(stranger)
  const document = await stranger.goto(`${studio.url}/tarjeta/${token}`)
  expect(document?.headers()['content-security-policy']).toContain(`frame-src 'self' http://localhost:`)
  await expect(stranger.getByText('Mes con enlace')).toBeVisible()
  await seemsAccessible(stranger)
  await fillCard('4000000000000002', stranger)
  await stranger.getByRole('button', { name: 'Guardar tarjeta' }).click()
  await expect(stranger.getByRole('alert').getByText('Hubo un error al agregar este método de pago.')).toBeVisible()
  await seemsAccessible(stranger)
  await fillCard('4000002500003155', stranger)
  await stranger.getByRole('button', { name: 'Guardar tarjeta' }).click()
  const bank = stranger.frameLocator('iframe[title="Confirmación de tu banco"]')
  await expect(bank.getByRole('button', { name: 'Autorizar' })).toBeVisible()
  await seemsAccessible(stranger)
  await bank.getByRole('button', { name: 'Rechazar' }).click()
  await expect(stranger.getByRole('alert').getByText('Hubo un error al agregar este método de pago.')).toBeVisible()
  await fillCard('5555555555554444', stranger)
  await stranger.getByRole('button', { name: 'Guardar tarjeta' }).click()
  await expect(stranger.getByRole('heading', { name: 'Listo, guardamos tu tarjeta' })).toBeVisible()
  await seemsAccessible(stranger)
  await stranger.goto(`${studio.url}/tarjeta/${token}`)
  await expect(stranger.getByRole('heading', { name: 'Este enlace ya no sirve' })).toBeVisible()
  await seemsAccessible(stranger)
  await elsewhere.close()

  await page.goto(`${studio.url}/mystudio/membresias`)
  const row = page.getByRole('listitem').filter({ hasText: 'Mes con enlace' })
  await expect(row.getByText(/Mastercard terminada en 4444/)).toBeVisible()
  await row.getByRole('button', { name: 'Cambiar tarjeta' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cambiar tarjeta' })
  await expect(dialog.getByRole('radio').first()).toBeChecked()
  await accessible()
  await dialog.getByRole('button', { name: 'Cambiar tarjeta' }).click()
  await expect(page.getByText('Método de pago guardado.', { exact: true })).toBeVisible()
})

test('disabled and empty pages say so (S1-2.33, S1-2.86)', async ({ browser }) => {
  await studio.set({ subscriptions_enabled: false })
  await page.goto(`${studio.url}/mystudio/pagos`)
  await expect(page).toHaveURL(`${studio.url}/mystudio`)
  await studio.set({ subscriptions_enabled: true })
  await studio.sql('update class_package set available = false where not is_online')
  await studio.catalogueChanged()
  const visitor = await browser.newPage()
  await visitor.goto(`${studio.url}/paquetes`)
  await expect(visitor.getByText('No hay paquetes disponibles.')).toBeVisible()
  await visitor.close()
})
