/** An export of some parts, as Excel and as JSON (docs/domain.md IM7). */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import readXlsxFile from 'read-excel-file/node'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { EXPORT_PARTS, type ExportFormat, type ExportPart } from '#contract/export-parts.ts'
import { codeOf, type Person, studio, type TestStudio } from '#server/testing/studio.ts'
import { FILES_OF_PART, fileOf, isChosen, SHEET_MAX_ROWS } from './export-parts.ts'
import { EXPORTED } from './exported-tables.ts'
import { makeExport } from './studio-export.ts'
import { MOVABLE } from './studio-export-store.ts'

let on: TestStudio
let owner: Person
let folder: string
beforeAll(async () => {
  on = await studio()
  owner = await on.make.staff('owner')
  folder = mkdtempSync(join(tmpdir(), 'export-parts-'))
  await on.make.customer({ name: 'Ánge', last_name: '=Ñandú', birthdate: '1990-03-17' })
  await on.make.package({ title: 'Diez', price_centavos: 190_000 })
})
afterAll(async () => {
  await on.close()
  rmSync(folder, { recursive: true, force: true })
})

async function exported(name: string, input: { what: 'todo' | ExportPart[]; format: ExportFormat }) {
  const { studio_export_id, ...view } = await on.as(owner).studioExport.start({ with_files: false, ...input })
  await makeExport(on.system(), { studio_export_id }, { id: 'x', signal: new AbortController().signal })
  const zip = await on.as(owner).studioExport.file({ studio_export_id })
  const path = join(folder, `${name}.zip`)
  writeFileSync(path, new Uint8Array(await zip.arrayBuffer()))
  execFileSync('unzip', ['-q', '-o', path, '-d', join(folder, name)])
  const read = (file: string) => readFileSync(join(folder, name, file))
  return { view, files: readdirSync(join(folder, name)).sort(), read }
}

test('every file is in exactly one part, and no part names a file that is not there', () => {
  const written = ['clientes', 'ajustes', ...MOVABLE.map(({ file }) => file), ...EXPORTED.map(({ file }) => file)]
  expect(Object.values(FILES_OF_PART).flat().sort()).toEqual(written.sort())
  expect(written.every((file) => isChosen(file, null) && EXPORT_PARTS.filter((part) => isChosen(file, [part])).length === 1)).toBe(true)
})

test('only the chosen parts, as Excel: names with accents, numbers as numbers, and no formulas', async () => {
  const { view, files, read } = await exported('excel', { what: ['catalogue', 'customers', 'catalogue'], format: 'xlsx' })
  expect([view.what, view.format]).toEqual([['catalogue', 'customers'], 'xlsx'])
  expect(files).toEqual(['LEEME.txt', ...[...FILES_OF_PART.catalogue, ...FILES_OF_PART.customers].map((file) => `${file}.xlsx`)].sort())
  const sheetOf = async (file: string) => (await readXlsxFile(read(file)))[0]?.data ?? []
  const [head = [], row = []] = await sheetOf('personas.xlsx')
  const cellOf = (column: string) => row[head.indexOf(column)]
  expect([cellOf('name'), cellOf('birthdate'), typeof cellOf('customer_id')]).toEqual(['Ánge', new Date('1990-03-17T00:00:00Z'), 'number'])
  expect(String(cellOf('last_name'))).toContain('=Ñandú')
  const packages = await sheetOf('paquetes.xlsx')
  expect(packages[1]?.[packages[0]?.indexOf('price_centavos') ?? 0]).toBe(190_000)
  const readme = read('LEEME.txt').toString('utf8')
  expect(readme).toContain('Solo: Paquetes, productos, coaches y estudios; Clientes, créditos y notas.')
  expect(readme).not.toContain('Se importa en otro Estudio')
})

test('as JSON: values with their types, and an empty table is an empty list', async () => {
  const { files, read } = await exported('json', { what: ['customers', 'team'], format: 'json' })
  expect(files).toContain('ajustes.json')
  expect(files).not.toContain('compras.json')
  const people = JSON.parse(read('personas.json').toString('utf8')) as Record<string, unknown>[]
  expect(people.find(({ name }) => name === 'Ánge')).toMatchObject({ last_name: '=Ñandú', birthdate: '1990-03-17', is_anonymous: false })
  expect(typeof people[0]?.customer_id).toBe('number')
  expect(JSON.parse(read('notas.json').toString('utf8'))).toEqual([])
})

test('a table that is too long for Excel is a CSV with every row once', async () => {
  async function* pages() {
    for (let from = 0; from <= SHEET_MAX_ROWS; from += 10_000) yield Array.from({ length: 10_000 }, (_, n) => [from + n, 'x'])
  }
  const { name, bytes } = await fileOf('xlsx', { file: 'larga', columns: [{ name: 'n' }, { name: 'x' }], pages: pages() })
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  const lines = Buffer.concat(chunks).toString('utf8').trimEnd().split('\r\n')
  expect([name, lines.length, new Set(lines).size, lines.at(-1)]).toEqual(['larga.csv', 60_001, 60_001, '59999,x'])
})

test('an unknown part or format is refused', async () => {
  const start = (input: object) => codeOf(on.as(owner).studioExport.start(input as { what: 'todo' }))
  expect([await start({ what: [] }), await start({ what: ['todo'] }), await start({ format: 'pdf' })]).toEqual([
    'INVALID_INPUT',
    'INVALID_INPUT',
    'INVALID_INPUT',
  ])
})
