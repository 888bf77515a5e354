/** Forms of accounts in the browser tests of a studio of its own. */
import { expect, type Page } from '@playwright/test'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
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

/** The link of an email, once it has arrived. */
export async function linkFor(own: SecondBrand, email: string, mode: string): Promise<string> {
  const link = new RegExp(`https?://\\S*mode=${mode}\\S*`)
  await expect.poll(() => own.mailTo(email), { timeout: 20_000 }).toMatch(link)
  return link.exec(await own.mailTo(email))?.[0] ?? ''
}

/** A call of the identity service, as its SDK makes it. */
export const identity = async (own: SecondBrand, operation: string, body: object) => {
  const answer = await fetch(`${own.url}${IDENTITY_PATH}/v1/accounts:${operation}?key=${IDENTITY_API_KEY}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, ...((await answer.json()) as { idToken?: string; error?: { message: string } }) }
}
