/** Accounts of staff in a studio of its own: without a customer record (S1-2), and with a second factor (P17). */
import { Secret, TOTP } from 'otpauth'
import { accessible } from './axe.ts'
import { fillSignUp, logIn } from './own-account-steps.ts'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { expect, test } from './test.ts'

let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

test('staff without a customer record are sent to the administration, and become customers at the checkout', async ({ page }) => {
  await logIn(page, own, 'homero@fragua.example', 'fragua-dueno')
  await expect(page).toHaveURL(`${own.url}/admin/hoy`)
  await accessible(page)
  await page
    .getByRole('button', { name: /Tu cuenta/ })
    .or(page.getByRole('button', { name: 'Abrir menú' }))
    .filter({ visible: true })
    .click()
  await page
    .getByRole('menuitem', { name: 'Salir' })
    .or(page.getByRole('button', { name: 'Salir' }))
    .filter({ visible: true })
    .click()
  await expect(page).toHaveURL(`${own.url}/entrar`)
  // The checkout explains what a staff account lacks.
  const { class_packages } = (await (await fetch(`${own.url}/api/class_packages`)).json()) as {
    class_packages: { class_package_id: number }[]
  }
  await page.goto(`${own.url}/checkout/${class_packages[0]?.class_package_id}`)
  await page.getByLabel('Correo electrónico').fill('homero@fragua.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('fragua-dueno')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByRole('alert').filter({ hasText: 'Entraste con una cuenta del equipo de Fragua.' })).toBeVisible()
  await page.getByRole('link', { name: 'Registrarme como cliente' }).click()
  await expect(page).toHaveURL(/\/registro\?volver=%2Fcheckout%2F\d+$/)
  await fillSignUp(page, { name: 'Homero', email: 'homero@fragua.example', phone: '8198765432' })
  await page.getByLabel('Contraseña', { exact: true }).fill('fragua-dueno')
  await page.getByLabel('Confirma tu contraseña').fill('fragua-dueno')
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByRole('heading', { name: 'Forma de Pago' })).toBeVisible()
})

test('the second factor of staff is enrolled at /seguridad, required at log-in, replaced by a recovery code, and turned off with a code (P17)', async ({
  page,
}) => {
  const RECEPTION = { email: 'recepcion@fragua.example', password: 'fragua-recepcion' }
  // A code is valid for 30 seconds and once. The last used step is set here, so that a slow run does not depend on the clock.
  const acceptCodes = () => own.sql('update identity_second_factor set last_step = 0')
  const useUpCodes = () => own.sql('update identity_second_factor set last_step = 2000000000')
  await page.goto(`${own.url}/seguridad`)
  await expect(page).toHaveURL(`${own.url}/entrar?volver=%2Fseguridad`)
  await page.getByLabel('Correo electrónico').fill(RECEPTION.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(RECEPTION.password)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page).toHaveURL(`${own.url}/seguridad`)
  const card = page.getByRole('region', { name: 'Verificación en dos pasos' })
  await expect(card.getByText('Sin activar')).toBeVisible()
  await expect(page.getByRole('region', { name: 'Sesiones abiertas' }).getByText('Esta sesión')).toBeVisible()
  await accessible(page)

  await card.getByRole('button', { name: 'Activar' }).click()
  await card.getByLabel('Contraseña', { exact: true }).fill('no-es-esta-8')
  await card.getByRole('button', { name: 'Continuar' }).click()
  await expect(card.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo')).toBeVisible()
  await card.getByLabel('Contraseña', { exact: true }).fill(RECEPTION.password)
  await card.getByRole('button', { name: 'Continuar' }).click()
  await expect(card.getByAltText('Código QR con la clave para tu app')).toBeVisible()
  await accessible(page)
  const key = (await card.locator('.second-factor-key code').innerText()).replaceAll(' ', '')
  const app = new TOTP({ secret: Secret.fromBase32(key) })
  await card.getByLabel('Código', { exact: true }).fill('000000')
  await card.getByRole('button', { name: 'Activar' }).click()
  await expect(card.getByText('Ese código no es correcto o ya se usó.')).toBeVisible()
  await card.getByLabel('Código', { exact: true }).fill(app.generate())
  await card.getByRole('button', { name: 'Activar' }).click()
  await expect(card.getByText('Guarda estos códigos de recuperación')).toBeVisible()
  await expect(card.locator('.second-factor-codes li')).toHaveCount(10)
  await accessible(page)
  const recovery = await card.locator('.second-factor-codes li').first().innerText()
  await card.getByRole('button', { name: 'Ya los guardé' }).click()
  await expect(card.getByText(/Activa desde el/)).toBeVisible()

  // In a new session the password alone is not enough: a code of the app or a recovery code is needed.
  const challenge = async () => {
    // Deletes the session from a page without scripts, which neither redirects nor writes it again.
    await page.goto(`${own.url}/robots.txt`)
    await page.evaluate(
      () =>
        new Promise((resolve, reject) => {
          const deletion = indexedDB.deleteDatabase('firebaseLocalStorageDb')
          deletion.onsuccess = resolve
          deletion.onerror = () => reject(deletion.error)
        }),
    )
    await page.evaluate(() => localStorage.clear())
    await page.context().clearCookies()
    await page.goto(`${own.url}/entrar?volver=%2Fseguridad`)
    await page.getByLabel('Correo electrónico').fill(RECEPTION.email)
    await page.getByLabel('Contraseña', { exact: true }).fill(RECEPTION.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page.getByRole('heading', { name: 'Verificación en dos pasos' })).toBeFocused()
  }
  await challenge()
  await accessible(page)
  await useUpCodes()
  await page.getByLabel('Código', { exact: true }).fill(app.generate())
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page.getByText('Ese código no es correcto o ya se usó.')).toBeVisible()
  await acceptCodes()
  await page.getByLabel('Código', { exact: true }).fill(app.generate())
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page).toHaveURL(`${own.url}/seguridad`)
  await challenge()
  await page.getByRole('button', { name: 'Usar un código de recuperación' }).click()
  await page.getByLabel('Código de recuperación').fill(recovery)
  await page.getByRole('button', { name: 'Continuar' }).click()
  await expect(page).toHaveURL(`${own.url}/seguridad`)

  await card.getByRole('button', { name: 'Desactivar' }).click()
  await card.getByLabel('Contraseña', { exact: true }).fill(RECEPTION.password)
  await card.getByRole('button', { name: 'Continuar' }).click()
  await acceptCodes()
  await card.getByLabel('Código', { exact: true }).fill(app.generate())
  await card.getByRole('button', { name: 'Continuar' }).click()
  await expect(card.getByText('Desactivaste la verificación en dos pasos.')).toBeVisible()
  await expect(card.getByText('Sin activar')).toBeVisible()
})

test('the owner resets the second factor of somebody who lost their phone: sessions end, and the password alone is enough again (P17)', async ({
  browser,
  page,
}) => {
  const MANAGER = { email: 'gerencia@fragua.example', password: 'fragua-gerencia' }
  const enter = async () => {
    await page.goto(`${own.url}/entrar?volver=%2Fseguridad`)
    await page.getByLabel('Correo electrónico').fill(MANAGER.email)
    await page.getByLabel('Contraseña', { exact: true }).fill(MANAGER.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page).toHaveURL(`${own.url}/seguridad`)
  }
  await enter()
  const card = page.getByRole('region', { name: 'Verificación en dos pasos' })
  await card.getByRole('button', { name: 'Activar' }).click()
  await card.getByLabel('Contraseña', { exact: true }).fill(MANAGER.password)
  await card.getByRole('button', { name: 'Continuar' }).click()
  const key = (await card.locator('.second-factor-key code').innerText()).replaceAll(' ', '')
  await card.getByLabel('Código', { exact: true }).fill(new TOTP({ secret: Secret.fromBase32(key) }).generate())
  await card.getByRole('button', { name: 'Activar' }).click()
  await card.getByRole('button', { name: 'Ya los guardé' }).click()
  await expect(card.getByText(/Activa desde el/)).toBeVisible()

  const context = await browser.newContext()
  const owner = await context.newPage()
  await logIn(owner, own, 'homero@fragua.example', 'fragua-dueno')
  await expect(owner).not.toHaveURL(/\/entrar/)
  await owner.goto(`${own.url}/admin/ajustes/equipo`)
  await owner.getByRole('button', { name: /Iván/ }).click()
  const verb = owner.getByRole('button', { name: 'Restablecer verificación en dos pasos' })
  await verb.click()
  const asking = owner.getByRole('dialog', { name: 'Restablecer verificación en dos pasos' })
  await asking.getByLabel('Motivo').fill('Perdió su teléfono')
  await accessible(owner)
  await asking.getByRole('button', { name: 'Restablecer' }).click()
  await expect(owner.getByText('Guardado.')).toBeVisible()
  await expect(verb).toHaveCount(0)
  await context.close()

  await page.goto(`${own.url}/admin/hoy`)
  await expect(page).toHaveURL(/\/entrar/)
  await enter()
  await expect(card.getByText('Sin activar')).toBeVisible()
})
