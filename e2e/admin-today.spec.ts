/** Hoy: figures with their definitions, tasks that are postponed and closed, the last sales, and the bell on every screen. */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { inDatabase, lastMail } from './studio-database.ts'
import { ahead, customer, enter, staff, today } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const COACH = { email: 'renata@vaiven.example', password: 'vaiven-coach' }

/** A customer of this test alone who owes 300 pesos, and the task about it. */
async function aDebt(request: APIRequestContext) {
  const name = `Dora${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  const owner = await staff(request, 'owner')
  const { locations } = await owner<{ locations: { location_id: number; name: string }[] }>('GET', '/locations')
  const { sale } = await owner<{ sale: { sale_id: number; lines: { purchase_id: number }[] } }>('POST', '/admin/sales', {
    customer_id,
    location_id: locations.find((location) => location.name === 'Roma Norte')?.location_id,
    lines: [{ kind: 'other', title: 'Tapete', amount: '300' }],
    shown: { total: '300' },
    owe: { until: ahead(5), reason: 'Olvidó su cartera' },
  })
  return { title: `${name} Mar Olmos tiene un adeudo`, task_id: `debt-${sale.sale_id}`, purchase_id: sale.lines[0]?.purchase_id, owner }
}

/** The row of a task in Por atender; opens the group that it is in when there are others of its kind. */
async function rowOf(page: Page, title: string, kind = 'adeudos') {
  const part = page.getByRole('region', { name: 'Por atender' })
  const row = part.getByRole('listitem').filter({ has: page.getByRole('link', { name: title, exact: true }) })
  const group = part.getByRole('button', { name: new RegExp(`^\\d+\\+? ${kind}`) })
  await expect(row.or(group).first()).toBeVisible()
  if ((await group.count()) > 0 && (await group.getAttribute('aria-expanded')) === 'false') await group.click()
  return row.last()
}

const choose = async (page: Page, title: string, verb: string) => {
  const row = await rowOf(page, title)
  await row.getByRole('button', { name: `Más sobre: ${title}` }).click()
  await page.getByRole('menuitem', { name: verb }).click()
}

test('the owner begins with figures, each with its definition and its rows', async ({ page }) => {
  await enter(page, OWNER, '/admin/hoy')
  const figures = page.getByRole('region', { name: 'Cifras' })
  await expect(figures.getByRole('link', { name: /^Cobrado -?\$/ })).toHaveAttribute('href', /^\/admin\/reportes\/cobrado\?desde=/)
  for (const name of [/^Ocupación/, /^Clientes activos/, /^No asistieron/]) await expect(figures.getByRole('link', { name })).toBeVisible()
  await figures.getByText('¿Cómo se calcula? Ocupación').click()
  await expect(figures.getByText('Lugares tomados entre lugares que había', { exact: false })).toBeVisible()
  await accessible(page)
  await page.getByRole('radiogroup', { name: 'Periodo de las cifras' }).getByText('Semana').click()
  await expect(page).toHaveURL('/admin/hoy?periodo=semana')
  await expect(figures.getByText(/la semana pasada/).first()).toBeVisible()
  await page.reload()
  await expect(page.getByRole('radio', { name: 'Semana' })).toBeChecked()
  await figures.getByRole('link', { name: /^Cobrado/ }).click()
  await expect(page).toHaveURL(/\/admin\/reportes\/cobrado\?desde=/)
  await page.goBack()
  await figures.getByRole('link', { name: /^No asistieron/ }).click()
  await expect(page).toHaveURL(/\/admin\/reportes\/asistencia\?desde=/)
})

test('the owner sees money by week and how full each hour is, as charts and as tables', async ({ page }) => {
  await enter(page, OWNER, '/admin/hoy')
  const money = page.getByRole('region', { name: 'Ingresos por semana' })
  await money.getByText('Ver como tabla').click()
  await expect(money.getByRole('row')).toHaveCount(9)
  await expect(money.getByRole('rowheader', { name: /\(en curso\)$/ })).toBeVisible()
  const hours = page.getByRole('region', { name: 'Ocupación por hora' })
  await expect(hours.getByRole('cell', { name: /^\d+ %, \d+ de \d+ lugares$/ }).first()).toBeVisible()
  await accessible(page)
})

test('a task is put off until tomorrow, brought back, and closed with a reason', { tag: '@one-size' }, async ({ page, request }) => {
  const { title, task_id, owner } = await aDebt(request)
  await enter(page, RECEPTION, '/admin/hoy')
  // For reception the tasks come first, and the studio's money is hidden.
  await expect(page.getByRole('heading', { level: 2 }).first()).toHaveText('Por atender')
  await expect(page.getByRole('region', { name: 'Cifras' })).toHaveCount(0)
  const row = await rowOf(page, title)
  await expect(row).toContainText('$300.00')
  await accessible(page)

  await choose(page, title, 'Mañana')
  await expect(row).toHaveCount(0)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(await rowOf(page, title)).toBeVisible()

  await choose(page, title, 'Cerrar con motivo')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Paga el viernes')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Cerrar pendiente' }).click()
  await expect(page.getByText('Pendiente cerrado.')).toBeVisible()
  await expect(row).toHaveCount(0)
  const { tasks } = await owner<{ tasks: { task_id: string }[] }>('GET', '/admin/tasks')
  expect(tasks.map((task) => task.task_id)).not.toContain(task_id)
})

test('Avisar writes to the customer at once, and the task comes back when it is undone', { tag: '@one-size' }, async ({
  page,
  request,
}) => {
  const name = `Nora${randomUUID().slice(0, 8)}`
  const manager = await staff(request, 'manager')
  const { customer_id, email } = await customer(request, name, 0)
  await manager('POST', '/available_classes', {
    customer_id,
    available_classes: 3,
    title: 'Tres clases',
    reason: 'Para probar',
    expiration_date: today(),
  })
  await enter(page, OWNER, '/admin/hoy')
  const title = `Créditos de ${name} Mar Olmos por vencer`
  const row = await rowOf(page, title, 'personas con créditos')
  await row.getByRole('button', { name: `Avisar: ${title}` }).click()
  await expect(page.getByText('Aviso enviado.', { exact: false })).toBeVisible()
  await expect(row).toHaveCount(0)
  // The offer to undo is shown for some seconds only.
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(await rowOf(page, title, 'personas con créditos')).toBeVisible()
  await expect(async () => expect((await lastMail(email)).subject).toMatch(/expira el/)).toPass({ timeout: 20_000 })
})

test('Enviar enlace mails the link that changes the card of a refused renewal, and the task leaves until tomorrow (V49)', {
  tag: '@one-size',
}, async ({ page, request }) => {
  const name = `Rita${randomUUID().slice(0, 8)}`
  const { call, email } = await customer(request, name, 0)
  const { class_packages } = await call<{ class_packages: { class_package_id: number; title: string }[] }>('GET', '/class_packages')
  const class_package_id = class_packages.find(({ title }) => title === 'Membresía 8')?.class_package_id
  const bought = await call<{ purchase_id: number }>('POST', '/checkout/attempt', { class_package_id, payment_method: 'tok_renew_fail' })
  // The period that was paid ends now, and the card refuses the next charge.
  await inDatabase((client) =>
    client.query('update sandbox_subscription set "nextAt" = $2 where purchase_id = $1', [
      bought.purchase_id,
      new Date(Date.now() - 1_000),
    ]),
  )
  const links = async () => {
    const { rows } = await inDatabase((client) =>
      client.query<{ n: number }>(`select count(*)::int as n from mail_outbox where "to" = $1 and text like '%/tarjeta/%'`, [email]),
    )
    return rows[0]?.n
  }
  // The customer gets the message about the refusal at once, with a link of their own.
  await expect.poll(links, { timeout: 60_000 }).toBe(1)
  await enter(page, RECEPTION, '/admin/hoy')
  const title = `No pasó la renovación de ${name} Mar Olmos`
  const row = await rowOf(page, title, 'renovaciones rechazadas')
  await accessible(page)
  await row.getByRole('button', { name: `Enviar enlace: ${title}` }).click()
  await expect(page.getByText('Enlace enviado. Lo verás mañana si sigue sin pagar.')).toBeVisible()
  await expect(row).toHaveCount(0)
  await expect.poll(links, { timeout: 20_000 }).toBe(2)
})

test('a task that another person closed first shows their name and leaves the list', { tag: '@one-size' }, async ({ page, request }) => {
  const { title, task_id, owner } = await aDebt(request)
  await enter(page, RECEPTION, '/admin/hoy')
  const row = await rowOf(page, title)
  await row.getByRole('button', { name: `Más sobre: ${title}` }).click()
  await owner('PUT', `/admin/tasks/${task_id}`, { done: true, reason: 'Ya pagó' })
  await page.getByRole('menuitem', { name: 'Mañana' }).click()
  await expect(page.getByText(/^Ya lo resolvió Mónica/)).toBeVisible()
  await expect(row).toHaveCount(0)
})

test('the bell counts what is open on every screen and leads to it', async ({ page, request }) => {
  const { title, purchase_id } = await aDebt(request)
  await enter(page, RECEPTION, '/admin/clientes')
  const bell = page.getByRole('button', { name: /^Por atender: \d+$/ })
  await bell.click()
  const list = page.getByRole('dialog', { name: 'Por atender' })
  await expect(list.getByRole('link', { name: title })).toBeVisible()
  await accessible(page)
  await page.keyboard.press('Escape')
  await expect(list).toBeHidden()
  await expect(bell).toBeFocused()
  await bell.click()
  await list.getByRole('link', { name: title }).click()
  await expect(page).toHaveURL(`/admin/ventas/${purchase_id}`)
  await expect(list).toBeHidden()
  const counter = page.getByRole('region', { name: 'En recepción' })
  await expect(counter).toContainText(/Vendió Mónica.* en Roma Norte · Folio/)
  await expect(counter).toContainText(/Queda a deber hasta el .*\$300\.00/)
  await accessible(page)
})

test('a coach has neither Hoy nor the bell', { tag: '@one-size' }, async ({ page }) => {
  await enter(page, COACH, '/admin/mis-clases')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Por atender/ })).toHaveCount(0)
  // A coach's own classes are called Hoy in the bar of a phone.
  await expect(page.locator('a[href^="/admin/hoy"]')).toHaveCount(0)
})
