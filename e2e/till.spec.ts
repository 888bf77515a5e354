/** The till: opened, cash added and removed, counted, compared, closed and approved (docs/domain.md, "The till"). */
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatPesos } from '#contract/money.ts'
import { accessible } from './axe.ts'
import { openTill } from './counter-steps.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }
const WIDTHS = [390, 820, 1440]

test('a till is opened, used, counted, closed with a note, opened again and approved (J1, J3 to J5)', async ({
  page,
  request,
  isMobile,
}) => {
  // Phone and desktop run in parallel, each at a location of its own. An interrupted run may have left the till open.
  const manager = await staff(request, 'manager')
  const { locations } = await manager<{ locations: { location_id: number }[] }>('GET', '/locations')
  const location_id = locations[isMobile ? 1 : 2]?.location_id
  const { cash_session } = await manager<{ cash_session: CashSession | null }>(
    'GET',
    `/admin/cash_sessions/current?location_id=${location_id}`,
  )
  if (cash_session)
    await manager('POST', `/admin/cash_sessions/${cash_session.cash_session_id}/close`, { cash: {}, left_in_drawer: '0', note: 'Prueba' })

  await enter(page, MANAGER, `/admin/caja?estudio=${location_id}`)
  await expect(page.getByRole('heading', { name: 'Abrir caja' })).toBeVisible()
  await accessible(page)
  await page.getByLabel('Efectivo con el que abres').fill('mil')
  await expect(page.getByRole('button', { name: 'Abrir caja' })).toBeDisabled()
  await expect(page.getByText('Escribe una cantidad, como 500 o 500.50.')).toBeVisible()
  await page.getByLabel('Efectivo con el que abres').fill('500')
  await page.getByRole('button', { name: 'Abrir caja' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Caja abierta.' })).toBeVisible()

  for (const [button, amount, reason] of [
    ['Entrada', '100', 'Cambio de la oficina'],
    ['Salida', '40', 'Agua'],
  ] as const) {
    await page.getByRole('button', { name: button, exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Cantidad').fill(amount)
    await dialog.getByLabel('Motivo').fill(reason)
    await accessible(page)
    await dialog.getByRole('button', { name: /^Guardar/ }).click()
    await expect(dialog).toBeHidden()
  }
  const movements = page.getByRole('region', { name: 'Movimientos' })
  await expect(movements.getByRole('listitem')).toHaveCount(3)
  await expect(movements).toContainText('−$40.00')

  // Counted 500 of 560: the difference is too large to close without a note.
  await page.getByLabel('Billetes de $500', { exact: true }).fill('1')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await page.getByRole('button', { name: 'Comparar' }).click()
  const compared = page.getByRole('table')
  await expect(compared.getByRole('row', { name: /Efectivo/ })).toContainText('$560.00')
  await expect(page.getByText('Faltan $60.00 en efectivo.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Contar otra vez' }).click()
  await expect(page.getByLabel('Billetes de $1,000', { exact: true })).toBeFocused()
  await page.getByRole('button', { name: 'Comparar' }).click()
  await expect(page.getByRole('button', { name: 'Cerrar caja con −$60.00' })).toBeDisabled()
  await expect(page.getByText('Escribe qué pasó.', { exact: true })).toBeVisible()
  await page.getByLabel('Qué pasó').fill('Faltó registrar el agua')
  await page.getByLabel('Se queda en la caja', { exact: true }).fill('300')
  // While the close is being sent nothing of it can be changed.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/cash_sessions/*/close', async (route) => {
    await held
    await route.continue()
  })
  await page.getByRole('button', { name: 'Cerrar caja con −$60.00' }).click()
  await expect(page.getByLabel('Se queda en la caja', { exact: true })).toHaveAttribute('readonly')
  await expect(page.getByLabel('Qué pasó')).toHaveAttribute('readonly')
  release()
  await expect(page.getByRole('status').filter({ hasText: 'Corte guardado.' })).toBeVisible()
  const slip = page.getByRole('region', { name: 'Así se imprime' })
  await expect(slip).toContainText('Se retira$200.00')
  await expect(slip).toContainText('Faltó registrar el agua')
  // On paper there is the slip and nothing else.
  await page.emulateMedia({ media: 'print' })
  await expect(page.locator('.slip').getByText('Faltó registrar el agua')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, includeHidden: true })).toBeHidden()
  const size = page.viewportSize()
  await page.setViewportSize({ width: 302, height: 400 })
  const paper = await page.locator('.slip').evaluate((slip) => {
    const { left, right, top, bottom } = slip.getBoundingClientRect()
    const rows = [...slip.querySelectorAll('dt, dd, p, span')]
    const isCut = (row: Element) => row.getBoundingClientRect().right > Math.min(right, innerWidth) + 1
    return {
      left,
      top: top + scrollY,
      isEmptyBelow: document.documentElement.scrollHeight > bottom + scrollY + 60,
      cut: rows.filter(isCut).length,
    }
  })
  expect(paper).toEqual({ left: 0, top: 0, isEmptyBelow: false, cut: 0 })
  if (size) await page.setViewportSize(size)
  await page.emulateMedia({ media: 'screen' })
  await accessible(page)

  // The cash that stays in the drawer is suggested for the next opening.
  await expect(page.getByLabel('Efectivo con el que abres', { exact: true })).toHaveValue('300.00')

  await page.getByRole('link', { name: 'Cortes' }).click()
  await expect(page.getByRole('heading', { name: 'Cortes', level: 1 })).toBeVisible()
  await accessible(page)
  await page.locator('tr, li').filter({ hasText: 'Faltan $60.00', visible: true }).first().locator('.row-link').click()
  await expect(page.getByRole('button', { name: 'Aprobar' })).toBeVisible()
  await page.getByRole('button', { name: 'Abrir de nuevo' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Motivo').fill('Se encontró el billete')
  await dialog.getByRole('button', { name: 'Abrir de nuevo' }).click()
  await expect(page.getByText('Se abrió de nuevo: Se encontró el billete')).toBeVisible()

  await page.goto(`/admin/caja?estudio=${location_id}`)
  await page.getByLabel('Billetes de $500', { exact: true }).fill('1')
  await page.getByLabel('Billetes de $50', { exact: true }).fill('1')
  await page.getByLabel('Monedas de $10', { exact: true }).fill('1')
  await page.getByRole('button', { name: 'Comparar' }).click()
  await expect(page.getByText('Todo cuadra.')).toBeVisible()
  await page.getByRole('button', { name: 'Cerrar caja', exact: true }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Corte guardado.' })).toBeVisible()

  // A reviewer of tills approves it for good, with a note.
  await page.getByRole('link', { name: 'Cortes' }).click()
  await page.locator('tr, li').filter({ hasText: 'Por aprobar', visible: true }).first().locator('.row-link').click()
  await page.getByRole('button', { name: 'Aprobar' }).click()
  await page.getByRole('dialog').getByLabel('Nota (opcional)').fill('Revisado con Lucía')
  await accessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Aprobar corte' }).click()
  await expect(page.getByText('Al aprobar: Revisado con Lucía')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Aprobar' })).toBeHidden()
})

test('who reviews tills looks at an open one and prints what it has so far, without closing it (corte X, J4)', async ({
  page,
  request,
}) => {
  const location_id = await openTill(request, 'reception')
  const desk = await staff(request, 'reception')
  const { cash_session } = await desk<{ cash_session: CashSession }>('GET', `/admin/cash_sessions/current?location_id=${location_id}`)
  const { payment_methods } = await desk<{ payment_methods: { payment_method_id: number; kind: string }[] }>('GET', '/payment_methods')
  const payment_method_id = payment_methods.find(({ kind }) => kind === 'cash')?.payment_method_id
  await desk('POST', '/admin/sales', {
    location_id,
    customer_id: null,
    lines: [{ kind: 'other', title: 'Agua', amount: '35.00' }],
    shown: { total: '35.00' },
    payments: [{ payment_method_id, amount: '35.00' }],
  })
  await enter(page, MANAGER, `/admin/caja/cortes/${cash_session.cash_session_id}`)
  await expect(page.getByText('Abierta', { exact: true })).toBeVisible()
  const slip = page.getByRole('region', { name: 'Así se imprime' })
  await expect(slip).toContainText(`Corte X ${String(cash_session.cash_session_id).padStart(6, '0')}`)
  await expect(slip).toContainText('La caja sigue abierta')
  const cash = slip.getByLabel('Efectivo', { exact: true })
  const manager = await staff(request, 'manager')
  // Other tests sell at this till meanwhile.
  await expect(async () => {
    const seen = await manager<{ cash_session: CashSession }>('GET', `/admin/cash_sessions/${cash_session.cash_session_id}`)
    const expected = seen.cash_session.ways.find(({ kind }) => kind === 'cash')?.expected ?? ''
    await expect(cash).toContainText(`Esperado${formatPesos(expected)}`, { timeout: 2_000 })
  }).toPass()
  await expect(slip.getByText('Contado')).toHaveCount(0)
  await expect(slip.getByRole('button', { name: 'PDF' })).toHaveCount(0)
  await expect(slip.getByRole('button', { name: 'Imprimir' })).toBeVisible()
  await accessible(page)
  // Looking closes nothing, and who counts blind does not see it.
  const after = await desk<{ cash_session: CashSession }>('GET', `/admin/cash_sessions/current?location_id=${location_id}`)
  expect([after.cash_session.state, after.cash_session.ways.every((method) => method.expected === null)]).toEqual(['open', true])
})
