/**
 * A shared device of the front desk: a PIN is chosen, the device shared, the person changed by PIN, and everything is theirs (E15, E16).
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

// Each project signs in a person of its own. The PIN of reception is the same for both.
const signedInOf = (isMobile: boolean) =>
  isMobile
    ? { email: 'gerencia@vaiven.example', password: 'vaiven-gerencia', name: 'Diego Salas' }
    : { email: 'monica@vaiven.example', password: 'vaiven-duena', name: 'Mónica' }
const RECEPTION_PIN = '2580'
const OWN_PIN = '71935'

/** Chooses from the person's menu: at the side on a desk, at the foot of the phone's menu. */
async function choose(page: Page, isMobile: boolean, label: string) {
  if (isMobile) {
    await page.getByRole('button', { name: 'Abrir menú' }).click()
    await page.getByRole('dialog', { name: 'Menú' }).getByRole('button', { name: label, exact: true }).click()
  } else {
    await page.getByRole('button', { name: /Tu cuenta/ }).click()
    await page.getByRole('menuitem', { name: label, exact: true }).click()
  }
}

test('a device is shared, waits for a PIN, acts for the person of the PIN, and changes the person (E15, E16)', async ({
  page,
  isMobile,
}) => {
  const person = signedInOf(isMobile)
  const reception = await staff(page.request, 'reception')
  await reception('PUT', '/admin/pin', { pin: RECEPTION_PIN })
  const {
    staff: { name: receptionist },
  } = await reception<{ staff: { name: string } }>('GET', '/admin/me')

  await enter(page, person, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  await choose(page, isMobile, 'Mi PIN')
  const dialog = page.getByRole('dialog', { name: 'Mi PIN' })
  await expect(dialog.getByLabel('Otra vez')).toBeVisible()
  await accessible(page)
  await dialog.locator('input[name=pin]').fill('1234')
  await dialog.getByLabel('Otra vez').fill('1235')
  await dialog.getByRole('button', { name: 'Guardar mi PIN' }).click()
  await expect(dialog.getByText('No es el mismo PIN.')).toBeVisible()
  await dialog.getByLabel('Otra vez').fill('1234')
  await dialog.getByRole('button', { name: 'Guardar mi PIN' }).click()
  await expect(dialog.getByText('Elige un PIN menos fácil de adivinar.')).toBeVisible()
  await dialog.locator('input[name=pin]').fill(OWN_PIN)
  await dialog.getByLabel('Otra vez').fill(OWN_PIN)
  await dialog.getByRole('button', { name: 'Guardar mi PIN' }).click()
  await expect(dialog).toBeHidden()
  if (isMobile) {
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog', { name: 'Menú' })).toBeHidden()
  }

  await choose(page, isMobile, 'Compartir este dispositivo')
  const sharing = page.getByRole('dialog', { name: 'Compartir este dispositivo' })
  await accessible(page)
  await sharing.getByRole('button', { name: 'Compartir este dispositivo' }).click()
  await expect(page.getByRole('heading', { level: 1, name: '¿Quién eres?' })).toBeVisible()
  await accessible(page)

  await page.getByRole('button', { name: receptionist }).click()
  await expect(page.getByLabel('Tu PIN')).toBeFocused()
  await accessible(page)
  await page.keyboard.type('9999')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('alert')).toHaveText(/^El PIN no es correcto\. Intentos que quedan: \d\.$/)
  for (const digit of RECEPTION_PIN) await page.getByRole('button', { name: digit, exact: true }).click()
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  if (!isMobile) await expect(page.getByRole('button', { name: /Tu cuenta/ })).toContainText(receptionist)

  await choose(page, isMobile, 'Cambiar de persona')
  await expect(page.getByRole('heading', { level: 1, name: '¿Quién eres?' })).toBeVisible()
  // A reload does not unlock it, and the account that signed in has the rights of reception here.
  await page.goto('/admin/ajustes')
  await expect(page.getByRole('heading', { level: 1, name: '¿Quién eres?' })).toBeVisible()
  await page.getByRole('button', { name: new RegExp(person.name) }).click()
  await page.keyboard.type(OWN_PIN)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: '¿Quién eres?' })).toBeHidden()
  await expect(page.getByRole('button', { name: 'Entrar', exact: true })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ajustes' })).toHaveCount(0)
  await page.goto('/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  await choose(page, isMobile, 'Salir de este dispositivo')
  await expect(page).toHaveURL('/entrar')

  // Signed in again, the device is one's own.
  await enter(page, person, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
})
