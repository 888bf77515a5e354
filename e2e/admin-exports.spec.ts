/** Exportar: the whole studio as an archive, with its progress (IM12). */
import { accessible } from './axe.ts'
import { enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }

test('the owner exports the studio and downloads it', async ({ page }) => {
  await enter(page, OWNER, '/admin/ajustes/importar')
  await page.getByRole('link', { name: 'Exportar todo' }).click()
  await expect(page.getByRole('heading', { name: 'Exportar', exact: true })).toBeVisible()
  await accessible(page)
  await page.getByRole('checkbox', { name: 'Con fotos y documentos' }).uncheck()
  await page.getByRole('button', { name: 'Exportar todo' }).click()
  // The newest is first; another project of the same studio may have made one before.
  const first = page.getByRole('list', { name: 'Exportaciones' }).getByRole('listitem').first()
  const download = first.getByRole('button', { name: 'Descargar' })
  await expect(download).toBeVisible({ timeout: 60_000 })
  await accessible(page)
  const saved = page.waitForEvent('download')
  await download.click()
  expect((await saved).suggestedFilename()).toMatch(/^estudio-\d{4}-\d{2}-\d{2}\.zip$/)
})
