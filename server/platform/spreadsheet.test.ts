import { inflateRawSync } from 'node:zlib'
import readXlsxFile from 'read-excel-file/node'
import { expect, test } from 'vitest'
import { type SheetInput, writeSheet } from './spreadsheet.ts'

const sheet: Omit<SheetInput, 'format'> = {
  title: 'Compras',
  columns: [{ header: 'Cliente' }, { header: 'Nota' }, { header: 'Total', isMoney: true }, { header: 'Piezas' }],
  rows: [
    ['Éva Paz', 'dice "hola", y\nsalta', 1450.5, 2],
    ['=HYPERLINK("http://x")', '+52 55', -100, null],
    ['-1', '@SUM(A1)', 0, 0],
    ['\t=1', null, null, 3],
  ],
}

/** The files of a zip archive, by its central directory. */
function unzip(archive: Uint8Array): Map<string, string> {
  const bytes = Buffer.from(archive)
  const end = bytes.lastIndexOf(Buffer.from('PK\x05\x06'))
  const files = new Map<string, string>()
  let at = bytes.readUInt32LE(end + 16)
  for (let n = bytes.readUInt16LE(end + 10); n > 0; n--) {
    const [size, nameSize] = [bytes.readUInt32LE(at + 20), bytes.readUInt16LE(at + 28)]
    const local = bytes.readUInt32LE(at + 42)
    const from = local + 30 + bytes.readUInt16LE(local + 26) + bytes.readUInt16LE(local + 28)
    const content = bytes.subarray(from, from + size)
    files.set(
      bytes.toString('utf8', at + 46, at + 46 + nameSize),
      String(bytes.readUInt16LE(at + 10) === 0 ? content : inflateRawSync(content)),
    )
    at += 46 + nameSize + bytes.readUInt16LE(at + 30) + bytes.readUInt16LE(at + 32)
  }
  return files
}

test('a CSV has a byte order mark, quoted cells, CRLF, and no cell that a program reads as a formula', async () => {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(await writeSheet({ ...sheet, format: 'csv' }))
  expect(text).toBe(
    `\ufeff${[
      'Cliente,Nota,Total,Piezas',
      'Éva Paz,"dice ""hola"", y\nsalta",1450.50,2',
      `"'=HYPERLINK(""http://x"")",'+52 55,-100.00,`,
      "'-1,'@SUM(A1),0.00,0",
      "'\t=1,,,3",
    ].join('\r\n')}\r\n`,
  )
})

test('signs of full width and in a second line begin no formula of a CSV', async () => {
  const rows = ['＝1+1', '＋52', '－1', '＠SUM', '\n=1+1', 'a=1'].map((text) => [text])
  const text = new TextDecoder().decode(await writeSheet({ ...sheet, columns: [{ header: 'Nota' }], rows, format: 'csv' }))
  expect(text.split('\r\n').slice(1)).toEqual(["'＝1+1", "'＋52", "'－1", "'＠SUM", `"'\n=1+1"`, 'a=1', ''])
})

test('an Excel file has text as text and amounts as numbers, without formulas', async () => {
  const files = unzip(await writeSheet({ ...sheet, format: 'xlsx' }))
  const cells = files.get('xl/worksheets/sheet1.xml')
  expect(cells).not.toContain('<f>')
  expect(cells).toContain('<v>1450.5</v>')
  expect(cells).toContain('<v>-100</v>')
  expect([...files.values()].join('')).toContain('=HYPERLINK(')
})

test('another program reads the Excel file with the same types and accents', async () => {
  const [read] = await readXlsxFile(Buffer.from(await writeSheet({ ...sheet, format: 'xlsx' })))
  expect(read?.data).toEqual([
    ['Cliente', 'Nota', 'Total', 'Piezas'],
    ['Éva Paz', 'dice "hola", y\nsalta', 1450.5, 2],
    ['=HYPERLINK("http://x")', '+52 55', -100, null],
    ['-1', '@SUM(A1)', 0, 0],
    [expect.stringMatching(/^\s?=1$/), null, null, 3],
  ])
})

test('days and moments are dates: in Excel with a format, in a CSV as on the screen or as a spreadsheet reads them', async () => {
  const columns = ['Fecha', 'Fecha (ISO)', 'Vence', 'Antes'].map((header) => ({ header }))
  const shown = { wall: '2026-11-19T12:30:00', text: 'jue 19 nov, 12:30' }
  const rows = [[shown, { wall: shown.wall }, { wall: '2026-11-30' }, { wall: '1890-01-02', text: '02 ene 1890' }]]
  const [read] = await readXlsxFile(Buffer.from(await writeSheet({ title: 'Fechas', columns, rows, format: 'xlsx' })))
  const moment = new Date('2026-11-19T12:30:00Z')
  expect(read?.data[1]).toEqual([moment, moment, new Date('2026-11-30T00:00:00Z'), '02 ene 1890'])
  const csv = new TextDecoder().decode(await writeSheet({ title: 'Fechas', columns, rows, format: 'csv' }))
  expect(csv.split('\r\n')[1]).toBe('"jue 19 nov, 12:30",2026-11-19T12:30:00,2026-11-30,02 ene 1890')
})

test('text that Excel would read otherwise, and characters that XML forbids, do not break the file', async () => {
  const columns = Array.from({ length: 28 }, (_, at) => ({ header: `C${at}` }))
  const rows = [['a\u0000b\u000bc', '_x0041_', 'R&D <b>', '\ud800x', 'ñ'.repeat(40_000)], Array.from({ length: 28 }, () => 1)]
  const files = unzip(await writeSheet({ title: 'A & B', columns, rows, format: 'xlsx' }))
  const cells = files.get('xl/worksheets/sheet1.xml') ?? ''
  for (const text of ['>abc<', '>_x005F_x0041_<', '>R&amp;D &lt;b&gt;<', '>\ufffdx<', `>${'ñ'.repeat(32_767)}<`, '<c r="AB3"><v>1</v></c>'])
    expect(cells.includes(text), text.slice(0, 20)).toBe(true)
  expect(files.get('xl/workbook.xml')).toContain('name="A &amp; B"')
})
