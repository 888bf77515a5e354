/**
 * Choosing a package: rows on a phone, the comparison of prices, and what the checkout still needs (S1-2.83, S1-2.84, S1-5.17, S1-5.18).
 */
import { accessible } from './axe.ts'
import { customer, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

/** Words that a line break cuts in two, and prices that lie on their button. */
const brokenIn = (rows: Element[]): string[] =>
  rows.flatMap((row) => {
    const found: string[] = []
    const texts = document.createTreeWalker(row, NodeFilter.SHOW_TEXT)
    for (let text = texts.nextNode(); text; text = texts.nextNode())
      for (const { index, 0: word } of (text.nodeValue ?? '').matchAll(/\S+/g)) {
        const range = document.createRange()
        range.setStart(text, index)
        range.setEnd(text, index + word.length)
        if (new Set([...range.getClientRects()].map(({ top }) => Math.round(top))).size > 1) found.push(word)
      }
    const price = row.querySelector('.price > b')?.getBoundingClientRect().right ?? 0
    const button = row.querySelector('.btn')?.getBoundingClientRect().left ?? 0
    return price > button ? [...found, `${row.textContent}: the price is on the button`] : found
  })

test('packages are rows of at most 132 px on a phone, with the price per class', async ({ page, isMobile }) => {
  const rows = page.locator('.packages > .package:not(.package-help)')
  for (const path of ['/paquetes', '/mystudio/paquetes']) {
    if (path !== '/paquetes') await enter(page, await customer(page.request, 'Petra', 1), path)
    else await page.goto(path)
    await expect(rows.first()).toBeVisible()
    await expect(rows.filter({ hasText: 'Diez' }).first()).toContainText('$219.00 por clase')
    // Each package is an article with its name, for navigation by screen reader.
    await expect(page.getByRole('article', { name: 'Diez', exact: true })).toBeVisible()
    if (isMobile)
      for (const row of await rows.all()) {
        const box = await row.boundingBox()
        expect([await row.innerText(), (box?.height ?? 999) <= 132]).toEqual([await row.innerText(), true])
        const button = await row.getByRole('link').or(row.getByRole('button')).last().boundingBox()
        expect(button?.height).toBeGreaterThanOrEqual(44)
        // The longest verb has one line, and the price per class is not cut at the dot.
        expect([await row.innerText(), (button?.height ?? 999) <= 52]).toEqual([await row.innerText(), true])
        expect(await row.innerText()).not.toMatch(/ ·\s*$/m)
      }
    await accessible(page)
    if (!isMobile) continue
    await page.setViewportSize({ width: 320, height: 844 })
    expect(await rows.evaluateAll(brokenIn)).toEqual([])
    await page.setViewportSize({ width: 390, height: 844 })
  }
})

test('three questions find the cheapest package, for a visitor too', async ({ page }) => {
  await page.goto('/paquetes?ver=online')
  await expect(page.getByRole('heading', { level: 1, name: 'Paquetes' })).toBeVisible()
  await expect(page.getByRole('button', { name: '¿Cuál me conviene?' })).toHaveCount(0)
  await page.goto('/paquetes')
  await page.getByRole('button', { name: '¿Cuál me conviene?' }).click()
  await expect(page.getByRole('dialog', { name: '¿Cuál me conviene?' })).toContainText('Cada clase te sale en')
  await accessible(page)

  await enter(page, await customer(page.request, 'Pola', 0), '/mystudio/paquetes')
  await page.getByRole('button', { name: '¿Cuál me conviene?' }).click()
  const dialog = page.getByRole('dialog', { name: '¿Cuál me conviene?' })
  await dialog.getByRole('radiogroup', { name: '¿Quieres que se renueve sola?' }).getByText('No', { exact: true }).click()
  await dialog.getByRole('radiogroup', { name: '¿Vienes con alguien?' }).getByText('Con un invitado').click()
  // Two people twice a week use twenty classes within their ninety days.
  await expect(dialog).toContainText('Veinte: $4,200.00')
  await expect(dialog).toContainText('Cada clase te sale en $210.00')
  await dialog.getByRole('radiogroup', { name: '¿Cuántas veces por semana quieres venir?' }).getByText('5', { exact: true }).click()
  await dialog.getByText('Vengo por mi cuenta').click()
  await expect(dialog).toContainText('Ilimitado 30: $2,950.00')
  await accessible(page)
  await dialog.getByRole('link', { name: 'Comprar: Ilimitado 30' }).click()
  await expect(page).toHaveURL(/\/checkout\/\d+$/)
})

test('a tap on the waiting pay button shows what is missing', async ({ page }) => {
  await enter(page, await customer(page.request, 'Paz', 0), '/mystudio/paquetes')
  await page
    .getByRole('article')
    .filter({ has: page.getByRole('heading', { name: 'Cinco', exact: true }) })
    .getByRole('link')
    .click()
  const documents = page.getByRole('checkbox', { name: /^Acepto/ })
  await expect(documents).toBeChecked()
  await documents.uncheck()
  const pay = page.getByRole('button', { name: /^Pagar/ })
  await expect(pay).toHaveAccessibleDescription('Acepta los documentos para continuar.')
  await page.evaluate(() => scrollTo(0, 0))
  await pay.click({ force: true })
  await expect(documents).toBeFocused()
  await expect(documents).toBeInViewport()
  await documents.check()
  await expect(pay).toHaveAccessibleDescription('Completa los datos de tu tarjeta.')
  await page.evaluate(() => scrollTo(0, 0))
  await pay.click({ force: true })
  await expect(page.locator('iframe[title="Datos de la tarjeta"]')).toBeInViewport()
  await expect(
    page.frameLocator('iframe[title="Datos de la tarjeta"]').getByRole('img', { name: 'Visa, Mastercard y American Express' }),
  ).toBeVisible()
})
