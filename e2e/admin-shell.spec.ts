/** The administration: access, the frame around every screen, and the roster of a class. */

import { accessible } from './axe.ts'
import { classOn, customer, enter, inMinutes, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }
const COACH = { email: 'renata@vaiven.example', password: 'vaiven-coach' }

test.describe('access', () => {
  test('the document of /admin contains no data, at any address, and is not indexed', async ({ page }) => {
    const documents = []
    for (const path of ['/admin/hoy', '/admin/clases/1', '/admin/clases/2']) {
      const answer = await page.request.get(path)
      expect(answer.status()).toBe(200)
      documents.push(await answer.text())
    }
    expect(documents[0]).toContain('Accediendo')
    expect(documents[0]).toMatch(/<meta name="robots" content="noindex/)
    expect(documents[1]).toBe(documents[2])
    expect(await (await page.request.get('/robots.txt')).text()).toContain('Disallow: /admin')
  })

  test('without a log-in an address of the administration redirects to /entrar and back', async ({ page }) => {
    await page.goto('/admin/hoy?estudio=1')
    await expect(page).toHaveURL(`/entrar?volver=${encodeURIComponent('/admin/hoy?estudio=1')}`)
    await page.getByLabel('Correo electrónico').fill(RECEPTION.email)
    await page.getByLabel('Contraseña', { exact: true }).fill(RECEPTION.password)
    await page.getByRole('button', { name: 'Entrar' }).click()
    await expect(page).toHaveURL('/admin/hoy?estudio=1')
    await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()

    // Installed from here it is an app of its own.
    await expect(page.locator('link[rel=manifest]')).toHaveAttribute('href', '/administracion.webmanifest')
    const manifest = await (await page.request.get('/administracion.webmanifest')).json()
    expect(manifest).toMatchObject({ short_name: 'Administración', start_url: '/admin', scope: '/admin' })
  })

  test('staff without a customer record go from /entrar to the first screen of their role: the owner to Hoy, a coach to Mis clases', async ({
    browser,
  }) => {
    for (const [person, url, title] of [
      [OWNER, '/admin/hoy', /\d de /],
      [COACH, '/admin/mis-clases', 'Mis clases'],
    ] as const) {
      const page = await (await browser.newContext()).newPage()
      await page.goto('/entrar')
      await page.getByLabel('Correo electrónico').fill(person.email)
      await page.getByLabel('Contraseña', { exact: true }).fill(person.password)
      await page.getByRole('button', { name: 'Entrar' }).click()
      await expect(page).toHaveURL(url)
      await expect(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
      await page.context().close()
    }
  })

  test('a customer who is not staff gets a message, and nothing of the administration is rendered', async ({ page, request }) => {
    const ana = await customer(request, 'Ana', 0)
    await enter(page, ana, '/admin/hoy')
    await expect(page.getByRole('alert')).toContainText('Tu cuenta no es del equipo de Vaivén.')
    await expect(page.getByRole('navigation')).toHaveCount(0)
    await accessible(page)
  })

  test('an unknown address shows a message and a link to Hoy', async ({ page }) => {
    await enter(page, RECEPTION, '/admin/no-existe/nada')
    await expect(page.getByRole('heading', { level: 1, name: 'No encontramos esta pantalla.' })).toBeVisible()
    await page.getByRole('link', { name: 'Ir a Hoy' }).click()
    await expect(page).toHaveURL('/admin/hoy')
  })
})

test('a screen without its right shows who has it instead of an editor that would be refused (§4)', async ({ page }) => {
  for (const path of ['/admin/paquetes/nuevo', '/admin/descuentos?registro=0', '/admin/ajustes/bitacora']) {
    if (path === '/admin/paquetes/nuevo') await enter(page, RECEPTION, path)
    else await page.goto(path)
    await expect(page.getByText('Esto lo puede hacer gerencia, o la dueña o el dueño del estudio.')).toBeVisible()
    await expect(page.getByRole('main').getByRole('textbox')).toHaveCount(0)
    await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  }
  await accessible(page)
  await page.getByRole('main').getByRole('link', { name: 'Ir a Hoy' }).click()
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
})

test('the frame has menu and log-out and no axe violations at every width (phone, iPad, desk)', async ({ page, isMobile }) => {
  await enter(page, OWNER, '/admin/hoy')
  await expect(page.getByRole('heading', { level: 2, name: 'Clases de hoy' })).toBeVisible()
  await accessible(page)
  if (isMobile) {
    await page.getByRole('button', { name: 'Abrir menú' }).click()
    await expect(page.getByRole('dialog', { name: 'Menú' }).getByRole('link', { name: 'Ver el sitio' })).toBeVisible()
    await accessible(page)
    return
  }
  await expect(page.getByRole('navigation', { name: 'Administración' }).getByRole('link', { name: 'Hoy' })).toHaveAttribute(
    'aria-current',
    'page',
  )
  for (const width of [820, 1440]) {
    await page.setViewportSize({ width, height: 900 })
    await accessible(page)
  }
  await page.getByRole('button', { name: /Tu cuenta/ }).click()
  await page.getByRole('menuitem', { name: 'Salir' }).click()
  await expect(page).toHaveURL('/entrar')
})

test('screens that share an entry of the menu are its tabs, and the entry stays marked on each (Z13)', async ({ page, isMobile }) => {
  await enter(page, OWNER, '/admin/productos')
  const tabs = page.getByRole('navigation', { name: 'Pantallas de Paquetes' })
  await expect(tabs.getByRole('link')).toHaveText(['Paquetes', 'Productos', 'Tarjetas de regalo'])
  await expect(tabs.getByRole('link', { name: 'Productos' })).toHaveAttribute('aria-current', 'page')
  if (isMobile) await page.getByRole('button', { name: 'Abrir menú' }).click()
  const menu = page.getByRole(isMobile ? 'dialog' : 'navigation', { name: isMobile ? 'Menú' : 'Administración' })
  await expect(menu.getByRole('link', { name: 'Paquetes', exact: true })).toHaveAttribute('aria-current', 'true')
  await expect(menu.getByRole('link', { name: 'Productos' })).toHaveCount(0)
  await accessible(page)
  if (isMobile) await page.keyboard.press('Escape')
  await tabs.getByRole('link', { name: 'Tarjetas de regalo' }).click()
  await expect(page).toHaveURL('/admin/tarjetas-regalo')
  await expect(page.getByRole('heading', { level: 1, name: 'Tarjetas de regalo' })).toBeVisible()
  await page.goto('/admin/ajustes/equipo')
  await page.getByRole('navigation', { name: 'Pantallas de Ajustes' }).getByRole('link', { name: 'Bitácora' }).click()
  await expect(page).toHaveURL('/admin/ajustes/bitacora')
})

test('one tap marks attendance, a second one removes the mark, and the server stores both', async ({ page, request }) => {
  const { day, hour } = inMinutes(60)
  const [id = 0] = await classOn(request, { day, hour, spot_map: '4,4', capacity: 8 })
  const reception = await staff(request, 'reception')
  for (const [name, spot] of [
    ['Julia', '1-2'],
    ['Marco', '2-1'],
  ] as const) {
    const { customer_id } = await customer(request, name, 3)
    await reception('POST', '/admin/class_reservations', { customer_id, single_class_id: id, spot })
  }
  const marks = async () => {
    const { class_reservations } = await reception<{ class_reservations: { name: string; attend: boolean | null }[] }>(
      'GET',
      `/admin/single_class/${id}/class_reservations`,
    )
    return Object.fromEntries(class_reservations.map(({ name, attend }) => [name, attend]))
  }
  await enter(page, RECEPTION, `/admin/clases/${id}`)
  const came = page.getByRole('button', { name: 'Julia Mar Olmos: llegó' })
  await came.click()
  await page.getByRole('button', { name: 'Marco Mar Olmos: no asistió' }).click()
  await expect(came).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText('1 de 2 llegó')).toBeVisible()
  await expect.poll(marks).toEqual({ Julia: true, Marco: false })
  await accessible(page)
  await came.click()
  await expect(came).toHaveAttribute('aria-pressed', 'false')
  await expect.poll(marks).toEqual({ Julia: null, Marco: false })
  // The view is in the address.
  await page.getByRole('radiogroup', { name: 'Vista' }).getByText('Mapa').click()
  await expect(page).toHaveURL(`/admin/clases/${id}?ver=mapa`)
  await expect(page.getByRole('button', { name: 'Fila 2, lugar 1: Marco Mar Olmos, no asistió' }).last()).toBeVisible()
  await accessible(page)
})
