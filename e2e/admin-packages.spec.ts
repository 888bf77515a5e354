/** Paquetes: each on its own screen, with the sentence that it means, its card, and what differs from what is stored (S1-8.46, S1-8.47). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('a package is made from its kind, says what it means, is changed, put on the home page, copied and removed (S1-8.46, S1-8.47)', async ({
  page,
}) => {
  const title = `Bono ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, '/admin/paquetes')
  await expect(page.getByRole('link', { name: /^Diez/ })).toContainText('10 clases')
  await accessible(page)
  await page.getByRole('link', { name: 'Nuevo paquete' }).click()
  await expect(page).toHaveURL('/admin/paquetes/nuevo')
  const meaning = page.getByRole('region', { name: 'Esto es lo que vendes' })
  await page.getByRole('textbox', { name: 'Nombre' }).fill(title)
  await page.getByRole('textbox', { name: 'Precio', exact: true }).fill('900')
  await page.getByRole('textbox', { name: 'Precio de oferta' }).fill('950')
  await page.getByRole('textbox', { name: 'Clases', exact: true }).fill('4')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('El precio de oferta no puede ser mayor que el precio.')).toBeVisible()
  await accessible(page)
  await page.getByRole('textbox', { name: 'Precio de oferta' }).fill('')
  await expect(meaning).toContainText('4 clases para usar en 30 días desde la compra. Se paga una vez, $900.00.')
  await page.getByText('Membresía', { exact: true }).click()
  await expect(meaning).toContainText('4 clases cada mes, que vencen en 30 días. Se cobra $900.00 cada mes hasta que se cancela.')
  await page.getByRole('radio', { name: 'Paquete', exact: true }).check({ force: true })
  await page.getByRole('checkbox', { name: 'Todos' }).uncheck()
  await page.getByRole('checkbox', { name: 'Roma Norte' }).check()
  await page.getByRole('button', { name: 'Solo en un horario' }).click()
  await expect(meaning).toContainText('Sirve en Roma Norte')
  await expect(meaning).toContainText('Solo lunes a viernes de 07:00 a 12:00.')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL('/admin/paquetes')
  const row = page.getByRole('link', { name: new RegExp(title) })
  await expect(row).toContainText(/4 clases, 30 días · \$900\.00$/)

  await row.click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Roma Norte' })).toBeChecked()
  await expect(page.getByRole('complementary', { name: 'Cómo se ve y cómo va' })).toContainText('$225.00')
  await page.getByRole('textbox', { name: 'Vence en' }).fill('45')
  await expect(page.getByText('1 cambio sin guardar: vigencia. Quien ya lo compró conserva sus condiciones.')).toBeVisible()
  await expect(meaning.locator('mark')).toHaveText('para usar en 45 días')
  await accessible(page)
  // Leaving opens a confirmation; staying keeps what was typed.
  await page.getByRole('link', { name: 'Duplicar' }).click()
  await page.getByRole('button', { name: 'Seguir aquí' }).click()
  await expect(page.getByRole('textbox', { name: 'Vence en' })).toHaveValue('45')
  const home = page.getByRole('switch', { name: 'En la portada' })
  await home.check({ force: true })
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('¡Paquete agregado al home con éxito!')).toBeVisible()
  await home.uncheck({ force: true })
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('¡Paquete eliminado del home!')).toBeVisible()
  await expect(page.getByText('Sin cambios.')).toBeVisible()

  await page.getByRole('link', { name: 'Duplicar' }).click()
  await expect(page.getByRole('textbox', { name: 'Nombre' })).toHaveValue(`${title} (copia)`)
  await expect(page.getByRole('textbox', { name: 'Vence en' })).toHaveValue('45')
  await page.getByRole('textbox', { name: 'Nombre' }).fill(`${title} bis`)
  await page.goBack()
  await page.getByRole('button', { name: 'Salir sin guardar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  await page.getByRole('button', { name: 'Archivar', exact: true }).click()
  await page.getByRole('button', { name: 'Sí, archivar' }).click()
  await expect(page).toHaveURL('/admin/paquetes')
  await expect(row).toHaveCount(0)
})

test('an unknown package shows that it does not exist', async ({ page }) => {
  await enter(page, OWNER, '/admin/paquetes/999999')
  await expect(page.getByText('Ese paquete ya no existe.')).toBeVisible()
  await accessible(page)
})

test('saving a package over a newer version keeps both persons’ changes', async ({ page, request }) => {
  const owner = await staff(request, 'owner')
  const title = `Versiones ${randomUUID().slice(0, 6)}`
  // Not for sale: other tests compare what is.
  const { class_package } = await owner<{ class_package: { class_package_id: number } }>('POST', '/class_packages', {
    title,
    price: '1000',
    class_amount: 10,
    expiration_days: 30,
    available: false,
  })
  const { class_package_id } = class_package
  await enter(page, OWNER, `/admin/paquetes/${class_package_id}`)
  await page.getByRole('textbox', { name: 'Precio', exact: true }).fill('1100')
  await owner('PUT', '/class_packages', { class_package_id, expiration_days: 45, sat_key: '85122001' })
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Alguien más cambió este paquete' })
  await expect(dialog).toContainText('Cambia: precio')
  await expect(dialog).not.toContainText('archivo')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  const { class_packages } = await owner<{ class_packages: Record<string, unknown>[] }>('GET', '/class_packages/admin/all')
  expect(class_packages.find((classPackage) => classPackage.class_package_id === class_package_id)).toMatchObject({
    price: '1100.00',
    expiration_days: 45,
    sat_key: '85122001',
  })
})
