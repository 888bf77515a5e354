/**
 * The second brand beside the first: its appearance, axe on each page, the owner's own code, and attacks that an administrator could type
 * into a field (S1-1.21, S1-3, settled 29; docs/domain.md G3, T6). With a studio of its own; the tests run in order.
 */
import { createHash } from 'node:crypto'
import type {} from '@playwright/test'
import { attacks, dangersIn } from '#server/testing/attacks.ts'
import { violations } from './axe.ts'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

const PAGES = [
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
  '/entrar',
  '/registro',
  '/recuperar',
  '/cuenta/accion?mode=resetPassword&oobCode=x',
]

/** Documents as the server sends them. */
async function documents(paths: readonly string[]): Promise<[string, string][]> {
  return Promise.all(paths.map(async (path) => [path, await (await fetch(`${own.url}${path}`)).text()] as [string, string]))
}

for (const brand of ['Vaivén', 'Fragua'] as const)
  test(`every public page of ${brand} has no axe violations and fits its width`, async ({ page, baseURL }) => {
    test.setTimeout(180_000)
    const at = brand === 'Fragua' ? own.url : baseURL
    for (const path of PAGES) {
      await page.goto(`${at}${path}`)
      await expect(page.locator('h1')).toHaveCount(1)
      expect([path, await violations(page, { frames: true })]).toEqual([path, []])
      expect([path, await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)]).toEqual([path, 0])
    }
  })

test('two brands side by side share no colour, name, icon or preview (S1-1.01, S1-1.21, S1-3.02 to S1-3.04)', async ({
  page,
  baseURL,
  request,
}) => {
  const styleOf = async (at: string) => {
    await page.goto(`${at}/entrar`)
    const seen = await page.evaluate(() => {
      const styles = getComputedStyle(document.documentElement)
      const button = [...document.querySelectorAll('button')].find(({ textContent }) => textContent?.includes('Entrar'))
      const { backgroundColor, color, borderRadius } = getComputedStyle(button ?? document.body)
      const heading = getComputedStyle(document.querySelector('h1') ?? document.body)
      return {
        colours: ['--brand', '--accent', '--canvas', '--ink', '--stage'].map((name) => styles.getPropertyValue(name).trim()),
        button: [backgroundColor, color, borderRadius],
        body: getComputedStyle(document.body).backgroundColor,
        voice: [heading.textTransform, heading.fontStretch],
        title: document.title,
        theme: document.querySelector('meta[name="theme-color"]')?.getAttribute('content'),
      }
    })
    const manifest = (await (await request.get(`${at}/manifest.webmanifest`)).json()) as Record<string, unknown>
    const icon = (await (await request.get(`${at}/iconos/192.png`)).body()).toString('base64')
    return { ...seen, manifest: [manifest.name, manifest.theme_color], icon }
  }
  const [first, two] = [await styleOf(baseURL ?? ''), await styleOf(own.url)]
  for (const [at, colour] of first.colours.entries()) {
    expect(colour).toMatch(/^#[0-9a-f]{6}$/i)
    expect(colour).not.toBe(two.colours[at])
  }
  for (const key of ['button', 'body', 'voice', 'title', 'theme', 'manifest', 'icon'] as const) expect(first[key]).not.toEqual(two[key])
  // The administration has the day theme in a brand of the night, too: in its document, which sends visitors away, and as an app.
  const administration = await (await request.get(`${own.url}/admin`)).text()
  const theme = /name="theme-color" content="([^"]+)"/.exec(administration)?.[1]
  expect(theme).toMatch(/^#[0-9a-f]{6}$/i)
  expect(theme).not.toBe(two.theme)
  const app = await (await request.get(`${own.url}/administracion.webmanifest`)).json()
  expect([app.theme_color, app.background_color]).toEqual([theme, theme])
  expect(first.title).toBe('Entrar · Vaivén')
  expect(two.title).toBe('Entrar · Fragua')
  expect(two.voice[0]).toBe('uppercase')
})

test('the backgrounds of the log-in pages, hidden on phones (S1-2.36, S1-2.37, S1-3.12)', async ({ page, isMobile }) => {
  await own.change({ bg_login: '/arte/heroe-salto.svg', bg_recovery: '/arte/rayos-fragua.svg' })
  for (const [path, file] of [
    ['/entrar', 'heroe-salto'],
    ['/recuperar', 'rayos-fragua'],
  ] as const) {
    await page.goto(`${own.url}${path}`)
    const stage = page.locator('.access-stage')
    if (isMobile) await expect(stage).toBeHidden()
    else expect(await stage.evaluate((node) => getComputedStyle(node).backgroundImage)).toContain(file)
  }
  // The screen between the public and the signed-in area has a background of its own.
  await own.change({ bg_loading: '/arte/heroe-salto.svg' })
  await page.route(/identity-firebase/, () => {})
  await page.goto(`${own.url}/mystudio`, { waitUntil: 'domcontentloaded' })
  expect(await page.locator('.entering').evaluate((node) => getComputedStyle(node).backgroundImage)).toContain('heroe-salto')
  await own.change({ bg_login: '', bg_recovery: '', bg_loading: '' })
})

test('code of the owner runs on the site but on no page with a card form; app_css overrides the rules of the product (S1-3.05, settled 29)', async ({
  page,
}) => {
  await own.change({
    head: '<script>window.medido = (window.medido || 0) + 1</script>',
    body: '<script>document.documentElement.dataset.alFinal = "si"</script>',
    app_css: 'h1 { letter-spacing: 3px; }',
  })
  for (const path of ['/', '/entrar']) {
    await page.goto(`${own.url}${path}`)
    const seen = await page.evaluate(() => [(window as { medido?: number }).medido, document.documentElement.dataset.alFinal])
    expect([path, ...seen]).toEqual([path, 1, 'si'])
  }
  for (const [path, document] of await documents(['/checkout/1', '/mystudio/metodos'])) {
    expect([path, document.includes('Fragua')]).toEqual([path, true])
    expect([path, document.includes('medido'), document.includes('alFinal')]).toEqual([path, false, false])
  }
  await page.goto(own.url)
  expect(await page.locator('h1').evaluate((node) => getComputedStyle(node).letterSpacing)).toBe('3px')
  await own.change({ head: '', body: '', app_css: '' })
})

test('no field of the settings carries an attack to a visitor (T6, G3)', async ({ page }) => {
  test.setTimeout(180_000)
  const before = await own.owner<{ settings: { key: string; value: unknown }[] }>('GET', '/appconfig/admin/all')
  const texts = [
    'business_name',
    'tagline',
    'location',
    'banner_text',
    'hero_title',
    'hero_text',
    'hero_link_text',
    'about_title',
    'about_text',
    'about_link_text',
    'mission_title',
    'mission_text',
    'mission_link_text',
    'class_packages_name',
  ]
  // Addresses are refused, not sanitised: no attack is stored.
  const links = before.settings.filter(({ key }) => /(_link|_src|_image|_video|_logo|favicon|bg_\w+|facebook|instagram|tiktok)$/.test(key))
  expect(links.length).toBeGreaterThan(15)
  for (const { key } of links)
    for (const value of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'JAVASCRIPT:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      '//otro.example',
    ])
      await expect(own.change({ [key]: value }), `${key}=${value}`).rejects.toThrow('INVALID_INPUT')

  // Every text setting, HTML or plain, is filled with as many attacks as fit. Control characters are left to the fuzz tests.
  const fine = attacks.filter((attack) => !/\p{Cc}/u.test(attack))
  const filled = (most: number, from: number) => {
    let text = ''
    for (let at = 0; text.length + (fine[(from + at) % fine.length] ?? '').length < most && at < fine.length; at++)
      text += fine[(from + at) % fine.length]
    return text
  }
  await own.change(
    Object.fromEntries(
      texts.map((key, at) => [key, filled(key === 'business_name' ? 79 : key === 'class_packages_name' ? 59 : 1_900, at * 5)]),
    ),
  )
  const html = fine.join('\n')
  const line = filled(110, 20)
  await own.owner('POST', '/pages', { slug: 'ataque', title: filled(190, 3), content: html })
  await own.owner('POST', '/announcements', { title: filled(190, 9), content: html })
  await own.owner('POST', '/locations', { name: line, address: filled(390, 4), hours: filled(590, 7), phone: '8112345678' })
  const { class_type } = await own.owner<{ class_type: { class_type_id: number } }>('POST', '/class_types', {
    name: line,
    description: filled(290, 11),
    duration_minutes: 50,
  })
  const coach = {
    name: filled(70, 2),
    last_name: filled(70, 6),
    quote: filled(280, 8),
    short_bio: filled(900, 12),
    is_home: true,
    music_type: line,
    specialties: line,
  }
  await expect(own.owner('POST', '/instructors', { ...coach, instagram: 'javascript:alert(1)' })).rejects.toThrow('INVALID_INPUT')
  const { instructor } = await own.owner<{ instructor: { instructor_id: number } }>('POST', '/instructors', coach)

  const shown = await documents([
    ...PAGES,
    '/ataque',
    `/instructor/${instructor.instructor_id}`,
    `/coach/${instructor.instructor_id}`,
    `/class_type/${class_type.class_type_id}`,
  ])
  let boxes = 0
  for (const [path, document] of shown) {
    // Outside of HTML fields, parsed as a browser does it: no typed text became an element or an executable attribute.
    const found = await page.evaluate((html) => {
      const parsed = new DOMParser().parseFromString(html, 'text/html')
      const acts = [...parsed.querySelectorAll('*')].flatMap((node) => {
        const attributes = [...node.attributes].filter(
          ({ name, value }) =>
            /^on/.test(name) ||
            (/^(href|src|action|formaction|data|srcdoc|xlink:href)$/.test(name) && /^[\s\p{Cc}]*(javascript|vbscript|data):/iu.test(value)),
        )
        const wrong =
          /^(iframe|object|embed|base|frame|applet|portal|foreignobject|animate|math)$/i.test(node.localName) ||
          (node.localName === 'meta' && node.hasAttribute('http-equiv'))
        return wrong || attributes.length ? [node.outerHTML.slice(0, 200)] : []
      })
      const scripts = [...parsed.querySelectorAll('script:not([type="application/ld+json"])')].map(
        (node) => [node.getAttribute('src'), node.textContent] as const,
      )
      const facts = [...parsed.querySelectorAll('script[type="application/ld+json"]')].map(
        (node) => typeof JSON.parse(node.textContent ?? ''),
      )
      const boxes = [...parsed.querySelectorAll('.rich-text')].map((box) => box.innerHTML)
      return { acts, scripts, facts, boxes }
    }, document)
    expect([path, found.acts]).toEqual([path, []])
    // HTML fields contain only what the sanitiser's grammar allows, which no attack matches.
    for (const box of found.boxes) expect([path, dangersIn(box)]).toEqual([path, []])
    boxes += found.boxes.length
    expect(found.facts.every((kind) => kind === 'object')).toBe(true)
    // Scripts are our own files, or inline ones with a hash in the CSP.
    const policy = (await fetch(`${own.url}${path}`)).headers.get('content-security-policy') ?? ''
    for (const [src, code] of found.scripts)
      if (src) expect([path, src]).toEqual([path, expect.stringMatching(/^\/assets\/[\w.-]+\.js$/)])
      else
        expect([
          path,
          policy.includes(
            createHash('sha256')
              .update(code ?? '')
              .digest('base64'),
          ),
        ]).toEqual([path, true])
    expect(/script-src[^;]*unsafe-inline/.test(policy)).toBe(false)
  }
  expect(boxes).toBeGreaterThan(5)
  // In the browser nothing of it runs, requests other hosts or navigates.
  const foreign: string[] = []
  const alarms: string[] = []
  page.on('dialog', async (dialog) => {
    alarms.push(dialog.message())
    await dialog.dismiss()
  })
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== own.url) foreign.push(request.url())
  })
  for (const [path] of shown) {
    await page.goto(`${own.url}${path}`, { waitUntil: 'networkidle' })
    expect([
      path,
      await page
        .locator(
          'main script:not([type="application/ld+json"]), main iframe, main object, main embed, main style, main link[rel=stylesheet]',
        )
        .count(),
    ]).toEqual([path, 0])
  }
  expect(alarms).toEqual([])
  expect(foreign).toEqual([])
})
