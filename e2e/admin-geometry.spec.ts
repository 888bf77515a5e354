/** Where the parts of the administration stand: what is measured of its looks (design section 6). */
import type { Locator, Page } from '@playwright/test'
import { classOn, enter, inMinutes } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

async function boxOf(part: Locator) {
  await expect(part).toBeVisible()
  const box = await part.boundingBox()
  if (!box) throw new Error('It has no box.')
  return box
}

const windowOf = (page: Page) => page.viewportSize() ?? { width: 0, height: 0 }

test('the list of a menu stays in the window, wherever its button is', async ({ page, request }) => {
  const { day, hour } = inMinutes(200)
  const [id = 0] = await classOn(request, { day, hour, spot_map: '3,3', capacity: 6 })
  await enter(page, OWNER, `/admin/clases/${id}`)
  await page.getByRole('button', { name: 'Más acciones' }).click()
  const list = await boxOf(page.getByRole('menu'))
  expect(list.x).toBeGreaterThanOrEqual(8)
  expect(list.x + list.width).toBeLessThanOrEqual(windowOf(page).width)
})

test('a search in a dialog does not move while results come and go', async ({ page, request }) => {
  const { day, hour } = inMinutes(210)
  const [id = 0] = await classOn(request, { day, hour, spot_map: '3,3', capacity: 6 })
  await enter(page, OWNER, `/admin/clases/${id}?agregar=0`)
  const field = page.getByRole('dialog').getByRole('searchbox', { name: 'Cliente' })
  await expect(field).toBeVisible()
  await page.getByRole('dialog').evaluate((dialog) => Promise.all(dialog.getAnimations({ subtree: true }).map(({ finished }) => finished)))
  const before = await boxOf(field)
  await field.fill('ana')
  await expect(page.getByRole('dialog').getByRole('list', { name: 'Clientes encontrados' }).getByRole('button').first()).toBeVisible()
  expect((await boxOf(field)).y).toBe(before.y)
})

test('a new class can be saved without scrolling its long form', async ({ page }) => {
  await enter(page, OWNER, '/admin/horario')
  await page.getByRole('button', { name: 'Nueva clase' }).click()
  await expect(page.getByRole('dialog').getByRole('button', { name: 'Crear clase' })).toBeInViewport({ ratio: 1 })
})

test('the reason of a button that saves is beside it, in a bar of one line', async ({ page }) => {
  await enter(page, OWNER, '/admin/paquetes/nuevo')
  const button = await boxOf(page.getByRole('button', { name: 'Guardar' }))
  const reason = await boxOf(page.getByText('Sin cambios.', { exact: true }))
  expect(reason.x + reason.width).toBeLessThanOrEqual(button.x)
  expect(Math.abs(reason.y + reason.height / 2 - (button.y + button.height / 2))).toBeLessThan(4)
})

test('the lists of the catalogue and of the videos are one row of tabs', async ({ page }) => {
  await enter(page, OWNER, '/admin/catalogo/coaches')
  const row = page.getByRole('navigation', { name: 'Listas del catálogo' })
  expect((await boxOf(row)).height).toBeLessThan(60)
  // The last one is reached by the keyboard, also where it is outside the window.
  const last = row.getByRole('link', { name: 'Formas de pago' })
  await last.focus()
  await expect(last).toBeInViewport()
  await page.goto('/admin/videos/programas')
  expect((await boxOf(page.getByRole('navigation', { name: 'Listas de videos' }))).height).toBeLessThan(60)
})

test('what a person does about themselves is tall enough for a thumb in the menu of a phone', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, OWNER, '/admin/hoy')
  await page.getByRole('button', { name: 'Abrir menú' }).click()
  for (const name of ['Lo último', 'Mi PIN', 'Salir']) {
    const verb = page.getByRole('dialog').getByRole('button', { name, exact: true })
    expect((await boxOf(verb)).height, name).toBeGreaterThanOrEqual(44)
  }
})

test('on a phone without a network the whole banner is read above the head of a roster', async ({ page, context, request }) => {
  const { day, hour } = inMinutes(220)
  const [id = 0] = await classOn(request, { day, hour, spot_map: '3,3', capacity: 6 })
  await page.setViewportSize({ width: 390, height: 844 })
  await enter(page, OWNER, `/admin/clases/${id}`)
  await expect(page.locator('.roster-head')).toBeVisible()
  await context.setOffline(true)
  const banner = await boxOf(page.locator('.offline-bar'))
  const head = await boxOf(page.locator('.roster-head'))
  expect(head.y).toBeGreaterThanOrEqual(banner.y + banner.height)
  await context.setOffline(false)
})

test('the bar of the chosen classes is at the foot of the window, also on the first screen of a visit', async ({ page, request }) => {
  const { day, hour } = inMinutes(230)
  await classOn(request, { day, hour, spot_map: '3,3', capacity: 6 })
  await page.setViewportSize({ width: 1440, height: 900 })
  await enter(page, OWNER, `/admin/horario?semana=${day}`)
  await page.getByRole('button', { name: 'Seleccionar' }).click()
  await page.locator('.plan-block').last().click()
  const bar = await boxOf(page.getByRole('region', { name: 'Selección' }))
  expect(bar.y + bar.height).toBeLessThanOrEqual(900)
})

for (const path of ['/admin/paquetes/1', '/admin/ajustes/reservas'])
  test(`nothing that takes the focus is behind a bar of ${path} on a phone`, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 })
    await enter(page, OWNER, path)
    await expect(page.getByRole('main').getByRole('textbox').first()).toBeVisible()
    // What still loads would move what has the focus.
    await expect(page.locator('.skeleton')).toHaveCount(0)
    const covered: string[] = []
    for (let stop = 0; stop < 60; stop++) {
      await page.keyboard.press('Tab')
      const name = await page.evaluate(() => {
        const focused = document.activeElement
        const bars = [...document.querySelectorAll('.save-bar, .admin-foot')].filter((bar) => !bar.contains(focused))
        const box = focused?.getBoundingClientRect()
        if (!box || box.height === 0 || !document.querySelector('main')?.contains(focused)) return null
        const middle = box.top + box.height / 2
        // A bar that stands at the end of its form has other parts below it.
        const isCovered = bars.some((bar) => {
          const { top, bottom } = bar.getBoundingClientRect()
          return middle > top && middle < bottom
        })
        return isCovered || middle < 0 || middle > innerHeight ? (focused?.outerHTML.slice(0, 80) ?? null) : null
      })
      if (name) covered.push(name)
    }
    expect(covered).toEqual([])
  })

test('the bars of a chart have tracks of one width, six figures fill their rows, and an odd chart takes its whole row (RE21, RE16)', async ({
  page,
}) => {
  await enter(page, OWNER, '/admin/reportes/espera')
  for (const key of ['espera', 'suscripciones', 'ganancia', 'valor']) {
    await page.goto(`/admin/reportes/${key}`)
    await expect(page.locator('.report-bars').first()).toBeVisible()
    const tracks = await page
      .locator('.report-bars')
      .evaluateAll((charts) =>
        charts.map((chart) => [...chart.querySelectorAll('.report-bar')].map((bar) => Math.round(bar.getBoundingClientRect().width))),
      )
    for (const widths of tracks) expect(new Set(widths).size, `${key}: ${widths}`).toBe(1)
    const ends = await page.locator('.report-figures').evaluate((list) => {
      const last = list.lastElementChild
      return { list: list.getBoundingClientRect().right, last: last?.getBoundingClientRect().right, figures: list.children.length }
    })
    if (ends.figures % 3 === 0 || ends.figures === 4) expect(Math.abs(ends.list - (ends.last ?? 0)), key).toBeLessThan(3)
  }
  await page.goto('/admin/reportes/espera')
  const charts = page.locator('.report-charts')
  await expect(charts).toBeVisible()
  const odd = await charts.evaluate((list) =>
    list.children.length % 2 === 0 ? null : [list.getBoundingClientRect().width, list.lastElementChild?.getBoundingClientRect().width ?? 0],
  )
  if (odd) expect(Math.abs((odd[0] ?? 0) - (odd[1] ?? 0))).toBeLessThan(2)
})
