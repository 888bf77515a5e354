/**
 * The camera of Escanear, with a real picture: the customer's access code as their phone shows it, held at an angle in front of the camera.
 */
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { shiftClock } from '../scripts/shift-clock.mjs'
import { classOn, customer, enter, inMinutes, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const [WIDTH, HEIGHT] = [640, 480]

/** One frame of uncompressed video, which Chromium shows as its camera: the brightness of each pixel, without colour. */
function video(brightness: Buffer): Buffer {
  const colour = Buffer.alloc((WIDTH / 2) * (HEIGHT / 2) * 2, 128)
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${WIDTH} H${HEIGHT} F10:1 Ip A1:1 C420jpeg\n`), Buffer.from('FRAME\n'), brightness, colour])
}

test('the camera reads a customer’s access code, checks them in once, and scans the next one (S2-2.49)', async ({
  page,
  request,
  playwright,
  launchOptions,
  baseURL,
  viewport,
}) => {
  const { day, hour } = inMinutes(90)
  const [single_class_id = 0] = await classOn(request, { day, hour })
  const name = `Celia${randomUUID().slice(0, 8)}`
  const person = await customer(request, name, 2)
  await person.call('POST', '/class_reservations', { single_class_id })
  await enter(page, person, '/mystudio/reservaciones')
  await page.getByRole('button', { name: /^Código de Acceso de Yin/ }).click()
  const code = await page.getByRole('img', { name: /^Código de acceso de tu lugar en Yin/ }).screenshot()
  const brightness = await page.evaluate(
    async ([png, width, height]) => {
      const picture = new Image()
      picture.src = png
      await picture.decode()
      const canvas = document.createElement('canvas')
      Object.assign(canvas, { width, height })
      const pen = canvas.getContext('2d') as CanvasRenderingContext2D
      pen.fillStyle = '#ddd'
      pen.fillRect(0, 0, width, height)
      pen.translate(width / 2, height / 2)
      pen.rotate(0.15)
      pen.drawImage(picture, -150, -150, 300, 300)
      const { data } = pen.getImageData(0, 0, width, height)
      let text = ''
      for (let at = 0; at < data.length; at += 4)
        text += String.fromCharCode(Math.round(0.3 * (data[at] ?? 0) + 0.59 * (data[at + 1] ?? 0) + 0.11 * (data[at + 2] ?? 0)))
      return btoa(text)
    },
    [`data:image/png;base64,${code.toString('base64')}`, WIDTH, HEIGHT] as const,
  )
  const folder = await mkdtemp(join(tmpdir(), 'estudio-camera-'))
  const file = join(folder, 'camera.y4m')
  await writeFile(file, video(Buffer.from(brightness, 'base64')))
  const browser = await playwright.chromium.launch({
    ...launchOptions,
    args: [
      ...(launchOptions.args ?? []),
      '--use-fake-ui-for-media-stream',
      '--use-fake-device-for-media-stream',
      `--use-file-for-fake-video-capture=${file}`,
    ],
  })
  try {
    const desk = await browser.newContext({
      baseURL,
      viewport,
      locale: 'es-MX',
      timezoneId: 'America/Mexico_City',
      permissions: ['camera'],
    })
    await desk.addInitScript(shiftClock, Number(process.env.CLOCK_SHIFT_MS ?? 0))
    const screen = await desk.newPage()
    // The permission was granted before: the camera starts by itself.
    await enter(screen, RECEPTION, '/admin/escanear')
    const result = screen.getByRole('region', { name: 'Resultado' })
    await expect(result.getByText('Llegó', { exact: true })).toBeVisible({ timeout: 30_000 })
    await expect(result).toContainText(name)
    // The code stays in front of the camera: it is not reported again as already checked in.
    await screen.waitForTimeout(6_000)
    await expect(result.getByText('Llegó', { exact: true })).toBeVisible()
    const reception = await staff(request, 'reception')
    const { class_reservations } = await reception<{ class_reservations: { attend: boolean | null }[] }>(
      'GET',
      `/admin/class_reservations?customer_id=${person.customer_id}`,
    )
    expect(class_reservations).toMatchObject([{ attend: true }])
  } finally {
    await browser.close()
    await rm(folder, { recursive: true, force: true })
  }
})
