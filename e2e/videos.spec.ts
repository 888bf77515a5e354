/** The list of online videos (spec 2 sections 2, 4, 8 and 9), in a studio of its own with videos switched on. */
import { accessible } from './axe.ts'
import { expectStatus } from './status.ts'
import { enter } from './studio-people.ts'
import { expect } from './test.ts'
import { cards, heart, LIST, LONG, newCustomer, pagesOn, results, shown, test } from './video-studio.ts'

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
  await expectStatus(page, '¡Favorito agregado!')
  await heart(page, 'Película de archivo').click()
  await expect(heart(page, 'Película de archivo')).toHaveAttribute('aria-pressed', 'true')
  await page.getByRole('radio', { name: 'Favoritos' }).click()
  await expect(page).toHaveURL(`${LIST}?ver=favoritos`)
  await shown(page, ['Vinyasa del lunes', 'Película de archivo'])
  await accessible(page)
  await page.reload()
  await heart(page, 'Película de archivo').click()
  await expectStatus(page, '¡Favorito eliminado!')
  await shown(page, ['Vinyasa del lunes'])
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

test('a studio without videos says so; without the switch there is neither menu nor page (S2-2.01, S2-2.04, S2-2.10, S2-2.64)', async ({
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
