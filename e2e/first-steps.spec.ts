/**
 * From an empty installation to a customer's first paid booking, with the keyboard only and in at most ten minutes of a person's time
 * (admin sections 13 and 19a). A studio of this file's own without demo: in order.
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { hasFocus, KeyboardPerson } from './keyboard.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let own: OwnStudio
test.beforeAll(async () => {
  own = await ownStudio({ DEMO: 'off', REQUESTS_PER_MINUTE: '0' })
})
test.afterAll(() => own?.close())

const PASSWORD = 'olas-y-montes-7'
const LIMIT_SECONDS = 600

const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
const button = (page: Page, name: string | RegExp) => page.getByRole('button', { name })

test('an owner makes the studio and a customer pays and reserves, by keyboard, in ten minutes', async ({ page }) => {
  test.setTimeout(300_000)
  const person = new KeyboardPerson(page)
  const spent: [string, KeyboardPerson][] = [['owner', person]]
  const step = (title: string, body: () => Promise<void>) => {
    person.begin(title)
    return test.step(title, body)
  }

  await step('who opens the printed link takes charge of the studio', async () => {
    const until = String(Date.now() + 3_600_000)
    await page.goto(`${own.url}/cuenta/nuevo-estudio/${await own.sign('primera-persona', until)}`)
    await person.read()
    await person.typeInto(page.getByLabel('Tu nombre'), 'Sofía Luna')
    await person.typeInto(page.getByLabel('Correo electrónico'), 'sofia@marea.example')
    await person.press('Enter')
    await expect(heading(page, 'Elige tu contraseña')).toBeVisible()
    await person.read()
    await person.typeInto(page.getByLabel('Contraseña nueva', { exact: true }), PASSWORD)
    await person.typeInto(page.getByLabel('Confirma tu contraseña'), PASSWORD)
    await person.press('Enter')
    await person.activate(page.getByRole('link', { name: 'Entrar', exact: true }).last())
    await person.typeInto(page.getByLabel('Correo electrónico'), 'sofia@marea.example')
    await person.typeInto(page.getByLabel('Contraseña', { exact: true }), PASSWORD)
    await person.press('Enter')
  })

  await step('Tu estudio', async () => {
    await expect(heading(page, '¿Cómo se llama tu estudio?')).toBeVisible()
    await person.read()
    await accessible(page)
    await person.typeInto(page.getByLabel('Nombre del estudio'), 'Marea')
    await person.typeInto(page.getByLabel('Ciudad'), 'Puebla')
    await person.choose(page.getByRole('group', { name: 'Qué enseñas' }), 'Yoga')
    await person.choose(page.getByRole('group', { name: 'Colores' }), 'Marea')
    await person.press('Enter')
    await expect(heading(page, '¿Dónde das clases?')).toBeVisible()
  })
  await step('Dónde', async () => {
    await person.read()
    await person.typeInto(page.getByLabel('Dirección'), 'Avenida Juárez 1204, La Paz, Puebla')
    await person.press('Enter')
    await expect(heading(page, '¿Cuántas personas caben?')).toBeVisible()
    await page.goBack()
    await expect(heading(page, '¿Dónde das clases?')).toBeVisible()
    expect(await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)).toBe(0)
    await page.goForward()
    await expect(heading(page, '¿Cuántas personas caben?')).toBeVisible()
  })
  await step('Sala', async () => {
    await person.read()
    await person.typeInto(page.getByLabel(/^Lugares de cada fila/), '5, 5')
    await accessible(page)
    await person.press('Enter')
    await expect(heading(page, '¿Qué clases das?')).toBeVisible()
  })
  await step('Clases', async () => {
    await person.read()
    await person.press('Control+Enter')
    await expect(heading(page, '¿Quién da las clases?')).toBeVisible()
  })
  await step('Coaches', async () => {
    await person.read()
    await person.typeInto(page.getByLabel('Coaches'), 'Sofía Luna')
    await person.press('Enter')
    await person.type('Ana Ríos')
    await person.press('Control+Enter')
    await expect(heading(page, '¿A qué hora das clases?')).toBeVisible()
  })
  await step('Horario: painted, and resumed after leaving', async () => {
    await person.read()
    await person.goTo(button(page, 'lunes 07:00, vacío'))
    await person.press('Space')
    await person.press('Shift+ArrowRight', 4)
    await expect(button(page, 'viernes 07:00, Vinyasa con Sofía Luna')).toBeVisible()
    await accessible(page)
    // The choice is saved while it is edited.
    await expect
      .poll(
        async () =>
          (
            await own.sql<{ cells: number }>(
              "select jsonb_array_length(draft->'cells') as cells from onboarding_step where key = 'schedule'",
            )
          )[0],
      )
      .toEqual({ cells: 5 })
    await person.press('Escape')
    await expect(page.getByRole('region', { name: 'Primeros pasos: 5 de 10' })).toBeVisible()
    await person.activate(page.getByRole('link', { name: 'Seguir', exact: true }))
    await expect(button(page, 'viernes 07:00, Vinyasa con Sofía Luna')).toBeVisible()
    // The second class is pasted.
    await person.choose(page.getByRole('radiogroup', { name: 'Cómo lo haces' }), 'Pegar una lista')
    await person.goTo(page.getByLabel('Tu horario'))
    await person.paste('Lun, mié y vie 19:15 Hatha con Ana\nSáb 9:30 Yin Ana Ríos')
    await person.activate(button(page, 'Ponerlas en la semana'))
    await expect(page.getByText('9 clases por semana')).toBeVisible()
    await expect(button(page, 'miércoles 19:15, Hatha con Ana Ríos')).toBeVisible()
    await person.press('Control+Enter')
    await expect(heading(page, '¿Cuánto cobras?')).toBeVisible()
    const [{ classes = 0 } = {}] = await own.sql<{ classes: number }>('select count(*)::int as classes from single_class')
    expect(classes).toBeGreaterThan(60)
  })
  await step('Paquetes', async () => {
    await person.read()
    await person.typeInto(page.getByLabel('Precio de Clase suelta'), '220')
    await person.press('Enter')
    await expect(heading(page, '¿Cómo te pagan?')).toBeVisible()
  })
  await step('Cobros', async () => {
    await person.read()
    await person.activate(page.getByRole('switch', { name: /^Terminal de tarjeta/ }), 'Space')
    await accessible(page)
    await person.press('Control+Enter')
    await expect(heading(page, 'Tres reglas')).toBeVisible()
  })
  await step('Reglas', async () => {
    await person.read()
    await person.press('Control+Enter')
    await expect(heading(page, 'Tus textos legales')).toBeVisible()
  })
  await step('Legales', async () => {
    await person.read()
    await person.typeInto(page.getByLabel('Correo para preguntas sobre datos'), 'hola@marea.example')
    await accessible(page)
    await person.press('Enter')
    await expect(heading(page, '¡Tu sitio está listo!')).toBeVisible()
  })
  await step('the end: a test reservation, taken off again; examples', async () => {
    await person.read()
    await accessible(page)
    await expect(page.getByText('10 de 10 pasos')).toBeVisible()
    await person.activate(button(page, 'Haz tu primera reservación'))
    await expect(page.getByRole('link', { name: 'Ver la lista de la clase' })).toBeVisible()
    await person.activate(button(page, 'Quitar a la persona de prueba'))
    await expect(button(page, 'Haz tu primera reservación')).toBeVisible()
    expect((await own.sql<{ left: number }>('select count(*)::int as left from class_reservation where "deletedAt" is null'))[0]).toEqual({
      left: 0,
    })
  })

  await step('a customer finds a class on the site, signs up, pays by card and has a seat', async () => {
    const customer = await page.context().browser()?.newContext({ locale: 'es-MX', viewport: page.viewportSize() })
    if (!customer) throw new Error('no browser')
    const shop = await customer.newPage()
    const buyer = new KeyboardPerson(shop)
    buyer.begin('the site')
    await shop.goto(own.url)
    await buyer.read()
    // The next classes of the studio, on the first screen.
    await buyer.activate(
      shop
        .getByRole('list')
        .getByRole('link', { name: /Vinyasa/ })
        .first(),
    )
    const sheet = shop.getByRole('dialog', { name: 'Crea tu cuenta para reservar' })
    await expect(sheet).toContainText('Vinyasa')
    buyer.begin('an account')
    await buyer.read(sheet)
    await accessible(shop)
    for (const [label, text] of [
      ['Nombre', 'Julia'],
      ['Apellidos', 'Ríos Peña'],
      ['Correo electrónico', 'julia@correo.example'],
      ['Teléfono', '2221234567'],
      ['Contraseña', PASSWORD],
      ['Confirma tu contraseña', PASSWORD],
    ] as const)
      await buyer.typeInto(sheet.getByLabel(label, { exact: true }), text)
    await buyer.activate(sheet.getByRole('checkbox'), 'Space')
    await buyer.press('Enter')

    const offer = shop.getByRole('dialog', { name: 'Te falta un paquete' })
    await expect(offer).toContainText('Vinyasa')
    // Guests stayed off in Reglas.
    await expect(offer.getByText('Llevo un invitado')).toHaveCount(0)
    buyer.begin('paying')
    await buyer.read(offer)
    await buyer.activate(offer.getByRole('link', { name: 'Comprar y reservar' }))
    await expect(shop.getByText('Después de pagar apartas tu lugar:')).toContainText('Vinyasa')
    await buyer.read()
    await accessible(shop)
    await buyer.choose(shop.getByRole('group', { name: 'Forma de Pago' }), /^Tarjeta/)
    const card = shop.frameLocator('iframe[title="Datos de la tarjeta"]')
    await expect(card.getByLabel('Nombre en la tarjeta')).toHaveValue('Julia Ríos Peña')
    for (const [label, text] of [
      ['Número de tarjeta', '4242424242424242'],
      ['Vencimiento', '09/2031'],
      ['CVV', '123'],
    ] as const)
      await buyer.typeInto(card.getByLabel(label, { exact: true }), text)
    await buyer.activate(shop.getByRole('button', { name: /^Pagar/ }))

    const dialog = shop.getByRole('dialog', { name: 'Vinyasa' })
    await expect(dialog).toContainText('¡Compra exitosa!')
    buyer.begin('the seat')
    await buyer.read(dialog)
    await accessible(shop)
    const map = dialog.getByRole('radiogroup', { name: 'Elige tu lugar' })
    await buyer.goTo(map.locator('[tabindex="0"]'))
    await buyer.press('ArrowDown')
    while (!(await hasFocus(map.getByRole('radio', { name: /^(?:Fila 2, lugar 3|Lugar 8)\b/ })))) await buyer.press('ArrowRight')
    await buyer.press('Space')
    await buyer.activate(dialog.getByRole('button', { name: 'Apartar mi lugar', exact: true }))
    await expect(shop.getByText('¡Reservación guardada con éxito!')).toBeVisible()
    expect(
      await own.sql(
        `select customer.email, spot, invoice.gateway, invoice.status, invoice.total_centavos
           from class_reservation join customer using (customer_id) join invoice using (customer_id)
          where class_reservation."deletedAt" is null`,
      ),
    ).toEqual([{ email: 'julia@correo.example', spot: '2-3', gateway: 'sandbox', status: 'paid', total_centavos: 10_000 }])
    spent.push(['customer', buyer])
    await customer.close()
  })

  const seconds = spent.reduce((sum, [, person]) => sum + person.seconds, 0)
  const account = spent.flatMap(([role, person]) => person.account.map((part) => `${role}, ${part}`)).join('\n')
  test.info().annotations.push({ type: 'human time', description: `${(seconds / 60).toFixed(1)} min\n${account}` })
  expect(seconds, account).toBeLessThanOrEqual(LIMIT_SECONDS)
})

test('the finished studio has pages that can be shown', async ({ page }) => {
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    for (const path of ['/', '/calendario', '/paquetes', '/ubicacion', '/aviso-de-privacidad']) {
      await page.goto(`${own.url}${path}`)
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
      await page.screenshot({ path: test.info().outputPath(`${path.replaceAll('/', '_')}-${width}.png`), fullPage: true })
      await accessible(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    }
  }
  await page.goto(own.url)
  await expect(page.getByText('Clases de yoga en Puebla').first()).toBeVisible()
  await expect(page).toHaveTitle(/Marea/)
})

test('without a mail server the owner gets a warning, and reads the stored mails', async ({ page }) => {
  await page.goto(`${own.url}/entrar`)
  await page.getByLabel('Correo electrónico').fill('sofia@marea.example')
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await page.waitForURL(/\/admin/)
  await page.goto(`${own.url}/admin/inicio/listo`)
  await page.getByRole('link', { name: 'Ver correos' }).click()
  await expect(heading(page, 'Correos guardados')).toBeVisible()
  // A report that needs history shows how much is missing.
  await page.goto(`${own.url}/admin/reportes/ocupacion`)
  await expect(page.getByText('Este reporte necesita más historia: faltan 7 días.')).toBeVisible()
  await accessible(page)
  await page.goto(`${own.url}/admin/mensajes`)
  await expect(page.getByText('Los correos de tu estudio todavía no salen.')).toBeVisible()
  await accessible(page)
  await page.getByRole('link', { name: 'Ver los correos guardados' }).click()
  const mail = page.getByRole('list', { name: 'Correos guardados' }).getByRole('listitem').filter({ hasText: 'julia@correo.example' })
  await mail.first().locator('summary').click()
  await expect(mail.first().getByRole('link').first()).toHaveAttribute('href', new RegExp(`^${own.url}`))
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
    await accessible(page)
  }
})
