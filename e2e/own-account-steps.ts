/** Forms of accounts in the browser tests of a studio of its own. */
import type { Page } from '@playwright/test'
import type { SecondBrand } from './second-brand.ts'
import { PASSWORD } from './studio-people.ts'

/** Fills the sign-up form. */
export async function fillSignUp(page: Page, person: { name: string; email: string; phone: string }) {
  await page.getByLabel('Nombre', { exact: true }).fill(person.name)
  await page.getByLabel('Apellidos').fill('Paz Ibarra')
  await page.getByLabel('Correo electrónico').fill(person.email)
  await page.getByLabel('Teléfono').fill(person.phone)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByLabel('Confirma tu contraseña').fill(PASSWORD)
  await page.getByRole('checkbox').check()
}

export async function logIn(page: Page, own: SecondBrand, email: string, password: string) {
  await page.goto(`${own.url}/entrar`)
  await page.getByLabel('Correo electrónico').fill(email)
  await page.getByLabel('Contraseña', { exact: true }).fill(password)
  await page.getByRole('button', { name: 'Entrar' }).click()
}
