/**
 * 'Facturar' on a sale and in Mis Cargos: the SAT's refusal keeps what was typed, the stamped invoice gives its files, by mail too, and the
 * month is one archive (FA5, FA8, FA9, FA15, FA16).
 */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }

test('a refused name is said, and with the right one the sale is invoiced', async ({ page, request }) => {
  const manager = await staff(request, 'manager')
  const id = randomUUID().slice(0, 8)
  const { class_package } = await manager<{ class_package: { class_package_id: number } }>('POST', '/class_packages', {
    title: `Factura ${id}`,
    price: '1450',
    class_amount: 10,
    expiration_days: 30,
  })
  const buyer = await customer(request, `Karla${id}`, 0)
  const { purchase_id } = await buyer.call<{ purchase_id: number }>('POST', '/checkout/attempt', {
    class_package_id: class_package.class_package_id,
    payment_method: 'tok_ok',
  })
  await enter(page, MANAGER, `/admin/ventas/${purchase_id}`)
  const part = page.getByRole('region', { name: 'Facturas' })
  await part.getByRole('button', { name: 'Facturar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Facturar' })
  await dialog.getByLabel('RFC', { exact: true }).fill('funk671228ph6')
  await dialog.getByLabel('Nombre o razón social').fill('Karla Fuentes')
  await dialog.getByLabel('Código postal fiscal').fill('01160')
  await dialog.getByLabel('Régimen fiscal').selectOption('612')
  await expect(dialog.getByLabel('Uso de la factura')).toHaveValue('G03')
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await dialog.getByRole('button', { name: 'Facturar $1,450.00' }).click()
  await expect(dialog.getByText(/El nombre del receptor no pertenece a su RFC/)).toBeVisible()
  await dialog.getByLabel('Nombre o razón social').fill('Karla Fuente Nolasco')
  await dialog.getByRole('button', { name: 'Facturar $1,450.00' }).click()
  await expect(part.getByText('Timbrada')).toBeVisible()
  const [xml] = await Promise.all([page.waitForEvent('download'), part.getByRole('button', { name: /^XML de/ }).click()])
  expect(xml.suggestedFilename()).toMatch(/^F-\d+_[0-9A-F-]{36}\.xml$/)
  await accessible(page)

  await part.getByRole('button', { name: /^Enviar por correo F-/ }).click()
  const mail = page.getByRole('dialog', { name: /^Enviar F-\d+ por correo$/ })
  await mail.getByLabel('Correo').fill('conta@despacho.example')
  await accessible(page)
  await mail.getByRole('button', { name: 'Enviar' }).click()
  await expect(page.getByText(/^F-\d+ va en camino\.$/)).toBeVisible()

  await page.goto('/admin/ventas?ver=facturas')
  await page.getByRole('button', { name: 'Para tu contabilidad' }).click()
  const month = page.getByRole('dialog', { name: 'Facturas para tu contabilidad' })
  await month.getByLabel('Mes').selectOption({ index: 0 })
  await accessible(page)
  const [zip] = await Promise.all([page.waitForEvent('download'), month.getByRole('button', { name: 'Descargar' }).click()])
  expect(zip.suggestedFilename()).toMatch(/^facturas-\d{4}-\d\d\.zip$/)
})
