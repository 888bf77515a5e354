/** Through the checkout with the keyboard alone: what has the focus is seen (WCAG 2.1.1, 2.4.7). */
import type { Page } from '@playwright/test'
import { KeyboardPerson } from './keyboard.ts'
import { customer, PASSWORD } from './studio-people.ts'
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
        const ring = (one: Element) => {
          const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(one)
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

test('through the checkout with the keyboard alone', async ({ page }) => {
  const kevin = await customer(page.request, 'Kevin', 0)
  const withoutFocusRing = await watchFocus(page)
  const person = new KeyboardPerson(page)
  await page.goto('/checkout/1')
  await person.activate(page.getByRole('button', { name: 'Inicia sesión' }))
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
