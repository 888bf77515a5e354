/** The page of a video (spec 2 sections 2, 4, 7 and 8): it is watched, rated, locked without a membership, or does not exist. */
import { accessible } from './axe.ts'
import { expectStatus } from './status.ts'
import { enter, staff } from './studio-people.ts'
import { expect } from './test.ts'
import { cards, giveMembership, LIST, LONG, newCustomer, pagesOn, results, shown, test, VIMEO } from './video-studio.ts'

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
  await expectStatus(page, 'Gracias por calificar este video.')
  const mine = page.getByRole('region', { name: 'Tu calificación' })
  await expect(mine.getByRole('img', { name: '4 de 5, Muy bien' })).toBeVisible()
  await expect(mine).toContainText('Dormí como piedra.')

  await inside.getByRole('button', { name: 'Completar' }).click()
  await expect(inside.getByText('Completado', { exact: true })).toBeVisible()
  await inside.getByRole('button', { name: 'Favorito: Yin para dormir mejor' }).click()
  await expectStatus(page, '¡Favorito agregado!')
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

  // It resumes where it was stopped, and comes first in the list (O18).
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
  const cueTexts = () =>
    film.evaluate((it: HTMLVideoElement) => [...(it.textTracks[0]?.activeCues ?? [])].map((cue) => (cue as VTTCue).text))
  expect(await cueTexts()).toEqual([])
  await page.keyboard.press('c')
  await expect.poll(cueTexts).toEqual(['Respira.'])
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
  const featured = page.getByRole('region', { name: /^Subida larga/ })
  await expect(featured).toContainText(String(price))
  await expect(featured.getByRole('img', { name: 'Con paquete' })).toBeVisible()
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

  // A film of the studio plays its first seconds with their captions, then the lock is back.
  const clip = studio.ids['Clip del estudio']
  const owner = await staff(page.request, 'owner')
  await owner('PUT', '/videos', { video_id: clip, captions: 'WEBVTT\n\n00:00.000 --> 00:09.000\nRespira.' })
  await page.goto(`/mystudio/video/${clip}`)
  await page.getByRole('button', { name: 'Ver una muestra' }).click()
  await expect(page.locator('video track[kind="captions"]')).toHaveCount(1)
  await expect(page.getByLabel('Muestra del video')).toHaveAttribute('src', /\?muestra=/)
  await expect(page.getByRole('button', { name: 'Ver la muestra otra vez' })).toBeFocused()
  await accessible(page)
  // So does the sample of a film at a service, whose player stays closed.
  await page.goto(`/mystudio/video/${studio.ids['Yin para dormir mejor']}`)
  await page.getByRole('button', { name: 'Ver una muestra' }).click()
  await expect(page.getByLabel('Muestra del video')).toHaveAttribute('src', /^\/archivos\/privado\/.+\?firma=/)
  await expect(page.getByRole('button', { name: 'Ver la muestra otra vez' })).toBeFocused()
  await expect(page.locator('iframe')).toHaveCount(0)
  await page.goBack()
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
