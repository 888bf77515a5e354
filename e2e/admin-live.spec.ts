/** The live screens of the administration: what others change, and who else is on a screen (docs/domain.md Z9 to Z12). */
import { randomUUID } from 'node:crypto'
import { accessible } from './axe.ts'
import { customer, enter, staff } from './studio-people.ts'
import { expect, test } from './test.ts'

const OWNER = { email: 'monica@vaiven.example', password: 'vaiven-duena' }
const RECEPTION = { email: 'recepcion@vaiven.example', password: 'vaiven-recepcion' }

test('a change of a colleague is on screen by itself, and who else has the record open is named (Z10, Z12)', async ({
  page,
  request,
  browser,
}) => {
  const desk = await staff(request, 'owner')
  const { customer_id } = await customer(request, `Elba${randomUUID().slice(0, 8)}`, 0)
  const file = `/admin/clientes/${customer_id}`
  await enter(page, OWNER, file)
  await expect(page.getByRole('img', { name: /^En vivo/ })).toBeVisible()
  const note = `Llega tarde ${randomUUID().slice(0, 8)}`
  await expect(page.getByText(note)).toHaveCount(0)
  await desk('POST', `/admin/customers/${customer_id}/notes`, { text: note })
  await expect(page.getByText(note)).toBeVisible()

  const other = await (await browser.newContext()).newPage()
  await enter(other, RECEPTION, file)
  await expect(other.getByText(/también está editando\.$/)).toBeVisible()
  await expect(page.getByText(/también está editando\.$/)).toBeVisible()
  await accessible(page)
  await other.getByRole('link', { name: 'Volver a Clientes' }).click()
  await expect(page.getByText(/también está editando\.$/)).toHaveCount(0)
  await other.context().close()
})

test('a sale made elsewhere waits above the list, which does not move until it is shown', async ({ page, request }) => {
  await enter(page, OWNER, '/admin/ventas')
  await expect(page.getByRole('img', { name: /^En vivo/ })).toBeVisible()
  await expect(page.getByRole('link', { name: /^#00/ }).first()).toBeVisible()
  const { customer_id } = await customer(request, `Nuria${randomUUID().slice(0, 8)}`, 0)
  const desk = await staff(request, 'manager')
  const { locations } = await desk<{ locations: { location_id: number }[] }>('GET', '/locations')
  const { payment_methods } = await desk<{ payment_methods: { payment_method_id: number; kind: string }[] }>('GET', '/payment_methods')
  const payment_method_id = payment_methods.find(({ kind }) => kind === 'terminal')?.payment_method_id
  const title = `Toalla ${randomUUID().slice(0, 8)}`
  await desk('POST', '/admin/sales', {
    customer_id,
    location_id: locations[0]?.location_id,
    lines: [{ kind: 'other', title, amount: '50' }],
    shown: { total: '50' },
    payments: [{ payment_method_id, amount: '50' }],
  })
  const waiting = page.getByRole('button', { name: /^\d+ nuevas?$/ })
  await expect(waiting).toBeVisible()
  await expect(page.getByText(title)).toHaveCount(0)
  await accessible(page)
  await waiting.click()
  await expect(page.getByText(title).first()).toBeVisible()
  await expect(waiting).toHaveCount(0)
})

test('without the stream the dot says so, and it comes back by itself (Z11)', async ({ page }) => {
  await page.route('**/api/admin/live_ticket', (route) => route.fulfill({ status: 503, json: { code: 'BUSY', message: 'Espera' } }))
  await enter(page, OWNER, '/admin/clientes')
  await expect(page.getByRole('img', { name: /^Sin conexión en vivo/ })).toBeVisible()
  await accessible(page)
  await page.unroute('**/api/admin/live_ticket')
  await expect(page.getByRole('img', { name: /^En vivo/ })).toBeVisible()
})
