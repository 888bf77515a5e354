/** The list of customers: states, search, filters and columns in the address, cards on a phone. */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

test('reception finds a customer and filters by state, and a link opens the same list (X6)', async ({ page, request }) => {
  const name = `Zoraida${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 2)
  await enter(page, RECEPTION, '/admin/clientes')
  const states = page.getByRole('navigation', { name: 'Estados' })
  await expect(states.getByRole('link', { name: /^Todos/ })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('searchbox', { name: 'Nombre, teléfono o correo' }).fill(name.toLowerCase())
  const row = page.locator('tr, li').filter({ hasText: name })
  await expect(row).toContainText('Nuevo')
  await expect(row).toContainText('2 clases')
  await expect(page.getByText('1 cliente', { exact: false }).first()).toBeVisible()
  await accessible(page)
  await states.getByRole('link', { name: /^Baja/ }).click()
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
  await expect(page).toHaveURL(/estado=lost/)
  await page.goBack()
  await states.getByRole('link', { name: /^Nuevos/ }).click()
  await expect(row).toBeVisible()
  await page.reload()
  await expect(row).toBeVisible()
  await expect(states.getByRole('link', { name: /^Nuevos/ })).toHaveAttribute('aria-current', 'page')
  await row.getByRole('link', { name: new RegExp(name) }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/clientes/${customer_id}$`))
  const tabs = page.getByRole('navigation', { name: /^Ficha de/ })
  await tabs.getByRole('link', { name: 'Reservaciones' }).click()
  await expect(page.getByText('No ha reservado clases.')).toBeVisible()
  await tabs.getByRole('link', { name: 'Créditos' }).click()
  const movements = page.getByRole('region', { name: 'Movimientos' })
  await expect(movements.getByRole('listitem')).toContainText('+2')
  await accessible(page)
  await page.reload()
  await expect(movements.getByRole('listitem')).toContainText('Recibió')
})

test('columns are chosen and stay, and a head sorts the list', async ({ page, request }, { project }) => {
  // A phone shows cards, which have no columns.
  await page.setViewportSize({ width: 1440, height: 900 })
  const mark = `Yola${randomUUID().slice(0, 8)}`
  await customer(request, `${mark}a`, 1)
  await customer(request, `${mark}b`, 1)
  // Columns belong to a person, and both projects run at once.
  await enter(page, project.name === 'phone' ? RECEPTION : MANAGER, `/admin/clientes?q=${mark}`)
  const names = page.getByRole('rowheader')
  await expect(names).toHaveText([new RegExp(`${mark}a`), new RegExp(`${mark}b`)])
  await page.getByRole('columnheader', { name: 'Nombre' }).getByRole('button').click()
  await expect(names).toHaveText([new RegExp(`${mark}b`), new RegExp(`${mark}a`)])
  await expect(page.getByRole('columnheader', { name: 'Nombre' })).toHaveAttribute('aria-sort', 'descending')
  await expect(page).toHaveURL(/orden=-name/)
  const choose = async (column: string, on: boolean) => {
    await page.getByRole('button', { name: 'Columnas' }).click()
    const dialog = page.getByRole('dialog', { name: 'Columnas' })
    await dialog.getByLabel(column).setChecked(on)
    await accessible(page)
    await dialog.getByRole('button', { name: 'Guardar' }).click()
    await expect(dialog).toBeHidden()
  }
  await choose('Correo', true)
  await expect(page.getByRole('columnheader', { name: 'Correo' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('columnheader', { name: 'Correo' })).toBeVisible()
  await choose('Correo', false)
  await expect(page.getByRole('columnheader', { name: 'Correo' })).toBeHidden()
})

test('a telephone in use opens its record, or registers a relative who shares it (P19)', async ({ page, request }) => {
  const name = `Lupe${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  const reception = await staff(request, 'reception')
  const { customer: found } = await reception<{ customer: { phone: string } }>('GET', `/customer/admin/${customer_id}`)
  await enter(page, RECEPTION, '/admin/clientes?nuevo=0')
  const dialog = page.getByRole('dialog', { name: 'Cliente nuevo' })
  await dialog.getByLabel('Nombre', { exact: true }).fill('Beto')
  await dialog.getByLabel('Apellidos').fill(name)
  await dialog.getByLabel('Teléfono').fill(found.phone)
  await dialog.getByRole('button', { name: 'Dar de alta' }).click()
  await expect(dialog.getByText(`¿Es familiar de ${name}?`)).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Sí, es su familiar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: `Beto ${name}` })).toBeVisible()
})
