/** 'Cambiar de plan' on the screen of a subscription: its cost is shown before, for today or the end of the period (V53 to V56). */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { expectStatus } from './status.ts'
import { customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }
const WIDTHS = [390, 820, 1440]

/** A customer with a subscription of 8 classes for $1,160.00, and the title of a plan of 20 for $2,320.00. */
async function subscriber(request: APIRequestContext) {
  const manager = await staff(request, 'manager')
  const id = randomUUID().slice(0, 8)
  const plan = async (title: string, price: string, class_amount: number) =>
    (
      await manager<{ class_package: { class_package_id: number } }>('POST', '/class_packages', {
        title,
        price,
        class_amount,
        expiration_days: 30,
        is_subscription: true,
        subscription_period: 'month',
        subscription_interval: 1,
      })
    ).class_package.class_package_id
  const class_package_id = await plan(`Ocho ${id}`, '1160', 8)
  await plan(`Veinte ${id}`, '2320', 20)
  const buyer = await customer(request, `Rebeca${id}`, 0)
  const { purchase_id } = await buyer.call<{ purchase_id: number }>('POST', '/checkout/attempt', {
    class_package_id,
    payment_method: 'tok_ok',
  })
  return { purchase_id, title: `Veinte ${id}`, customer_id: buyer.customer_id, manager }
}

async function openDialog(page: Page, title: string) {
  await page.getByRole('button', { name: 'Cambiar de plan' }).click()
  const dialog = page.getByRole('dialog', { name: 'Cambiar de plan' })
  const options = dialog.getByLabel('Plan nuevo')
  await options.selectOption({ label: `${title} · $2,320.00` })
  return dialog
}

test('today: the screen says what is paid, and a link waits until it is (V53, V54)', async ({ page, request }) => {
  const { purchase_id, title } = await subscriber(request)
  await enter(page, MANAGER, `/admin/ventas/${purchase_id}`)
  const dialog = await openDialog(page, title)
  await expect(dialog.getByText(/^Paga hoy \$1,160\.00: \$2,320\.00 menos \$1,160\.00 que le quedan pagados hasta el /)).toBeVisible()
  await dialog.getByRole('radio', { name: /^Enlace de pago/ }).check()
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await dialog.getByRole('button', { name: 'Cambiar y cobrar $1,160.00' }).click()
  await expect(dialog.getByLabel('Enlace de pago')).toHaveValue(/\/pagar\/|\/pago\//)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Listo' }).click()
  await expect(page.getByText(`Cambia a ${title} cuando pague $1,160.00.`)).toBeVisible()
  await page.getByRole('link', { name: title, exact: true }).click()
  await expect(page.getByText('Pendiente').first()).toBeVisible()
})

test('at the end of the period: nothing is charged today, and it is called off (V55)', async ({ page, request }) => {
  const { purchase_id, title } = await subscriber(request)
  await enter(page, MANAGER, `/admin/ventas/${purchase_id}`)
  const dialog = await openDialog(page, title)
  await dialog.getByRole('radio', { name: /^Al final de lo que pagó/ }).check()
  await expect(dialog.getByText(/Ese día empieza .* y se cobran \$2,320\.00, y después cada mes\. Hoy no se cobra nada\.$/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Programar cambio' }).click()
  await expectStatus(page, 'Cambio de plan programado.')
  await expect(page.getByText(new RegExp(`^Cambia a ${title} el .*, por \\$2,320\\.00\\.`))).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Quitar el cambio' }).click()
  const confirmation = page.getByRole('dialog', { name: 'Quitar el cambio de plan' })
  await confirmation.getByLabel('Motivo').fill('Lo pensó mejor')
  await accessible(page)
  await confirmation.getByRole('button', { name: 'Sí, quitarlo' }).click()
  await expect(page.getByRole('button', { name: 'Quitar el cambio' })).toHaveCount(0)
})

test('money received at the counter pays one period of the new plan (V56)', async ({ page, request }) => {
  const { purchase_id, title, manager } = await subscriber(request)
  await enter(page, MANAGER, `/admin/ventas/${purchase_id}`)
  const dialog = await openDialog(page, title)
  await dialog.getByRole('radio', { name: /^Lo recibo aquí/ }).check()
  await dialog.getByLabel('Cómo se pagó').selectOption({ label: 'Terminal' })
  await dialog.getByLabel('Dónde').selectOption({ label: 'Roma Norte' })
  await expect(dialog.getByText(/Después no se renueva solo\.$/)).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Cambiar y cobrar $1,160.00' }).click()
  await expectStatus(page, '¡Pago exitoso!')
  await expect(page.getByText(`Cambió a ${title}.`)).toBeVisible()
  const { plan_change } = await manager<{ plan_change: { state: string } }>('GET', `/admin/purchases/${purchase_id}`)
  expect(plan_change.state).toBe('done')
})
