/** Horario of a studio whose changes are published at once (`schedule_drafts` off): what two people move at the same time. */
import { addDays, mondayOf } from '#contract/time.ts'
import { accessible } from './axe.ts'
import { callsOf, type SecondBrand, secondBrand } from './second-brand.ts'
import { ahead, enter } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'homero@fragua.example', password: 'fragua-dueno' }
const MANAGER = { email: 'gerencia@fragua.example', password: 'fragua-gerencia' }

// A studio of its own: the setting would change the timetable of every other test.
let own: SecondBrand
test.beforeAll(async () => {
  own = await secondBrand()
})
test.afterAll(() => own?.close())

test('a class that a colleague moved meanwhile shows both versions, and is moved over theirs (L22)', async ({ browser, isMobile }) => {
  // A phone has no keyboard; its list edits with the panel.
  if (isMobile) return
  await own.change({ schedule_drafts: false })
  const [{ class_types }, { locations }] = await Promise.all([
    own.owner<{ class_types: { class_type_id: number; name: string }[] }>('GET', '/class_types'),
    own.owner<{ locations: { location_id: number }[] }>('GET', '/locations'),
  ])
  const week = mondayOf(ahead(77))
  const day = addDays(week, 2)
  const [type, location] = [class_types[0], locations[0]]
  const { single_class_ids } = await own.owner<{ single_class_ids: number[] }>('POST', '/single_class', {
    class_type_id: type?.class_type_id,
    location_id: location?.location_id,
    instructor_ids: [],
    class_date: `${day}T22:00:00.000Z`,
    capacity: 12,
  })
  const page = await (await browser.newContext({ baseURL: own.url })).newPage()
  // Without the live stream the screen keeps the version that it loaded.
  await page.route('**/api/admin/live_ticket', (route) => route.fulfill({ status: 503, json: { code: 'BUSY', message: 'Espera' } }))
  await enter(page, OWNER, `/admin/horario?semana=${week}&dia=${day}`)
  const block = (hour: string) =>
    page
      .locator('button[data-class]')
      .filter({ hasText: type?.name ?? '' })
      .filter({ hasText: hour })
  await expect(block('22:00')).toBeVisible()
  await callsOf(own.url, MANAGER)('POST', '/admin/schedule/changes', {
    changes: [{ op: 'update', single_class_id: single_class_ids[0], fields: { class_date: `${day}T21:00:00.000Z`, capacity: 7 } }],
    as: 'publish',
  })

  await block('22:00').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Publicar el cambio' })
  await expect(dialog.getByText(/^Iván.* cambió .*21:00 mientras tú también\.$/)).toBeVisible()
  await expect(dialog.getByRole('row')).toHaveCount(2)
  await expect(dialog.getByRole('row').last()).toContainText('21:00')
  await expect(dialog.getByRole('row').last()).toContainText('22:15')
  await accessible(page)
  await dialog.getByRole('button', { name: 'Conservar mi cambio' }).click()
  await expect(dialog.getByText('Cambia 1 clase.')).toBeVisible()
  await dialog.getByRole('button', { name: 'Publicar', exact: true }).click()
  await expect(dialog).toBeHidden()
  // Their capacity stays.
  await expect(block('22:15')).toContainText('0 de 7 lugares')

  // The other answer: what they saved stays.
  await expect(block('22:15')).toBeVisible()
  await callsOf(own.url, MANAGER)('POST', '/admin/schedule/changes', {
    changes: [{ op: 'update', single_class_id: single_class_ids[0], fields: { class_date: `${day}T20:00:00.000Z` } }],
    as: 'publish',
  })
  await block('22:15').focus()
  await page.keyboard.press('Alt+ArrowDown')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Dejar como quedó' }).click()
  await expect(dialog).toBeHidden()
  await expect(block('20:00')).toBeVisible()
  await page.context().close()
})
