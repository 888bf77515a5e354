/** Every change of what the stored income by day is made of marks the purchases that it outdates (docs/domain.md, RI5). */
import pg from 'pg'
import { afterAll, describe, expect, test } from 'vitest'
import { expectExact, incomeStudio, NOTHING_WRONG } from '#server/testing/income-studio.ts'
import { refreshAllIncome, wrongIncome } from './income.ts'

const income = await incomeStudio()
const { s, owner } = income
afterAll(() => s.close())

/** What each class of the whole time brought in. */
async function classIncome() {
  const { rows } = await s.as(owner).reports.read({ key: 'ganancia', from: '2026-01-01', to: '2026-12-31', group_by: 'class' })
  return rows.map(({ id, cells }) => [id, cells.income])
}

describe('a change marks what it makes wrong (RI5)', () => {
  const charge = (
    condition = 'true',
  ) => `(select min(invoice_id) from invoice i where status = 'paid' and not exists (select from dispute_movement d where d.invoice_id = i.invoice_id) and ${condition}
    and not exists (select from refund r where r.invoice_id = i.invoice_id) and not exists (select from gift_card g where g.purchase_id = i.purchase_id))`
  const newCreditLot = (
    condition: string,
  ) => `(select min(available_class_id) from available_class l where "revokedAt" is null and "frozenAt" is null
    and exists (select from invoice i where i.purchase_id = l.purchase_id and i.period = l.period and i.status = 'paid') and ${condition})`
  const counted = 'not unlimited and balance > 2'
  /** A class that a customer attended with a paid credit. */
  const spent = `select r.single_class_id, r.class_reservation_id from class_reservation r join credit_movement m using (class_reservation_id)
    join available_class l on l.available_class_id = m.available_class_id where r."deletedAt" is null and m.amount < 0 and l."revokedAt" is null
    and exists (select from invoice i where i.purchase_id = l.purchase_id and i.period = l.period and i.status = 'paid')
    and not exists (select from class_reservation g where g.host_reservation_id = r.class_reservation_id)`
  /** A place of an unlimited lot that was paid. */
  const ofUnlimited = (
    condition: string,
  ) => `(select max(r.class_reservation_id) from class_reservation r join available_class l using (available_class_id)
    join single_class c using (single_class_id) where l.unlimited and c."cancelledAt" is null and ${condition}
    and exists (select from invoice i where i.purchase_id = l.purchase_id and i.period = l.period and i.status = 'paid')
    and not exists (select from class_reservation g where g.host_reservation_id = r.class_reservation_id))`
  const newClass = `insert into single_class (class_type_id, location_id, starts_at, ends_at, capacity, description)
    select class_type_id, location_id, starts_at + interval '5 days', ends_at + interval '5 days', 9, 'otra'
    from single_class where single_class_id = (select min(single_class_id) from (${spent}) c)`
  test.each<[string, ...string[]]>([
    ['another day of a charge', `update invoice set "paidAt" = "paidAt" - interval '3 days' where invoice_id = ${charge()}`],
    [
      'another tax of a charge',
      `update invoice set tax_rate = 800, net_centavos = net_centavos - 100, tax_centavos = tax_centavos + 100 where invoice_id = ${charge('net_centavos > 100')}`,
    ],
    ['a charge that never arrived', `update invoice set status = 'void', "paidAt" = null where invoice_id = ${charge()}`],
    [
      'a lost dispute',
      `insert into dispute_movement (invoice_id, amount_centavos, "createdAt")
       select invoice_id, total_centavos - refunded_centavos, "paidAt" + interval '2 days' from invoice where invoice_id = ${charge()}`,
    ],
    [
      'a dispute that was won after all',
      `insert into dispute_movement (invoice_id, amount_centavos, "createdAt")
       select invoice_id, -amount_centavos, "createdAt" + interval '1 day' from dispute_movement where amount_centavos > 0`,
    ],
    ['another period of a charge', `update invoice set period = 'otro' where invoice_id = ${charge()}`],
    [
      'a charge of another purchase',
      `update invoice set purchase_id = (select max(purchase_id) from purchase p where not exists (select from gift_card g where g.purchase_id = p.purchase_id)) where invoice_id = ${charge()}`,
    ],
    [
      'a refund',
      `insert into refund (purchase_id, invoice_id, amount_centavos, by_hand, reason, state, "doneAt", "createdAt", "updatedAt")
       select purchase_id, invoice_id, 100, true, 'prueba', 'done', "paidAt" + interval '1 day', "paidAt", "paidAt" from invoice where invoice_id = ${charge('total_centavos > 100')}`,
    ],
    [
      'another day of a refund',
      `update refund set "doneAt" = "doneAt" - interval '1 day' where refund_id = (select min(refund_id) from refund where "doneAt" is not null)`,
    ],
    [
      'a refund that came back',
      `update refund set state = 'refused', "returnedAt" = "doneAt" + interval '1 hour' where refund_id = (select max(refund_id) from refund where state = 'done')`,
    ],
    ['a refund that is gone', `delete from refund where refund_id = (select max(refund_id) from refund)`],
    [
      'a charge that was for a gift card',
      `insert into gift_card (nonce, code_hash, last_four, amount_centavos, purchase_id, "createdAt")
       select 'prueba', 'prueba', '1111', 100, purchase_id, now() from invoice where invoice_id = ${charge()}`,
    ],
    ['a gift card that is gone', `delete from gift_card where nonce = 'prueba'`],
    [
      'a later end',
      `update available_class set expires_at = expires_at + interval '9 days' where available_class_id = ${newCreditLot('expires_at is not null')}`,
    ],
    [
      'a revoked lot',
      `update available_class set "revokedAt" = "createdAt" + interval '1 day' where available_class_id = ${newCreditLot('unlimited')}`,
    ],
    [
      'a frozen lot',
      `update available_class set "frozenAt" = "createdAt" + interval '1 day' where available_class_id = ${newCreditLot('unlimited')}`,
    ],
    ['more credits', `update available_class set granted = granted + 4 where available_class_id = ${newCreditLot(counted)}`],
    [
      'a lot of no purchase',
      `update available_class set purchase_id = null, period = null where available_class_id = ${newCreditLot(counted)}`,
    ],
    [
      'a correction',
      `insert into credit_movement (available_class_id, customer_id, kind, amount, actor, "createdAt")
       select available_class_id, customer_id, 'remove', -1, 'test', '2026-10-15T10:00:00Z' from available_class where available_class_id = ${newCreditLot(counted)}`,
    ],
    [
      'another hour of a class',
      `update single_class set starts_at = starts_at + interval '30 hours', ends_at = ends_at + interval '30 hours'
       where single_class_id = (select min(single_class_id) from (${spent}) c)`,
    ],
    [
      'another class of a reservation',
      newClass,
      `update class_reservation set single_class_id = (select max(single_class_id) from single_class where description = 'otra')
       where class_reservation_id = (select min(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'a reservation that is gone',
      `delete from class_reservation where class_reservation_id = (select max(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'another package of a purchase',
      `update purchase set class_package_id = (select max(class_package_id) from class_package) where purchase_id =
       (select min(purchase_id) from invoice join purchase using (purchase_id) where invoice.status = 'paid' and not is_subscription)`,
    ],
    [
      'another place of a purchase',
      `update purchase set location_id = (select min(location_id) from location) where purchase_id = (select max(p.purchase_id) from purchase p
       join invoice i using (purchase_id) where i.status = 'paid' and p.location_id = (select max(location_id) from location))`,
    ],
    [
      'a place that was given back in time',
      `update class_reservation set "deletedAt" = now(), cancelled_by = 'customer', cancelled_late = false where class_reservation_id = (select max(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'a place that was used after all',
      `update class_reservation set cancelled_late = true where class_reservation_id = ${ofUnlimited('r."deletedAt" is not null')}`,
    ],
    [
      'a place of another lot',
      `update class_reservation set available_class_id = ${newCreditLot(counted)} where class_reservation_id = (select min(class_reservation_id) from (${spent}) c)`,
    ],
    [
      'a place of an unlimited lot that is given back',
      `update class_reservation set "deletedAt" = now(), cancelled_by = 'customer', cancelled_late = false where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')}`,
    ],
    [
      'a place of an unlimited lot that is erased',
      `delete from class_reservation where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')}`,
    ],
    [
      'another hour of a class of an unlimited lot',
      `update single_class set starts_at = starts_at + interval '1 day', ends_at = ends_at + interval '1 day' where single_class_id =
       (select single_class_id from class_reservation where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')})`,
    ],
    [
      'a class of an unlimited lot that is cancelled',
      `update single_class set "cancelledAt" = now() where single_class_id =
       (select single_class_id from class_reservation where class_reservation_id = ${ofUnlimited('r."deletedAt" is null')})`,
    ],
    [
      'the clocks of a location',
      `update location set timezone = 'Pacific/Auckland' where location_id = (select max(location_id) from location)`,
    ],
    ['a package that begins to give credits', `update class_package set class_amount = 5 where class_amount = 0`],
  ])('%s', async (_, ...statements) => {
    await refreshAllIncome(s.system())
    for (const statement of statements) await s.sql(statement)
    expect(await s.sql('select 1 from income_change limit 1')).toHaveLength(1)
    await expectExact(income)
    const classes = await classIncome()
    expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
    await refreshAllIncome(s.system())
    await expectExact(income)
    expect(await classIncome()).toEqual(classes)
    expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
  })

  test('what cannot change it marks nothing', async () => {
    await refreshAllIncome(s.system())
    await s.sql(`update purchase set note = 'Nada' where purchase_id = (select min(purchase_id) from invoice)`)
    await s.sql(`update invoice set label = 'Nada' where invoice_id = ${charge()}`)
    await s.sql(
      `update class_reservation set attend = false where class_reservation_id = (select min(class_reservation_id) from (${spent}) c)`,
    )
    await s.sql(`update class_package set title = title || ' nuevo', class_amount = 12 where class_amount = 10`)
    expect(await s.sql('select 1 from income_change limit 1')).toEqual([])
    expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
  })
})

test('a change that is committed while its purchase is derived is read from then on', async () => {
  await refreshAllIncome(s.system())
  const [row] = await s.sql<{ invoice_id: number; purchase_id: number }>(
    `select invoice_id, purchase_id from invoice i where status = 'paid' and "paidAt" between '2026-10-06' and '2026-10-24'
       and not exists (select from gift_card g where g.purchase_id = i.purchase_id) limit 1`,
  )
  expect(row).toBeDefined()
  const totals = async () => (await s.as(owner).reports.read({ key: 'reconocido', from: '2026-10-05', to: '2026-10-25' })).totals
  const before = await totals()
  const held = new pg.Client({ connectionString: s.database })
  await held.connect()
  await held.query('begin')
  await held.query(`update invoice set net_centavos = net_centavos - 100, tax_centavos = tax_centavos + 100 where invoice_id = $1`, [
    row?.invoice_id,
  ])
  await s.sql(`insert into income_change (purchase_id) values ($1)`, [row?.purchase_id])
  await refreshAllIncome(s.system())
  expect(await totals()).toEqual(before)
  await held.query('commit')
  await held.end()
  const after = await totals()
  expect(after).not.toEqual(before)
  await refreshAllIncome(s.system())
  expect(await totals()).toEqual(after)
  expect(await wrongIncome(s.system())).toEqual(NOTHING_WRONG)
})
