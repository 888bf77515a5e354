/** How a sale at the counter is paid: later, with a gift card, by a link, with a saved card, by transfer (S1 to S5, S17). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { MANAGER, openTill, RECEPTION } from './counter-steps.ts'
import { fillCard } from './sales-steps.ts'
import { expectStatus } from './status.ts'
import { ahead, customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

test('staff with the right can let a part be owed until a date; the sale works by keyboard', { tag: '@one-size' }, async ({
  page,
  request,
}) => {
  await openTill(request, 'manager')
  const name = `Tere${randomUUID().slice(0, 8)}`
  await customer(request, name, 0)
  await enter(page, MANAGER, '/admin/ventas/nueva')
  await expect(page.getByRole('list', { name: 'Paquetes' })).toBeVisible()
  await page.keyboard.press('F2')
  await expect(page.getByRole('searchbox', { name: 'Cliente' })).toBeFocused()
  await page.keyboard.type(name)
  await page
    .getByRole('list', { name: 'Clientes encontrados' })
    .getByRole('button', { name: new RegExp(name) })
    .press('Enter')
  await page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Cinco/ }).press('Enter')
  await expect(page.getByRole('button', { name: 'Cobrar $1,350.00' })).toBeVisible()
  await page.keyboard.press('F4')
  await expect(page.getByRole('button', { name: 'Efectivo', exact: true })).toBeFocused()
  await page.keyboard.press('Enter')
  await page.getByLabel('Cuánto con Efectivo').fill('1000')
  await expect(page.getByText('Faltan $350.00.')).toBeVisible()
  await page.getByRole('button', { name: 'Queda a deber' }).click()
  await page.getByLabel('Hasta el').fill('2099-01-31')
  await page.getByLabel('Motivo').fill('Paga el viernes')
  await page.getByRole('button', { name: 'Cobrar $1,350.00' }).click()
  await expectStatus(page, 'Venta registrada.')
  await expect(page.getByRole('region', { name: '¡Compra exitosa!' })).toContainText('$350.00')
})

test('a gift card is sold, pays a part of another sale, and is listed with what is left', { tag: '@one-size' }, async ({
  page,
  request,
}) => {
  await openTill(request, 'manager')
  await enter(page, MANAGER, '/admin/ventas/nueva')
  await page.getByText('Otro monto').click()
  await page.getByLabel('Valor de la tarjeta').fill('250')
  await page.getByRole('button', { name: 'Agregar tarjeta de regalo' }).click()
  await page.getByRole('button', { name: 'Vender a público en general' }).click()
  await expect(page.getByRole('button', { name: 'Cobrar $250.00' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Tarjeta de regalo', exact: true })).toHaveCount(0)
  await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
  await page.getByRole('button', { name: 'Cobrar $250.00' }).click()
  await expectStatus(page, 'Venta registrada.')
  const code = (await page.getByText(/^([2-9A-HJ-NP-Z]{4}-){3}[2-9A-HJ-NP-Z]{4}$/).textContent()) ?? ''
  await accessible(page)
  // The ticket that the customer takes along has the code.
  await page.evaluate(() => {
    window.print = () => {}
  })
  await page.getByRole('button', { name: 'Imprimir ticket' }).click()
  await expect(page.getByRole('region', { name: 'Así se imprime' })).toContainText(code)

  await page.getByRole('button', { name: 'Nueva venta' }).click()
  await page.getByText('Otro monto').click()
  await page.getByLabel('Qué es').fill('Toalla')
  await page.getByLabel('Precio', { exact: true }).fill('300')
  await page.getByRole('button', { name: 'Agregar a la venta' }).click()
  await page.getByRole('button', { name: 'Vender a público en general' }).click()
  await page.getByRole('button', { name: 'Tarjeta de regalo', exact: true }).click()
  const field = page.getByLabel('Código de la tarjeta')
  await field.fill('2222-2222-2222-2222')
  await field.press('Enter')
  await expect(page.getByText('Ninguna tarjeta de regalo tiene ese código.')).toBeVisible()
  await field.fill(code.toLowerCase())
  await page.getByRole('button', { name: 'Ver saldo' }).click()
  await expect(page.getByText('Le quedan $250.00.')).toBeVisible()
  await expect(page.getByLabel('Cuánto con Tarjeta de regalo')).toHaveValue('250.00')
  await page.getByLabel('Cuánto con Tarjeta de regalo').fill('240')
  await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
  await accessible(page)
  await page.getByRole('button', { name: 'Cobrar $300.00' }).click()
  await expectStatus(page, 'Venta registrada.')
  const sold = await page.getByRole('region', { name: '¡Compra exitosa!' }).innerText()
  const folio = /V-\d{6}/.exec(sold)?.[0]

  await page.goto('/admin/tarjetas-regalo')
  await expect(page.getByText(/^Por usar: \$/)).toBeVisible()
  await accessible(page)
  await page
    .getByRole('button', { name: `Termina en ${code.slice(-4)}` })
    .first()
    .click()
  const panel = page.getByRole('dialog', { name: 'Tarjeta de regalo' })
  await expect(panel).toContainText('$10.00')
  await expect(panel.getByRole('list', { name: 'Movimientos' }).getByRole('listitem')).toHaveCount(2)
  await accessible(page)
  await panel.getByRole('button', { name: 'Ver código' }).click()
  await expect(panel.getByText(code)).toBeVisible()
  await panel.getByRole('button', { name: 'Ajustar saldo' }).click()
  await page.getByLabel('Cuánto', { exact: true }).fill('15')
  await page.getByLabel('Motivo').fill('Cortesía')
  await page.getByRole('button', { name: 'Ajustar', exact: true }).click()
  await expect(panel).toContainText('$25.00')

  // What the card paid is a charge of the purchase, and goes back to the card only (I7).
  await page.goto(`/admin/ventas?q=${folio}`)
  await page
    .getByRole('link', { name: /^#\d{6}$/ })
    .first()
    .click()
  const charge = page.getByRole('region', { name: 'Cobros' }).getByRole('listitem').filter({ hasText: 'Tarjeta de regalo' })
  await charge.getByRole('button', { name: 'Devolver' }).click()
  const dialog = page.getByRole('dialog', { name: 'Devolver' })
  await expect(dialog.getByText(/^\$240\.00 regresan a la tarjeta de regalo; conserva /)).toBeVisible()
  await expect(dialog.getByText('Lo devuelvo por otro medio')).toHaveCount(0)
  await dialog.getByLabel('Motivo').fill('La devolvió')
  await dialog.getByRole('button', { name: 'Devolver $240.00' }).click()
  await expectStatus(page, 'Devolución registrada.')
  await expect(charge).toContainText('Devuelto')
})

test('a basket gets one payment link at the counter, is paid on the page of the processor, and leaves Por cobrar', async ({
  page,
  request,
}) => {
  const buyer = await customer(request, `Elsa${randomUUID().slice(0, 8)}`, 0)
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${buyer.customer_id}`)
  await page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Diez/ }).click()
  await page.getByText('Otro monto').click()
  await page.getByLabel('Qué es').fill('Renta de toalla')
  await page.getByLabel('Precio', { exact: true }).fill('35')
  await page.getByRole('button', { name: 'Agregar a la venta' }).click()
  await page.getByRole('button', { name: 'Enlace', exact: true }).click()
  await accessible(page)
  await page.getByRole('button', { name: 'Crear enlace de $2,225.00' }).click()
  await expect(page.getByRole('heading', { name: 'Falta que pague' })).toBeFocused()
  await accessible(page)
  const url = new URL(await page.getByLabel('Enlace de pago', { exact: true }).inputValue()).pathname
  await page.goto('/admin/ventas?ver=por-cobrar')
  const waiting = page.getByRole('region', { name: 'Enlaces de pago' })
  await expect(waiting).toContainText('Elsa')
  await page.goto(url)
  await accessible(page)
  await expect(page.getByRole('listitem').filter({ hasText: 'Renta de toalla' })).toContainText('$35.00')
  await page.getByRole('button', { name: 'Pagar $2,225.00' }).click()
  await fillCard(page, '4242424242424242')
  await page.getByRole('button', { name: /^Pagar/ }).click()
  await page.getByRole('link', { name: 'Volver al estudio' }).click()
  await expect(page.getByText(/^Recibimos tu pago de \$2,225\.00: Diez.* y 1 más\./)).toBeVisible()
  await page.goto('/admin/ventas?ver=por-cobrar')
  await expect(waiting).toBeVisible()
  await expect(waiting).not.toContainText(buyer.email)
})

test('a saved card is charged beside cash at the counter, and the purchase names both', { tag: '@one-size' }, async ({ page, request }) => {
  await openTill(request, 'reception')
  const buyer = await customer(request, `Ines${randomUUID().slice(0, 8)}`, 0)
  await buyer.call('POST', '/payment_sources', { token_id: `tok_ok~visa~4242~122030~${randomUUID().slice(0, 6)}` })
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${buyer.customer_id}`)
  await page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Diez/ }).click()
  await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
  await page.getByLabel('Cuánto con Efectivo').fill('1000')
  await page.getByLabel('Recibí').fill('1200')
  await page.getByRole('button', { name: 'Visa ···4242' }).click()
  await expect(page.getByText('Si el banco la rechaza, no se vende nada y lo demás se regresa.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Cobrar $2,190.00' }).click()
  const sold = page.getByRole('region', { name: '¡Compra exitosa!' })
  await expect(sold.getByRole('heading', { name: '¡Compra exitosa!' })).toBeFocused()
  await expect(sold.getByRole('definition')).toHaveText(['$1,000.00', '$1,190.00', '$200.00'])
  await page.getByRole('button', { name: 'Imprimir ticket' }).click()
  const ticket = page.getByRole('region', { name: 'Así se imprime' })
  await expect(ticket).toContainText('Efectivo$1,000.00')
  await expect(ticket).toContainText('Cambio$200.00')
  await accessible(page)
  await page.getByRole('link', { name: 'Ver la compra' }).click()
  const charges = page.getByRole('region', { name: 'Cobros' })
  await expect(charges.getByRole('listitem').filter({ hasText: 'Visa terminada en 4242' })).toContainText('$1,190.00')
  await expect(charges.getByRole('listitem').filter({ hasText: 'Efectivo' })).toContainText('$1,000.00')
})

test('a transfer has the photo of its proof, which who confirms it sees before; the receipt of the sale is sent (S4, S17)', {
  tag: '@one-size',
}, async ({ page, request }) => {
  const location_id = await openTill(request, 'reception')
  const name = `Olga${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${customer_id}`)
  await page.getByText('Otro monto').click()
  await page.getByLabel('Qué es').fill('Tapete')
  await page.getByLabel('Precio', { exact: true }).fill('180')
  await page.getByRole('button', { name: 'Agregar a la venta' }).click()
  await page.getByRole('button', { name: 'Transferencia', exact: true }).click()
  const picture = await page.screenshot({ clip: { x: 0, y: 0, width: 120, height: 120 } })
  await page.getByLabel('Foto del comprobante').setInputFiles({ name: 'spei.png', mimeType: 'image/png', buffer: picture })
  await expect(page.getByText('spei.png')).toBeVisible()
  await page.getByRole('button', { name: 'Cobrar $180.00' }).click()
  await expectStatus(page, 'Venta registrada.')

  await page.getByRole('button', { name: 'Enviar recibo' }).click()
  const sending = page.getByRole('dialog', { name: 'Enviar recibo' })
  await expect(sending.getByRole('link', { name: 'Enviar por WhatsApp' })).toHaveAttribute('href', /wa\.me\/52\d+\?text=.*sale_receipts/)
  await accessible(page)
  await sending.getByRole('button', { name: 'Enviar por correo' }).click()
  await expectStatus(page, 'El recibo va en camino.')
  await expect(sending).toBeHidden()

  // It is listed before the till is counted.
  await page.goto(`/admin/caja?estudio=${location_id}`)
  const before = page.getByRole('region', { name: 'Antes de cerrar' })
  await expect(before).toContainText(/[Tt]ransferencias? /)
  await accessible(page)

  await page.goto('/admin/ventas?ver=por-cobrar')
  const transfers = page.getByRole('region', { name: 'Transferencias por confirmar' })
  const transfer = transfers.getByRole('listitem').filter({ hasText: name })
  await transfer.getByRole('button', { name: 'Confirmar' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('img', { name: 'Comprobante de la transferencia' })).toBeVisible()
  await accessible(page)
  await dialog.getByLabel('Referencia del banco').fill('SPEI 4417')
  await dialog.getByRole('button', { name: 'Sí, llegó' }).click()
  await expectStatus(page, 'Transferencia confirmada.')
  await expect(transfer).toHaveCount(0)
  await page.goto(`/admin/clientes/${customer_id}?ver=compras`)
  await page
    .getByRole('link', { name: /Tapete|^#\d{6}$/ })
    .first()
    .click()
  const charge = page.getByRole('region', { name: 'Cobros' }).getByRole('listitem').filter({ hasText: 'Transferencia' })
  await expect(charge).toContainText('$180.00')
  await expect(charge).toContainText('SPEI 4417')
})

test('a walk-in without an email is asked for it before a payment link is made', async ({ page, request }) => {
  const reception = await staff(request, 'reception')
  const name = `Fito${randomUUID().slice(0, 8)}`
  const phone = `44${String(Date.now()).slice(-8)}`
  const { customer_id } = await reception<{ customer_id: number }>('POST', '/customer', { name, last_name: 'Vela', phone })
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${customer_id}`)
  await page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Diez/ }).click()
  await page.getByRole('button', { name: 'Enlace', exact: true }).click()
  await expect(page.getByText('Escribe el correo del cliente.')).toBeVisible()
  await accessible(page)
  await page.getByLabel(`Correo de ${name}`).fill(`${name.toLowerCase()}@correo.test`)
  await page.getByRole('button', { name: 'Guardar su correo' }).click()
  await expect(page.getByLabel(`Correo de ${name}`)).toHaveCount(0)
  await page.getByRole('button', { name: 'Crear enlace de $2,190.00' }).click()
  await expect(page.getByRole('heading', { name: 'Falta que pague' })).toBeFocused()
})

test('a debt is received where it is seen: on the sale, in the file of the person, and under their name in Nueva venta (S4)', async ({
  page,
  request,
}) => {
  const location_id = await openTill(request, 'manager')
  const name = `Dina${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 0)
  const call = await staff(request, 'manager')
  const { payment_methods } = await call<{ payment_methods: { payment_method_id: number; kind: string }[] }>('GET', '/payment_methods')
  const transfer = payment_methods.find(({ kind }) => kind === 'transfer')?.payment_method_id
  const owing = (title: string, amount: string, payments: object[] = []) =>
    call<{ sale: { lines: { purchase_id: number }[] } }>('POST', '/admin/sales', {
      customer_id,
      location_id,
      lines: [{ kind: 'other', title, amount }],
      shown: { total: amount },
      payments,
      owe: { until: ahead(5), reason: 'Olvidó su cartera' },
    })
  const { sale } = await owing('Tapete', '310', [{ payment_method_id: transfer, amount: '110' }])
  await owing('Toalla', '120')
  await owing('Botella', '90')

  await enter(page, MANAGER, `/admin/ventas/${sale.lines[0]?.purchase_id}`)
  const counter = page.getByRole('region', { name: 'En recepción' })
  // A transfer that never came is owed as well.
  await counter.getByRole('button', { name: 'No llegó' }).click()
  const rejected = page.getByRole('dialog', { name: 'La transferencia no llegó' })
  await rejected.getByLabel('Motivo').fill('No está en el banco')
  await rejected.getByRole('button', { name: 'Sí, anularla' }).click()
  await expect(counter.getByRole('listitem').filter({ hasText: 'Queda a deber' })).toContainText('$310.00')
  await accessible(page)
  await counter.getByRole('button', { name: 'Cobrar' }).click()
  await page.getByRole('button', { name: 'Recibí $310.00' }).click()
  await expect(counter.getByText('Queda a deber')).toHaveCount(0)

  await page.goto(`/admin/clientes/${customer_id}`)
  const alerts = page.getByRole('list', { name: 'Avisos' })
  await expect(alerts.getByText('Debe $210.00.')).toBeVisible()
  await alerts.getByRole('button', { name: 'Cobrar' }).click()
  const debts = page.getByRole('dialog', { name: `Lo que debe ${name}` })
  await accessible(page)
  await debts.getByRole('listitem').filter({ hasText: 'Toalla' }).getByRole('button', { name: 'Cobrar' }).click()
  await page.getByRole('button', { name: 'Recibí $120.00' }).click()
  await expect(debts.getByRole('listitem')).toHaveCount(1)
  await debts.getByRole('button', { name: 'Cerrar' }).last().click()
  await expect(alerts.getByText('Debe $90.00.')).toBeVisible()

  await page.goto(`/admin/ventas/nueva?cliente=${customer_id}`)
  const under = page.getByRole('region', { name: `Lo que debe ${name}` })
  await expect(under.getByRole('listitem')).toContainText('Botella')
  await accessible(page)
  await under.getByRole('button', { name: 'Cobrar' }).click()
  await page.getByRole('button', { name: 'Recibí $90.00' }).click()
  await expect(under).toHaveCount(0)
})
