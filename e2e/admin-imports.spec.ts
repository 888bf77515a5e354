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
    `Óscar,Medina ${id},oscar.${id}@gmial.com,08/12/91,,,,`,
  ].join('\n')
  await enter(page, OWNER, '/admin/ajustes/importar')
  await accessible(page)
  await page.getByRole('button', { name: 'Excel o CSV' }).click()
  await expect(page.getByRole('heading', { name: 'Importar de Excel o CSV' })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cómo preparar tu archivo' })).toContainText('Libro de Excel (.xlsx)')
  await accessible(page)
  await page.getByLabel('Archivo', { exact: true }).setInputFiles({ name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
  await page.getByRole('button', { name: 'Leer archivo' }).click()

  await expect(page.getByRole('combobox', { name: 'Qué es F. nac.' })).toHaveValue('birthdate')
  await expect(page.getByText('Nunca se importa')).toBeVisible()
  await expect(page.getByText('4242')).toHaveCount(0)
  // A row as it will be, and the next one.
  const preview = page.getByRole('region', { name: 'Así queda el renglón 2' })
  await expect(preview).toContainText(`lupita.${id}@correo.test`)
  await preview.getByRole('button', { name: 'Renglón siguiente' }).click()
  await expect(page.getByRole('region', { name: 'Así queda el renglón 3' })).toContainText('Quisiste decir gmail.com')
  const remember = page.getByRole('switch', { name: 'Recordar columnas' })
  await remember.click()
  await expect(remember).not.toBeChecked()
  await accessible(page)
  const dayFirst = page.getByRole('radio', { name: 'Día: 03 abr 1994' })
  await dayFirst.click({ force: true })
  // It was the question; the answer takes it away.
  await expect(dayFirst).toBeHidden()
  await page.getByRole('button', { name: 'Seguir' }).click()
  const ten = page.getByRole('combobox', { name: 'Qué paquete es 10 CLASES' })
  await ten.selectOption({ label: 'Crear paquete…' })
  const dialog = page.getByRole('dialog', { name: 'Crear paquete' })
  await expect(dialog.getByLabel('Clases que da')).toHaveValue('10')
  await dialog.getByLabel('Nombre').fill(`Diez ${id}`)
  await dialog.getByLabel('Precio').fill('1,790')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Crear', exact: true }).click()
  await expect(ten.locator('option:checked')).toHaveText(`Diez ${id}`)
  await accessible(page)
  await page.getByRole('button', { name: 'Seguir' }).click()

  await expect(page.getByText('¿Quisiste decir gmail.com?')).toHaveCount(2)
  await expect(page.getByRole('button', { name: `Usar brenda.${id}@gmail.com` })).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Corregir los 2' }).first().click()
  // The corrected rows stay, and one is taken back and corrected again.
  await expect(page.getByText('Corregido, ahora es nuevo.')).toHaveCount(2)
  await accessible(page)
  await page.getByRole('button', { name: `Deshacer · Brenda Solís ${id}` }).click()
  await expect(page.getByText('Corregido, ahora es nuevo.')).toHaveCount(1)
  await page.getByRole('button', { name: `Usar brenda.${id}@gmail.com` }).click()
  await expect(page.getByText('Corregido, ahora es nuevo.')).toHaveCount(2)
  await expect(page.getByText('3 personas y 4 clases ($716.00 a tus precios) listas')).toBeVisible()
  await page.getByRole('button', { name: 'Importar 3 personas' }).click()
  await expect(page.getByRole('heading', { name: 'Se importaron 3 clientes.' })).toBeVisible({ timeout: 20_000 })
  await expect(page.getByText('Importado', { exact: true })).toHaveCount(3)
  await accessible(page)
  await page.getByRole('button', { name: 'Deshacer', exact: true }).click()
  await expect(page.getByText('Se deshacen 3 personas.')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Sí, deshacer' }).click()
  await expect(page.getByRole('heading', { name: 'Se deshizo la importación.' })).toBeVisible({ timeout: 20_000 })
})

test('of a customer whom the file knows differently, each value is chosen', async ({ page }) => {
  const id = randomUUID().slice(0, 8)
  const phone = `55${String(Date.now()).slice(-8)}`
  const bring = async (email: string) => {
    await page.goto('/admin/ajustes/importar')
    await page.getByRole('button', { name: 'Excel o CSV' }).click()
    const lines = ['Nombre,Apellidos,Correo,Teléfono,Nacimiento', `Jimena,Rosas ${id},${email},${phone},1996-06-22`]
    const file = { name: 'clientes.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.getByLabel('Archivo', { exact: true }).setInputFiles(file)
    await page.getByRole('button', { name: 'Leer archivo' }).click()
    await page.getByRole('button', { name: 'Seguir' }).click()
    await page.getByRole('button', { name: 'Seguir' }).click()
  }
  await enter(page, OWNER, '/admin/ajustes/importar')
  await bring(`antes.${id}@correo.test`)
  await page.getByRole('button', { name: 'Importar 1 persona' }).click()
  await expect(page.getByRole('heading', { name: 'Se importó 1 cliente.' })).toBeVisible({ timeout: 20_000 })

  await bring(`ahora.${id}@correo.test`)
  await expect(page.getByRole('button', { name: '1 Sin cambios' })).toBeVisible()
  const mail = page.getByRole('radiogroup', { name: 'Correo que se queda, renglón 2' })
  await expect(mail.getByRole('radio', { name: new RegExp(`antes.${id}`) })).toBeChecked()
  await accessible(page)
  await mail.getByRole('radio', { name: new RegExp(`ahora.${id}`) }).click()
  await expect(page.getByText('Cambia: correo.')).toBeVisible()
  await page.getByRole('button', { name: 'Importar 1 persona' }).click()
  await expect(page.getByRole('heading', { name: 'Se importó 1 cliente.' })).toBeVisible({ timeout: 20_000 })
  await page.goto('/admin/clientes')
  await page.getByRole('searchbox').fill(`ahora.${id}`)
  await expect(page.getByRole('link', { name: new RegExp(`Rosas ${id}`) }).first()).toBeVisible()
})

test('past purchases and subscriptions are imported, shown in the customer’s file, and a subscription has its link', async ({ page }) => {
  const id = randomUUID().slice(0, 8)
  const upload = async (kind: string, lines: string[]) => {
    await page.goto('/admin/ajustes/importar')
    await page.getByLabel('Qué trae el archivo').selectOption(kind)
    await page.getByRole('button', { name: 'Excel o CSV' }).click()
    const file = { name: 'archivo.csv', mimeType: 'text/csv', buffer: Buffer.from(lines.join('\n')) }
    await page.getByLabel('Archivo', { exact: true }).setInputFiles(file)
    await page.getByRole('button', { name: 'Leer archivo' }).click()
    await page.getByRole('button', { name: 'Seguir' }).click()
  }
  await enter(page, OWNER, '/admin/ajustes/importar')
  await upload('Clientes y sus clases por usar', ['ID cliente,Nombre,Apellidos,Correo', `${id},Inés,Vera ${id},ines.${id}@correo.test`])
  await page.getByRole('button', { name: 'Seguir' }).click()
  await page.getByRole('button', { name: 'Importar 1 persona' }).click()
  await expect(page.getByRole('heading', { name: 'Se importó 1 cliente.' })).toBeVisible({ timeout: 20_000 })

  await upload('Historial de compras', ['ID cliente,Fecha,Paquete,Monto,Forma de pago', `${id},2024-02-20,Bono ${id},"$1,450.00",Terminal`])
  const bundle = page.getByRole('combobox', { name: `Qué paquete es Bono ${id}` })
  await expect(bundle).toContainText('No traer sus compras')
  await page.getByRole('button', { name: 'Seguir' }).click()
  await expect(page.getByText('1 compra lista')).toBeVisible()
  await page.getByRole('button', { name: 'Importar 1 compra' }).click()
  await expect(page.getByRole('heading', { name: 'Se importó 1 compra.' })).toBeVisible({ timeout: 20_000 })

  await upload('Suscripciones por activar', ['ID cliente,Paquete,Próximo cobro,Precio', `${id},Plan ${id},2033-01-15,50`])
  const plan = page.getByRole('combobox', { name: `Qué paquete es Plan ${id}` })
  await expect(plan.locator('option')).not.toHaveCount(2)
  await plan.selectOption({ index: 2 })
  await page.getByRole('button', { name: 'Seguir' }).click()
  await page.getByRole('button', { name: 'Importar 1 suscripción' }).click()
  await expect(page.getByRole('heading', { name: 'Se importó 1 suscripción.' })).toBeVisible({ timeout: 20_000 })

  await page.goto('/admin/clientes')
  await page.getByRole('searchbox').fill(`ines.${id}`)
  await page
    .getByRole('link', { name: new RegExp(`Vera ${id}`) })
    .first()
    .click()
  await page
    .getByRole('navigation', { name: /^Ficha de/ })
    .getByRole('link', { name: 'Compras' })
    .click()
  const history = page.getByRole('region', { name: 'En el sistema anterior' })
  await expect(history).toContainText(`Bono ${id}`)
  await expect(history).toContainText('$1,450.00')
  await page.getByRole('region', { name: 'Por activar' }).getByRole('button', { name: 'Enlace para activar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Enlace para activar' })
  await dialog.getByRole('button', { name: 'Crear enlace' }).click()
  const link = dialog.getByLabel('Enlace', { exact: true })
  await expect(link).toHaveValue(/\/tarjeta\//)
  await accessible(page)
  await page.goto(new URL(await link.inputValue()).pathname)
  await expect(page.getByText('$50.00 el 15 ene 2033')).toBeVisible()
})

test('each system has its steps with drawings, and what to write to its support', async ({ page }) => {
  await enter(page, OWNER, '/admin/ajustes/importar')
  for (const name of ['Mindbody', 'Fitco', 'TeamUp', 'Glofox', 'Momence', 'Arketa']) {
    await page.getByRole('button', { name, exact: true }).click()
    const guide = page.getByRole('region', { name: `Cómo sacar el archivo de ${name}` })
    await expect(guide.getByRole('listitem').filter({ has: page.locator('.guide-picture') })).toHaveCount(3)
    await expect(guide.getByRole('button', { name: 'Copiar la petición' })).toBeVisible()
    if (name === 'Mindbody') await accessible(page)
    await page.getByRole('button', { name: 'Descartar' }).click()
    await expect(page.getByRole('heading', { name: '¿De dónde viene?' })).toBeVisible()
  }
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

test('coaches are imported, and the file again changes nothing', async ({ page }) => {
  const id = randomUUID().slice(0, 8)
  const csv = ['Nombre,Apellidos,Apodo,Biografía', `Irene,Luna ${id},Ire,Da barre desde 2010.`].join('\n')
  const upload = async () => {
    await page.goto('/admin/ajustes/importar')
    await page.getByLabel('Qué trae el archivo').selectOption('Coaches')
    await page.getByRole('button', { name: 'Excel o CSV' }).click()
    await page.getByLabel('Archivo', { exact: true }).setInputFiles({ name: 'coaches.csv', mimeType: 'text/csv', buffer: Buffer.from(csv) })
    await page.getByRole('button', { name: 'Leer archivo' }).click()
    await page.getByRole('button', { name: 'Seguir' }).click()
    await page.getByRole('button', { name: 'Seguir' }).click()
  }
  await enter(page, OWNER, '/admin/ajustes/importar')
  await upload()
  await expect(page.getByText('1 coach listo')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Importar 1 coach' }).click()
  await expect(page.getByRole('heading', { name: 'Se importó 1 coach.' })).toBeVisible({ timeout: 20_000 })
  await upload()
  await expect(page.getByRole('button', { name: '1 Sin cambios' })).toBeVisible()
})
