/**
 * The video of the landing page, coaches on the public site, and what speaks for the studio (S1-2, S1-3, R26). A studio of this file's own;
 * in order, because each test changes its settings.
 */
import { fileURLToPath } from 'node:url'
import { accessible } from './axe.ts'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

test('a coach, their biography and their classes; an unknown id redirects to the landing page (S1-2.14 to S1-2.19, S1-3.46)', async ({
  page,
}) => {
  const { instructor } = await own.owner<{ instructor: { instructor_id: number } }>('POST', '/instructors', {
    name: 'Irene',
    last_name: 'Solano',
    quote: 'Respira y otra vez.',
    short_bio: 'Remó ocho años.\nAhora enseña.',
    instagram: 'https://www.instagram.com/irene.solano/',
    birthdate: '1990-03-17',
    music_type: 'Cumbia rebajada',
  })
  await page.goto(`${own.url}/instructor/${instructor.instructor_id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Irene Solano' })).toBeVisible()
  for (const text of ['“Respira y otra vez.”', 'Remó ocho años.', 'Ahora enseña.', '17 de marzo', 'Cumbia rebajada'])
    await expect(page.getByText(text)).toBeVisible()
  expect(await page.content()).not.toContain('1990')
  await expect(page.getByRole('link', { name: '@irene.solano' })).toHaveAttribute('href', 'https://www.instagram.com/irene.solano')
  await expect(page.getByRole('heading', { level: 2, name: 'Entrena con Irene' })).toBeVisible()
  await expect(page.getByText('No hay clases programadas.')).toBeVisible()
  await page.goto(`${own.url}/coach/${instructor.instructor_id}`)
  await expect(page.getByText('Remó ocho años.')).toBeVisible()
  await expect(page.getByRole('heading', { level: 2, name: 'Entrena con Irene' })).toBeVisible()
  await expect(page.getByText('No hay clases programadas.')).toBeVisible()
  // The nickname is used wherever a coach is named (S2-3.10).
  await own.owner('PUT', '/instructors', { instructor_id: instructor.instructor_id, nick_name: 'La Irene', is_home: true })
  for (const path of [`/instructor/${instructor.instructor_id}`, `/coach/${instructor.instructor_id}`]) {
    await page.goto(own.url + path)
    await expect(page).toHaveTitle(/^La Irene Solano · /)
    await expect(page.getByRole('heading', { level: 1, name: 'La Irene Solano' })).toBeVisible()
    await expect(page.getByText('Entrena con La Irene')).toBeVisible()
    await expect(page.getByRole('img', { name: 'Retrato de La Irene Solano' })).toBeVisible()
  }
  await page.goto(own.url)
  await expect(page.locator('#coaches').getByRole('heading', { name: 'La Irene Solano' })).toBeAttached()
  for (const path of ['/coach/999999', '/coach/nadie', '/instructor/999999']) {
    await page.goto(`${own.url}${path}`)
    await expect(page).toHaveURL(`${own.url}/`)
  }
  for (const path of ['/instructor/1', '/coach/1']) {
    await page.goto(own.url + path)
    const lines = await page.getByRole('article').evaluateAll((all) => all.map((article) => article.getAttribute('aria-label') ?? ''))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toContain('con David')
    await accessible(page)
  }
  await page.goto(own.url)
  const tile = page.locator('#clases a').first()
  await expect(tile).toHaveAttribute('href', /^\/class_type\/\d+$/)
  await tile.click()
  await expect(page.getByRole('heading', { level: 2, name: 'Próximas clases' })).toBeVisible()
})

test('what speaks for the studio: its rating from twenty on, its year and its reviews (R26); classes of a coach by day', async ({
  page,
}) => {
  await own.change({ rating_public: true, opened_year: 2014, reviews_link: 'https://reseñas.example/fragua' })
  await page.goto(own.url)
  const hero = page.getByRole('region', { name: 'Aquí se templa' })
  await expect(hero.getByText(/\d\.\d de 5 en [\d,]+ calificaciones · Desde 2014/)).toBeVisible()
  await expect(hero.getByRole('link', { name: 'Lee las reseñas' })).toHaveAttribute('target', '_blank')
  // Each coach's own average, on both addresses of a coach.
  for (const path of ['/instructor/1', '/coach/1']) {
    await page.goto(own.url + path)
    await expect(page.getByText(/^\d\.\d de 5 en [\d,]+ calificaciones$/)).toBeVisible()
    await expect(page.getByRole('link', { name: 'Lee las reseñas' })).toHaveAttribute('target', '_blank')
  }
  await own.change({ rating_public: false, opened_year: null, reviews_link: '' })
  await page.goto(own.url)
  await expect(hero.getByText(/calificaciones|Desde/)).toHaveCount(0)

  await page.goto(`${own.url}/class_type/1`)
  const days = page.locator('.next-day')
  await expect(days.first().getByRole('heading', { level: 3 })).toHaveText(/^\S+ \d{1,2} de \S+$/)
  const more = page.getByRole('button', { name: 'Ver más', exact: true })
  const all = await more.isVisible()
  if (all) {
    await expect(days).toHaveCount(7)
    await more.click()
    await expect(more).toHaveCount(0)
    expect(await days.count()).toBeGreaterThan(7)
    await expect(days.nth(7).getByRole('heading')).toBeFocused()
  } else expect(await days.count()).toBeLessThanOrEqual(7)
  await accessible(page)
})

test('a hero video plays without sound over its poster, can be stopped, and rests where less motion is preferred', async ({ page }) => {
  const film = page.locator('video.hero-picture')
  const state = () => film.evaluate((it: HTMLVideoElement) => ({ isPaused: it.paused, isMuted: it.muted, hasMoved: it.currentTime > 0.2 }))
  await page.route('**/archivos/portada.webm', (route) =>
    route.fulfill({ path: fileURLToPath(new URL('../server/demo/clips/barre.webm', import.meta.url)), contentType: 'video/webm' }),
  )
  await own.change({ hero_image: '/arte/heroe-salto.svg', hero_video: '/archivos/portada.webm' })
  await page.emulateMedia({ reducedMotion: 'no-preference' })
  await page.goto(own.url)
  await expect(film).toHaveAttribute('poster', '/arte/heroe-salto.svg')
  await expect.poll(state).toEqual({ isPaused: false, isMuted: true, hasMoved: true })
  await page.getByRole('button', { name: 'Pausar video' }).click()
  await expect.poll(state).toMatchObject({ isPaused: true })
  await page.getByRole('button', { name: 'Reproducir video' }).click()
  await expect.poll(state).toMatchObject({ isPaused: false, isMuted: true })

  // Without an image of the studio the drawing is the poster; the film starts when its button is pressed.
  await own.change({ hero_image: '' })
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(own.url, { waitUntil: 'networkidle' })
  await expect(film).toHaveAttribute('poster', /^\/arte\/heroe-[\w-]+\.svg\?/)
  expect(await state()).toMatchObject({ isPaused: true, hasMoved: false })
  await page.getByRole('button', { name: 'Reproducir video' }).click()
  await expect.poll(state).toMatchObject({ isPaused: false, isMuted: true })
  await own.change({ hero_video: '' })
})
