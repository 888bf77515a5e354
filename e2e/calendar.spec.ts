/**
 * The calendar: weeks, months, locations, legend, every state of a card with its buttons, and their messages (spec 2 sections 2 and 8).
 * Each test has its own customer and classes.
 */
import type { Locator, Page } from '@playwright/test'
import { mondayOf } from '#contract/time.ts'
import { lastShownDay } from '#web/features/calendar/week-view.ts'
import { accessible } from './axe.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { ahead, cardOf, classOn, customer, enter, hourOf, openFilters, reserveButton, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const backgroundOf = (of: Locator) => of.evaluate((element) => getComputedStyle(element).backgroundColor)
const buttonLabels = (of: Locator) => of.getByRole('button').or(of.getByRole('link')).locator('.btn-label').allInnerTexts()

/** A horizontal swipe over an element. */
async function swipe(page: Page, over: Locator, to: 'left' | 'right'): Promise<void> {
  // A week that is still loading shifts the layout when it arrives, and replaces the list under the finger.
  await expect(page.locator('[aria-busy="true"]')).toHaveCount(0)
  await expect(page.getByRole('article').first()).toBeVisible()
  const box = await over.boundingBox()
  if (!box) throw new Error('There is nothing to swipe over.')
  const y = box.y + Math.min(30, box.height / 2)
  const [from, by] = to === 'left' ? [320, -30] : [70, 30]
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints: [{ x: from, y }] })
  for (let step = 1; step <= 7; step++)
    await session.send('Input.dispatchTouchEvent', { type: 'touchMove', touchPoints: [{ x: from + by * step, y }] })
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
  await session.detach()
}

test('weeks, months, studios, class types and the legend (S1-3.48, S2-2.01, S2-2.03, S2-2.19, S2-2.21, S2-2.22)', async ({
  page,
  isMobile,
}) => {
  const nuria = await customer(page.request, 'Nuria', 0)
  const requestedWeeks: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (pathname === '/api/single_class') requestedWeeks.push(search)
  })
  const week = (monday: string) => `?start_date=${monday}&end_date=${lastShownDay(monday, ahead(0))}`
  await enter(page, nuria)
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario', exact: true })).toBeVisible()
  await expect(page).toHaveTitle(/^Calendario · /)
  await expect(page.getByRole('list', { name: 'Significado de cada tarjeta' }).getByRole('listitem')).toHaveText([
    'Disponible',
    'Reservada',
    'Sin Lugares',
  ])
  await expect(page.locator('.week').first()).toBeVisible()
  expect(requestedWeeks).toContain(week(mondayOf(ahead(0))))

  // Another week: requested by its days, marked busy until loaded, and restored by a reload.
  // On a Saturday and Sunday the next week is on the screen already, so the one after it is opened.
  const forward = page.getByRole('link', { name: 'Semana siguiente', exact: true })
  const monday = mondayOf(ahead(0))
  const isNextShown = lastShownDay(monday, ahead(0)) > mondayOf(ahead(7))
  if (isNextShown) {
    await forward.click()
    await expect(page).toHaveURL(`/mystudio?semana=${mondayOf(ahead(7))}`)
  }
  const next = mondayOf(ahead(isNextShown ? 14 : 7))
  let release = () => {}
  const released = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(`**/api/single_class${week(next)}`, async (route) => {
    await released
    await route.continue()
  })
  await forward.click()
  const waiting = page.locator('[aria-busy="true"]').getByRole('status').filter({ hasText: 'Cargando' })
  await expect(waiting).toHaveCount(1)
  await expect(page.getByText('No hay clases programadas.')).toHaveCount(0)
  release()
  await expect(page.getByRole('article').first()).toBeVisible()
  await expect(waiting).toHaveCount(0)
  await expect(page).toHaveURL(`/mystudio?semana=${next}`)
  expect(requestedWeeks).toContain(week(next))
  await openFilters(page)
  const month = page.getByLabel('Mes').filter({ visible: true })
  const shown = await month.inputValue()
  await page.reload()
  await openFilters(page)
  await expect(month).toHaveValue(shown)
  await expect(page).toHaveURL(`/mystudio?semana=${next}`)

  // The filter lists each class type of the week once, and shows only the chosen one.
  // Other tests add classes to the same studio meanwhile.
  const choice = page.getByLabel('Clase', { exact: true })
  await expect(choice).toBeVisible()
  await expect(async () => {
    const { days } = await nuria.call<{ days: { classes: { class_type: { name: string } }[] }[] }>('GET', `/single_class${week(next)}`)
    const types = new Set(days.flatMap(({ classes }) => classes.map((cls) => cls.class_type.name)))
    const listed = await choice.getByRole('option').allTextContents()
    expect(listed[0]).toBe('Todas las clases')
    expect(listed.slice(1).sort()).toEqual([...types].sort())
  }).toPass()

  // All locations, or one of them.
  const studios = page.getByRole('navigation', { name: 'Estudio' }).getByRole('link')
  await expect(studios.first()).toHaveText('Todos los Estudios')
  await expect(studios.first()).toHaveAttribute('aria-current', 'true')
  const cards = page.getByRole('article').filter({ visible: true })
  const all = await page.getByRole('article').count()
  await studios.filter({ hasText: 'San Ángel' }).click()
  await expect(page).toHaveURL(/estudio=\d+/)
  await expect(cards.filter({ hasNotText: 'San Ángel' })).toHaveCount(0)
  const few = await page.getByRole('article').count()
  expect(few).toBeGreaterThan(0)
  expect(few).toBeLessThan(all)
  await accessible(page)
  await studios.first().click()
  await expect.poll(() => page.getByRole('article').count()).toBeGreaterThan(few)
  await expect(page.getByRole('article').filter({ hasNotText: 'San Ángel' })).not.toHaveCount(0)

  // Choosing a month opens its first week.
  const months = await month.getByRole('option').evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value))
  const later = months[months.indexOf(shown) + 1] ?? ''
  await month.selectOption(later)
  await expect(page).toHaveURL(`/mystudio?semana=${later}`)
  await expect.poll(() => requestedWeeks).toContain(week(later))
  expect(requestedWeeks.every((address) => address === week(mondayOf(address.slice(12, 22))))).toBe(true)

  if (!isMobile) return
  // A swipe over the days changes the week, over the list the day.
  await page.goto(`/mystudio?dia=${ahead(7)}`)
  const day = page.getByRole('tab', { selected: true })
  await expect(day).toContainText(String(Number(ahead(7).slice(8))))
  await expect(page.getByRole('article').first()).toBeVisible()
  await swipe(page, page.getByRole('tablist', { name: 'Días de la semana' }), 'left')
  await expect(page).toHaveURL(`/mystudio?dia=${ahead(14)}`)
  await swipe(page, page.getByRole('tablist', { name: 'Días de la semana' }), 'right')
  await expect(page).toHaveURL(`/mystudio?dia=${ahead(7)}`)
  await expect(day).toContainText(String(Number(ahead(7).slice(8))))
  await swipe(page, page.locator('.week').first(), 'left')
  await expect(page).toHaveURL(`/mystudio?dia=${ahead(8)}`)
  await swipe(page, page.locator('.week').first(), 'right')
  await expect(page).toHaveURL(`/mystudio?dia=${ahead(7)}`)
})

test('each state of a card, its buttons and their messages (S2-1.03, S2-2.23 to S2-2.27, S2-2.31, S2-8.12, S2-8.13, S2-8.16 to S2-8.18)', async ({
  page,
  isMobile,
}) => {
  test.setTimeout(150_000)
  const day = ahead(23)
  const [room, full, apart, open] = ['12', '13', '14', '15'].map((h) => hourOf(h, isMobile)) as [string, string, string, string]
  const owner = await staff(page.request, 'owner')
  await classOn(page.request, { day, hour: room, spot_map: '2,3', capacity: 5 })
  const [fullId] = await classOn(page.request, { day, hour: full, capacity: 1 })
  const [apartId] = await classOn(page.request, { day, hour: apart })
  await classOn(page.request, { day, hour: open })
  const { class_packages } = await owner<{ class_packages: { class_package_id: number }[] }>('GET', '/class_packages')
  const sold = class_packages[0]?.class_package_id
  await owner('PUT', '/single_class', { single_class_id: apartId, class_package_id: sold })
  const other = await customer(page.request, 'Otilia', 1)
  await other.call('POST', '/class_reservations', { single_class_id: fullId })
  const pilar = await customer(page.request, 'Pilar', 6)
  await enter(page, pilar, `/mystudio?dia=${day}`)
  const dialog = page.getByRole('dialog')

  // Available, sold as a package, full.
  await expect(cardOf(page, open, day)).toContainText('12 lugares')
  expect(await buttonLabels(cardOf(page, open, day))).toEqual(['Reservar'])
  expect(await buttonLabels(cardOf(page, apart, day))).toEqual(['Comprar'])
  await expect(cardOf(page, apart, day).getByRole('link', { name: /^Comprar Yin/ })).toHaveAttribute('href', `/checkout/${sold}`)
  await expect(cardOf(page, full, day)).toContainText('Sin lugares')
  expect(await buttonLabels(cardOf(page, full, day))).toEqual(['Espera'])
  await accessible(page)

  // Reserved with a seat of the map and a guest with a name.
  await reserveButton(page, room, day).click()
  await dialog.getByRole('radiogroup', { name: 'Elige tu lugar' }).getByRole('radio', { name: 'Fila 2, lugar 2, disponible' }).click()
  await dialog.getByText('Llevo un invitado').click()
  await dialog.getByRole('radiogroup', { name: 'Elige el lugar de tu invitado' }).getByRole('radio', { name: 'Fila 2, lugar 3' }).click()
  await dialog.getByRole('textbox', { name: 'Nombre de tu invitado' }).fill('Jimena')
  await dialog.getByRole('button', { name: 'Reservar 2 lugares' }).click()
  await expect(page.getByRole('status').getByText('¡Reservación guardada con éxito!', { exact: true })).toBeVisible()
  await expect(cardOf(page, room, day)).toContainText('Fila 2, lugar 2, con Jimena')
  expect(await buttonLabels(cardOf(page, room, day))).toEqual(['Cancelar'])

  // A reserved class has another background than an available one; a guest is added by +1.
  await reserveButton(page, open, day).click()
  await dialog.getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(cardOf(page, open, day)).toContainText('Reservada')
  expect(await buttonLabels(cardOf(page, open, day))).toEqual([isMobile ? '+1 invitado' : '+1', 'Cancelar'])
  expect(await backgroundOf(cardOf(page, open, day))).toBe(await backgroundOf(cardOf(page, room, day)))
  expect(await backgroundOf(cardOf(page, open, day))).not.toBe(await backgroundOf(cardOf(page, apart, day)))
  await cardOf(page, open, day).getByRole('button', { name: /^\+1/ }).click()
  await dialog.getByRole('textbox', { name: 'Nombre de tu invitado' }).fill('Marcela')
  await dialog.getByRole('button', { name: 'Agregar invitado' }).click()
  await expect(page.getByText('Reservación registrada.', { exact: true })).toBeVisible()
  await expect(cardOf(page, open, day)).toContainText('con Marcela')

  // Cancelled, after a confirmation.
  await cardOf(page, room, day)
    .getByRole('button', { name: /^Cancelar/ })
    .click()
  const sure = page.getByRole('dialog', { name: 'Cancelar Clase' })
  await expect(sure).toContainText('También se cancela el lugar de Jimena.')
  await accessible(page)
  await sure.getByRole('button', { name: 'Cancelar Clase' }).click()
  await expect(page.getByText('Reservación cancelada.', { exact: true })).toBeVisible()
  await expect.poll(() => buttonLabels(cardOf(page, room, day))).toEqual(['Reservar'])

  // Joins the waitlist of the full class and leaves it.
  await cardOf(page, full, day)
    .getByRole('button', { name: /^Anotarme/ })
    .click()
  await page.getByRole('dialog', { name: 'Lista de espera' }).getByRole('button', { name: 'Anotarme' }).click()
  await expect(page.getByText('Anotada en lista de espera.', { exact: true })).toBeVisible()
  await expect.poll(() => buttonLabels(cardOf(page, full, day))).toEqual(['Quitarme'])
  await cardOf(page, full, day)
    .getByRole('button', { name: /^Quitarme/ })
    .click()
  await dialog.getByRole('button', { name: 'Sí, quitarme' }).click()
  await expect(page.getByText('Eliminada de lista de espera.', { exact: true })).toBeVisible()
  await expect.poll(() => buttonLabels(cardOf(page, full, day))).toEqual(['Espera'])
})

test('a class of the home page leads to the log-in and then to that class (S2-2.38)', async ({ page, isMobile }) => {
  const day = ahead(24)
  const at = hourOf('12', isMobile)
  await classOn(page.request, { day, hour: at })
  const rita = await customer(page.request, 'Rita', 1)
  await watchShift(page)
  await page.goto(`/?dia=${day}#horarios`)
  await cardOf(page, at, day)
    .getByRole('link', { name: /^Reservar Yin/ })
    .click()
  await expect(page).toHaveURL(/^[^?]+\/entrar\?volver=/)
  // The class is named there; nothing moves when it arrives.
  await expect(page.getByText(new RegExp(`^Yin con Lucía · .*${at}$`))).toBeVisible()
  expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
  await page.getByLabel('Correo electrónico').fill(rita.email)
  await page.getByLabel('Contraseña', { exact: true }).fill('olas-y-montes-7')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('dialog', { name: 'Yin' })).toContainText(at)
})

test('a visitor whose browser cannot load the dialog of the log-in continues on its page', { tag: '@one-size' }, async ({
  page,
  isMobile,
}) => {
  const day = ahead(24)
  const at = hourOf('13', isMobile)
  await classOn(page.request, { day, hour: at })
  await page.route(/\/assets\/login-dialog-/, (route) => route.abort())
  await page.goto(`/calendario?dia=${day}`)
  await cardOf(page, at, day).getByText('Reservar', { exact: true }).click()
  await expect(page).toHaveURL(/\/entrar\?volver=%2Fmystudio%3Fclase%3D\d+$/)
  await expect(page.getByText(/^Yin con Lucía · /)).toBeVisible()
})

test('the week begins where life is: past days folded, quick chips, and the first class high on a phone', async ({ page, isMobile }) => {
  const nuria = await customer(page.request, 'Nuria', 3)
  for (const path of ['/calendario', '/mystudio']) {
    if (path === '/mystudio') await enter(page, nuria)
    // A day of next week, because late in the evening today has no class left.
    await page.goto(`${path}?dia=${ahead(7)}`)
    const first = page.getByRole('article').filter({ visible: true }).first()
    await expect(first).toBeVisible()
    if (isMobile) {
      expect([path, ((await first.boundingBox())?.y ?? 999) <= 360]).toEqual([path, true])
      // Title, arrows and the one button of the filters are in one row.
      const week = (name: string) => page.getByRole('link', { name, exact: true })
      const row = [page.getByRole('heading', { level: 1 }), week('Semana anterior'), week('Semana siguiente'), page.getByText(/^Filtros/)]
      const middles: number[] = []
      for (const part of row) {
        const { y, height } = (await part.boundingBox()) ?? { y: 999, height: 0 }
        middles.push(y + height / 2)
      }
      expect([path, Math.max(...middles) - Math.min(...middles) <= 8]).toEqual([path, true])
      // The title of the day keeps its distance from the strip of days, and the folded days are in line with the page.
      const [strip, day] = [page.locator('.calendar-strip'), page.locator('.week-near .week-title').filter({ visible: true }).first()]
      const [above, below] = [await strip.boundingBox(), await day.boundingBox()]
      expect([path, (below?.y ?? 0) - ((above?.y ?? 0) + (above?.height ?? 999)) >= 12]).toEqual([path, true])
    }
    // Visitors have the filters of a customer.
    await openFilters(page)
    for (const name of ['Clase', 'Coach', 'Hora']) await expect(page.getByRole('combobox', { name, exact: true })).toBeVisible()
    await accessible(page)

    // Only classes with places, of the evening; each chip is on or off.
    await page.getByRole('link', { name: 'Después de las 18:00' }).click()
    await page.getByRole('link', { name: 'Con lugares' }).click()
    await expect(page).toHaveURL(/hora=noche&lugares=1/)
    await expect(page.getByRole('article').filter({ hasText: 'Sin lugares' })).toHaveCount(0)
    for (const hour of await page.locator('.class-card .hour').allInnerTexts()) expect(hour >= '18:00').toBe(true)
    await page.getByRole('link', { name: 'Después de las 18:00' }).click()
    await page.getByRole('link', { name: 'Con lugares' }).click()
    await expect(page).toHaveURL(`${path}?dia=${ahead(7)}`)
    await page.getByRole('link', { name: 'Mañana', exact: true }).click()
    await expect(page).toHaveURL(`${path}?dia=${ahead(1)}`)

    // This week's past days: hidden until the checkbox is on. On a Monday there are none.
    await page.goto(path)
    const fold = page.getByRole('checkbox', { name: /días? que ya pas/ })
    const past = isMobile ? page.locator('.week-day-past') : page.locator('.week-past')
    if (mondayOf(ahead(0)) === ahead(0)) await expect(fold).toHaveCount(0)
    else {
      await expect(past.first()).toBeHidden()
      const label = page.locator('.week-past-days').filter({ visible: true })
      expect((await label.boundingBox())?.width).toBe(44)
      await label.click()
      await expect(past.first()).toBeVisible()
      await expect(fold).toBeChecked()
      await page.keyboard.press('Space')
      await expect(past.first()).toBeHidden()
    }
  }
})
