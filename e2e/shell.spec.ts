/** The frame around every page: documents without third-party scripts, and entering and leaving the signed-in area. */
import type { Page } from '@playwright/test'
import { calendar } from '#web/english/calendar.ts'
import { checkout } from '#web/english/checkout.ts'
import { frame } from '#web/english/frame.ts'
import { site } from '#web/english/site.ts'
import { shiftOf, watchShift } from './layout-shift.ts'
import { expect, test } from './test.ts'

/** Collects what a page should not do: console errors and warnings, and requests to other hosts. */
function watch(page: Page) {
  const consoleMessages: string[] = []
  const requests: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') consoleMessages.push(message.text())
  })
  page.on('pageerror', (error) => consoleMessages.push(error.message))
  page.on('request', (request) => requests.push(request.url()))
  const foreign = () => requests.filter((url) => /^https?:/.test(url) && new URL(url).origin !== new URL(page.url()).origin)
  return { consoleMessages, requests, foreign }
}

let people = 0
async function signUp(page: Page, back: string, email?: string) {
  const id = `${Date.now()}${test.info().workerIndex}${++people}`
  await page.goto(`/registro?volver=${encodeURIComponent(back)}`)
  await page.getByLabel('Nombre', { exact: true }).fill('Marisol')
  await page.getByLabel('Apellidos').fill('Cano Rivas')
  await page.getByLabel('Correo electrónico').fill(email ?? `marisol.${id}@correo.test`)
  await page.getByLabel('Teléfono').fill(`55${id.slice(-8)}`)
  await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-de-olas-7')
  await page.getByLabel('Confirma tu contraseña').fill('vaiven-de-olas-7')
  const accept = page.getByRole('checkbox')
  if (await accept.count()) await accept.first().check()
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
}

/** Words of an English screen; 'Checkout', 'Powered by' and names of payment options are the specification's own. */
const ENGLISH =
  /\b(sign (in|up|out)|log ?(in|out)|password|loading|submit|cancel|close|search|home|schedule|book now|buy|welcome|and|the|with|your|from|please|next|previous)\b/i

test.describe('documents (S1-1.06, S1-6.01)', () => {
  const PUBLIC = [
    '/',
    '/calendario',
    '/paquetes',
    '/avisos',
    '/ubicacion',
    '/preguntas-frecuentes',
    '/coach/1',
    '/instructor/1',
    '/class_type/1',
    '/aviso-de-privacidad',
    '/no-existe',
    '/entrar',
    '/registro',
    '/recuperar',
    '/cuenta/accion',
  ]

  for (const path of [...PUBLIC, '/no-existe/nada'])
    test(`${path} hydrates without console errors and requests no other host`, async ({ page }) => {
      const { consoleMessages, foreign } = watch(page)
      const answer = await page.goto(path)
      expect(answer?.status()).toBe(200)
      await page.waitForLoadState('networkidle')
      await expect(page.locator('h1')).toHaveCount(1)
      await expect(page.locator('html')).toHaveAttribute('lang', 'es-MX')
      const content = await page.evaluate(() => {
        const named = [...document.querySelectorAll('[aria-label], [placeholder], [title], img[alt]')].flatMap((node) =>
          ['aria-label', 'placeholder', 'title', 'alt'].map((name) => node.getAttribute(name) ?? ''),
        )
        return [document.title, document.body.innerText, ...named].join('\n')
      })
      expect(ENGLISH.exec(content)?.[0]).toBeUndefined()
      expect(consoleMessages).toEqual([])
      expect(foreign()).toEqual([])
    })

  // React and its router are 73 kB of it. Each limit is slightly above its largest page, so that growth is noticed.
  const WITH_A_WEEK = ['/', '/calendario', '/no-existe']
  test('no public page loads more than 99.5 kB of scripts, 101 with a week of classes, and 15 kB of styles, as transferred', async ({
    page,
  }) => {
    const sizes: Record<string, { js: number; css: number }> = {}
    // The action page is left out: it needs the identity service at once, and is never the first page of a visit.
    for (const path of PUBLIC.filter((path) => path !== '/cuenta/accion')) {
      await page.goto(path, { waitUntil: 'networkidle' })
      sizes[path] = await page.evaluate(() => {
        const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
        const sum = (end: string) =>
          files.filter(({ name }) => new URL(name).pathname.endsWith(end)).reduce((all, file) => all + file.encodedBodySize, 0)
        return { js: sum('.js'), css: sum('.css') }
      })
    }
    for (const [path, { js, css }] of Object.entries(sizes)) {
      expect([path, js > 50_000, css > 500]).toEqual([path, true, true])
      expect([path, js, js <= (WITH_A_WEEK.includes(path) ? 101_000 : 99_500)]).toEqual([path, js, true])
      expect([path, css, css <= 15_000]).toEqual([path, css, true])
    }
  })

  test('a page in Spanish loads no text of the English ones', { tag: '@one-size' }, async ({ page }) => {
    const texts = [site, calendar, checkout, frame].flatMap(Object.entries).filter(([spanish, english]) => spanish !== english)
    const sentences = texts.flatMap(([, english]) => (english.length > 16 && !english.includes('{') ? [english] : []))
    expect(sentences.length).toBeGreaterThan(100)
    const loaded = new Map<string, string>()
    page.on('response', async (response) => {
      if (/\/assets\/.*\.js$/.test(response.url())) loaded.set(response.url(), await response.text())
    })
    for (const path of ['/', '/calendario', '/paquetes']) await page.goto(path, { waitUntil: 'networkidle' })
    const scripts = [...loaded.values()].join('\n')
    // What is searched for is there in Spanish.
    expect(scripts).toContain('Ver la semana completa')
    expect(sentences.filter((english) => scripts.includes(english))).toEqual([])
  })

  test('the document names all initial scripts of a public page, and a content page loads no code of other pages', async ({ page }) => {
    for (const path of ['/', '/calendario', '/paquetes', '/aviso-de-privacidad', '/no-existe', '/entrar', '/registro']) {
      const html = (await (await page.goto(path, { waitUntil: 'networkidle' }))?.text()) ?? ''
      const scripts = await page.evaluate(() =>
        performance.getEntriesByType('resource').flatMap(({ name }) => (/\/assets\/[^#?]*\.js$/.test(name) ? new URL(name).pathname : [])),
      )
      expect(scripts.length).toBeGreaterThan(5)
      expect([path, scripts.filter((script) => !html.includes(script))]).toEqual([path, []])
      const others = scripts.filter((script) => /\/(?:landing|packages|week-strip|class-lines)-/.test(script))
      if (path === '/aviso-de-privacidad') expect(others).toEqual([])
      if (path === '/no-existe') expect(others).not.toEqual([])
    }
  })

  test('a public page loads neither the identity service nor the API', async ({ page }) => {
    const { requests } = watch(page)
    await page.goto('/')
    await page.waitForLoadState('networkidle')
    expect(requests.filter((url) => /identity-firebase|\/identidad\/|\/api\//.test(url))).toEqual([])
  })

  test('the checkout of a visitor loads 106.5 kB of scripts, and the payment and the identity service when a field gets the focus', async ({
    page,
  }) => {
    const { requests, consoleMessages } = watch(page)
    await watchShift(page)
    await page.goto('/checkout/1', { waitUntil: 'networkidle' })
    await expect(page.getByRole('heading', { name: 'Crea tu cuenta para comprar' })).toBeVisible()
    const js = await page.evaluate(() => {
      const files = performance.getEntriesByType('resource') as PerformanceResourceTiming[]
      return files.filter(({ name }) => name.endsWith('.js')).reduce((all, file) => all + file.encodedBodySize, 0)
    })
    expect([js, js > 90_000 && js <= 106_500]).toEqual([js, true])
    const later = () => requests.filter((url) => /identity-firebase|\/identidad\/|\/api\/|\/buyer-/.test(url))
    expect(later()).toEqual([])
    expect(await shiftOf(page)).toBeLessThanOrEqual(0.02)
    await page.getByLabel('Nombre', { exact: true }).focus()
    await expect.poll(() => later().filter((url) => /identity-firebase|\/buyer-/.test(url)).length).toBeGreaterThanOrEqual(2)
    expect(consoleMessages).toEqual([])
  })

  test('a visitor reads schedule and packages, even without JavaScript (S1-1.02, S1-2.09)', async ({ browser }) => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    const page = await context.newPage()
    await page.goto('/calendario')
    await expect(page.getByRole('heading', { name: 'Horarios', level: 1 })).toBeVisible()
    // This week may be over; next week has classes.
    await page.getByRole('link', { name: 'Semana siguiente', exact: true }).click()
    await expect(page.getByRole('article').first()).toContainText(/\d{1,2}:\d{2}/)
    await page.goto('/paquetes')
    await expect(page.getByRole('heading', { name: 'Paquetes', level: 1 })).toBeVisible()
    await expect(page.getByRole('article').first()).toContainText(/\$[\d,]+\.\d{2}/)
    await context.close()
  })
})

test.describe('sizes of the areas behind the log-in', { tag: '@one-size' }, () => {
  /**
   * Bytes of script, and files, that a page loads for its contents, as transferred: each limit is slightly above the current size (decision
   * 006). The identity SDK is not one of them: it is loaded when the token is renewed, after the contents (the order is tested below).
   */
  const LIMITS = {
    'ana@vaiven.example': {
      '/mystudio': 133_500,
      '/mystudio/reservaciones': 127_500,
      '/mystudio/membresias': 127_000,
      '/mystudio/informacion': 131_500,
      '/mystudio/mensajes': 123_000,
      '/mystudio/online': 127_500,
      '/mystudio/paquetes': 123_500,
      '/mystudio/creditos': 122_500,
      '/mystudio/pagos': 122_000,
      '/mystudio/metodos': 124_000,
      '/mystudio/video/6': 129_500,
      '/checkout/1': 137_400,
    },
    'monica@vaiven.example': {
      '/admin/hoy': 140_500,
      '/admin/clientes': 146_500,
      '/admin/ventas': 143_000,
      '/admin/caja': 138_800,
      '/admin/clases/1': 139_000,
    },
  }
  for (const [email, limits] of Object.entries(LIMITS))
    test(`${email}: ${Object.keys(limits).join(', ')}`, async ({ page, context }) => {
      const session = await context.newCDPSession(page)
      await page.goto('/entrar')
      await page.getByLabel('Correo electrónico').fill(email)
      await page.getByLabel('Contraseña', { exact: true }).fill(email.startsWith('ana') ? 'vaiven-ana' : 'vaiven-duena')
      await page.getByRole('button', { name: 'Entrar' }).click()
      // Staff are led on from the customers' area, which would cut off the next visit.
      await expect(page).toHaveURL(email.startsWith('ana') ? /\/mystudio/ : /\/admin\//)
      await session.send('Network.setCacheDisabled', { cacheDisabled: true })
      for (const [path, limit] of Object.entries(limits)) {
        await page.goto(path, { waitUntil: 'networkidle' })
        const { js, files } = await page.evaluate(() => {
          const loaded = (performance.getEntriesByType('resource') as PerformanceResourceTiming[]).filter(
            ({ name }) => /\.(?:js|css)$/.test(new URL(name).pathname) && !name.includes('identity-firebase'),
          )
          const scripts = loaded.filter(({ name }) => name.endsWith('.js'))
          // Styles of the document have a '#' at the end; the same ones of a part that is loaded later are the same file.
          const files = new Set(loaded.map(({ name }) => name.replace('#', '')))
          return { js: scripts.reduce((all, file) => all + file.encodedBodySize, 0), files: files.size }
        })
        expect.soft([path, js, js > 100_000 && js <= limit]).toEqual([path, js, true])
        // Over HTTP/1.1 each file takes a turn of one of six connections (docs/performance.md).
        expect.soft([path, files, files <= (email.startsWith('ana') ? 36 : 52)]).toEqual([path, files, true])
      }
    })
})

test.describe('access', { tag: '@one-size' }, () => {
  test('a form submits nothing before its scripts run: no password in an address, and typed values stay', async ({ page }) => {
    const { requests } = watch(page)
    await page.route('**/assets/*.js', (route) => route.abort())
    await page.goto('/entrar')
    await page.getByLabel('Correo electrónico').fill('ana@vaiven.example')
    const password = page.getByLabel('Contraseña', { exact: true })
    await password.fill('vaiven-ana')
    const send = page.getByRole('button', { name: 'Entrar', exact: true })
    await expect(send).toBeDisabled()
    await password.press('Enter')
    await send.click({ force: true })
    await expect(page).toHaveURL('/entrar')
    await expect(password).toHaveValue('vaiven-ana')
    expect(requests.filter((url) => url.includes('vaiven-ana'))).toEqual([])
    const late = page.getByText('Está tardando. Revisa tu conexión.')
    await expect(late).toBeHidden()
    await page.evaluate(() => {
      for (const animation of document.getAnimations())
        if (animation instanceof CSSAnimation && animation.animationName === 'asleep-late') animation.finish()
    })
    await expect(late).toBeVisible()
  })

  test('values typed into the sign-up before its scripts run stay and are taken over', async ({ page }) => {
    let release = () => {}
    const released = new Promise<void>((done) => {
      release = done
    })
    await page.route('**/assets/*.js', async (route) => {
      await released
      await route.continue()
    })
    await page.goto('/registro', { waitUntil: 'commit' })
    await page.getByLabel('Nombre', { exact: true }).fill('Marisol')
    await page.getByLabel('Teléfono').fill('+52 55 1234 5678')
    await page.getByLabel('Contraseña', { exact: true }).fill('abc')
    await page.getByLabel('¿Cómo nos conociste?').selectOption('Otro')
    release()
    await expect(page.getByLabel('Teléfono')).toHaveValue('5512345678')
    await expect(page.getByLabel('Nombre', { exact: true })).toHaveValue('Marisol')
    await expect(page.getByLabel('Contraseña', { exact: true })).toHaveValue('abc')
    await expect(page.getByText(', falta').first()).toBeAttached()
    await expect(page.getByLabel('¿Cómo nos conociste?')).toHaveValue('Otro')
    await expect(page.getByLabel('Cuéntanos cómo')).toBeVisible()
  })

  test('a browser without storage shows why log-in is not possible', async ({ page }) => {
    await page.addInitScript(() => {
      const full = () => {
        throw new DOMException('full', 'QuotaExceededError')
      }
      Storage.prototype.setItem = full
      IDBObjectStore.prototype.put = full
    })
    await page.goto('/entrar')
    await page.getByLabel('Correo electrónico').fill('ana@vaiven.example')
    await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-ana')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(page.getByRole('alert').filter({ hasText: 'Tu navegador no deja guardar tu sesión.' })).toBeVisible()
  })
})

test.describe('the signed-in area', { tag: '@one-size' }, () => {
  for (const motion of ['no-preference', 'reduce'] as const)
    test(`Accediendo, and after 30 seconds a link to /entrar (prefers-reduced-motion: ${motion}) (S1-2.26, S1-2.27)`, async ({ page }) => {
      await page.clock.install()
      await page.emulateMedia({ reducedMotion: motion })
      await page.route(/identity-firebase/, () => {})
      await page.goto('/mystudio', { waitUntil: 'domcontentloaded' })
      await expect(page.getByText('Accediendo', { exact: true })).toBeVisible()
      const link = page.getByRole('link', { name: 'Haz click aquí' })
      // Hydrated: from now on the script hides the text.
      await expect(page.locator('.entering-late')).toHaveClass(/entering-early/)
      await page.clock.runFor(25_000)
      await expect(link).toBeHidden()
      await page.clock.runFor(6_000)
      await expect(link).toBeVisible()
      await expect(link).toHaveAttribute('href', '/entrar')

      // Who comes from a payment waits for that, but not who opens a paid order.
      await page.goto('/gracias/1', { waitUntil: 'domcontentloaded' })
      await expect(page.getByRole('status').filter({ hasText: /^Confirmando tu pago$/ })).toBeVisible()
      await expect(page).toHaveTitle('Confirmando tu pago · Vaivén')
      await page.goto('/gracias/1?orden=1', { waitUntil: 'domcontentloaded' })
      await expect(page.locator('.entering-late')).toHaveClass(/entering-early/)
      await expect(page.getByText('Accediendo', { exact: true })).toBeVisible()
    })

  test('the link also appears if no script ever loads, and equally late with reduced motion (S1-2.27)', async ({ page }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await page.route(/\.js$/, (route) => route.abort())
    await page.goto('/mystudio', { waitUntil: 'domcontentloaded' })
    const link = page.getByRole('link', { name: 'Haz click aquí' })
    await expect(page.getByText('Accediendo', { exact: true })).toBeVisible()
    await expect(link).toBeHidden()
    const delay = await page.evaluate(() => {
      const late = document
        .getAnimations()
        .find((animation) => animation instanceof CSSAnimation && animation.animationName === 'entering-wait')
      const wait = late?.effect?.getTiming().delay
      late?.finish()
      return wait
    })
    expect(delay).toBe(30_000)
    await expect(link).toBeVisible()
  })

  test('without a user, /mystudio redirects to /entrar and remembers the requested page (S1-2.28)', async ({ page }) => {
    await page.goto('/mystudio')
    await expect(page).toHaveURL('/entrar')
    await page.goto('/mystudio/reservaciones')
    await expect(page).toHaveURL('/entrar?volver=%2Fmystudio%2Freservaciones')
  })

  test('signing up signs in, survives a reload, and logging in again renews the token (S1-2.25, S1-2.29, S1-2.35, S1-2.46, S1-4.01, S1-4.04)', async ({
    page,
  }) => {
    const { requests, foreign } = watch(page)
    const email = `marisol.${Date.now()}${test.info().workerIndex}@correo.test`
    await signUp(page, '/mystudio/reservaciones', email)
    await expect(page).toHaveURL('/mystudio/reservaciones')
    await expect(page.getByText('Accediendo')).toBeHidden()
    await expect(page.getByRole('button', { name: 'Cuenta de Marisol' })).toBeVisible()

    // The stored token is enough for the contents. The SDK is loaded afterwards, to renew it, and requests only our own service: with
    // its default configuration it would call Google.
    // When the page is left, so that no call that is still running stores a renewal again.
    await page.evaluate(() => addEventListener('pagehide', () => localStorage.removeItem('estudio:renovado')))
    requests.length = 0
    await page.reload()
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect.poll(() => requests.filter((url) => /identidad\/v1\/(accounts:lookup|token)/.test(url)).length).toBe(2)
    const first = (part: string) => requests.findIndex((url) => url.includes(part))
    expect(first('/api/')).toBeGreaterThan(-1)
    expect(first('identity-firebase')).toBeGreaterThan(first('/api/class_reservations'))
    expect(foreign()).toEqual([])

    // S1-2.35
    await page.goto('/entrar')
    await expect(page).toHaveURL('/mystudio')
    // S1-2.46: the public navbar shows it without loading the session.
    await page.goto('/')
    await expect(page.getByRole('link', { name: 'Mi Cuenta' }).first()).toBeAttached()

    // S1-2.29
    await page.goto('/mystudio')
    await page.getByRole('button', { name: /^Cuenta de/ }).click()
    await page.getByRole('menuitem', { name: 'Salir' }).click()
    await expect(page).toHaveURL('/entrar')
    await page.goto('/mystudio')
    await expect(page).toHaveURL('/entrar')

    // The log-in button shows a spinner until the customer is loaded, and the token is renewed right after the password (S1-4.01, S1-4.04).
    let release = () => {}
    const released = new Promise<void>((go) => {
      release = go
    })
    await page.route(/accounts:signInWithPassword/, async (route) => {
      await released
      await route.continue()
    })
    requests.length = 0
    await page.getByLabel('Correo electrónico').fill(email)
    await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-de-olas-7')
    const enter = page.getByRole('button', { name: 'Entrar', exact: true })
    await enter.click()
    await expect(enter).toHaveAttribute('aria-busy', 'true')
    release()
    await expect(page).toHaveURL('/mystudio')
    await expect(page.getByRole('button', { name: 'Cuenta de Marisol' })).toBeVisible()
    const identity = requests.flatMap((url) => /identidad\/(v1\/[\w:]+)/.exec(url)?.[1] ?? [])
    expect(identity.slice(0, 3)).toEqual(['v1/accounts:signInWithPassword', 'v1/accounts:lookup', 'v1/token'])
  })

  test('a log-out without the identity SDK leaves the page at once and is completed by the next log-in page (S1-2.29)', async ({
    page,
  }) => {
    await signUp(page, '/mystudio')
    await expect(page).toHaveURL('/mystudio')
    await page.route(/identity-firebase/, (route) => route.abort())
    await page.reload()
    await page.getByRole('button', { name: /^Cuenta de/ }).click()
    await page.getByRole('menuitem', { name: 'Salir' }).click()
    await expect(page).toHaveURL('/entrar')
    expect(await page.evaluate(() => localStorage.getItem('estudio:token'))).toBeNull()
    // The SDK still has its refresh token in this browser: it is forgotten before anything else.
    await page.unroute(/identity-firebase/)
    await page.goto('/mystudio')
    await expect(page).toHaveURL('/entrar')
    expect(await page.evaluate(() => localStorage.getItem('estudio:saliendo'))).toBeNull()
  })

  test('a log-out in another tab ends the session of a page that has not loaded the identity SDK', async ({ page, context }) => {
    await signUp(page, '/mystudio')
    await expect(page).toHaveURL('/mystudio')
    await expect(page.getByRole('button', { name: /^Cuenta de/ })).toBeVisible()
    const other = await context.newPage()
    await other.goto('/mystudio')
    await expect(other.getByRole('button', { name: /^Cuenta de/ })).toBeVisible()
    await page.getByRole('button', { name: /^Cuenta de/ }).click()
    await page.getByRole('menuitem', { name: 'Salir' }).click()
    await expect(page).toHaveURL('/entrar')
    await expect(other).toHaveURL(/entrar/)
    await other.close()
  })

  test('an interrupted sign-up is explained, ends the session, and can be finished (S1-4.02)', async ({ page }) => {
    // The account is created, but the call for the customer fails.
    await page.route('**/api/customer/signup', (route) => route.abort())
    await signUp(page, '/mystudio')
    await expect(page.getByRole('button', { name: 'Crear mi cuenta' })).toBeEnabled()
    const email = await page.getByLabel('Correo electrónico').inputValue()
    await page.goto('/entrar')
    await page.getByLabel('Correo electrónico').fill(email)
    await page.getByLabel('Contraseña', { exact: true }).fill('vaiven-de-olas-7')
    await page.getByRole('button', { name: 'Entrar', exact: true }).click()
    await expect(page.getByRole('alert')).toHaveText('Tu cuenta todavía no está completa. Regístrate para continuar.')
    await page.unroute('**/api/customer/signup')
    await page.getByRole('link', { name: 'Terminar mi registro' }).click()
    await expect(page).toHaveURL('/registro')
    await page.goto('/mystudio')
    await expect(page).toHaveURL('/entrar')
    await signUp(page, '/mystudio', email)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    await expect(page).toHaveURL('/mystudio')
  })

  test('the token is renewed at most once every 15 seconds, across full loads too (S1-4.05)', async ({ page }) => {
    const renewals: number[] = []
    await signUp(page, '/mystudio')
    await expect(page).toHaveURL('/mystudio')
    page.on('request', (request) => {
      if (request.url().includes('/identidad/v1/token')) renewals.push(Date.now())
    })
    for (const path of ['/mystudio/reservaciones', '/mystudio', '/mystudio/reservaciones']) {
      await page.goto(path)
      await page.waitForLoadState('load')
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    }
    for (const [at, time] of renewals.entries()) if (at > 0) expect(time - (renewals[at - 1] ?? 0)).toBeGreaterThanOrEqual(14_000)
  })

  test('a session in local storage only is checked every 1000 ms (S1-9.08)', async ({ browser, baseURL }) => {
    const context = await browser.newContext({
      baseURL: baseURL ?? '',
      userAgent:
        'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    })
    const page = await context.newPage()
    await page.addInitScript(() => {
      Object.defineProperty(window, 'indexedDB', { value: undefined })
      const delays: number[] = []
      Object.assign(window, { delays })
      const every = window.setInterval.bind(window)
      window.setInterval = ((work: TimerHandler, delay?: number, ...rest: unknown[]) => {
        delays.push(delay ?? 0)
        return every(work, delay, ...rest)
      }) as typeof window.setInterval
    })
    await page.goto('/entrar')
    await page.getByLabel('Correo electrónico').click()
    await expect.poll(() => page.evaluate(() => (window as unknown as { delays: number[] }).delays)).toContain(1_000)
    await context.close()
  })
})
