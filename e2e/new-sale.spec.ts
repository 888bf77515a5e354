/** Selling at the counter: a walk-in becomes a customer, buys, pays with two methods, and is booked and marked as arrived (S1 to S5). */
import { randomUUID } from 'node:crypto'
import type { Locator } from '@playwright/test'
import { accessible } from './axe.ts'
import { MANAGER, openTill, RECEPTION } from './counter-steps.ts'
import { expectStatus } from './status.ts'
import { classOn, customer, enter, freeMinute, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

test('from Hoy, a walk-in without an email is registered, buys a package half in cash and half by terminal, gets seat 7 and is marked as arrived in at most 16 touches and 30 seconds', async ({
  page,
  request,
  isMobile,
}) => {
  await openTill(request, 'reception')
  // Of a type and at a minute of its own: tests beside this one create classes of Yin for the same hour and book people into them.
  const { day, hour } = await freeMinute(request, isMobile ? 45 : 52)
  await classOn(request, { day, hour, type: 'Vinyasa', spot_map: '4,4', capacity: 8 })
  const name = `Walk${randomUUID().slice(0, 8)}`
  await enter(page, RECEPTION, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  let touches = 0
  // The axe checks in between are not the receptionist's time.
  let spent = 0
  let since = Date.now()
  const checked = async () => {
    spent += Date.now() - since
    await accessible(page)
    since = Date.now()
  }
  const touch = async (what: Locator) => {
    touches++
    await what.click()
  }
  /** Tapping a field is a touch, typing is none. */
  const type = async (field: Locator, text: string) => {
    touches++
    await field.fill(text)
  }
  await touch(page.getByRole('link', isMobile ? { name: 'Vender' } : { name: 'Nueva venta' }))
  await type(page.getByRole('searchbox', { name: 'Cliente' }), `${name} Paz`)
  await touch(page.getByRole('button', { name: `Dar de alta a «${name} Paz»` }))
  await type(page.getByLabel('Teléfono'), `44${String(Date.now()).slice(-8)}`)
  await touch(page.getByRole('button', { name: 'Dar de alta', exact: true }))
  await expect(page.getByRole('region', { name: 'Cliente' })).toContainText(name)

  const basket = page.getByRole('list', { name: 'En la venta' })
  await touch(page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Diez/ }))
  await touch(page.getByRole('button', { name: `Agregar un lugar en Vinyasa de las ${hour}` }))
  await expect(basket.getByRole('listitem')).toHaveCount(2)
  await expect(basket.getByText('1 crédito')).toBeVisible()
  // Opening the choice and choosing are two touches.
  touches += 2
  await basket.getByRole('combobox', { name: 'Lugar' }).selectOption('2-3')
  await touch(page.getByRole('button', { name: 'Terminal', exact: true }))
  await type(page.getByLabel('Cuánto con Terminal'), '1095')
  await touch(page.getByRole('button', { name: 'Efectivo', exact: true }))
  await expect(page.getByText('Completo', { exact: true })).toBeVisible()
  await checked()
  await touch(page.getByRole('button', { name: 'Cobrar $2,190.00' }))
  await expectStatus(page, 'Venta registrada.')
  await expect(page.getByRole('heading', { name: '¡Compra exitosa!' })).toBeFocused()
  await checked()

  await touch(page.getByRole('link', { name: /^Lista de/ }))
  const row = page.getByRole('listitem').filter({ hasText: name })
  // The seventh seat of two rows of four.
  await expect(row).toContainText('Fila 2, lugar 3')
  await expect(row).not.toContainText('Debe')
  await touch(row.getByRole('button', { name: new RegExp(`${name}.*: llegó|Llegó`) }).first())
  await expect(page.getByText('1 de 1 llegaron').or(page.getByText('1 de 1 llegó')).first()).toBeVisible()
  expect(spent + Date.now() - since).toBeLessThan(30_000)
  expect(touches).toBeLessThanOrEqual(16)

  // Their email is added later, in their file.
  await page.goto('/admin/clientes')
  await page.getByRole('searchbox').fill(name)
  await page
    .getByRole('link', { name: new RegExp(name) })
    .first()
    .click()
  await page.getByRole('button', { name: 'Agregar su correo' }).click()
  const data = page.getByRole('dialog', { name: 'Cambiar sus datos' })
  await expect(data.getByLabel('Nombre')).toHaveValue(name)
  await data.getByLabel('Correo electrónico').fill(`${name.toLowerCase()}@correo.test`)
  await accessible(page)
  await data.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('link', { name: `${name.toLowerCase()}@correo.test` })).toBeVisible()
})

test('a manual discount needs a reason and has a limit, prices change with it, and an unlisted item can be sold', async ({
  page,
  request,
}) => {
  await openTill(request, 'reception')
  const { customer_id } = await customer(request, `Rosa${randomUUID().slice(0, 8)}`, 0)
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${customer_id}`)
  await page.getByText('Otro monto').click()
  await page.getByLabel('Qué es').fill('Calcetines')
  await page.getByLabel('Precio', { exact: true }).fill('180')
  await page.getByRole('button', { name: 'Agregar a la venta' }).click()
  const basket = page.getByRole('region', { name: 'En la venta' })
  await expect(basket).toContainText('$180.00')
  await page.getByRole('button', { name: 'Uno más de Calcetines' }).click()
  await expect(page.getByRole('button', { name: 'Cobrar $360.00' })).toBeVisible()

  await basket.getByRole('button', { name: 'Descuento' }).click()
  await basket.getByLabel('Porcentaje').fill('10')
  await expect(page.getByText('Completa el descuento o quítalo.')).toBeVisible()
  await basket.getByLabel('Motivo').fill('Cumpleaños')
  await expect(page.getByRole('button', { name: 'Cobrar $324.00' })).toBeVisible()
  await accessible(page)
  // Reception may give at most ten percent; the page shows the limit.
  await basket.getByLabel('Porcentaje').fill('50')
  await expect(basket.getByRole('alert').or(basket.getByRole('status')).first()).toBeVisible()
  await basket.getByLabel('Porcentaje').fill('10')
  // It may not leave a debt, which is not offered.
  await expect(page.getByRole('button', { name: 'Queda a deber' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
  await page.getByLabel('Recibí').fill('300')
  await expect(page.getByText('Es menos de lo que se paga en efectivo.')).toBeVisible()
  await page.getByLabel('Recibí').fill('500')
  await expect(page.getByText('$176.00')).toBeVisible()
  await page.getByRole('button', { name: 'Cobrar $324.00' }).click()
  await expectStatus(page, 'Venta registrada.')
  await expect(page.getByRole('region', { name: '¡Compra exitosa!' })).toContainText('$176.00')
  await page.getByRole('button', { name: 'Nueva venta' }).click()
  await expect(page.getByText('Elige qué se vende y a quién.')).toBeVisible()
})

test('a product is created with its pieces and sold without a customer until none is left', { tag: '@one-size' }, async ({
  page,
  request,
}) => {
  await openTill(request, 'manager')
  const name = `Agua ${randomUUID().slice(0, 6)}`
  await enter(page, MANAGER, '/admin/productos')
  await page.getByRole('button', { name: 'Nuevo producto' }).click()
  const adding = page.getByRole('dialog', { name: 'Nuevo producto' })
  await adding.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await adding.getByRole('textbox', { name: 'Precio' }).fill('25')
  await adding
    .getByRole('textbox', { name: /^Piezas/ })
    .first()
    .fill('2')
  await accessible(page)
  await adding.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('button', { name: new RegExp(name) })).toContainText('$25.00 · 2')
  await accessible(page)

  await page.getByRole('button', { name: new RegExp(name) }).click()
  const record = page.getByRole('dialog', { name: 'Producto', exact: true })
  await record.getByRole('button', { name: /^Corregir/ }).click()
  const correcting = page.getByRole('dialog', { name: new RegExp(`^Existencias de ${name}`) })
  await correcting.getByText('Salieron').click()
  await correcting.getByLabel('Piezas').fill('1')
  await expect(correcting.getByText('Queda 1 pieza.')).toBeVisible()
  await correcting.getByLabel('Motivo').fill('Se rompió')
  await accessible(page)
  await correcting.getByRole('button', { name: 'Guardar' }).click()
  await expect(record).toContainText('1 pieza')
  await record.getByRole('button', { name: /^Corregir/ }).click()
  await correcting.getByText('Entraron').click()
  await correcting.getByLabel('Piezas').fill('1')
  await correcting.getByLabel('Motivo').fill('No se rompió')
  await correcting.getByRole('button', { name: 'Guardar' }).click()
  await expect(record).toContainText('2 piezas')

  await page.goto('/admin/ventas/nueva')
  await page.getByText('Productos', { exact: true }).last().click()
  const tile = page.getByRole('list', { name: 'Productos' }).getByRole('button', { name: new RegExp(name) })
  await expect(tile).toContainText('2 en existencia')
  await tile.click()
  await tile.click()
  await expect(tile).toBeDisabled()
  await page.getByRole('button', { name: 'Vender a público en general' }).click()
  await expect(page.getByRole('button', { name: 'Cobrar $50.00' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Queda a deber' })).toHaveCount(0)
  await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
  await accessible(page)
  await page.getByRole('button', { name: 'Cobrar $50.00' }).click()
  await expectStatus(page, 'Venta registrada.')
  await expect(page.getByRole('region', { name: '¡Compra exitosa!' })).toContainText('Público en general')
  await page.getByRole('button', { name: 'Nueva venta' }).click()
  await page.getByText('Productos', { exact: true }).last().click()
  await expect(tile).toContainText('Agotado')
})

test('a package is given to another customer, who is registered in the basket', { tag: '@one-size' }, async ({ page, request }) => {
  await openTill(request, 'reception')
  const buyer = await customer(request, `Rita${randomUUID().slice(0, 8)}`, 0)
  const friend = `Nora${randomUUID().slice(0, 8)}`
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${buyer.customer_id}`)
  await page.getByRole('list', { name: 'Paquetes' }).getByRole('button', { name: /Cinco/ }).click()
  await page.getByRole('button', { name: 'Es regalo' }).click()
  await expect(page.getByText('Elige para quién es el regalo.')).toBeVisible()
  await page.getByRole('searchbox', { name: 'Quien lo recibe' }).fill(`${friend} Luna`)
  await page.getByRole('button', { name: `Dar de alta a «${friend} Luna»` }).click()
  await page.getByLabel('Teléfono').fill(`45${String(Date.now()).slice(-8)}`)
  await accessible(page)
  await page.getByRole('button', { name: 'Dar de alta', exact: true }).click()
  await expect(page.getByText(`De regalo para ${friend} Luna`)).toBeVisible()
  await expect(page.getByText(`${friend} tendrá 5 clases`)).toBeVisible()
  await page.getByRole('button', { name: 'Terminal', exact: true }).click()
  await accessible(page)
  await page.getByRole('button', { name: /^Cobrar \$/ }).click()
  await expectStatus(page, 'Venta registrada.')
  await expect(page.getByRole('region', { name: '¡Compra exitosa!' })).toContainText(`Cinco para ${friend}`)
  await page.goto('/admin/ventas')
  await page.getByRole('searchbox').fill(friend)
  // Its own row: others sell at the same time, and the list is the old one until the search has run.
  const sold = page.locator('tr, li').filter({ hasText: friend }).getByRole('link', { name: /^#00/ })
  await sold.first().click()
  await expect(page.getByText('Se lo regaló')).toBeVisible()
})

test('a customer without accepted documents signs them at the counter, and the file has the signature (T13)', async ({ page, request }) => {
  const reception = await staff(request, 'reception')
  const { customer_id } = await reception<{ customer_id: number }>('POST', '/customer', {
    name: 'Olga',
    last_name: 'Paz',
    email: null,
    phone: `46${String(Date.now()).slice(-8)}`,
  })
  await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${customer_id}`)
  await expect(page.getByText(/^Le falta aceptar: /)).toBeVisible()
  await page.getByRole('button', { name: 'Firmar aquí' }).click()
  const accept = page.getByRole('dialog').getByRole('button', { name: /^Firmar( y ver el siguiente)?$/ })
  let signed = 0
  for (let left = 5; left > 0 && (await page.getByRole('dialog').count()) > 0; left--) {
    const title = (await page.getByRole('dialog').getByRole('heading', { level: 2 }).first().textContent()) ?? ''
    await expect(accept).toHaveAttribute('aria-disabled', 'true')
    await page.getByRole('checkbox', { name: `Olga: leí y acepto ${title}.` }).check()
    await expect(accept).toHaveAttribute('aria-disabled', 'true')
    const sheet = page.getByRole('img', { name: 'Firma aquí con el dedo' })
    if (signed === 0) {
      await sheet.scrollIntoViewIfNeeded()
      const box = await sheet.boundingBox()
      if (!box) throw new Error('The sheet is not shown.')
      await page.mouse.move(box.x + 40, box.y + box.height / 2)
      await page.mouse.down()
      for (const step of [1, 2, 3, 4]) await page.mouse.move(box.x + 40 + step * 20, box.y + box.height / 2 + (step % 2 ? -15 : 15))
      await page.mouse.up()
      await expect(page.getByRole('img', { name: 'Tu firma' })).toBeVisible()
    } else await page.getByLabel('Nombre de quien firma').fill('Olga Paz')
    signed++
    await accessible(page)
    await accept.click()
    await expect(page.getByRole('dialog', { name: title })).toHaveCount(0)
  }
  await expect(page.getByText(/^Le falta aceptar: /)).toHaveCount(0)
  await page.goto(`/admin/clientes/${customer_id}?ver=perfil`)
  const documents = page.getByRole('region', { name: 'Documentos' })
  await expect(documents.getByText(/^Firmó Olga.* en el estudio, ante /)).toHaveCount(signed)
  await expect(documents.getByRole('img', { name: /^Firma de Olga/ })).toBeVisible()
  await accessible(page)
})

test.describe('on an iPad', { tag: '@one-size' }, () => {
  test.use({ viewport: { width: 820, height: 1180 }, hasTouch: true, isMobile: true })

  test('amounts have keys of their own, and everything that can be sold is in sight', async ({ page, request }) => {
    await openTill(request, 'reception')
    const { customer_id } = await customer(request, `Ivo${randomUUID().slice(0, 8)}`, 0)
    await enter(page, RECEPTION, `/admin/ventas/nueva?cliente=${customer_id}`)
    const kinds = page.getByRole('radiogroup', { name: 'Qué se vende' })
    expect(await kinds.evaluate((strip) => strip.scrollWidth - strip.clientWidth)).toBe(0)
    await page.getByText('Otro monto').click()
    await page.getByLabel('Qué es').fill('Tapete')
    await page.getByLabel('Precio', { exact: true }).fill('651')
    await page.getByRole('button', { name: 'Agregar a la venta' }).click()
    await page.getByRole('button', { name: 'Efectivo', exact: true }).click()
    const pad = page.getByRole('group', { name: 'Teclado para' })
    const received = page.getByRole('textbox', { name: 'Recibí' })
    const amount = page.getByRole('textbox', { name: 'Cuánto con Efectivo' })
    const press = async (...keys: string[]) => {
      for (const key of keys) await pad.getByRole('button', { name: key, exact: true }).click()
    }
    await expect(pad).toHaveAccessibleName('Teclado para Recibí')
    await press('7', '0', '0')
    await expect(received).toHaveValue('700')
    await expect(pad.getByRole('status')).toHaveText('700')
    await expect(page.getByText('$49.00')).toBeVisible()
    // The pad types into the field that was touched last. Its amount is selected: the first key begins another.
    await amount.click()
    await expect(pad).toHaveAccessibleName('Teclado para Cuánto con Efectivo')
    await press('6', '5', '0', 'Punto', '5', 'Borrar el último número', 'Borrar el último número')
    await expect(amount).toHaveValue('650')
    await expect(page.getByText('Faltan $1.00', { exact: true })).toBeVisible()
    await received.click()
    await press('8', '0', '0')
    await expect(received).toHaveValue('800')
    await accessible(page)
    // An iPad in landscape has the keys too, a phone in landscape has its own.
    await page.setViewportSize({ width: 1366, height: 1024 })
    await expect(pad).toBeVisible()
    await page.setViewportSize({ width: 844, height: 390 })
    await expect(pad).toHaveCount(0)
  })
})
