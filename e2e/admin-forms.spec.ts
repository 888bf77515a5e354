/** Formularios: a form is built field by field, with a condition that its preview obeys (S2-5.26, S2-5.33). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a form is built with a condition and steps, previewed, stored and removed', async ({ page }) => {
  const name = `Salud ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/contenido/formularios')
  await accessible(page)
  await page.getByRole('link', { name: 'Nuevo formulario' }).click()
  await page.getByRole('textbox', { name: 'Nombre' }).fill(name)
  const panel = page.getByRole('dialog')
  await page.getByRole('button', { name: 'Agregar campo' }).click()
  await panel.getByRole('textbox', { name: 'Pregunta' }).fill('Lesión')
  await panel.getByRole('combobox', { name: 'Tipo de respuesta' }).selectOption('boolean')
  await accessible(page)
  await panel.getByRole('button', { name: 'Listo' }).click()
  await page.getByRole('button', { name: 'Agregar campo' }).click()
  await panel.getByRole('textbox', { name: 'Pregunta' }).fill('¿Cuál?')
  await panel.getByRole('combobox', { name: 'Cuándo se muestra' }).selectOption('lesion')
  await panel.getByRole('combobox', { name: 'Con qué respuesta' }).selectOption('true')
  await panel.getByRole('button', { name: 'Listo' }).click()
  await expect(page.getByText('Texto corto · Paso 1 · Solo si Lesión = Sí')).toBeVisible()
  const preview = page.getByRole('region', { name: 'Como lo ve el cliente' })
  await expect(preview.getByText('¿Cuál?')).toHaveCount(0)
  await preview.getByRole('checkbox', { name: /Lesión/ }).check({ force: true })
  await expect(preview.getByRole('textbox', { name: /¿Cuál\?/ })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/admin/contenido/formularios')
  const row = page.getByRole('link', { name: new RegExp(name) })
  await expect(row).toContainText('2 campos')
  await row.click()
  await expect(page.getByText('Sin cambios.')).toBeVisible()
  await page.getByRole('button', { name: 'Eliminar', exact: true }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page).toHaveURL('/admin/contenido/formularios')
  await expect(row).toHaveCount(0)
})

test('the address form lists its fixed fields and cannot be removed (F5)', async ({ page }) => {
  await enter(page, OWNER, '/admin/contenido/formularios/6')
  await expect(page.getByText(/Ciudad, estado y país se quedan/)).toBeVisible()
  await expect(page.getByRole('button', { name: 'Eliminar', exact: true })).toHaveCount(0)
  await accessible(page)
})

test('saving a form over a newer version shows both versions to choose from (S2-5.26)', async ({ page, request }) => {
  const owner = await staff(request, 'owner')
  const field = {
    key: 'meta',
    label: 'Meta',
    type: 'text',
    required: false,
    step: 1,
    order: 0,
    options: [],
    precondition: null,
    health: false,
  }
  const name = `Metas ${randomUUID().slice(0, 6)}`
  const { form } = await owner<{ form: { form_id: number } }>('POST', '/forms', { name, form_fields: [field] })
  await enter(page, OWNER, `/admin/contenido/formularios/${form.form_id}`)
  await page.getByRole('textbox', { name: 'Nombre' }).fill(`${name} mío`)
  await owner('PUT', '/forms', { form_id: form.form_id, form_fields: [{ ...field, required: true }] })
  await page.getByRole('button', { name: 'Guardar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alguien más cambió este formulario' })
  await expect(dialog).toContainText(/cambió esto hace \d+ min/)
  await expect(dialog).toContainText(`La tuya ${name} mío`)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(`${name} mío`)
  // What only the other person changed stays.
  await expect(page.getByText('Texto corto · Paso 1 · Obligatorio', { exact: true })).toBeVisible()
  await owner('DELETE', `/forms/${form.form_id}`)
})
