/** Check-in at the door: by a code reader, by name, by the customer's code, and the list of all reservations. */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { cutConnection } from './cut-connection.ts'
import { classOn, customer, enter, inMinutes, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

interface Made {
  class_reservation: { class_reservation_id: number }
}

test('a code reader checks a customer in once, and undo reverts it (S2-2.49)', async ({ page, request }) => {
  const { day, hour } = inMinutes(50)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const name = `Paula${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 2)
  const reception = await staff(request, 'reception')
  const { class_reservation } = await reception<Made>('POST', '/admin/class_reservations', { customer_id, single_class_id })
  await enter(page, RECEPTION, '/admin/escanear')
  const result = page.getByRole('region', { name: 'Resultado' })
  await expect(page.getByRole('textbox', { name: 'Código, nombre o teléfono' })).toBeVisible()
  await accessible(page)
  // No field has the focus: a code reader types like a keyboard, and the page catches the keys.
  await page.keyboard.type(`http://localhost/admin/reservaciones/${class_reservation.class_reservation_id}`)
  await page.keyboard.press('Enter')
  await expect(result.getByText('Llegó', { exact: true })).toBeVisible()
  await expect(result).toContainText(name)
  await accessible(page)
  await page.keyboard.type(String(class_reservation.class_reservation_id))
  await page.keyboard.press('Enter')
  await expect(result.getByText('Ya estaba')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: new RegExp(`^Deshacer.*${name}`) }).click()
  await expect(page.getByText('Se quitó su llegada')).toBeVisible()
  await page.keyboard.type('no-es-nuestro')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Nadie coincide con tu búsqueda.')).toBeVisible()
})

test('a customer with a debt is found by name and let in when reception confirms; an unknown code is not found', async ({
  page,
  request,
}) => {
  const { day, hour } = inMinutes(60)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const name = `Bruno${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  const reception = await staff(request, 'reception')
  await reception('POST', '/admin/class_reservations', { customer_id, single_class_id, is_cash: true })
  await enter(page, RECEPTION, '/admin/escanear')
  const field = page.getByRole('textbox', { name: 'Código, nombre o teléfono' })
  await field.fill(name)
  await page
    .getByRole('list', { name: 'Clientes encontrados' })
    .getByRole('button', { name: new RegExp(name) })
    .click()
  const result = page.getByRole('region', { name: 'Resultado' })
  await expect(result.getByText(/^Debe \$[\d.,]+$/)).toBeVisible()
  await expect(result.getByRole('button', { name: /^Cobrar \$/ })).toBeVisible()
  await accessible(page)
  await result.getByRole('button', { name: 'Pasa y paga después' }).click()
  await expect(result.getByText('Llegó', { exact: true })).toBeVisible()
  await field.fill('999999999')
  await field.press('Enter')
  await expect(result.getByText('No lo encontramos', { exact: true })).toBeVisible()
  await accessible(page)
})

test('the code of a customer opens the reservation and checks them in; the list finds it without doing so', async ({
  page,
  request,
  isMobile,
}) => {
  const { day, hour } = inMinutes(70)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const name = `Irma${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 2)
  const reception = await staff(request, 'reception')
  const { class_reservation } = await reception<Made>('POST', '/admin/class_reservations', { customer_id, single_class_id })
  await enter(page, RECEPTION, '/admin/reservaciones')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await accessible(page)
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByText('1 reservación', { exact: true })).toBeVisible()
  await expect(page).toHaveURL(new RegExp(`q=${name}`))
  if (!isMobile) {
    await page.getByRole('link', { name: `${name} Mar Olmos` }).focus()
    await page.keyboard.press('m')
    await expect(page.getByRole('dialog', { name: 'Mover a otra clase' })).toBeVisible()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: `${name} Mar Olmos` }).focus()
    await page.keyboard.press('c')
    await expect(page.getByRole('dialog', { name: 'Cancelar su lugar' })).toBeVisible()
    await page.keyboard.press('Escape')
  }
  await page.getByRole('link', { name: `${name} Mar Olmos` }).click()
  await expect(page.getByText('La reservó el equipo')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Llegó' })).toBeVisible()
  await accessible(page)
  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Agregar un invitado' }).click()
  await dialog.getByLabel('Nombre del invitado').fill('Jimena')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Agregar', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Quitar al invitado' })).toBeVisible()
  await page.getByRole('button', { name: 'Justificar la falta' }).click()
  await dialog.getByLabel('Motivo').fill('Avisó por teléfono')
  await dialog.getByRole('button', { name: /^Justificar|^Guardar/ }).click()
  await expect(page.getByText(/No asistió · .*Avisó por teléfono/)).toBeVisible()
  await page.getByRole('button', { name: 'Quitar «no asistió»' }).click()
  await expect(page.getByRole('button', { name: 'No asistió', exact: true })).toBeVisible()
  await page.goto(`/admin/reservaciones/${class_reservation.class_reservation_id}`)
  await expect(page.getByRole('region', { name: 'Resultado' }).getByText('Llegó', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Quitar «llegó»' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Cancelar su lugar' }).click()
  await dialog.getByLabel('Motivo').fill('Se sintió mal')
  await dialog.getByRole('button', { name: 'Sí, cancelar' }).click()
  await expect(page.getByText(/Por .*: Se sintió mal\./)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Resultado' }).getByText('Cancelada', { exact: true })).toBeVisible()
})

test('a reservation changes its seat and class and gets a guest, and the history shows it (F10)', async ({ page, request, isMobile }) => {
  const { day, hour } = inMinutes(80)
  const later = inMinutes(200)
  const [single_class_id = 0] = await classOn(request, { day, hour, spot_map: '3,3', capacity: 6 })
  await classOn(request, { ...later, capacity: 6 })
  const name = `Nuria${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 4)
  const reception = await staff(request, 'reception')
  await reception('POST', '/admin/class_reservations', { customer_id, single_class_id, spot: '1-1' })
  await enter(page, RECEPTION, `/admin/clases/${single_class_id}`)
  const open = page.getByRole('button', { name: `${name} Mar Olmos`, exact: true })
  const dialog = page.getByRole('dialog')
  await open.first().click()
  await dialog.getByRole('button', { name: 'Cambiar de lugar' }).click()
  await dialog.getByLabel('Lugar').selectOption('2-3')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Cambiar', exact: true }).click()
  const row = page.getByRole('listitem').filter({ has: open })
  await expect(row).toContainText('Fila 2, lugar 3')
  if (!isMobile) {
    // With a mouse the same is done by dragging on the map; the buttons of the sheet are its keyboard twin.
    const free = page.getByRole('button', { name: 'Fila 1, lugar 2, libre' })
    await page.getByRole('button', { name: new RegExp(`^Fila 2, lugar 3: ${name}`) }).dragTo(free)
    await expect(row).toContainText('Fila 1, lugar 2')
    await page.getByRole('button', { name: 'Deshacer', exact: true }).click()
    await expect(row).toContainText('Fila 2, lugar 3')
  }
  await open.first().click()
  await dialog.getByRole('button', { name: 'Mover a otra clase' }).click()
  await accessible(page)
  await dialog.getByLabel('Motivo').fill('Lo pidió por teléfono')
  await dialog.getByRole('button', { name: 'Mover', exact: true }).click()
  await expect(page.getByText('Nadie ha reservado todavía.')).toBeVisible()
  await page.getByText('Historial', { exact: true }).click()
  await expect(page).toHaveURL(/ver=historial/)
  await expect(page.getByText('Cambió a otra clase')).toBeVisible()
  await expect(page.getByText('Cambió su lugar · Fila 1, lugar 1 · a Fila 2, lugar 3')).toBeVisible()
  await accessible(page)
})

test('attendance marked offline is stored, counted and sent with its own time; keyboard shortcuts mark too (A11)', {
  tag: '@one-size',
}, async ({ browser, request }) => {
  const connection = await cutConnection()
  const context = await browser.newContext({ proxy: connection.proxy })
  const page = await context.newPage()
  const { day, hour } = inMinutes(90)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const reception = await staff(request, 'reception')
  const names = ['Aura', 'Beto'].map((name) => `${name}${randomUUID().slice(0, 8)}`)
  for (const name of names) {
    const { customer_id } = await customer(request, name, 2)
    await reception('POST', '/admin/class_reservations', { customer_id, single_class_id })
  }
  await enter(page, RECEPTION, `/admin/clases/${single_class_id}`)
  const came = (name = '') => page.getByRole('button', { name: `${name} Mar Olmos: llegó` })
  await expect(came(names[0])).toBeVisible()
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await expect.poll(() => page.evaluate(() => caches.has('estudio:administracion'))).toBe(true)
  connection.cut()
  await context.setOffline(true)
  await came(names[0]).click()
  await expect(came(names[0])).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('j')
  await page.keyboard.press('a')
  await expect(came(names[1])).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('2 marcas por enviar.')).toBeVisible()
  // The page is reloaded without a connection, as a phone does that ran out of memory.
  await page.reload()
  await expect(page.getByText(/^Sin conexión. La lista es de las \d\d:\d\d\. 2 marcas por enviar\.$/)).toBeVisible()
  await expect(came(names[0])).toHaveAttribute('aria-pressed', 'true')
  const attended = async () => {
    const { class_reservations } = await reception<{ class_reservations: { attend: boolean | null }[] }>(
      'GET',
      `/admin/single_class/${single_class_id}/class_reservations`,
    )
    return class_reservations.filter(({ attend }) => attend === true).length
  }
  expect(await attended()).toBe(0)
  connection.restore()
  await context.setOffline(false)
  await expect(page.getByText('2 marcas por enviar.')).toHaveCount(0)
  await expect.poll(attended).toBe(2)
  await expect(page.getByText('2 de 2 llegaron')).toBeVisible()
  await context.close()
  connection.close()
})

test('the roster cannot be closed before the class begins (A10)', { tag: '@one-size' }, async ({ page, request }) => {
  const { day, hour } = inMinutes(95)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  await enter(page, RECEPTION, `/admin/clases/${single_class_id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await expect(page.getByRole('menuitem', { name: 'Imprimir' })).toBeVisible()
  await expect(page.getByRole('menuitem', { name: 'Cerrar lista' })).toHaveCount(0)
})

test('a customer who comes on another day is moved to the current class with one button and checked in', { tag: '@one-size' }, async ({
  page,
  request,
}) => {
  const now = inMinutes(100)
  const later = inMinutes(60 * 26)
  const [today = 0] = await classOn(request, { ...now, capacity: 8 })
  const [single_class_id = 0] = await classOn(request, { ...later, capacity: 8 })
  const name = `Sonia${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 2)
  const reception = await staff(request, 'reception')
  const { class_reservation } = await reception<Made>('POST', '/admin/class_reservations', { customer_id, single_class_id })
  await enter(page, RECEPTION, '/admin/escanear')
  await expect(page.getByRole('textbox', { name: 'Código, nombre o teléfono' })).toBeVisible()
  await page.keyboard.type(String(class_reservation.class_reservation_id))
  await page.keyboard.press('Enter')
  const result = page.getByRole('region', { name: 'Resultado' })
  await expect(result.getByText('No es ahora', { exact: true })).toBeVisible()
  await accessible(page)
  await result.getByRole('button', { name: /^Mover a hoy, \d\d:\d\d$/ }).click()
  await expect(result.getByText('Llegó', { exact: true })).toBeVisible()
  const { class_reservations } = await reception<{ class_reservations: { customer_id: number; attend: boolean | null }[] }>(
    'GET',
    `/admin/class_reservations?customer_id=${customer_id}&status=Exitosa`,
  )
  expect(class_reservations).toMatchObject([{ customer_id, attend: true }])
  expect(today).toBeGreaterThan(0)
})
