/** Horario in its views, and edited on the grid with the keyboard alone and with the pointer (L1 to L4). */
import type { Page } from '@playwright/test'
import { addDays, mondayOf } from '#contract/time.ts'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, planner, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const block = (page: Page, ...text: string[]) =>
  text.reduce((found, hasText) => found.filter({ hasText }), page.locator('button[data-class]')).first()

const viewOf = (page: Page, name: string) => page.getByRole('radiogroup', { name: 'Vista' }).getByText(name, { exact: true })

/** On a phone the verbs of the timetable are in a menu, its view and filters behind a button. */
async function select(page: Page, isMobile: boolean) {
  if (isMobile) await page.getByRole('button', { name: 'Más del horario' }).click()
  await page.getByRole(isMobile ? 'menuitem' : 'button', { name: 'Seleccionar' }).click()
}

test('each view shows the same class, has its address, and is accessible (L1)', async ({ page, isMobile }) => {
  const day = addDays(mondayOf(ahead(98)), isMobile ? 1 : 3)
  await classOn(page.request, { day, hour: '21:40' })
  await enter(page, await planner(page.request), `/admin/horario?semana=${mondayOf(day)}&dia=${day}`)
  if (isMobile) {
    await page.locator('button[data-class]').first().waitFor()
    expect((await page.locator('button[data-class]').first().boundingBox())?.y, 'the first class is in the upper half').toBeLessThanOrEqual(
      360,
    )
    await page.getByRole('button', { name: /^Filtros/ }).click()
  }
  for (const [name, vista, inside] of [
    ['Día', 'dia', 'Roma Norte'],
    ['Coach', 'coach', 'Lucía'],
    ['Sala', 'sala', 'Roma Norte'],
    ['Semana', null, null],
  ] as const) {
    await viewOf(page, name).click()
    if (vista) await expect(page).toHaveURL(new RegExp(`vista=${vista}`))
    else await expect(page).not.toHaveURL(/vista=/)
    if (inside) await expect(page.locator('h2, th').filter({ hasText: inside }).first()).toBeVisible()
    await expect(block(page, 'Yin', '21:40')).toBeVisible()
    await accessible(page)
    if (!isMobile) {
      await page.setViewportSize({ width: 820, height: 1180 })
      await expect(block(page, 'Yin', '21:40')).toBeVisible()
      await accessible(page)
      await page.setViewportSize({ width: 1440, height: 900 })
    }
  }
})

test('with the keyboard alone a class is created, moved, made longer, copied, selected, published and deleted (L2, L4)', async ({
  page,
  isMobile,
}) => {
  // A phone has no keyboard; its list edits with the panel.
  if (isMobile) return
  const monday = mondayOf(ahead(154))
  await enter(page, await planner(page.request), `/admin/horario?semana=${monday}&dia=${monday}`)
  await page.getByText(/^\d+ clases|^Sin clases/).waitFor()
  const keys = page.keyboard
  await keys.press('n')
  const form = page.getByRole('dialog', { name: 'Nueva clase' })
  await form.getByLabel('Tipo de clase').focus()
  await keys.type('Yin')
  await form.getByLabel('Hora').fill('22:00')
  await form.getByLabel('Estudio').focus()
  await keys.type('San')
  await form.getByLabel('Capacidad').fill('7')
  await form.getByRole('button', { name: 'Crear clase' }).focus()
  await keys.press('Enter')
  await expect(page.getByText('Guardado. Falta publicarlo.')).toBeVisible()

  // Two steps later and a day on, then half an hour longer: one change, stored with Enter.
  await expect(form).toBeHidden()
  await block(page, 'Yin', '22:00').focus()
  await expect(block(page, 'Yin', '22:00')).toBeFocused()
  await keys.press('Alt+ArrowDown')
  await keys.press('Alt+ArrowDown')
  await keys.press('Alt+ArrowRight')
  await keys.press('Shift+ArrowDown')
  await expect(page.getByRole('status').getByText(/^Yin, mar .*22:30, \d+ min$/)).toBeVisible()
  await accessible(page)
  await expect(block(page, 'Yin', '22:30', 'Sin guardar')).toBeFocused()
  await keys.press('Enter')
  const moved = block(page, 'Yin', '22:30', 'Sin publicar')
  await expect(page.getByText(/^Yin, mar .*Falta publicarlo\./)).toBeVisible()
  await expect(moved).toBeFocused()
  // An edit that is left changes nothing.
  await keys.press('Alt+ArrowUp')
  await expect(block(page, 'Yin', '22:15', 'Sin guardar')).toBeFocused()
  await keys.press('Escape')
  await expect(block(page, 'Yin', '22:30', 'Sin publicar')).toBeVisible()

  // Copied to the next week, where the same weekday takes it.
  await moved.focus()
  await keys.press('Control+c')
  await expect(page.getByText(/^Clase copiada\./)).toBeVisible()
  await keys.press(']')
  await expect(page).toHaveURL(new RegExp(`semana=${addDays(monday, 7)}`))
  await page.getByRole('heading', { level: 1, name: 'Horario' }).click()
  await keys.press('Control+v')
  await expect(page.getByText(/^Copia de Yin, mar .*22:30\. Falta publicarlo\./)).toBeVisible()
  await expect(block(page, 'Yin', '22:30', 'Sin publicar')).toBeVisible()

  await keys.press('p')
  const publishing = page.getByRole('dialog', { name: 'Publicar cambios' })
  await expect(publishing.getByText('Se crean 2 clases.')).toBeVisible()
  await publishing.getByRole('button', { name: 'Publicar 2 cambios' }).focus()
  await keys.press('Enter')
  await expect(page.getByText('Cambios publicados.')).toBeVisible()

  const copy = block(page, 'Yin', '22:30')
  await copy.focus()
  await keys.press('x')
  await expect(page.getByText('1 clase seleccionada')).toBeVisible()
  await accessible(page)
  await keys.press('Delete')
  const deleting = page.getByRole('dialog', { name: 'Eliminar la clase' })
  await expect(deleting.getByText('Se elimina 1 clase.')).toBeVisible()
  await accessible(page)
  await deleting.getByRole('button', { name: 'Sí, eliminar' }).focus()
  await keys.press('Enter')
  await expect(page.getByText('Clase eliminada.')).toBeVisible()
  await expect(copy).toHaveCount(0)
})

test('a class is dragged to another day, copied with Alt, and dragged to another coach (L2)', async ({ page, isMobile }) => {
  // Nothing is dragged on a phone.
  if (isMobile) return
  const monday = mondayOf(ahead(126))
  await classOn(page.request, { day: monday, hour: '21:00' })
  await enter(page, await planner(page.request), `/admin/horario?semana=${monday}&dia=${monday}`)
  const cls = block(page, 'Yin', '21:00')
  await expect(cls).toBeVisible()
  await expect(cls).toHaveAttribute('draggable', 'true')
  const column = (at: number) => page.locator(`[data-column="${addDays(monday, at)}"]`)
  await cls.dragTo(column(2), { sourcePosition: { x: 10, y: 4 }, targetPosition: { x: 20, y: 40 } })
  await expect(page.getByText(/^Yin, mié .*Falta publicarlo\./)).toBeVisible()
  await expect(column(2).locator('button[data-class]', { hasText: 'Con cambios' })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  await expect(column(0).locator('button[data-class]', { hasText: '21:00' })).toBeVisible()

  await viewOf(page, 'Coach').click()
  const cell = (name: string, day: number) => page.getByRole('row', { name: new RegExp(`^${name}`) }).locator(`[data-col="${day}"]`)
  await cell('Lucía', 0).locator('button[data-class]', { hasText: '21:00' }).dragTo(cell('Mariana', 3))
  await expect(page.getByText(/^Yin, jue .*21:00, con Mariana\./)).toBeVisible()
  await expect(cell('Mariana', 3).locator('button[data-class]', { hasText: '21:00' })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
})

test('selected classes get another hour together, and are cancelled together after their message was shown (L4, B1)', async ({
  page,
  isMobile,
}) => {
  const day = addDays(mondayOf(ahead(112)), isMobile ? 1 : 4)
  const [first = 0] = await classOn(page.request, { day, hour: '20:10' })
  await classOn(page.request, { day, hour: '21:20' })
  const person = await customer(page.request, 'Olga', 2)
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/admin/class_reservations', { customer_id: person.customer_id, single_class_id: first })
  await enter(page, await planner(page.request), `/admin/horario?semana=${mondayOf(day)}&dia=${day}`)
  const dayOf = isMobile ? page : page.locator(`[data-column="${day}"]`)
  const own = (hour: string) => dayOf.locator('button[data-class]', { hasText: hour }).filter({ hasText: 'Yin' }).first()
  await select(page, isMobile)
  await own('20:10').click()
  await own('21:20').click()
  const bar = page.getByRole('region', { name: 'Selección' })
  await expect(bar.getByText('2 clases seleccionadas')).toBeVisible()
  await bar.getByRole('button', { name: 'Cambiar' }).click()
  await accessible(page)
  await page.getByRole('menuitem', { name: 'Hora' }).click()
  const hours = page.getByRole('dialog', { name: 'Cambiar la hora: 2 clases' })
  await hours.getByLabel('Minutos').fill('20')
  await accessible(page)
  await hours.getByRole('button', { name: 'Cambiar' }).click()
  await expect(page.getByText('2 clases: 20 min más tarde. Falta publicarlo.', { exact: false })).toBeVisible()
  await expect(own('20:30')).toContainText('Con cambios')
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  await expect(own('20:10')).not.toContainText('Con cambios')

  // The same two by their filter, over more than this week.
  await page.getByRole('button', { name: 'Todas las que…' }).click()
  const finding = page.getByRole('dialog', { name: 'Seleccionar clases' })
  await finding.getByLabel('Desde el día').fill(day)
  await finding.getByLabel('Hasta el día').fill(day)
  await finding.getByLabel('De qué coach').selectOption({ label: 'Lucía' })
  await finding.getByLabel('Empiezan desde las').fill('20:10')
  await finding.getByLabel('Empiezan hasta las').fill('21:20')
  await expect(finding.getByText(/^2 clases, de .*20:10 a .*21:20; 1 lugar reservado\.$/)).toBeVisible()
  await accessible(page)
  await finding.getByRole('button', { name: 'Seleccionar 2 clases' }).click()
  await expect(bar.getByText('2 clases seleccionadas')).toBeVisible()
  await bar.getByRole('button', { name: 'Cambiar' }).click()
  await page.getByRole('menuitem', { name: 'Cancelar' }).click()
  const cancelling = page.getByRole('dialog', { name: 'Cancelar 2 clases' })
  await expect(cancelling.getByText('Se cancelan 2 clases.')).toBeVisible()
  await cancelling.getByText('Qué le llega a Olga').click()
  await expect(cancelling.getByText(/^Se canceló Yin/)).toBeVisible()
  await cancelling.getByLabel('Motivo').fill('Sin luz en la colonia')
  await accessible(page)
  await cancelling.getByRole('button', { name: 'Sí, cancelar' }).click()
  await expect(page.getByText('Se cancelaron 2 clases. Ya se avisó a 1 persona;')).toBeVisible()
  await expect(own('20:10')).toContainText('Cancelada')
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
})

test('free hours are marked with the keyboard and with the pointer, a class is typed in the palette, and a rectangle selects', async ({
  page,
  isMobile,
}) => {
  // A phone has neither; its list creates with the panel.
  if (isMobile) return
  const monday = mondayOf(ahead(168))
  const day = addDays(monday, 2)
  await classOn(page.request, { day, hour: '10:00' })
  await enter(page, await planner(page.request), `/admin/horario?semana=${monday}&dia=${day}`)
  const column = page.locator(`[data-column="${day}"]`)
  await expect(column.locator('button[data-class]', { hasText: '10:00' })).toBeVisible()
  const form = page.getByRole('dialog', { name: 'Nueva clase' })
  await page.getByRole('heading', { level: 1 }).click()
  await page.keyboard.press('h')
  const bar = page.getByRole('region', { name: 'Horas libres' })
  await expect(bar.getByRole('button', { name: 'Crear aquí' })).toBeFocused()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect(bar.getByText(/^jue .*18:15 – 19:30$/)).toBeVisible()
  await accessible(page)
  await page.keyboard.press('Enter')
  await expect(form.getByLabel('Hora')).toHaveValue('18:15')
  await expect(form.getByLabel('Fecha')).toHaveValue(addDays(monday, 3))
  await expect(form.getByLabel('Duración')).toHaveValue('75')
  await expect(form.getByText('Termina a las 19:30.')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()

  // The hour of the class is drawn and the column has room below it: from its lower half an hour down, beside no class.
  const free = page.locator(`[data-column="${addDays(monday, 4)}"]`)
  const box = await free.boundingBox()
  if (!box) throw new Error('no column')
  await page.mouse.move(box.x + 30, box.y + 4)
  await page.mouse.down()
  await page.mouse.move(box.x + 30, box.y + 20, { steps: 3 })
  await page.mouse.move(box.x + 30, box.y + 40, { steps: 3 })
  await page.mouse.up()
  await expect(form.getByLabel('Fecha')).toHaveValue(addDays(monday, 4))
  await expect(form.getByLabel('Duración')).toHaveValue('30')
  await page.keyboard.press('Escape')
  await expect(form).toBeHidden()

  await page.getByRole('button', { name: 'Seleccionar' }).click()
  await column.scrollIntoViewIfNeeded()
  const area = await column.boundingBox()
  if (!area) throw new Error('no column')
  await page.mouse.move(box.x + box.width - 4, area.y + 2)
  await page.mouse.down()
  await page.mouse.move(area.x + 10, area.y + 60, { steps: 6 })
  await page.mouse.up()
  await expect(page.getByRole('region', { name: 'Selección' }).getByText(/clases? seleccionadas?/)).toBeVisible()

  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: /^Buscar clientes/ }).fill('yin mié 22:10 lucía san ángel 40 min')
  await page.getByRole('option', { name: /^Nueva clase: Yin, mié .*22:10/ }).click()
  await expect(form.getByLabel('Hora')).toHaveValue('22:10')
  await expect(form.getByLabel('Duración')).toHaveValue('40')
  await expect(form.getByLabel('Tipo de clase').locator('option:checked')).toHaveText('Yin')
  await expect(form.getByLabel('Estudio').locator('option:checked')).toHaveText('San Ángel')
  await expect(form.getByLabel('Coach').first().locator('option:checked')).toHaveText('Lucía')
  await accessible(page)
})
