/** What the tests of the sales screens do again and again, in a studio of their own. */
import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import type { OwnStudio } from './own-studio.ts'
import { expect } from './test.ts'

/** A row with names of columns as the database has them. */
async function insert<Row extends object>(studio: OwnStudio, table: string, row: Record<string, unknown>): Promise<Row | undefined> {
  const names = Object.keys(row)
  const places = names.map((_, at) => `$${at + 1}`)
  const [made] = await studio.sql<Row>(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${places.join(', ')}) returning *`,
    Object.values(row),
  )
  return made
}

/** A package of the test's own. */
export async function newPackage(studio: OwnStudio, more: Record<string, unknown> = {}): Promise<number> {
  const row = { title: 'Paquete de examen', price_centavos: 50_000, class_amount: 3, expiration_days: 30, ...more }
  const made = await insert<{ class_package_id: number }>(studio, 'class_package', row)
  await studio.catalogueChanged()
  return made?.class_package_id ?? 0
}

/** Twenty percent, unless it is said otherwise. */
export async function newDiscount(studio: OwnStudio, code: string, more: Record<string, unknown> = {}): Promise<void> {
  await insert(studio, 'discount', { code, amount: 2_000, is_percent: true, createdAt: new Date(), updatedAt: new Date(), ...more })
}

/** What somebody bought, as it stands in the books; no processor knows of it. */
export async function newPurchase(studio: OwnStudio, row: Record<string, unknown>): Promise<number> {
  const now = new Date()
  const made = await insert<{ purchase_id: number }>(studio, 'purchase', {
    ...{
      amount_centavos: 50_000,
      total_centavos: 50_000,
      class_amount: 3,
      expiration_days: 30,
      gateway: 'sandbox',
      request_hash: 'examen',
    },
    ...{ createdAt: now, updatedAt: now, ...row },
  })
  return made?.purchase_id ?? 0
}

export async function newCard(studio: OwnStudio, customer_id: number, card_type: string, last_digits: string): Promise<void> {
  const provider_card = `card_examen_${last_digits}`
  await insert(studio, 'payment_source', { customer_id, gateway: 'sandbox', provider_card, card_type, last_digits, createdAt: new Date() })
}

/** Movement changes colours on the way; what counts is where it ends. The built-in processor's frames are ours too. */
export async function accessible(page: Page) {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map((one) => `${one.id}: ${one.nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^(Pagar|Apartar|Generar|Obtener Oferta|Empezar|Continuar)/ })

export async function openCheckout(page: Page, studio: OwnStudio, id: number) {
  await page.goto(`${studio.url}/checkout/${id}`)
  await expect(page.getByRole('heading', { name: 'Forma de Pago' })).toBeVisible()
  await expect(payButton(page)).toBeVisible()
}

export async function fillCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe[title="Datos de la tarjeta"]')
  await frame.getByLabel('Número de tarjeta').fill(number)
  await frame.getByLabel('Nombre en la tarjeta').fill('Diego Salas')
  await frame.getByLabel('Vencimiento').fill('09/2031')
  await frame.getByLabel('CVV', { exact: true }).fill('123')
}

export const accept = (page: Page) => page.getByRole('checkbox', { name: /^Acepto/ }).check()
