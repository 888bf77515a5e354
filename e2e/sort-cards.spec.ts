/** The order of the administration's lists where their rows are cards. */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const PHONE = { width: 390, height: 844 }

/** The lists whose columns sort them, with a column that is not the order with which they begin. */
const LISTS = [
  ['/admin/clientes', 'Gastado', '-spent'],
  ['/admin/reservaciones', 'Cliente', 'name'],
  ['/admin/ventas?ver=compras', 'Total', '-total'],
  ['/admin/ventas?ver=cargos', 'Cobrado', '-total'],
  ['/admin/ventas?ver=suscripciones', 'Próximo cobro', '-amount'],
  ['/admin/ventas?ver=devoluciones', 'Devuelto', '-amount'],
  ['/admin/caja/cortes', 'Quién', 'name'],
  ['/admin/tarjetas-regalo', 'Saldo', '-balance'],
] as const

test('cards are sorted by each column that sorts the table, in both directions', async ({ page, request }) => {
  await page.setViewportSize(PHONE)
  const mark = `Zita${randomUUID().slice(0, 8)}`
  await customer(request, `${mark}a`, 1)
  await customer(request, `${mark}b`, 2)
  await enter(page, OWNER, `/admin/clientes?q=${mark}`)
  const cards = page.getByRole('list', { name: 'Clientes' }).getByRole('listitem')
  await expect(cards).toHaveText([new RegExp(`${mark}a`), new RegExp(`${mark}b`)])
  await page.getByRole('button', { name: 'Filtros', exact: true }).click()
  const order = page.getByLabel('Ordenar por')
  await expect(order).toHaveValue('name')
  await page.getByRole('button', { name: 'Ascendente: invertir el orden' }).click()
  await expect(cards).toHaveText([new RegExp(`${mark}b`), new RegExp(`${mark}a`)])
  await accessible(page)
  // A column that the table of this person does not show.
  await order.selectOption('Alta')
  await expect(page).toHaveURL(/orden=/)
  await page.reload()
  await expect(cards).toHaveCount(2)
  await page.getByRole('button', { name: 'Filtros', exact: true }).click()
  await expect(order.locator('option:checked')).toHaveText('Alta')
})

test('each list with sorted columns has its order on phones, and none of it beside a table', async ({ page }) => {
  await page.setViewportSize(PHONE)
  await enter(page, OWNER, '/admin/clientes')
  for (const [path, column, sort] of LISTS) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Filtros', exact: true }).click()
    await page.getByLabel('Ordenar por').selectOption(column)
    await expect(page).toHaveURL(new RegExp(`orden=${sort}(&|$)`))
  }
  for (const path of ['/admin/ajustes/bitacora', '/admin/mensajes']) {
    await page.goto(path)
    await page.getByRole('button', { name: 'Filtros', exact: true }).click()
    await page.getByRole('button', { name: 'Descendente: invertir el orden' }).click()
    await expect(page.getByRole('button', { name: 'Ascendente: invertir el orden' })).toBeVisible()
  }
  await page.goto('/admin/reportes/ventas')
  await page.getByLabel('Ordenar por').selectOption({ index: 1 })
  await expect(page.getByRole('button', { name: /invertir el orden$/ })).toBeVisible()
  await accessible(page)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect(page.getByLabel('Ordenar por')).toHaveCount(0)
})
