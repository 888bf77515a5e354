/** The page of a customer in the administration: summary, notes, tags. */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { ahead, customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

test('reception writes a note that coaches see, pins it and removes it (X1, X3)', async ({ page, request }) => {
  const { customer_id } = await customer(request, `Marta${randomUUID().slice(0, 8)}`, 2)
  await enter(page, RECEPTION, `/admin/clientes/${customer_id}`)
  await expect(page.getByText('Nuevo', { exact: true })).toBeVisible()
  await expect(page.getByRole('region', { name: 'Cifras' })).toContainText('todavía ninguna')
  const notes = page.getByRole('region', { name: 'Notas' })
  await expect(notes.getByText('Nadie ha escrito notas.')).toBeVisible()
  await notes.getByLabel('Nota nueva').fill('Cuida su rodilla')
  await notes.getByText('Visible para coaches').click()
  await notes.getByRole('button', { name: 'Guardar' }).click()
  await expect(notes.getByRole('listitem')).toContainText('Cuida su rodilla')
  await expect(notes.getByRole('listitem')).toContainText('Visible para coaches')
  await accessible(page)
  await notes.getByRole('button', { name: 'Cambiar esta nota' }).click()
  await page.getByRole('menuitem', { name: 'Fijar arriba' }).click()
  await expect(notes.getByRole('img', { name: 'Fija' })).toBeVisible()
  await notes.getByRole('button', { name: 'Cambiar esta nota' }).click()
  await page.getByRole('menuitem', { name: 'Borrar' }).click()
  await expect(notes.getByText('Nadie ha escrito notas.')).toBeVisible()
})

test('whoever saves a note over a newer version reads both and chooses (K19)', async ({ page, request }) => {
  const { customer_id } = await customer(request, `Nora${randomUUID().slice(0, 8)}`, 0)
  const owner = await staff(request, 'owner')
  const { note } = await owner<{ note: { customer_note_id: number } }>('POST', `/admin/customers/${customer_id}/notes`, {
    text: 'Viene sola',
  })
  await enter(page, RECEPTION, `/admin/clientes/${customer_id}`)
  await page.getByRole('button', { name: 'Cambiar esta nota' }).click()
  await page.getByRole('menuitem', { name: 'Cambiar el texto' }).click()
  await page.getByRole('dialog').getByLabel('Nota', { exact: true }).fill('Viene con su hija')
  await owner('PUT', `/admin/customers/${customer_id}/notes`, {
    customer_note_id: note.customer_note_id,
    text: 'Viene con su mamá',
  })
  await page.getByRole('button', { name: 'Guardar', exact: true }).last().click()
  const both = page.getByRole('dialog', { name: 'Alguien más cambió esta nota' })
  await expect(both).toContainText(/^.*Mónica.* cambió esto hace 1 min/)
  await expect(both).toContainText('La suya Viene con su mamá')
  await accessible(page)
  await both.getByRole('button', { name: 'Quedarme con la suya' }).click()
  await expect(page.getByRole('dialog').getByLabel('Nota', { exact: true })).toHaveValue('Viene con su mamá')
})

test('whoever saves the data of a customer over newer ones reads both, and loses nothing that was typed (K19)', async ({
  page,
  request,
}) => {
  const { customer_id } = await customer(request, `Sol${randomUUID().slice(0, 8)}`, 0)
  const owner = await staff(request, 'owner')
  await enter(page, RECEPTION, `/admin/clientes/${customer_id}?ver=perfil`)
  await page.getByRole('region', { name: 'Datos' }).getByRole('button', { name: 'Cambiar' }).click()
  const data = page.getByRole('dialog', { name: 'Cambiar sus datos' })
  await data.getByLabel('Nombre').fill('Sara')
  await owner('PUT', '/customer', { customer_id, name: 'Zoé', instagram: 'zoe' })
  await data.getByRole('button', { name: 'Guardar' }).click()
  const both = page.getByRole('dialog', { name: 'Alguien más cambió sus datos' })
  await expect(both).toContainText(/cambió esto hace 1 min/)
  await expect(both).toContainText('La suya Zoé')
  await expect(both).toContainText('La tuya Sara')
  await accessible(page)
  await both.getByRole('button', { name: 'Seguir editando' }).click()
  await expect(data.getByLabel('Nombre')).toHaveValue('Sara')
  await data.getByRole('button', { name: 'Guardar' }).click()
  await both.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(both).toBeHidden()
  // What only the colleague changed stays.
  await expect(page.getByRole('region', { name: 'Datos' })).toContainText('Sara Mar Olmos')
  await expect(page.getByRole('region', { name: 'Datos' })).toContainText('zoe')
})

test('a tag is created and assigned on the page of a customer, and taken back from “Lo último” (X2, LA9)', async ({
  page,
  request,
  isMobile,
}) => {
  const { customer_id } = await customer(request, `Olga${randomUUID().slice(0, 8)}`, 0)
  const tag = `Madrugadora ${randomUUID().slice(0, 6)}`
  await enter(page, OWNER, `/admin/clientes/${customer_id}`)
  await page.getByRole('button', { name: 'Etiqueta' }).click()
  const dialog = page.getByRole('dialog', { name: /^Etiquetas de/ })
  await dialog.getByLabel('Etiqueta nueva').fill(tag)
  await dialog.getByRole('button', { name: 'Crear' }).click()
  await expect(dialog.getByLabel(tag)).toBeChecked()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText(tag)).toBeVisible()
  const owner = await staff(request, 'owner')
  const file = await owner<{ tags: { name: string }[] }>('GET', `/admin/customers/${customer_id}`)
  expect(file.tags.map(({ name }) => name)).toEqual([tag])
  await expect(page.getByRole('button', { name: 'Deshacer', exact: true })).toBeVisible()
  await page.getByRole('button', { name: 'Ocultar' }).click()
  if (isMobile) {
    // The file of a customer has no menu on a phone.
    await page.goto('/admin/clientes')
    await page.getByRole('button', { name: 'Abrir menú' }).click()
    await page.getByRole('button', { name: 'Lo último' }).click()
  } else {
    await page.getByRole('button', { name: /^Tu cuenta/ }).click()
    await page.getByRole('menuitem', { name: 'Lo último' }).click()
  }
  const last = page.getByRole('dialog', { name: 'Lo último' })
  await accessible(page)
  await last
    .getByRole('button', { name: /^Deshacer: Se cambiaron las etiquetas de Olga/ })
    .first()
    .click()
  await expect(page.getByText('Deshecho.')).toBeVisible()
  expect((await owner<{ tags: unknown[] }>('GET', `/admin/customers/${customer_id}`)).tags).toEqual([])
})

test('the owner downloads what the studio holds about a person (X7)', async ({ page, request }) => {
  const name = `Nora${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 2)
  await enter(page, OWNER, `/admin/clientes/${customer_id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  await page.getByRole('menuitem', { name: 'Descargar sus datos' }).click()
  const dialog = page.getByRole('dialog', { name: new RegExp(`^Datos de ${name}`) })
  await expect(dialog).toBeVisible()
  await accessible(page)
  const arrives = page.waitForEvent('download')
  await dialog.getByRole('button', { name: 'Para leer' }).click()
  expect((await arrives).suggestedFilename()).toMatch(new RegExp(`^datos-${customer_id}-\\d{4}-\\d\\d-\\d\\d\\.html$`))
  await expect(dialog).toBeHidden()
})

test('all that a customer has is frozen and thawed from the file, and each can be undone (C24)', async ({ page, request }) => {
  const { customer_id } = await customer(request, `Ada${randomUUID().slice(0, 8)}`, 2)
  await enter(page, OWNER, `/admin/clientes/${customer_id}`)
  const has = page.getByRole('region', { name: 'Lo que tiene' })
  for (const [verb, title] of [
    ['Congelar', 'Congelar sus clases'],
    ['Descongelar', 'Descongelar sus clases'],
  ] as const) {
    await page.getByRole('button', { name: 'Más acciones' }).click()
    await page.getByRole('menuitem', { name: verb, exact: true }).click()
    const dialog = page.getByRole('dialog', { name: title })
    await expect(dialog.getByText('Cambian 1 de 1.')).toBeVisible()
    await dialog.getByLabel('Motivo').fill('Se va de viaje')
    await accessible(page)
    await dialog.getByRole('button', { name: 'Cambiar a 1 cliente' }).click()
    const job = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Deshacer' }) })
    await expect(job.getByText('1 cliente cambió.')).toBeVisible()
    await job.getByRole('button', { name: 'Listo' }).click()
    await expect(has.getByText('Congelado')).toHaveCount(verb === 'Congelar' ? 1 : 0)
  }
})

test('classes are given from the file without a package, and it can be undone (C16)', async ({ page, request }) => {
  const { customer_id } = await customer(request, `Eva${randomUUID().slice(0, 8)}`, 2)
  await enter(page, OWNER, `/admin/clientes/${customer_id}?ver=creditos`)
  const credits = page.getByRole('region', { name: 'Créditos' })
  await credits.getByRole('button', { name: 'Dar clases' }).click()
  const dialog = page.getByRole('dialog', { name: 'Dar clases' })
  await dialog.getByLabel('Clases', { exact: true }).fill('3')
  await dialog.getByLabel('Último día').fill(ahead(20))
  await dialog.getByLabel('Motivo').fill('Se fue la luz')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Cambiar a 1 cliente' }).click()
  const job = page.getByRole('dialog').filter({ has: page.getByRole('button', { name: 'Deshacer' }) })
  await job.getByRole('button', { name: 'Listo' }).click()
  await expect(credits.getByText('Cortesía del estudio')).toBeVisible()
  await expect(credits.getByRole('listitem').filter({ hasText: 'Cortesía del estudio' })).toContainText('3')
})

test('reception books from the file, reads what has happened, and keeps the profile (X16 to X18)', async ({ page, request }) => {
  const name = `Irma${randomUUID().slice(0, 8)}`
  const { customer_id } = await customer(request, name, 3)
  await enter(page, RECEPTION, `/admin/clientes/${customer_id}`)
  await page.getByRole('button', { name: 'Reservar', exact: true }).click()
  const choose = page.getByRole('dialog', { name: `Reservar para ${name}` })
  await choose.getByLabel('Día', { exact: true }).fill(ahead(1))
  const classes = choose
    .getByRole('list', { name: 'Clases del día' })
    .getByRole('button')
    .filter({ hasText: /\d lugar/ })
  await accessible(page)
  await classes.first().click()
  await page
    .getByRole('dialog', { name: new RegExp(`^${name}`) })
    .getByRole('button', { name: 'Reservar', exact: true })
    .click()
  const happened = page.getByRole('region', { name: 'Lo que ha pasado' })
  await expect(happened.getByRole('listitem').filter({ hasText: 'Reservó' })).toContainText('El equipo')
  await happened.getByText('Dinero', { exact: true }).click()
  await expect(happened.getByRole('listitem')).toHaveCount(1)
  await expect(happened.getByRole('listitem')).toContainText('Recibió 3 clases')
  await accessible(page)

  await page
    .getByRole('navigation', { name: /^Ficha de/ })
    .getByRole('link', { name: 'Perfil' })
    .click()
  await expect(page.getByRole('region', { name: 'Documentos' })).toContainText('Versión 1')
  await page.getByRole('button', { name: 'Permitir WhatsApp' }).click()
  const consent = page.getByRole('dialog', { name: 'Permitir WhatsApp' })
  await consent.getByLabel('Cómo lo dijo').fill('En recepción')
  await consent.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('WhatsApp: sí')).toBeVisible()
  await page.getByRole('button', { name: 'Enviar enlace para contraseña' }).click()
  await expect(page.getByText('Enlace enviado.')).toBeVisible()
  await page.getByRole('region', { name: 'Datos' }).getByRole('button', { name: 'Cambiar' }).click()
  const data = page.getByRole('dialog', { name: 'Cambiar sus datos' })
  await data.getByLabel('Fecha de nacimiento').fill('1994-03-09')
  await data.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByRole('region', { name: 'Datos' })).toContainText('9 mar 1994')
  await accessible(page)
})
