/** Lists of the administration as files: rows, rights, locations and the audit trail (docs/domain.md LA1 to LA3). */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Person, refusalOf, START, studio, type TestStudio } from '#server/testing/studio.ts'
import { exportList, rowsByIds, rowsByPage } from './list-export.ts'

let s: TestStudio
let owner: Person
let desk: Person
/** May see rosters and sales, but no customers. */
let till: Person
const people: Record<string, number> = {}
const at = { here: 0, there: 0 }
const reservations = { here: 0, there: 0 }
beforeAll(async () => {
  s = await studio({ settings: { drop_in_price: '220.00', cash_checkout_enabled: true } })
  owner = await s.make.staff('owner')
  desk = await s.make.staff('reception')
  till = await s.make.staff('reception')
  await s.sql(`insert into staff_right select staff_id, 'customers.read', false from staff where uid = $1`, [till.uid])
  for (const [name, last_name] of [
    ['=HYPERLINK("http://malo")', 'Paz'],
    ['+Beto', 'Luna'],
    ['@Carla', 'Ríos'],
    ['-Dora', 'Sol'],
  ] as const)
    people[name.slice(0, 2)] = (
      await s.make.customer({ name, last_name, phone: `55${String(10_000_000 + Object.keys(people).length)}` })
    ).customer_id
  const tag = await s.sql<{ tag_id: number }>(`insert into tag (name, type) values ('VIP', 'customer') returning tag_id`)
  await s.sql('insert into customer_tag (customer_id, tag_id) values ($1, $2)', [people['+B'], tag[0]?.tag_id])
  const reserve = async (customer_id: number | undefined) => {
    const cls = await s.make.class({ starts_at: new Date(Date.parse(START) + 3_600_000) })
    const rows = await s.sql<{ class_reservation_id: number }>(
      `insert into class_reservation (single_class_id, customer_id, is_cash, is_paid, "createdAt", "updatedAt") values ($1, $2, true, false, $3, $3) returning class_reservation_id`,
      [cls.single_class_id, customer_id, START],
    )
    return { location_id: cls.location_id, id: rows[0]?.class_reservation_id ?? 0 }
  }
  const [here, there] = [await reserve(people['+B']), await reserve(people['@C'])]
  ;[at.here, at.there] = [here.location_id, there.location_id]
  ;[reservations.here, reservations.there] = [here.id, there.id]
  for (const { uid } of [desk, till])
    await s.sql('insert into staff_location select staff_id, $2 from staff where uid = $1', [uid, at.here])
})
afterAll(() => s.close())

const rowsOf = async (file: File) =>
  (await file.text())
    .replace(/^\ufeff/, '')
    .trimEnd()
    .split('\r\n')
const lastEntry = async () => (await s.as(owner).auditLog.list({ entity: 'export' })).entries[0]

test('customers as filtered, in the order of the list, and no name is a formula (LA1)', async () => {
  const file = await s.as(desk).listExports.customers({})
  expect(file.name).toBe('clientes-2026-11-19.csv')
  const [head, ...rows] = await rowsOf(file)
  expect(head).toMatch(/^Cliente,Correo,Teléfono,Estado,Tiene,Clases,Vence,Vence \(ISO\),/)
  const listed = (await s.as(desk).customerList.list({})).customers
  expect(rows).toHaveLength(listed.length)
  expect(rows.map((row) => row.replace(/^"?'?/, '').charAt(0))).toEqual(listed.map(({ name }) => name.charAt(0)))
  for (const row of rows) expect(row).toMatch(/^(?:"?')[=+@-]/)
  const only = await rowsOf(await s.as(desk).listExports.customers({ query: 'beto' }))
  expect(only.slice(1).map((row) => row.slice(0, 6))).toEqual(["'+Beto"])
  expect(only[1]).toContain(',VIP,')
  const state = listed.find(({ name }) => name === '+Beto')?.state
  expect(await rowsOf(await s.as(desk).listExports.customers({ state: state ? [state] : [], query: 'beto' }))).toHaveLength(2)
})

test('an export is an entry of the audit trail with list, rows and filter (LA2)', async () => {
  await s.as(desk).listExports.customers({ query: 'beto', format: 'xlsx' })
  const entry = await lastEntry()
  expect(entry).toMatchObject({ action: 'list.export', entity: 'export', entity_id: 'clientes' })
  expect(entry?.sentence).toMatch(/exportó Clientes · 1 renglón$/)
  expect(entry?.after).toEqual({ title: 'Clientes', format: 'Excel', rows: 1, query: 'beto' })
  await s.as(owner).listExports.purchases({ status: ['failed'] })
  expect(await lastEntry()).toMatchObject({ entity_id: 'compras', after: { title: 'Compras', rows: 0, status: ['failed'] } })
})

test('reservations of the caller’s locations only, with contact for those who may see it (LA3, E4)', async () => {
  const all = await rowsOf(await s.as(owner).listExports.reservations({}))
  expect(
    all
      .slice(1)
      .map((row) => Number(row.split(',')[0]))
      .sort(),
  ).toEqual([reservations.here, reservations.there].sort())
  const [head, row, ...more] = await rowsOf(await s.as(desk).listExports.reservations({}))
  expect(head).toContain('Reservación,Cliente,Correo,Teléfono,Clase')
  expect(row).toContain(`${reservations.here},'+Beto Luna,`)
  expect(row).toContain(',Por cobrar,220.00,')
  expect(more).toEqual([])
  expect(await refusalOf(s.as(desk).listExports.reservations({ location_id: at.there }))).toMatchObject({ code: 'FORBIDDEN' })
  const hidden = (await rowsOf(await s.as(till).listExports.reservations({}))).join('\n')
  expect(hidden).toContain('Beto')
  expect(hidden).not.toMatch(/Correo|Teléfono|@|55100/)
  expect((await rowsOf(await s.as(till).listExports.purchases({})))[0]).not.toMatch(/Correo|Teléfono/)
  expect(await refusalOf(s.as(till).listExports.customers({}))).toMatchObject({ code: 'FORBIDDEN' })
})

test('messages and the audit trail, filtered as on the screen (LA1)', async () => {
  const { customer_id } = await s.make.customer({ name: 'Eva', last_name: 'Sanz' })
  await s.sql(`insert into audit (at, actor, action, entity, entity_id) values ($2, 'system:x', 'customer.change', 'customer', $1)`, [
    customer_id,
    START,
  ])
  const audit = await rowsOf(await s.as(owner).listExports.audit({ customer_id }))
  expect(audit).toHaveLength(2)
  expect(audit[0]).toBe('Fecha,Fecha (ISO),Quién,Qué pasó,Qué cambió,Número,Motivo')
  expect(audit[1]).toContain(`,El sistema,El sistema cambió los datos de Eva Sanz.,Clientes,${customer_id},`)
  const messages = await rowsOf(await s.as(desk).listExports.messages({ status: 'failed' }))
  expect(messages).toEqual(['Fecha,Fecha (ISO),Para,Correo,Teléfono,Por,Mensaje,Título,Estado,Motivo,Intentos,Enviado,Enviado (ISO)'])
})

test('refuses more rows than a file holds before it reads them, and takes a row that moved to the next page once', async () => {
  const ctx = s.system()
  const columns = [{ header: 'n', cell: (n: number) => n }]
  const file = { name: 'x', title: 'X', input: { format: 'csv' as const }, columns }
  let chunks = 0
  const large = rowsByIds(
    async (limit) => ({ ids: Array.from({ length: limit }, (_, n) => n), total: 100_000 }),
    async (ids) => {
      chunks++
      return ids
    },
  )
  await expect(exportList(ctx, { ...file, rows: large })).rejects.toMatchObject({
    code: 'EXPORT_TOO_LARGE',
    data: { total: 100_000, max: 50_000 },
  })
  expect(chunks).toBe(0)
  const shifted = rowsByPage<number>(
    (n) => n,
    async ({ number, size }) => ({ rows: number === 1 ? Array.from({ length: size }, (_, n) => n) : [size - 1, size], total: size + 1 }),
  )
  expect(await rowsOf(await exportList(ctx, { ...file, rows: shifted }))).toHaveLength(1 + 1_001)
})
