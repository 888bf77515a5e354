/** The page of a coach: profile as the site shows it, the photo cut out around the face, absences, classes, pay and access (K17, L16). */
import { randomUUID } from 'node:crypto'
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { ahead, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

/** A photo with a face-like spot, as a file. */
async function picture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = 900
    canvas.height = 700
    const context = canvas.getContext('2d')
    if (context) {
      context.fillStyle = '#27406b'
      context.fillRect(0, 0, 900, 700)
      context.fillStyle = '#e8b48a'
      context.fillRect(560, 160, 120, 150)
    }
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

test('a coach gets a photo cut out around the face, another quote and an absence, and the site shows them (K17, L16)', async ({ page }) => {
  const name = `Irene ${randomUUID().slice(0, 6)}`
  const owner = await staff(page.request, 'owner')
  const { instructor } = await owner<{ instructor: { instructor_id: number } }>('POST', '/instructors', { name, is_home: false })
  const { instructor_id } = instructor
  const stored = async () =>
    (
      await owner<{
        instructors: {
          instructor_id: number
          class_type_ids: number[] | null
          photo: string | null
          photo_original: string | null
          photo_crop: object | null
        }[]
      }>('GET', '/instructors/admin/all')
    ).instructors.find((instructor) => instructor.instructor_id === instructor_id)

  // From the list to the page.
  await enter(page, OWNER, '/admin/catalogo/coaches')
  await page.getByRole('button', { name: new RegExp(`^${name}`) }).click()
  await page.getByRole('link', { name: /^Abrir su ficha/ }).click()
  await expect(page).toHaveURL(`/admin/catalogo/coaches/${instructor_id}`)
  await expect(page.getByRole('heading', { level: 1, name })).toBeVisible()
  await expect(page.getByText('No tiene clases en las próximas dos semanas.')).toBeVisible()
  await expect(page.getByText('No entra a la administración: no ve sus clases ni sus listas.')).toBeVisible()
  await accessible(page)
  const form = page.getByRole('region', { name: 'Perfil' })
  const preview = page.getByRole('region', { name: 'Así se ve en tu sitio' })
  await form.getByRole('textbox', { name: 'Frase' }).fill('Respira y suelta')
  await expect(preview.getByText('“Respira y suelta”')).toBeVisible()
  await form.getByRole('group', { name: 'Qué puede dar' }).getByRole('checkbox', { name: 'Yin' }).check({ force: true })
  await expect(page.getByRole('region', { name: 'Cifras' }).getByText('No dio clases en las últimas cuatro semanas.')).toBeVisible()

  await form
    .getByLabel('Foto', { exact: false })
    .first()
    .setInputFiles({ name: 'irene.png', mimeType: 'image/png', buffer: await picture(page) })
  const cropping = page.getByRole('dialog', { name: 'Recortar la foto' })
  const face = cropping.getByRole('slider', { name: 'Dónde está la cara' })
  await expect(face).toBeVisible()
  await face.focus()
  for (let step = 0; step < 5; step++) await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('+')
  await expect(face).toHaveAttribute('aria-valuetext', '60 % desde la izquierda, 38 % desde arriba')
  await expect(cropping.getByRole('slider', { name: 'Acercar' })).toHaveValue('1.1')
  await accessible(page)
  await cropping.getByRole('button', { name: 'Usar este recorte' }).click()
  await expect(cropping).toBeHidden()
  await expect(preview.locator('.coach-portrait > img')).toBeVisible()
  await expect(page.getByText('Hay cambios sin guardar.')).toBeVisible()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByText('Sin cambios.')).toBeVisible()
  const saved = await stored()
  expect(saved?.class_type_ids).toHaveLength(1)
  expect(saved?.photo_crop).toEqual({ x: 0.6, y: 0.38, zoom: 1.1 })
  expect(saved?.photo_original).not.toBe(saved?.photo)
  // The part has the shape of the portrait.
  const size = await preview
    .locator('.coach-portrait > img')
    .evaluate((image: HTMLImageElement) => image.naturalWidth / image.naturalHeight)
  expect(size).toBeCloseTo(4 / 4.9, 1)

  // It is cut again from the whole photo, where it was cut before.
  await page.getByRole('button', { name: 'Recortar' }).click()
  await expect(face).toHaveAttribute('aria-valuetext', '60 % desde la izquierda, 38 % desde arriba')
  await cropping.getByRole('button', { name: 'No, volver' }).click()

  await page.getByRole('button', { name: 'Agregar ausencia' }).click()
  const absence = page.getByRole('dialog', { name: 'Agregar ausencia' })
  await expect(absence.getByText(name)).toBeVisible()
  await absence.getByLabel('Primer día').fill(ahead(40))
  await absence.getByLabel('Último día').fill(ahead(44))
  await absence.getByRole('textbox', { name: 'Motivo' }).fill('Vacaciones')
  await absence.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('region', { name: 'Ausencias' }).getByText('Vacaciones')).toBeVisible()
  await accessible(page)

  await page.goto(`/instructor/${instructor_id}`)
  await expect(page.getByText('“Respira y suelta”')).toBeVisible()
  await expect(page.getByRole('img', { name: `Retrato de ${name}` })).toHaveAttribute(
    'src',
    new RegExp(saved?.photo?.split('/').at(-1) ?? 'x'),
  )
})

test('a coach is archived and taken back; one that does not exist says so', async ({ page }) => {
  const name = `Bruno ${randomUUID().slice(0, 6)}`
  const owner = await staff(page.request, 'owner')
  const { instructor } = await owner<{ instructor: { instructor_id: number } }>('POST', '/instructors', { name, is_home: false })
  await enter(page, OWNER, `/admin/catalogo/coaches/${instructor.instructor_id}`)
  await page.getByRole('button', { name: 'Archivar' }).click()
  await expect(page.getByRole('button', { name: 'Recuperar' })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer' }).click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  await expect(page.getByRole('button', { name: 'Archivar' })).toBeVisible()
  await page.goto('/admin/catalogo/coaches/99999999')
  await expect(page.getByText('Ese coach ya no existe.')).toBeVisible()
  await accessible(page)
})
