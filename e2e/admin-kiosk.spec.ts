/** Kiosk mode: a customer types a name and a telephone, nothing else of the administration opens, and a PIN ends it (Q8). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { classOn, customer, enter, inMinutes, planner } from './studio-people.ts'
import { expect, test } from './test.ts'

const PIN = '60482'

test('customers check themselves in, no address leads past the kiosk, and a PIN ends it (Q8)', async ({ page, request }) => {
  const { day, hour } = inMinutes(70)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const name = `Kira${randomUUID().replace(/\d/g, '').replaceAll('-', '').slice(0, 5)}`
  const person = await customer(request, name, 2)
  await person.call('POST', '/class_reservations', { single_class_id })

  const receptionist = `Kenia ${randomUUID().slice(0, 8)}`
  await enter(page, await planner(request, receptionist), '/admin/escanear')
  await page.getByRole('link', { name: 'Modo kiosco' }).click()
  const opening = page.getByRole('dialog', { name: 'Modo kiosco' })
  await opening.getByRole('button', { name: 'Elegir mi PIN' }).click()
  const choosing = page.getByRole('dialog', { name: 'Mi PIN' })
  await choosing.locator('input[name=pin]').fill(PIN)
  await choosing.getByLabel('Otra vez').fill(PIN)
  await choosing.getByRole('button', { name: 'Guardar mi PIN' }).click()
  await accessible(page)
  await opening.getByRole('button', { name: 'Abrir el kiosco' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Registra tu llegada' })).toBeVisible()
  await accessible(page)

  const field = page.getByLabel('Tu código, teléfono o nombre')
  await field.fill(name)
  await field.press('Enter')
  const result = page.getByRole('region', { name: 'Resultado' })
  await result.getByRole('button', { name: new RegExp(`^${name} · `) }).click()
  await expect(result.getByText(`¡Hola, ${name}!`)).toBeVisible()
  await expect(result.getByText('Registramos tu llegada.')).toBeVisible()
  await accessible(page)
  // The next person does not find it.
  await expect(result).toBeHidden({ timeout: 15_000 })

  await page.goto('/admin/clientes')
  await expect(page.getByRole('heading', { level: 1, name: 'Registra tu llegada' })).toBeVisible()
  await expect(page.getByRole('navigation')).toHaveCount(0)

  await page.getByRole('button', { name: 'Para el equipo' }).click()
  await page.getByRole('button', { name: receptionist }).click()
  await page.keyboard.type(PIN)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Escanear' })).toBeVisible()
})
