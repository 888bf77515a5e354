/**
 * A purchase in progress is shown at the checkout, paid once from any tab, and repeated only on confirmation (docs/domain.md V5, V6, D4).
 */
import type { BrowserContext, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { wrongInPalettes } from './measure-colours.ts'
import { asDiego, type OwnStudio, ownStudio } from './own-studio.ts'
import { accept, fillCard, newDiscount, newPackage, openCheckout, payButton } from './sales-steps.ts'
import { expect, test } from './test.ts'

let studio: OwnStudio
let context: BrowserContext
let page: Page
let diego: number

test.beforeAll(async ({ browser }) => {
  studio = await ownStudio()
  await studio.set({ discounts_enabled: true, oxxo_enabled: true, cash_checkout_enabled: false })
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  page = await context.newPage()
  diego = await asDiego(page, studio)
})
test.afterAll(async () => {
  await context?.close()
  await studio?.close()
})

const purchasesOf = (class_package_id: number) =>
  studio.sql<{ status: string }>(
    `select status from purchase where customer_id = ${diego} and class_package_id = ${class_package_id} order by purchase_id`,
  )
const chargesOf = (class_package_id: number) =>
  studio.sql(
    `select 1 from sandbox_ledger join purchase using (purchase_id) where class_package_id = ${class_package_id} and kind = 'charge'`,
  )
const thanks = (at: Page) => expect(at.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
const pendingBanner = (at: Page) => at.getByText('Ya tienes una compra en proceso', { exact: true })

async function payByCard(at: Page, number: string) {
  await at.getByRole('radio', { name: /^(Otra tarjeta|Tarjeta de crédito o débito)/ }).check()
  await fillCard(at, number)
  await accept(at)
  await payButton(at).click()
}

test('an unpaid voucher is shown at the checkout, and a card pays that same order once', async () => {
  const id = await newPackage(studio)
  await openCheckout(page, studio, id)
  await expect(pendingBanner(page)).toHaveCount(0)
  await page.getByRole('radio', { name: /^OXXO/ }).check()
  await accept(page)
  await payButton(page).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Falta tu pago' })).toBeVisible()

  const tab = await context.newPage()
  await openCheckout(tab, studio, id)
  await expect(pendingBanner(tab)).toBeVisible()
  await expect(
    tab.getByText(/^Tu orden espera que la pagues \(OXXO\)\. Si la pagas aquí de otra forma, esa referencia se cancela/),
  ).toBeVisible()
  await expect(tab.getByRole('link', { name: /^Ver orden #00\d+$/ })).toBeVisible()
  await accessible(tab)
  await payByCard(tab, '4242424242424242')
  await thanks(tab)
  expect(await purchasesOf(id)).toEqual([{ status: 'completed' }])
  expect(await chargesOf(id)).toHaveLength(1)
  await tab.close()
})

test('while the bank is deciding, another tab says so and cannot pay', async () => {
  const id = await newPackage(studio)
  await openCheckout(page, studio, id)
  await payByCard(page, '4000000000003220')
  await expect(page.getByText('Esta página se actualiza sola. No necesitas pagar de nuevo.')).toBeVisible()
  const tab = await context.newPage()
  await openCheckout(tab, studio, id)
  await expect(pendingBanner(tab)).toBeVisible()
  await expect(payButton(tab)).toHaveAttribute('aria-disabled', 'true')
  // The bank decides a moment later: the first page shows the result, the other one allows paying again.
  await thanks(page)
  await expect(pendingBanner(tab)).toHaveCount(0, { timeout: 30_000 })
  expect(await purchasesOf(id)).toEqual([{ status: 'completed' }])
  await tab.close()
})

test('buying the same package again needs a confirmation', async () => {
  const id = await newPackage(studio)
  await openCheckout(page, studio, id)
  await payByCard(page, '4242424242424242')
  await thanks(page)
  await openCheckout(page, studio, id)
  await payByCard(page, '4242424242424242')
  await expect(page.getByText('Acabas de comprar este paquete. Si quieres otro igual, confírmalo.', { exact: true })).toBeVisible()
  expect(await chargesOf(id)).toHaveLength(1)
  await accessible(page, { frames: true })
  await page.getByRole('button', { name: 'Comprar otro igual' }).click()
  await thanks(page)
  expect(await chargesOf(id)).toHaveLength(2)
})

test('an order opened later from Mis Compras is shown without the success message', async () => {
  await page.goto(`${studio.url}/mystudio/membresias`)
  await page
    .getByRole('link', { name: /^Ver orden/ })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tu compra', exact: true })).toBeVisible()
  await expect(page.getByRole('heading', { name: /^Orden #00\d+$/ })).toBeVisible()
  await expect(page.getByText('¡Compra exitosa!')).toHaveCount(0)
  await accessible(page, { frames: true })
})

test('a code that is refused at the payment is removed, and the next try pays the full price (S1-8.29)', async () => {
  const id = await newPackage(studio)
  await newDiscount(studio, 'SEACABA', { max_uses: 1 })
  await openCheckout(page, studio, id)
  await page.getByLabel('Código de Descuento').fill('SEACABA')
  await page.getByRole('button', { name: 'Aplicar' }).click()
  await expect(payButton(page)).toHaveText(/\$400\.00/)
  await studio.sql(`update discount set used = 1 where code = 'SEACABA'`)
  await payByCard(page, '4242424242424242')
  await expect(page.getByText('Lo sentimos. No puedes usar este descuento', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Aplicar' })).toBeVisible()
  await expect(payButton(page)).toHaveText(/\$500\.00/)
  await payButton(page).click()
  await thanks(page)
  expect(await purchasesOf(id)).toEqual([{ status: 'completed' }])
})

test('after ten refusals in a row the message says what helps, and the next try pays', async () => {
  const id = await newPackage(studio)
  await openCheckout(page, studio, id)
  await page.getByRole('radio', { name: /^(Otra tarjeta|Tarjeta de crédito o débito)/ }).check()
  await accept(page)
  for (let n = 1; n <= 10; n++) {
    await fillCard(page, '4000000000000002')
    await payButton(page).click()
    await expect(page.getByText('Lo sentimos. Tu banco ha rechazado la tarjeta. Comunícate con tu banco.', { exact: true })).toBeVisible()
    await expect(payButton(page)).not.toHaveAttribute('aria-busy', 'true')
  }
  await fillCard(page, '4242424242424242')
  await payButton(page).click()
  await expect(page.getByText(/^Diez intentos de pago no pasaron\./)).toBeVisible()
  await fillCard(page, '4242424242424242')
  await payButton(page).click()
  await thanks(page)
})

test('a second free trial is not given: the checkout says so and shows what is paid today (docs/domain.md V41)', async () => {
  const id = await newPackage(studio, {
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
    free_trial_length: 7,
    free_trial_period: 'day',
  })
  await openCheckout(page, studio, id)
  await expect(payButton(page)).toHaveText('Empezar mi prueba')
  await payByCard(page, '5555555555554444')
  await thanks(page)
  await page.goto(`${studio.url}/mystudio/membresias`)
  await page
    .getByRole('button', { name: /^Cancelar/ })
    .first()
    .click()
  await page.getByRole('dialog').getByRole('textbox').fill('Me mudo')
  await page
    .getByRole('dialog')
    .getByRole('button', { name: /cancelar/i })
    .last()
    .click()
  await expect.poll(async () => (await purchasesOf(id))[0]?.status).toBe('cancelled')

  await openCheckout(page, studio, id)
  await expect(page.getByText(/^Ya usaste tu prueba gratis: esta suscripción se cobra desde el primer día\./)).toBeVisible()
  await expect(page.getByText('Al terminar tu prueba')).toHaveCount(0)
  await expect(payButton(page)).toHaveText(/^Pagar \$500\.00/)
  await accessible(page, { frames: true })
  await payByCard(page, '5555555555554444')
  await thanks(page)
  expect(await chargesOf(id)).toHaveLength(1)
})

test('a gift card is bought from the page of the packages, and paid on the page of the processor', async ({ browser }, info) => {
  await studio.set({ gift_cards_on_site: true, gift_card_amounts: '500, 1000' })
  // After a log-in on the way, the page has everything as it was typed.
  const visit = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-MX', reducedMotion: 'reduce' })
  const visitor = await visit.newPage()
  await watchShift(visitor)
  await visitor.goto(`${studio.url}/tarjetas-de-regalo`)
  await visitor.getByText('$1,000', { exact: true }).click()
  await visitor.getByLabel('Su nombre').fill('Nadia')
  await visitor.getByLabel('Su correo').fill('nadia@ejemplo.mx')
  await visitor.getByLabel(/^Dedicatoria/).fill('Feliz cumpleaños')
  expect(await shiftOf(visitor)).toBeLessThanOrEqual(0.02)
  expect(await wrongInPalettes(visitor, info, 'regalo')).toEqual({})
  await visitor.getByRole('link', { name: 'Entrar para pagarla' }).click()
  await visitor.getByLabel('Correo electrónico').fill('ana@vaiven.example')
  await visitor.getByLabel('Contraseña', { exact: true }).fill('vaiven-ana')
  await visitor.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(visitor.getByRole('button', { name: 'Pagar $1,000.00' })).toBeVisible()
  await expect(visitor.getByLabel('Su nombre')).toHaveValue('Nadia')
  await expect(visitor.getByLabel('Su correo')).toHaveValue('nadia@ejemplo.mx')
  await expect(visitor.getByLabel(/^Dedicatoria/)).toHaveValue('Feliz cumpleaños')
  await visit.close()

  await page.goto(`${studio.url}/paquetes`)
  await page.getByRole('link', { name: 'Regala una tarjeta' }).click()
  await page.getByText('$1,000', { exact: true }).click()
  await page.getByLabel('Su nombre').fill('Nadia')
  await page.getByLabel('Su correo').fill('nadia@ejemplo.mx')
  await page.getByLabel(/^Dedicatoria/).fill('Feliz cumpleaños')
  await accessible(page)
  await page.getByRole('button', { name: 'Pagar $1,000.00' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Tarjeta de regalo de $1,000.00' })).toBeVisible()
  await page.getByRole('button', { name: 'Pagar $1,000.00' }).click()
  await fillCard(page, '4242424242424242')
  await page.getByRole('button', { name: /^Pagar/ }).click()
  await page.getByRole('link', { name: 'Volver al estudio' }).click()
  await expect(page.getByText(/^Recibimos tu pago de \$1,000\.00/)).toBeVisible()
  const cards = 'select gift_card.amount_centavos from gift_card join purchase using (purchase_id) where customer_id = $1'
  expect(await studio.sql(cards, [diego])).toEqual([{ amount_centavos: 100_000 }])
  await studio.set({ gift_cards_on_site: false })
  await page.goto(`${studio.url}/tarjetas-de-regalo`)
  await expect(page.getByText('Por ahora no se venden en línea. Pregunta en recepción.')).toBeVisible()
})
