/** Importar: a file is read, corrected in place, imported and taken back (IM1 to IM6). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('customers are imported from a file and taken back', async ({ page }) => {
  const id = randomUUID().slice(0, 8)
  const csv = [
    'Nombre,Apellidos,E-mail,F. nac.,Membresía,Clases disp.,Vence,Tarjeta',
    `Guadalupe,Ramos ${id},lupita.${id}@correo.test,03/04/94,10 CLASES,4,2027-11-30,4242`,
    `Brenda,Solís ${id},brenda.${id}@gmial.com,07/12/91,,,,`,
  ].join('\n')
  await enter(page, OWNER, '/admin/ajustes/importar')
  await accessible(page)
  await page.getByRole('button', { name: 'Excel o CSV' }).click()
  await expect(page.getByRole('heading', { name: 'Importar de Excel o CSV' })).toBeVisible()
  await page.getByLabel('Archivo', { exact: true }).setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Leer archivo' }).click()

  await expect(page.getByRole('combobox', { name: 'Qué es F. nac.' })).toHaveValue('birthdate')
  await expect(page.getByText('Nunca se importa')).toBeVisible()
  await expect(page.getByText('4242')).toHaveCount(0)
  await accessible(page)
  const dayFirst = page.getByRole('radio', { name: 'Día: 03 abr 1994' })
  await dayFirst.click({ force: true })
  // It was the question; the answer takes it away.
  await expect(dayFirst).toBeHidden()
  await page.getByRole('button', { name: 'Seguir' }).click()
  await expect(page.getByRole('combobox', { name: 'Qué paquete es 10 CLASES' })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Seguir' }).click()

  await expect(page.getByText('¿Quisiste decir gmail.com?')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: `Usar brenda.${id}@gmail.com` }).click()
  await expect(page.getByText('2 personas y 4 clases listas')).toBeVisible()
  await page.getByRole('button', { name: 'Importar 2 personas' }).click()
  await expect(page.getByRole('heading', { name: 'Se importaron 2 clientes.' })).toBeVisible({ timeout: 20_000 })
  await accessible(page)
  await page.getByRole('button', { name: 'Deshacer', exact: true }).click()
  await page.getByRole('button', { name: 'Sí, deshacer' }).click()
  await expect(page.getByRole('heading', { name: 'Se deshizo la importación.' })).toBeVisible({ timeout: 20_000 })
})

test('a schedule is imported and taken back', async ({ page }) => {
  const id = randomUUID().slice(0, 8)
  const csv = [
    'ID clase,Clase,Estudio,Fecha,Hora,Minutos,Lugares',
    `${id}-1,Prueba ${id},Estudio ${id},2031-03-04,05:10,30,8`,
    `${id}-2,Prueba ${id},Estudio ${id},2031-03-04,,30,8`,
  ].join('\n')
  await enter(page, OWNER, '/admin/ajustes/importar')
  await page.getByLabel('Qué trae el archivo').selectOption('Clases del horario')
  await page.getByRole('button', { name: 'Excel o CSV' }).click()
  await expect(page.getByRole('heading', { name: 'Sube el archivo de tu horario' })).toBeVisible()
  await page.getByLabel('Archivo', { exact: true }).setInputFiles({ name: 'clases.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Leer archivo' }).click()
  await expect(page.getByRole('combobox', { name: 'Qué es Clase', exact: true })).toHaveValue('class_type')
  await page.getByRole('button', { name: 'Seguir' }).click()
  await page.getByRole('button', { name: 'Seguir' }).click()

  const hour = page.getByRole('textbox', { name: 'Hora' })
  await hour.fill('06:00')
  await page.getByRole('button', { name: 'Corregir' }).click()
  await expect(page.getByText('2 clases listas')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Importar 2 clases' }).click()
  await expect(page.getByRole('heading', { name: 'Se importaron 2 clases.' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByRole('link', { name: 'Ver el horario' })).toBeVisible()
  await page.getByRole('button', { name: 'Deshacer', exact: true }).click()
  await page.getByRole('button', { name: 'Sí, deshacer' }).click()
  await expect(page.getByRole('heading', { name: 'Se deshizo la importación.' })).toBeVisible({ timeout: 20_000 })
})
