/**
 * Accounts with a studio's own settings: its questions at sign-up, every email of the identity service, log-in with every outcome, keyboard
 * use, and what blocks a reservation (S1-2, S1-4, S1-5, S1-8, S2-2). With a studio of its own; the tests run in order.
 */
import type { Page } from '@playwright/test'
import { IDENTITY_API_KEY, IDENTITY_PATH } from '#contract/identity.ts'
import { accessible } from './axe.ts'
import { fillSignUp, identity, linkFor, logIn } from './own-account-steps.ts'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { PASSWORD } from './studio-people.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

const NORA = { name: 'Nora', email: 'nora.paz@correo.test', phone: '8112345678' }
const ANA = { email: 'ana@fragua.example', password: 'fragua-ana' }

const calendar = (page: Page) => page.getByRole('heading', { level: 1, name: /^(Calendario|Presenciales)$/ })

test("sign-up asks the studio's own questions, and redirects visitors who are signed in (S1-2.04 to S1-2.06, S1-2.96 to S1-2.98, S2-5.31)", async ({
  page,
}) => {
  const field = { type: 'text', required: true, step: 1 }
  const { form } = await own.owner<{ form: { form_id: number } }>('POST', '/forms', {
    name: 'Antes de empezar',
    form_fields: [
      { ...field, key: 'objetivo', label: 'Tu objetivo', order: 1 },
      {
        ...field,
        key: 'turno',
        label: 'Turno',
        type: 'select',
        order: 2,
        options: [
          { value: 'am', label: 'Mañana' },
          { value: 'pm', label: 'Tarde' },
        ],
      },
      { ...field, key: 'apodo', label: 'Apodo', required: false, order: 3 },
    ],
  })
  await own.change({ signup_form_id: form.form_id })
  await page.goto(`${own.url}/registro`)
  await expect(page.getByRole('heading', { level: 1, name: 'Regístrate' })).toBeVisible()
  await expect(page.locator('.access-logo')).toBeVisible()
  await expect(page.getByText('Apodo (Opcional)')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Inicia sesión' })).toHaveAttribute('href', '/entrar')
  await fillSignUp(page, NORA)
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText('Revisa los campos faltantes o inválidos.')).toBeVisible()
  await expect(page.getByText('Debes llenar este campo.')).toBeVisible()
  await expect(page.getByText('Debes seleccionar una opción.')).toBeVisible()
  await accessible(page)
  await page.getByLabel('Tu objetivo').fill('Hacer una dominada')
  await page.getByLabel('Turno').selectOption('Tarde')
  await page.getByLabel('¿Cómo nos conociste?').selectOption('Otro')
  await page.getByLabel('Cuéntanos cómo').fill('Por mi hermana')
  // Who goes to the log-in and back finds all of it but the passwords.
  await page.getByRole('link', { name: 'Inicia sesión' }).click()
  await page.getByRole('link', { name: 'Crea tu cuenta' }).click()
  await expect(page.getByLabel('Tu objetivo')).toHaveValue('Hacer una dominada')
  await expect(page.getByLabel('Turno').locator('option:checked')).toHaveText('Tarde')
  await expect(page.getByLabel('¿Cómo nos conociste?')).toHaveValue('Otro')
  await expect(page.getByLabel('Cuéntanos cómo')).toHaveValue('Por mi hermana')
  await fillSignUp(page, NORA)
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(calendar(page)).toBeVisible()
  await page.goto(`${own.url}/registro`)
  await expect(page).toHaveURL(`${own.url}/mystudio`)
  await own.change({ signup_form_id: null })
})

test('the password policy is loaded when a new password is typed, not before (S1-4.03)', async ({ page }) => {
  const policyRequests: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('passwordPolicy')) policyRequests.push(request.url())
  })
  await page.goto(`${own.url}/entrar`)
  await page.getByLabel('Correo electrónico').fill(NORA.email)
  await page.getByLabel('Contraseña', { exact: true }).fill('no-es-esta-8')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo', { exact: true })).toBeVisible()
  await page.goto(`${own.url}/registro`)
  await page.getByLabel('Nombre', { exact: true }).fill('Nora')
  await page.waitForLoadState('networkidle')
  expect(policyRequests).toEqual([])
  await page.getByLabel('Contraseña', { exact: true }).fill('abc')
  await expect(page.locator('.password-rules [data-met="false"]').first()).toBeVisible()
  expect(policyRequests).toHaveLength(1)
})

test('after a policy change the refusal shows the new minimum (S1-5.04)', async ({ page }) => {
  await page.goto(`${own.url}/registro`)
  await fillSignUp(page, { name: 'Sara', email: 'sara@correo.test', phone: '8113456789' })
  await page.getByLabel('Contraseña', { exact: true }).fill('olas-77')
  await page.getByLabel('Confirma tu contraseña').fill('olas-77')
  await expect(page.getByText('Al menos 6 caracteres')).toBeVisible()
  await own.change({ password_min_length: 9 })
  try {
    await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
    await expect(page.getByText('La contraseña no cumple los requisitos.')).toBeVisible()
    await expect(page.locator('.password-rules [data-met="false"]')).toHaveText(/Al menos 9 caracteres/, { timeout: 1_000 })
    await expect(page.getByText('Al menos 6 caracteres')).toHaveCount(0)
  } finally {
    await own.change({ password_min_length: 6 })
  }
})

test('a telephone or an email address of another account is refused (S1-5.11, S1-8.05, S1-8.06)', async ({ page }) => {
  await page.goto(`${own.url}/registro`)
  await fillSignUp(page, { ...NORA, email: 'otra@correo.test' })
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText('Ya existe una cuenta con ese número de teléfono')).toBeVisible()
  await page.getByLabel('Teléfono').fill('8187654321')
  await page.getByLabel('Correo electrónico').fill(NORA.email)
  await page.getByLabel('Contraseña', { exact: true }).fill('otra-distinta-9')
  await page.getByLabel('Confirma tu contraseña').fill('otra-distinta-9')
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page.getByText('Ya tienes una cuenta con nosotros. Por favor, inicia sesión.')).toBeVisible()
  await expect(page).toHaveURL(`${own.url}/registro`)
  await page.goto(`${own.url}/mystudio`)
  await expect(page).toHaveURL(`${own.url}/entrar`)
})

test('log-in shows what each of its outcomes says (S1-1.15, S1-2.03, S1-2.38 to S1-2.42, S1-8.02 to S1-8.04, S1-8.12, settled 9)', async ({
  page,
}) => {
  await page.goto(`${own.url}/entrar`)
  await expect(page.getByRole('heading', { level: 1, name: 'Entrar Ahora' })).toBeVisible()
  const password = page.getByLabel('Contraseña', { exact: true })
  await password.fill('abc')
  await expect(password).toHaveAttribute('type', 'password')
  const eye = page.getByRole('button', { name: /(?:Mostrar|Ocultar)/ })
  await eye.click()
  await expect(password).toHaveAttribute('type', 'text')
  await eye.click()
  await expect(password).toHaveAttribute('type', 'password')
  await expect(page.getByRole('link', { name: 'Crea tu cuenta' })).toHaveAttribute('href', '/registro')
  await expect(page.getByRole('link', { name: '¿Olvidaste tu contraseña?' })).toHaveAttribute('href', '/recuperar')
  await logIn(page, own, 'nadie@correo.test', PASSWORD)
  await expect(page.getByText('Lo sentimos. No encontramos una cuenta con ese correo. ¡Regístrate!')).toBeVisible()
  await logIn(page, own, NORA.email, 'no-es-esta-8')
  await expect(page.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo', { exact: true })).toBeVisible()
  await own.change({ email_enumeration_protection: true })
  for (const [email, tried] of [
    ['nadie@correo.test', PASSWORD],
    [NORA.email, 'no-es-esta-8'],
  ] as const) {
    await logIn(page, own, email, tried)
    await expect(page.getByText('El correo o la contraseña no son correctos. Por favor, intenta de nuevo')).toBeVisible()
  }
  await own.change({ email_enumeration_protection: false })
  // The service cannot be reached: a message, and the typed values stay.
  await page.goto(`${own.url}/entrar`)
  await page.getByLabel('Correo electrónico').fill(NORA.email)
  await password.fill(PASSWORD)
  await page.route(/identidad\/v1\/accounts:signIn/, (route) => route.abort())
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('No pudimos conectarnos. Revisa tu conexión e intenta de nuevo.')).toBeVisible()
  await page.unroute(/identidad\/v1\/accounts:signIn/)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(calendar(page)).toBeVisible()
})

test('log-in, menus and log-out work by keyboard alone', async ({ page, isMobile }) => {
  await page.goto(`${own.url}/entrar`)
  const reach = async (what: ReturnType<Page['locator']>) => {
    for (let step = 0; step < 40; step++) {
      if (await what.evaluate((node) => node === document.activeElement)) return
      await page.keyboard.press('Tab')
    }
    throw new Error('Tab never came there.')
  }
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: 'Saltar al contenido' })).toBeFocused()
  await reach(page.getByLabel('Correo electrónico'))
  await page.keyboard.type(NORA.email)
  await page.keyboard.press('Tab')
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await expect(calendar(page)).toBeVisible()

  if (isMobile) {
    const open = page.getByRole('button', { name: 'Abrir menú' })
    await reach(open)
    await page.keyboard.press('Enter')
    const drawer = page.getByRole('dialog', { name: 'Menú' })
    await expect(drawer).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(drawer).toBeHidden()
    await expect(open).toBeFocused()
  }
  const user = page.getByRole('button', { name: /Cuenta de Nora/ })
  await reach(user)
  await page.keyboard.press('Enter')
  const leave = page.getByRole('menuitem', { name: 'Salir' })
  await expect(leave).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(leave).toBeHidden()
  await expect(user).toBeFocused()
  await page.keyboard.press('Enter')
  await page.keyboard.press('End')
  await expect(leave).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL(`${own.url}/entrar`)
})

test('a signed-in customer has bar, drawer and menu with what is theirs (S2-2.10 to S2-2.15, S1-2.31, S1-2.47)', async ({
  page,
  isMobile,
}) => {
  await logIn(page, own, NORA.email, PASSWORD)
  await expect(calendar(page)).toBeVisible()
  // Entries that depend on switches and names of the studio.
  await own.change({ videos_enabled: true, class_packages_name: 'Rondas', class_packages_path: '/rondas' })
  await page.reload()
  await expect(calendar(page)).toBeVisible()
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  const entries = page.getByRole('navigation', { name: isMobile ? 'Menú' : 'Principal' }).getByRole('link')
  expect(await entries.allTextContents()).toEqual(['Calendario', 'Online', 'Reservaciones', 'Rondas'])
  await entries.last().click()
  await expect(page).toHaveURL(`${own.url}/mystudio/rondas`)
  await expect(page.getByRole('heading', { level: 1, name: 'Rondas' })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await own.change({ videos_enabled: false, class_packages_name: 'Paquetes', class_packages_path: '/paquetes' })
  await page.goto(`${own.url}/mystudio`)
  await expect(calendar(page)).toBeVisible()
  if (isMobile) {
    await page.getByRole('button', { name: 'Abrir menú' }).click()
    const drawer = page.getByRole('dialog', { name: 'Menú' })
    const names = (title: string) => drawer.getByRole('navigation', { name: title }).getByRole('link').allTextContents()
    expect(await names('Menú')).toEqual(['Calendario', 'Reservaciones', 'Paquetes'])
    expect(await names('Mi Cuenta')).toEqual(['Mi Información', 'Mis Compras'])
    await expect(drawer.getByRole('button', { name: 'Salir' })).toBeVisible()
    const banner = drawer.getByText(/Noche de sparring/)
    await expect(banner).toBeVisible()
    const above = await banner.boundingBox()
    const menu = await drawer.getByRole('navigation', { name: 'Menú' }).boundingBox()
    expect(above?.y ?? 999).toBeLessThan(menu?.y ?? 0)
    await accessible(page)
    await drawer.getByRole('link', { name: 'Mi Información' }).click()
    await expect(drawer).toBeHidden()
  } else {
    const bar = page.getByRole('navigation', { name: 'Principal' })
    expect(await bar.getByRole('link').allTextContents()).toEqual(['Calendario', 'Reservaciones', 'Paquetes'])
    await page.getByRole('button', { name: /Cuenta de Nora/ }).click()
    for (const entry of ['Mi Información', 'Mis Compras']) await expect(page.getByRole('menuitem', { name: entry })).toBeVisible()
    await page.getByRole('menuitem', { name: 'Mi Información' }).click()
  }
  await expect(page.getByRole('heading', { level: 1, name: 'Mi Información' })).toBeVisible()
  await accessible(page)
})

test('successes are shown 3 seconds, failures 5 with the sentence of the server, and a spinner while a call runs (S1-4.32, S1-4.33, S1-8.39, S2-4.29, S2-8.01)', async ({
  page,
}) => {
  await logIn(page, own, NORA.email, PASSWORD)
  await expect(calendar(page)).toBeVisible()
  await page.goto(`${own.url}/mystudio/informacion`)
  const personal = page.getByRole('region', { name: 'Información personal' })
  await personal.getByRole('button', { name: /Editar/ }).click()
  let release = () => {}
  const released = new Promise<void>((go) => {
    release = go
  })
  await page.route('**/api/customer', async (route) => {
    if (route.request().method() === 'PUT') await released
    await route.continue()
  })
  const save = personal.getByRole('button', { name: 'Guardar' })
  await expect(save).not.toHaveAttribute('aria-busy')
  await save.click()
  await expect(save).toHaveAttribute('aria-busy', 'true')
  /** The next message and the duration of its progress bar; resolves when the message has disappeared by itself. */
  const nextMessage = (role: 'status' | 'alert') =>
    page.evaluate(
      (css) =>
        new Promise<{ message: string | null | undefined; lasts: string }>((done) => {
          let seen: { message: string | null | undefined; lasts: string } | undefined
          const poll = setInterval(() => {
            const toast = document.querySelector<HTMLElement>(css)
            if (toast) seen ??= { message: toast.querySelector('p')?.textContent, lasts: toast.style.getPropertyValue('--lasts') }
            else if (seen) {
              clearInterval(poll)
              done(seen)
            }
          }, 50)
        }),
      `.toasts [role=${role}] .toast`,
    )
  const success = nextMessage('status')
  release()
  await expect(save).toHaveCount(0)
  expect(await success).toEqual({ message: 'Perfil actualizado con éxito.', lasts: '3000ms' })

  // A failure that no component handles: the list of pages in the footer.
  let answer = () => {}
  const watching = new Promise<void>((go) => {
    answer = go
  })
  await page.route('**/api/pages', async (route) => {
    await watching
    await route.fulfill({ status: 409, json: { defined: true, code: 'IN_USE', status: 409, message: 'Lo dice el servidor.', data: {} } })
  })
  await page.reload()
  await expect(personal).toBeVisible()
  const alert = nextMessage('alert')
  answer()
  expect(await alert).toEqual({ message: 'Lo dice el servidor.', lasts: '5000ms' })
})

test('sessions: the profile lists them, closes the others, and logging out ends its own at the server (P16)', async ({ page, browser }) => {
  await own.sql('delete from identity_session where uid = (select uid from identity_account where email = $1)', [NORA.email])
  const other = await (await browser.newContext()).newPage()
  await logIn(other, own, NORA.email, PASSWORD)
  await expect(calendar(other)).toBeVisible()
  await logIn(page, own, NORA.email, PASSWORD)
  await expect(calendar(page)).toBeVisible()
  await page.goto(`${own.url}/mystudio/informacion`)
  const card = page.getByRole('region', { name: 'Sesiones abiertas' })
  await expect(card.getByRole('listitem')).toHaveCount(2)
  await expect(card.getByRole('listitem').first()).toContainText(/Chrome en \w+/)
  await expect(card.getByText('Esta sesión')).toHaveCount(1)
  await accessible(page)
  await card.getByRole('button', { name: 'Cerrar las demás' }).click()
  await expect(card.getByRole('listitem')).toHaveCount(1)
  await expect(card.getByRole('button', { name: 'Cerrar las demás' })).toHaveCount(0)
  await other.goto(`${own.url}/mystudio/informacion`)
  await expect(other).toHaveURL(/\/entrar/)
  await other.context().close()

  const left = await page.evaluate(
    () =>
      new Promise<string>((resolve, reject) => {
        const opening = indexedDB.open('firebaseLocalStorageDb')
        opening.onerror = () => reject(opening.error)
        opening.onsuccess = () => {
          const rows = opening.result.transaction('firebaseLocalStorage').objectStore('firebaseLocalStorage').getAll()
          rows.onsuccess = () =>
            resolve(
              (rows.result as { value?: { stsTokenManager?: { refreshToken?: string } } }[])
                .map(({ value }) => value?.stsTokenManager?.refreshToken ?? '')
                .join(''),
            )
        }
      }),
  )
  expect(left).toMatch(/^[\w-]{64}$/)
  await page.getByRole('button', { name: /Cuenta de Nora/ }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL(`${own.url}/entrar`)
  // A copied refresh token is no longer accepted.
  const refreshed = () =>
    fetch(`${own.url}${IDENTITY_PATH}/v1/token?key=${IDENTITY_API_KEY}`, {
      method: 'POST',
      body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: left }),
    }).then((answer) => answer.status)
  await expect.poll(refreshed).toBe(400)
})

test('an address is confirmed by email (S1-8.55)', async ({ page }) => {
  await logIn(page, own, NORA.email, PASSWORD)
  await expect(calendar(page)).toBeVisible()
  await page.goto(`${own.url}/mystudio/informacion`)
  await page.getByRole('button', { name: 'Enviar correo de confirmación' }).click()
  await expect(page.getByText('Te enviamos un correo para confirmar tu dirección').first()).toBeVisible()
  const link = await linkFor(own, NORA.email, 'verifyEmail')
  // After a network failure the link still works.
  await page.route(/identidad\/v1\/accounts:update/, (route) => route.abort())
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'No pudimos abrir este enlace' })).toBeVisible()
  await accessible(page)
  await page.unroute(/identidad\/v1\/accounts:update/)
  await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByRole('heading', { name: 'Correo confirmado' })).toBeVisible()
  await accessible(page)
  // A used link shows that nothing is left to do, and offers no password recovery.
  await page.reload()
  await expect(page.getByText('Este enlace no es válido o ya se usó.')).toBeVisible()
  await expect(page.getByText('Si ya confirmaste tu correo, no hace falta otro enlace.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Entrar', exact: true })).toHaveAttribute('href', '/entrar')
  await accessible(page)
  await page.goto(`${own.url}/mystudio/informacion`)
  await expect(page.getByRole('heading', { level: 1, name: 'Mi Información' })).toBeVisible()
  await expect(page.getByText('Confirma tu correo')).toHaveCount(0)
})

test('a new password signs out everywhere else (S1-2.08, S1-4.35, S1-5.27)', async ({ page, browser }) => {
  const other = await (await browser.newContext()).newPage()
  await logIn(other, own, NORA.email, PASSWORD)
  await expect(calendar(other)).toBeVisible()
  await page.goto(`${own.url}/recuperar`)
  await expect(page.getByLabel('Correo electrónico')).toHaveAttribute('type', 'email')
  await page.getByRole('link', { name: 'Inicia sesión' }).click()
  await expect(page).toHaveURL(`${own.url}/entrar`)
  await page.goBack()
  await page.getByLabel('Correo electrónico').fill(NORA.email)
  await page.getByRole('button', { name: 'Recuperar' }).click()
  await expect(page.getByText('Te hemos enviado un correo para reestablecer tu contraseña.')).toBeVisible()
  await page.goto(await linkFor(own, NORA.email, 'resetPassword'))
  await page.getByLabel('Contraseña nueva').fill('viento-y-arena-8')
  await page.getByLabel('Confirma tu contraseña').fill('viento-y-arena-8')
  await page.getByRole('button', { name: 'Guardar contraseña' }).click()
  await expect(page.getByRole('heading', { name: 'Contraseña actualizada' })).toBeVisible()
  await other.goto(`${own.url}/mystudio/informacion`)
  await expect(other).toHaveURL(/\/entrar/)
  await logIn(other, own, NORA.email, PASSWORD)
  await expect(other.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo')).toBeVisible()
  await other.context().close()
})

test('a link sent by email signs in, and a new address is confirmed by its own email (S1-7.93)', async ({ page }) => {
  await identity(own, 'sendOobCode', { requestType: 'EMAIL_SIGNIN', email: NORA.email, continueUrl: `${own.url}/mystudio` })
  const link = await linkFor(own, NORA.email, 'signIn')
  await page.goto(link)
  await expect(page.getByRole('heading', { name: 'Confirma tu correo' })).toBeVisible()
  await accessible(page)
  await page.getByLabel('Correo electrónico').fill('otra@correo.test')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('Este enlace llegó a otro correo. Escribe el mismo en el que lo recibiste.')).toBeVisible()
  await page.getByLabel('Correo electrónico').fill(NORA.email)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(calendar(page)).toBeVisible()
  await page.goto(link)
  await page.getByLabel('Correo electrónico').fill(NORA.email)
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByText('Este enlace no es válido o ya se usó.')).toBeVisible()
  await expect(page.getByRole('link', { name: 'Entrar con tu contraseña' })).toHaveAttribute('href', '/entrar')

  const { idToken } = await identity(own, 'signInWithPassword', {
    email: NORA.email,
    password: 'viento-y-arena-8',
    returnSecureToken: true,
  })
  await identity(own, 'sendOobCode', { requestType: 'VERIFY_AND_CHANGE_EMAIL', idToken, newEmail: 'nora.nueva@correo.test' })
  await page.goto(await linkFor(own, 'nora.nueva@correo.test', 'verifyAndChangeEmail'))
  await expect(page.getByRole('heading', { name: 'Correo actualizado' })).toBeVisible()
  await logIn(page, own, 'nora.nueva@correo.test', 'viento-y-arena-8')
  await expect(calendar(page)).toBeVisible()
})

test('the endpoint of federated sign-in exists and refuses (S1-7.94, settled 10)', async () => {
  const body = { postBody: 'id_token=x&providerId=google.com', requestUri: own.url, returnSecureToken: true }
  expect(await identity(own, 'signInWithIdp', body)).toMatchObject({
    status: 400,
    error: { message: expect.stringMatching(/^OPERATION_NOT_ALLOWED/) },
  })
})

test("a reservation needs the answers to the studio's own questions, and the profile shows which are missing (S1-2.95, S2-2.16)", async ({
  page,
}) => {
  const { form } = await own.owner<{ form: { form_id: number } }>('POST', '/forms', {
    name: 'Salud',
    form_fields: [{ key: 'lesion', label: 'Lesiones', type: 'textarea', required: true, step: 1, order: 1 }],
  })
  await own.change({ profile_form_id: form.form_id, profile_required_to_reserve: true })
  await logIn(page, own, ANA.email, ANA.password)
  await expect(calendar(page)).toBeVisible()
  await page.getByRole('link', { name: 'Semana siguiente', exact: true }).click()
  const reserve = page.getByRole('button', { name: /^Reservar / }).or(page.getByRole('link', { name: /^Reservar / }))
  await reserve.first().click()
  const dialog = page.getByRole('dialog', { name: 'Falta tu información' })
  await expect(dialog.getByText('Debes completar tu información personal antes de reservar clases.')).toBeVisible()
  await accessible(page)
  await dialog.getByRole('link', { name: 'Completar Información' }).click()
  await expect(page).toHaveURL(`${own.url}/mystudio/informacion`)
  await expect(page.getByRole('listitem').filter({ hasText: 'Lesiones' })).toBeVisible()
  const card = page.getByRole('region', { name: 'Salud' })
  await card.getByLabel('Lesiones').fill('Ninguna')
  await card.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Perfil actualizado con éxito.')).toBeVisible()
  await expect(page.getByText('Te falta información')).toHaveCount(0)
  await own.change({ profile_form_id: null, profile_required_to_reserve: false })
})

test("the studio's image of the day is shown once a day and closed by a click outside (S2-2.32, S2-2.33, S2-3.33)", async ({ page }) => {
  await own.change({ popup_presencial_enabled: true, popup_presencial_src: '/arte/heroe-salto.svg', popup_presencial_link: '/avisos' })
  await logIn(page, own, ANA.email, ANA.password)
  const image = page.getByRole('dialog', { name: /Aviso de/ })
  await expect(image).toBeVisible()
  await expect(image.getByRole('link')).toHaveAttribute('href', '/avisos')
  await accessible(page)
  await page.mouse.click(4, 4)
  await expect(image).toBeHidden()
  await page.reload()
  await expect(calendar(page)).toBeVisible()
  await page.waitForLoadState('networkidle')
  await expect(image).toHaveCount(0)
  await page.evaluate(() => localStorage.setItem('estudio:imagen', '2020-01-01'))
  await page.reload()
  await expect(image).toBeVisible()
  await own.change({ popup_presencial_enabled: false })
})
