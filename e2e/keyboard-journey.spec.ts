/**
 * From the landing page to a seat, and through the checkout, with the keyboard alone: what has the focus is seen, and nothing holds it
 * (WCAG 2.1.1, 2.1.2, 2.4.3, 2.4.7).
 */
import type { Locator, Page } from '@playwright/test'
import { KeyboardPerson } from './keyboard.ts'
import { ahead, cardOf, classOn, customer, hourOf, PASSWORD } from './studio-people.ts'
import { expect, test } from './test.ts'

/** Every element that gets the focus from now on and is not seen to have it, by its name. */
async function watchFocus(page: Page): Promise<() => Promise<string[]>> {
  await page.addInitScript(() => {
    const withoutFocusRing: string[] = []
    Object.assign(window, { withoutFocusRing })
    document.addEventListener('focusin', ({ target }) => {
      requestAnimationFrame(() => {
        if (
          !(target instanceof HTMLElement) ||
          target !== document.activeElement ||
          target.tabIndex < 0 ||
          target instanceof HTMLIFrameElement
        )
          return
        // A hidden input shows its focus on what is drawn for it.
        const drawn: Element[] = [
          target,
          ...((target as HTMLInputElement).labels ?? []),
          ...(target.parentElement ? [target.parentElement] : []),
        ]
        const ring = (element: Element) => {
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(element)
          return (outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1) || boxShadow !== 'none'
        }
        const siblings = target.parentElement ? [...target.parentElement.children] : []
        const bar = document.querySelector('.checkout-pay')
        const [ofBar, own] = [bar?.getBoundingClientRect(), target.getBoundingClientRect()]
        const isBehind = ofBar && !bar?.contains(target) && own.bottom > ofBar.top + 1 && own.top < ofBar.bottom
        if (isBehind) withoutFocusRing.push(`behind the pay bar: ${target.tagName} ${target.textContent?.trim().slice(0, 40)}`)
        if (![...drawn, ...siblings].some(ring))
          withoutFocusRing.push(`${location.pathname} ${target.tagName} ${target.textContent?.trim().slice(0, 40)}`)
      })
    })
  })
  return () => page.evaluate(() => (window as unknown as { withoutFocusRing: string[] }).withoutFocusRing)
}

/** The names of the stops of Tab inside an open dialog, once around, from the focused one on. */
async function stopsInside(page: Page, dialog: Locator): Promise<string[]> {
  const stops: string[] = []
  for (let tabs = 0; tabs < 30; tabs++) {
    const stop = await dialog.evaluate((node) => {
      const { activeElement } = document
      // Past its last stop, or at a part that only scrolls.
      if (activeElement === document.body || (node.contains(activeElement) && activeElement?.querySelector('button'))) return 'none'
      if (!activeElement || !node.contains(activeElement)) return `outside: ${activeElement?.outerHTML.slice(0, 80)}`
      const [label] = (activeElement as HTMLInputElement).labels ?? []
      return activeElement.getAttribute('aria-label') ?? (label ?? activeElement).textContent?.trim() ?? ''
    })
    if (stop === stops[0]) return stops
    if (stop !== 'none') stops.push(stop)
    await page.keyboard.press('Tab')
  }
  return stops
}

test('a seat is reached from the landing page with the keyboard alone', async ({ page, isMobile }) => {
  const day = ahead(12)
  const at = hourOf('19', isMobile)
  await classOn(page.request, { day, hour: at, spot_map: '3,4', capacity: 7 })
  const katia = await customer(page.request, 'Katia', 2)
  const withoutFocusRing = await watchFocus(page)
  const person = new KeyboardPerson(page)

  // The first stop leads past the head of the page.
  await page.goto('/')
  await person.press('Tab')
  const skip = page.getByRole('link', { name: /contenido/i })
  await expect(skip).toBeFocused()
  await expect(skip).toBeInViewport()
  await person.press('Enter')
  await person.activate(page.getByRole('link', { name: 'Ver horarios' }).first())
  await expect(page.getByRole('heading', { level: 1, name: 'Horarios' })).toBeVisible()

  // The sheet holds the focus while it is open and gives it back.
  await page.goto(`/calendario?dia=${day}`)
  const book = cardOf(page, at, day).getByRole('button', { name: /^Reservar/ })
  await person.activate(book)
  const sheet = page.getByRole('dialog')
  await expect(sheet).toBeVisible()
  expect((await stopsInside(page, sheet)).filter((stop) => stop.startsWith('outside'))).toEqual([])
  await person.press('Escape')
  await expect(sheet).toBeHidden()
  await expect(book).toBeFocused()

  await person.press('Enter')
  await person.goTo(sheet.getByRole('radio', { name: 'Crear cuenta' }))
  await person.press('ArrowLeft')
  await person.typeInto(sheet.getByLabel('Correo electrónico'), katia.email)
  await person.typeInto(sheet.getByLabel('Contraseña', { exact: true }), PASSWORD)
  await person.press('Enter')

  // The seats are one stop; arrows reach each of them, and Space chooses.
  const dialog = page.getByRole('dialog', { name: 'Yin' })
  const seat = (name: string) => dialog.getByRole('radio', { name })
  await person.goTo(seat('Fila 1, lugar 1, disponible'))
  await person.press('ArrowRight')
  await expect(seat('Fila 1, lugar 2, disponible')).toBeFocused()
  await person.press('Space')
  await expect(seat('Fila 1, lugar 2, elegido')).toBeFocused()
  // In the order in which the dialog is read.
  expect(await stopsInside(page, dialog)).toEqual([
    'Fila 1, lugar 2, elegido',
    'Elige por mí',
    expect.stringMatching(/^Llevo un invitado/),
    expect.stringMatching(/^Repetir/),
    expect.stringMatching(/^Regalo de prueba/),
    'Ahora no',
    'Reservar',
    'Cerrar',
  ])
  await person.activate(dialog.getByRole('button', { name: 'Reservar', exact: true }))
  await expect(page.getByText('¡Reservación guardada con éxito!')).toBeVisible()
  expect(await withoutFocusRing()).toEqual([])
})

test('a package is bought with the keyboard alone', async ({ page }) => {
  const kevin = await customer(page.request, 'Kevin', 0)
  const withoutFocusRing = await watchFocus(page)
  const person = new KeyboardPerson(page)
  await page.goto('/checkout/1')
  await person.goTo(page.getByRole('radio', { name: 'Crear cuenta' }))
  await person.press('ArrowLeft')
  await person.typeInto(page.getByLabel('Correo electrónico'), kevin.email)
  await person.typeInto(page.getByLabel('Contraseña', { exact: true }), PASSWORD)
  await person.press('Enter')
  const card = page.frameLocator('iframe[title="Datos de la tarjeta"]')
  await expect(card.getByLabel('Número de tarjeta')).toBeVisible()
  for (const [label, text] of [
    ['Número de tarjeta', '4242424242424242'],
    ['Vencimiento', '09/2031'],
    ['CVV', '123'],
  ] as const)
    await person.typeInto(card.getByLabel(label, { exact: true }), text)
  const documents = page.getByRole('checkbox', { name: /^Acepto/ })
  await person.goTo(documents)
  if (!(await documents.isChecked())) await person.press('Space')
  await person.activate(page.getByRole('button', { name: /^Pagar/ }))
  await expect(page.getByRole('heading', { level: 1, name: '¡Compra exitosa!' })).toBeVisible()
  expect(await withoutFocusRing()).toEqual([])
})
