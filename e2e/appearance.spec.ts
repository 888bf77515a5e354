/**
 * Layout at widths between and beyond the designed ones: nothing is covered, cut or squeezed, targets are large enough, and everything
 * works with a mouse as with touch (design sections 5 and 7). With a studio of its own; each test sets the widths that it checks.
 */
import type { Locator, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { ahead, cardOf, classOn, customer, enter, staff } from './studio-people.ts'
import { test as base, expect } from './test.ts'

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

const ANA = { email: 'ana@vaiven.example', password: 'vaiven-ana' }

interface Box {
  x: number
  y: number
  width: number
  height: number
}

async function boxOf(part: Locator): Promise<Box> {
  const box = await part.boundingBox()
  if (!box) throw new Error(`${part} is not shown`)
  return box
}

const width = (page: Page, px: number) => page.setViewportSize({ width: px, height: px > 1500 ? 1080 : 900 })

async function turn(page: Page, settings: Record<string, unknown>): Promise<void> {
  const owner = await staff(page.request, 'owner')
  await owner('PUT', '/appconfig', { settings: Object.entries(settings).map(([key, value]) => ({ key, value })) })
}

test('the drawing of the landing page is below the text and on the rail, also with three lines of a tall typeface', async ({ page }) => {
  const art = page.locator('.hero-art')
  const below = async () => {
    const [text, drawing, rail] = [await boxOf(page.locator('.hero-text')), await boxOf(art), await boxOf(page.locator('.rail'))]
    expect(drawing.y).toBeGreaterThanOrEqual(text.y + text.height)
    expect(drawing.height).toBeGreaterThan(200)
    expect(Math.abs(drawing.y + drawing.height - rail.y)).toBeLessThanOrEqual(1)
  }
  for (const px of [768, 1440, 1920]) {
    await width(page, px)
    await page.goto('/')
    await below()
  }
  // Hour and marks of a class in the rail do not touch.
  await width(page, 768)
  const first = page.locator('.rail-class').first()
  const [hour, marks] = [await boxOf(first.locator('.hour')), await boxOf(first.locator('.marks'))]
  expect(marks.x - (hour.x + hour.width)).toBeGreaterThanOrEqual(8)
  expect(await first.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true)
  // The marks have their words at every width.
  await expect(first.locator('.rail-places')).toHaveText(/lugar|[Ee]spera/)
  await expect(first.locator('.rail-places')).toBeVisible()

  await turn(page, { theme_voice: 'condensada', hero_title: 'Aquí se templa todo lo que mueve a la ciudad' })
  for (const px of [1440, 1920]) {
    await width(page, px)
    await page.goto('/')
    expect((await boxOf(page.locator('#portada'))).height).toBeGreaterThan(300)
    await below()
  }
  await turn(page, { theme_voice: 'ancha', hero_title: '' })
})

test('the row of coaches scrolls by mouse, and expands to the whole team', async ({ page }) => {
  await page.goto('/')
  const coaches = page.getByRole('region', { name: 'Coaches' })
  const row = coaches.getByRole('list', { name: 'Coaches' })
  await coaches.getByRole('button', { name: 'Más coaches' }).click()
  await expect.poll(() => row.evaluate((element) => element.scrollLeft)).toBeGreaterThan(300)
  await coaches.getByRole('button', { name: 'Coaches anteriores' }).click()
  await expect.poll(() => row.evaluate((element) => element.scrollLeft)).toBe(0)
  await coaches.getByRole('button', { name: 'Conoce a todo el equipo' }).click()
  await expect(coaches.getByRole('button', { name: 'Ver menos' })).toHaveAttribute('aria-expanded', 'true')
  for (const coach of await coaches.getByRole('listitem').all()) {
    const { x, width } = await boxOf(coach)
    expect(x + width).toBeLessThanOrEqual(1440)
  }
  await accessible(page)
})

test('page heads of the account keep the shape of their controls, and no button breaks inside a word', async ({ page }) => {
  await enter(page, ANA, '/mystudio/paquetes')
  for (const px of [390, 768, 1440]) {
    await width(page, px)
    const { width: wide, height } = await boxOf(page.getByRole('radiogroup', { name: 'Clases' }))
    expect([px, height <= 56, wide > 2 * height]).toEqual([px, true, true])
  }
  await expect(page.getByText('Cada marca es una clase.')).toBeVisible()

  for (const px of [320, 390]) {
    await width(page, px)
    await page.goto('/mystudio/informacion')
    for (const name of ['Editar', 'Agregar']) {
      const button = page.getByRole('button', { name: new RegExp(`^${name}`) }).or(page.getByRole('link', { name: new RegExp(`^${name}`) }))
      const { height } = await boxOf(button.first())
      expect([px, name, height <= 48]).toEqual([px, name, true])
    }
  }
})

test('the calendar: whole names, one left edge, large targets, and hours in one line also in forced colours', async ({ page }) => {
  const day = ahead(9)
  const [single_class_id] = await classOn(page.request, { day, hour: '13:05' })
  const olivia = await customer(page.request, 'Olivia', 5)
  await olivia.call('POST', '/class_reservations', { single_class_id })
  await enter(page, olivia, `/mystudio?dia=${day}`)
  for (const px of [390, 1280, 1440]) {
    await width(page, px)
    await expect(cardOf(page, '13:05', day)).toBeVisible()
    const cut = await page
      .locator('.class-names:visible')
      .evaluateAll((all) =>
        all
          .filter((element) => element.scrollWidth > element.clientWidth + 1 || element.scrollHeight > element.clientHeight + 1)
          .map((element) => element.textContent),
      )
    expect([px, cut]).toEqual([px, []])
  }

  await width(page, 768)
  const list = await boxOf(page.locator('.week').first())
  expect(list.x).toBe((await boxOf(page.getByRole('heading', { level: 1 }))).x)
  expect(list.x).toBe((await boxOf(page.locator('.calendar-foot'))).x)

  await width(page, 1440)
  const mine = cardOf(page, '13:05', day)
  const plus = await boxOf(mine.getByRole('button', { name: /^\+1/ }))
  expect(plus.width).toBeGreaterThanOrEqual(44)
  await page.emulateMedia({ forcedColors: 'active' })
  const { height } = await boxOf(mine.locator('.hour'))
  expect(height).toBeLessThan(30)
  const [hour, mark] = [await boxOf(mine.locator('.hour')), await boxOf(mine.locator('.class-mark'))]
  expect(mark.x).toBeGreaterThanOrEqual(hour.x + hour.width)
})

test('the order link of a charge has a touch target of 44 px', async ({ page }) => {
  await enter(page, ANA, '/mystudio/pagos')
  const { width: wide, height } = await boxOf(page.getByRole('link', { name: /^Ver orden #00/ }).first())
  expect([wide >= 44, height >= 44]).toEqual([true, true])
})

test('where a location keeps another hour, rows of public pages, the reserve dialog and the place of a customer say so', async ({
  page,
}) => {
  const day = ahead(3)
  const [far] = await classOn(page.request, { day, hour: '09:07', place: 'Vaivén Tijuana' })
  await classOn(page.request, { day, hour: '19:09' })
  const owner = await staff(page.request, 'owner')
  const { single_class } = await owner<{ single_class: { class_type: { class_type_id: number } } }>('GET', `/single_class/single/${far}`)
  for (const path of [`/?dia=${day}`, `/class_type/${single_class.class_type.class_type_id}`]) {
    await page.goto(path)
    await expect(cardOf(page, '09:07', day)).toContainText('hora de Tijuana')
    await expect(cardOf(page, '19:09', day)).not.toContainText('hora de')
  }
  const pilar = await customer(page.request, 'Pilar', 2)
  await enter(page, pilar, `/mystudio?dia=${day}&clase=${far}`)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText('09:07 · hora de Tijuana')
  await dialog.getByRole('button', { name: 'Reservar', exact: true }).click()
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  const { class_reservations } = await pilar.call<{ class_reservations: { class_reservation_id: number }[] }>('GET', '/class_reservations')
  await page.goto(`/mystudio/reservaciones?lugar=${class_reservations[0]?.class_reservation_id}`)
  await expect(dialog).toContainText('Vaivén Tijuana · hora de Tijuana')
})
