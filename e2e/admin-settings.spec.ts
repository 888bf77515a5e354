/** Ajustes: found, changed, explained, taken back, and saved by two people at once. */
import type { Browser, Page } from '@playwright/test'
import { accessible } from './axe.ts'
import { type SecondBrand, secondBrand } from './second-brand.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

test.describe.configure({ mode: 'serial' })

const OWNER = { email: 'homero@fragua.example', password: 'fragua-dueno' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

// A studio of its own: other files change the settings of the shared one.
let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

/** The settings screen, logged in as the owner. */
async function settingsPage(browser: Browser, path: string): Promise<Page> {
  const context = await browser.newContext({ baseURL: own.url })
  const page = await context.newPage()
  await enter(page, OWNER, path)
  return page
}

test('a setting is found, says what its rule means, is refused in its field, saved, and put back from its history (G1, G7, G8)', async ({
  browser,
}) => {
  await own.change({ courtesy_days: 7, reservation_opens_days: 0 })
  const page = await settingsPage(browser, '/admin/ajustes/marca')
  await expect(page.getByRole('heading', { level: 1, name: 'Marca' })).toBeVisible()
  await accessible(page)

  // The palette finds single settings and goes to their field.
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox', { name: 'Buscar clientes' }).fill('vigencia cortesías')
  await page.getByRole('option', { name: /Vigencia de cortesías/ }).click()
  await expect(page).toHaveURL('/admin/ajustes/reservas?ajuste=courtesy_days')
  const days = page.getByRole('textbox', { name: 'Vigencia de cortesías' })
  await expect(days).toBeFocused()

  const rule = page.getByRole('region', { name: 'Cuándo se reserva' }).getByRole('status')
  await expect(rule).toContainText('se puede reservar desde que se publica')
  await page.getByRole('textbox', { name: 'Apertura' }).fill('3')
  await expect(rule).toContainText('se puede reservar desde 3 días antes, a la misma hora,')
  await page.getByRole('textbox', { name: 'Apertura' }).fill('0')

  await days.fill('100')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Escribe un número entero de 1 a 90.')).toBeVisible()
  await accessible(page)
  await days.fill('9')
  // The draft stays over the areas; leaving them opens a confirmation.
  await page.getByRole('navigation', { name: 'Áreas de los ajustes' }).getByRole('link', { name: 'Mensajes' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mensajes' })).toBeVisible()
  await expect(page.getByRole('checkbox', { name: 'Recordatorio de clase por WhatsApp' })).toBeVisible()
  await expect(page.getByText('1 cambio sin guardar')).toBeVisible()
  await page.keyboard.press('Control+k')
  await page.getByRole('option', { name: 'Hoy' }).first().click()
  await page.getByRole('button', { name: 'Seguir aquí' }).click()
  await expect(page.getByRole('dialog')).toHaveCount(0)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByText('1 cambio sin guardar')).toHaveCount(0)

  const search = page.getByRole('searchbox', { name: 'Buscar en todos los ajustes' })
  await search.fill('cortesías')
  await expect(days).toHaveValue('9')
  await page.getByRole('button', { name: 'Historial de Vigencia de cortesías' }).click()
  const history = page.getByRole('dialog', { name: 'Historial de Vigencia de cortesías' })
  await expect(history.getByRole('listitem').first()).toContainText('De 7 días a 9 días')
  await accessible(page)
  await history.getByRole('button', { name: 'Volver a 7 días' }).first().click()
  await expect(days).toHaveValue('7')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('1 cambio sin guardar')).toHaveCount(0)
  await search.fill('nada que se llame así')
  await expect(page.getByText('Nada coincide con tu búsqueda.')).toBeVisible()
  await page.getByRole('button', { name: 'Limpiar la búsqueda' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Mensajes' })).toBeVisible()
})

test('two people change the same setting: the second sees both versions and chooses; what can do harm asks for the name of the studio (G7)', async ({
  browser,
}) => {
  await own.change({ business_legal_name: 'Antes', business_rfc: '' })
  const page = await settingsPage(browser, '/admin/ajustes/pagos')
  const processors = page.getByRole('region', { name: 'Procesadores' })
  await expect(processors.getByText('El procesador de prueba está activo: los pagos del sitio no mueven dinero de verdad.')).toBeVisible()
  await expect(processors.getByRole('listitem').filter({ hasText: 'Stripe' })).toContainText('Falta: Llave secreta')
  const name = page.getByRole('textbox', { name: 'Razón social' })
  await expect(name).toHaveValue('Antes')
  await name.fill('Mía')
  await expect(page.getByRole('img', { name: /^En vivo/ })).toBeVisible()
  await own.change({ business_legal_name: 'Ajena', business_rfc: 'ABC010203XY9' })
  // What others change is there without a reload; what is being edited stays as it was typed.
  await expect(page.getByRole('textbox', { name: 'RFC' })).toHaveValue('ABC010203XY9')
  await expect(name).toHaveValue('Mía')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const conflict = page.getByRole('dialog', { name: 'Alguien más cambió esto' })
  await expect(conflict.getByRole('radio', { name: /Ajena.*La de/ })).toBeChecked()
  await accessible(page)
  await conflict.getByText('Mía').click()
  await conflict.getByRole('button', { name: 'Guardar lo elegido' }).click()
  await expect(conflict).toBeHidden()
  await expect(page.getByText('1 cambio sin guardar')).toHaveCount(0)
  await expect(name).toHaveValue('Mía')

  await page.getByRole('switch', { name: 'Cerrar las compras' }).click()
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  const danger = page.getByRole('dialog', { name: 'Confirma el cambio' })
  await expect(danger).toContainText('Nadie puede comprar en el sitio mientras esté activo.')
  await danger.getByRole('button', { name: 'Sí, guardar' }).click()
  await expect(danger.getByText('Escribe el nombre del estudio tal como está.')).toBeVisible()
  await accessible(page)
  await danger.getByRole('button', { name: 'No guardar' }).click()
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(page.getByRole('switch', { name: 'Cerrar las compras' })).not.toBeChecked()
})

test('the brand: a look to begin with, the tone that is used where a colour cannot be read, samples of letters and shapes (S1-3.02, S1-3.03)', async ({
  browser,
}) => {
  const page = await settingsPage(browser, '/admin/ajustes/marca')
  await page.getByRole('button', { name: 'Índigo y ámbar' }).click()
  await expect(page.getByText('9 cambios sin guardar')).toBeVisible()
  await expect(page.getByText('Color de acento no se lee como texto sobre tus fondos (1.6 a 1).')).toContainText('#8C6100')
  await expect(page.getByRole('radio', { name: 'Ancha Serena y amplia' })).toBeChecked()
  await expect(page.getByText('Lora y Figtree', { exact: true })).toHaveCSS('font-family', /Muestra lora/)
  await accessible(page)
  const main = page.getByRole('textbox', { name: 'Color principal', exact: true })
  await main.fill('azul')
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('Un color se escribe como #2B36D9.')).toBeVisible()
  await main.fill('0e6e78')
  await page.getByRole('radio', { name: 'Recta', exact: true }).check({ force: true })
  await page.getByRole('button', { name: 'Guardar', exact: true }).click()
  await expect(page.getByText('cambios sin guardar')).toHaveCount(0)
  await expect(main).toHaveValue('#0E6E78')
  const site = await page.context().newPage()
  await site.goto('/')
  await expect(site.locator('html')).toHaveCSS('--brand', '#0E6E78')
})

test('the real pages are shown with unsaved values in a frame without actions, in this browser only (G10)', async ({
  browser,
  isMobile,
}) => {
  await own.change({
    hero_title: 'Como estaba',
    hero_enabled: true,
    hero_order: 1,
    about_order: 2,
    mission_order: 3,
    class_types_order: 4,
    coaches_order: 5,
    packages_order: 6,
    announcements_order: 7,
    schedule_order: 8,
    location_order: 9,
  })
  const page = await settingsPage(browser, '/admin/ajustes/portada')
  // Sections are moved with the keyboard; the focus stays with the section.
  const sections = page.getByRole('region', { name: 'Secciones' })
  await sections.getByRole('button', { name: 'Subir Misión' }).press('Enter')
  await expect(sections.getByRole('listitem').nth(1)).toContainText('Misión')
  await expect(sections.getByRole('button', { name: 'Subir Misión' })).toBeFocused()
  await expect(page.getByText('2 cambios sin guardar')).toBeVisible()
  await sections.getByRole('button', { name: 'Bajar Misión' }).press('Enter')
  await expect(page.getByText('2 cambios sin guardar')).toHaveCount(0)
  const title = page.getByRole('textbox', { name: 'Título de la bienvenida' })
  await title.fill('Lo que nadie ve todavía')
  if (isMobile) await page.getByRole('button', { name: 'Ver cómo queda' }).click()
  const pane = page.getByRole('region', { name: 'Vista previa' })
  const shown = pane.frameLocator('iframe')
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Lo que nadie ve todavía')
  await expect(pane.locator('iframe')).toHaveAttribute('title', 'Vista previa: Portada')
  await accessible(page)
  const frame = page.frames().find((frame) => frame.url().includes('vista_previa='))
  const address = frame?.url() ?? ''
  // A click leads to the setting of what is clicked, the list below the page too.
  const again = async () => {
    await expect(title).toBeFocused()
    await page.getByRole('heading', { level: 1 }).first().click()
    if (isMobile) await page.getByRole('button', { name: 'Ver cómo queda' }).click()
  }
  await shown.getByRole('heading', { level: 1 }).click()
  await again()
  await pane.getByLabel('Ajustes que se ven en esta página').selectOption({ label: 'Título de la bienvenida' })
  await again()
  // Links of the page lead nowhere.
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Lo que nadie ve todavía')
  await shown.locator('main a').first().dispatchEvent('click')
  if (isMobile) await page.getByRole('button', { name: 'Ver cómo queda' }).click()
  await expect(shown.getByRole('heading', { level: 1 })).toHaveText('Lo que nadie ve todavía')
  expect(page.frames().some((frame) => frame.url() === address)).toBe(true)
  const preview = await page.context().request.get(address)
  expect(preview.headers()).toMatchObject({ 'cache-control': 'no-store', 'x-robots-tag': 'noindex, nofollow' })
  expect(preview.headers()['content-security-policy']).toContain('sandbox allow-same-origin')
  const visitor = await (await browser.newContext({ baseURL: own.url })).newPage()
  await visitor.goto('/')
  await expect(visitor.getByRole('heading', { level: 1 })).toHaveText('Como estaba')
  await pane.getByRole('radio', { name: 'Entrar' }).check({ force: true })
  await expect(shown.getByRole('button', { name: 'Entrar' })).toBeVisible()
  // The checkout of a package, and a mail, both with what is not saved.
  await pane.getByRole('radio', { name: 'Checkout' }).check({ force: true })
  await expect(shown.getByRole('heading', { level: 1, name: 'Checkout' })).toBeVisible()
  await expect(shown.getByRole('heading', { name: 'Entra para comprar' })).toBeVisible()
  await pane.getByRole('radio', { name: 'Correo' }).check({ force: true })
  await expect(shown.getByRole('heading', { level: 1, name: 'Tu lugar está reservado' })).toBeVisible()
  await accessible(page)
  await pane.getByRole('radio', { name: 'Computadora' }).check({ force: true })
  await expect(shown.getByRole('heading', { level: 1, name: 'Tu lugar está reservado' })).toBeVisible()
})

test('a text of the landing page is written with formats by keyboard, shown as written, and put back to what it was in the beginning', async ({
  browser,
}) => {
  await own.change({ about_text: '<p>Como estaba</p>', about_title: 'Nosotros', about_enabled: true })
  const page = await settingsPage(browser, '/admin/ajustes/portada?ajuste=about_text')
  const text = page.getByRole('textbox', { name: 'Texto de "Nosotros"', exact: true })
  await expect(text).toContainText('Como estaba')
  await text.focus()
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Dicho con fuerza')
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+b')
  await expect(text.locator('strong')).toHaveText('Dicho con fuerza')
  await expect(page.getByText('1 cambio sin guardar')).toBeVisible()
  await accessible(page)
  await page.keyboard.press('Control+s')
  await expect(page.getByText('1 cambio sin guardar')).toHaveCount(0)
  const site = await page.context().newPage()
  await site.goto('/')
  await expect(site.locator('#nosotros strong')).toHaveText('Dicho con fuerza')
  await site.close()
  await page.getByRole('button', { name: 'Restaurar Texto de "Nosotros"' }).click()
  await expect(text).toHaveText('')
  await page.getByRole('button', { name: 'Descartar' }).click()
  await expect(text).toContainText('Dicho con fuerza')
})

test('who may not change the settings reads who may', async ({ page }) => {
  await enter(page, RECEPTION, '/admin/ajustes/pagos')
  await expect(page.getByText('Esto lo puede hacer la dueña o el dueño del estudio.')).toBeVisible()
  await accessible(page)
})
