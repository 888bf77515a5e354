/** Ventas: its lists with filters in the address, what is still to be received, and what is done with a subscription (V29, V47 to V49). */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { expectStatus } from './status.ts'
import { customer, enter, showFilters, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const MANAGER = { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const WIDTHS = [390, 820, 1440]

const rowOf = (page: Page, name: string) => page.locator('tr, .table-cards > li').filter({ hasText: name })
const tabs = (page: Page) => page.getByRole('navigation', { name: 'Ventas', exact: true })
/** Opens a tab and waits for it: until its script has loaded the tab before is shown, whose search field would take the text. */
async function openTab(page: Page, name: string): Promise<void> {
  const tab = tabs(page).getByRole('link', { name })
  await tab.click()
  await expect(tab).toHaveAttribute('aria-current', 'page')
}

/** A package sold at the counter to a new customer, and the ids that the screens show. */
async function sold(request: Parameters<typeof customer>[0], name: string) {
  const desk = await staff(request, 'owner')
  const { customer_id } = await customer(request, name, 0)
  const { class_packages } = await desk<{ class_packages: { class_package_id: number; title: string }[] }>(
    'GET',
    '/class_packages/admin/all',
  )
  const { locations } = await desk<{ locations: { location_id: number; name: string }[] }>('GET', '/locations')
  const { payment_methods } = await desk<{ payment_methods: { payment_method_id: number; name: string }[] }>('GET', '/payment_methods')
  const location_id = locations.find((location) => location.name === 'Roma Norte')?.location_id
  const method = (word: RegExp) => payment_methods.find((paymentMethod) => word.test(paymentMethod.name))?.payment_method_id
  const class_package_id = class_packages.find(({ title }) => title === 'Diez')?.class_package_id
  return { desk, customer_id, class_package_id, location_id, method }
}

test('lists are tabs with filters and order in the address, and their sums are those of the rows (V29)', async ({ page, request }) => {
  const name = `Nidia${randomUUID().slice(0, 8)}`
  const { desk, customer_id, class_package_id, location_id, method } = await sold(request, name)
  const { purchase } = await desk<{ purchase: { purchase_id: number } }>('POST', '/customer/giveAccess', {
    customer_id,
    class_package_id,
    location_id,
    payment_method_id: method(/Terminal/),
  })
  await desk('POST', `/admin/purchases/${purchase.purchase_id}/refund`, { amount: '100', reason: 'Pagó de más' })
  await enter(page, OWNER, '/admin/ventas')
  await expect(tabs(page).getByRole('link', { name: 'Compras' })).toHaveAttribute('aria-current', 'page')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByText(/^1 venta · /)).toBeVisible()
  await expect(rowOf(page, name)).toContainText('Completada')
  await showFilters(page)
  await page.getByRole('combobox', { name: 'Estado' }).selectOption('Pendientes')
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
  await expect(page).toHaveURL(/estado=pending/)
  await page.reload()
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
  await page.getByRole('button', { name: 'Limpiar filtros' }).first().click()
  await expect(page.getByRole('searchbox')).toHaveValue('')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await page.getByRole('columnheader', { name: 'Total' }).getByRole('button').click()
  await expect(page).toHaveURL(/orden=-total/)
  await expect(page.getByRole('columnheader', { name: 'Total' })).toHaveAttribute('aria-sort', 'descending')

  await openTab(page, 'Cargos')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByText(/^1 cargo · Cobrado \$[\d,.]+ · Devuelto \$100\.00 · IVA/)).toBeVisible()
  await expect(rowOf(page, name)).toContainText('Devuelto en parte')
  await accessible(page)

  await openTab(page, 'Devoluciones')
  await page.getByRole('searchbox').fill(name)
  await expect(rowOf(page, name)).toContainText('Pagó de más')
  await expect(page.getByText('1 devolución · $100.00')).toBeVisible()
  await accessible(page)

  await openTab(page, 'Diferencias')
  await accessible(page)
})

test('what is to be received: a transfer is confirmed, a debt is collected, and reception sees no discrepancies (S4)', async ({
  page,
  request,
}) => {
  const name = `Ofelia${randomUUID().slice(0, 8)}`
  const { desk, customer_id, location_id, method } = await sold(request, name)
  const sell = (rest: object) =>
    desk('POST', '/admin/sales', {
      customer_id,
      location_id,
      lines: [{ kind: 'other', title: 'Agua', amount: '25.00' }],
      shown: { total: '25.00' },
      ...rest,
    })
  await sell({ payments: [{ payment_method_id: method(/Transferencia/), amount: '25.00', reference: 'SPEI 8' }] })
  await sell({ payments: [], owe: { until: '2099-01-01', reason: 'Paga en su próxima clase' } })
  await enter(page, RECEPTION, '/admin/ventas')
  await showFilters(page)
  await expect(page.getByRole('combobox', { name: 'Quién vendió' })).toContainText('Mónica')
  await page.goto('/admin/ventas?ver=por-cobrar')
  await expect(tabs(page).getByRole('link', { name: 'Diferencias' })).toHaveCount(0)
  await expect(page.getByRole('region', { name: 'Lugares por cobrar' })).toContainText(/Cobrar|Nadie debe un lugar/)
  const transfer = page.getByRole('region', { name: 'Transferencias por confirmar' }).getByRole('listitem').filter({ hasText: name })
  await expect(transfer).toContainText('SPEI 8')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await transfer.getByRole('button', { name: 'Confirmar' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByLabel('Referencia del banco')).toHaveValue('SPEI 8')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Sí, llegó' }).click()
  await expectStatus(page, 'Transferencia confirmada.')
  await expect(transfer).toHaveCount(0)

  const debt = page.getByRole('region', { name: 'Adeudos' }).getByRole('listitem').filter({ hasText: name })
  await expect(debt).toContainText('Paga en su próxima clase')
  await debt.getByRole('button', { name: 'Cobrar' }).click()
  await dialog.getByLabel('Cuánto', { exact: true }).fill('30')
  await expect(dialog.getByText('Debe $25.00.', { exact: true })).toBeVisible()
  await dialog.getByLabel('Cuánto', { exact: true }).fill('25')
  await dialog.getByLabel('Cómo pagó').selectOption({ label: 'Terminal' })
  await accessible(page)
  await dialog.getByRole('button', { name: 'Recibí $25.00' }).click()
  await expectStatus(page, '¡Pago exitoso!')
  await expect(debt).toHaveCount(0)
})

test('a sale gets a note, which is changed and stays on it (V57)', async ({ page, request }) => {
  const name = `Noelia${randomUUID().slice(0, 8)}`
  const { desk, customer_id, location_id, method } = await sold(request, name)
  const { purchases } = await desk<{ purchases: { purchase_id: number }[] }>('POST', '/admin/sales', {
    customer_id,
    location_id,
    lines: [{ kind: 'other', title: 'Agua', amount: '25.00' }],
    shown: { total: '25.00' },
    payments: [{ payment_method_id: method(/Terminal/), amount: '25.00' }],
  })
  await enter(page, RECEPTION, `/admin/ventas/${purchases[0]?.purchase_id}`)
  const part = page.getByRole('region', { name: 'Nota' })
  await expect(part).toContainText('Sin nota.')
  for (const [verb, text] of [
    ['Escribir nota', 'Paga su hermana'],
    ['Cambiar nota', 'Ya pagó su hermana'],
  ] as const) {
    await part.getByRole('button', { name: verb }).click()
    await page.getByRole('dialog').getByLabel('Nota').fill(text)
    await accessible(page)
    await page.getByRole('button', { name: 'Guardar nota' }).click()
    await expect(part).toContainText(text)
  }
})

test('a subscription is found, gets a card link, and is cancelled after the screen shows what its customer keeps (V47 to V49)', async ({
  page,
  request,
}) => {
  const name = `Pilar${randomUUID().slice(0, 8)}`
  const manager = await staff(request, 'manager')
  const title = `Membresía ${randomUUID().slice(0, 8)}`
  const { class_package } = await manager<{ class_package: { class_package_id: number } }>('POST', '/class_packages', {
    title,
    price: '1160',
    class_amount: 8,
    expiration_days: 30,
    is_subscription: true,
    subscription_period: 'month',
    subscription_interval: 1,
  })
  const buyer = await customer(request, name, 0)
  await buyer.call('POST', '/checkout/attempt', { class_package_id: class_package.class_package_id, payment_method: 'tok_ok' })
  await enter(page, MANAGER, '/admin/ventas?ver=suscripciones')
  await expect(page.getByRole('region', { name: 'Cifras' })).toContainText('Ingreso mensual recurrente')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByText('1 suscripción', { exact: true })).toBeVisible()
  await expect(rowOf(page, name)).toContainText('Activa')
  await expect(page.getByRole('region', { name: 'Cifras' })).toContainText('$1,000.00')
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await rowOf(page, name).getByRole('link').click()
  await page.getByRole('button', { name: 'Enviar enlace de tarjeta' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Crear enlace' }).click()
  await expect(dialog.getByRole('textbox', { name: 'Enlace' })).toHaveValue(/\/tarjeta\//)
  await expect(dialog.getByRole('link', { name: 'Enviar por WhatsApp' })).toHaveAttribute('href', /wa\.me\/52\d+\?text=.*tarjeta/)
  await accessible(page)
  const address = await dialog.getByRole('textbox', { name: 'Enlace' }).inputValue()
  await dialog.getByRole('button', { name: 'Cerrar', exact: true }).last().click()
  const visitor = await page.context().browser()?.newPage()
  await visitor?.goto(new URL(address).pathname)
  await expect(visitor?.getByText(title).first() ?? page.locator('nothing')).toBeVisible()
  await visitor?.close()

  await page.getByRole('button', { name: 'Cancelar suscripción' }).click()
  await expect(dialog.getByText(/^Conserva lo que pagó hasta el /)).toBeVisible()
  await dialog.getByRole('radio', { name: 'Ahora' }).check()
  await expect(dialog.getByText(/^Termina ahora: pierde lo que le queda/)).toBeVisible()
  await dialog.getByRole('radio', { name: 'Al final de lo que pagó' }).check()
  await accessible(page)
  await dialog.getByLabel('Motivo').fill('Se muda de ciudad')
  await dialog.getByRole('button', { name: 'Sí, cancelar' }).click()
  await expectStatus(page, '¡Suscripción cancelada!')
  await expect(page.getByText('Se muda de ciudad')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Cancelar suscripción' })).toHaveCount(0)
  await page.goto(`/admin/ventas?ver=suscripciones&estado=ending&q=${name}`)
  await expect(rowOf(page, name)).toContainText('Termina el')
})
