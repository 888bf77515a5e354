/** Notes of the staff on purchases (docs/domain.md V57). */
import { randomUUID } from 'node:crypto'
import { afterAll, expect, test } from 'vitest'
import { openCheckoutStudio } from '#server/testing/checkout-fixture.ts'
import { codeOf } from '#server/testing/studio.ts'

const { s, attempt } = await openCheckoutStudio()
const owner = await s.make.staff('owner')
const { location_id } = await s.make.location()
const other = await s.make.location()
afterAll(() => s.close())

const note = (purchase_id: number, text: string | null, person = owner) => s.as(person).studioSales.note({ purchase_id, note: text })
const shown = async (purchase_id: number) => (await s.as(owner).studioSales.purchase({ purchase_id })).note

test('a purchase gets a note, with every change in the audit trail; empty removes it, and the customer does not see it', async () => {
  const ana = await s.make.customer()
  const { purchase_id } = await attempt(ana, (await s.make.package()).class_package_id, 'tok_ok')
  expect(await shown(purchase_id)).toBeNull()
  expect(await note(purchase_id, '  Pidió factura \n el lunes ')).toEqual({ note: expect.stringContaining('Pidió factura') })
  await note(purchase_id, 'Ya se le dio')
  await note(purchase_id, 'Ya se le dio')
  expect(await shown(purchase_id)).toBe('Ya se le dio')
  await note(purchase_id, '  ')
  expect(await shown(purchase_id)).toBeNull()
  const trail = await s.sql<{ before: { note: string | null }; after: { note: string | null } }>(
    `select before, after from audit where action = 'purchase.note' and entity_id = $1 order by audit_id`,
    [String(purchase_id)],
  )
  expect(trail.map(({ before, after }) => [before.note === null, after.note])).toEqual([
    [true, expect.stringContaining('Pidió factura')],
    [false, 'Ya se le dio'],
    [false, null],
  ])
  expect(JSON.stringify(await s.as(ana).sales.one({ id: purchase_id }))).not.toContain('note')
})

test('what was sold at the counter has the note of its sale, and who works elsewhere changes none', async () => {
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 10_000 })
  const { sale } = await s.as(owner, randomUUID()).counterSales.sell({
    customer_id: ana.customer_id,
    location_id,
    lines: [{ kind: 'package', class_package_id, quantity: 2 }],
    shown: { total: '200' },
    payments: [{ payment_method_id: 2, amount: '200' }],
    note: 'Paga su hermana',
  })
  const [first, second] = sale.lines.map((item) => item.purchase_id ?? 0)
  expect(await shown(first ?? 0)).toBe('Paga su hermana')
  await note(second ?? 0, 'Pagó su hermana')
  expect(await shown(first ?? 0)).toBe('Pagó su hermana')
  expect((await s.as(owner).counterSales.one({ sale_id: sale.sale_id ?? 0 })).sale.note).toBe('Pagó su hermana')
  const away = await s.make.staff('reception')
  await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [away.uid, other.location_id])
  expect(await codeOf(note(first ?? 0, 'Ajena', away))).toBe('PURCHASE_NOT_FOUND')
})
