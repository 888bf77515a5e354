/** Plantillas: a week is saved under a name, compared with other weeks, applied to them and removed (L20, L21). */
import { randomUUID } from 'node:crypto'
import { addDays, mondayOf } from '#contract/time.ts'
import { accessible } from './axe.ts'
import { ahead, classOn, enter, planner, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a week is saved as a template and applied to another one after a comparison (L20, L21)', async ({ page, isMobile }) => {
  // Far from the weeks of the demo and of other specs; each project has its own.
  const week = mondayOf(ahead(isMobile ? 329 : 343))
  const name = `Semana ${randomUUID().slice(0, 6)}`
  await classOn(page.request, { day: week, hour: '19:00' })
  await classOn(page.request, { day: addDays(week, 2), hour: '20:00' })
  await enter(page, await planner(page.request), `/admin/horario/plantillas?semana=${week}`)
  const saving = page.getByRole('dialog', { name: 'Guardar una semana' })
  await saving.getByLabel('Nombre').fill(name)
  await accessible(page)
  await saving.getByRole('button', { name: 'Guardar' }).click()
  const card = page.getByRole('region', { name })
  await expect(card.getByText('2 clases a la semana')).toBeVisible()
  await expect(card.getByText('19:00 Yin')).toBeVisible()
  await accessible(page)
  await card.getByRole('button', { name: `Aplicar ${name}` }).click()
  const applying = page.getByRole('dialog', { name: `Aplicar ${name}` })
  await applying.getByLabel('De la semana del').fill(week)
  await applying.getByLabel('A la semana del').fill(addDays(week, 1))
  await expect(applying.getByText('No se agrega ninguna clase. 2 ya están igual.')).toBeVisible()
  await applying.getByLabel('De la semana del').fill(addDays(week, 28))
  await applying.getByLabel('A la semana del').fill(addDays(week, 28))
  await expect(applying.getByText('Se agregan 2 clases.')).toBeVisible()
  await accessible(page)
  await applying.getByRole('button', { name: 'Agregar sin publicar' }).click()
  await expect(page.getByText('Se agregaron 2 clases. Falta publicar.')).toBeVisible()
  await card.getByRole('button', { name: `Cambiar ${name}` }).click()
  await page.getByRole('dialog', { name }).getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByText('Plantilla eliminada.')).toBeVisible()
  await expect(card).toHaveCount(0)
  await page.goto(`/admin/horario?semana=${addDays(week, 28)}&dia=${addDays(week, 28)}`)
  await expect(page.locator('button[data-class]').filter({ hasText: '19:00' })).toContainText('Sin publicar')
})

test('who renames a template that another person renamed sees both names, and keeps their own', async ({ page, isMobile }) => {
  const owner = await staff(page.request, 'owner')
  const from_week = mondayOf(ahead(isMobile ? 385 : 399))
  const name = `Verano ${randomUUID().slice(0, 6)}`
  await classOn(page.request, { day: from_week, hour: '19:00' })
  const { template } = await owner<{ template: { schedule_template_id: number } }>('POST', '/admin/schedule_templates', { name, from_week })
  await enter(page, OWNER, '/admin/horario/plantillas')
  await page.getByRole('button', { name: `Cambiar ${name}` }).click()
  const dialog = page.getByRole('dialog', { name, exact: true })
  await dialog.getByLabel('Nombre').fill(`${name} largo`)
  await owner('PUT', `/admin/schedule_templates/${template.schedule_template_id}`, { name: `${name} corto` })
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  const both = page.getByRole('dialog', { name: 'Alguien más cambió esta plantilla' })
  await expect(both.getByText(`La suya ${name} corto`)).toBeVisible()
  await expect(both.getByText(`La tuya ${name} largo`)).toBeVisible()
  await accessible(page)
  await both.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByRole('region', { name: `${name} largo` })).toBeVisible()
  await owner('DELETE', `/admin/schedule_templates/${template.schedule_template_id}`)
})
