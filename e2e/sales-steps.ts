/** Steps that the tests of the sales screens share, each with a studio of its own. */
import type { Page } from '@playwright/test'
import type { OwnStudio } from './own-studio.ts'
import { expect } from './test.ts'

/** Inserts a row; the keys are the names of columns. Returns the row. */
async function insert<Row extends object>(studio: OwnStudio, table: string, row: Record<string, unknown>): Promise<Row | undefined> {
  const names = Object.keys(row)
  const placeholders = names.map((_, at) => `$${at + 1}`)
  const [created] = await studio.sql<Row>(
    `insert into ${table} (${names.map((name) => `"${name}"`).join(', ')}) values (${placeholders.join(', ')}) returning *`,
    Object.values(row),
  )
  return created
}

/** Creates a package; returns its id. */
export async function newPackage(studio: OwnStudio, more: Record<string, unknown> = {}): Promise<number> {
  const row = { title: 'Paquete de examen', price_centavos: 50_000, class_amount: 3, expiration_days: 30, ...more }
  const classPackage = await insert<{ class_package_id: number }>(studio, 'class_package', row)
  await studio.catalogueChanged()
  return classPackage?.class_package_id ?? 0
}

/** Creates a discount code of 20 percent by default. */
export async function newDiscount(studio: OwnStudio, code: string, more: Record<string, unknown> = {}): Promise<void> {
  await insert(studio, 'discount', { code, amount: 2_000, is_percent: true, createdAt: new Date(), updatedAt: new Date(), ...more })
}

/** Creates a purchase in the database only; no processor knows it. */
export async function newPurchase(studio: OwnStudio, row: Record<string, unknown>): Promise<number> {
  const now = new Date()
  const purchase = await insert<{ purchase_id: number }>(studio, 'purchase', {
    amount_centavos: 50_000,
    total_centavos: 50_000,
    class_amount: 3,
    expiration_days: 30,
    gateway: 'sandbox',
    request_hash: 'examen',
    createdAt: now,
    updatedAt: now,
    ...row,
  })
  return purchase?.purchase_id ?? 0
}

/** Saves a card for a customer in the database only. */
export async function newCard(studio: OwnStudio, customer_id: number, card_type: string, last_digits: string): Promise<void> {
  const provider_card = `card_examen_${last_digits}`
  await insert(studio, 'payment_source', { customer_id, gateway: 'sandbox', provider_card, card_type, last_digits, createdAt: new Date() })
}

export const payButton = (page: Page) => page.getByRole('button', { name: /^(Pagar|Apartar|Generar|Obtener Oferta|Empezar|Continuar)/ })

/** Opens the checkout of a package and waits for its pay button. */
export async function openCheckout(page: Page, studio: OwnStudio, id: number) {
  await page.goto(`${studio.url}/checkout/${id}`)
  await expect(page.getByRole('heading', { name: 'Forma de Pago' })).toBeVisible()
  await expect(payButton(page)).toBeVisible()
}

/** Types a test card into the sandbox's frame. */
export async function fillCard(page: Page, number: string) {
  const frame = page.frameLocator('iframe[title="Datos de la tarjeta"]')
  await frame.getByLabel('Número de tarjeta').fill(number)
  await frame.getByLabel('Nombre en la tarjeta').fill('Diego Salas')
  await frame.getByLabel('Vencimiento').fill('09/2031')
  await frame.getByLabel('CVV', { exact: true }).fill('123')
}

export const accept = (page: Page) => page.getByRole('checkbox', { name: /^Acepto/ }).check()
