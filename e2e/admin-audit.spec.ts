/** Bitácora: what was done is found by person, thing and customer, with its values before and after (Y1 to Y4). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter, showFilters, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a change is found, opened with its values, and leads to what changed (Y2, Y3)', async ({ page, request }) => {
  const owner = await staff(request, 'owner')
  const code = `B${randomUUID().slice(0, 8).toUpperCase()}`
  const { discount } = await owner<{ discount: { discount_id: number } }>('POST', '/discounts', { code, amount: '10.00', is_percent: true })
  await owner('PUT', '/discounts', { discount_id: discount.discount_id, max_uses: 5 })
  await enter(page, OWNER, '/admin/ajustes/bitacora')
  await expect(page.getByText(/movimientos?$/)).toBeVisible()
  await accessible(page)
  await showFilters(page)
  await page.getByLabel('Qué').selectOption({ label: 'Descuentos' })
  await expect(page).toHaveURL(/que=discount/)
  const sentence = new RegExp(`cambió el límite de usos del descuento ${code} de nada a 5$`)
  await page.getByRole('button', { name: sentence }).click()
  const panel = page.getByRole('dialog', { name: 'Detalle' })
  await expect(panel.getByRole('row', { name: 'Límite de usos — 5' })).toBeVisible()
  await accessible(page)
  // The open entry is in the address: a reload finds it, also on another page of the list.
  const address = new URL(page.url())
  address.searchParams.set('desde', '2000-01-01')
  address.searchParams.set('hasta', '2000-01-02')
  await page.goto(address.href)
  await expect(panel.getByRole('row', { name: 'Límite de usos — 5' })).toBeVisible()
  await panel.getByRole('button', { name: 'Cerrar' }).click()
  await expect(page.getByText('Sin movimientos con estos filtros.')).toBeVisible()
})

test('the history of a customer says who did what, and reception has neither (Y2, Y4)', async ({ page, request }) => {
  const { customer_id } = await customer(request, `Ofelia${randomUUID().slice(0, 8)}`, 3)
  const owner = await staff(request, 'owner')
  await owner('POST', `/admin/customers/${customer_id}/notes`, { text: 'Viene con su hermana' })
  await enter(page, OWNER, `/admin/clientes/${customer_id}?ver=historial`)
  const entry = page.getByRole('button', { name: /^Mónica .*escribió una nota sobre Ofelia/ })
  await entry.click()
  await expect(page.getByRole('dialog', { name: 'Detalle' }).getByText('Viene con su hermana')).toBeVisible()
  await page.getByRole('dialog', { name: 'Detalle' }).getByRole('button', { name: 'Cerrar' }).click()
  await accessible(page)
  await page.evaluate(() => {
    localStorage.clear()
    indexedDB.deleteDatabase('firebaseLocalStorageDb')
  })
  await enter(page, { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }, `/admin/clientes/${customer_id}`)
  await expect(page.getByRole('link', { name: 'Reservaciones', exact: true }).first()).toBeVisible()
  await expect(page.getByRole('link', { name: 'Historial' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Bitácora' })).toHaveCount(0)
})
