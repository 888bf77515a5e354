/** Días sin clases: official holidays, a day over existing classes, the band of the week; absences of coaches (L13 to L16). */
import { randomUUID } from 'node:crypto'
import { addDays, mondayOf } from '#contract/time.ts'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('official holidays of a year are proposed, chosen and added (L14)', async ({ page, isMobile }) => {
  // Each project has a year of its own: they share the studio.
  const year = isMobile ? 2040 : 2041
  await enter(page, OWNER, `/admin/horario/feriados?anio=${year}`)
  await expect(page.getByText('No has marcado días.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Agregar oficiales' }).first().click()
  const dialog = page.getByRole('dialog', { name: `Agregar feriados oficiales de México ${year}` })
  await dialog.getByRole('checkbox', { name: /^Viernes Santo/ }).check({ force: true })
  await dialog.getByRole('checkbox', { name: /^Año Nuevo/ }).uncheck({ force: true })
  await accessible(page)
  await dialog.getByRole('button', { name: 'Agregar 7 días' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByRole('button', { name: /^Viernes Santo/ })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Año Nuevo/ })).toHaveCount(0)
  await accessible(page)
  await page.getByRole('button', { name: 'Agregar oficiales' }).click()
  await expect(dialog.getByRole('checkbox', { name: /^Navidad.*\(ya está\)/ })).toBeDisabled()
})

test('a day over a class with people cancels it after saying whom that concerns, and is a band of the week (L13)', async ({
  page,
  request,
  isMobile,
}) => {
  const day = addDays(mondayOf(ahead(isMobile ? 252 : 266)), 2)
  const [single_class_id = 0] = await classOn(request, { day, hour: '19:10' })
  const person = await customer(request, 'Elena', 2)
  const reception = await staff(request, 'reception')
  await reception('POST', '/admin/class_reservations', { customer_id: person.customer_id, single_class_id })
  const name = `Mudanza ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/horario/feriados')
  await page.getByRole('button', { name: 'Agregar día' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agregar día sin clases' })
  await dialog.getByLabel('Por qué no hay clases').fill(name)
  await dialog.getByLabel('Primer día').fill(day)
  await dialog.getByLabel('Último día').fill(day)
  await expect(dialog.getByText('Hay 1 clase esos días')).toBeVisible()
  await dialog.getByText('Se mueven', { exact: true }).click()
  await dialog.getByLabel('A qué hora').selectOption({ label: '1 h más temprano' })
  await expect(dialog.getByText('Cambia 1 clase.')).toBeVisible()
  await expect(dialog.getByText(/^Se avisa a 1 persona: 1 por correo/)).toBeVisible()
  await accessible(page)
  await dialog.getByText('Se cancelan').click()
  await expect(dialog.getByText('Se cancela 1 clase.')).toBeVisible()
  await expect(dialog.getByText(/^Se avisa a 1 persona: 1 por correo/)).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado. Se cancela 1 clase.')).toBeVisible()

  await page.goto(`/admin/horario?semana=${mondayOf(day)}&dia=${day}`)
  await expect(page.getByText(name).first()).toBeVisible()
  await expect(page.locator('button[data-class]').filter({ hasText: '19:10' })).toContainText('Cancelada')
  await accessible(page)
})

test('an absence of a coach marks their classes (L16)', async ({ page, request, isMobile }) => {
  const day = addDays(mondayOf(ahead(isMobile ? 280 : 294)), 1)
  const [single_class_id = 0] = await classOn(request, { day, hour: '19:20' })
  await enter(page, OWNER, '/admin/horario/feriados')
  await page.getByRole('button', { name: 'Agregar ausencia' }).click()
  const dialog = page.getByRole('dialog', { name: 'Agregar ausencia' })
  await dialog.getByLabel('Coach').selectOption({ label: 'Lucía' })
  await dialog.getByLabel('Primer día').fill(day)
  await dialog.getByLabel('Último día').fill(day)
  await dialog.getByLabel('Motivo').fill('Curso')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado. Clases suyas esos días: 1.')).toBeVisible()
  await page.goto(`/admin/horario?semana=${mondayOf(day)}&dia=${day}&clase=${single_class_id}`)
  await expect(page.getByText('Lucía no está ese día.')).toBeVisible()
})

test('whoever saves a day without classes over a newer version keeps their own change and the other person’s (K19)', async ({
  page,
  request,
  isMobile,
}) => {
  const owner = await staff(request, 'owner')
  const name = `Inventario ${randomUUID().slice(0, 6)}`
  const year = isMobile ? 2043 : 2045
  const day = { from: `${year}-02-10`, to: `${year}-02-10` }
  const { holidays } = await owner<{ holidays: { holiday_id: number }[] }>('POST', '/admin/holidays', { holidays: [{ name, ...day }] })
  const holiday_id = holidays[0]?.holiday_id
  await enter(page, OWNER, `/admin/horario/feriados?anio=${year}`)
  await page.getByRole('button', { name: new RegExp(name) }).click()
  const dialog = page.getByRole('dialog', { name: 'Día sin clases', exact: true })
  await dialog.getByLabel('Último día').fill(`${year}-02-11`)
  await owner('PUT', `/admin/holidays/${holiday_id}`, { name: `${name} anual`, ...day })
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  const both = page.getByRole('dialog', { name: 'Alguien más cambió este día sin clases' })
  await expect(both).toContainText(/cambió esto hace \d+ min/)
  await expect(both).toContainText(`La tuya 10 feb ${year} – 11 feb ${year}`)
  await accessible(page)
  await both.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByRole('button', { name: new RegExp(`${name} anual`) })).toContainText(`10 feb ${year} – 11 feb ${year}`)
  await owner('DELETE', `/admin/holidays/${holiday_id}`)
})
