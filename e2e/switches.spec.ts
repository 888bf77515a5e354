/**
 * The effects of the studio's settings on the customer's area, in a studio of its own (spec 2 sections 2, 4, 5, 8): penalties, required
 * profile fields, waitlists with offers, cancellation windows, names and columns.
 */
import type { Page } from '@playwright/test'
import { addDays, mondayOf } from '#contract/time.ts'
import { catalogues } from '#web/english/catalogue.ts'
import { accessible } from './axe.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { wrongInPalettes } from './measure-colours.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { ahead, cardOf, classOn, customer, enter, inMinutes, openFilters, reserveButton, staff } from './studio-people.ts'
import { test as base, expect } from './test.ts'

/** `studio`: one per worker, closed with it. Every page is of that studio. */
const test = base.extend<object, { studio: OwnStudio }>({
  studio: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads which fixtures are needed from the pattern
    async ({}, use) => {
      const studio = await ownStudio()
      await use(studio)
      await studio.close()
    },
    { scope: 'worker', timeout: 90_000 },
  ],
  baseURL: ({ studio }, use) => use(studio.url),
})

/** Changes settings through the API. */
async function changeSettings(page: Page, switches: Record<string, unknown>): Promise<void> {
  const owner = await staff(page.request, 'owner')
  await owner('PUT', '/appconfig', { settings: Object.entries(switches).map(([key, value]) => ({ key, value })) })
}

test('a penalty shows its reason and its end (S2-2.29, S2-4.22 to S2-4.24, S2-8.10, S2-9.13)', async ({ page }) => {
  await changeSettings(page, { unlimited_membership_penalties_enabled: true, unlimited_max_no_shows_for_penalty: 3 })
  const day = ahead(13)
  const at = '13:05'
  await classOn(page.request, { day, hour: at })
  const flora = await customer(page.request, 'Flora', 2)
  const reception = await staff(page.request, 'reception')
  await reception('POST', '/class_reservation_penaltys', {
    customer_id: flora.customer_id,
    reason: 'Tres faltas seguidas',
    resumes_on: ahead(20),
  })
  await enter(page, flora, `/mystudio?dia=${day}`)
  await expect(page.getByText(/Puedes reservar de nuevo desde el/)).toBeVisible()
  await accessible(page)
  await cardOf(page, at, day)
    .getByRole('button', { name: /^Con penalización/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Tienes una penalización' })
  await expect(dialog).toContainText('Lo sentimos, no puedes reservar clases porque cuentas con una penalización.')
  await expect(dialog).toContainText('3 clases seguidas con un paquete ilimitado')
  await expect(dialog).toContainText(/Hasta el \S+ \d\d \S+, 00:00/)
  await accessible(page)
  await dialog.getByRole('button', { name: 'Entendido' }).click()
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('Tienes una penalización: Tres faltas seguidas.')).toBeVisible()
  await accessible(page)
})

test('an incomplete profile blocks reserving, with a link to complete it (S1-2.95)', async ({ page, studio }) => {
  await changeSettings(page, { profile_required_to_reserve: true })
  const day = ahead(16)
  const at = '13:05'
  await classOn(page.request, { day, hour: at })
  const irma = await customer(page.request, 'Irma', 1)
  await studio.sql('update customer set phone = null where customer_id = $1', [irma.customer_id])
  await enter(page, irma, `/mystudio?dia=${day}`)
  await reserveButton(page, at, day).click()
  const dialog = page.getByRole('dialog', { name: 'Falta tu información' })
  await expect(dialog).toContainText('Debes completar tu información personal antes de reservar clases.')
  await expect(dialog).toContainText('Falta: Teléfono.')
  await accessible(page)
  await dialog.getByRole('link', { name: 'Completar Información' }).click()
  await expect(page).toHaveURL('/mystudio/informacion')
})

test('a spot on hold is offered by email and accepted by its link without logging in, on the map of the room (W4, W7, W9)', async ({
  page,
  studio,
  browser,
}, info) => {
  await changeSettings(page, { waitlist_mode: 'oferta' })
  const day = ahead(17)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: '13:05', capacity: 2, spot_map: '2' })
  const [julieta, karla] = [await customer(page.request, 'Julieta', 1), await customer(page.request, 'Karla', 1)]
  for (const [at, name] of ['Lidia', 'Marta'].entries()) {
    const other = await customer(page.request, name, 1)
    await other.call('POST', '/class_reservations', { single_class_id, spot: `1-${at + 1}` })
  }
  await enter(page, karla, `/mystudio?dia=${day}`)
  await cardOf(page, '13:05', day)
    .getByRole('button', { name: /^Anotarme en la lista de espera/ })
    .click()
  await expect(page.getByRole('dialog')).toContainText('lo apartamos para quien sigue en la lista')
  await accessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Anotarme' }).click()
  await expect(cardOf(page, '13:05', day)).toContainText('espera')
  await julieta.call('POST', '/waitlist', { single_class_id })

  // Reception cancels a reservation of the class: the spot is offered to Karla, who joined first.
  const reception = await staff(page.request, 'reception')
  const { class_reservations } = await reception<{ class_reservations: { class_reservation_id: number }[] }>(
    'GET',
    `/admin/single_class/${single_class_id}/class_reservations`,
  )
  const [first] = class_reservations
  await reception('DELETE', `/admin/class_reservations/${first?.class_reservation_id}`, { reason: 'No puede venir' })
  let link = ''
  await expect(async () => {
    const [mail] = await studio.sql<{ text: string }>('select text from mail_outbox where "to" = $1 order by mail_id desc limit 1', [
      karla.email,
    ])
    link = /https?:\S+\/espera\/\S+/.exec(mail?.text ?? '')?.[0] ?? ''
    expect(link).not.toBe('')
  }).toPass({ timeout: 20_000 })
  await page.goto('/mystudio/waitlists')
  await expect(page.getByText('Lugar apartado')).toBeVisible()
  await expect(page.getByText(/^Es tuyo hasta el /)).toBeVisible()
  await accessible(page)

  const stranger = await browser.newContext({ viewport: page.viewportSize(), locale: 'es-MX' })
  const phone = await stranger.newPage()
  await watchShift(phone)
  await phone.goto(link)
  await expect(phone.getByRole('heading', { level: 1, name: 'Yin' })).toBeVisible()
  await expect(phone.getByText(/^Apartado hasta el/)).toBeVisible()
  await phone.getByRole('radio', { name: /disponible$/ }).click()
  await accessible(phone)
  expect(await shiftOf(phone)).toBeLessThanOrEqual(0.02)
  await phone.emulateMedia({ reducedMotion: 'reduce' })
  expect(await wrongInPalettes(phone, info, 'oferta')).toEqual({})
  await phone.getByRole('button', { name: 'Tomar mi lugar' }).click()
  await expect(phone.getByRole('heading', { level: 1, name: 'El lugar es tuyo' })).toBeVisible()
  await accessible(phone)
  await stranger.close()
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('Próxima', { exact: true })).toBeVisible()
})

test('a waitlist in mode auto is announced before joining and changed in the list, and books a spot automatically (W7)', async ({
  page,
  isMobile,
}) => {
  await changeSettings(page, { waitlist_mode: 'auto', waitlist_enabled: true })
  const day = ahead(22)
  const [single_class_id = 0] = await classOn(page.request, { day, hour: '13:05', capacity: 1 })
  const first = await customer(page.request, 'Tamara', 1)
  const answerOfFirst = await first.call<{ class_reservation: { class_reservation_id: number } }>('POST', '/class_reservations', {
    single_class_id,
  })
  const vera = await customer(page.request, 'Vera', 1)
  await enter(page, vera, `/mystudio?dia=${day}`)
  await cardOf(page, '13:05', day)
    .getByRole('button', { name: /^Anotarme/ })
    .click()
  const dialog = page.getByRole('dialog', { name: 'Lista de espera' })
  await expect(dialog).toContainText('lo toma sin hacer nada, si así lo eligió')
  await dialog.getByRole('switch', { name: 'Tomar el lugar sin preguntarme' }).click()
  await expect(dialog.getByRole('switch')).not.toBeChecked()
  await dialog.getByRole('button', { name: 'Anotarme' }).click()
  await expect(page.getByText('Anotada en lista de espera.', { exact: true })).toBeVisible()

  await page.goto('/mystudio/waitlists')
  await expect(page.getByText('Sigues tú')).toBeVisible()
  const takes = page.getByRole('switch', { name: isMobile ? /^Tomar el lugar sin preguntarme/ : /^Tomarlo/ })
  await expect(takes).not.toBeChecked()
  await accessible(page)
  const saved = page.waitForResponse((answer) => answer.request().method() === 'PUT' && answer.url().endsWith('/api/waitlist'))
  await takes.click()
  expect((await saved).ok()).toBe(true)
  await page.reload()
  await expect(takes).toBeChecked()

  await first.call('DELETE', `/class_reservations/${answerOfFirst.class_reservation.class_reservation_id}`)
  await page.goto(`/mystudio?dia=${day}`)
  // A job books it a moment later, and the open calendar is updated.
  await expect(cardOf(page, '13:05', day)).toContainText('Reservada', { timeout: 30_000 })
  await page.goto('/mystudio/waitlists')
  await expect(page.getByText('No te has anotado a ninguna lista de espera.')).toBeVisible()
  await changeSettings(page, { waitlist_mode: 'todos' })
})

test('a late cancellation shows a warning, and a class that cannot be cancelled says so (S2-5.11, S2-8.07, S2-8.08)', async ({ page }) => {
  await changeSettings(page, {
    undo_minutes: 0,
    cancel_timeframe_value: 12,
    cancel_timeframe_unit: 'hours',
    allow_cancel_after_treshold: true,
  })
  const { day, hour } = inMinutes(180)
  const [single_class_id] = await classOn(page.request, { day, hour })
  const nora = await customer(page.request, 'Nora', 1)
  await nora.call('POST', '/class_reservations', { single_class_id })
  await enter(page, nora, '/mystudio/reservaciones')
  await expect(page.getByText(/^Solo puedes cancelar clases con 12 horas de anticipacion/)).toBeVisible()
  await page.getByRole('button', { name: /^Cancelar Yin/ }).click()
  const dialog = page.getByRole('dialog', { name: 'Cancelar Clase' })
  await expect(dialog).toContainText(
    'Debido a que faltan menos de 12 horas para tu clase, tu crédito para reservar clase no se te regresará.',
  )
  await accessible(page)
  await dialog.getByRole('button', { name: 'Conservar mi lugar' }).click()
  await page.getByRole('button', { name: /^Más opciones de Yin/ }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cambiar de clase' }).click()
  await expect(page.getByRole('dialog')).toContainText('Ya pasó el tiempo para cambiar de clase sin perder tu crédito.')

  await changeSettings(page, { allow_cancel_after_treshold: false, allow_cancel_reservations: false })
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText(/^Tus clases son transferibles y no son cancelables/).first()).toBeVisible()
  await expect(page.getByRole('button', { name: /^Cancelar / })).toHaveCount(0)
  await accessible(page)
})

test('names, columns and pages by switch (S2-2.02, S2-2.07, S2-2.09, S2-2.20, S2-2.41, S2-2.50, S2-2.54, S2-2.55)', async ({
  page,
  isMobile,
  studio,
}) => {
  const [single_class_id] = await classOn(page.request, { day: ahead(19), hour: '13:05' })
  const olga = await customer(page.request, 'Olga', 2)
  await olga.call('POST', '/class_reservations', { single_class_id })
  await changeSettings(page, {
    single_class_enabled: true,
    allow_class_guests: false,
    qrcode_enabled: false,
    waitlist_enabled: false,
    allow_restricted_class_types: true,
    allow_restricted_times: true,
  })
  await enter(page, olga, '/mystudio/creditos')
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Créditos' })).toBeVisible()
  if (isMobile) await expect(page.getByText('Todos los horarios')).toBeVisible()
  else for (const name of ['Tipo de clase', 'Horarios']) await expect(page.getByRole('columnheader', { name })).toBeVisible()
  await page.goto('/mystudio')
  await expect(page.getByRole('heading', { level: 1, name: 'Presenciales' })).toBeVisible()
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByText('Próxima', { exact: true })).toBeVisible()
  await expect(page.getByRole('columnheader', { name: 'Invitado' })).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Código de Acceso/ })).toHaveCount(0)
  await page.goto('/mystudio/waitlists')
  await expect(page).toHaveURL('/mystudio')

  await changeSettings(page, { allow_restricted_class_types: false, allow_class_guests: true, qrcode_enabled: true })
  await page.goto('/mystudio/creditos')
  await expect(page).toHaveURL('/mystudio')
  await expect(page.getByRole('region', { name: 'Mis créditos' }).getByRole('link', { name: 'Ver mis créditos' })).toHaveCount(0)
  await page.goto('/mystudio/reservaciones')
  if (!isMobile) await expect(page.getByRole('columnheader', { name: 'Invitado' })).toBeVisible()
  await page.getByRole('button', { name: /^Código de Acceso de Yin/ }).click()
  await expect(page.getByRole('img', { name: /^Código de acceso de tu lugar en Yin/ })).toBeVisible()
  await accessible(page)

  // The choice of locations is shown only if there are several.
  const studios = page.getByRole('navigation', { name: 'Estudio' })
  await page.goto('/mystudio')
  await openFilters(page)
  await expect(studios.getByRole('link').first()).toHaveText('Todos los Estudios')
  await studio.sql(`update location set "deletedAt" = now() where name <> 'Roma Norte'`)
  await studio.catalogueChanged()
  await page.reload()
  await expect(page.getByRole('list', { name: 'Significado de cada tarjeta' })).toBeVisible()
  await expect(page.getByText('Horario de la Ciudad de México')).toBeVisible()
  await expect(studios).toHaveCount(0)
  await studio.sql('update location set "deletedAt" = null')
  await studio.catalogueChanged()
})

test('without suitable credits the dialog says so and offers both next steps (S2-8.11)', async ({ page }) => {
  await changeSettings(page, { allow_restricted_class_types: true })
  const day = ahead(20)
  await classOn(page.request, { day, hour: '13:05' })
  const paula = await customer(page.request, 'Paula', 0)
  const reception = await staff(page.request, 'reception')
  const { class_types } = await reception<{ class_types: { class_type_id: number; name: string }[] }>('GET', '/class_types')
  await reception('POST', '/available_classes', {
    customer_id: paula.customer_id,
    available_classes: 3,
    title: 'Solo barre',
    reason: 'Para probar',
    expiration_date: ahead(90),
    class_type_ids: class_types.filter(({ name }) => name === 'Barre').map(({ class_type_id }) => class_type_id),
  })
  await enter(page, paula, `/mystudio?dia=${day}`)
  await reserveButton(page, '13:05', day).click()
  const dialog = page.getByRole('dialog', { name: 'Tus créditos no aplican aquí' })
  await expect(dialog).toContainText('Has agotado todos tus créditos para esta clase.')
  await expect(dialog.getByRole('link', { name: 'Comprar Clases' })).toBeVisible()
  await accessible(page)
  await dialog.getByRole('link', { name: 'Ver para qué sirven mis créditos' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Créditos' })).toBeVisible()
  await expect(page.getByText('Barre', { exact: true }).first()).toBeVisible()
})

test('rating with the stars of the coach only, by setting (S2-4.07 to S2-4.09, S2-5.07 to S2-5.09)', async ({ page, studio }) => {
  const [single_class_id] = await classOn(page.request, { day: ahead(21), hour: '13:05' })
  const rosa = await customer(page.request, 'Rosa', 1)
  await rosa.call('POST', '/class_reservations', { single_class_id })
  await studio.sql(
    `update single_class set starts_at = now() - interval '3 hours', ends_at = now() - interval '2 hours' where single_class_id = $1`,
    [single_class_id],
  )
  await studio.sql('update class_reservation set attend = true where single_class_id = $1', [single_class_id])
  await studio.catalogueChanged()
  await changeSettings(page, { reservation_rating_enabled: false })
  await enter(page, rosa, '/mystudio/reservaciones')
  await expect(page.getByText('Exitosa', { exact: true })).toBeVisible()
  const rate = page.getByRole('button', { name: /^Calificar Yin/ })
  await expect(rate).toHaveCount(0)

  await changeSettings(page, { reservation_rating_enabled: true })
  await page.reload()
  await rate.click()
  const dialog = page.getByRole('dialog', { name: 'Calificar Clase' })
  await expect(dialog.getByRole('group', { name: 'La clase' }).getByRole('radio')).toHaveCount(5)
  await expect(dialog.getByRole('radio')).toHaveCount(10)
  const later = [
    dialog.getByLabel('Comentario'),
    dialog.getByRole('button', { name: 'Enviar' }),
    dialog.getByRole('button', { name: 'Cancelar', exact: true }),
  ]
  for (const locator of later) await expect(locator).toHaveCount(0)
  await dialog.getByRole('radio', { name: '3 de 5, Bien' }).last().check({ force: true })
  for (const locator of later) await expect(locator).toBeVisible()
  await accessible(page)
  await dialog.getByRole('button', { name: 'Enviar' }).click()
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('img', { name: '3 de 5, Bien' })).toBeVisible()
  await expect(rate).toHaveCount(0)
})

test('a week without classes, and one with none to come (S2-2.34, S2-2.35)', async ({ page, studio }) => {
  await enter(page, await customer(page.request, 'Silvia', 0), `/mystudio?semana=${mondayOf(ahead(500))}`)
  await expect(page.getByText('No hay clases programadas.', { exact: true })).toBeVisible()
  await accessible(page)

  // Move what is left of this week to Monday, right after midnight.
  const monday = `date_trunc('week', now() at time zone 'America/Mexico_City') at time zone 'America/Mexico_City'`
  await studio.sql(
    `update single_class set starts_at = ${monday}, ends_at = ${monday} + interval '1 second'
     where ends_at > now() and starts_at < ${monday} + interval '8 days'`,
  )
  await studio.catalogueChanged()
  await page.goto('/mystudio')
  await expect(page.getByText('No hay más clases programadas esta semana.')).toBeVisible()
  await accessible(page)
  await page.getByRole('link', { name: 'Ver la semana siguiente' }).click()
  await expect(page).toHaveURL(`/mystudio?semana=${addDays(mondayOf(ahead(0)), 7)}`)
})

/**
 * English texts of the interface that are marked as Spanish, and texts of the studio on the page that are not, outside of menus
 * and choices.
 */
const wronglyMarked = (page: Page, ofStudio: readonly string[]): Promise<string[]> =>
  page.evaluate(
    ({ english, studio }) => {
      const wrong: string[] = []
      const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      for (let text = walker.nextNode(); text; text = walker.nextNode()) {
        const shownText = text.textContent?.trim() ?? ''
        const parent = text.parentElement
        if (!parent || parent.closest('script, style, noscript, label, option, nav')) continue
        const isSpanish = parent.closest('[lang]')?.getAttribute('lang') === 'es-MX'
        if (isSpanish && english.includes(shownText)) wrong.push(`English as Spanish: ${shownText}`)
        if (!isSpanish && studio.includes(shownText)) wrong.push(`Spanish as English: ${shownText}`)
      }
      return [...new Set(wrong)]
    },
    { english: ENGLISH, studio: [...ofStudio] },
  )

/** Spanish texts of the interface, without short ones that may be part of what a studio wrote. */
const SPANISH = Object.values(catalogues)
  .flatMap((texts) => Object.entries(texts))
  .filter(([spanish, english]) => spanish !== english && spanish.length > 14 && !spanish.includes('{'))
  .map(([spanish]) => spanish.trim())

/** English texts that no studio writes. */
const ENGLISH = Object.values(catalogues)
  .flatMap((texts) => Object.entries(texts))
  .filter(([spanish, english]) => spanish !== english && english.length > 4 && !english.includes('{'))
  .map(([, english]) => english.trim())

test('who chooses English reads the site and the account in English, without a word of the Spanish texts, on every device (G13)', async ({
  page,
  browser,
  studio,
}) => {
  await changeSettings(page, { languages: 'es-MX,en' })
  const day = ahead(3)
  await classOn(page.request, { day, hour: '13:05' })
  const emma = await customer(page.request, 'Emma', 2)
  await page.goto('/')
  await page.getByRole('contentinfo').getByRole('button', { name: 'English' }).click()
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeVisible()
  await accessible(page)

  // Titles that the studio gave its pages stay as they are written.
  const { pages } = (await (await page.request.get('/api/pages')).json()) as { pages: { title: string }[] }
  const titles = pages.map(({ title }) => title)
  // What the studio wrote is marked as Spanish, so that a screen reader does not read it with an English voice (WCAG 3.1.2).
  const named = async (path: string, list: string): Promise<string[]> => {
    const answer = (await (await page.request.get(`/api${path}`)).json()) as Record<string, { name?: string; title?: string }[]>
    return (answer[list] ?? []).map(({ name, title }) => name ?? title ?? '')
  }
  const ofStudio = [
    ...(await named('/class_types', 'class_types')),
    ...(await named('/locations', 'locations')),
    ...(await named('/class_packages/presenciales/all', 'class_packages')),
  ]
  expect(ofStudio).toContain('Roma Norte')
  expect(ofStudio).toContain('Clase suelta')
  expect.soft(await wronglyMarked(page, ofStudio), '/').toEqual([])
  const left = async (path: string) => {
    const shownText = await page.evaluate(() =>
      [
        document.title,
        document.body.innerText,
        ...[...document.querySelectorAll('[aria-label]')].map((element) => element.getAttribute('aria-label') ?? ''),
      ].join('\n'),
    )
    return SPANISH.filter((text) => shownText.includes(text) && !titles.includes(text)).map((text) => `${path}: ${text}`)
  }
  for (const path of ['/calendario', '/paquetes', '/ubicacion', '/avisos', '/entrar', '/registro', '/recuperar', '/tarjetas-de-regalo']) {
    await page.goto(path)
    await expect(page.locator('html')).toHaveAttribute('lang', 'en')
    expect.soft(await left(path)).toEqual([])
    expect.soft(await wronglyMarked(page, ofStudio), path).toEqual([])
  }
  await page.goto('/calendario')
  await expect(page.getByRole('link', { name: 'Tomorrow', exact: true })).toBeVisible()
  await enter(page, emma, `/mystudio?dia=${day}`)
  for (const [path, heading] of [
    ['/mystudio/reservaciones', 'My Bookings'],
    ['/mystudio/membresias', 'My Purchases'],
    ['/mystudio/mensajes', 'My Messages'],
    ['/mystudio/informacion', 'My Information'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: heading })).toBeVisible()
    expect.soft(await left(path)).toEqual([])
    expect.soft(await wronglyMarked(page, ofStudio), path).toEqual([])
  }
  // Another device of the same customer.
  const other = await browser.newContext({ baseURL: studio.url, viewport: page.viewportSize(), locale: 'es-MX' })
  const device = await other.newPage()
  await enter(device, emma, '/mystudio/informacion')
  await device.getByRole('main').getByRole('button', { name: 'Español' }).click()
  await expect(device.getByRole('heading', { name: 'Mi Información' })).toBeVisible()
  await expect.poll(() => device.evaluate(() => localStorage.getItem('estudio:idioma'))).toMatch(/es-MX$/)
  await other.close()
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Mi Información' })).toBeVisible()
  await changeSettings(page, { languages: 'es-MX' })
})

test('a browser that prefers English is offered it once, and nothing changes by itself (G13)', async ({ page, browser, studio }) => {
  await changeSettings(page, { languages: 'es-MX,en' })
  const visitor = await browser.newContext({ baseURL: studio.url, viewport: page.viewportSize(), locale: 'en-US' })
  const visit = await visitor.newPage()
  await visit.goto('/')
  const offer = visit.getByRole('button', { name: 'Read this site in English' })
  await expect(offer).toBeVisible()
  await expect(visit.locator('html')).toHaveAttribute('lang', 'es-MX')
  await accessible(visit)
  await visit.getByRole('button', { name: 'No, thanks' }).click()
  await expect(offer).toHaveCount(0)
  await visit.goto('/entrar', { waitUntil: 'load' })
  await expect(visit.getByRole('button', { name: 'English', exact: true })).toBeVisible()
  await expect(offer).toHaveCount(0)

  await visit.evaluate(() => localStorage.removeItem('estudio:ingles-ofrecido'))
  await visit.reload()
  await offer.click()
  await expect(visit.locator('html')).toHaveAttribute('lang', 'en')
  await expect(visit.getByRole('button', { name: 'Español' })).toBeVisible()
  await visitor.close()
  await changeSettings(page, { languages: 'es-MX' })
})
