/** “Ven conmigo” from the reservation to the guest's name, and the switch of notifications (docs/domain.md M14, R29 to R31). */
import { accessible } from './axe.ts'
import { ahead, classOn, customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

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
  // Test browsers have no push service: the device is one that the browser would have subscribed.
  await page.addInitScript(() => {
    const key = (bytes: number[]) =>
      btoa(String.fromCharCode(...bytes))
        .replaceAll('+', '-')
        .replaceAll('/', '_')
        .replaceAll('=', '')
    let device: object | null = null
    const endpoint = `https://push.example.com/${Math.random()}`
    const point = 'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4'
    const made = {
      endpoint,
      toJSON: () => ({ endpoint, keys: { p256dh: point, auth: key(Array.from({ length: 16 }, (_, n) => n)) } }),
      unsubscribe: async () => {
        device = null
        return true
      },
    }
    Object.defineProperty(Notification, 'permission', { get: () => 'granted' })
    Notification.requestPermission = async () => 'granted'
    PushManager.prototype.getSubscription = async () => device as PushSubscription | null
    PushManager.prototype.subscribe = async () => {
      device = made
      return made as unknown as PushSubscription
    }
  })
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
