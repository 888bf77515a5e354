/** 'Mis Reservaciones' from the first visit to more than a page, and the other lists of the account (spec 2 sections 1, 2 and 5). */

import { formatWall } from '#contract/time.ts'
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

test('an empty list, and one of two pages (S2-2.06, S2-2.39, S2-2.40, S2-2.42 to S2-2.44, S2-2.46, S2-2.47, S2-5.13, S2-5.14)', async ({
  page,
  isMobile,
}) => {
  test.setTimeout(150_000)
  const sara = await customer(page.request, 'Sara', 3)
  const list = '/mystudio/reservaciones'
  await enter(page, sara, list)
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Reservaciones' })).toBeVisible()
  await expect(page.getByText('Aún no has reservado clases.', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ir a Reservar' })).toHaveAttribute('href', '/mystudio')
  await accessible(page)
  const credits = page.getByRole('region', { name: 'Mis créditos' })
  await expect(credits.getByRole('link', { name: /^Disponibles 3\b/ })).toHaveAttribute('href', '/mystudio/creditos')
  await page.getByRole('link', { name: 'Comprar Clases' }).click()
  await expect(page).toHaveURL('/mystudio/paquetes')

  // Fifty-one cancelled reservations and a current one: a page has fifty.
  const [single_class_id] = await classOn(page.request, { day: ahead(25), hour: isMobile ? '12:05' : '12:35' })
  const reserve = () =>
    sara.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', { single_class_id })
  for (let n = 0; n < 51; n++) {
    const { class_reservation } = await reserve()
    await sara.call('DELETE', `/class_reservations/${class_reservation.class_reservation_id}`)
  }
  await reserve()
  await page.goto(list)
  const rows = isMobile ? page.getByRole('list', { name: 'Mis reservaciones' }).getByRole('listitem') : page.locator('tbody tr')
  await expect(rows).toHaveCount(50)
  const headers = page.getByRole('columnheader')
  if (isMobile) await expect(headers).toHaveCount(0)
  else await expect(headers).toHaveText(['Clase', 'Invitado', 'Coach', 'Fecha y Hora', 'Lugar', 'Estado', 'Acciones'])
  const pager = page.getByRole('navigation', { name: 'Páginas', exact: true })
  const [previous, next] = ['Página anterior', 'Página siguiente'].map((name) => pager.getByRole('button', { name }))
  await expect(pager).toContainText('1 / 2')
  await expect(previous as NonNullable<typeof previous>).toBeDisabled()
  await accessible(page)
  await next?.click()
  await expect(page).toHaveURL(`${list}?pagina=2`)
  await expect(pager).toContainText('2 / 2')
  await expect(rows).toHaveCount(2)
  await expect(next as NonNullable<typeof next>).toBeDisabled()
  await previous?.click()
  await expect(pager).toContainText('1 / 2')
  // A page number below 1 shows the first page.
  for (const page0 of ['0', '-1']) {
    await page.goto(`${list}?pagina=${page0}`)
    await expect(pager).toContainText('1 / 2')
    await expect(previous as NonNullable<typeof previous>).toBeDisabled()
  }
  // A page number beyond the end shows the last page.
  await page.goto(`${list}?pagina=99`)
  await expect(page).toHaveURL(`${list}?pagina=2`)
  await expect(pager).toContainText('2 / 2')
  await expect(rows).toHaveCount(2)
  await page.goto(list)
  await expect(pager).toContainText('1 / 2')

  const filters = page.getByRole('radiogroup', { name: 'Mostrar' })
  expect(await filters.getByRole('radio').evaluateAll((all) => all.map((radio) => radio.parentElement?.textContent))).toEqual([
    'Todas',
    'Próximas',
    'Pasadas',
    'Canceladas',
  ])
  await expect(filters.getByRole('radio', { name: 'Todas' })).toBeChecked()
  await filters.getByText('Próximas').click()
  await expect(rows).toHaveCount(1)
  await expect(rows).toContainText('Próxima')
  await expect(pager).toContainText('1 / 1')
  for (const arrow of [previous, next]) await expect(arrow as NonNullable<typeof arrow>).toBeDisabled()
  await filters.getByText('Pasadas').click()
  await expect(page.getByText('No hay reservaciones en esta vista.')).toBeVisible()
  await filters.getByText('Canceladas').click()
  await expect(pager).toContainText('1 / 2')
  await expect(rows).toHaveCount(50)
  await expect(rows.filter({ hasText: 'Cancelada' })).toHaveCount(50)
  await page.reload()
  await expect(filters.getByRole('radio', { name: 'Canceladas' })).toBeChecked()
})

test('reservations, credits, purchases, charges, waitlists and cards are reached from the menus (S2-1.04)', async ({ page, isMobile }) => {
  await enter(page, await customer(page.request, 'Tania', 2))
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  await page
    .getByRole('navigation', { name: isMobile ? 'Menú' : 'Principal' })
    .getByRole('link', { name: 'Reservaciones' })
    .click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Reservaciones' })).toBeVisible()
  for (const name of ['Mis Créditos', 'Mis Compras', 'Mis Cargos', 'Mis Listas de Espera', 'Mis Método de Pago']) {
    await page.getByRole('button', { name: /Cuenta de Tania/ }).click()
    await page.getByRole('menuitem', { name, exact: true }).click()
    await expect(page.getByRole('heading', { level: 1, name, exact: true })).toBeVisible()
  }
})

test('an unlimited membership shows its end (S2-2.45)', async ({ page }) => {
  const ursula = await customer(page.request, 'Ursula', 3)
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/available_classes', {
    customer_id: ursula.customer_id,
    available_classes: -1,
    title: 'Ilimitado',
    reason: 'Para probar',
    expiration_date: ahead(40),
  })
  await enter(page, ursula, '/mystudio/reservaciones')
  const credits = page.getByRole('region', { name: 'Mis créditos' })
  await expect(credits.getByText('Ilimitadas', { exact: true })).toBeVisible()
  await expect(credits.getByText(`Hasta el ${formatWall(`${ahead(40)}T00:00:00.000Z`, 'date')}`, { exact: true })).toBeVisible()
  await accessible(page)
})

test('the reason why no guest can be added, and the next step (R6)', async ({ page, isMobile }) => {
  const day = ahead(26)
  const minute = isMobile ? '05' : '35'
  const reservationIds: number[] = []
  const wanda = await customer(page.request, 'Wanda', 2)
  for (const [h, capacity] of [
    ['12', 1],
    ['14', 9],
  ] as const) {
    const [single_class_id] = await classOn(page.request, { day, hour: `${h}:${minute}`, capacity })
    const answer = await wanda.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', {
      single_class_id,
    })
    reservationIds.push(answer.class_reservation.class_reservation_id)
  }
  const [full, poor] = reservationIds
  await enter(page, wanda, `/mystudio/reservaciones?lugar=${full}`)
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: /^Llevar un invitado/ }).click()
  await expect(dialog).toContainText('Ya no quedan lugares para tu invitado en esta clase.')
  await page.goto(`/mystudio/reservaciones?lugar=${poor}`)
  await expect(dialog).toContainText('Ahora no se puede: ver por qué')
  await dialog.getByRole('button', { name: /^Llevar un invitado/ }).click()
  await expect(dialog).toContainText('Tu invitado usa un crédito más, y no te queda ninguno para esta clase.')
  await accessible(page)
  await dialog.getByRole('link', { name: 'Comprar Clases' }).click()
  await expect(page).toHaveURL('/mystudio/paquetes')
})
