/** The door: one person in with each scan, by the reader's keys, by name, by the customer's code, and the list of every reservation. */
import { randomUUID } from 'node:crypto'
import { accessible, classOn, customer, enter, inMinutes, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

interface Made {
  class_reservation: { class_reservation_id: number }
}

test('a reader that types lets somebody in once, and undo takes it back (S2-2.49)', async ({ page, request }) => {
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
  // Nobody touched the field: a reader types where the keys go.
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

test('who owes is found by name, passes when reception says so, and the code of a stranger is not found', async ({ page, request }) => {
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

test('the code of a customer opens the reservation and checks them in; the list finds it without doing so', async ({ page, request }) => {
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
  await page.getByRole('link', { name: `${name} Mar Olmos` }).click()
  await expect(page.getByText('La reservó el equipo')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Llegó' })).toBeVisible()
  await accessible(page)
  await page.goto(`/admin/reservaciones/${class_reservation.class_reservation_id}`)
  await expect(page.getByRole('region', { name: 'Resultado' }).getByText('Llegó', { exact: true })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Quitar «llegó»' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Cancelar su lugar' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Se sintió mal')
  await dialog.getByRole('button', { name: 'Sí, cancelar' }).click()
  await expect(page.getByText(/Por .*: Se sintió mal\./)).toBeVisible()
  await page.reload()
  await expect(page.getByRole('region', { name: 'Resultado' }).getByText('Cancelada', { exact: true })).toBeVisible()
})
