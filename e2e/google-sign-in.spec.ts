/**
 * Google mode in the browser (settled 10): the published SDK's window and captcha, driven through our own forms. Google's hosts are mocked
 * at the network; how our server checks Google's tokens is tested with the identity adapter.
 */
import type { Page } from '@playwright/test'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

const AUTH_DOMAIN = 'fragua-entrar.example'
let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
  // In one change: afterwards only Google's tokens are accepted.
  await own.change({ google_sign_in: true, firebaseConfig: { apiKey: 'llave', projectId: 'fragua', authDomain: AUTH_DOMAIN } })
})
test.afterAll(() => own?.close())

/** Mocks Google's hosts. The returned array collects what the SDK sent, by path. */
async function google(page: Page, answers: Record<string, (sent: Record<string, unknown>) => { status?: number; json: object }>) {
  const sentBodies: [string, Record<string, unknown>][] = []
  const cors = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
  await page.route(/^https:\/\/(identitytoolkit|securetoken)\.googleapis\.com\//, async (route) => {
    const request = route.request()
    const path = new URL(request.url()).pathname
    if (request.method() === 'OPTIONS') return await route.fulfill({ status: 204, headers: cors })
    const sent = (request.postDataJSON() ?? {}) as Record<string, unknown>
    sentBodies.push([path, sent])
    const { status = 200, json } = answers[path]?.(sent) ?? { status: 400, json: { error: { code: 400, message: 'UNPREPARED' } } }
    await route.fulfill({ status, headers: cors, json })
  })
  // The SDK's helper frame: it loads and sends nothing by itself.
  await page.route(/^https:\/\/apis\.google\.com\/js\/api\.js/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `const frame = { restyle: async () => {}, ping: async (done) => done(), register: (_name, hear) => { window.authEvent = hear },
          send: (_name, _message, answer) => setTimeout(() => { try { answer([{ webStorageSupport: true }]) } catch {} }) }
        window.gapi = { load: (_name, { callback }) => callback(), iframes: { CROSS_ORIGIN_IFRAMES_FILTER: 1, getContext: () => ({ open: (_how, made) => made(frame) }) } }
        window[new URL(document.currentScript.src).searchParams.get('onload')]()`,
    }),
  )
  await page.context().route(`https://${AUTH_DOMAIN}/**`, (route) => route.fulfill({ contentType: 'text/html', body: '<p>Google</p>' }))
  return sentBodies
}

const authorizedHere = () => ({ '/v1/projects': () => ({ json: { projectId: 'fragua', authorizedDomains: ['localhost', '127.0.0.1'] } }) })
const button = (page: Page) => page.getByRole('button', { name: 'Continuar con Google' })

test('a window of 500 x 600, and a message when the browser blocks it (S1-8.08, S1-9.06)', async ({ page }) => {
  await google(page, authorizedHere())
  await page.addInitScript(() => {
    const opened: string[] = []
    Object.assign(window, { opened })
    window.open = (_url, _name, how) => {
      opened.push(how ?? '')
      return null
    }
  })
  await page.goto(`${own.url}/entrar`)
  await button(page).click()
  await expect(page.getByText('Tu navegador bloqueó la ventana para iniciar sesión. Permítela e intenta de nuevo.')).toBeVisible()
  const [how = ''] = await page.evaluate(() => (window as unknown as { opened: string[] }).opened)
  expect(how).toContain('width=500')
  expect(how).toContain('height=600')
})

test('opening the window twice shows a message; closing it is noticed after 8 seconds (S1-8.09, S1-8.10, S1-9.07)', async ({ page }) => {
  await google(page, authorizedHere())
  await page.goto(`${own.url}/registro`)
  await page.getByLabel('Nombre', { exact: true }).fill('Greta')
  const [first] = await Promise.all([page.waitForEvent('popup'), button(page).click()])
  await expect(first.getByText('Google')).toBeVisible()
  const [second] = await Promise.all([page.waitForEvent('popup'), button(page).click()])
  await expect(page.getByText('Ya hay otra ventana abierta para iniciar sesión.')).toBeVisible()
  const closing = performance.now()
  await second.close()
  await expect(page.getByText('Cerraste la ventana antes de iniciar sesión.')).toBeVisible({ timeout: 30_000 })
  expect(performance.now() - closing).toBeGreaterThanOrEqual(8_000)
  // Typed values stay.
  await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Greta')
})

test('an unauthorized address shows a message (S1-8.11)', async ({ page }) => {
  await google(page, { '/v1/projects': () => ({ json: { projectId: 'fragua', authorizedDomains: ['otra.example'] } }) })
  await page.goto(`${own.url}/entrar`)
  await button(page).click()
  await expect(page.getByText('Esta dirección no está autorizada para iniciar sesión.')).toBeVisible()
})

test('a sign-in without captcha is repeated with one (S1-8.07)', async ({ page }) => {
  const sentBodies = await google(page, {
    '/v1/accounts:signInWithPassword': ({ captchaResponse }) => ({
      status: 400,
      json: { error: { code: 400, message: captchaResponse ? 'INVALID_PASSWORD' : 'MISSING_RECAPTCHA_TOKEN' } },
    }),
    '/v2/recaptchaConfig': () => ({
      json: {
        recaptchaKey: 'projects/fragua/keys/sitio',
        recaptchaEnforcementState: [{ provider: 'EMAIL_PASSWORD_PROVIDER', enforcementState: 'ENFORCE' }],
      },
    }),
  })
  await page.route(/^https:\/\/www\.google\.com\/recaptcha\/enterprise\.js/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `window.grecaptcha = { enterprise: { ready: (go) => go(), execute: async () => 'soy-una-persona' } }; window.onFirebaseAuthREInstanceReady()`,
    }),
  )
  await page.goto(`${own.url}/entrar`)
  await page.getByLabel('Correo electrónico').fill('greta@correo.test')
  await page.getByLabel('Contraseña', { exact: true }).fill('no-es-esta-8')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page.getByText('La contraseña es incorrecta. Por favor, intenta de nuevo', { exact: true })).toBeVisible()
  const tries = sentBodies.filter(([path]) => path === '/v1/accounts:signInWithPassword').map(([, sent]) => sent.captchaResponse)
  expect(tries).toEqual([undefined, 'soy-una-persona'])
})

test('a new user from the window fills in the rest of the form, without email and password', async ({ page }) => {
  const now = Math.floor(Date.now() / 1000)
  const encodePart = (some: object) => Buffer.from(JSON.stringify(some)).toString('base64url')
  const idToken = `${encodePart({ alg: 'RS256' })}.${encodePart({ sub: 'uid-de-greta', user_id: 'uid-de-greta', iat: now, exp: now + 3_600 })}.firma`
  await google(page, {
    ...authorizedHere(),
    '/v1/accounts:signInWithIdp': () => ({
      json: {
        idToken,
        refreshToken: 'renueva',
        expiresIn: '3600',
        localId: 'uid-de-greta',
        email: 'greta@gmail.test',
        emailVerified: true,
        providerId: 'google.com',
        federatedId: 'https://accounts.google.com/1',
        rawUserInfo: '{}',
      },
    }),
    '/v1/accounts:lookup': () => ({ json: { users: [{ localId: 'uid-de-greta', email: 'greta@gmail.test', emailVerified: true }] } }),
    '/v1/token': () => ({ json: { id_token: idToken, access_token: idToken, refresh_token: 'renueva', expires_in: '3600' } }),
  })
  await page.route('**/api/customer', (route) =>
    route.fulfill({
      status: 404,
      json: { defined: true, code: 'NO_CUSTOMER', status: 404, message: 'Tu cuenta todavía no está completa.', data: {} },
    }),
  )
  let signup: { uid?: string; name?: string } = {}
  await page.route('**/api/customer/signup', async (route) => {
    expect(route.request().headers().authorization).toBe(`Bearer ${idToken}`)
    signup = route.request().postDataJSON()
    await route.abort()
  })
  await page.goto(`${own.url}/registro`)
  const [popup] = await Promise.all([page.waitForEvent('popup'), button(page).click()])
  const eventId = new URL(popup.url()).searchParams.get('eventId')
  await page.evaluate(
    ([eventId]) =>
      (window as unknown as { authEvent(event: object): void }).authEvent({
        type: 'authEvent',
        authEvent: {
          type: 'signInViaPopup',
          eventId,
          urlResponse: 'https://fragua-entrar.example/?ok',
          sessionId: 's',
          postBody: null,
          tenantId: null,
        },
      }),
    [eventId],
  )
  await expect(page.getByText('greta@gmail.test')).toBeVisible()
  await expect(page.getByLabel('Contraseña', { exact: true })).toHaveCount(0)
  await page.getByLabel('Nombre', { exact: true }).fill('Greta')
  await page.getByLabel('Apellidos').fill('Ruiz')
  await page.getByLabel('Teléfono').fill('8111223344')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect.poll(() => signup).toMatchObject({ uid: 'uid-de-greta', name: 'Greta' })
})
