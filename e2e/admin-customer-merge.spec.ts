/** Two records of one person: found on the list of duplicates, merged from either, separated again (docs/domain.md X8 to X11). */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext } from '@playwright/test'
import { accessible } from './axe.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }

const twice = async (request: APIRequestContext) => {
  const name = `Quetzal${randomUUID().slice(0, 8)}`
  return { name, first: await customer(request, name, 2), other: await customer(request, name, 3) }
}

test('two records are merged from the file of one, and separated again (X8, X10)', async ({ page, request }) => {
  const { name, first, other } = await twice(request)
  await enter(page, MANAGER, `/admin/clientes/${first.customer_id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Combinar con otro registro' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox', { name: 'Cliente' }).fill(name)
  const found = dialog.getByRole('list', { name: 'Clientes encontrados' }).getByRole('button')
  await expect(found).toHaveCount(2)
  await found.filter({ hasText: other.email }).click()
  await expect(dialog).toContainText('1 paquete con créditos')
  // Telephones are written in groups, in both records and in the choice between them.
  const grouped = /^44\d \d{3} \d{4}$/
  await expect(dialog.locator('.merge-record').filter({ hasText: /44\d \d{3} \d{4} · / })).toHaveCount(2)
  await expect(dialog.getByRole('group', { name: 'Teléfono' }).getByText(grouped)).toHaveCount(2)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Combinar', exact: true }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByText(/Se combinó con el registro de/)).toBeVisible()
  await expect(page.getByText('5', { exact: true }).first()).toBeVisible()

  // A link to the other record opens this one.
  await page.goto(`/admin/clientes/${other.customer_id}`)
  await expect(page).toHaveURL(new RegExp(`/admin/clientes/${first.customer_id}$`))

  await page.getByRole('button', { name: 'Separar' }).click()
  await accessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Separar' }).click()
  await expect(page.getByText(/Se combinó con el registro de/)).toBeHidden()
  await page.goto(`/admin/clientes/${other.customer_id}`)
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(name) })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`/admin/clientes/${other.customer_id}$`))
})

test('likely duplicates are listed, merged with the other record remaining, or marked as different (X11)', async ({ page, request }) => {
  const [pair, apart] = [await twice(request), await twice(request)]
  await enter(page, MANAGER, '/admin/clientes')
  await page.getByRole('link', { name: 'Repetidos' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Clientes repetidos' })).toBeVisible()
  await accessible(page)
  const row = (name: string) => page.locator('tbody tr, li').filter({ hasText: name })
  await row(apart.name)
    .getByRole('button', { name: /^Son distintas/ })
    .click()
  await expect(row(apart.name)).toHaveCount(0)
  await row(pair.name)
    .getByRole('button', { name: /^Combinar/ })
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Conservar el otro' }).click()
  await expect(dialog.getByText('Se conserva')).toBeVisible()
  await expect(dialog.locator('.merge-record').first()).toContainText(pair.other.email)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Combinar', exact: true }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/clientes/${pair.other.customer_id}$`))
  await expect(page.getByRole('heading', { level: 1, name: new RegExp(pair.name) })).toBeVisible()
})
