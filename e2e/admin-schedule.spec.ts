/**
 * Horario: a class is planned, published, moved, cancelled and taken back, with the keyboard on a desk and by thumb on a phone (L1 to L8).
 */
import type { Page } from '@playwright/test'
import { addDays, mondayOf } from '#contract/time.ts'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, planner, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

// Phone and desktop plan in different weeks.
const weekOf = (isMobile: boolean) => mondayOf(ahead(isMobile ? 70 : 84))

/** A class on the screen with all of these words. */
const block = (page: Page, ...text: string[]) =>
  text.reduce((found, hasText) => found.filter({ hasText }), page.locator('button[data-class]')).first()
const panel = (page: Page) => page.getByRole('dialog').first()

test('a class is created, stored unpublished, published, moved and taken back (L1, L2, L7)', async ({ page, isMobile }) => {
  const week = weekOf(isMobile)
  const day = addDays(week, 2)
  await enter(page, await planner(page.request), `/admin/horario?semana=${week}&dia=${day}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Horario' })).toBeVisible()
  await accessible(page)
  if (isMobile) await page.getByRole('button', { name: 'Nueva clase' }).click()
  else {
    await page.getByText(/^\d+ clases|^Sin clases/).waitFor()
    await page.keyboard.press('n')
  }
  const form = panel(page)
  await expect(form.getByRole('heading', { name: 'Nueva clase' })).toBeVisible()
  // Missing values are reported at their fields.
  await form.getByRole('button', { name: 'Crear clase' }).click()
  await expect(form.getByText('Elige qué clase es.')).toBeVisible()
  await accessible(page)
  await form.getByLabel('Tipo de clase').selectOption({ label: 'Yin' })
  await form.getByLabel('Estudio').selectOption({ label: 'Roma Norte' })
  await form.getByLabel('Hora').fill('22:15')
  await form.getByLabel('Capacidad').fill('9')
  await form.getByLabel('Coach', { exact: false }).first().selectOption({ label: 'Lucía' })
  await form.getByRole('button', { name: 'Crear clase' }).click()
  await expect(page.getByText('Guardado. Falta publicarlo.')).toBeVisible()
  const draft = block(page, 'Yin', '22:15', 'Lucía', 'Sin publicar')
  await expect(draft).toBeVisible()
  await accessible(page)
  // It is visible to its author only.
  const reception = await staff(page.request, 'reception')
  const seen = async () =>
    (await reception<{ days: { classes: { class_date: string }[] }[] }>('GET', `/single_class?start_date=${day}&end_date=${day}`)).days
      .flatMap(({ classes }) => classes)
      .filter(({ class_date }) => class_date.includes('T22:')).length
  expect(await seen()).toBe(0)

  await page.getByRole('button', { name: 'Publicar 1 cambio' }).click()
  const publishing = page.getByRole('dialog', { name: 'Publicar cambios' })
  await expect(publishing.getByText('Se crea 1 clase.')).toBeVisible()
  await expect(publishing.getByText('No hay a quién avisar.')).toBeVisible()
  await accessible(page)
  await publishing.getByRole('button', { name: 'Publicar 1 cambio' }).click()
  await expect(page.getByText('Cambios publicados.')).toBeVisible()
  expect(await seen()).toBe(1)
  const published = block(page, 'Yin', '22:15', 'Lucía')
  await expect(published).toBeVisible()
  await expect(published).not.toContainText('Sin publicar')

  if (!isMobile) {
    // Moving by keyboard: a quarter of an hour later, stored unpublished and discarded again.
    await published.focus()
    await page.keyboard.press('Alt+ArrowDown')
    await expect(page.getByText(/^Yin, .*22:30$/)).toBeVisible()
    await page.keyboard.press('Enter')
    const moved = block(page, 'Yin', '22:30', 'Lucía', 'Con cambios')
    await expect(moved).toBeVisible()
    await moved.click()
    await panel(page).getByRole('button', { name: 'Descartar cambios' }).click()
    await expect(block(page, 'Yin', '22:15', 'Lucía')).toBeVisible()
  }
  await block(page, 'Yin', '22:15', 'Lucía').click()
  await panel(page).getByRole('button', { name: 'Eliminar' }).click()
  const deleting = page.getByRole('dialog', { name: 'Eliminar la clase' })
  await expect(deleting.getByText('Se elimina 1 clase.')).toBeVisible()
  await deleting.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByText('Clase eliminada.')).toBeVisible()
  expect(await seen()).toBe(0)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  expect(await seen()).toBe(1)
})

test('a class with people is cancelled with a reason that they read, and taken back; a conflict is named (L3, B1, B5)', async ({
  page,
  isMobile,
}) => {
  const week = weekOf(isMobile)
  const day = addDays(week, 3)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: '21:10' })
  await classOn(page.request, { day, hour: '21:30' })
  const person = await customer(page.request, 'Elena', 2)
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/admin/class_reservations', { customer_id: person.customer_id, single_class_id })
  await enter(page, await planner(page.request), `/admin/horario?semana=${week}&dia=${day}&clase=${single_class_id}`)
  const open = panel(page)
  await expect(open.getByText('Lucía da otra clase a esa hora: Yin en Roma Norte, 21:30.')).toBeVisible()
  await accessible(page)
  await open.getByRole('button', { name: 'Cancelar clase' }).click()
  const asking = page.getByRole('dialog', { name: 'Cancelar clase' })
  await expect(asking.getByText('Se avisa a la persona que tiene lugar y le regresa su crédito.')).toBeVisible()
  await expect(asking.getByRole('region', { name: 'Otras clases con lugar' })).toBeVisible()
  await expect(asking.getByText('Qué le llega a Elena')).toBeVisible()
  await asking.getByLabel('Motivo').fill('La coach se enfermó')
  await accessible(page)
  await asking.getByRole('button', { name: 'Sí, cancelar' }).click()
  await expect(page.getByText('Clase cancelada. Ya se avisó a 1 persona;')).toBeVisible()
  await expect(block(page, 'Yin', '21:10', 'Cancelada')).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  await expect(block(page, 'Yin', '21:10', 'Lucía')).not.toContainText('Cancelada')
  await expect(block(page, 'Yin', '21:10', 'Lucía')).toContainText(isMobile ? '1 / 12' : '1 de 12 lugares')
})

test('a series is drawn before it is made, and a week is copied (L5, L8)', async ({ page, isMobile }) => {
  // No other spec plans in these weeks: what is copied and left out is counted.
  const week = addDays(weekOf(isMobile), 140)
  await enter(page, await planner(page.request), `/admin/horario?semana=${week}&dia=${week}&nueva=${week}T23:00`)
  const form = panel(page)
  await form.getByLabel('Tipo de clase').selectOption({ label: 'Yin' })
  await form.getByLabel('Estudio').selectOption({ label: 'San Ángel' })
  await form.getByLabel('Capacidad').fill('8')
  await form.getByLabel('Duración').fill('30')
  await form.getByText('Se repite').click()
  await form.getByRole('checkbox', { name: 'miércoles', exact: true }).check({ force: true })
  await form.getByLabel('Hasta').fill(addDays(week, 9))
  await expect(form.getByText('Son 4 clases.')).toBeVisible()
  // A tick leaves a date out.
  const dates = form.getByRole('group', { name: 'Fechas' }).getByRole('checkbox')
  await expect(dates).toHaveCount(4)
  await dates.last().uncheck()
  await expect(form.getByText('Son 3 clases.')).toBeVisible()
  await dates.last().check()
  await expect(form.getByText('Son 4 clases.')).toBeVisible()
  await accessible(page)
  await form.getByRole('button', { name: 'Crear clase' }).click()
  await expect(page.getByText('Guardado. Falta publicarlo.')).toBeVisible()
  await page.getByRole('button', { name: 'Publicar 1 cambio' }).click()
  const publishing = page.getByRole('dialog', { name: 'Publicar cambios' })
  await expect(publishing.getByText('Se crean 4 clases.')).toBeVisible()
  await publishing.getByRole('button', { name: 'Publicar 1 cambio' }).click()
  await expect(page.getByText('Cambios publicados.')).toBeVisible()

  // The series ends earlier: the remaining classes are shown before; then it is undone (L24).
  await block(page, 'Yin', '23:00').click()
  const series = panel(page).getByRole('region', { name: 'Serie' })
  await expect(series.getByText(/^Cada semana, lunes y miércoles, hasta el /)).toBeVisible()
  await expect(series.getByText(/^Quedan 4 clases/)).toBeVisible()
  await series.getByLabel('Último día de la serie').fill(addDays(week, 2))
  await series.getByRole('button', { name: 'Terminar ese día' }).click()
  const ending = page.getByRole('dialog', { name: 'Terminar la serie' })
  await expect(ending.getByText('Se eliminan 2 clases.')).toBeVisible()
  await accessible(page)
  await ending.getByRole('button', { name: 'Terminar la serie' }).click()
  await expect(page.getByText(/^La serie termina el /)).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()

  if (isMobile) await page.getByRole('button', { name: 'Más del horario' }).click()
  await page.getByRole(isMobile ? 'menuitem' : 'button', { name: 'Copiar semana' }).click()
  const copying = page.getByRole('dialog', { name: /^Copiar la semana/ })
  await expect(copying).toBeVisible()
  await accessible(page)
  // The next week has the same classes: they are left out.
  await copying.getByRole('button', { name: 'Copiar sin publicar' }).click()
  await expect(page.getByText(/se omitieron/)).toBeVisible()
})

test('reception reads the timetable and changes nothing', async ({ page, isMobile }) => {
  const week = weekOf(isMobile)
  const day = addDays(week, 4)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: '21:50' })
  await enter(
    page,
    { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' },
    `/admin/horario?semana=${week}&dia=${day}&clase=${single_class_id}`,
  )
  await expect(panel(page).getByText('Lista de clase')).toBeVisible()
  await expect(panel(page).getByLabel('Hora')).toBeDisabled()
  await expect(page.getByRole('button', { name: 'Nueva clase' })).toHaveCount(0)
  await accessible(page)
})

test('two people change one class: the second to publish sees both versions, and overwrites with theirs (L22)', async ({
  page,
  isMobile,
}) => {
  const week = weekOf(isMobile)
  const day = addDays(week, 5)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: '20:40', capacity: 12 })
  await enter(page, await planner(page.request), `/admin/horario?semana=${week}&dia=${day}&clase=${single_class_id}`)
  await panel(page).getByLabel('Capacidad').fill('9')
  await panel(page).getByRole('button', { name: 'Guardar cambios' }).click()
  await expect(page.getByText('Guardado. Falta publicarlo.')).toBeVisible()
  const owner = await staff(page.request, 'owner')
  await owner('POST', '/admin/schedule/changes', { changes: [{ op: 'update', single_class_id, fields: { capacity: 20 } }], as: 'publish' })
  await page.getByRole('button', { name: 'Publicar 1 cambio' }).click()
  const publishing = page.getByRole('dialog', { name: 'Publicar cambios' })
  await expect(publishing.getByText(/^Mónica.* cambió Yin, .*20:40 mientras tú también\.$/)).toBeVisible()
  await expect(publishing.getByRole('row', { name: 'Capacidad 20 9' })).toBeVisible()
  await accessible(page)
  await publishing.getByRole('button', { name: 'Conservar mi cambio' }).click()
  await expect(publishing.getByText('Cambia 1 clase.')).toBeVisible()
  await publishing.getByRole('button', { name: 'Publicar 1 cambio' }).click()
  await expect(page.getByText('Cambios publicados.')).toBeVisible()
  await expect(block(page, 'Yin', '20:40')).toContainText(isMobile ? '0 / 9' : '0 de 9 lugares')
})

test('the rules say what would happen to one person in a class, and which setting says so (R25)', async ({ page, isMobile }) => {
  const week = weekOf(isMobile)
  const day = addDays(week, 6)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: '20:50' })
  const person = await customer(page.request, 'Nadia', 0)
  await enter(page, await planner(page.request), `/admin/horario?semana=${week}&dia=${day}&clase=${single_class_id}`)
  await panel(page).getByRole('button', { name: '¿Quién puede reservarla?' }).click()
  const asking = page.getByRole('dialog', { name: '¿Qué le pasaría a alguien en esta clase?' })
  await asking.getByRole('searchbox', { name: 'Cliente' }).fill(person.email)
  await asking.getByRole('button', { name: /^Nadia/ }).click()
  const answer = page.getByRole('dialog', { name: '¿Qué le pasaría a Nadia?' })
  await expect(answer.getByText('Nadia no puede reservarla.')).toBeVisible()
  await expect(answer.getByText('Recepción sí puede reservársela.')).toBeVisible()
  await expect(answer.getByRole('listitem').filter({ hasText: 'Crédito' }).getByRole('img', { name: 'No' })).toBeVisible()
  await expect(answer.getByRole('listitem').filter({ hasText: 'Penalización' }).getByRole('img', { name: 'Sí' })).toBeVisible()
  await accessible(page)
})
