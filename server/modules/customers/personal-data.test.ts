/** The export of a person's data (docs/domain.md X7): its contents, the right for it, and that no table is forgotten. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { leftOutTables, sections } from './personal-data-store.ts'

let s: TestStudio
let owner: Person
let desk: Person
beforeAll(async () => {
  s = await studio()
  owner = await s.make.staff('owner', { name: 'Mónica' })
  desk = await s.make.staff('reception')
})
afterAll(() => s.close())

interface Export {
  persona: string
  secciones: { titulo: string; registros: Record<string, unknown>[] }[]
}
const dataOf = async ({ customer_id }: { customer_id: number }): Promise<Export> =>
  JSON.parse(await (await s.as(owner).customerFile.exportPersonalData({ customer_id, format: 'json' })).text())
const rowsIn = ({ secciones }: Export, title: string) => secciones.find(({ titulo }) => titulo === title)?.registros

test('every table that names a customer is in the file, or listed with the reason why not (X7)', async () => {
  const named = await s.sql<{ table_name: string }>(
    `select table_name from information_schema.columns where table_schema = 'public' and column_name = 'customer_id'
     union
     select conrelid::regclass::text from pg_constraint where contype = 'f' and confrelid = 'customer'::regclass
     order by 1`,
  )
  const shown = sections.flatMap(({ tables }) => tables)
  expect([...new Set([...shown, ...Object.keys(leftOutTables)])].sort()).toEqual(named.map(({ table_name }) => table_name).sort())
  expect(shown.filter((table) => table in leftOutTables)).toEqual([])
})

test('it has the profile, credits, reservations, answers and notes of the person and nothing of others (X7)', async () => {
  const [ana, eva] = [await s.make.customer({ name: 'Ana', last_name: 'Paz', language: 'en' }), await s.make.customer({ name: 'Eva' })]
  for (const [person, title] of [
    [ana, 'Diez clases'],
    [eva, 'Cinco clases'],
  ] as const) {
    await s.make.lot(person, { title, granted: 10 })
    await s.as(desk).customerFile.addNote({ customer_id: person.customer_id, text: `Nota de ${title}` })
  }
  const cls = await s.make.class({ starts_at: new Date('2026-11-20T16:00:00Z') })
  await s.sql(
    `insert into class_reservation (single_class_id, customer_id, is_cash, is_paid, spot, cancelled_by, "createdAt", "updatedAt", "deletedAt")
     values ($1, $2, true, false, '2-5', 'customer', now(), now(), now())`,
    [cls.single_class_id, ana.customer_id],
  )
  const [form] = await s.sql<{ form_id: number }>(`insert into form (name) values ('Salud') returning form_id`)
  await s.sql(`insert into form_field (form_id, key, label, type) values ($1, 'lesion', '¿Tienes una lesión?', 'boolean')`, [form?.form_id])
  await s.sql(
    `insert into form_answer (customer_id, form_id, answers, "createdAt", "updatedAt") values ($1, $2, '{"lesion": true, "vieja": ["a", 2]}', now(), now())`,
    [ana.customer_id, form?.form_id],
  )
  const data = await dataOf(ana)
  expect(data.persona).toBe('Ana Paz')
  expect(rowsIn(data, 'Perfil')).toMatchObject([
    { 'Número de cliente': ana.customer_id, Nombre: 'Ana', Correo: ana.email, Idioma: 'Inglés' },
  ])
  expect(rowsIn(data, 'Créditos')).toMatchObject([{ 'Qué es': 'Diez clases', Ilimitado: false, Recibió: 10 }])
  expect(rowsIn(data, 'Movimientos de créditos')).toMatchObject([{ Créditos: 'Diez clases', Movimiento: 'Se le dieron' }])
  expect(rowsIn(data, 'Notas del equipo')).toMatchObject([{ Nota: 'Nota de Diez clases' }])
  expect(rowsIn(data, 'Reservaciones')).toMatchObject([
    { Cuándo: '2026-11-20T16:00:00.000Z', Lugar: '2-5', Precio: null, 'La canceló': 'la persona', Asistió: null },
  ])
  expect(rowsIn(data, 'Respuestas de formularios')).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ Formulario: 'Salud', Pregunta: '¿Tienes una lesión?', Respuesta: 'Sí' }),
      expect.objectContaining({ Pregunta: 'vieja', Respuesta: '["a", 2]' }),
    ]),
  )
  expect(JSON.stringify(data)).not.toContain('Cinco clases')
  expect(rowsIn(data, 'Compras')).toBeUndefined()
})

test('purchases have money in pesos and states in words, and no label is used twice in a section (X7)', async () => {
  for (const { title, columns } of sections) expect(new Set(columns.map(({ label }) => label)).size, title).toBe(columns.length)
  const ana = await s.make.customer()
  const { class_package_id } = await s.make.package({ price_centavos: 179_000, title: 'Mensual' })
  const { purchase } = await s.as(desk).studioSales.giveAccess({ customer_id: ana.customer_id, class_package_id, is_gift: true })
  const data = await dataOf(ana)
  expect(rowsIn(data, 'Compras')).toMatchObject([
    { Orden: purchase.purchase_id, 'Qué compró': 'Mensual', Total: '0.00', Regalo: true, Estado: 'Completa' },
  ])
  await s.sql(
    `insert into invoice (purchase_id, customer_id, gateway, provider_payment, period, total_centavos, refunded_centavos, status, tax_rate, net_centavos, tax_centavos, "paidAt", "createdAt")
     values ($1, $2, 'sandbox', 'pay_export', 'once', 100050, 25000, 'partially_refunded', 1600, 86250, 13800, now(), now())`,
    [purchase.purchase_id, ana.customer_id],
  )
  expect(rowsIn(await dataOf(ana), 'Cargos')).toMatchObject([{ Total: '1000.50', Devuelto: '250.00', Estado: 'Devuelto en parte' }])
  const { customer_id } = ana
  const page = await (await s.as(owner).customerFile.exportPersonalData({ customer_id, format: 'html' })).text()
  expect(page).toContain('<td>$1,000.50</td>')
})

test('the readable form is a page without scripts in which no text of the person is markup (X7)', async () => {
  const eva = await s.make.customer({ name: '<script>alert(1)</script>', last_name: '& "Paz"' })
  const file = await s.as(owner).customerFile.exportPersonalData({ customer_id: eva.customer_id })
  expect(file.name).toBe(`datos-${eva.customer_id}-2026-11-19.html`)
  const page = await file.text()
  expect(page).toContain('<h1>Datos de &lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;Paz&quot;</h1>')
  expect(page).not.toContain('<script')
  expect(page).toContain('<th scope="col">Correo</th>')
})

test('a download is in the audit trail; reception may not, and an erased customer has no file (X7)', async () => {
  const ana = await s.make.customer()
  const { customer_id } = ana
  expect(await codeOf(s.as(desk).customerFile.exportPersonalData({ customer_id }))).toBe('FORBIDDEN')
  expect(await codeOf(s.as(owner).customerFile.exportPersonalData({ customer_id: 999_999 }))).toBe('NOT_FOUND')
  await dataOf(ana)
  const { entries } = await s.as(owner).auditLog.list({ customer_id })
  expect(entries.filter(({ action }) => action === 'customer.export')).toMatchObject([{ who: { name: 'Mónica' } }])
})
