/**
 * “Ven conmigo” from the reservation to the guest's name, “Otra vez”, and notifications: their switch and their offer after a booking
 * (docs/domain.md M14, M15, R28 to R31).
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { inDatabase } from './studio-database.ts'
import { ahead, classOn, customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

/** Largest sum of layout shifts without an input, as for every public page. */
const SHIFT_MAX = 0.02

/** Sums the layout shifts of the pages that are opened from now on; returns those of the current one, with what moved. */
async function watchShifts(page: Page): Promise<() => Promise<{ sum: number; moved: string[] }>> {
  await page.addInitScript(() => {
    type Shift = PerformanceEntry & { value: number; hadRecentInput: boolean; sources: { node: Node | null }[] }
    const all = { sum: 0, moved: [] as string[] }
    Object.assign(window, { shifts: all })
    new PerformanceObserver((list) => {
      for (const { value, hadRecentInput, sources } of list.getEntries() as Shift[]) {
        if (hadRecentInput) continue
        all.sum += value
        for (const { node } of sources) all.moved.push(`${value.toFixed(4)} ${node instanceof Element ? node.className : node?.nodeName}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
  })
  return () => page.evaluate(() => (window as unknown as { shifts: { sum: number; moved: string[] } }).shifts)
}

/**
 * Test browsers have no push service: the page gets a device that the browser would have subscribed. `decided`: whether the person has
 * already allowed notifications; otherwise the browser grants the page's request.
 */
async function withPushDevice(page: Page, { decided }: { decided: boolean }): Promise<void> {
  await page.addInitScript((isDecided) => {
    const key = (bytes: number[]) =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    let device: object | null = null
    let permission = isDecided ? 'granted' : 'default'
    const endpoint = `https://push.example.com/${Math.random()}`
    const point = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    const subscription = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh: point, auth: key(Array.from({ length: 16 }, (_, n) => n)) } }),
      unsubscribe: async () => {
        device = null
        return true
      },
    }
    Object.defineProperty(Notification, 'permission', { get: () => permission })
    Notification.requestPermission = async () => {
      permission = 'granted'
      return 'granted'
    }
    PushManager.prototype.getSubscription = async () => device as PushSubscription | null
    PushManager.prototype.subscribe = async () => {
      device = subscription
      return subscription as unknown as PushSubscription
    }
  }, decided)
}

test('a shared reservation is opened by its link, and the guest takes the place', async ({ page, browser }) => {
  const nadia = await customer(page.request, 'Nadia', 2)
  const [single_class_id] = await classOn(page.request, { day: ahead(24), hour: '15:20' })
  const { class_reservation } = await nadia.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', {
    single_class_id,
  })
  await enter(page, nadia, `/mystudio/reservaciones?lugar=${class_reservation.class_reservation_id}`)
  await page.getByRole('button', { name: /^Ven conmigo/ }).click()
  const link = page.getByRole('link', { name: 'Ver la invitación' })
  await expect(link).toBeVisible()
  await accessible(page)

  const guest = await browser.newPage()
  await guest.goto((await link.getAttribute('href')) ?? '')
  await expect(guest.getByText('Nadia te invita a')).toBeVisible()
  await accessible(guest)
  await guest.getByRole('button', { name: 'Tomar mi lugar' }).click()
  await guest.getByLabel('¿Quién viene?').fill('Jimena')
  await guest.getByRole('button', { name: 'Tomar mi lugar' }).click()
  await expect(guest.getByRole('heading', { name: 'Jimena va con Nadia' })).toBeVisible()
  await guest.close()

  await page.reload()
  await expect(page.getByRole('dialog')).toContainText('Jimena')
})

test('notifications are switched on for this device', async ({ page }) => {
  await withPushDevice(page, { decided: true })
  const omar = await customer(page.request, 'Omar', 0)
  await enter(page, omar, '/mystudio/mensajes')
  const onHere = page.getByRole('switch', { name: 'Notificaciones en este dispositivo' })
  await expect(onHere).not.toBeChecked()
  await expect(onHere).toBeEnabled()
  await page.getByText('Notificaciones en este dispositivo', { exact: true }).click()
  await expect(page.getByText('Este dispositivo las recibe.')).toBeVisible()
  expect((await omar.call<{ endpoints: string[] }>('GET', '/push_devices')).endpoints).toHaveLength(1)
  await accessible(page)
  await page.getByText('Notificaciones en este dispositivo', { exact: true }).click()
  await expect(page.getByText('Se activa en cada dispositivo.')).toBeVisible()
  expect((await omar.call<{ endpoints: string[] }>('GET', '/push_devices')).endpoints).toEqual([])
})

test('after a booking notifications are offered once, and the list of sessions says where they are on', async ({ page }) => {
  await withPushDevice(page, { decided: false })
  const vera = await customer(page.request, 'Vera', 2)
  const day = ahead(24)
  const reserve = async (hour: string) => {
    const [single_class_id] = await classOn(page.request, { day, hour })
    await page.goto(`/mystudio?dia=${day}&clase=${single_class_id}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Reservar', exact: true }).click()
    await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  }
  await enter(page, vera, '/mystudio/informacion')
  await expect(page.getByText('Esta sesión', { exact: true })).toBeVisible()
  await expect(page.getByText('Recibe notificaciones')).toHaveCount(0)

  await reserve('15:21')
  const offer = page.getByRole('dialog', { name: '¿Te avisamos en este dispositivo?' })
  await expect(offer.getByText('Así sabes si tu clase cambia o se cancela, y te la recordamos antes.')).toBeVisible()
  await accessible(page)
  await offer.getByRole('button', { name: 'Sí, avísame' }).click()
  await expect(page.getByText('Listo: te avisamos en este dispositivo.')).toBeVisible()
  await expect(offer).toHaveCount(0)
  expect((await vera.call<{ endpoints: string[] }>('GET', '/push_devices')).endpoints).toHaveLength(1)

  await reserve('17:21')
  await expect(offer).toHaveCount(0)
  await page.goto('/mystudio/informacion')
  await expect(page.getByText('Recibe notificaciones')).toBeVisible()
})

test('the class of the last visit is booked again in two taps, with its seat (R28)', async ({ page, isMobile }) => {
  const [first, again] = await classOn(page.request, {
    // An hour of its own for each size: in the other's class the seat is taken.
    day: ahead(2),
    hour: isMobile ? '15:23' : '15:53',
    spot_map: '3,4',
    capacity: 7,
    repeat_until: ahead(9),
  })
  const tania = await customer(page.request, 'Tania', 2)
  await tania.call('POST', '/class_reservations', { single_class_id: first, spot: '2-3' })
  // The visit was five days ago.
  await inDatabase(async (client) => {
    await client.query(
      `update single_class set starts_at = starts_at - interval '7 days', ends_at = ends_at - interval '7 days' where single_class_id = $1`,
      [first],
    )
    await client.query('select pg_notify($1, $2)', ['estudio', JSON.stringify(['e2e', { topic: 'catalogue' }])])
  })
  await expect.poll(async () => (await tania.call<{ spot: string | null }>('GET', '/class_reservations/again')).spot).toBe('2-3')

  const shifts = await watchShifts(page)
  await enter(page, tania, '/mystudio/reservaciones')
  const card = page.getByRole('region', { name: 'Otra vez' })
  await expect(card.getByText(/^Yin, /)).toBeVisible()
  await accessible(page)
  const { sum, moved } = await shifts()
  expect(sum, moved.join('; ')).toBeLessThanOrEqual(SHIFT_MAX)
  // Also where the chosen list is empty.
  await page.goto('/mystudio/reservaciones?ver=cancelled')
  await expect(page.getByText('No hay reservaciones en esta vista.')).toBeVisible()
  await card.getByRole('link', { name: 'Reservar otra vez' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('radio', { name: /^Fila 2, lugar 3/ })).toBeChecked()
  await dialog.getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  const { class_reservations } = await tania.call<{ class_reservations: { single_class: { single_class_id: number }; spot: string }[] }>(
    'GET',
    '/class_reservations',
  )
  expect(class_reservations.map(({ single_class, spot }) => [single_class.single_class_id, spot])).toContainEqual([again, '2-3'])
})
