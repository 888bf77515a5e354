/**
 * Páginas: texts in the editor, which the sanitiser keeps as they are, with preview, versions, questions, and changes at once (T4 to T12).
 */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const SCREEN = '/admin/contenido/paginas'

/** Everything that the editor knows, as the sanitiser writes it. */
const KNOWN = [
  '<h2>Título</h2>',
  '<h3>Subtítulo</h3>',
  '<h4>Menor</h4>',
  '<p>Uno <strong>dos</strong> <em>tres</em> <u>cuatro</u> <s>cinco</s> <code>seis</code><br>H<sub>2</sub>O, m<sup>2</sup>, <mark>marca</mark> y <small>letra chica</small>.</p>',
  '<blockquote><p>Cita &amp; eco</p></blockquote>',
  '<ul><li><p>Lista</p><ul><li><p>Dentro</p></li></ul></li></ul>',
  '<ol start="3"><li><p>Tres</p></li></ol>',
  '<p><a href="https://vaiven.example/x" title="Ver" target="_blank" rel="noopener noreferrer">Fuera</a> y <a href="/calendario">dentro</a> y <a href="mailto:a@b.mx">correo</a></p>',
  '<img src="/favicon.svg" alt="El emblema" width="40" height="40" loading="lazy">',
  '<hr>',
  '<table><tbody><tr><th colspan="2"><p>Sala</p></th></tr><tr><td><p>Uno</p></td><td><p>Dos</p></td></tr></tbody></table>',
].join('')

/** HTML in a normalised spelling. */
const oneWriting = (html: string) =>
  html.replace(
    /<(\w+)( [^>]*?)?\s*\/?>/g,
    (_, tag: string, all = '') => `<${[tag, ...[...all.matchAll(/[\w-]+="[^"]*"/g)].map(String).sort()].join(' ')}>`,
  )

test('what the sanitiser lets through the editor keeps, and the other way round; what it does not know stays code (T6)', async ({
  page,
  request,
}) => {
  const owner = await staff(request, 'owner')
  const id = randomUUID().slice(0, 6)
  const cleanOf = async (content: string) => (await owner<{ content: string }>('POST', '/admin/pages/preview', { content })).content
  expect(oneWriting(await cleanOf(KNOWN))).toBe(oneWriting(KNOWN))
  const created = await owner<{ page: { page_id: number } }>('POST', '/pages', { slug: `todo-${id}`, title: `Todo ${id}`, content: KNOWN })
  await enter(page, OWNER, `${SCREEN}/${created.page.page_id}`)
  const text = page.getByRole('textbox', { name: 'Texto', exact: true })
  await expect(text).toContainText('letra chica')
  // A typed sign makes the editor write the whole text.
  await text.getByText('Menor').click()
  await page.keyboard.press('End')
  await page.keyboard.type('!')
  await page.getByRole('button', { name: 'Código', exact: true }).click()
  const written = await page.getByLabel('Texto: código').inputValue()
  expect(oneWriting(written.replace('Menor!', 'Menor'))).toBe(oneWriting(KNOWN))
  expect(oneWriting(await cleanOf(written))).toBe(oneWriting(written))

  // Allowed, but unknown to the editor: it opens as code and saving something else changes nothing of it.
  const unknown = '<div><figure><img src="/favicon.svg" alt="x" loading="lazy"><figcaption>Pie</figcaption></figure></div><pre>  a</pre>'
  expect(oneWriting(await cleanOf(unknown))).toBe(oneWriting(unknown))
  const other = await owner<{ page: { page_id: number } }>('POST', '/pages', { slug: `codigo-${id}`, title: 'Código', content: unknown })
  await page.goto(`${SCREEN}/${other.page.page_id}`)
  await expect(page.getByLabel('Texto: código')).toHaveValue(unknown)
  for (const { page } of [created, other]) await owner('DELETE', `/pages/${page.page_id}`)
})

test('a page is written, previewed, published, compared and taken back; hostile code runs nowhere (T6, T9, T11, T12)', async ({
  page,
  request,
}) => {
  const id = randomUUID().slice(0, 6)
  const title = `Política ${id}`
  const slug = `politica-${id}`
  await enter(page, OWNER, SCREEN)
  await accessible(page)
  await page.getByRole('link', { name: 'Nueva página' }).first().click()
  await page.getByLabel('Título', { exact: true }).fill(title)
  await expect(page.getByLabel('Dirección', { exact: true })).toHaveValue(slug)
  await page.getByRole('textbox', { name: 'Texto', exact: true }).click()
  await page.keyboard.type('Cancela doce horas antes.')
  const preview = page.getByRole('region', { name: 'La página en un teléfono' })
  await expect(preview).toContainText('Cancela doce horas antes.')
  await page.getByRole('switch', { name: /En el sitio/ }).uncheck()
  await accessible(page)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page).toHaveURL(SCREEN)
  const row = page.getByRole('link', { name: new RegExp(title) })
  await expect(row).toContainText('Sin publicar')
  expect((await request.get(`/api/pages/${slug}`)).status()).toBe(404)

  await row.click()
  await page.getByRole('button', { name: 'Código', exact: true }).click()
  const code = page.getByLabel('Texto: código')
  await code.fill('<p>Cancela seis horas antes.</p><script>window.ran=1</script><img src="/nada.png" onerror="window.ran=2">')
  await expect(page.getByText(/Al mostrarla se quita: .*<script>.*onerror/)).toBeVisible()
  await page.getByRole('switch', { name: /En el sitio/ }).check()
  await page.getByRole('button', { name: 'Ver cambios' }).click()
  await expect(page.getByRole('region', { name: 'Cambios' }).locator('del')).toContainText('doce')
  await expect(page.getByRole('region', { name: 'Cambios' }).locator('ins').first()).toContainText('seis')
  await accessible(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Seguir editando' }).click()
  await page.keyboard.press('Control+s')
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByText('Versión 2', { exact: true })).toBeVisible()
  const ran = () => page.evaluate(() => Reflect.get(window, 'ran'))
  expect(await ran()).toBeUndefined()

  await page.getByRole('button', { name: 'Comparar con la versión 1' }).click()
  await page.getByRole('button', { name: 'Poner la versión 1 en el editor' }).click()
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Versión 3', { exact: true })).toBeVisible()
  await page.goto(`/${slug}`)
  await expect(page.getByRole('article')).toContainText('Cancela doce horas antes.')
  expect(await ran()).toBeUndefined()
  const owner = await staff(request, 'owner')
  const { pages } = await owner<{ pages: { page_id: number; slug: string }[] }>('GET', '/pages/admin/all')
  for (const page of pages.filter((each) => each.slug === slug)) await owner('DELETE', `/pages/${page.page_id}`)
})

test('who accepts again is counted; a colleague who was faster is named, and both versions are shown (T4, T10)', async ({
  page,
  request,
}) => {
  const owner = await staff(request, 'owner')
  const { pages } = await owner<{ pages: { page_id: number; slug: string; updatedAt: string }[] }>('GET', '/pages/admin/all')
  const terms = pages.find(({ slug }) => slug === 'terminos-y-condiciones')
  await enter(page, OWNER, `${SCREEN}/${terms?.page_id}`)
  await page.getByRole('textbox', { name: 'Texto', exact: true }).getByText('Las clases se reservan').click()
  await page.keyboard.type('Ojo: ')
  await expect(page.getByText(/^Las [\d,]+ personas tendrán que aceptarla otra vez\./)).toBeVisible()
  await expect(page.getByText('Así la acepta cada persona')).toBeVisible()
  await accessible(page)
  await page.getByRole('button', { name: 'Descartar' }).click()

  const slug = `dos-${randomUUID().slice(0, 6)}`
  const created = await owner<{ page: { page_id: number; updatedAt: string } }>('POST', '/pages', {
    slug,
    title: 'Dos',
    content: '<p>Uno</p>',
  })
  const { page_id, updatedAt } = created.page
  await page.goto(`${SCREEN}/${page_id}`)
  await page.getByRole('button', { name: 'Código', exact: true }).click()
  await page.getByLabel('Texto: código').fill('<p>Lo mío</p>')
  await owner('PUT', `/admin/pages/${page_id}`, { content: '<p>Lo suyo</p>', seo_title: 'El suyo', if_updatedAt: updatedAt })
  await page.getByRole('button', { name: 'Guardar' }).click()
  const dialog = page.getByRole('dialog', { name: 'Alguien más cambió esta página' })
  await expect(dialog).toContainText(/cambió esto hace \d+ min/)
  await expect(dialog.locator('del')).toContainText('suyo')
  await expect(dialog.locator('ins')).toContainText('mío')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Seguir editando' }).click()
  await expect(page.getByLabel('Texto: código')).toHaveValue('<p>Lo mío</p>')
  await page.getByRole('button', { name: 'Guardar' }).click()
  await dialog.getByRole('button', { name: 'Guardar la mía' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await expect(page.getByText('Versión 3', { exact: true })).toBeVisible()
  // What only the colleague changed stays.
  const saved = await owner<{ page: Record<string, unknown> }>('GET', `/admin/pages/${page_id}`)
  expect(saved.page).toMatchObject({ source: '<p>Lo mío</p>', seo_title: 'El suyo' })

  await page.getByLabel('Título', { exact: true }).fill('Tres')
  await owner('PUT', `/admin/pages/${page_id}`, { content: '<p>Otra vez lo suyo</p>', if_updatedAt: saved.page.updatedAt })
  await page.getByRole('button', { name: 'Guardar' }).click()
  await dialog.getByRole('button', { name: 'Quedarme con la suya' }).click()
  await expect(page.getByLabel('Título', { exact: true })).toHaveValue('Dos')
  await expect(page.getByRole('textbox', { name: /^Texto/ })).toContainText('Otra vez lo suyo')
  await owner('DELETE', `/pages/${page_id}`)
})

test('frequent questions are edited as pairs, ordered by keyboard, and read on the site', async ({ page, request }) => {
  const owner = await staff(request, 'owner')
  interface Stored {
    page_id: number
    slug: string
    source: string
    updatedAt: string
  }
  const read = async () =>
    (await owner<{ pages: Stored[] }>('GET', '/pages/admin/all')).pages.find(({ slug }) => slug === 'preguntas-frecuentes')
  const before = await read()
  if (!before) throw new Error('The demo has no questions.')
  await enter(page, OWNER, `${SCREEN}/${before.page_id}`)
  const list = page.getByRole('list', { name: 'Preguntas' })
  const first = await list.getByRole('listitem').first().locator('.strong').innerText()
  await page.getByRole('button', { name: 'Agregar pregunta' }).click()
  const panel = page.getByRole('dialog', { name: 'Nueva pregunta' })
  await panel.getByLabel('Pregunta', { exact: true }).fill('¿Hay <b>regaderas</b>?')
  await panel.getByRole('textbox', { name: 'Respuesta' }).click()
  await page.keyboard.type('Sí, con toallas.')
  await accessible(page)
  await panel.getByRole('button', { name: 'Listo' }).click()
  await page.getByRole('button', { name: `Bajar ${first}` }).press('Enter')
  await expect(list.getByRole('listitem').nth(1)).toContainText(first)
  await accessible(page)
  await page.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Guardado.')).toBeVisible()
  await page.goto('/preguntas-frecuentes')
  await expect(page.getByRole('heading', { name: '¿Hay <b>regaderas</b>?' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 }).nth(1)).toHaveText(first)
  const after = await read()
  await owner('PUT', `/admin/pages/${before.page_id}`, { content: before.source, if_updatedAt: after?.updatedAt })
})
