/**
 * Clases y coaches: every plain list opens, a record is created, changed and removed, and refusals have a reason (S1-8.51, S1-8.52,
 * S2-8.14, S2-8.15).
 */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a class type is created, changed and removed; one in use says by what', async ({ page }) => {
  const name = `Aéreo ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/catalogo/tipos')
  await expect(page.getByRole('heading', { level: 1, name: 'Tipos de clase' })).toBeVisible()
  await expect(page.getByRole('button', { name: /^Ciclo/ })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Nuevo tipo de clase' }).click()
  const panel = page.getByRole('dialog', { name: 'Nuevo tipo de clase' })
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(panel.getByText('Debes llenar este campo.')).toBeVisible()
  await panel.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await panel.getByLabel('Duración en minutos').fill('50')
  await panel.getByLabel('Lugares por fila').fill('cinco')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(panel.getByText('Escribe los lugares de cada fila, como 5,7,6.').first()).toBeVisible()
  await accessible(page)
  await panel.getByLabel('Lugares por fila').fill('5,7')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  const row = page.getByRole('button', { name: new RegExp(`^${name}`) })
  await expect(row).toContainText('50 min · 12 lugares en 2 filas')
  await row.click()
  const open = page.getByRole('dialog', { name: 'Tipo de clase' })
  await open.getByLabel('Duración en minutos').fill('55')
  await open.getByRole('button', { name: 'Guardar' }).click()
  await expect(row).toContainText('55 min')
  await row.click()
  await open.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByText('Eliminado.')).toBeVisible()
  await expect(row).toHaveCount(0)

  await page.getByRole('button', { name: /^Ciclo/ }).click()
  await open.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(open.getByText('No se puede eliminar porque está en uso.')).toBeVisible()
  await expect(open.getByText(/^En uso: \d+ /).first()).toBeVisible()
  await expect(open.getByRole('link', { name: /^\d+ clases?$/ }).first()).toHaveAttribute('href', /\/admin\/horario\?tipo=\d+$/)
  await accessible(page)
})

test('a type is copied, ordered with the keyboard, archived and taken back (K14, K15)', async ({ page }) => {
  const name = `Copiado ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/catalogo/tipos')
  await page.getByRole('button', { name: 'Nuevo tipo de clase' }).click()
  const panel = page.getByRole('dialog').first()
  await panel.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await panel.getByRole('button', { name: 'Duplicar' }).click()
  await expect(panel.getByRole('textbox', { name: 'Nombre' })).toHaveValue(`${name} (copia)`)
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  const copy = page.getByRole('listitem').filter({ hasText: `${name} (copia)` })
  const position = async () => Number(/^\d+/.exec((await copy.innerText()).trim())?.[0])
  const before = await position()
  const saved = page.waitForResponse((answer) => answer.url().includes('/class_types/order'))
  await copy.getByRole('button', { name: `Subir ${name} (copia)` }).press('Enter')
  expect((await saved).status()).toBe(200)
  await expect.poll(position).toBe(before - 1)
  await page.reload()
  await expect.poll(position).toBe(before - 1)
  await copy.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await expect(panel.getByText('No se usa en ningún lado.')).toBeVisible()
  await panel.getByRole('button', { name: 'Archivar' }).click()
  await expect(copy).toHaveCount(0)
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  await expect(copy).toHaveCount(1)
  // Another list of the screen reloads slowly after the removal: a record that is opened meanwhile stays open.
  const tasks = Promise.withResolvers<void>()
  await page.route('**/admin/tasks*', (route) => tasks.promise.then(() => route.continue()))
  const open = async (text: string) => {
    await page
      .getByRole('button', { name: new RegExp(text) })
      .first()
      .click()
    // The buttons are drawn anew with what uses the type.
    await expect(panel.getByText('No se usa en ningún lado.')).toBeVisible()
  }
  await open(`^${name} .copia`)
  await panel.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await open(`^${name}`)
  tasks.resolve()
  await expect(page.getByText('Eliminado.')).toBeVisible()
  await panel.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
})

test('saving a record over a newer version names the record and keeps both changes (K19)', async ({ page, request }) => {
  const owner = await staff(request, 'owner')
  const lists = [
    ['tipos', '/class_types', 'Tipo de clase', 'este tipo de clase'],
    ['categorias', '/class_categories', 'Categoría', 'esta categoría'],
    ['formas-de-pago', '/payment_methods', 'Forma de pago', 'esta forma de pago'],
  ] as const
  await enter(page, OWNER, '/admin/catalogo/tipos')
  for (const [slug, path, oneRecord, thisOne] of lists) {
    const name = `Doble ${randomUUID().slice(0, 6)}`
    const answer = await owner<Record<string, Record<string, unknown>>>('POST', path, { name })
    const record = Object.values(answer)[0] ?? {}
    const [key = '', id] = Object.entries(record).find(([key]) => key.endsWith('_id')) ?? []
    await page.goto(`/admin/catalogo/${slug}`)
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    const panel = page.getByRole('dialog', { name: oneRecord, exact: true })
    await panel.getByRole('textbox', { name: 'Nombre' }).fill(`${name} mío`)
    await owner('PUT', path, { [key]: id, name: `${name} suyo` })
    await panel.getByRole('button', { name: 'Guardar' }).click()
    const versions = page.getByRole('dialog', { name: `Alguien más cambió ${thisOne}` })
    await expect(versions.getByRole('definition')).toHaveText([`La suya ${name} suyo`, `La tuya ${name} mío`])
    await accessible(page)
    await versions.getByRole('button', { name: 'Guardar la mía' }).click()
    await expect(page.getByRole('button', { name: new RegExp(`^${name} mío`) })).toBeVisible()
    await owner('DELETE', `${path}/${id}`)
  }
})

test('tags and payment methods confirm in the words of the specification; every list opens (S1-8.51, S1-8.52, S2-8.14, S2-8.15)', async ({
  page,
}) => {
  await enter(page, OWNER, '/admin/catalogo/tipos')
  for (const [title, add, saved, removed] of [
    ['Etiquetas', 'Nueva etiqueta', 'Tag saved.', 'Tag deleted.'],
    ['Formas de pago', 'Nueva forma de pago', 'payment_method saved.', 'payment_method deleted.'],
  ] as const) {
    const name = `Prueba ${randomUUID().slice(0, 6)}`
    await page.getByRole('link', { name: title, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.getByRole('button', { name: add }).click()
    const panel = page.getByRole('dialog', { name: add })
    await panel.getByRole('textbox', { name: 'Nombre' }).fill(name)
    await accessible(page)
    await panel.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByText(saved)).toBeVisible()
    await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
    await page.getByRole('dialog').first().getByRole('button', { name: 'Eliminar' }).click()
    await page.getByRole('button', { name: 'Sí, eliminar' }).click()
    await expect(page.getByText(removed)).toBeVisible()
  }
  // The demo has no categories: the list shows their purpose.
  await page.getByRole('link', { name: 'Categorías', exact: true }).click()
  await expect(page.getByText('Con categorías agrupas tus clases.')).toBeVisible()
  await accessible(page)
  for (const title of ['Coaches', 'Estudios']) {
    await page.getByRole('link', { name: title, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
    await page.locator('button.catalogue-row').first().click()
    await expect(page.getByRole('dialog').first().getByRole('textbox', { name: 'Nombre' })).not.toHaveValue('')
    await accessible(page)
    await page.getByRole('button', { name: 'Cerrar' }).click()
  }
})

test('a discount is created and removed', async ({ page }) => {
  const code = `PRUEBA${randomUUID().slice(0, 6).toUpperCase()}`
  await enter(page, OWNER, '/admin/descuentos')
  await page.getByRole('button', { name: 'Nuevo descuento' }).click()
  const discount = page.getByRole('dialog', { name: 'Nuevo descuento' })
  await discount.getByRole('textbox', { name: 'Código' }).fill(code)
  await discount.getByRole('textbox', { name: 'Cuánto descuenta' }).fill('15')
  await accessible(page)
  await discount.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('button', { name: new RegExp(code) })).toContainText(/15 % · 0 usos$/)
  await expect(discount).toBeHidden()
  await expect(page).not.toHaveURL(/registro=/)
  await page.getByRole('searchbox', { name: 'Buscar un código' }).fill('no-hay-tal')
  await expect(page.getByText('Descuento no encontrado.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Buscar un código' }).fill(code.toLowerCase())
  await page.getByRole('button', { name: new RegExp(code) }).click()
  const opened = page.getByRole('dialog').first()
  await expect(opened.getByText('Nadie lo ha usado.')).toBeVisible()
  await expect(opened.getByText(new RegExp(`/checkout/\\d+\\?codigo=${code}$`))).toBeVisible()
  await expect(opened.getByRole('img', { name: `Código QR del enlace con ${code}` })).toBeVisible()
  await accessible(page)
  await page.getByRole('dialog').first().getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByRole('button', { name: new RegExp(code) })).toHaveCount(0)
})

test('a code is for the people of a segment, which then cannot be removed (D8)', async ({ page, request }) => {
  const id = randomUUID().slice(0, 6).toUpperCase()
  const owner = await staff(request, 'owner')
  await owner('POST', '/segments', { name: `Grupo ${id}`, filter: { query: `nadie ${id}` } })
  await enter(page, OWNER, '/admin/descuentos')
  await page.getByRole('button', { name: 'Nuevo descuento' }).click()
  const discount = page.getByRole('dialog', { name: 'Nuevo descuento' })
  await discount.getByRole('textbox', { name: 'Código' }).fill(`SOLO${id}`)
  await discount.getByRole('textbox', { name: 'Cuánto descuenta' }).fill('15')
  await discount.getByLabel('Para quién').selectOption({ label: `Grupo ${id} (0)` })
  await accessible(page)
  await discount.getByRole('button', { name: 'Guardar' }).click()
  const row = page.getByRole('button', { name: new RegExp(`SOLO${id}`) })
  await expect(row).toContainText('Solo un segmento')
  await row.click()
  await expect(page.getByRole('dialog').first().getByLabel('Para quién').locator('option:checked')).toHaveText(`Grupo ${id} (0)`)
  await page.goto('/admin/clientes/segmentos')
  await page.getByRole('button', { name: new RegExp(`Grupo ${id}`) }).click()
  const segment = page.getByRole('dialog', { name: 'Segmento' })
  await segment.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(segment.getByText('Hay descuentos que son solo para este segmento: cámbialos o elimínalos primero.')).toBeVisible()
})

test('a series of single-use codes is created, downloaded and switched off (D7)', async ({ page }) => {
  const prefix = `SERIE${randomUUID().slice(0, 6).toUpperCase()}`
  await enter(page, OWNER, '/admin/descuentos')
  await page.getByRole('button', { name: 'Nueva serie' }).click()
  const dialog = page.getByRole('dialog', { name: 'Nueva serie de códigos' })
  await dialog.getByLabel('Empiezan con').fill(prefix)
  await dialog.getByLabel('Cuántos').fill('12')
  await dialog.getByLabel('Cuánto descuentan').fill('20')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Crear códigos' }).click()
  await expect(dialog).toBeHidden()
  const row = page.getByRole('region', { name: 'Series de códigos' }).getByRole('listitem').filter({ hasText: prefix })
  await expect(row).toContainText('20 % · 0 de 12 usados')
  const [file] = await Promise.all([page.waitForEvent('download'), row.getByRole('button', { name: 'Descargar códigos' }).click()])
  expect(file.suggestedFilename()).toBe(`codigos-${prefix.toLowerCase()}.csv`)
  await row.getByRole('button', { name: 'Desactivar' }).click()
  await expect(row).toContainText('no se pueden usar')
  await accessible(page)
})
