/** Online videos for customers (spec 2 sections 2, 4, 8 and 9), in a studio of its own with videos switched on. */
import type { APIRequestContext, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { type Call, customer, enter, type Person, staff } from './studio-people.ts'
import { test as base, expect } from './test.ts'

const LIST = '/mystudio/online'
const VIMEO = 'https://player.vimeo.com'
const LONG = 'Reformer en casa: centro, espalda y hombros'

/** A player that says where it is as Vimeo's does: at first second 0, after a click second 900 of 3000. */
const PLAYER = `<button onclick="say(900)">Reproducir</button><script>
const say = (seconds) => parent.postMessage(JSON.stringify({ event: 'timeupdate', data: { seconds, duration: 3000 } }), '*')
addEventListener('message', () => say(0), { once: true })
</script>`

/** The studio, with the ids of its test data by name. */
interface Videos extends OwnStudio {
  ids: Record<string, number>
}

const test = base.extend<object, { studio: Videos }>({
  studio: [
    async ({ playwright }, use) => {
      const own = await ownStudio({ REQUESTS_PER_MINUTE: '0' })
      const request = await playwright.request.newContext({ baseURL: own.url })
      const ids = await createVideos(request)
      await request.dispose()
      await use({ ...own, ids })
      await own.close()
    },
    { scope: 'worker', timeout: 120_000 },
  ],
  baseURL: ({ studio }, use) => use(studio.url),
  context: async ({ context }, use) => {
    // The provider is mocked: its frame contains one button.
    await context.route(`${VIMEO}/**`, (route) => route.fulfill({ contentType: 'text/html', body: PLAYER }))
    await use(context)
  },
})

const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString()

/** Creates thirty-six published videos and an upcoming one; returns the ids by name. */
async function createVideos(request: APIRequestContext): Promise<Record<string, number>> {
  const owner = await staff(request, 'owner')
  await owner('PUT', '/appconfig', { settings: [{ key: 'videos_enabled', value: true }] })
  type Listed = { videos: { video_id: number; file: { file_id: number } | null }[] }
  const listed = () => owner<Listed>('GET', '/videos/admin/all')
  let file_id: number | undefined
  // The list has pages: remove the first one until there is none.
  for (let { videos } = await listed(); videos.length > 0; { videos } = await listed()) {
    file_id ??= videos.find(({ file }) => file !== null)?.file?.file_id
    for (const { video_id } of videos) await owner('DELETE', `/videos/${video_id}`)
  }
  const { instructors } = await owner<{ instructors: { instructor_id: number; name: string }[] }>('GET', '/instructors')
  const coach = (name: string) => instructors.find((one) => one.name === name)?.instructor_id
  const type = async (name: string) =>
    (await owner<{ video_type: { video_type_id: number } }>('POST', '/video_types', { name })).video_type.video_type_id
  const tag = async (name: string) => (await owner<{ tag: { tag_id: number } }>('POST', '/tags', { name, type: 'video' })).tag.tag_id
  const program = await owner<{ program: { program_id: number } }>('POST', '/programs', {
    ...{ name: 'Siete días de prueba', description: 'Una práctica corta al día.' },
  })
  const { program_id } = program.program
  const [fuerza, yoga] = [await type('Fuerza de prueba'), await type('Yoga de prueba')]
  const [banda, suave, noche] = [await tag('Con banda elástica'), await tag('Muy suave'), await tag('De noche')]
  const ids: Record<string, number> = { program_id, fuerza, yoga, banda, suave, noche }
  const make = async (name: string, duration: number, more: object) => {
    const written = { name, duration, url: 'https://vimeo.com/76979871', ...more }
    const made = await owner<{ video: { video_id: number } }>('POST', '/videos', written)
    ids[name] = made.video.video_id
  }
  const lucia = { instructor_id: coach('Lucía') }
  await make('Subida larga: ciclo con cadencia', 30, { featured: true, published_at: daysAgo(1), video_type_id: fuerza })
  await make(LONG, 24, {
    ...{ published_at: daysAgo(2), video_type_id: fuerza, tag_ids: [banda], instructor_id: coach('Renata') },
    description: 'Con banda y tapete. Sin máquina, con la misma precisión de siempre en el estudio.\nTrae agua.',
  })
  await make('Yin para dormir mejor', 50, { ...lucia, published_at: daysAgo(3), video_type_id: yoga, tag_ids: [suave, noche], program_id })
  await make('Vinyasa del lunes', 45, { ...lucia, published_at: daysAgo(4), video_type_id: yoga, tag_ids: [suave], program_id })
  await make('Película de archivo', 12, { published_at: daysAgo(5), url: 'https://peliculas.example.test/uno.mp4' })
  await make('Clip del estudio', 60, { published_at: daysAgo(6), url: null, file_id })
  for (let n = 1; n <= 30; n++) await make(`Práctica ${n}`, 60, { published_at: daysAgo(10 + n) })
  await make('Barre con pelota', 25, { published_at: daysAgo(-3) })
  return ids
}

/** A new customer; a member gets the demo's online package as a gift from reception. */
async function newCustomer(page: Page, name: string, member = true): Promise<Person> {
  const person = await customer(page.request, name, 0)
  if (member) await giveMembership(page, person)
  return person
}

/** Gives the online package; returns the purchase's id. */
async function giveMembership(page: Page, person: Person): Promise<number> {
  const reception: Call = await staff(page.request, 'reception')
  const { class_packages } = await reception<{ class_packages: { class_package_id: number }[] }>('GET', '/class_packages/online/all')
  const class_package_id = class_packages[0]?.class_package_id
  await reception('POST', '/customer/giveAccess', { customer_id: person.customer_id, class_package_id, is_gift: true, reason: 'De prueba' })
  const { purchases } = await person.call<{ purchases: { purchase_id: number }[] }>('GET', '/purchases')
  return purchases[0]?.purchase_id ?? 0
}

/** The pages of thirty-six videos: twelve per page on a phone, 32 otherwise. */
const pagesOn = (isMobile: boolean) => (isMobile ? { first: 12, last: 12, pages: 3 } : { first: 32, last: 4, pages: 2 })
const results = (page: Page) => page.getByRole('region', { name: 'Videos', exact: true })
const cards = (page: Page) => results(page).getByRole('article')
const heart = (page: Page, name: string) => results(page).getByRole('button', { name: `Favorito: ${name}`, exact: true })
const shown = (page: Page, names: string[]) => expect(results(page).getByRole('heading', { level: 2 })).toHaveText(names)
const toast = (page: Page, words: string) => expect(page.getByRole('status').filter({ hasText: words })).toBeVisible()

test('the featured one, cards and two pages of them (S2-1.05, S2-2.04, S2-2.60, S2-2.63, S2-5.13, S2-5.14, S2-9.06 to S2-9.08)', async ({
  page,
  studio,
  isMobile,
}) => {
  const { first, last, pages } = pagesOn(isMobile)
  await enter(page, await newCustomer(page, 'Olga'), LIST)
  await expect(page.getByRole('heading', { level: 1, name: 'Online' })).toBeVisible()
  const featured = page.getByRole('region', { name: 'Subida larga: ciclo con cadencia' })
  await expect(featured).toContainText('Video destacado')
  await expect(featured.getByRole('link')).toHaveAttribute('href', `/mystudio/video/${studio.ids['Subida larga: ciclo con cadencia']}`)
  await expect(cards(page)).toHaveCount(first)
  const card = cards(page).nth(1)
  await expect(card.getByRole('heading')).toHaveText('Reformer en casa: centro, espalda…')
  await expect(card.getByRole('link', { name: LONG })).toHaveAttribute('href', `/mystudio/video/${studio.ids[LONG]}`)
  await expect(card).toContainText('Con banda y tapete. Sin máquina, con la misma precisión de…')
  await expect(card).toContainText('24 min')
  await expect(card).toContainText('Renata')
  const box = await card.locator('.video-picture').boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 10.4, 1)
  const finger = await card.getByRole('button').boundingBox()
  expect([finger?.width, finger?.height]).toEqual([48, 48])
  // An upcoming video has no link.
  const coming = page.getByRole('region', { name: 'Próximamente' })
  await expect(coming.getByRole('heading', { level: 3 })).toHaveText(['Barre con pelota'])
  await expect(coming.getByRole('link')).toHaveCount(0)
  await accessible(page)

  const pager = page.getByRole('navigation', { name: 'Páginas' })
  const [previous, next] = [pager.getByRole('button', { name: 'Página anterior' }), pager.getByRole('button', { name: 'Página siguiente' })]
  await expect(pager).toContainText(`1 / ${pages}`)
  await expect(previous).toBeDisabled()
  for (let at = 1; at < pages; at++) {
    await next.click()
    await expect(pager).toContainText(`${at + 1} / ${pages}`)
  }
  await expect(page).toHaveURL(`${LIST}?pagina=${pages}`)
  await expect(pager).toContainText(`${pages} / ${pages}`)
  await expect(cards(page)).toHaveCount(last)
  await expect(next).toBeDisabled()
  await expect(results(page)).toBeFocused()
  await expect(results(page)).toBeInViewport()
  await page.reload()
  await expect(cards(page)).toHaveCount(last)
  await page.goBack()
  await expect(pager).toContainText(`${pages - 1} / ${pages}`)
  await expect(cards(page)).toHaveCount(first)
  await page.goForward()
  await expect(pager).toContainText(`${pages} / ${pages}`)
  // A page number beyond the end shows the last page, one below 1 the first.
  await page.goto(`${LIST}?pagina=99`)
  await expect(page).toHaveURL(`${LIST}?pagina=${pages}`)
  await page.goto(`${LIST}?pagina=0`)
  await expect(pager).toContainText(`1 / ${pages}`)
})

test('search, coach, type, duration, program and tags are in the address, and cleared in one step (S2-2.61, S2-3.21)', async ({
  page,
  studio,
  isMobile,
}) => {
  const { first } = pagesOn(isMobile)
  await enter(page, await newCustomer(page, 'Pilar'), `${LIST}?pagina=2`)
  await expect(cards(page)).toHaveCount(isMobile ? 12 : 4)
  const search = page.getByRole('searchbox', { name: 'Busca por nombre' })
  await search.fill('VINYASA')
  await shown(page, ['Vinyasa del lunes'])
  // A changed list begins at its first page.
  await expect(page).toHaveURL(`${LIST}?buscar=VINYASA`)
  await expect(search).toBeFocused()
  await search.fill('vinyasa del')
  await expect(page).toHaveURL(`${LIST}?buscar=vinyasa+del`)
  // One search is one history entry, however many pauses it had.
  await page.goBack()
  await expect(page).toHaveURL(`${LIST}?pagina=2`)
  await expect(search).toHaveValue('')
  await page.goForward()
  await expect(search).toHaveValue('vinyasa del')
  await shown(page, ['Vinyasa del lunes'])
  await page.getByRole('button', { name: 'Limpiar filtros' }).click()
  await expect(page).toHaveURL(LIST)
  await expect(search).toHaveValue('')
  await expect(search).toBeFocused()
  await expect(cards(page)).toHaveCount(first)

  const { ids } = studio
  await page.getByRole('combobox', { name: 'Tipo' }).selectOption('Yoga de prueba')
  await expect(page).toHaveURL(`${LIST}?tipo=${ids.yoga}`)
  await shown(page, ['Yin para dormir mejor', 'Vinyasa del lunes'])
  await page.getByRole('combobox', { name: 'Duración' }).selectOption('Menos de 60 min')
  await shown(page, ['Yin para dormir mejor', 'Vinyasa del lunes'])
  // A video of 45 minutes is not shorter than 45.
  await page.getByRole('combobox', { name: 'Duración' }).selectOption('Menos de 45 min')
  await expect(page).toHaveURL(`${LIST}?tipo=${ids.yoga}&duracion=45`)
  await expect(results(page)).toContainText('Ningún video coincide con tu búsqueda.')
  await accessible(page)
  await page.getByRole('button', { name: 'Quitar filtro: Yoga de prueba' }).click()
  await expect(page.getByRole('combobox', { name: 'Tipo' })).toBeFocused()
  await shown(page, ['Subida larga: ciclo con cadencia', 'Reformer en casa: centro, espalda…', 'Película de archivo'])
  await page.getByRole('combobox', { name: 'Coach' }).selectOption('Renata')
  await shown(page, ['Reformer en casa: centro, espalda…'])
  await page.reload()
  await shown(page, ['Reformer en casa: centro, espalda…'])
  await expect(page.getByRole('combobox', { name: 'Duración' })).toHaveValue('45')
  await page.getByRole('combobox', { name: 'Programa' }).selectOption('Siete días de prueba')
  await results(page).getByRole('button', { name: 'Limpiar filtros' }).click()
  await expect(page).toHaveURL(LIST)

  await page.getByRole('combobox', { name: 'Programa' }).selectOption('Siete días de prueba')
  await expect(page).toHaveURL(`${LIST}?programa=${ids.program_id}`)
  await expect(page.getByText('2 videos · 95 min · 0 de 2 completados')).toBeVisible()
  await expect(cards(page)).toHaveCount(2)
  await page.getByRole('button', { name: 'Quitar filtro: Siete días de prueba' }).click()

  await page.getByRole('button', { name: 'Etiquetas' }).click()
  const labels = page.getByRole('group', { name: 'Etiquetas' })
  await labels.getByText('De noche').click()
  await shown(page, ['Yin para dormir mejor'])
  await labels.getByText('Con banda elástica').click()
  await shown(page, ['Reformer en casa: centro, espalda…', 'Yin para dormir mejor'])
  await expect(page).toHaveURL(`${LIST}?etiquetas=${ids.noche},${ids.banda}`)
  await accessible(page)
  await labels.getByRole('button', { name: 'Listo' }).click()
  await expect(labels).toBeHidden()
  await page.reload()
  await shown(page, ['Reformer en casa: centro, espalda…', 'Yin para dormir mejor'])
  await page.getByRole('button', { name: 'Quitar filtro: Etiquetas' }).click()
  await expect(page).toHaveURL(LIST)
})

test('a favourite is shown at once, reverted if the call fails, and has a view of its own (S2-1.06, S2-2.62, S2-4.26, S2-8.20, S2-8.21)', async ({
  page,
}) => {
  await enter(page, await newCustomer(page, 'Queta'), `${LIST}?ver=favoritos`)
  await expect(results(page)).toContainText('Aún no tienes videos favoritos.')
  await page.getByRole('button', { name: 'Ver todos los videos' }).click()
  await expect(page).toHaveURL(LIST)
  await expect(heart(page, 'Vinyasa del lunes')).toHaveAttribute('aria-pressed', 'false')

  await page.route('**/api/favorites', (route) => route.fulfill({ status: 503, body: '' }))
  await heart(page, 'Vinyasa del lunes').click()
  await expect(page.getByRole('alert').first()).toBeVisible()
  await expect(heart(page, 'Vinyasa del lunes')).toHaveAttribute('aria-pressed', 'false')
  await page.unroute('**/api/favorites')

  await heart(page, 'Vinyasa del lunes').click()
  await expect(heart(page, 'Vinyasa del lunes')).toHaveAttribute('aria-pressed', 'true')
  await toast(page, '¡Favorito agregado!')
  await heart(page, 'Película de archivo').click()
  await expect(heart(page, 'Película de archivo')).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('radio', { name: 'Favoritos' }).click()
  await expect(page).toHaveURL(`${LIST}?ver=favoritos`)
  await shown(page, ['Vinyasa del lunes', 'Película de archivo'])
  await accessible(page)
  await page.reload()
  await heart(page, 'Película de archivo').click()
  await toast(page, '¡Favorito eliminado!')
  await shown(page, ['Vinyasa del lunes'])
})

test('a video is watched, completed and rated, and links to related ones (S2-2.05, S2-2.62, S2-2.65, S2-2.66, S2-4.27, S2-7.22)', async ({
  page,
  studio,
}) => {
  const rosa = await newCustomer(page, 'Rosa')
  const id = studio.ids['Yin para dormir mejor']
  await enter(page, rosa, `/mystudio/video/${id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Yin para dormir mejor' })).toBeVisible()
  await expect(page).toHaveTitle(/^Yin para dormir mejor · /)
  const frame = page.getByTitle('Video: Yin para dormir mejor')
  await expect(frame).toHaveAttribute('src', `${VIMEO}/video/76979871?dnt=1`)
  await expect(frame).toHaveAttribute('loading', 'lazy')
  await expect(frame).toHaveAttribute('referrerpolicy', 'strict-origin-when-cross-origin')
  expect(await frame.getAttribute('allow')).not.toContain('autoplay')
  const box = await frame.boundingBox()
  expect((box?.width ?? 0) / (box?.height ?? 1)).toBeCloseTo(16 / 9, 1)
  const inside = page.getByRole('main')
  await expect(inside).toContainText('50 min')
  await expect(inside.getByRole('link', { name: /^Lucía/ }).first()).toHaveAttribute('href', /^\/instructor\/\d+$/)
  const labels = inside.getByRole('list', { name: 'Etiquetas' }).getByRole('link')
  await expect(labels).toHaveText(['Siete días de prueba', 'Yoga de prueba', /De noche|Muy suave/, /De noche|Muy suave/])
  await expect(labels.nth(1)).toHaveAttribute('href', `${LIST}?tipo=${studio.ids.yoga}`)
  await accessible(page)

  // Rating is possible only after playback has begun, which is assumed when the focus stays in the player.
  await expect(inside.getByRole('heading', { name: '¿Qué te pareció?' })).toHaveCount(0)
  const begun = page.waitForResponse((answer) => answer.url().endsWith(`/api/videos/${id}/play`))
  await page.frameLocator(`[title="Video: Yin para dormir mejor"]`).getByRole('button', { name: 'Reproducir' }).click()
  expect((await begun).status()).toBe(200)
  const rating = page.getByRole('region', { name: '¿Qué te pareció?' })
  await rating.getByRole('radio', { name: '4 de 5, Muy bien' }).check({ force: true })
  await rating.getByLabel('Comentario').fill('Dormí como piedra.')
  await accessible(page)
  await rating.getByRole('button', { name: 'Enviar' }).click()
  await toast(page, 'Gracias por calificar este video.')
  const mine = page.getByRole('region', { name: 'Tu calificación' })
  await expect(mine.getByRole('img', { name: '4 de 5, Muy bien' })).toBeVisible()
  await expect(mine).toContainText('Dormí como piedra.')

  await inside.getByRole('button', { name: 'Completar' }).click()
  await expect(inside.getByText('Completado', { exact: true })).toBeVisible()
  await inside.getByRole('button', { name: 'Favorito: Yin para dormir mejor' }).click()
  await toast(page, '¡Favorito agregado!')
  const next = page.getByRole('region', { name: 'Sigue con Siete días de prueba' })
  await expect(next.getByRole('heading', { level: 3 })).toHaveText(['Vinyasa del lunes'])
  await inside.getByRole('link', { name: 'Online', exact: true }).click()
  await expect(page).toHaveURL(LIST)
  const card = cards(page).filter({ hasText: 'Yin para dormir mejor' })
  await expect(card).toContainText('Completado')
  await expect(card.getByRole('button')).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('radio', { name: 'Completados' }).click()
  await expect(page).toHaveURL(`${LIST}?ver=completados`)
  await shown(page, ['Yin para dormir mejor'])

  await results(page).getByRole('link', { name: 'Yin para dormir mejor' }).click()
  await inside.getByRole('button', { name: 'Marcar como no completado' }).click()
  await expect(inside.getByRole('button', { name: 'Completar' })).toBeVisible()
  await page.goBack()
  await expect(results(page)).toContainText('Aún no has completado videos.')
})

test('a file plays in the browser, and one that fails to load says so (S2-2.65)', async ({ page, studio }) => {
  await enter(page, await newCustomer(page, 'Sonia'), '/mystudio')
  await page.route('https://peliculas.example.test/**', (route) => route.fulfill({ status: 404, body: '' }))
  await page.goto(`/mystudio/video/${studio.ids['Película de archivo']}`)
  await expect(page.getByText('No pudimos cargar el video.')).toBeVisible()
  await accessible(page)
  // While the file is loading, the player is shown.
  await page.unroute('https://peliculas.example.test/**')
  await page.route('https://peliculas.example.test/**', () => {})
  await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
  const film = page.locator('video')
  await expect(film).toHaveAttribute('src', 'https://peliculas.example.test/uno.mp4')
  await expect(film).toHaveAttribute('controls', '')
  await expect(film).toHaveAttribute('playsinline', '')
  await expect(film).not.toHaveAttribute('autoplay')

  // An uploaded file: its link is private, and the start of playback is recorded.
  const clip = studio.ids['Clip del estudio']
  const owner = await staff(page.request, 'owner')
  await owner('PUT', '/videos', { video_id: clip, captions: 'WEBVTT\n\n00:00.000 --> 00:09.000\nRespira.' })
  await page.goto(`/mystudio/video/${clip}`)
  await expect(film).toHaveAttribute('src', /^\/archivos\/privado\//)
  await expect(page.getByRole('region', { name: '¿Qué te pareció?' })).toHaveCount(0)
  const started = page.waitForResponse((answer) => answer.url().endsWith(`/api/videos/${clip}/play`))
  await film.evaluate((it: HTMLVideoElement) => {
    it.muted = true
    return it.play()
  })
  expect((await started).status()).toBe(200)
  await expect(page.getByRole('region', { name: '¿Qué te pareció?' })).toBeVisible()
  await expect.poll(() => film.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeGreaterThan(0.5)

  // It goes on where one stopped, and comes first in the list (O18).
  const stored = page.waitForResponse(
    (answer) => answer.url().endsWith(`/api/videos/${clip}/progress`) && answer.request().postData()?.includes('"position":4') === true,
  )
  await film.evaluate((it: HTMLVideoElement) => {
    it.pause()
    it.currentTime = 4
    return it.play().then(() => it.pause())
  })
  expect((await stored).status()).toBe(200)
  await page.goto(LIST)
  const begun = page.getByRole('region', { name: 'Seguir viendo' })
  await expect(begun.getByRole('heading', { level: 3 })).toHaveText(['Clip del estudio'])
  await expect(begun).toContainText(/Te quedan? \d+ min/)
  await accessible(page)
  await begun.getByRole('link', { name: 'Clip del estudio' }).click()
  await expect.poll(() => film.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeGreaterThanOrEqual(4)
  // Keys of the player.
  await film.focus()
  await page.keyboard.press('0')
  await expect.poll(() => film.evaluate((it: HTMLVideoElement) => it.currentTime)).toBeLessThan(1)
  // Its captions (O19).
  const words = () => film.evaluate((it: HTMLVideoElement) => [...(it.textTracks[0]?.activeCues ?? [])].map((cue) => (cue as VTTCue).text))
  expect(await words()).toEqual([])
  await page.keyboard.press('c')
  await expect.poll(words).toEqual(['Respira.'])
})

test('without a membership a video is locked and links to the shop; after the purchase it opens by itself (S2-2.67, S2-2.68, S2-4.25, S2-8.03)', async ({
  page,
  studio,
  isMobile,
}) => {
  const tere = await newCustomer(page, 'Tere', false)
  const sentence = 'no cuentas con una membresía activa para clases online'
  await enter(page, tere, LIST)
  await expect(page.getByRole('main')).toContainText(sentence)
  const priced = cards(page).first().locator('.video-price')
  await expect(priced).toHaveText(/^Desde \$[\d,]+\.00$/)
  const price = await priced.textContent()
  const buy = page.getByRole('link', { name: new RegExp(`^Comprar .+ por ${String(price).slice(6).replace(/[$.]/g, '\\$&')}$`) })
  await expect(buy).toHaveAttribute('href', /^\/checkout\/\d+$/)
  await accessible(page)
  await results(page).getByRole('link', { name: LONG }).click()
  await expect(page.getByRole('heading', { level: 1, name: LONG })).toBeVisible()
  await expect(page.getByRole('main')).toContainText(sentence)
  await expect(page.getByRole('main')).toContainText('Trae agua.')
  await expect(page.locator('iframe, video')).toHaveCount(0)
  await expect(buy).toHaveAttribute('href', /^\/checkout\/\d+$/)
  await expect(page.getByRole('button', { name: 'Ver una muestra' })).toHaveCount(0)
  await expect(page.getByRole('link', { name: 'Ver Paquetes' })).toHaveAttribute('href', '/mystudio/paquetes?ver=online')
  await accessible(page)

  // A film of the studio plays its first seconds, then the lock is back.
  await page.goto(`/mystudio/video/${studio.ids['Clip del estudio']}`)
  await page.getByRole('button', { name: 'Ver una muestra' }).click()
  await expect(page.getByLabel('Muestra del video')).toHaveAttribute('src', /\?muestra=/)
  await expect(page.getByRole('button', { name: 'Ver la muestra otra vez' })).toBeFocused()
  await accessible(page)
  await page.goBack()
  await expect(page.getByRole('heading', { level: 1, name: LONG })).toBeVisible()

  await page.getByRole('link', { name: 'Ver Paquetes' }).click()
  await expect(page.getByRole('radio', { name: 'Online' })).toBeChecked()
  await page.goBack()
  await expect(page.getByRole('main')).toContainText(sentence)
  // Bought in another window: returning to this one unlocks the video.
  const bought = await giveMembership(page, tere)
  await page.evaluate(() => dispatchEvent(new Event('visibilitychange')))
  await expect(page.getByTitle(`Video: ${LONG}`)).toBeVisible()
  await expect(page.getByRole('main')).not.toContainText(sentence)
  // Bought in this window: the thank-you page links to the videos.
  await page.goto(`/gracias/${bought}`)
  await expect(page.getByText('Ya puedes ver los videos del estudio, a la hora que quieras.')).toBeVisible()
  await page.getByRole('link', { name: 'Ver videos' }).click()
  await expect(page).toHaveURL(LIST)
  await expect(cards(page)).toHaveCount(pagesOn(isMobile).first)
  await expect(page.getByRole('main')).not.toContainText(sentence)
})

test('an unknown video says so and links back (S2-8.02)', async ({ page, studio }) => {
  await enter(page, await newCustomer(page, 'Ursula'), '/mystudio')
  for (const address of ['999999', 'abc', '0', String(studio.ids['Barre con pelota'])]) {
    await page.goto(`/mystudio/video/${address}`)
    await expect(page.getByText('Lo sentimos, no hemos encontrado este video.', { exact: true })).toBeVisible()
  }
  await accessible(page)
  await page.getByRole('link', { name: 'Ver todos los videos' }).click()
  await expect(page).toHaveURL(LIST)
})

test('the list works by keyboard (S2-2.60 to S2-2.65)', async ({ page, isMobile }) => {
  await enter(page, await newCustomer(page, 'Vera'), LIST)
  await expect(cards(page)).toHaveCount(pagesOn(isMobile).first)
  const search = page.getByRole('searchbox')
  await search.focus()
  await page.keyboard.type('vinyasa')
  await page.keyboard.press('Enter')
  await shown(page, ['Vinyasa del lunes'])
  const labels = page.getByRole('button', { name: 'Etiquetas' })
  await labels.focus()
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  const first = page.getByRole('group', { name: 'Etiquetas' }).getByRole('checkbox').first()
  await expect(first).toBeFocused()
  await page.keyboard.press('Space')
  await expect(page).toHaveURL(/etiquetas=\d+/)
  await page.keyboard.press('Escape')
  await expect(page.getByRole('group', { name: 'Etiquetas' })).toBeHidden()
  await expect(page.locator('.chip-opener')).toBeFocused()
  const remove = page.getByRole('button', { name: /^Quitar filtro/ })
  await expect(remove).toBeVisible()
  await page.keyboard.press('Tab')
  await expect(remove).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(remove).toHaveCount(0)
  await shown(page, ['Vinyasa del lunes'])
  await page.getByRole('radio', { name: 'Todos' }).focus()
  await page.keyboard.press('Tab')
  await expect(heart(page, 'Vinyasa del lunes')).toBeFocused()
  await page.keyboard.press('Space')
  await expect(heart(page, 'Vinyasa del lunes')).toHaveAttribute('aria-pressed', 'true')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('heading', { level: 1, name: 'Vinyasa del lunes' })).toBeVisible()
})

test('a list that fails to load can be retried, and the filters stay (S2-2.60)', async ({ page, isMobile }) => {
  await enter(page, await newCustomer(page, 'Wendy'), '/mystudio')
  const fail = () => page.route(/\/api\/videos(\?|$)/, (route) => route.fulfill({ status: 500, body: '' }))
  await fail()
  await page.goto(LIST)
  await expect(page.getByText('No pudimos cargar los videos.')).toBeVisible()
  await page.unroute(/\/api\/videos(\?|$)/)
  await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await expect(cards(page)).toHaveCount(pagesOn(isMobile).first)
  await fail()
  await page.getByRole('combobox', { name: 'Duración' }).selectOption('Menos de 30 min')
  await expect(results(page)).toContainText('No pudimos cargar los videos.')
  await expect(page.getByRole('combobox', { name: 'Duración' })).toHaveValue('30')
  await page.unroute(/\/api\/videos(\?|$)/)
  await page.getByRole('button', { name: 'Intentar de nuevo' }).click()
  await shown(page, ['Reformer en casa: centro, espalda…', 'Película de archivo'])
})

test('the nickname of the coach is shown at the featured video and on the page of a video (S2-3.10)', async ({ page, studio }) => {
  const [coach] = await studio.sql<{ instructor_id: number; name: string }>(
    `update instructor set nick_name = 'La Maestra' where instructor_id = (select instructor_id from video where video_id = $1) returning instructor_id, name`,
    [studio.ids[LONG]],
  )
  await studio.sql('update video set instructor_id = $1 where featured', [coach?.instructor_id])
  await studio.catalogueChanged()
  await enter(page, await newCustomer(page, 'Nidia'), LIST)
  await expect(page.getByRole('region', { name: 'Subida larga: ciclo con cadencia' })).toContainText('La Maestra')
  await page.goto(`/mystudio/video/${studio.ids[LONG]}`)
  await expect(page.getByRole('heading', { level: 1, name: LONG })).toBeVisible()
  await expect(page.getByRole('link', { name: /^La Maestra/ })).toBeVisible()
  await expect(page.getByText(coach?.name ?? 'nadie')).toHaveCount(0)
  await studio.sql('update instructor set nick_name = null where instructor_id = $1', [coach?.instructor_id])
})

test('no videos yet; and without the switch neither menu nor page (S2-2.01, S2-2.04, S2-2.10, S2-2.64)', async ({
  page,
  studio,
  isMobile,
}) => {
  await enter(page, await newCustomer(page, 'Ximena'), '/mystudio')
  await studio.sql('update video set available = false')
  await page.goto(LIST)
  await expect(page.getByText('Aún no hay videos disponibles.', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Ver el calendario' })).toHaveAttribute('href', '/mystudio')
  await accessible(page)
  await studio.sql('update video set available = true')

  const menu = async () => {
    if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
    return isMobile ? page.getByRole('dialog', { name: 'Menú' }) : page.getByRole('navigation', { name: 'Principal' })
  }
  const first = { hasText: /^(Calendario|Presenciales|Online|Reservaciones|Paquetes)$/ }
  await expect((await menu()).getByRole('link').filter(first)).toHaveText(['Calendario', 'Online', 'Reservaciones', 'Paquetes'])
  await studio.set({ videos_enabled: false, single_class_enabled: true })
  await page.goto('/mystudio')
  await expect(page.getByRole('heading', { level: 1, name: 'Presenciales' })).toBeVisible()
  await expect((await menu()).getByRole('link').filter(first)).toHaveText(['Presenciales', 'Reservaciones', 'Paquetes'])
  for (const address of [LIST, `/mystudio/video/${studio.ids[LONG]}`]) {
    await page.goto(address)
    await expect(page).toHaveURL('/mystudio')
  }
  await studio.set({ videos_enabled: true, single_class_enabled: false })
})
