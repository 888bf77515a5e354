/** The palette, keyboard shortcuts, and the search behind them. */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const COACH = { email: 'renata@vaiven.example', password: 'vaiven-coach' }

const field = (page: Page) => page.getByRole('combobox', { name: 'Buscar clientes, clases, compras o pantallas' })
const options = (page: Page) => page.getByRole('listbox', { name: 'Resultados' }).getByRole('option')
/** A unique name. */
const aName = () => `Z${randomUUID().replaceAll(/[^a-z]/g, '')}`

test('Ctrl K finds a customer while typing; arrows choose, Enter opens, and it is then among the recent ones', async ({
  page,
  request,
}) => {
  const name = aName()
  const { customer_id, email } = await customer(request, name, 0)
  await enter(page, RECEPTION, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Busca clientes, compras o clases' }).click()
  await expect(field(page)).toBeFocused()
  await expect(options(page).first()).toHaveText('Nueva venta')
  await accessible(page)
  await field(page).fill(name.slice(0, 8).toUpperCase())
  await expect(options(page)).toHaveCount(1)
  await expect(options(page).first()).toContainText(email)
  await accessible(page)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/admin/clientes/${customer_id}`)
  await page.keyboard.press('Control+k')
  await expect(options(page).first()).toContainText(name)
  await page.keyboard.press('ArrowDown')
  await expect(options(page).nth(1)).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('ArrowUp')
  await expect(options(page).last()).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Escape')
  await expect(field(page)).toHaveCount(0)
})

test('Enter before the answer opens the first result of what is typed', async ({ page, request }) => {
  const name = aName()
  const { customer_id } = await customer(request, name, 0)
  await enter(page, RECEPTION, '/admin/clientes')
  await page.getByRole('button', { name: 'Busca clientes, compras o clases' }).click()
  await field(page).fill(name)
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`/admin/clientes/${customer_id}`)
})

test('finds classes and verbs; what nothing fits says so; a failed search can be tried again', async ({ page, request }) => {
  const [id] = await classOn(request, { day: ahead(9), hour: '05:35' })
  await enter(page, OWNER, '/admin/hoy')
  const open = page.getByRole('button', { name: 'Busca clientes, compras o clases' })
  await open.click()
  await field(page).fill('roma 5:35')
  await expect(options(page).first()).toContainText('05:35')
  await expect(options(page).first()).toContainText('Roma Norte')
  await options(page).first().click()
  await expect(page).toHaveURL(new RegExp(`/admin/clases/(?:${id}|\\d+)$`))
  await page.goto('/admin/hoy')
  await open.click()
  await field(page).fill('invitar')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /Invitar/ })).toBeVisible()
  await page.goto('/admin/hoy')
  await open.click()
  await field(page).fill(`${randomUUID()} <b>`)
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
  await page.route('**/api/admin/search*', (route) => route.fulfill({ status: 500, json: {} }))
  await field(page).fill('nadie')
  await expect(page.getByText('No pudimos buscar.')).toBeVisible()
  await page.unroute('**/api/admin/search*')
  await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByText('No pudimos buscar.')).toHaveCount(0)
})

test('a verb asks for its object: “Dar acceso a…” a customer, “Cancelar clase…” a class; typed words select classes', async ({
  page,
  request,
}) => {
  const name = aName()
  const { customer_id } = await customer(request, name, 0)
  const [id = 0] = await classOn(request, { day: ahead(8), hour: '05:20' })
  await enter(page, OWNER, '/admin/hoy')
  const open = page.getByRole('button', { name: 'Busca clientes, compras o clases' })
  await open.click()
  await field(page).fill('dar acceso')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('button', { name: 'Dar acceso a… Quitar' })).toBeVisible()
  await accessible(page)
  await field(page).fill(name)
  await expect(options(page)).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: /acceso/i })).toBeVisible()
  await expect(page).toHaveURL(`/admin/clientes/${customer_id}`)

  await page.goto('/admin/hoy')
  await open.click()
  await field(page).fill('cancelar clase roma 5:20')
  await options(page).filter({ hasText: '05:20' }).first().click()
  await expect(page).toHaveURL(/\/admin\/horario\?.*clase=\d+/)
  expect(id).toBeGreaterThan(0)
  await expect(page.getByRole('dialog', { name: /Cancelar clase/ })).toBeVisible()

  await page.goto('/admin/hoy')
  await open.click()
  await field(page).fill('todas las de renata la próxima semana')
  await options(page).filter({ hasText: 'Seleccionar clases: Renata' }).click()
  await expect(page.getByRole('dialog', { name: 'Seleccionar clases' })).toBeVisible()
  await expect(page.getByLabel('De qué coach')).not.toHaveValue('')
})

test('a coach finds neither customers nor verbs of others', async ({ page, request }) => {
  const name = aName()
  await customer(request, name, 0)
  await enter(page, COACH, '/admin/mis-clases')
  await page.getByRole('button', { name: 'Busca clientes, compras o clases' }).click()
  await expect(options(page).filter({ hasText: 'Nueva venta' })).toHaveCount(0)
  await field(page).fill(name)
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
})

test('the palette is a full sheet on a phone', async ({ page, isMobile }) => {
  if (!isMobile) return
  await enter(page, RECEPTION, '/admin/hoy')
  await page.getByRole('button', { name: 'Busca clientes, compras o clases' }).click()
  const dialog = page.getByRole('dialog', { name: 'Buscar en la administración' })
  // It slides in.
  await expect.poll(() => dialog.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() })
  await page.getByRole('button', { name: 'Cerrar búsqueda' }).click()
  await expect(field(page)).toHaveCount(0)
})

test('g and a letter go to a screen, n and N create, / searches, ? lists; none acts in a field, and one switch turns them off', async ({
  page,
  isMobile,
}) => {
  if (isMobile) return
  await enter(page, OWNER, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  await page.keyboard.press('g')
  await page.keyboard.press('c')
  await expect(page).toHaveURL('/admin/clientes')
  await expect(page.getByRole('table', { name: 'Clientes' })).toBeVisible()
  await page.keyboard.press('j')
  await page.keyboard.press('j')
  await expect(page.getByRole('table', { name: 'Clientes' }).locator('tbody tr').nth(1).getByRole('link')).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(/\/admin\/clientes\/\d+$/)
  await expect(
    page.getByRole('button', { name: 'Volver a Clientes' }).or(page.getByRole('link', { name: 'Volver a Clientes' })),
  ).toBeVisible()
  await page.goBack()
  await page.getByRole('searchbox', { name: 'Nombre, teléfono o correo' }).pressSequentially('gcn')
  await expect(page).toHaveURL(/\/admin\/clientes\?q=gcn$/)
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('n')
  await expect(page.getByRole('dialog', { name: 'Cliente nuevo' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('/')
  await expect(field(page)).toBeFocused()
  await page.keyboard.press('Escape')
  await page.keyboard.press('g')
  await page.keyboard.press('a')
  await expect(page.getByRole('heading', { level: 1, name: 'Horario' })).toBeVisible()
  await page.keyboard.press(']')
  await expect(page).toHaveURL(/semana=\d{4}-\d{2}-\d{2}/)
  await page.keyboard.press('?')
  const list = page.getByRole('dialog', { name: 'Atajos de teclado' })
  await expect(list.getByRole('region', { name: 'Horario' })).toContainText('Semana siguiente')
  await expect(list.getByRole('region', { name: 'En todas las pantallas' })).toContainText('Nueva venta')
  await accessible(page)
  const saved = () => page.waitForResponse((answer) => answer.url().endsWith('/api/admin/me') && answer.request().method() === 'PUT')
  const off = saved()
  // A click, not uncheck(): the switch shows the new state only once the call has started.
  const shortcutSwitch = list.getByRole('checkbox', { name: 'Usar atajos de una sola letra' })
  await shortcutSwitch.click()
  await off
  await expect(shortcutSwitch).not.toBeChecked()
  await page.keyboard.press('Escape')
  await page.keyboard.press('N')
  await page.keyboard.press('g')
  await page.keyboard.press('h')
  await expect(page).toHaveURL(/\/admin\/horario/)
  await page.keyboard.press('Control+k')
  await field(page).fill('atajos')
  await page.keyboard.press('Enter')
  const on = saved()
  await shortcutSwitch.click()
  await on
  await expect(shortcutSwitch).toBeChecked()
  await page.keyboard.press('Escape')
  await page.keyboard.press('N')
  await expect(page).toHaveURL('/admin/ventas/nueva')
})
