/** The studio as files: complete, without secrets, and importable into an empty studio (IM7, IM8). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { codeOf, studio, type TestStudio } from '#server/testing/studio.ts'
import { workOnImport } from './run.ts'
import { EXPORTED } from './studio-export-store.ts'

let from: TestStudio
let to: TestStudio
const folder = mkdtempSync(join(tmpdir(), 'estudio-export-'))
beforeAll(async () => {
  from = await studio()
  to = await studio()
})
afterAll(async () => {
  await from.close()
  await to.close()
  rmSync(folder, { recursive: true })
})

/** Living customers with what they can use, by package and last day. */
const holdings = (on: TestStudio) =>
  on.sql(
    `select c.name, c.last_name, c.email, c.phone, c.birthdate::text as birthdate, a.title, a.unlimited, sum(a.balance)::int as balance, a.expires_at::date::text as day
     from customer c left join available_class a on a.customer_id = c.customer_id and (a.unlimited or a.balance > 0)
     where c."deletedAt" is null and not c.is_anonymous group by c.customer_id, a.title, a.unlimited, a.expires_at::date order by c.email, c.phone, a.title, day`,
  )

test('everything is in the files, and what must not leave is not; an empty studio that imports them has the same people and credits (IM7, IM8)', async () => {
  const owner = await from.make.staff('owner')
  const ana = await from.make.customer({ name: 'Ana', last_name: 'Ríos, "Nena"', birthdate: '1990-05-17' })
  const until = new Date('2026-12-20T05:59:59Z')
  await from.make.lot(ana, { title: '10 clases', granted: 4, expires_at: until })
  await from.make.lot(ana, { title: '10 clases', granted: 3, expires_at: until })
  await from.make.lot(ana, { title: 'Ilimitado', unlimited: true, granted: null, expires_at: new Date('2027-01-10T05:59:59Z') })
  await from.make.customer({ name: '=HYPERLINK("x")', last_name: 'Mal', email: 'mal@ejemplo.mx' })
  const { single_class_id } = await from.make.class({ starts_at: new Date('2026-11-21T16:00:00Z') })
  await from.as(ana).bookings.reserve({ single_class_id })
  const zip = await from.as(owner).studioExport.download()
  expect(zip.name).toBe('estudio-2026-11-19.zip')
  writeFileSync(join(folder, 'x.zip'), new Uint8Array(await zip.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', join(folder, 'x.zip'), '-d', folder])
  const file = (name: string) => readFileSync(join(folder, name), 'utf8')
  for (const { file: name, table } of EXPORTED) {
    const [{ n } = { n: -1 }] = await from.sql<{ n: number }>(
      `select count(*)::int as n from ${table}${table === 'customer' ? ' where not is_anonymous' : ''}`,
    )
    // The export itself writes an entry of the audit trail after it has read it.
    if (table !== 'audit') expect([name, recordsOf(file(`${name}.csv`))]).toEqual([name, n])
    expect(file('LEEME.txt')).toContain(`${name}.csv`)
  }
  expect(file('reservaciones.csv')).toContain(String(single_class_id))
  const all = ['LEEME.txt', 'clientes.csv', 'ajustes.csv', ...EXPORTED.map(({ file: name }) => `${name}.csv`)].map(file).join('\n')
  for (const secret of [ana.uid, owner.uid]) expect(all).not.toContain(secret)
  expect(file('clientes.csv')).not.toMatch(/(^|,)"?=HYPER/m)

  const boss = await to.make.staff('owner')
  const { import_id } = await to.as(boss).imports.create({ source: 'estudio' })
  const view = await to.as(boss).imports.file({ import_id, file: new File([readFileSync(join(folder, 'clientes.csv'))], 'clientes.csv') })
  expect(view.columns.map(({ field }) => field)).toEqual([
    'external_ref',
    'name',
    'last_name',
    'email',
    'phone',
    'birthdate',
    'package',
    'credits',
    'expires',
  ])
  await to.as(boss).imports.run({ import_id })
  await workOnImport(to.system(), { import_id }, { id: 'x', signal: new AbortController().signal })
  const clean = (rows: object[]) => JSON.stringify(rows).replaceAll(`'=HYPERLINK`, '=HYPERLINK')
  expect(clean(await holdings(to))).toBe(clean(await holdings(from)))
  expect(await codeOf(from.as(await from.make.staff('manager')).studioExport.download())).toBe('FORBIDDEN')
})

/** Records of a CSV without its header; quoted cells may have line breaks. */
function recordsOf(csv: string): number {
  let [records, quoted] = [0, false]
  for (const char of csv.trimEnd()) {
    if (char === '"') quoted = !quoted
    if (char === '\n' && !quoted) records++
  }
  return records
}
