/** Salas: a room gets a map by keyboard and pointer, and closing a seat moves who sits there, who keeps the class (L17 to L19). */
import { accessible } from './axe.ts'
import { ahead, customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a room is created and drawn, and closing a seat keeps all reservations', async ({ page, isMobile }) => {
  const name = `Sala ${isMobile ? 'de abajo' : 'de arriba'} ${Date.now() % 100_000}`
  await enter(page, OWNER, '/admin/catalogo/salas')
  await expect(page.getByRole('heading', { level: 1, name: 'Salas' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Nueva sala' }).click()
  const panel = page.getByRole('dialog').first()
  await panel.getByLabel('Nombre').fill(name)
  await panel.getByLabel('Estudio').selectOption({ label: 'Roma Norte' })
  await panel.getByRole('button', { name: 'Guardar' }).click()
  // Beside it are the buttons of its order.
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await accessible(page)
  await page.getByRole('link', { name: 'Hacer el mapa de la sala' }).click()
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  // With the keyboard: the second seat becomes a gap, and the others count on without it.
  await page.getByRole('button', { name: 'Lugar 1, fila 1, posición 1' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('Delete')
  await expect(page.getByRole('button', { name: 'Hueco, fila 1, posición 2' })).toBeVisible()
  await expect(page.getByRole('button', { name: 'Lugar 9, fila 2, posición 5' })).toBeVisible()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await accessible(page)

  const owner = await staff(page.request, 'owner')
  const { rooms } = await owner<{ rooms: { room_id: number; location_id: number; name: string }[] }>('GET', '/rooms')
  const room = rooms.find((room) => room.name === name)
  const { class_types } = await owner<{ class_types: { class_type_id: number; name: string }[] }>('GET', '/class_types')
  const day = ahead(isMobile ? 11 : 12)
  const { single_class_ids } = await owner<{ single_class_ids: number[] }>('POST', '/single_class', {
    class_type_id: class_types.find((type) => type.name === 'Yin')?.class_type_id,
    location_id: room?.location_id,
    room_id: room?.room_id,
    class_date: `${day}T23:05:00.000Z`,
    capacity: 9,
    instructor_ids: [],
    duration_minutes: 30,
  })
  const ana = await customer(page.request, 'Anasofia', 3)
  await ana.call('POST', '/class_reservations', { single_class_id: single_class_ids[0], spot: '2-2' })

  // With the pointer: the seat is closed; the person gets the nearest one.
  await page.getByRole('button', { name: 'Lugar 6, fila 2, posición 2' }).click()
  await page.getByRole('switch', { name: 'Cerrar este lugar' }).check()
  await page.getByLabel('Hasta').fill(ahead(30))
  await page.getByLabel('Por qué').fill('Bici descompuesta')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByText('1 persona tenía ese lugar. Nadie pierde su clase.')).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar y avisar' }).click()
  await expect(page.getByText('Guardado. Se avisa a 1 persona.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Lugar 6, fila 2, posición 2, cerrado' })).toBeVisible()
  const { single_class } = await owner<{ single_class: { closed_spots: string[]; class_reservations: { spot: string }[] } }>(
    'GET',
    `/single_class/single/${single_class_ids[0]}`,
  )
  expect(single_class.closed_spots).toEqual(['1-2', '2-2'])
  // Of two equally near seats, the left one.
  expect(single_class.class_reservations).toEqual([{ spot: '2-1' }])
})

test('a room is archived and taken back (K14)', async ({ page, isMobile }) => {
  const name = `Sala vieja ${isMobile ? 'a' : 'b'} ${Date.now() % 100_000}`
  const owner = await staff(page.request, 'owner')
  const { locations } = await owner<{ locations: { location_id: number; name: string }[] }>('GET', '/locations')
  const location_id = locations.find((location) => location.name === 'Roma Norte')?.location_id
  await owner('POST', '/rooms', { room_id: 'nueva', name, location_id })
  await enter(page, OWNER, '/admin/catalogo/salas')
  // Beside it are the buttons of its order.
  const row = page.getByRole('button', { name: new RegExp(`^${name}`) })
  await row.click()
  const panel = page.getByRole('dialog').first()
  await expect(panel.getByText('No se usa en ningún lado.')).toBeVisible()
  await panel.getByRole('button', { name: 'Archivar' }).click()
  await expect(page.getByText(/^\d+ archivados?$/)).toBeVisible()
  await expect(row).toBeHidden()
  // The panel closed, which is a step back in the history.
  await expect(page).toHaveURL(/\/admin\/catalogo\/salas$/)
  await page.goto('/admin/catalogo/salas')
  await page.getByText(/^\d+ archivados?$/).click()
  await accessible(page)
  await row.click()
  await page.getByRole('dialog').first().getByRole('button', { name: 'Recuperar' }).click()
  await expect(page.getByText('Recuperado. Se ofrece otra vez.')).toBeVisible()
})

test('a copy of a room takes its map along, or leaves it (L17)', async ({ page, isMobile }) => {
  const name = `Sala madre ${isMobile ? 'a' : 'b'} ${Date.now() % 100_000}`
  const owner = await staff(page.request, 'owner')
  const { locations } = await owner<{ locations: { location_id: number; name: string }[] }>('GET', '/locations')
  const location_id = locations.find((location) => location.name === 'Roma Norte')?.location_id
  const { room } = await owner<{ room: { room_id: number } }>('POST', '/rooms', { room_id: 'nueva', name, location_id })
  const seat = (label: string) => ({ label, kind: 'normal' })
  await owner('PUT', `/rooms/${room.room_id}/map`, { map: { rows: [{ label: 'Fila 1', seats: [seat('1'), seat('2'), seat('3')] }] } })
  await enter(page, OWNER, '/admin/catalogo/salas')
  const copyOf = async (copy: string, isWithMap: boolean) => {
    await page.getByRole('button', { name: new RegExp(`^${name} ?Roma`) }).click()
    const panel = page.getByRole('dialog').first()
    await panel.getByRole('button', { name: 'Duplicar' }).click()
    await panel.getByLabel('Nombre').fill(copy)
    const withMap = panel.getByRole('switch', { name: 'Con su mapa' })
    await expect(withMap).toBeChecked()
    await expect(panel.getByText('3 lugares en el mapa, todos abiertos.')).toBeVisible()
    if (!isWithMap) await withMap.uncheck()
    await accessible(page)
    await panel.getByRole('button', { name: 'Guardar' }).click()
    await expect(page.getByRole('button', { name: new RegExp(`^${copy}`) }).first()).toContainText(
      isWithMap ? '3 lugares en el mapa' : 'Sin mapa',
    )
  }
  await copyOf(`${name} hija`, true)
  await copyOf(`${name} sin mapa`, false)
})

test('a map that a colleague saved meanwhile is shown beside the own one, of which nothing is lost', async ({ page, isMobile }) => {
  const name = `Sala de dos ${isMobile ? 'a' : 'b'} ${Date.now() % 100_000}`
  const owner = await staff(page.request, 'owner')
  const { locations } = await owner<{ locations: { location_id: number; name: string }[] }>('GET', '/locations')
  const location_id = locations.find((location) => location.name === 'Roma Norte')?.location_id
  const { room } = await owner<{ room: { room_id: number } }>('POST', '/rooms', { room_id: 'nueva', name, location_id })
  const seat = (label: string) => ({ label, kind: 'normal' })
  const saveSeats = (...labels: string[]) =>
    owner('PUT', `/rooms/${room.room_id}/map`, { map: { rows: [{ label: 'Fila 1', seats: labels.map(seat) }] } })
  await saveSeats('1', '2', '3')
  await enter(page, OWNER, `/admin/catalogo/salas/${room.room_id}`)
  const addRow = page.getByRole('button', { name: 'Agregar fila' })
  await addRow.click()
  await expect(page.locator('.room-figures dd').nth(2)).toHaveText('2')
  await saveSeats('1', '2', '3', '4')
  // The list of rooms is read again, as when the window gets the focus: the edited map stays.
  await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')))
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const both = page.getByRole('dialog', { name: 'Alguien más cambió el mapa de esta sala' })
  await expect(both.getByRole('region', { name: 'La suya' }).getByText('1 lugar nuevo')).toBeVisible()
  await expect(both.getByRole('region', { name: 'La tuya' })).toContainText('lugares nuevos')
  await accessible(page)
  await both.getByRole('button', { name: 'Seguir editando' }).click()
  await expect(page.locator('.room-figures dd').nth(2)).toHaveText('2')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await both.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.locator('.room-figures dd').nth(2)).toHaveText('2')
  // Without a draft the screen follows what is saved; theirs can be taken instead.
  await addRow.click()
  await saveSeats('1', '2')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await both.getByRole('button', { name: 'Quedarme con la suya' }).click()
  await expect(page.locator('.room-figures dd').first()).toHaveText('2')
  await expect(page.locator('.room-figures dd').nth(2)).toHaveText('1')
})
