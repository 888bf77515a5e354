/** Videos of the administration: the list in every state, a video from its address or its file, types and programs (S2-3.20). */
import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import { accessible } from './axe.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

/** A film of the demo. */
const clip = (name: string) => fileURLToPath(new URL(`../server/demo/clips/${name}.webm`, import.meta.url))

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a video is made from its address, scheduled, hidden, found and removed', async ({ page }) => {
  const name = `Barre ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/videos')
  await expect(page.getByRole('heading', { level: 1, name: 'Videos' })).toBeVisible()
  await expect(page.getByText(/Los ve quien tiene vigente un paquete online/)).toBeVisible()
  await accessible(page)
  await page.getByRole('link', { name: 'Nuevo video' }).click()
  const address = page.getByRole('textbox', { name: 'Dirección del video' })
  await address.fill('https://ejemplo.mx/video/7')
  await page.getByRole('textbox', { name: 'Título' }).fill(name)
  await page.getByRole('textbox', { name: 'Minutos' }).fill('25')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText(/Esa dirección no se puede reproducir/)).toBeVisible()
  await accessible(page)
  await address.fill('https://vimeo.com/76979871')
  await expect(page.getByText('Se ve con Vimeo.')).toBeVisible()
  await page.getByLabel('Se publica el').fill('2040-01-07T18:30')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/admin/videos')
  await page.getByRole('searchbox').fill(name)
  await expect(page.getByText('1 video', { exact: true })).toBeVisible()
  await expect(page.getByText(/Programado el .*7 ene/)).toBeVisible()
  await page.getByRole('link', { name }).click()
  await expect(page.getByText('0 personas lo vieron · 0 lo completaron · sin calificar')).toBeVisible()
  await page.getByRole('switch', { name: 'Se muestra' }).uncheck({ force: true })
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Sin cambios.')).toBeVisible()
  await page.goto('/admin/videos?estado=hidden')
  await expect(page.getByRole('link', { name })).toBeVisible()
  await page.getByRole('link', { name }).click()
  await page.getByRole('button', { name: 'Eliminar', exact: true }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page).toHaveURL('/admin/videos')
  await expect(page.getByRole('link', { name })).toHaveCount(0)
})

test('a file is uploaded here, and one that is no video is refused', async ({ page }) => {
  await enter(page, OWNER, '/admin/videos/nuevo')
  await page.getByRole('radio', { name: 'Un archivo' }).check({ force: true })
  const field = page.getByLabel('Archivo del video')
  await field.setInputFiles({ name: 'nota.mp4', mimeType: 'video/mp4', buffer: Buffer.from('no es un video') })
  await expect(page.locator('.field-error')).toBeVisible()
  const webm = Buffer.concat([Buffer.from('1a45dfa3a3428681014282847765626d', 'hex'), Buffer.alloc(64)])
  await field.setInputFiles({ name: 'yin-de-noche.webm', mimeType: 'video/webm', buffer: webm })
  await expect(page.getByRole('textbox', { name: 'Título' })).toHaveValue('Yin de noche')
  await expect(page.getByText('Imagen guardada')).toHaveCount(0)

  // One that the browser can read proposes its minutes, and a frame of itself as the picture.
  await field.setInputFiles(clip('barre'))
  const picture = page.locator('.file-thumb')
  await expect(picture).toHaveAttribute('src', /^\/archivos\/[\w-]+\.(?:webp|jpg)$/)
  await expect(page.getByRole('textbox', { name: 'Minutos' })).toHaveValue('1')
  const first = (await picture.getAttribute('src')) ?? ''
  expect(await picture.evaluate((it: HTMLImageElement) => it.decode().then(() => it.naturalWidth))).toBeGreaterThan(300)
  // Another film proposes its own frame; a chosen picture stays.
  await field.setInputFiles(clip('yin'))
  await expect(picture).not.toHaveAttribute('src', first)
  const second = (await picture.getAttribute('src')) ?? ''
  const square = Buffer.from(
    await page.evaluate(() => {
      const canvas = document.createElement('canvas')
      canvas.width = canvas.height = 240
      return canvas.toDataURL('image/png').split(',')[1] ?? ''
    }),
    'base64',
  )
  await page.getByLabel('Imagen').setInputFiles({ name: 'mia.png', mimeType: 'image/png', buffer: square })
  await expect(picture).not.toHaveAttribute('src', second)
  const chosen = (await picture.getAttribute('src')) ?? ''
  await field.setInputFiles(clip('ciclo'))
  await expect(page.getByText('ciclo.webm')).toBeVisible()
  await expect(picture).toHaveAttribute('src', chosen)
})

test('a video at a service gets a sample, which can be changed and taken away (O17)', async ({ page }) => {
  const name = `Yin ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/videos/nuevo')
  await page.getByRole('textbox', { name: 'Dirección del video' }).fill('https://vimeo.com/76979871')
  await page.getByRole('textbox', { name: 'Título' }).fill(name)
  await page.getByRole('textbox', { name: 'Minutos' }).fill('25')
  const sample = page.getByLabel(/^Muestra/)
  await expect(page.getByText(/que cualquiera puede ver antes de comprar\. Sin él no hay muestra\./)).toBeVisible()
  await sample.setInputFiles({ name: 'larga.webm', mimeType: 'video/webm', buffer: Buffer.alloc(21 * 1_048_576) })
  await expect(page.getByText('La muestra pesa más de 20 MB. Basta un clip de 15 segundos.')).toBeVisible()
  await sample.setInputFiles(clip('yin'))
  await expect(page.getByText('yin.webm')).toBeVisible()
  await expect(page.getByText(/La muestra pesa/)).toHaveCount(0)
  await accessible(page)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/admin/videos')
  await page.getByRole('searchbox').fill(name)
  await page.getByRole('link', { name }).click()
  await expect(page.getByText('yin.webm')).toBeVisible()
  await page.getByRole('button', { name: 'Quitar muestra' }).click()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Sin cambios.')).toBeVisible()
  await expect(page.getByText('yin.webm')).toHaveCount(0)
  await page.getByRole('button', { name: 'Eliminar', exact: true }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
})

test('types and programs are lists of their own', async ({ page }) => {
  const name = `Reto ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/videos/tipos')
  await expect(page.getByRole('heading', { level: 1, name: 'Tipos de video' })).toBeVisible()
  await accessible(page)
  await page.getByRole('link', { name: 'Programas' }).click()
  await expect(page).toHaveURL('/admin/videos/programas')
  await page.getByRole('button', { name: 'Nuevo programa' }).click()
  await page.getByRole('textbox', { name: 'Nombre' }).fill(name)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('button', { name: new RegExp(name) })).toBeVisible()
  await accessible(page)
})

test('the videos of a program are put in order with the keyboard', async ({ page }) => {
  await enter(page, OWNER, '/admin/videos/programas')
  await page.getByRole('navigation', { name: 'Orden de los videos de cada programa' }).getByRole('link').first().click()
  const names = page.getByRole('list', { name: 'Videos del programa' }).getByRole('link')
  await expect(names.nth(1)).toBeVisible()
  const [first = '', second = ''] = await names.allTextContents()
  await accessible(page)
  await page.getByRole('button', { name: `Bajar ${first}` }).focus()
  await page.keyboard.press('Enter')
  await expect(names.nth(0)).toHaveText(second)
  await expect(page.getByText(`${first}: lugar 2 de`)).toBeAttached()
  await page.reload()
  await expect(names.nth(0)).toHaveText(second)
  await expect(names.nth(1)).toHaveText(first)
})
