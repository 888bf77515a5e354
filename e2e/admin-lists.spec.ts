/** What the lists of the administration share: files of what is filtered, selection over pages, changes to many, saved views, keys. */
import { randomUUID } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, showFilters, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }

test('a list is exported as it is filtered, and the Bitácora says who did it (LA1, LA2)', async ({ page, request }) => {
  const name = `Xime${randomUUID().slice(0, 8)}`
  await customer(request, name, 2)
  await enter(page, MANAGER, `/admin/clientes?q=${name}`)
  await expect(page.locator('tr, li').filter({ hasText: name })).toBeVisible()
  await showFilters(page)
  await page.getByRole('button', { name: 'Exportar' }).click()
  await accessible(page)
  const downloading = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'CSV' }).click()
  const file = await downloading
  expect(file.suggestedFilename()).toMatch(/^clientes-\d{4}-\d\d-\d\d\.csv$/)
  const rows = (await readFile(await file.path(), 'utf8')).trimEnd().split('\r\n')
  expect(rows).toHaveLength(2)
  expect(rows[1]).toContain(name)
  await page.goto('/admin/ajustes/bitacora?que=export')
  const entries = page.locator('tr, li').filter({ hasText: 'exportó Clientes' })
  await expect(entries.first()).toBeVisible()
  await entries.first().getByRole('button').click()
  await expect(page.getByRole('dialog')).toContainText('Búsqueda')
  await accessible(page)
})

test('rows are selected with checkbox and keyboard, changed by a job after a dry run, and undone (LA4, LA7)', async ({ page, request }) => {
  const name = `Yuri${randomUUID().slice(0, 8)}`
  for (const end of ['a', 'b', 'c']) await customer(request, `${name}${end}`, 1)
  await enter(page, MANAGER, `/admin/clientes?q=${name}`)
  const rows = page.locator('tbody tr, .table-cards > li').filter({ hasText: name })
  await expect(rows).toHaveCount(3)
  await page.getByRole('checkbox', { name: new RegExp(`Seleccionar: ${name}a`) }).click()
  const bar = page.getByRole('region', { name: 'Selección' })
  await expect(bar).toContainText('1 cliente seleccionado')
  // Clicking a checkbox with Shift selects the rows between.
  await page.getByRole('checkbox', { name: new RegExp(`Seleccionar: ${name}c`) }).click({ modifiers: ['Shift'] })
  await expect(bar).toContainText('3 clientes seleccionados')
  const second = rows.filter({ hasText: `${name}b` })
  await second.getByRole('link', { name: new RegExp(`${name}b`) }).focus()
  await page.keyboard.press('x')
  await expect(bar).toContainText('2 clientes seleccionados')
  await accessible(page)
  await bar.getByRole('button', { name: 'Seleccionar los 3' }).click()
  await expect(bar).toContainText('3 clientes seleccionados')
  await bar.getByRole('button', { name: 'Cambiar' }).click()
  await page.getByRole('menuitem', { name: 'Extender vencimiento' }).click()
  const dialog = page.getByRole('dialog', { name: 'Extender vencimiento' })
  await dialog.getByLabel('Días de más').fill('5')
  await expect(dialog.getByText('Cambian 3 de 3.')).toBeVisible()
  await dialog.getByLabel('Motivo').fill('Obra en la calle')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Cambiar a 3 clientes' }).click()
  const job = page.getByRole('dialog', { name: 'Extender el vencimiento 5 días' })
  await expect(job.getByText('3 clientes cambiaron.')).toBeVisible({ timeout: 20_000 })
  await accessible(page)
  await page.reload()
  await expect(job.getByText('3 clientes cambiaron.')).toBeVisible()
  await job.getByRole('button', { name: 'Deshacer' }).click()
  await expect(job.getByText('Deshecho.')).toBeVisible({ timeout: 20_000 })
  await job.getByRole('button', { name: 'Listo' }).click()
  await expect(job).toBeHidden()
  await expect(rows).toHaveCount(3)
})

test('reservations are selected and cancelled together after a dry run, and booked again (LA4, LA7)', async ({
  page,
  request,
  isMobile,
}) => {
  const name = `Zoe${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 3)
  const reception = await staff(request, 'reception')
  const [single_class_id] = await classOn(request, { day: ahead(3), hour: isMobile ? '05:50' : '05:20' })
  await reception('POST', '/admin/class_reservations', { customer_id, single_class_id })
  await enter(page, RECEPTION, `/admin/reservaciones?q=${name}`)
  await page.getByRole('checkbox', { name: new RegExp(`Seleccionar: ${name}`) }).click()
  const bar = page.getByRole('region', { name: 'Selección' })
  await expect(bar).toContainText('1 reservación seleccionada')
  await bar.getByRole('button', { name: 'Cambiar' }).click()
  await page.getByRole('menuitem', { name: 'Cancelar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancelar reservaciones' })
  await expect(dialog.getByText('Cambian 1 de 1.')).toBeVisible()
  await dialog.getByLabel('Motivo').fill('Obra en la calle')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Cambiar 1 reservación' }).click()
  const job = page.getByRole('dialog', { name: 'Cancelar y regresar el crédito' })
  await expect(job.getByText('1 reservación cambió.')).toBeVisible({ timeout: 20_000 })
  await job.getByRole('button', { name: 'Deshacer' }).click()
  await expect(job.getByText('Deshecho.')).toBeVisible({ timeout: 20_000 })
  await job.getByRole('button', { name: 'Listo' }).click()
  await expect(page.getByRole('checkbox', { name: new RegExp(`Seleccionar: ${name}`) })).toHaveCount(2)
})

test('all reservations that match are selected and cancelled together, and the selected customers are written to (LA4)', async ({
  page,
  request,
  isMobile,
}) => {
  const name = `Wilma${randomUUID().slice(0, 8)}`
  const reception = await staff(request, 'reception')
  const [single_class_id] = await classOn(request, { day: ahead(4), hour: isMobile ? '05:55' : '05:25' })
  for (const end of ['a', 'b', 'c']) {
    const { customer_id } = await customer(request, `${name}${end}`, 2)
    await reception('POST', '/admin/class_reservations', { customer_id, single_class_id })
  }
  await enter(page, MANAGER, `/admin/reservaciones?q=${name}`)
  await page.getByRole('checkbox', { name: new RegExp(`Seleccionar: ${name}a`) }).click()
  const bar = page.getByRole('region', { name: 'Selección' })
  await bar.getByRole('button', { name: 'Seleccionar todas las que coinciden' }).click()
  await expect(bar).toContainText('3 reservaciones seleccionadas')
  await accessible(page)
  await bar.getByRole('button', { name: 'Cambiar' }).click()
  await page.getByRole('menuitem', { name: 'Cancelar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancelar reservaciones' })
  await expect(dialog.getByText('Cambian 3 de 3.')).toBeVisible()
  await dialog.getByLabel('Motivo').fill('Obra en la calle')
  await dialog.getByRole('button', { name: 'Cambiar 3 reservaciones' }).click()
  const job = page.getByRole('dialog', { name: 'Cancelar y regresar el crédito' })
  await expect(job.getByText('3 reservaciones cambiaron.')).toBeVisible({ timeout: 20_000 })
  await job.getByRole('button', { name: 'Listo' }).click()

  await page.goto(`/admin/clientes?q=${name}`)
  await page.getByRole('checkbox', { name: new RegExp(`Seleccionar: ${name}a`) }).click()
  await bar.getByRole('button', { name: 'Seleccionar los 3' }).click()
  await bar.getByRole('button', { name: 'Cambiar' }).click()
  await page.getByRole('menuitem', { name: 'Enviar mensaje' }).click()
  await expect(page.getByRole('heading', { name: 'Mensaje nuevo' })).toBeVisible()
  await expect(page.getByText('3 personas, como estaban en la lista.')).toBeVisible()
  await expect(page.getByRole('region', { name: 'A quiénes llega' })).toContainText('de 3')
  await accessible(page)
  await page.reload()
  await expect(page.getByText('3 personas, como estaban en la lista.')).toBeVisible()
})

test('a filter that is chosen at the moment in which a typed search reaches the address loses neither (LA1)', async ({ page }) => {
  await enter(page, RECEPTION, '/admin/mensajes')
  await showFilters(page)
  // Between the change of the address and the next rendering: React's state does not have the search yet.
  await page.getByLabel('Estado').evaluate((select: HTMLSelectElement) => {
    const replace = history.replaceState.bind(history)
    history.replaceState = (...change) => {
      replace(...change)
      history.replaceState = replace
      queueMicrotask(() => {
        select.value = 'failed'
        select.dispatchEvent(new Event('change', { bubbles: true }))
      })
    }
  })
  await page.getByRole('searchbox', { name: 'Nombre, correo o teléfono' }).fill('ofelia')
  await expect(page).toHaveURL(/estado=failed/)
  await expect(page).toHaveURL(/q=ofelia/)
})

test('a filter is saved as a view of the person, opened from another list of filters, and removed (LA8)', async ({ page, request }, {
  project,
}) => {
  const name = `Wendy${randomUUID().slice(0, 8)}`
  await customer(request, name, 1)
  // Views belong to a person, and both projects run at once.
  await enter(page, project.name === 'phone' ? RECEPTION : MANAGER, `/admin/clientes?q=${name}&cuenta=si`)
  await expect(page.getByText('Nada coincide con tu búsqueda.').or(page.locator('tr, li').filter({ hasText: name }))).toBeVisible()
  const views = page.getByRole('button', { name: 'Vistas' })
  await showFilters(page)
  await views.click()
  await page.getByRole('menuitem', { name: /^Guardar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Vistas' })
  await dialog.getByLabel('Nombre de la vista').fill(name)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar vista' }).click()
  await expect(dialog).toBeHidden()
  await page.goto('/admin/clientes?estado=lost')
  await showFilters(page)
  await views.click()
  await page.getByRole('menuitem', { name }).click()
  await expect(page).toHaveURL(new RegExp(`q=${name}`))
  await expect(page).toHaveURL(/cuenta=si/)
  await expect(page).not.toHaveURL(/estado=/)
  await expect(page.getByRole('searchbox', { name: 'Nombre, teléfono o correo' })).toHaveValue(name)
  await views.click()
  await page.getByRole('menuitem', { name: /^Guardar/ }).click()
  await dialog.getByRole('button', { name: `Quitar ${name}` }).click()
  await expect(dialog.getByText(name)).toBeHidden()
})

test('a view for the team is saved with its tick, and offered to colleagues with who saved it (LA8)', async ({ page, request }) => {
  const name = `Equipo ${randomUUID().slice(0, 8)}`
  const reception = await staff(request, 'reception')
  await enter(page, { email: 'monica@vaiven.example', password: 'vaiven-duena' }, '/admin/reservaciones?q=ana')
  await showFilters(page)
  await page.getByRole('button', { name: 'Vistas' }).click()
  await page.getByRole('menuitem', { name: /^Guardar/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Vistas' })
  await dialog.getByLabel('Nombre de la vista').fill(name)
  await dialog.getByLabel(/^Para todo el equipo/).check()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar vista' }).click()
  await expect(dialog).toBeHidden()
  const me = await reception<{ shared_views: { name: string; filter: string }[] }>('GET', '/admin/me')
  expect(me.shared_views).toContainEqual(expect.objectContaining({ name, filter: 'q=ana', list: 'reservaciones' }))

  const other = `Otra ${name}`
  await reception('PUT', '/admin/me', { preferences: { 'reservaciones.vistas': [{ nombre: other, filtro: 'q=eva', equipo: true }] } })
  await page.goto('/admin/reservaciones')
  await showFilters(page)
  await page.getByRole('button', { name: 'Vistas' }).click()
  await page.getByRole('menuitem', { name: new RegExp(`^${other} de `) }).click()
  await expect(page).toHaveURL(/q=eva/)
})

test('n adds, j reaches a row and e edits it on the lists of records', async ({ page }) => {
  await enter(page, { email: 'monica@vaiven.example', password: 'vaiven-duena' }, '/admin/catalogo/tipos')
  const rows = page.locator('.catalogue-row')
  await expect(rows.first()).toBeVisible()
  await page.keyboard.press('n')
  const added = page.getByRole('dialog', { name: 'Nuevo tipo de clase' })
  await expect(added).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(added).toBeHidden()
  await page.keyboard.press('j')
  await expect.poll(() => page.evaluate(() => document.activeElement?.matches('.catalogue-row'))).toBe(true)
  await page.keyboard.press('e')
  await expect(page.getByRole('dialog', { name: 'Tipo de clase', exact: true })).toBeVisible()
})
