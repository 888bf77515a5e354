/** Nómina: a rule, an adjustment, an account, approving; the coach's own pay (docs/domain.md, PY1 to PY7). */
import { randomInt, randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
/** A half month long before the demo's classes: nothing is in it but what the test puts there. */
const longAgo = () => `${randomInt(1950, 2015)}-${String(randomInt(1, 13)).padStart(2, '0')}-01`

test('a pay rule with steps is created, changed and removed (PY1, PY2)', async ({ page }) => {
  await enter(page, OWNER, '/admin/nomina/reglas')
  await expect(page.getByRole('heading', { level: 1, name: 'Reglas de pago' })).toBeVisible()
  await page.getByRole('button', { name: 'Nueva regla' }).click()
  const panel = page.getByRole('dialog').first()
  await panel.getByLabel('Coach').selectOption({ index: 1 })
  await panel.getByLabel('Tipo de clase').selectOption({ index: 1 })
  const base = `${randomInt(100, 900)}.${randomInt(10, 99)}`
  await panel.getByRole('textbox', { name: 'Por clase', exact: true }).fill(base)
  await panel.getByRole('button', { name: 'Agregar escalón' }).click()
  await panel.getByLabel('Desde personas').fill('10')
  await panel.getByLabel('Se paga', { exact: true }).fill('50')
  await accessible(page)
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(panel.getByText('Con más personas no se puede pagar menos: revisa los escalones y la base.').first()).toBeVisible()
  await panel.getByLabel('Se paga', { exact: true }).fill('1200')
  await panel.getByRole('button', { name: 'Guardar' }).click()
  const row = page.locator('button.catalogue-row').filter({ hasText: `$${base} por clase` })
  await expect(row).toContainText('Con escalones')
  await row.click()
  await expect(panel.getByLabel('Se paga', { exact: true })).toHaveValue('1200.00')
  await panel.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(row).toHaveCount(0)
})

test('a period is adjusted, approved and exported (PY4 to PY6)', async ({ page }) => {
  const note = `Taller ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/nomina')
  await expect(page.getByRole('heading', { level: 1, name: 'Nómina' })).toBeVisible()
  await expect(page.getByText('En curso')).toBeVisible()
  await accessible(page)
  await page.goto(`/admin/nomina?periodo=${longAgo()}`)
  await expect(page.getByText('En estos días nadie ha dado clases todavía.')).toBeVisible()
  await page.getByRole('button', { name: 'Agregar ajuste' }).click()
  const dialog = page.getByRole('dialog').first()
  await dialog.getByLabel('Coach').selectOption({ index: 1 })
  await dialog.getByLabel('Cantidad').fill('1250.50')
  await dialog.getByLabel('Por qué').fill(note)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar ajuste' }).click()
  await expect(page.getByText('$1,250.50').first()).toBeVisible()
  await page.locator('button[data-row]').first().click()
  const panel = page.getByRole('dialog').first()
  await expect(panel.getByText(note)).toBeVisible()
  const clabe = panel.getByLabel('CLABE')
  await clabe.fill('032180000118359710')
  await expect(panel.getByText('Revisa la CLABE: son 18 dígitos y el último no coincide.').first()).toBeVisible()
  await clabe.fill('032180000118359719')
  await panel.getByLabel('A nombre de').fill(`Persona ${randomUUID().slice(0, 4)}`)
  await panel.getByRole('button', { name: 'Guardar cuenta' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Cerrar' }).click()
  await page.getByRole('button', { name: 'Aprobar' }).click()
  await page.getByRole('button', { name: 'Sí, aprobar' }).click()
  await expect(page.getByText('Aprobada', { exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Exportar' }).first().click()
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('menuitem', { name: 'CSV' }).click()])
  expect(file.suggestedFilename()).toMatch(/^transferencias-.*\.csv$/)
  await accessible(page)
})

test('coaches are sorted by a column, in the address, by its head or on a phone by a choice', async ({ page }) => {
  await enter(page, OWNER, '/admin/nomina')
  // The period that has just begun may have no class yet.
  await page.getByRole('button', { name: 'Periodo anterior' }).click()
  const classes = async () =>
    (await page.locator('.table-cards .muted, tbody tr td:nth-child(2)').allInnerTexts()).map((text) => Number.parseInt(text, 10))
  const inOrder = (values: number[]) => [...values].sort((a, b) => a - b)
  await expect.poll(async () => new Set(await classes()).size).toBeGreaterThan(1)
  const choice = page.getByRole('combobox', { name: 'Ordenar por' })
  const head = page.getByRole('button', { name: 'Clases', exact: true })
  const isNarrow = await choice.isVisible()
  if (isNarrow) await choice.selectOption({ label: 'Clases' })
  else await head.click()
  await expect(page).toHaveURL(/orden=-clases/)
  await expect.poll(async () => JSON.stringify(await classes())).toBe(JSON.stringify(inOrder(await classes()).reverse()))
  if (isNarrow) await page.getByRole('button', { name: /invertir el orden/ }).click()
  else await head.press('Enter')
  await expect(page).toHaveURL(/orden=clases/)
  await page.reload()
  await expect.poll(async () => new Set(await classes()).size).toBeGreaterThan(1)
  expect(await classes()).toEqual(inOrder(await classes()))
  await accessible(page)
})

test('a coach reads the own pay and the menu leads there (PY7)', async ({ page }) => {
  await enter(page, { email: 'renata@vaiven.example', password: 'vaiven-coach' }, '/admin/mi-pago')
  await expect(page.getByRole('heading', { level: 1, name: 'Mi pago' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Total' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Periodo anterior' }).click()
  await expect(page).toHaveURL(/periodo=\d{4}-\d\d-\d\d/)
  await page.getByLabel('Qué falta o sobra').fill('Falta una clase.')
  await page.getByRole('button', { name: 'Pedir que lo revisen' }).click()
  await expect(page.getByText('Respondiste: Pide revisarlo. Falta una clase.')).toBeVisible()
})
