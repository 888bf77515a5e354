/** Reportes: the index by question, a report with its filters, definitions, chart and file, and the rights for each (RE1 to RE26). */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { classChangePath } from '../contract/admin-paths.ts'
import { REPORT_KEYS } from '../contract/copy/reports.ts'
import type { PlannedClass } from '../contract/studio-schedule.ts'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const DESK = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

test('the index answers questions, each report with its figure, by keyboard too (RE8)', async ({ page }) => {
  await enter(page, OWNER, '/admin/reportes')
  await expect(page.getByRole('heading', { level: 1, name: 'Reportes' })).toBeVisible()
  for (const question of [
    '¿Cómo vamos?',
    '¿Qué clases llenan?',
    '¿Quién llega y quién se va?',
    '¿Cuánto debo y me deben?',
    '¿Cuánto le pago a cada coach?',
    '¿Qué opinan?',
  ])
    await expect(page.getByRole('heading', { level: 2, name: question })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Ingresos cobrados.*\$[\d,]+\.\d\d/ })).toBeVisible()
  await accessible(page)
  await page.getByText('Semana', { exact: true }).click()
  await expect(page).toHaveURL(/periodo=semana/)
  const link = page.getByRole('link', { name: /^Ventas/ }).last()
  await link.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Ventas' })).toBeVisible()
  await expect(page).toHaveURL(/\/admin\/reportes\/ventas/)
})

test('a report says what happened, how it is counted, and is grouped, charted and exported (RE3, RE5, RE6, RE9)', async ({ page }) => {
  await enter(page, OWNER, '/admin/reportes/ventas')
  await expect(page.getByRole('region', { name: 'Lo más importante' })).toContainText(/Vendiste \$[\d,]+\.\d\d en \d+ compra/)
  await accessible(page)
  // The definition of a figure is one press away, at the figure.
  await page.getByText('¿Cómo se calcula? Compras', { exact: true }).click()
  await expect(page.getByText(/por su día de venta, aunque después se hayan devuelto/).first()).toBeVisible()
  // Arrow keys go from column to column of the chart, and the same numbers are a table.
  const columns = page.locator('.report-columns button')
  await columns.first().focus()
  await page.keyboard.press('ArrowRight')
  await expect(columns.nth(1)).toBeFocused()
  await page.keyboard.press('End')
  await expect(columns.last()).toBeFocused()
  await page.getByText('Ver como tabla').first().click()
  await expect(page.getByRole('table', { name: /^Vendido/ }).first()).toBeVisible()
  // Another group is in the address, and stays after a reload.
  await page.getByRole('combobox', { name: 'Por paquete' }).selectOption({ label: 'Por código' })
  await expect(page).toHaveURL(/por=code/)
  await expect(page.getByRole('heading', { name: 'Vendido por código' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Vendido por código' })).toBeVisible()
  await accessible(page)
  const download = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Exportar' }).click()
  await page.getByRole('menuitem', { name: /CSV/ }).click()
  const file = await download
  expect(file.suggestedFilename()).toMatch(/^reporte-ventas-.*\.csv$/)
  expect(await readFile(await file.path(), 'utf8')).toContain('Descuentos')
})

test('a report of people counts only those of a segment, in the address and in its file (RE33)', async ({ page, request }) => {
  const id = randomUUID().slice(0, 6)
  const owner = await staff(request, 'owner')
  await owner('POST', '/segments', { name: `Nadie ${id}`, filter: { query: `nadie ${id}` } })
  await enter(page, OWNER, '/admin/reportes/valor?por=person')
  const rows = page.locator('.data-table .row-link')
  await expect(page.getByRole('heading', { name: /Persona por persona/ })).toBeVisible()
  await expect(rows).not.toHaveCount(0)
  await page.getByRole('combobox', { name: 'Segmento' }).selectOption({ label: `Nadie ${id}` })
  await expect(page).toHaveURL(/segmento=\d+/)
  await expect(page.getByText(`Solo cuentan las personas que están ahora en “Nadie ${id}”, sea cual sea el periodo.`)).toBeVisible()
  await expect(rows).toHaveCount(0)
  await accessible(page)
  await page.reload()
  await expect(page.getByText(`Solo cuentan las personas que están ahora en “Nadie ${id}”, sea cual sea el periodo.`)).toBeVisible()
  await page.getByRole('combobox', { name: 'Segmento' }).selectOption({ label: 'Todas las personas' })
  await expect(rows).not.toHaveCount(0)
  await page.goto('/admin/reportes/ventas')
  await expect(page.getByRole('heading', { level: 1, name: 'Ventas' })).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Segmento' })).toHaveCount(0)
})

test('a row opens what it counts, and a choice limits the rows (RE3)', async ({ page }) => {
  await enter(page, OWNER, '/admin/reportes/asistencia?por=class')
  await page
    .getByRole('link', { name: /\d\d:\d\d/ })
    .first()
    .click()
  await expect(page).toHaveURL(/\/admin\/clases\/\d+/)
  await page.goto('/admin/reportes/clientes?por=person')
  await expect(page.getByRole('heading', { name: /Persona por persona/ })).toBeVisible()
  await page.getByRole('combobox', { name: 'Renglones' }).selectOption({ label: 'Nuevas' })
  await expect(page).toHaveURL(/solo=nuevas/)
  await accessible(page)
})

test('every report opens, and axe finds nothing', async ({ page }) => {
  test.setTimeout(240_000)
  await enter(page, OWNER, '/admin/reportes')
  for (const key of REPORT_KEYS) {
    await page.goto(`/admin/reportes/${key}`)
    await expect(page.getByRole('region', { name: 'Cifras' }), key).toBeVisible()
    await accessible(page)
  }
})

test('reception sees no money, and a report that does not exist says so (RE1)', async ({ page }) => {
  await enter(page, DESK, '/admin/reportes')
  await expect(page.getByRole('link', { name: /^Asistencia/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^Ingresos cobrados/ })).toHaveCount(0)
  await page.goto('/admin/reportes/nada')
  await expect(page.getByText('Este reporte no existe.')).toBeVisible()
})

test('an hour of Ocupación says when it fills, by keyboard; the change of a class that a report proposes is filled in, and nothing is saved (RE7)', async ({
  page,
  request,
}) => {
  await enter(page, OWNER, '/admin/reportes/ocupacion')
  const cell = page.locator('.heat-cell').first()
  await cell.focus()
  await page.keyboard.press('Enter')
  await expect(cell).toHaveAttribute('aria-pressed', 'true')
  await expect(page.locator('.heat-detail dl > div').filter({ hasText: 'Se llena' })).toHaveText(
    /^Se llena(No se ha llenado|Al empezar|.* antes)/,
  )
  // The bars say the change as a number, and so does their table.
  const types = page.getByRole('region', { name: 'Por tipo de clase' })
  await expect(types.locator('.report-bar-change').first()).toHaveText(/^([+−]\d+|=|)$/)
  await types.getByText('Ver como tabla').click()
  await expect(types.getByRole('columnheader', { name: 'cambio' })).toBeVisible()
  await accessible(page)

  const owner = await staff(request, 'owner')
  const { made_at } = await owner<{ made_at: string }>('GET', '/admin/reports')
  const day = (days: number) => new Date(Date.parse(made_at) + days * 86_400_000).toISOString().slice(0, 10)
  const { days } = await owner<{ days: { classes: PlannedClass[] }[] }>('GET', `/admin/schedule?start_date=${day(2)}&end_date=${day(9)}`)
  const coming = days.flatMap(({ classes }) => classes).find(({ state }) => state === 'published')
  if (!coming?.single_class_id) throw new Error('No class in the coming days.')
  const path = classChangePath(coming.single_class_id, coming.class_date.slice(0, 10), { hour: '21:35' })
  await page.goto(path)
  const panel = page.getByRole('dialog', { name: coming.class_type.name })
  await expect(panel.getByText('Propuesta: pasarla a las 21:35. Nada cambia hasta que guardes.')).toBeVisible()
  const hour = panel.getByLabel('Hora', { exact: true })
  await expect(hour).toHaveValue('21:35')
  await expect(hour).toBeFocused()
  await accessible(page)
  await panel.getByRole('button', { name: 'Cerrar' }).click()
  await expect(page).not.toHaveURL(/hora=|hacer=/)
})
