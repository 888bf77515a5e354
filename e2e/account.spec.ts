/**
 * Accounts: the rules of sign-up, password recovery by email, documents that must be accepted, and the profile (S1-2, S1-4, S1-5, S2-2,
 * S2-5). On a phone and on a desktop, with axe on each page.
 */
import type { Page } from '@playwright/test'
import { errors } from '#contract/errors.ts'
import { accessible } from './axe.ts'
import { inDatabase, lastMail } from './studio-database.ts'
import { staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const PASSWORD = 'olas-y-montes-7'

let people = 0
/** Fills the sign-up form; returns the generated email address. */
async function fillSignUp(page: Page, name: string): Promise<string> {
  const id = `${Date.now()}${test.info().workerIndex}${++people}`
  const email = `${name.toLowerCase()}.${id}@correo.test`
  await page.getByLabel('Nombre', { exact: true }).fill(name)
  await page.getByLabel('Apellidos').fill('Mar Olmos')
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Teléfono').fill(`33${id.slice(-8)}`)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirma tu contraseña').fill(PASSWORD)
  await page.getByRole('checkbox').check()
  return email
}

async function signUp(page: Page, name: string, back: string): Promise<string> {
  await page.goto(`/registro?volver=${encodeURIComponent(back)}`)
  const email = await fillSignUp(page, name)
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page).toHaveURL(back)
  return email
}

async function logIn(page: Page, email: string, password: string) {
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}

test('sign-up shows what is missing, field by field (S1-5.01 to S1-5.06, S1-2.99)', async ({ page }) => {
  await page.goto('/registro')
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByRole('alert').getByText('Revisa los campos faltantes o inválidos.')).toBeVisible()
  await expect(page.getByText('Debes aceptar los términos y condiciones antes de continuar.')).toBeVisible()
  await expect(page.getByLabel('Nombre', { exact: true })).toBeFocused()
  // The name in the browser's accessibility tree, with its spaces; Playwright computes names by itself.
  const devtools = await page.context().newCDPSession(page)
  const { nodes } = await devtools.send('Accessibility.getFullAXTree')
  expect(nodes.find(({ role }) => role?.value === 'checkbox')?.name?.value).toBe('Acepto Términos y condiciones y Aviso de privacidad')
  await accessible(page)

  await fillSignUp(page, 'Inés')
  await page.getByLabel('Teléfono').fill('+52 (55) 1234-567890 1')
  // The field keeps digits only, cut to ten. The password is checked against the identity service's policy while it is typed.
  await expect(page.getByLabel('Teléfono')).toHaveValue('5255123456')
  await page.getByLabel('Teléfono').fill('551234')
  await page.getByLabel('Contraseña', { exact: true }).fill('abc')
  await expect(page.locator('.password-rules [data-met="false"]').first()).toBeVisible()
  await page.getByLabel('Confirma tu contraseña').fill('abcd')
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText('El formato del teléfono no es correcto.')).toBeVisible()
  await expect(page.getByText('Las contraseñas no coinciden')).toBeVisible()
  await expect(page.getByText('La contraseña no cumple los requisitos.')).toBeVisible()
  await expect(page).toHaveURL(/\/registro/)
})

test('a forgotten password is reset by email (S1-2.07, S1-4.35, S1-4.36)', { tag: '@one-size' }, async ({ page, context, browser }) => {
  const email = await signUp(page, 'Olivia', '/mystudio/informacion')
  await page.getByRole('button', { name: /Cuenta de Olivia/ }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL(/\/entrar/)

  // The typed values and the page after the log-in are still known there, and after going back.
  await page.goto('/checkout/1')
  // Once scripts run, the link has the destination.
  await expect(page.locator('a[href="/recuperar?volver=%2Fcheckout%2F1"]')).toBeVisible()
  await page.goto('/entrar?volver=%2Fcheckout%2F1')
  // Its click loads no page.
  await expect(page.locator('a[href^="/recuperar?volver="]')).toBeVisible()
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByRole('link', { name: '¿Olvidaste tu contraseña?' }).click()
  await expect(page).toHaveURL('/recuperar?volver=%2Fcheckout%2F1')
  await expect(page.getByLabel('Correo electrónico')).toHaveValue(email)
  await expect(page.getByRole('main').locator('a[href="/entrar?volver=%2Fcheckout%2F1"]')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Recuperar' }).click()
  await expect(page.getByText('Te hemos enviado un correo para reestablecer tu contraseña.')).toBeVisible()

  const link = /https?:\/\/\S*mode=resetPassword\S*/
  await expect.poll(async () => (await lastMail(email)).text, { timeout: 20_000 }).toMatch(link)
  const { text } = await lastMail(email)
  await page.goto(link.exec(text)?.[0] ?? '')
  await expect(page.getByRole('heading', { name: 'Elige tu contraseña' })).toBeVisible()
  await accessible(page)
  // The policy is shown and checked while typing here too (S1-5.01).
  await page.getByLabel('Contraseña nueva').fill('abc')
  await expect(page.locator('.password-rules [data-met="false"]').first()).toBeVisible()
  await accessible(page)
  await page.getByLabel('Contraseña nueva').fill('viento-y-arena-8')
  await page.getByLabel('Confirma tu contraseña').fill('viento-y-arena-8')
  await page
    .getByRole('button', { name: /contraseña/i })
    .last()
    .click()
  await expect(page.getByRole('heading', { name: 'Contraseña actualizada' })).toBeVisible()
  await page.getByRole('link', { name: 'Entrar', exact: true }).click()
  await expect(page).toHaveURL('/entrar?volver=%2Fcheckout%2F1')
  await logIn(page, email, PASSWORD)
  await expect(page.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo')).toBeVisible()
  await logIn(page, email, 'viento-y-arena-8')
  await expect(page).toHaveURL('/checkout/1')

  // The mail leads on to the checkout, on another device too, and never to another site.
  const device = await (await browser.newContext()).newPage()
  for (const [continueUrl, href] of [
    ['', '/recuperar?volver=%2Fcheckout%2F1'],
    ['https://malo.example/entrar?volver=%2Fpaquetes', '/recuperar'],
  ] as const) {
    const address = new URL(link.exec(text)?.[0] ?? '')
    if (continueUrl) address.searchParams.set('continueUrl', continueUrl)
    await device.goto(address.href)
    await expect(device.getByRole('link', { name: 'Pedir otro enlace' })).toHaveAttribute('href', href)
  }
  await device.context().close()

  // The same link works only once.
  const other = await context.newPage()
  await other.goto(link.exec(text)?.[0] ?? '')
  await expect(other.getByRole('heading', { name: 'Este enlace no funciona' })).toBeVisible()
  await expect(other.getByRole('link', { name: 'Pedir otro enlace' })).toHaveAttribute('href', '/recuperar?volver=%2Fcheckout%2F1')
})

test('a customer registered by reception signs up with their own telephone after confirming the email (S1-5.11, P3)', {
  tag: '@one-size',
}, async ({ page }) => {
  const call = await staff(page.request, 'reception')
  await page.goto('/registro')
  const email = await fillSignUp(page, 'Berta')
  const phone = await page.getByLabel('Teléfono').inputValue()
  await call('POST', '/customer', { name: 'Berta', last_name: 'Mar Olmos', email, phone })
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText(errors.EMAIL_NOT_VERIFIED.message)).toBeVisible()
  await expect.poll(async () => (await lastMail(email)).text, { timeout: 20_000 }).toMatch(/mode=verifyEmail/)
  // The telephone of another customer is still refused.
  await page.getByLabel('Correo electrónico').fill(`otra.${email}`)
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText('Ya existe una cuenta con ese número de teléfono')).toBeVisible()
})

test('the password is changed in the profile with the current one; the session continues (S2-3.03, P15)', { tag: '@one-size' }, async ({
  page,
}) => {
  const email = await signUp(page, 'Celeste', '/mystudio/informacion')
  const card = page.getByRole('region', { name: 'Contraseña' })
  await card.getByRole('button', { name: 'Cambiar Contraseña' }).click()
  await card.getByLabel('Contraseña', { exact: true }).fill('no-es-esta-8')
  await card.getByRole('button', { name: 'Continuar' }).click()
  await expect(card.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo')).toBeVisible()
  await card.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await card.getByRole('button', { name: 'Continuar' }).click()
  await card.getByLabel('Contraseña nueva').fill('viento-y-arena-8')
  await card.getByLabel('Confirma tu contraseña').fill('viento-y-arena-9')
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(card.getByText('Las contraseñas no coinciden')).toBeVisible()
  await accessible(page)
  await card.getByLabel('Confirma tu contraseña').fill('viento-y-arena-8')
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Tu contraseña cambió. Cerramos tus otras sesiones.')).toBeVisible()
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Reservaciones' })).toBeVisible()
  await page.getByRole('button', { name: /Cuenta de Celeste/ }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL(/\/entrar/)
  await logIn(page, email, 'viento-y-arena-8')
  await expect(page).toHaveURL(/\/mystudio/)
})

test('a document that must be accepted is shown first and cannot be dismissed (S1-3.42, S1-5.07 to S1-5.10)', async ({ page }) => {
  const email = await signUp(page, 'Renato', '/mystudio')
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  await inDatabase((client) =>
    client.query('delete from accepted_page where customer_id = (select customer_id from customer where email = $1)', [email]),
  )
  await page.reload()
  const dialog = page.getByRole('dialog', { name: 'Términos y condiciones' })
  await expect(dialog).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeHidden()
  await accessible(page)
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.mouse.click(5, 5)
  await expect(dialog).toBeVisible()
  await expect(dialog.getByRole('button', { name: 'Cerrar' })).toHaveCount(0)
  const text = dialog.getByRole('region', { name: 'Términos y condiciones' })
  expect((await text.boundingBox())?.height).toBeLessThanOrEqual(500)

  await dialog.getByRole('button', { name: 'Aceptar' }).click()
  await expect(dialog.getByText('Debes aceptar Términos y condiciones para continuar')).toBeVisible()
  await dialog.getByRole('checkbox', { name: 'Acepto Términos y condiciones' }).check()
  await dialog.getByRole('button', { name: 'Aceptar' }).click()
  // The next document is shown separately, with its own unchecked box.
  const second = page.getByRole('dialog', { name: 'Aviso de privacidad' })
  await expect(second).toBeVisible()
  await expect(dialog).toBeHidden()
  await expect(second.getByRole('checkbox')).not.toBeChecked()
  await second.getByRole('checkbox', { name: 'Acepto Aviso de privacidad' }).check()
  await second.getByRole('button', { name: 'Aceptar' }).click()
  await expect(second).toBeHidden()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  await expect(dialog).toBeHidden()
})

/** A one-colour picture, drawn in the browser. */
async function picture(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    canvas.width = canvas.height = 240
    const context = canvas.getContext('2d')
    if (context) context.fillStyle = '#c0392b'
    context?.fillRect(0, 0, 240, 240)
    return canvas.toDataURL('image/png').split(',')[1] ?? ''
  })
  return Buffer.from(base64, 'base64')
}

test('the profile is shown and edited, with photo and address (S1-1.04, S1-8.56, S2-1.07, S2-2.08, S2-2.69, S2-2.70, S2-3.04, S2-5.01 to S2-5.04)', async ({
  page,
}) => {
  await signUp(page, 'Amanda', '/mystudio/informacion')
  await expect(page.getByRole('heading', { level: 1, name: 'Mi Información' })).toBeVisible()
  await accessible(page)

  await page.getByRole('button', { name: 'Enviar correo de confirmación' }).click()
  await expect(page.getByText('Te enviamos un correo para confirmar tu dirección').first()).toBeVisible()

  const personal = page.getByRole('region', { name: 'Información personal' })
  await personal.getByRole('button', { name: /Editar/ }).click()
  await expect(personal.getByRole('heading', { name: 'Información personal' })).toBeFocused()
  await personal.getByLabel('Teléfono').fill('33')
  await personal.getByLabel('¿Cómo nos conociste?').selectOption('Otro')
  await personal.getByRole('button', { name: 'Guardar' }).click()
  await expect(personal.getByText('Revisa los campos faltantes o inválidos.')).toBeVisible()
  await expect(personal.getByText('El formato del teléfono no es correcto.')).toBeVisible()
  await accessible(page)
  await personal.getByLabel('Teléfono').fill(`44${String(Date.now()).slice(-8)}`)
  await personal.getByLabel('Cuéntanos cómo').fill('Un cartel en la plaza')
  await personal.getByLabel('Fecha de nacimiento').fill('1991-03-17')
  await personal.getByLabel('Instagram').fill('@amanda.mar')

  // The file's content is checked, not its name.
  await personal.getByLabel('Foto').setInputFiles({ name: 'foto.png', mimeType: 'image/png', buffer: Buffer.from('no es una foto') })
  await personal.getByRole('button', { name: 'Guardar' }).click()
  await expect(personal.getByText('Ese tipo de archivo no se acepta.')).toBeVisible()
  await personal.getByLabel('Foto').setInputFiles({ name: 'foto.png', mimeType: 'image/png', buffer: await picture(page) })
  await personal.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Perfil actualizado con éxito.')).toBeVisible()
  await expect(personal.getByText('17 mar 1991')).toBeVisible()
  await expect(personal.getByText('@amanda.mar')).toBeVisible()
  await expect(personal.getByText('Un cartel en la plaza')).toBeVisible()
  const photo = personal.locator('img.profile-photo')
  await expect(photo).toBeVisible()
  expect(await photo.evaluate((image: HTMLImageElement) => [image.naturalWidth, image.naturalHeight])).toEqual([100, 100])

  const address = page.getByRole('region', { name: 'Dirección de Facturación' })
  await address.getByRole('button', { name: /Agregar/ }).click()
  await address.getByLabel('País').fill('')
  await address.getByRole('button', { name: 'Guardar' }).click()
  for (const sentence of ['Debes agregar tu ciudad.', 'Debes agregar tu estado.', 'Debes agregar tu país.'])
    await expect(address.getByText(sentence)).toBeVisible()
  await accessible(page)
  await address.getByLabel('Calle').fill('Tonalá')
  await address.getByLabel('Número exterior').fill('118')
  await address.getByLabel('Ciudad').fill('Ciudad de México')
  await address.getByLabel('Estado').fill('CDMX')
  await address.getByLabel('País').fill('México')
  await address.getByRole('button', { name: 'Guardar' }).click()
  await expect(address.getByText('Tonalá 118')).toBeVisible()
  await page.reload()
  await expect(address.getByText('Ciudad de México, CDMX')).toBeVisible()
  await expect(personal.getByText('@amanda.mar')).toBeVisible()
  await accessible(page)
})

const QUESTIONS = [
  ['lesion', 'Lesiones', 'textarea', true, 1, 2, [], null],
  [
    'nivel',
    'Nivel',
    'select',
    true,
    1,
    1,
    [
      { value: 1, label: 'Empiezo' },
      { value: 2, label: 'Ya practico' },
    ],
    null,
  ],
  ['desde', '¿Desde cuándo?', 'date', true, 1, 3, [], { key: 'nivel', value: 2 }],
  ['gustos', 'Gustos', 'creatable-select', false, 2, 0, [{ value: 'yoga', label: 'Yoga' }], null],
  ['veces', 'Veces por semana', 'number', false, 2, 1, [], null],
  ['casa', 'Casa', 'address', false, 3, 0, [], null],
] as const

/** Creates a form with a field of many kinds, shown in the profile. */
async function createProfileForm() {
  await inDatabase(async (client) => {
    const { rows } = await client.query<{ form_id: number }>(
      "insert into form (name) values ('Antes de tu primera clase') returning form_id",
    )
    const form_id = rows[0]?.form_id
    for (const [key, label, type, required, step, order, options, precondition] of QUESTIONS)
      await client.query(
        'insert into form_field (form_id, key, label, type, required, step, "order", options, precondition) values ($1,$2,$3,$4,$5,$6,$7,$8,$9)',
        [form_id, key, label, type, required, step, order, JSON.stringify(options), precondition && JSON.stringify(precondition)],
      )
    await client.query(
      "insert into setting (key, value) values ('profile_form_id', $1) on conflict (key) do update set value = excluded.value",
      [JSON.stringify(form_id)],
    )
    await client.query('select pg_notify($1, $2)', ['estudio', JSON.stringify(['e2e', { topic: 'settings' }])])
  })
}

test("the studio's own questions are in the profile (S2-5.15 to S2-5.33)", { tag: '@one-size' }, async ({ page }) => {
  await createProfileForm()
  await signUp(page, 'Bruna', '/mystudio/informacion')
  const form = page.getByRole('region', { name: 'Antes de tu primera clase' })
  await expect(async () => {
    if (!(await form.isVisible())) await page.reload()
    await expect(form.getByLabel('Nivel')).toBeVisible({ timeout: 3_000 })
  }).toPass()
  await accessible(page)
  // Sorted by step, then by order; conditional fields are hidden; optional fields are marked.
  await expect(form.getByLabel('¿Desde cuándo?')).toHaveCount(0)
  await expect(form.getByText('Gustos (Opcional)')).toBeVisible()
  await form.getByLabel('Nivel').selectOption('Empiezo')
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(form.getByText('Revisa el campo: Lesiones')).toBeVisible()
  await expect(form.getByText('Debes llenar este campo.')).toBeVisible()
  await form.getByLabel('Nivel').selectOption('Ya practico')
  await form.getByLabel('Lesiones').fill('Ninguna')
  await form.getByLabel('¿Desde cuándo?').fill('2024-05-01')
  await form.getByLabel('Gustos').fill('Natación')
  await form.getByLabel('Gustos').press('Enter')
  await expect(form.getByRole('button', { name: 'Quitar Natación' })).toBeVisible()
  await form.getByLabel('Veces por semana').fill('3')
  await accessible(page)
  await form.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Perfil actualizado con éxito.')).toBeVisible()
  await page.reload()
  await expect(form.getByLabel('Lesiones')).toHaveValue('Ninguna')
  await expect(form.getByLabel('¿Desde cuándo?')).toHaveValue('2024-05-01')
  await expect(form.getByLabel('Veces por semana')).toHaveValue('3')
  await expect(form.getByRole('button', { name: 'Quitar Natación' })).toBeVisible()
})
