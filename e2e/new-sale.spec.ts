/** Selling at the counter: somebody who walks in becomes a customer, buys, pays in two ways, and is booked and marked (S1 to S5). */
import { randomUUID } from 'node:crypto'
import type { Locator, Page } from '@playwright/test'
import { accessible, classOn, customer, enter, inMinutes, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }
const said = (page: Page, words: string) => expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()

/** Reception's till at the first studio: the first sale in cash would ask for it. */
async function openTill(request: Parameters<typeof staff>[0], who: 'reception' | 'manager') {
  const call = await staff(request, who)
  const { locations } = await call<{ locations: { location_id: number }[] }>('GET', '/locations')
  const location_id = locations[0]?.location_id ?? 0
  const { cash_session } = await call<{ cash_session: object | null }>('GET', `/admin/cash_sessions/current?location_id=${location_id}`)
  if (!cash_session) await call('POST', '/admin/cash_sessions', { location_id, opening: '500' }).catch(() => undefined)
  return location_id
}

test('a walk-in is written down, buys a package and a seat, pays half in cash and half by terminal, and is marked: at most 16 touches', async ({
  page,
  request,
}) => {
  await openTill(request, 'reception')
  const { day, hour } = inMinutes(45)
  const [id = 0] = await classOn(request, { day, hour, spot_map: '4,4', capacity: 8 })
  const name = `Walk${randomUUID().slice(0, 8)}`
  await enter(page, RECEPTION, `/admin/ventas/nueva?clase=${id}`)
  let touches = 0
  const touch = async (what: Locator) => {
    touches++
    await what.click()
  }
  // Typing is no touch; a field that has to be tapped first is.
  await page.getByRole('searchbox', { name: 'Cliente' }).fill(`${name} Paz`)
  await touch(page.getByRole('button', { name: `Dar de alta a «${name} Paz»` }))
  touches++
  await page.getByLabel('Teléfono').fill(`44${String(Date.now()).slice(-8)}`)
  const mail = page.getByLabel('Correo electrónico')
  if (await mail.isVisible()) {
    touches++
    await mail.fill(`${name.toLowerCase()}@correo.test`)
  }
  await touch(page.getByRole('button', { name: 'Dar de alta', exact: true }))
  await expect(page.getByRole('region', { name: 'Cliente' })).toContainText(name)

  const basket = page.getByRole('list', { name: 'En la venta' })
  await touch(basket.getByRole('combobox', { name: 'Lugar' }))
  await basket.getByRole('combobox', { name: 'Lugar' }).selectOption('2-3')
  await touch(page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Diez/ }))
  await expect(basket.getByRole('listitem')).toHaveCount(2)
  await touch(page.getByRole('button', { name: 'Terminal', exact: true }))
  touches++
  await page.getByLabel('Cuánto con Terminal').fill('1240')
  await touch(page.getByRole('button', { name: 'Efectivo', exact: true }))
  await touch(page.getByRole('button', { name: 'Exacto' }))
  await expect(page.getByText('Completo', { exact: true })).toBeVisible()
  await accessible(page)
  await touch(page.getByRole('button', { name: /^Cobrar \$/ }))
  await said(page, 'Venta registrada.')
  await expect(page.getByRole('heading', { name: '¡Compra exitosa!' })).toBeFocused()
  await accessible(page)

  await touch(page.getByRole('link', { name: /^Lista de/ }))
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Fila 2, lugar 3')
  await expect(row).not.toContainText('Debe')
  await touch(row.getByRole('button', { name: new RegExp(`${name}.*: llegó|Llegó`) }).first())
  await expect(page.getByText('1 de 1 llegaron').or(page.getByText('1 de 1 llegó')).first()).toBeVisible()
  expect(touches).toBeLessThanOrEqual(16)
})

test('a discount by hand has its reason and its limit, a price changes with it, and something without a list is sold too', async ({
  page,
  request,
}) => {
  await openTill(request, 'reception')
  const { customer_id } = await customer(request, `Rosa${randomUUID().slice(0, 8)}`, 0)
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${customer_id}`)
  await page.getByText('Otro monto').click()
  await page.getByLabel('Qué es').fill('Calcetines')
  await page.getByLabel('Precio', { exact: true }).fill('180')
  await page.getByRole('button', { name: 'Agregar a la venta' }).click()
  const basket = page.getByRole('region', { name: 'En la venta' })
  await expect(basket).toContainText('$180.00')
  await page.getByRole('button', { name: 'Uno más de Calcetines' }).click()
  await expect(page.getByRole('button', { name: 'Cobrar $360.00' })).toBeVisible()

  await basket.getByRole('button', { name: 'Descuento' }).click()
  await basket.getByLabel('Porcentaje').fill('10')
  await expect(page.getByText('Completa el descuento o quítalo.')).toBeVisible()
  await basket.getByLabel('Motivo').fill('Cumpleaños')
  await expect(page.getByRole('button', { name: 'Cobrar $324.00' })).toBeVisible()
  await accessible(page)
  // Reception may give ten percent, and reads so.
  await basket.getByLabel('Porcentaje').fill('50')
  await expect(basket.getByRole('alert').or(basket.getByRole('status')).first()).toBeVisible()
  await basket.getByLabel('Porcentaje').fill('10')
  await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
  await page.getByLabel('Recibí').fill('300')
  await expect(page.getByText('Es menos de lo que se paga en efectivo.')).toBeVisible()
  await page.getByLabel('Recibí').fill('500')
  await expect(page.getByText('$176.00')).toBeVisible()
  await page.getByRole('button', { name: 'Cobrar $324.00' }).click()
  await said(page, 'Venta registrada.')
  await expect(page.getByRole('region', { name: '¡Compra exitosa!' })).toContainText('$176.00')
  await page.getByRole('button', { name: 'Nueva venta' }).click()
  await expect(page.getByText('Elige qué se vende y a quién.')).toBeVisible()
})

test('who may lets a part be owed until a day; by keyboard from customer to payment', async ({ page, request }) => {
  await openTill(request, 'manager')
  const name = `Tere${randomUUID().slice(0, 8)}`
  await customer(request, name, 0)
  await enter(page, MANAGER, '/admin/ventas/nueva')
  await expect(page.getByRole('list', { name: 'Paquetes' })).toBeVisible()
  await page.keyboard.press('F2')
  await expect(page.getByRole('searchbox', { name: 'Cliente' })).toBeFocused()
  await page.keyboard.type(name)
  await page
    .getByRole('list', { name: 'Clientes encontrados' })
    .getByRole('button', { name: new RegExp(name) })
    .press('Enter')
  await page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Cinco/ }).press('Enter')
  await expect(page.getByRole('button', { name: 'Cobrar $1,350.00' })).toBeVisible()
  await page.keyboard.press('F4')
  await expect(page.getByRole('button', { name: 'Efectivo', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByLabel('Cuánto con Efectivo').fill('1000')
  await expect(page.getByText('Faltan $350.00.')).toBeVisible()
  await page.getByRole('button', { name: 'Queda a deber' }).click()
  await page.getByLabel('Hasta el').fill('2099-01-31')
  await page.getByLabel('Motivo').fill('Paga el viernes')
  await page.getByRole('button', { name: 'Cobrar $1,350.00' }).click()
  await said(page, 'Venta registrada.')
  await expect(page.getByRole('region', { name: '¡Compra exitosa!' })).toContainText('$350.00')
})
