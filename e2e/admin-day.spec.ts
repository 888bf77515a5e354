/**
 * The daily work of reception: adding customers to a class, receiving money, cancelling, and looking after customers and their purchases.
 */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { expectStatus } from './status.ts'
import { classOn, customer, enter, inMinutes, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

test('a customer at the desk is added to a class, pays, and cancels (S2-8.16)', async ({ page, request }) => {
  const { day, hour } = inMinutes(90)
  const [id = 0] = await classOn(request, { day, hour, spot_map: '3,3', capacity: 6 })
  const name = `Olga${randomUUID().slice(0, 8)}`
  await customer(request, name, 0)
  await enter(page, RECEPTION, `/admin/clases/${id}`)
  await expect(page.getByText('Nadie ha reservado todavía.')).toBeVisible()
  await page.getByRole('button', { name: 'Agregar' }).first().click()
  await expect(page).toHaveURL(`/admin/clases/${id}?agregar=0`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox', { name: 'Cliente' }).fill(name)
  await dialog
    .getByRole('list')
    .getByRole('button', { name: new RegExp(name) })
    .click()
  await dialog.getByRole('combobox', { name: 'Lugar' }).selectOption('2-2')
  await accessible(page)
  // Without credits the reservation is paid at the desk.
  await expect(dialog.getByRole('radio', { name: /Paga en el estudio/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Reservar' }).click()
  await expectStatus(page, 'Reservación registrada.')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Fila 2, lugar 2')
  await expect(row).toContainText(/Debe \$/)

  await row.getByRole('button', { name: `${name} Mar Olmos`, exact: true }).click()
  await accessible(page)
  await dialog.getByRole('button', { name: /^Recibir \$/ }).click()
  await dialog.getByRole('button', { name: /^Recibí \$/ }).click()
  // The first cash of the day needs an open till; it can be opened here.
  const open = dialog.getByRole('button', { name: 'Abrir caja' })
  await expect(open.or(page.getByRole('status').filter({ hasText: 'registrado.' })).first()).toBeVisible()
  if (await open.isVisible()) {
    await dialog.getByLabel('Efectivo con el que abres').fill('500.00')
    await accessible(page)
    await open.click()
    await expectStatus(page, 'Caja abierta.')
    await dialog.getByRole('button', { name: /^Recibí \$/ }).click()
  }
  await expectStatus(page, 'registrado.')
  await expect(row).not.toContainText('Debe')

  await row.getByRole('button', { name: `${name} Mar Olmos`, exact: true }).click()
  await dialog.getByRole('button', { name: 'Cancelar su lugar' }).click()
  await dialog.getByLabel('Motivo').fill('Se sintió mal')
  await dialog.getByRole('button', { name: 'Sí, cancelar' }).click()
  await expectStatus(page, 'Reservación cancelada.')
  await expect(page.getByText('Nadie ha reservado todavía.')).toBeVisible()
  await page.getByRole('button', { name: 'Ver canceladas (1)' }).click()
  await expect(page.getByRole('list', { name: 'Canceladas' })).toContainText(/Mar Olmos.*Se sintió mal/)
})

test('the owner gives a place as a courtesy, reads that there is a note, and goes from the list to the class (R32)', async ({
  page,
  request,
}) => {
  const { day, hour } = inMinutes(90)
  const [id = 0] = await classOn(request, { day, hour, capacity: 1 })
  const second = `Rosa${randomUUID().slice(0, 8)}`
  await customer(request, second, 1)
  const name = `Paz${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  const owner = await staff(request, 'owner')
  await owner('POST', `/admin/customers/${customer_id}/notes`, { text: 'Prefiere la primera fila', for_coaches: true })
  await enter(page, OWNER, `/admin/clases/${id}?agregar=0`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('searchbox', { name: 'Cliente' }).fill(name)
  await dialog
    .getByRole('list')
    .getByRole('button', { name: new RegExp(name) })
    .click()
  await dialog.getByRole('radio', { name: /Cortesía/ }).check({ force: true })
  await accessible(page)
  await dialog.getByLabel('Motivo de la cortesía').fill('Primera vez con su hermana')
  await dialog.getByRole('button', { name: 'Reservar' }).click()
  await expectStatus(page, 'Reservación registrada.')
  const row = page.getByRole('listitem').filter({ hasText: name })
  await expect(row).toContainText('Nota')
  await expect(row).not.toContainText('Debe')
  // A second note is written from the list.
  await row.getByRole('button', { name: `${name} Mar Olmos`, exact: true }).click()
  await dialog.getByRole('button', { name: 'Escribir una nota' }).click()
  await dialog.getByLabel('Nota', { exact: true }).fill('Trae su propio tapete')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(row).toContainText('2 notas')
  // The class is full: another customer joins the waitlist.
  await page.getByText('Espera', { exact: true }).click()
  await page.getByRole('button', { name: 'Anotar a alguien' }).click()
  await dialog.getByRole('searchbox', { name: 'Cliente' }).fill(second)
  await dialog
    .getByRole('list')
    .getByRole('button', { name: new RegExp(second) })
    .click()
  await expectStatus(page, 'Está en la lista de espera.')
  await expect(page.getByRole('listitem').filter({ hasText: second })).toContainText('En espera')
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Cambiar la clase' }).click()
  await expect(page).toHaveURL(new RegExp(`/admin/horario\\?semana=${day}&dia=${day}&clase=${id}`))
  await expect(page.getByRole('dialog').or(page.getByRole('complementary')).filter({ hasText: 'Guardar cambios' }).first()).toBeVisible()
})

test('one button marks all customers as arrived, another undoes it', async ({ page, request }) => {
  const { day, hour } = inMinutes(45)
  const [id = 0] = await classOn(request, { day, hour })
  const reception = await staff(request, 'reception')
  for (const name of ['Rita', 'Saul']) {
    const { customer_id } = await customer(request, name, 2)
    await reception('POST', '/admin/class_reservations', { customer_id, single_class_id: id })
  }
  await enter(page, RECEPTION, `/admin/clases/${id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Todos llegaron' }).click()
  await expect(page.getByText('2 de 2 llegaron')).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('0 de 2 llegaron')).toBeVisible()
})

test('reception finds a customer, gives a package, removes credits and revokes the purchase (S1-8.42 to S1-8.44)', async ({
  page,
  request,
}) => {
  const name = `Noemi${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  await enter(page, RECEPTION, '/admin/clientes')
  await page.getByRole('searchbox', { name: 'Nombre, teléfono o correo' }).fill(name)
  await expect(page).toHaveURL(new RegExp(`q=${encodeURIComponent(name)}`))
  await expect(page.getByText(/^1 cliente\b/)).toBeVisible()
  await accessible(page)
  await page.getByRole('link', { name: `${name} Mar Olmos` }).click()
  await expect(page).toHaveURL(`/admin/clientes/${customer_id}`)
  await expect(page.getByText('No tiene clases.')).toBeVisible()
  await accessible(page)

  const dialog = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Dar acceso' }).click()
  await dialog.getByLabel('Paquete').selectOption({ label: 'Diez, $2,190.00' })
  await dialog.getByRole('radio', { name: /Es un regalo/ }).check()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Dar acceso', exact: true }).click()
  await expect(page.getByText('¡Acceso agregado!')).toBeVisible()
  await expect(page.getByText('10 de 10')).toBeVisible()

  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Restar clases' }).click()
  await dialog.getByLabel('Cuántas').fill('3')
  await expect(dialog.getByText('Le quedarán 7.')).toBeVisible()
  await dialog.getByLabel('Motivo').fill('Usó tres sin reservar')
  await dialog.getByRole('button', { name: 'Restar 3 clases' }).click()
  await expect(page.getByText('¡Clases Restadas!')).toBeVisible()
  await expect(page.getByText('7 de 10')).toBeVisible()

  await page
    .getByRole('navigation', { name: /^Ficha de/ })
    .getByRole('link', { name: 'Compras' })
    .click()
  await page.getByRole('link', { name: /^#\d{6}$/ }).click()
  await expect(page).toHaveURL(/\/admin\/ventas\/\d+$/)
  await accessible(page)
  await page.getByRole('button', { name: 'Quitar acceso' }).click()
  await dialog.getByLabel('Motivo').fill('Se dio por error')
  await dialog.getByRole('button', { name: 'Sí, quitar' }).click()
  await expectStatus(page, '¡Acceso eliminado!')
  await expect(page.getByText('Revocada')).toBeVisible()
})

test('the owner refunds a sale; reception is not offered refunds', async ({ page, request, browser }) => {
  const name = `Tere${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  const reception = await staff(request, 'reception')
  const { class_packages } = await reception<{ class_packages: { class_package_id: number; title: string }[] }>(
    'GET',
    '/class_packages/admin/all',
  )
  const ten = class_packages.find(({ title }) => title === 'Diez')?.class_package_id
  const { purchase } = await reception<{ purchase: { purchase_id: number } }>('POST', '/customer/giveAccess', {
    customer_id,
    class_package_id: ten,
  })
  const other = await (await browser.newContext()).newPage()
  await enter(other, RECEPTION, `/admin/ventas/${purchase.purchase_id}`)
  await expect(other.getByText('Cobrado')).toBeVisible()
  await expect(other.getByRole('button', { name: 'Devolver' })).toHaveCount(0)
  await other.context().close()

  await enter(page, OWNER, '/admin/ventas')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByText(/^1 venta · /)).toBeVisible()
  await page.getByRole('link', { name: /^#\d{6}$/ }).click()
  await page.getByRole('button', { name: 'Devolver' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Cuánto').fill('90000')
  await expect(dialog.getByText(/^Quedan \$[\d,.]+ por devolver\.$/)).toBeVisible()
  await dialog.getByLabel('Cuánto').fill('100')
  await dialog.getByLabel('Motivo').fill('Cortesía por el retraso')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Devolver $100.00' }).click()
  await expectStatus(page, 'Devolución registrada.')
  await expect(page.getByText('Devuelto en parte')).toBeVisible()
  await expect(page.getByText('Cortesía por el retraso')).toBeVisible()
})

test('what somebody said about their health is read on the roster by who may, and that is recorded (F6)', async ({ page, request }) => {
  const { day, hour } = inMinutes(50)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const owner = await staff(request, 'owner')
  const field = { key: 'lesion', label: 'Lesión', type: 'text', health: true }
  const { form } = await owner<{ form: { form_id: number } }>('POST', '/forms', { name: `Salud ${single_class_id}`, form_fields: [field] })
  const person = await customer(request, `Iris${randomUUID().slice(0, 8)}`, 2)
  await person.call('PUT', `/forms/${form.form_id}/answers`, { answers: { lesion: 'Rodilla derecha' } })
  const reception = await staff(request, 'reception')
  await reception('POST', '/admin/class_reservations', { customer_id: person.customer_id, single_class_id })
  await enter(page, OWNER, `/admin/clases/${single_class_id}`)
  const row = page.getByRole('listitem').filter({ hasText: 'Mar Olmos' })
  await expect(row).toContainText('Salud')
  await row.getByRole('button', { name: /Mar Olmos$/ }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Ver lo que dijo de su salud' }).click()
  await expect(dialog.getByText('Rodilla derecha')).toBeVisible()
  await expect(dialog.getByText('Queda en la bitácora que lo viste.')).toBeVisible()
  await accessible(page)
  const { entries } = await owner<{ entries: { action: string }[] }>(
    'GET',
    `/admin/audit?customer_id=${person.customer_id}&action=form_answer.read`,
  )
  expect(entries).toHaveLength(1)
})
