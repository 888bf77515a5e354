/** The pages with card fields: none has the studio's own styles, and saved cards show their brands (spec 1 section 3, spec 2 section 2). */
import { createHash } from 'node:crypto'
import type { BrowserContext, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { asDiego, type OwnStudio, ownStudio } from './own-studio.ts'
import { newCard, newPackage, newPurchase, payButton } from './sales-steps.ts'
import { expect, test } from './test.ts'

const MONTH = { is_subscription: true, subscription_period: 'month', subscription_interval: 1 }

test.describe.configure({ timeout: 120_000 })

let studio: OwnStudio
let context: BrowserContext
let page: Page
let diego: number

test.beforeAll(async ({ browser }) => {
  studio = await ownStudio()
  await studio.set({ payment_sources_enabled: true })
  context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: 'es-MX', timezoneId: 'America/Mexico_City' })
  page = await context.newPage()
  diego = await asDiego(page, studio)
})
test.afterAll(async () => {
  await context?.close()
  await studio?.close()
})

test('no page with card fields has the studio’s own styles, however its address is written; navigating there and back removes and restores them (S1-3.05, settled 29)', async ({
  browser,
}) => {
  test.setTimeout(240_000)
  await studio.set({ app_css: 'h1 { letter-spacing: 3px; } .card-fields-taken { color: red; }' })
  const id = await newPackage(studio)
  const [month] = await studio.sql<{ class_package_id: number }>('select class_package_id from class_package where is_subscription limit 1')
  const purchase = await newPurchase(studio, { ...MONTH, ...month, customer_id: diego, title: 'Mes', status: 'active' })
  const token = await studio.sign('tarjeta', `${purchase}-estilos`)
  await studio.sql(
    'insert into card_link (token_hash, purchase_id, "expiresAt", "createdAt") values ($1, $2, now() + interval \'1 day\', now())',
    [createHash('sha256').update(token).digest('base64url'), purchase],
  )
  const hasStyles = (at: Page) =>
    at.evaluate(() =>
      [
        document.documentElement.outerHTML.includes('card-fields-taken'),
        [...document.styleSheets].some((sheet) => [...sheet.cssRules].some(({ cssText }) => cssText.includes('card-fields-taken'))),
        getComputedStyle(document.querySelector('h1') ?? document.body).letterSpacing === '3px',
      ].join(),
    )
  const none = 'false,false,false'
  const all = 'true,true,true'
  const heading = (at: Page) => expect(at.getByRole('heading', { level: 1 })).toBeVisible()

  // As documents: also for visitors, and in every spelling of the address that the router accepts.
  const elsewhere = await browser.newContext()
  const visitor = await elsewhere.newPage()
  for (const path of [
    `/checkout/${id}`,
    `/Checkout/${id}`,
    `/%63heckout/${id}/`,
    `/tarjeta/${token}`,
    `/TARJETA/${token}`,
    '/tarjeta/nada',
  ]) {
    const answer = await visitor.goto(`${studio.url}${path}`)
    await heading(visitor)
    expect([path, await hasStyles(visitor)]).toEqual([path, none])
    expect([path, answer?.headers()['content-security-policy']?.includes('frame-src')]).toEqual([path, true])
  }
  await elsewhere.close()
  for (const path of [`/checkout/${id}`, '/mystudio/metodos', '/MyStudio/Metodos', '/mystudio/%6Detodos', `/tarjeta/${token}`]) {
    await page.goto(`${studio.url}${path}`)
    await heading(page)
    expect([path, await hasStyles(page)]).toEqual([path, none])
  }

  // By links: from the shop to the checkout, to the saved cards and away again, and with the browser's back and forward buttons.
  await page.goto(`${studio.url}/paquetes`)
  expect(await hasStyles(page)).toBe(all)
  await page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Paquete de examen', exact: true }) })
    .first()
    .getByRole('link')
    .click()
  await expect(payButton(page)).toBeVisible()
  expect(await hasStyles(page)).toBe(none)
  await page.goBack()
  await expect(page).toHaveURL(/\/paquetes$/)
  await expect.poll(() => hasStyles(page)).toBe(all)
  await page.goForward()
  await expect(payButton(page)).toBeVisible()
  expect(await hasStyles(page)).toBe(none)

  await page.goto(`${studio.url}/mystudio/pagos`)
  await heading(page)
  expect(await hasStyles(page)).toBe(all)
  await page.getByRole('button', { name: /^Cuenta de/ }).click()
  await page.getByRole('menuitem', { name: 'Mis Método de Pago' }).click()
  await expect(page).toHaveURL(/\/mystudio\/metodos$/)
  await heading(page)
  expect(await hasStyles(page)).toBe(none)
  await page
    .getByRole('button', { name: /Agregar/ })
    .first()
    .click()
  await expect(page.frameLocator('iframe[title="Datos de la tarjeta"]').getByLabel('Número de tarjeta')).toBeVisible()
  expect(await hasStyles(page)).toBe(none)
  await page.keyboard.press('Escape')
  await page.goBack()
  await expect(page).toHaveURL(/\/mystudio\/pagos$/)
  await expect.poll(() => hasStyles(page)).toBe(all)
  await studio.set({ app_css: '' })
})

test('each saved card shows its brand and its last digits (S2-2.59)', async () => {
  await newCard(studio, diego, 'visa', '1881')
  await newCard(studio, diego, 'mastercard', '4444')
  await newCard(studio, diego, 'amex', '8431')
  await newCard(studio, diego, 'other', '0005')
  await page.goto(`${studio.url}/mystudio/metodos`)
  for (const [name, digits, symbol] of [
    ['Visa', '1881', 'VISA'],
    ['Mastercard', '4444', ''],
    ['American Express', '8431', 'AMEX'],
    ['Tarjeta', '0005', 'AMEX'],
  ] as const) {
    const card = page.getByRole('listitem').filter({ hasText: digits })
    await expect(card.getByRole('img', { name, exact: true })).toHaveText(symbol)
    await expect(card.getByRole('img', { name, exact: true }).locator('svg circle')).toHaveCount(symbol ? 0 : 2)
  }
  await accessible(page, { frames: true })
})
