/**
 * The public site as its owner sets it: sections, bar, banner, footer, content pages (S1-1, S1-2, S1-3, S2-2, S2-3). A studio of this
 * file's own; in order, because each test changes its settings.
 */
import type { Route } from '@playwright/test'
import { violations } from './axe.ts'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

/** In the order of the demo studio. */
const SECTIONS = ['hero', 'schedule', 'about', 'mission', 'class_types', 'coaches', 'packages', 'announcements', 'location'] as const
const ID = {
  hero: '.hero',
  about: '#nosotros',
  mission: '#mision',
  class_types: '#clases',
  coaches: '#coaches',
  packages: '#paquetes',
  announcements: '#avisos',
  schedule: '#horarios',
  location: '#ubicacion',
}
const switchOf = (key: string) => (key === 'announcements' ? 'landing_announcements_enabled' : `${key}_enabled`)

test('each section is shown by its switch, in the configured order (S1-1.09, S1-1.11, S1-1.12, S1-3.14, S1-3.22)', async ({ page }) => {
  const shown = () =>
    page.evaluate((ids) => {
      const visible = Object.entries(ids).flatMap(([key, css]) => {
        const found = document.querySelector(`main ${css}`)
        return found ? [{ key, top: found.getBoundingClientRect().top }] : []
      })
      return visible.sort((a, b) => a.top - b.top).map(({ key }) => key)
    }, ID)
  await page.goto(own.url)
  expect(await shown()).toEqual([...SECTIONS])
  // The map is a drawing of our own; only its link leads to another site.
  const map = page.locator('#ubicacion').getByRole('link', { name: /^Centro/ })
  await expect(map).toHaveAttribute('href', /^https:\/\/www\.google\.com\/maps/)
  await expect(map).toHaveAttribute('target', '_blank')
  await expect(map.locator('img')).toHaveAttribute('src', /^\/arte\/mapa-centro-\d+\.svg/)
  const backwards = [...SECTIONS].reverse()
  await own.change(Object.fromEntries(backwards.map((key, at) => [`${key}_order`, at + 1])))
  await page.goto(own.url)
  expect(await shown()).toEqual(backwards)
  for (const off of SECTIONS) {
    await own.change({ [switchOf(off)]: false })
    await page.goto(own.url)
    expect(await shown()).toEqual(backwards.filter((key) => key !== off))
    await expect(page.locator('h1')).toHaveCount(1)
    await own.change({ [switchOf(off)]: true })
  }
  await own.change(Object.fromEntries(SECTIONS.map((key, at) => [`${key}_order`, at + 1])))
})

test('the hero shows a drawing, an image or a video; about and mission have texts, images and links of their own (S1-1.10, S1-3.21)', async ({
  page,
}) => {
  await page.goto(own.url)
  // The demo's photograph, stored like an upload.
  await expect(page.locator('img.hero-picture')).toHaveAttribute('src', /^\/archivos\/[\w-]+\.webp$/)
  await own.change({ hero_image: '' })
  await page.goto(own.url)
  await expect(page.locator('.hero-art')).toBeVisible()
  // The largest element of the first screen waits for no script.
  await expect(page.locator('.hero-art')).toHaveAttribute('fetchpriority', 'high')
  await own.change({
    hero_image: '/arte/heroe-salto.svg',
    hero_title: 'Otra portada',
    hero_link: 'https://otro.example/',
    hero_link_text: 'Ver afuera',
  })
  await page.goto(own.url)
  await expect(page.locator('img.hero-picture')).toHaveAttribute('src', '/arte/heroe-salto.svg')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Otra portada')
  await expect(page.getByRole('link', { name: 'Ver afuera' })).toHaveAttribute('target', '_blank')
  await own.change({ hero_video: '/archivos/no-hay-video-de-prueba.mp4' })
  await page.goto(own.url)
  await expect(page.locator('video.hero-picture')).toHaveAttribute('src', '/archivos/no-hay-video-de-prueba.mp4')
  await expect(page.getByRole('button', { name: /Pausar video|Reproducir video/ })).toBeVisible()
  await own.change({
    hero_image: '',
    hero_video: '',
    hero_title: 'Aquí se templa',
    hero_link: '/paquetes',
    hero_link_text: 'Prueba una clase',
  })

  for (const [part, css] of [
    ['about', '#nosotros'],
    ['mission', '#mision'],
  ] as const) {
    const keys = ['title', 'text', 'image', 'link', 'link_text'].map((key) => `${part}_${key}`)
    const { settings } = await own.owner<{ settings: { key: string; value: unknown }[] }>('GET', '/appconfig/admin/all')
    await own.change({
      [`${part}_title`]: 'Quiénes somos',
      [`${part}_text`]: '<p>Doce costales.</p>',
      [`${part}_image`]: '/arte/heroe-salto.svg',
      [`${part}_link`]: '/ubicacion',
      [`${part}_link_text`]: 'Ven a vernos',
    })
    await page.goto(own.url)
    const section = page.locator(css)
    await expect(section.getByRole('heading', { name: 'Quiénes somos' })).toBeVisible()
    await expect(section.getByText('Doce costales.')).toBeVisible()
    await expect(section.locator('img[src="/arte/heroe-salto.svg"]')).toHaveCount(1)
    await expect(section.getByRole('link', { name: 'Ven a vernos' })).toHaveAttribute('href', '/ubicacion')
    await own.change(Object.fromEntries(settings.filter(({ key }) => keys.includes(key)).map(({ key, value }) => [key, value])))
  }
})

test('the packages have the configured name and path (S1-2.02, S1-2.20, S1-2.44, S1-3.19, S1-3.20)', async ({ page, isMobile }) => {
  await own.change({ class_packages_name: 'Membresías', class_packages_path: '/planes-y-precios' })
  await page.goto(own.url)
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  const nav = page.getByRole('navigation', { name: 'Principal' }).last()
  await expect(nav.getByRole('link', { name: 'Membresías' })).toHaveAttribute('href', '/planes-y-precios')
  // The landing page's section is a separate entry (S1-2.45).
  await expect(nav.getByRole('link', { name: 'Paquetes' })).toHaveAttribute('href', '/#paquetes')
  await expect(nav.getByRole('link', { name: 'Nosotros' })).toHaveAttribute('href', '/#nosotros')
  await expect(nav.getByRole('link', { name: 'Horarios' })).toHaveAttribute('href', '/#horarios')
  await nav.getByRole('link', { name: 'Membresías' }).click()
  await expect(page).toHaveURL(`${own.url}/planes-y-precios`)
  await expect(page.getByRole('heading', { level: 1, name: 'Membresías' })).toBeVisible()
  await expect(page.getByRole('article').first()).toBeVisible()
  await page.goto(`${own.url}/nada/de/esto`)
  await expect(page.getByRole('heading', { level: 1, name: 'Aquí se templa' })).toBeVisible()
  await own.change({ about_enabled: false, schedule_enabled: false, packages_enabled: false })
  await page.goto(own.url)
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  for (const label of ['Nosotros', 'Horarios', 'Paquetes'])
    await expect(page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: label, exact: true })).toHaveCount(0)
  await own.change({
    about_enabled: true,
    schedule_enabled: true,
    packages_enabled: true,
    class_packages_name: 'Paquetes',
    class_packages_path: '/paquetes',
  })
})

test('where the packages page has the name of its section, the landing page links to the section and other pages to the page (S1-2.45)', async ({
  page,
  isMobile,
}) => {
  const entry = page.getByRole('navigation', { name: 'Principal' }).last().getByRole('link', { name: 'Paquetes', exact: true })
  for (const [path, packages_enabled, href] of [
    ['/', true, '/#paquetes'],
    ['/avisos', true, '/paquetes'],
    ['/', false, '/paquetes'],
  ] as const) {
    await own.change({ packages_enabled })
    await page.goto(own.url + path)
    if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
    await expect(entry).toHaveAttribute('href', href)
  }
  await own.change({ packages_enabled: true })
})

test('online packages are on the landing page if there are videos (S1-7.19)', async ({ page }) => {
  await own.change({ videos_enabled: true })
  await own.sql("update class_package set is_online = true, is_home = true where title = 'Doce rondas'")
  await own.catalogueChanged()
  await page.goto(own.url)
  const section = page.getByRole('region', { name: 'Paquetes' })
  await expect(section.getByRole('heading', { level: 3, name: 'Online' })).toBeVisible()
  await expect(section.getByRole('heading', { name: 'Doce rondas' })).toHaveCount(1)
  await own.change({ videos_enabled: false })
  await page.goto(own.url)
  await expect(section.getByRole('heading', { level: 3, name: 'Online' })).toHaveCount(0)
  await expect(section.getByRole('heading', { name: 'Doce rondas' })).toHaveCount(0)
  await own.sql("update class_package set is_online = false where title = 'Doce rondas'")
  await own.catalogueChanged()
})

test('on a phone the header leaves while reading down and comes back on scrolling up or with the keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(own.url)
  await page.waitForLoadState('networkidle')
  const bar = page.locator('.site-bar')
  await page.evaluate(() => window.scrollTo(0, 900))
  await expect(bar).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => window.scrollTo(0, 1500))
  await expect(bar).not.toBeInViewport()
  await page.evaluate(() => window.scrollBy(0, -40))
  await expect(bar).toBeInViewport({ ratio: 1 })
  await page.evaluate(() => window.scrollBy(0, 200))
  await expect(bar).not.toBeInViewport()
  await page.getByRole('button', { name: 'Abrir menú' }).first().focus()
  await expect(bar).toBeInViewport({ ratio: 1 })
})

test('banner and bar: heights, the link of the banner, and when it hides (S1-2.48 to S1-2.52, S1-3.13)', async ({ page, isMobile }) => {
  const offset = () => page.evaluate(() => document.querySelector('.site-header')?.getBoundingClientRect().height)
  const banner = page.locator('.site-header > .banner')
  await page.goto(own.url)
  expect(await offset()).toBe(120)
  await expect(banner).toHaveText(/Noche de sparring/)
  await banner.click()
  await expect(page).toHaveURL(`${own.url}/avisos`)

  await own.change({ banner_link: 'https://otro.example/algo' })
  await page.goto(own.url)
  await expect(banner).toHaveAttribute('target', '_blank')
  await own.change({ domain: 'otro.example' })
  await page.goto(own.url)
  await expect(banner).toHaveAttribute('href', '/algo')
  await expect(banner).not.toHaveAttribute('target', '_blank')
  await own.change({ banner_link: '' })
  await page.goto(own.url)
  expect(await banner.evaluate((node) => node.tagName)).toBe('P')

  // On a phone a sentence takes two lines of the same height; nothing of a longer one is cut either, and it leaves as far as it reached.
  const whole = () => banner.evaluate((node) => node.scrollHeight <= node.clientHeight && node.scrollWidth <= node.clientWidth)
  const barTop = () => page.evaluate(() => Math.round(document.querySelector('.site-bar')?.getBoundingClientRect().top ?? -1))
  const scrollTo = (top: number) => page.evaluate((y) => window.scrollTo({ top: y, behavior: 'instant' }), top)
  const text = 'Viernes 27: noche de sparring abierta a todos los niveles, de 19:00 a 22:00'
  for (const [banner_text, isTall] of [
    [text, false],
    [`${text}. ${text}. ${text}. ${text}.`, isMobile],
  ] as const) {
    await own.change({ banner_text })
    await page.goto(own.url)
    // The browser restores where the page was before.
    await scrollTo(0)
    await expect(banner).toBeVisible()
    await expect(banner).toHaveText(banner_text)
    expect(await whole()).toBe(true)
    if (isTall) expect(await offset()).toBeGreaterThan(120)
    else expect(await offset()).toBe(120)
    await scrollTo(1400)
    await expect(banner).toBeHidden()
    await scrollTo(1300)
    await expect.poll(barTop).toBe(0)
  }
  await own.change({ banner_text: 'Noche de sparring' })
  await page.goto(own.url)

  // The bar is sticky; the banner is with it up to 1000 px of scroll.
  const top = () => page.evaluate(() => Math.round(document.querySelector('.site-bar')?.getBoundingClientRect().top ?? -1))
  await page.evaluate(() => window.scrollTo(0, 999))
  await expect(banner).toBeVisible()
  await expect(banner).toBeInViewport({ ratio: 1 })
  await expect.poll(top).toBe(45)
  await page.evaluate(() => window.scrollTo(0, 1000))
  await expect(banner).toBeHidden()
  await expect.poll(top).toBe(0)
  await page.evaluate(() => window.scrollTo(0, 0))
  await expect(banner).toBeVisible()

  // An anchor scrolls to a position below the header.
  const sectionTop = () => page.evaluate(() => Math.round(document.querySelector('#nosotros')?.getBoundingClientRect().top ?? -1))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(`${own.url}/#nosotros`)
  await expect.poll(sectionTop).toBe(120)

  await own.change({ banner_enabled: false })
  await page.goto(own.url)
  expect(await offset()).toBe(75)
  await page.goto(`${own.url}/#nosotros`)
  await expect.poll(sectionTop).toBe(75)
  await expect(banner).toHaveCount(0)
  await own.change({ banner_enabled: true, banner_link: '/avisos', domain: '' })
})

test('Certificación is in the bar of one host only (S1-2.54)', async ({ page, isMobile }) => {
  const link = page.getByRole('link', { name: 'Certificación' })
  await own.change({ certification_host: 'otra.example', certification_link: 'https://otra.example/certificacion' })
  await page.goto(own.url)
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  await expect(link).toHaveCount(0)
  // The same studio on another host; the link stays during client-side navigation.
  await own.change({ certification_host: '127.0.0.1' })
  await page.goto(own.url)
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  await expect(link).toHaveCount(0)
  await page.goto(`${own.url.replace('localhost', '127.0.0.1')}/avisos`)
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  await expect(link.last()).toBeVisible()
  await page.getByRole('navigation', { name: 'Principal' }).getByRole('link', { name: 'Horarios', exact: true }).last().click()
  await expect(page).toHaveURL(/127\.0\.0\.1.*\/#horarios$/)
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  await expect(link.last()).toBeVisible()
  await own.change({ certification_host: '', certification_link: '' })
})

test('contact links only if configured, pages only with content, powered by (S1-2.53, S1-3.11, S1-9.12, S2-2.73 to S2-2.77, S2-3.34)', async ({
  page,
}) => {
  await page.goto(own.url)
  await expect(page.getByRole('link', { name: 'Escríbenos por WhatsApp', includeHidden: true })).toHaveAttribute(
    'href',
    'https://wa.me/5218120946615',
  )
  const footer = page.getByRole('contentinfo')
  await expect(footer.getByRole('link', { name: '81 2094 6615' })).toHaveAttribute('href', 'https://wa.me/528120946615')
  await expect(footer.getByRole('link', { name: 'hola@fragua.mx' })).toHaveAttribute('href', 'mailto:hola@fragua.mx')
  for (const network of ['Instagram', 'Facebook', 'TikTok']) await expect(footer.getByRole('link', { name: network })).toBeVisible()
  await expect(footer.getByText('Av. Madero 905, Centro y Río Mississippi 340')).toBeVisible()
  await expect(footer.getByRole('link', { name: 'Avisos' })).toHaveAttribute('href', '/avisos')
  await expect(footer.getByText('Powered by').getByRole('link', { name: 'Estudio' })).toHaveAttribute('href', /^https:\/\//)

  await own.change({ whatsapp: '', email: '', facebook: '', instagram: '', tiktok: '', location: '', whatsapp_widget: false })
  await own.owner('POST', '/pages', { slug: 'vacia', title: 'Página vacía' })
  await own.owner('POST', '/pages', { slug: 'con-texto', title: 'Página con texto', content: '<p>Hola.</p>' })
  await page.goto(own.url)
  await expect(page.getByRole('link', { name: 'Escríbenos por WhatsApp' })).toHaveCount(0)
  for (const label of ['Instagram', 'Facebook', 'TikTok', 'hola@fragua.mx', '81 2094 6615'])
    await expect(footer.getByText(label)).toHaveCount(0)
  await expect(footer.getByRole('link', { name: 'Página con texto' })).toBeVisible()
  await expect(footer.getByRole('link', { name: 'Página vacía' })).toHaveCount(0)
  await own.change({ whatsapp: '8120946615', email: 'hola@fragua.mx', whatsapp_widget: true })
})

test('a content page is shown while it loads, with its text, and without content (S1-2.24, S2-2.71, S2-2.72)', async ({ page }) => {
  await page.goto(`${own.url}/vacia`)
  await expect(page.getByRole('heading', { level: 1, name: 'Página vacía' })).toBeVisible()
  await expect(page.getByText('Sin contenido.')).toBeVisible()
  // Hydrated: before that a click would be a full load, which shows no loading state.
  await page.goto(own.url, { waitUntil: 'networkidle' })
  let release = () => {}
  const released = new Promise<void>((go) => {
    release = go
  })
  await page.route(/con-texto/, async (route) => {
    await released
    await route.continue()
  })
  await page.getByRole('contentinfo').getByRole('link', { name: 'Página con texto' }).click()
  await expect(page.getByRole('status').filter({ hasText: 'Cargando' })).toBeAttached()
  release()
  await expect(page.getByRole('heading', { level: 1, name: 'Página con texto' })).toBeVisible()
  await expect(page.getByText('Hola.')).toBeVisible()
  await expect(page.getByRole('status').filter({ hasText: 'Cargando' })).toHaveCount(0)
  await expect(page.locator('main')).toBeFocused()
})

test('a content page that cannot be loaded shows a message, and its text once it can (S1-8.38)', async ({ page }) => {
  const sentence = 'Lo sentimos, hubo un error al mostrar este contenido.'
  // The list of pages can be read, the text of one cannot: a view in place of the table fails for that query.
  await own.sql('alter table page rename to page_kept')
  await own.sql(`create view page as select page_id, slug, title,
    case when current_query() like '%where%' and slug = 'con-texto' then (1 / (page_id - page_id))::text else content end as content,
    source, required, required_signup, version, "updatedAt" from page_kept`)
  try {
    const answer = await page.goto(`${own.url}/con-texto`)
    expect(answer?.status()).toBe(500)
    await expect(page.getByText(sentence)).toHaveCount(1)
    await expect(page.getByRole('heading', { level: 1, name: sentence })).toBeVisible()
    await expect(page.getByRole('contentinfo')).toBeVisible()
    expect(await violations(page, { frames: true })).toEqual([])
    // Nothing of the table can be read, not even the list.
    await own.sql('drop view page')
    await own.set({ tagline: 'Sin páginas.' })
    await page.goto(`${own.url}/con-texto`)
    await expect(page.getByRole('heading', { level: 1, name: sentence })).toBeVisible()
    await page.goto(own.url)
    await expect(page.locator('.hero')).toBeVisible()
  } finally {
    await own.sql('drop view if exists page')
    await own.sql('alter table page_kept rename to page')
    await own.set({ tagline: 'Con páginas.' })
  }
  await page.goto(`${own.url}/con-texto`)
  await expect(page.getByText('Hola.')).toBeVisible()

  // Client-side navigation: first refused, then interrupted, then successful.
  await page.goto(own.url, { waitUntil: 'networkidle' })
  for (const fail of [(route: Route) => route.fulfill({ status: 500, body: 'x' }), (route: Route) => route.abort()]) {
    await page.route(/con-texto\.data/, fail)
    await page.getByRole('contentinfo').getByRole('link', { name: 'Página con texto' }).click()
    await expect(page.getByRole('heading', { level: 1, name: sentence })).toBeVisible()
    await expect(page.getByText(sentence)).toHaveCount(1)
    await expect(page).toHaveURL(`${own.url}/con-texto`)
    await page.unroute(/con-texto\.data/)
    await page.goto(own.url, { waitUntil: 'networkidle' })
  }
  await page.route(/con-texto\.data/, (route) => route.abort())
  await page.getByRole('contentinfo').getByRole('link', { name: 'Página con texto' }).click()
  await page.unroute(/con-texto\.data/)
  await page.getByRole('link', { name: 'Intentar de nuevo' }).click()
  await expect(page.getByText('Hola.')).toBeVisible()
})

test('the questions have their title, and the content page with that slug (S1-2.13)', async ({ page }) => {
  const { pages } = await own.owner<{ pages: { page_id: number; slug: string; content: string | null }[] }>('GET', '/pages/admin/all')
  const written = pages.find(({ slug }) => slug === 'preguntas-frecuentes')
  if (written) await own.owner('DELETE', `/pages/${written.page_id}`)
  await page.goto(`${own.url}/preguntas-frecuentes`)
  await expect(page.getByRole('heading', { level: 1, name: 'Preguntas frecuentes' })).toBeVisible()
  await expect(page.getByText('Sin contenido.')).toBeVisible()
  await own.owner('POST', '/pages', { slug: 'preguntas-frecuentes', title: 'Preguntas frecuentes', content: '<h2>¿Hay guantes?</h2>' })
  await page.goto(`${own.url}/preguntas-frecuentes`)
  await expect(page.getByRole('heading', { level: 2, name: '¿Hay guantes?' })).toBeVisible()
})

test('the bar shows the name or the logo of the studio; icon, preview and tagline are configurable too (S1-2.43, S1-3.04)', async ({
  page,
}) => {
  await page.goto(`${own.url}/avisos`)
  const logo = page.locator('.site-header').getByRole('link', { name: 'Fragua, inicio' })
  await expect(logo.getByText('Fragua')).toBeVisible()
  await own.change({
    navbar_logo: '/arte/marca-fragua.svg',
    favicon: '/arte/marca-otra.svg',
    social_media_image: '/arte/heroe-salto.svg',
    tagline: 'Golpea con calma.',
  })
  await page.goto(`${own.url}/avisos`)
  await expect(logo.getByRole('img', { name: 'Fragua' })).toHaveAttribute('src', '/arte/marca-fragua.svg')
  await expect(logo.getByRole('img', { name: 'Fragua' })).toBeVisible()
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute('href', '/arte/marca-otra.svg')
  await expect(page.locator('meta[property="og:image"]')).toHaveAttribute('content', `${own.url}/arte/heroe-salto.svg`)
  await logo.click()
  await expect(page).toHaveURL(`${own.url}/`)
  await expect(page.locator('meta[name="description"]')).toHaveAttribute('content', 'Golpea con calma.')
  await page.goto(`${own.url}/entrar`)
  await expect(page.getByText('Golpea con calma.')).toBeAttached()
  await own.change({ navbar_logo: '', favicon: '', social_media_image: '', tagline: 'Box, fuerza y ciclo en Monterrey.' })
})

test('announcements appear and disappear (S1-2.10, S1-2.11, S1-3.40, S1-8.53, S1-8.54)', async ({ page }) => {
  const { announcements } = await own.owner<{ announcements: { announcement_id: number }[] }>('GET', '/announcements')
  await page.goto(`${own.url}/avisos`)
  await expect(page.getByRole('article')).toHaveCount(announcements.length)
  for (const { announcement_id } of announcements) await own.owner('DELETE', `/announcements/${announcement_id}`)
  await page.goto(`${own.url}/avisos`)
  await expect(page.getByText('No hay avisos por mostrar.')).toBeVisible()
  expect(await violations(page, { frames: true })).toEqual([])
  await own.owner('POST', '/announcements', { title: 'Vuelve la noche', content: '<p>El <strong>viernes</strong>.</p>' })
  await page.goto(`${own.url}/avisos`)
  await expect(page.getByRole('heading', { name: 'Vuelve la noche' })).toBeVisible()
})
