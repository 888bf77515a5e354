/** What search engines read, and what the installed app shows without a connection. */
import { accessible } from './axe.ts'
import { expect, test } from './test.ts'

interface Linked {
  '@graph': {
    '@type': string | string[]
    name: string
    startDate?: string
    location?: { name: string }
    openingHoursSpecification?: { dayOfWeek: string[]; opens: string; closes: string }[]
  }[]
}

test('public pages tell search engines about the studio and its classes', async ({ page }) => {
  const read = async () =>
    (await page.locator('script[type="application/ld+json"]').allTextContents()).map((text) => JSON.parse(text) as Linked)
  await page.goto('/calendario')
  const next = await page.getByRole('link', { name: 'Semana siguiente', exact: true }).getAttribute('href')
  await page.goto(next ?? '-')
  await page.waitForLoadState('networkidle')
  const [week] = await read()
  expect(week?.['@graph'].length).toBeGreaterThan(0)
  for (const event of week?.['@graph'] ?? []) {
    expect(event['@type']).toBe('Event')
    expect(event.startDate).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:00$/)
    expect(event.location?.name).toBeTruthy()
  }
  await page.goto('/ubicacion')
  const [locations] = await read()
  expect(locations?.['@graph'].every((location) => location['@type'].includes('LocalBusiness'))).toBe(true)
  expect(locations?.['@graph'].length).toBeGreaterThan(1)
  // Opening hours are written as text for customers and parsed for search engines (S1-2.12).
  await expect(page.getByText('Lunes a viernes de 6:30 a 21:30')).toBeVisible()
  expect(locations?.['@graph'].find(({ name }) => name.endsWith('Roma Norte'))?.openingHoursSpecification?.[1]).toMatchObject({
    dayOfWeek: ['Saturday', 'Sunday'],
    opens: '08:00',
    closes: '13:00',
  })
})

test('the studio can be installed', async ({ page, context, request }) => {
  await page.goto('/')
  const home = await page.locator('link[rel="apple-touch-icon"]').getAttribute('href')
  expect((await request.get(home ?? '-')).headers()['content-type']).toBe('image/png')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  const devtools = await context.newCDPSession(page)
  const { installabilityErrors } = await devtools.send('Page.getInstallabilityErrors')
  // Tests run in an incognito profile, which cannot install apps; there must be no other reason.
  expect(installabilityErrors.map(({ errorId }) => errorId).filter((id) => id !== 'in-incognito')).toEqual([])
  const { errors, manifest } = await devtools.send('Page.getAppManifest')
  expect(errors).toEqual([])
  expect(manifest.icons?.length ?? 0).toBeGreaterThan(2)
})

test('every address of the sitemap is a page, robots.txt names it, and the manifest has icons that exist', async ({ request, baseURL }) => {
  const robots = await (await request.get('/robots.txt')).text()
  expect(robots).toContain(`Sitemap: ${baseURL}/sitemap.xml`)
  expect(robots).toContain('Disallow: /mystudio')
  const sitemap = await (await request.get('/sitemap.xml')).text()
  const addresses = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, address = '']) => address)
  expect(addresses.length).toBeGreaterThan(6)
  for (const address of addresses) {
    const answer = await request.get(address, { maxRedirects: 0 })
    expect([address, answer.status()]).toEqual([address, 200])
    expect(await answer.text()).toContain(`<link rel="canonical" href="${address}"/>`)
  }
  const answer = await request.get('/manifest.webmanifest')
  expect(answer.headers()['content-type']).toContain('application/manifest+json')
  const manifest = (await answer.json()) as { icons: { src: string; purpose: string }[]; start_url: string }
  expect(manifest.icons.map(({ purpose }) => purpose)).toContain('maskable')
  for (const { src } of manifest.icons) expect((await request.get(src)).headers()['content-type']).toContain('image/')
  expect((await request.get(manifest.start_url)).status()).toBe(200)
})

test('without a connection the next class is shown, but not after signing out', async ({ page, context }) => {
  await page.goto('/entrar')
  await page.getByLabel('Correo electrónico').fill('ana@vaiven.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-ana')
  await page.getByRole('button', { name: 'Entrar' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Calendario' })).toBeVisible()
  const storedClasses = () =>
    page.evaluate(async () => (await caches.open('estudio:sin-conexion')).match('/sin-conexion/clases').then((found) => found?.json()))
  await expect.poll(storedClasses).toBeTruthy()
  // The access code of the next class, and the logo and letters of the brand, are stored a little later.
  await expect.poll(async () => (await storedClasses())?.[0]?.code).toMatch(/^data:image\/png;base64,/)
  const [next] = (await storedClasses()) as { name: string; when: string; code: string }[]
  const fontFiles = () =>
    page.evaluate(async () => (await (await caches.open('estudio:sin-conexion')).keys()).filter(({ url }) => url.endsWith('.woff2')).length)
  await expect.poll(fontFiles).toBe(2)
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)

  await context.setOffline(true)
  await page.goto('/mystudio/reservaciones')
  await expect(page.getByRole('heading', { name: 'Estás sin conexión' })).toBeVisible()
  await expect(page.getByText(next?.when ?? '-')).toBeVisible()
  await expect(page.getByText(next?.name ?? '-')).toBeVisible()
  const code = page.getByRole('img', { name: 'Código de acceso' })
  await expect(code).toHaveAttribute('src', next?.code ?? '-')
  expect(await code.evaluate((img) => (img as HTMLImageElement).naturalWidth)).toBe(560)
  await expect(page.locator('.brand svg')).toBeVisible()
  expect(await page.evaluate(async () => [...(await document.fonts.ready)].map(({ family, status }) => [family, status]))).toEqual([
    ['Titulos', 'loaded'],
    ['Textos', 'loaded'],
  ])
  await accessible(page)
  await expect(page.getByRole('link', { name: 'Intentar de nuevo' })).toBeVisible()
  // The requested page is loaded automatically.
  await context.setOffline(false)
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Reservaciones' })).toBeVisible()
  // It is the code of the reservation, which is printed alone too.
  await page
    .getByRole('button', { name: new RegExp(`^Código de Acceso de ${next?.name}`) })
    .last()
    .click()
  const dialog = page.getByRole('dialog', { name: 'Código de Acceso' })
  await expect(dialog.getByRole('img')).toHaveAttribute('src', next?.code ?? '-')
  await page.emulateMedia({ media: 'print' })
  await expect(dialog.getByRole('img')).toBeVisible()
  await expect(page.getByRole('heading', { level: 1, name: 'Mis Reservaciones' })).toBeHidden()
  await page.emulateMedia({ media: null })
  await page.keyboard.press('Escape')
  // No answer of the API is cached.
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(1)

  await page.getByRole('button', { name: /Cuenta de Ana/ }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL(/\/entrar/)
  await context.setOffline(true)
  await page.goto('/mystudio')
  await expect(page.getByRole('heading', { name: 'Estás sin conexión' })).toBeVisible()
  await expect(page.getByText('Tu próxima clase')).toHaveCount(0)
})

test('the offline page retries by itself if the browser never reports that it is online', async ({ page, context }) => {
  await page.goto('/avisos')
  await page.evaluate(async () => (await navigator.serviceWorker.ready).active?.state)
  await page.addInitScript(() => {
    const add = window.addEventListener.bind(window)
    window.addEventListener = (type: string, ...rest: [EventListenerOrEventListenerObject]) => {
      if (type !== 'online') add(type, ...rest)
    }
  })
  await context.setOffline(true)
  await page.goto('/calendario')
  await expect(page.getByRole('heading', { name: 'Estás sin conexión' })).toBeVisible()
  // Long enough for a retry that fails.
  await expect.poll(() => page.evaluate(() => performance.getEntriesByType('resource').length)).toBeGreaterThan(0)
  await context.setOffline(false)
  await expect(page.getByRole('heading', { name: 'Estás sin conexión' })).toHaveCount(0)
  await expect(page).toHaveURL('/calendario')
})

test('without a connection a booking fails at once, and is not sent when the connection is back', async ({ page, context }) => {
  await page.goto('/entrar')
  await page.getByLabel('Correo electrónico').fill('ana@vaiven.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-ana')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page).toHaveURL('/mystudio')
  // Next week, because late on a Sunday this week has no class left.
  await page.goto(`/mystudio?dia=${new Date(Date.now() + 7 * 86_400_000).toISOString().slice(0, 10)}`)
  let sent = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/api/class_reservations')) sent++
  })
  await page
    .getByRole('button', { name: /^Reservar / })
    .first()
    .click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Elige por mí' }).click()
  await context.setOffline(true)
  const reserve = dialog.getByRole('button', { name: /^Reservar/ }).last()
  await reserve.click()
  // Visible, although the sheet is scrolled to its end.
  await expect(page.getByText('No pudimos conectarnos. Revisa tu conexión e intenta de nuevo.')).toBeInViewport()
  await expect(reserve).not.toHaveAttribute('aria-busy')
  const before = sent
  await context.setOffline(false)
  await page.waitForTimeout(1_500)
  expect(sent).toBe(before)
  await expect(dialog).toBeVisible()
})

test('a week requested without a connection says so, and is loaded when the connection is back', async ({ page, context }) => {
  await page.goto('/entrar')
  await page.getByLabel('Correo electrónico').fill('ana@vaiven.example')
  await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-ana')
  await page.getByRole('button', { name: 'Entrar', exact: true }).click()
  await expect(page).toHaveURL('/mystudio')
  await expect(page.getByText(/^Semana del /)).toBeAttached()
  await context.setOffline(true)
  const offline = page.getByText('Estás sin conexión. Seguimos en cuanto vuelva.')
  await expect(offline).toBeVisible()
  await page.getByRole('link', { name: 'Semana siguiente', exact: true }).click()
  await expect(page).toHaveURL(/semana=/)
  await context.setOffline(false)
  await expect(offline).toHaveCount(0)
  await expect(page.getByRole('article').first()).toBeVisible()
})
