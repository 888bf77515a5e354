/**
 * The sandbox's card fields in their frame: a typed card number is converted to a token there and is sent nowhere else (settled 13,
 * S1-5.13 to S1-5.17, docs/domain.md V19).
 */
import AxeBuilder from '@axe-core/playwright'
import type { FrameLocator, Page } from '@playwright/test'
import { customer, PASSWORD } from './studio-people.ts'
import { expect, test } from './test.ts'

const FRAME = `http://localhost:${Number(process.env.E2E_PORT ?? '3210') + 1}`

interface FrameMessage {
  estudio: string
  id?: string
  token?: string
  brand?: string
  last4?: string
  message?: string
  complete?: boolean
  empty?: boolean
}

/** Puts the fields in a frame of the checkout page, whose CSP allows them, and records their messages. */
async function framed(page: Page, baseURL: string) {
  const sent: string[] = []
  page.on('request', (request) =>
    sent.push(`${request.method()} ${decodeURIComponent(request.url())} ${request.postData() ?? ''} ${JSON.stringify(request.headers())}`),
  )
  await page.goto('/checkout/1')
  await page.waitForLoadState('networkidle')
  const before = sent.length
  await page.evaluate((origin) => {
    const messages: unknown[] = []
    Object.assign(window, { messages })
    addEventListener('message', (event) => event.origin === origin && messages.push(event.data))
  }, FRAME)
  const frame: FrameLocator = page.frameLocator('iframe[title="Tarjeta de este examen"]')
  // Hydration removes unknown elements from the page, on a busy machine later than the network is idle: the frame is put there until
  // it stays.
  await expect(async () => {
    await page.evaluate(
      ([origin, parent]) => {
        if (document.querySelector('iframe[title="Tarjeta de este examen"]')) return
        const element = document.createElement('iframe')
        element.title = 'Tarjeta de este examen'
        element.src = `${origin}/sandbox/tarjeta?padre=${encodeURIComponent(parent ?? '')}`
        element.style.cssText = 'display:block;width:100%;height:720px;border:0'
        document.querySelector('main')?.prepend(element)
      },
      [FRAME, baseURL],
    )
    await expect(frame.getByLabel('Número de tarjeta')).toBeVisible({ timeout: 5_000 })
  }).toPass({ timeout: 30_000 })
  return {
    frame,
    sent: () => sent.slice(before),
    messages: () => page.evaluate(() => (window as unknown as { messages: FrameMessage[] }).messages),
    tokenize: (id: string) =>
      page.evaluate(
        ([to, key]) =>
          document
            .querySelector<HTMLIFrameElement>('iframe[title="Tarjeta de este examen"]')
            ?.contentWindow?.postMessage({ estudio: 'tokenize', id: key }, to ?? ''),
        [FRAME, id],
      ),
  }
}

test('a card number becomes a token in the frame, and no request contains it', async ({ page, baseURL }) => {
  const { frame, messages, tokenize, sent } = await framed(page, baseURL ?? '')
  const [number, expiry, code] = [
    frame.getByLabel('Número de tarjeta'),
    frame.getByLabel('Vencimiento'),
    frame.getByLabel('CVV', { exact: true }),
  ]
  await expect
    .poll(async () => (await messages()).find(({ estudio }) => estudio === 'state'))
    .toMatchObject({ empty: true, complete: false })
  await number.pressSequentially('5')
  await expect(frame.getByRole('img', { name: 'Mastercard' })).toBeVisible()
  await number.fill('3')
  await expect(frame.getByRole('img', { name: 'American Express' })).toBeVisible()
  await number.fill('')
  await number.pressSequentially('4242424242424242')
  await expect(number).toHaveValue('4242 4242 4242 4242')
  await expect(frame.getByRole('img', { name: 'Visa' })).toBeVisible()
  await frame.getByLabel('Nombre en la tarjeta').fill('Julia Ríos')
  await expiry.pressSequentially('92031')
  await expect(expiry).toHaveValue('09/2031')
  await code.pressSequentially('12')
  expect((await messages()).at(-1)).toMatchObject({ estudio: 'state', complete: false })
  await code.pressSequentially('34')
  await expect(code).toHaveValue('123')
  await tokenize('uno')
  await expect
    .poll(async () => (await messages()).find(({ id }) => id === 'uno'))
    .toMatchObject({ estudio: 'token', brand: 'visa', last4: '4242', token: expect.stringMatching(/^tok_ok~visa~4242~092031~[a-z0-9]+$/) })
  // Pressing Enter sends nothing either.
  await code.press('Enter')
  await expect(page).toHaveURL(/checkout\/1$/)
  expect(sent().filter((request) => /4242\D*4242|4242424242/.test(request))).toEqual([])
  expect(sent().every((request) => request.startsWith('GET '))).toBe(true)
  expect(JSON.stringify(await messages()).replace(/\D/g, '')).not.toContain('42424242')
})

test('errors are shown beside their fields, and the first one gets the focus', async ({ page, baseURL }) => {
  const { frame, messages, tokenize } = await framed(page, baseURL ?? '')
  await tokenize('nada')
  await expect(frame.getByText('Debes llenar este campo.')).toHaveCount(4)
  await expect(frame.getByLabel('Número de tarjeta')).toBeFocused()
  expect((await messages()).find(({ id }) => id === 'nada')).toMatchObject({ estudio: 'refused', message: 'Debes llenar este campo.' })
  await frame.getByLabel('Número de tarjeta').fill('4242424242424241')
  await expect(frame.getByText('El número de la tarjeta es incorrecto.')).toBeVisible()
  await frame.getByLabel('Número de tarjeta').fill('4111111111111111')
  await expect(frame.getByText('Estás en modo de prueba: usa una tarjeta de prueba.')).toBeVisible()
  await frame.getByLabel('Vencimiento').fill('01/2020')
  await expect(frame.getByText('Tu tarjeta ha expirado.')).toBeVisible()
  await frame.getByLabel('CVV', { exact: true }).fill('1')
  await expect(frame.getByText('El CVV lleva 3 dígitos.')).toBeVisible()
})

test('help and test cards work by keyboard, and axe finds nothing', async ({ page, baseURL }) => {
  const { frame, messages } = await framed(page, baseURL ?? '')
  const help = frame.getByRole('button', { name: 'Qué es el CVV' })
  await help.focus()
  await help.press('Enter')
  await expect(frame.getByText('Son los 3 dígitos al reverso')).toBeVisible()
  await frame.getByText('Modo de prueba: ver tarjetas de prueba').click()
  await frame.getByRole('button', { name: /Fondos insuficientes/ }).click()
  await expect.poll(async () => (await messages()).at(-1)).toMatchObject({ estudio: 'state', complete: true })
  // Landmarks belong to the page around the frame; sales-texts.spec.ts checks both together.
  const axe = new AxeBuilder({ page }).include('iframe[title="Tarjeta de este examen"]').disableRules(['landmark-one-main', 'region'])
  const { violations } = await axe.analyze()
  expect(violations.map((violation) => `${violation.id}: ${violation.nodes.map((node) => node.target.join(' ')).join(', ')}`)).toEqual([])
})

test('only the studio may frame the fields, and their own CSP allows no requests', async ({ request, baseURL }) => {
  const fields = await request.get(`${FRAME}/sandbox/tarjeta?padre=${encodeURIComponent(baseURL ?? '')}`)
  const policy = fields.headers()['content-security-policy'] ?? ''
  for (const rule of ["default-src 'none'", "connect-src 'none'", "form-action 'none'", `frame-ancestors ${baseURL}`])
    expect(policy).toContain(rule)
  for (const stranger of ['https://malo.example', 'http://localhost.malo.example', 'null', ''])
    expect((await request.get(`${FRAME}/sandbox/tarjeta?padre=${encodeURIComponent(stranger)}`)).status()).toBe(404)
  expect((await request.get(`${FRAME}/sandbox/3ds?secreto=pay_x_secret_y&padre=${encodeURIComponent(baseURL ?? '')}`)).status()).toBe(404)
})

test('fields that the browser blocks show a message, the address where they work, and a retry button', async ({ page, baseURL }) => {
  const { port } = new URL(baseURL ?? '')
  const eva = await customer(page.request, 'Eva', 0)
  // How a browser shows a frame that its CSP blocks: an empty document without messages.
  await page.route('**/sandbox/tarjeta?*', (route) => route.fulfill({ contentType: 'text/html', body: '' }))
  await page.goto(`http://127.0.0.1:${port}/entrar?volver=%2Fcheckout%2F1`)
  await page.getByLabel('Correo electrónico').fill(eva.email)
  await page.getByLabel('Contraseña', { exact: true }).fill(PASSWORD)
  await page.getByRole('button', { name: 'Entrar' }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'No pudimos cargar los datos de la tarjeta.' })
  await expect(alert).toBeVisible()
  await expect(alert.getByRole('link', { name: `localhost:${port}` })).toHaveAttribute('href', `${baseURL}/checkout/1`)
  await page.unroute('**/sandbox/tarjeta?*')
  await alert.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(page.frameLocator('iframe[title="Datos de la tarjeta"]').getByLabel('Número de tarjeta')).toBeVisible()
})
