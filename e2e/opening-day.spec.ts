/**
 * A studio on its opening day, without classes, packages, people or texts: every page has a text for it, and the first class and package
 * appear on them at once (S1-2.11, S1-2.86, S1-2.88, S2-2.34, S2-2.44). A studio of this file's own without demo: in order.
 */
import type { Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { type OwnStudio, ownStudio } from './own-studio.ts'
import { type ApiCall, callsOf } from './second-brand.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

let own: OwnStudio
test.beforeAll(async () => {
  own = await ownStudio({ DEMO: 'off', REQUESTS_PER_MINUTE: '0' })
})
test.afterAll(() => own?.close())

const OWNER = { email: 'alma@faro.example', password: 'olas-y-montes-7' }

/** Who opens the printed link takes charge of the studio, and skips the first steps. */
async function takeCharge(page: Page): Promise<ApiCall> {
  await page.goto(`${own.url}/cuenta/nuevo-estudio/${await own.sign('primera-persona', String(Date.now() + 3_600_000))}`)
  await page.getByLabel('Tu nombre').fill('Alma Soto')
  await page.getByLabel('Correo electrónico').fill(OWNER.email)
  await page.keyboard.press('Enter')
  await page.getByLabel('Contraseña nueva', { exact: true }).fill(OWNER.password)
  await page.getByLabel('Confirma tu contraseña').fill(OWNER.password)
  await page.keyboard.press('Enter')
  await expect(page.getByRole('link', { name: 'Entrar', exact: true }).last()).toBeVisible()
  return callsOf(own.url, OWNER)
}

/** Opens a page, which must be whole: one title, no sideways scrolling, no violation of axe. */
async function open(page: Page, path: string, h1: string | RegExp) {
  await page.goto(`${own.url}${path}`)
  await expect(page.getByRole('heading', { level: 1, name: h1 })).toBeVisible()
  await expect(page.locator('h1')).toHaveCount(1)
  expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBeLessThanOrEqual(0)
  await accessible(page)
}

test('visitors read what is not there yet, and no link leads nowhere', async ({ page }) => {
  await open(page, '/', 'Estudio')
  const main = page.getByRole('main')
  await expect(main.getByText('No hay clases programadas.')).toBeVisible()
  for (const id of ['clases', 'coaches', 'paquetes', 'avisos', 'ubicacion', 'nosotros', 'mision'])
    await expect(page.locator(`main #${id}`)).toHaveCount(0)
  // The platform's maker has no address in the settings: its name is no link.
  const powered = page.getByRole('contentinfo').getByText('Powered by')
  await expect(powered).toHaveText('Powered by Estudio')
  await expect(powered.getByRole('link')).toHaveCount(0)
  const links = await page.locator('a[href^="/"]').evaluateAll((all) => [...new Set(all.map((link) => link.getAttribute('href') ?? ''))])
  expect(links).toContain('/calendario')
  for (const href of links) {
    const [path = '', anchor] = href.split('#')
    const answer = await page.request.get(`${own.url}${path}`)
    expect([href, answer.status()]).toEqual([href, 200])
    if (anchor) expect([href, await answer.text()]).toEqual([href, expect.stringContaining(`id="${anchor}"`)])
  }

  await open(page, '/calendario', 'Horarios')
  await expect(page.getByText('No hay clases programadas.').first()).toBeVisible()
  await open(page, '/paquetes', 'Paquetes')
  await expect(page.getByText('No hay paquetes disponibles.')).toBeVisible()
  await page.getByRole('main').getByRole('link', { name: 'Ver horarios' }).click()
  await expect(page).toHaveURL(/\/calendario$/)
  await open(page, '/avisos', 'Avisos')
  await expect(page.getByText('No hay avisos por mostrar.')).toBeVisible()
  await open(page, '/ubicacion', 'Ubicación')
  await expect(page.getByText('Sin contenido.')).toBeVisible()
  await open(page, '/preguntas-frecuentes', 'Preguntas Frecuentes')
  await expect(page.getByText('Sin contenido.')).toBeVisible()
})

test('the first customer signs up without documents, and every screen of the account says what it is for', async ({ page }) => {
  await open(page, '/registro', 'Regístrate')
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  const email = `julia.${Date.now()}@correo.example`
  for (const [label, text] of [
    ['Nombre', 'Julia'],
    ['Apellidos', 'Ríos Peña'],
    ['Correo electrónico', email],
    ['Teléfono', `33${String(Date.now()).slice(-8)}`],
    ['Contraseña', OWNER.password],
    ['Confirma tu contraseña', OWNER.password],
  ] as const)
    await page.getByLabel(label, { exact: true }).fill(text)
  await page.getByRole('button', { name: 'Crear mi cuenta' }).click()
  await expect(page).toHaveURL(/\/mystudio/)
  await open(page, '/mystudio', 'Calendario')
  await expect(page.getByText('No hay clases programadas.').first()).toBeVisible()
  for (const [path, h1, empty] of [
    ['/mystudio/reservaciones', 'Mis Reservaciones', 'Aún no has reservado clases.'],
    ['/mystudio/paquetes', 'Paquetes', 'No hay paquetes disponibles.'],
    ['/mystudio/membresias', 'Mis Compras', 'No has hecho ninguna compra.'],
  ] as const) {
    await open(page, path, h1)
    await expect(page.getByText(empty)).toBeVisible()
  }
})

test('the first class and the first package are on every page as soon as they are saved', async ({ page }) => {
  const owner = await takeCharge(page)
  const { location } = await owner<{ location: { location_id: number } }>('POST', '/locations', { name: 'Puerto', address: 'Malecón 12' })
  const { class_type } = await owner<{ class_type: { class_type_id: number } }>('POST', '/class_types', { name: 'Marea Alta' })
  const { instructor } = await owner<{ instructor: { instructor_id: number } }>('POST', '/instructors', { name: 'Alma', last_name: 'Soto' })
  const { today } = await owner<{ today: string }>('GET', '/single_class')
  const tomorrow = new Date(Date.parse(`${today}T12:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
  await owner('POST', '/single_class', {
    class_type_id: class_type.class_type_id,
    location_id: location.location_id,
    instructor_ids: [instructor.instructor_id],
    class_date: `${tomorrow}T18:00:00.000Z`,
    capacity: 10,
  })
  await owner('POST', '/class_packages', { title: 'Primeras olas', price: '480', class_amount: 4, expiration_days: 30, is_home: true })

  await open(page, '/', 'Estudio')
  const main = page.getByRole('main')
  await expect(main.getByRole('link', { name: /Marea Alta/ }).first()).toBeVisible()
  await expect(page.locator('main #paquetes').getByRole('link', { name: 'Comprar: Primeras olas' })).toBeVisible()
  await expect(page.locator('main #coaches')).toContainText('Alma')
  await expect(page.locator('main #clases')).toContainText('Marea Alta')
  await open(page, '/paquetes', 'Paquetes')
  await expect(page.getByRole('link', { name: 'Comprar: Primeras olas' })).toBeVisible()
  await expect(page.getByText('No hay paquetes disponibles.')).toHaveCount(0)
  await open(page, `/calendario?dia=${tomorrow}`, 'Horarios')
  await expect(
    page
      .getByRole('button', { name: /^Reservar Marea Alta con Alma/ })
      .locator('visible=true')
      .first(),
  ).toBeVisible()
  await open(page, '/ubicacion', 'Ubicación')
  await expect(main.getByText('Malecón 12')).toBeVisible()
})
