/** Avisos: written in the editor or as code; the sanitiser keeps what the editor writes, and hostile code runs nowhere (T5 to T7). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const SCREEN = '/admin/contenido/avisos'

interface Stored {
  announcement_id: number
  title: string
  source: string
  content: string
}

test('what the editor writes passes the sanitiser unchanged; it is saved, shown and removed (T6)', async ({ page, request }) => {
  const title = `Nuevo estudio ${randomUUID().slice(0, 6)}`
  const refused: string[] = []
  page.on('console', (message) => /Content Security Policy/.test(message.text()) && refused.push(message.text()))
  await enter(page, OWNER, SCREEN)
  await page.getByRole('button', { name: 'Nuevo aviso' }).click()
  const panel = page.getByRole('dialog', { name: 'Nuevo aviso' })
  await panel.getByLabel('Título').fill(title)
  const text = panel.getByRole('textbox', { name: 'Texto del aviso' })
  const tool = (name: string) => panel.getByRole('button', { name, exact: true })
  // A button of the toolbar gives the focus back to the text in the next frame; keys pressed before are lost.
  const useTool = async (name: string) => {
    await tool(name).click()
    await expect(text).toBeFocused()
  }
  await text.click()
  await panel.getByLabel('Estilo').selectOption('2')
  await expect(text).toBeFocused()
  await page.keyboard.type('Abrimos en Coyoacán & Roma')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Control+b')
  await page.keyboard.type('Con')
  await page.keyboard.press('Control+b')
  await page.keyboard.type(' dos salas ')
  await page.keyboard.press('Control+k')
  await panel.getByLabel('Dirección del enlace').fill('javascript:alert(1)')
  await tool('Poner enlace').click()
  await expect(panel.getByText('Escribe una dirección completa')).toBeVisible()
  await panel.getByLabel('Dirección del enlace').fill('https://vaiven.example/mapa')
  await useTool('Poner enlace')
  await page.keyboard.press('Enter')
  await useTool('Lista')
  await page.keyboard.type('Barra')
  await page.keyboard.press('Enter')
  await page.keyboard.type('Yoga')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Enter')
  await tool('Imagen').click()
  await panel.getByLabel('Dirección de la imagen').fill('/favicon.svg')
  await panel.getByLabel('Qué se ve en ella').fill('El emblema')
  await useTool('Poner imagen')
  await page.keyboard.press('ArrowRight')
  await useTool('Tabla')
  await page.keyboard.type('Sala')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Cupo')
  await accessible(page)
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Announcement saved.')).toBeVisible()
  await accessible(page)

  const owner = await staff(request, 'owner')
  const { announcements } = await owner<{ announcements: Stored[] }>('GET', '/announcements/admin/all')
  const stored = announcements.find((announcement) => announcement.title === title)
  if (!stored) throw new Error('The announcement was not stored.')
  expect(stored.source).toMatch(/<h2>.*<strong>Con<\/strong>.*<a href="https.*<ul>.*<img.*<table>.*<th>/s)
  // Both as the browser reads them: the two writers close empty elements differently.
  const [written, clean] = await page.evaluate(
    (texts) => texts.map((html) => new DOMParser().parseFromString(html, 'text/html').body.innerHTML),
    [stored.source, stored.content],
  )
  const sorted = (html = '') =>
    html.replace(
      /<(\w+) ([^>]*)>/g,
      (_, tag, all: string) =>
        `<${tag} ${all
          .match(/\w+="[^"]*"/g)
          ?.sort()
          .join(' ')}>`,
    )
  expect(sorted(clean)).toBe(sorted(written))
  expect(refused).toEqual([])

  // Opening it again shows the same text, not code.
  await page.getByRole('button', { name: new RegExp(title) }).click()
  const again = page.getByRole('dialog', { name: 'Aviso', exact: true })
  await expect(again.getByRole('textbox', { name: 'Texto del aviso' })).toContainText('dos salas')
  await expect(again.getByRole('button', { name: 'Guardar' })).toHaveAttribute('aria-disabled', 'true')
  await again.getByRole('button', { name: 'Eliminar' }).click()
  await page.getByRole('button', { name: 'Sí, eliminar' }).click()
  await expect(page.getByText('Announcement deleted.')).toBeVisible()
  await expect(page.getByRole('button', { name: new RegExp(title) })).toHaveCount(0)
})

test('hostile code runs neither in the administration nor on the public page, and opens as code (T6, T7)', async ({ page, request }) => {
  const title = `Código ${randomUUID().slice(0, 6)}`
  const hostile =
    '<p>Hola</p><script>window.ran=1</script><img src="/nada.png" onerror="window.ran=2"><svg onload="window.ran=3"></svg><a href="javascript:window.ran=4">aquí</a><div style="color:red">rojo</div>'
  await enter(page, OWNER, SCREEN)
  await page.getByRole('button', { name: 'Nuevo aviso' }).click()
  const panel = page.getByRole('dialog', { name: 'Nuevo aviso' })
  await panel.getByLabel('Título').fill(title)
  await panel.getByRole('button', { name: 'Código', exact: true }).click()
  await panel.getByLabel('Texto del aviso: código').fill(hostile)
  await accessible(page)
  await panel.getByRole('button', { name: 'Guardar' }).click()
  await expect(page.getByText('Announcement saved.')).toBeVisible()
  const ran = () => page.evaluate(() => Reflect.get(window, 'ran'))
  await page.getByRole('button', { name: new RegExp(title) }).click()
  const again = page.getByRole('dialog', { name: 'Aviso', exact: true })
  await expect(again.getByLabel('Texto del aviso: código')).toHaveValue(hostile)
  await again.getByRole('button', { name: 'Volver al texto' }).click()
  await page.getByRole('button', { name: 'Cambiar y quitarlo' }).click()
  const text = again.getByRole('textbox', { name: 'Texto del aviso' })
  await expect(text).toContainText('rojo')
  expect(await text.innerHTML()).not.toMatch(/script|onerror|onload|style=|<svg/)
  expect(await ran()).toBeUndefined()

  await page.goto('/avisos')
  const shown = page.getByRole('article').filter({ hasText: title })
  await expect(shown).toContainText('Hola')
  expect(await shown.innerHTML()).not.toMatch(/<script|onerror|onload|javascript:|style=|<svg/)
  expect(await ran()).toBeUndefined()
  const owner = await staff(request, 'owner')
  const { announcements } = await owner<{ announcements: Stored[] }>('GET', '/announcements/admin/all')
  for (const announcement of announcements.filter((each) => each.title === title))
    await owner('DELETE', `/announcements/${announcement.announcement_id}`)
})
