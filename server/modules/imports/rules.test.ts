/** How files of other systems are read (IM2, IM3). */
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { splitName } from '#contract/person-name.ts'
import { writeSheet } from '#server/platform/spreadsheet.ts'
import { readZip } from '#server/platform/unzip.ts'
import { writeStoredZip, writeZip } from '#server/platform/zip.ts'
import { parseFile } from './parse-file.ts'
import { detectDateOrder, guessField, isLockedHeader, parseCredits, parseDay, parsePhone, parseVisits, readRow } from './rules.ts'

const fixture = (name: string) => new Uint8Array(readFileSync(new URL(`./fixtures/${name}`, import.meta.url)))
const parsed = async (bytes: Uint8Array) => {
  const read = await parseFile({ bytes, maxRows: 100 })
  if ('why' in read) throw new Error(read.why)
  return read.file
}

test('a file that would fill the memory is refused with a sentence: packed, far cells, columns, rows (IM2)', async () => {
  const why = async (bytes: Uint8Array) => {
    const read = await parseFile({ bytes, maxRows: 100 })
    return 'why' in read ? read.why : null
  }
  const sheet = await writeSheet({
    format: 'xlsx',
    title: 'x',
    columns: [{ header: 'Nombre' }, { header: 'Correo' }],
    rows: [['Ana', 'a@ejemplo.mx']],
  })
  const files = readZip(sheet, { most: 1_000_000, needsFile: () => true })
  const path = 'xl/worksheets/sheet1.xml'
  const text = Buffer.from(files.get(path) ?? []).toString()
  const changed = (xml: string) => writeStoredZip(new Map([...files, [path, Buffer.from(xml)]]))
  expect(await why(await changed(text))).toBeNull()
  expect(await why(await changed(text.replace('r="B2"', 'r="XFD2"')))).toBe('Trae 16384 columnas; caben 200. Quita las que no se importan.')
  expect(await why(await changed(text.replace('r="B2"', 'r="B1048576"')))).toMatch(/^Tiene algo en el renglón 1048576\./)
  const bomb = await writeZip([{ name: path, text: Array.from({ length: 130 }, () => ' '.repeat(1024 * 1024)) }])
  expect(bomb.length).toBeLessThan(300_000)
  expect(await why(bomb)).toMatch(/^Es demasiado grande/)
  const csv = (content: string) => why(new TextEncoder().encode(content))
  expect(await csv(`Nombre,Correo${',x'.repeat(5_000)}\nAna,a@ejemplo.mx`)).toMatch(/^Trae 5002 columnas/)
  expect(await csv(`Nombre,Correo\n${'Ana,a@ejemplo.mx\n'.repeat(50_000)}`)).toBe('Trae 50000 renglones; caben 100. Divídelo en varios.')
})

test('telephones lose 01, 044, 045, 52 and 521; what is missing is counted (IM3)', () => {
  for (const text of [
    '5522108841',
    '(55) 2210-8841',
    '044 55 2210 8841',
    '045 5522108841',
    '01 55 2210 8841',
    '+52 55 2210 8841',
    '521 5522108841',
    '1 (55) 2210-8841',
    '5522108841.0',
  ])
    expect([text, parsePhone(text)]).toEqual([text, { phone: '5522108841' }])
  expect([parsePhone('55 3821 77'), parsePhone('552210884155')]).toEqual([{ missing: 2 }, { missing: -2 }])
})

test('days are read in many forms; one that does not exist is none; the order is known from one that fits one way only (IM3)', () => {
  expect(parseDay('03/04/26', 'dmy')).toBe('2026-04-03')
  expect(parseDay('03/04/26', 'mdy')).toBe('2026-03-04')
  expect(['31/02/26', '13/13/2026', 'mañana', '2026-02-30'].map((text) => parseDay(text, 'dmy'))).toEqual([null, null, null, null])
  expect(
    ['2026-04-03', '2026-04-03T10:00:00', '3 de abril de 2026', 'Apr 3, 2026', '3-abr-26'].map((text) => parseDay(text, 'mdy')),
  ).toEqual(Array(5).fill('2026-04-03'))
  expect(parseDay('23/04/94', 'dmy')).toBe('1994-04-23')
  expect(detectDateOrder(['03/04/94', '23/04/94', ''])).toMatchObject({ order: 'dmy', open: 1 })
  expect(detectDateOrder(['03/04/94', '4/23/1994'])).toMatchObject({ order: 'mdy' })
  expect(detectDateOrder(['03/04/94', '07/12/91', '05/05/90'])).toEqual({ order: null, open: 2, sample: '03/04/94' })
})

test('columns are known by their names in both languages, by their contents otherwise; cards never (IM2)', () => {
  const names = [
    'ID socio',
    'Client ID',
    'F. nac.',
    'Birthday',
    'Clases disp.',
    'Sessions remaining',
    'Correo electrónico',
    'Membresía',
    'Vence',
    'Celular',
    'Apellidos',
    'Name',
  ]
  expect(names.map((name) => guessField(name, []))).toEqual([
    'external_ref',
    'external_ref',
    'birthdate',
    'birthdate',
    'credits',
    'credits',
    'email',
    'package',
    'expires',
    'phone',
    'last_name',
    'full_name',
  ])
  expect(guessField('Campo1', ['a@b.mx', 'c@d.mx', ''])).toBe('email')
  expect(['Tarjeta', 'Card Number', 'Contraseña', 'CLABE', 'Nombre'].map(isLockedHeader)).toEqual([true, true, true, true, false])
})

test('names are split, credits are numbers or unlimited (IM3)', () => {
  expect(splitName('Guadalupe Ramos Vela')).toEqual({ name: 'Guadalupe', last_name: 'Ramos Vela' })
  expect(splitName('Ana Sofía López Díaz')).toEqual({ name: 'Ana Sofía', last_name: 'López Díaz' })
  expect(splitName('Núñez Paz, Diego')).toEqual({ name: 'Diego', last_name: 'Núñez Paz' })
  expect(splitName('María del Carmen Ruiz Soto')).toEqual({ name: 'María del Carmen', last_name: 'Ruiz Soto' })
  expect(splitName('Cher')).toEqual({ name: 'Cher', last_name: '' })
  expect(['12', '', '1,000', '1.234', '7.0', '12.00', 'x', '-2'].map(parseVisits)).toEqual([12, 0, 1_000, 1_234, 7, 12, null, null])
  expect(['4', '', 'Ilimitado', 'Unlimited', '3 of 10', '5 clases', '7.0', 'x', '-2'].map(parseCredits)).toEqual([
    4,
    0,
    -1,
    -1,
    3,
    5,
    7,
    null,
    null,
  ])
})

test('a long cell that is almost an email is read as a text, and soon (IM2)', async () => {
  // Compared without a limit, one of these cells would take minutes.
  const cell = `${'@.'.repeat(20_000)} x`
  expect(guessField('Otra', [cell])).toBeNull()
  const bytes = Buffer.from(`${cell}\nNombre,Correo,Nota\nAna,ana@correo.mx,${cell}\n`)
  const read = await parseFile({ bytes, maxRows: 100 })
  expect(read).toMatchObject({
    file: { header: ['Nombre', 'Correo', 'Nota'], rows: [{ cells: ['Ana', 'ana@correo.mx', expect.anything()] }] },
  })
})

test('a file in Windows-1252 with a title, empty rows and a total is read; the header is found (IM2)', async () => {
  const { header, rows, note } = await parsed(fixture('fitco-windows-1252.csv'))
  expect(note).toBe('CSV separado por punto y coma, Windows-1252. El encabezado está en el renglón 3.')
  expect(header.slice(0, 4)).toEqual(['ID socio', 'Nombre', 'Apellidos', 'Correo electrónico'])
  expect(rows.map(({ n, cells, isTotal }) => [n, cells[1], isTotal])).toEqual([
    [4, 'José Ángel', false],
    [5, 'Ana Sofía', false],
    [6, 'Paola', false],
    [8, '3 socios', true],
  ])
})

test('an Excel with a merged title above its header is read (IM2)', async () => {
  const columns = ['Reporte de socios', '', ''].map((header) => ({ header }))
  const bytes = await writeSheet({
    format: 'xlsx',
    title: 'Socios',
    columns,
    rows: [
      [null, null, null],
      ['Nombre', 'Correo', 'Clases disp.'],
      ['Eva Soto', 'eva@correo.example', 3],
    ],
  })
  const { header, rows, note } = await parsed(bytes)
  expect([header, note]).toEqual([['Nombre', 'Correo', 'Clases disp.'], 'Excel, hoja Socios. El encabezado está en el renglón 3.'])
  expect(rows).toMatchObject([{ cells: ['Eva Soto', 'eva@correo.example', '3'] }])
})

/** A workbook of one sheet with these cells in its second row, and changes of its other parts. */
async function workbook(cells: string, change: (book: string) => string = (book) => book): Promise<Uint8Array> {
  const rows = [['Ana', 'a@ejemplo.mx']]
  const bytes = await writeSheet({ format: 'xlsx', title: 'x', columns: [{ header: 'Nombre' }, { header: 'Nacimiento' }], rows })
  const files = readZip(bytes, { most: 1_000_000, needsFile: () => true })
  const text = (path: string) => Buffer.from(files.get(path) ?? []).toString()
  files.set(
    'xl/worksheets/sheet1.xml',
    Buffer.from(text('xl/worksheets/sheet1.xml').replace(/<row r="2">.*<\/row>/s, `<row r="2">${cells}</row>`)),
  )
  files.set(
    'xl/styles.xml',
    Buffer.from(text('xl/styles.xml').replace('numFmtId="4" applyNumberFormat', 'numFmtId="14" applyNumberFormat')),
  )
  files.set('xl/workbook.xml', Buffer.from(change(text('xl/workbook.xml'))))
  return writeStoredZip(files)
}
const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`

test('a cell far away is refused however its reference is written, before the library fills a table up to it', async () => {
  for (const [reference, why] of [
    ['"B900000"', /^Tiene algo en el renglón 900000\./],
    ["'B900000'", /^Tiene algo en el renglón 900000\./],
    ['\n=\t"B900000"', /^Tiene algo en el renglón 900000\./],
    ['"&#66;&#x39;00000"', /^Tiene algo en el renglón 900000\./],
    ['"B99999999999999999999"', /^Tiene algo en el renglón 100000000000000000000\./],
    ["'XFD2'", /^Trae 16384 columnas; caben 200\./],
    ['"xfd2"', /^Trae 16384 columnas; caben 200\./],
  ] as const) {
    const written = reference.includes('=') ? `r${reference}` : `r=${reference}`
    await expect(parsed(await workbook(`<c ${written}><v>1</v></c>`)), reference).rejects.toThrow(why)
  }
})

test('a workbook whose tags never end is read as often as its length, not as its square', async () => {
  // By the square this is 1.6e12 characters, which takes an hour.
  const why = await parsed(await workbook('', () => '<sheet '.repeat(500_000))).catch((error: Error) => error.message)
  expect(why).toMatch(/^No es un Excel que se pueda leer|^El archivo/)
})

test('formulas give their result or are named; days count from 1900 or from 1904; hidden sheets are not read (IM2)', async () => {
  const cellsOf = async (bytes: Uint8Array) => (await parsed(bytes)).rows.map(({ cells }) => cells)
  expect(await cellsOf(await workbook('<c r="A2" t="str"><f>A1&amp;"x"</f><v>Ana</v></c>'))).toEqual([['Ana', '']])
  // A result that is an empty text.
  expect(await cellsOf(await workbook(`${cell('A2', 'Ana')}<c r="B2" t="str"><f>IF(A2="","","")</f><v></v></c>`))).toEqual([['Ana', '']])
  for (const formula of [
    '<f>1+1</f>',
    '<f>1+1</f><v/>',
    '<f>1+1</f><v></v>',
    '<f t="shared" si="0"/>',
    '<f t="shared" ref="B2:B9" si="0">1+1</f>',
  ])
    await expect(parsed(await workbook(`${cell('A2', 'Ana')}<c r="B2">${formula}</c>`)), formula).rejects.toThrow(
      /^La celda B2 es una fórmula/,
    )
  // Other programs write the attributes in another order, single quotes, or a prefix.
  for (const written of ['<c s="1" r="B2"><f>1+1</f></c>', "<c r='B2'><f>1+1</f></c>", '<x:c t="n" r="B2"><x:f>1+1</x:f><x:v/></x:c>'])
    await expect(parsed(await workbook(`${cell('A2', 'Ana')}${written}`)), written).rejects.toThrow(/^La celda B2 es una fórmula/)
  const emptyText = `${cell('A2', 'Ana')}<c t="str" r="B2"><f>IF(A2="","","")</f><v></v></c>`
  expect(await cellsOf(await workbook(emptyText))).toEqual([['Ana', '']])
  const day = `${cell('A2', 'Ana')}<c r="B2" s="2"><v>33000</v></c>`
  expect(await cellsOf(await workbook(day))).toEqual([['Ana', '1990-05-07']])
  for (const value of ['"1"', '"true"', "'1'", "'true'"])
    expect(await cellsOf(await workbook(day, (book) => book.replace('<sheets>', `<workbookPr date1904=${value}/><sheets>`)))).toEqual([
      ['Ana', '1994-05-08'],
    ])
  const two = readZip(await workbook(cell('A2', 'Ana')), { most: 1_000_000, needsFile: () => true })
  const text = (path: string) => Buffer.from(two.get(path) ?? []).toString()
  const sheet = text('xl/worksheets/sheet1.xml')
  two.set('xl/worksheets/sheet2.xml', Buffer.from(sheet.replace('</sheetData>', `<row r="3">${cell('A3', 'Oculta')}</row></sheetData>`)))
  const relation = /<Relationship [^>]*sheet1\.xml"[^>]*>/.exec(text('xl/_rels/workbook.xml.rels'))?.[0] ?? ''
  const second = relation.replace('sheet1.xml', 'sheet2.xml').replace(/Id="[^"]*"/, 'Id="rId99"')
  two.set('xl/_rels/workbook.xml.rels', Buffer.from(text('xl/_rels/workbook.xml.rels').replace(relation, relation + second)))
  for (const [state, n] of [
    ['', 2],
    [' state="hidden"', 1],
    [' state="veryHidden"', 1],
  ] as const) {
    const name = `<sheet name="y" sheetId="2"${state} r:id="rId99"/></sheets>`
    two.set('xl/workbook.xml', Buffer.from(text('xl/workbook.xml').replace(/(<sheet name="y"[^>]*>)?<\/sheets>/, name)))
    expect([state, (await parsed(await writeStoredZip(two))).rows.length]).toEqual([state, n])
  }
})

test('a file without header loses no row; UTF-16, other line ends and texts of Excel are read; open quotes are named (IM2)', async () => {
  const csv = (content: string) => parsed(new TextEncoder().encode(content))
  const bare = await csv('Ana Paz,ana@x.mx\nBeto Luz,beto@x.mx')
  expect([bare.header, bare.rows.map(({ n, cells }) => [n, cells[0]]), bare.note]).toEqual([
    ['Columna 1', 'Columna 2'],
    [
      [1, 'Ana Paz'],
      [2, 'Beto Luz'],
    ],
    'CSV separado por comas, UTF-8. No trae encabezados.',
  ])
  const namesOf = async (content: string) => (await csv(content)).rows.map(({ cells }) => cells[0])
  // Words that are headers elsewhere, in rows of people with and without contact.
  expect(await namesOf('Ana Paz,ana@x.mx,Membresía\nBeto Luz,beto@x.mx,Membresía')).toEqual(['Ana Paz', 'Beto Luz'])
  expect(await namesOf('Ana Paz,55 1234 5678,Mensual\nBeto Luz,,Membresía')).toEqual(['Ana Paz', 'Beto Luz'])
  expect(await namesOf('Estudio Sol,hola@sol.mx\nNombre,Correo\nAna,a@x.mx')).toEqual(['Ana'])
  // A day is no telephone: the row with it may be the header of a report.
  expect((await csv('Visitas,2024-01-15\nAna,3')).header).toEqual(['Visitas', '2024-01-15'])
  for (const mark of [[], [0xff, 0xfe]]) {
    const { rows } = await parsed(Buffer.concat([Buffer.from(mark), Buffer.from('Nombre,Correo\nMaría Ñ,m@x.mx', 'utf16le')]))
    expect(rows.map(({ cells }) => cells)).toEqual([['María Ñ', 'm@x.mx']])
  }
  const mixed = await csv('Nombre;Correo\r\nAna;a@x.mx\nBeto;b@x.mx\rEva;e@x.mx')
  expect(mixed.rows.map(({ cells }) => cells)).toEqual([
    ['Ana', 'a@x.mx'],
    ['Beto', 'b@x.mx'],
    ['Eva', 'e@x.mx'],
  ])
  expect((await csv(`Nombre,Teléfono\nAna,="5512345678"\nBeto,'+525512345678`)).rows.map(({ cells }) => cells[1])).toEqual([
    '5512345678',
    '+525512345678',
  ])
  await expect(csv('Nombre,Correo\nAna,a@x.mx\n"Beto,b@x.mx\nEva,e@x.mx')).rejects.toThrow(/^Las comillas del renglón 3 no se cierran/)
})

test('a file that cannot be read says why and how to save it again (IM2)', async () => {
  const why = async (bytes: number[]) => {
    const read = await parseFile({ bytes: Uint8Array.from(bytes), maxRows: 2 })
    return 'why' in read ? read.why : null
  }
  expect(await why([])).toContain('vacío')
  expect(await why([0x25, 0x50, 0x44, 0x46, 0x2d])).toContain('PDF')
  expect(await why([0xd0, 0xcf, 0x11, 0xe0, 0xa1])).toContain('contraseña')
  expect(await why([0x50, 0x4b, 0x03, 0x04, 1, 2])).toContain('No es un Excel')
  expect(await why([...Buffer.from('Nombre,Correo\na,1\nb,2\nc,3')])).toContain('caben 2')
})

test('the files of each source are understood (IM2)', async () => {
  const people = async (name: string) => {
    const { header, rows } = await parsed(fixture(name))
    const fields = header.map((field, index) =>
      guessField(
        field,
        rows.map(({ cells }) => cells[index] ?? ''),
      ),
    )
    return rows.map(({ cells }) => {
      const values = Object.fromEntries(fields.flatMap((field, index) => (field ? [[field, cells[index] ?? '']] : [])))
      const { person, issues } = readRow(values, {
        order: name === 'mindbody.csv' || name === 'arketa.csv' ? 'mdy' : 'dmy',
        today: '2026-11-19',
      })
      return person
        ? `${person.external_ref} ${person.name}|${person.last_name} ${person.phone} ${person.credits} ${person.expires_on}`
        : issues.map(({ message }) => message)
    })
  }
  expect(await people('mindbody.csv')).toEqual([
    '100001 Guadalupe|Ramos Vela 5522108841 4 2026-12-15',
    '100002 Óscar|Medina 5544719020 -1 2026-11-30',
    ['¿Quisiste decir gmail.com?'],
  ])
  expect((await people('fitco-windows-1252.csv'))[2]).toEqual(['Faltan 2 dígitos.', 'Ese día no existe.'])
  expect(await people('teamup.csv')).toMatchObject([
    't-1 Iván|Cota 8112340001 5 2026-12-31',
    't-2 Jimena|Rosas 8112340002 0 null',
    't-3 Mateo|Rosas 8112340003 0 null',
  ])
  expect(await people('glofox.csv')).toEqual(['null Regina|Salas Ortiz 5510203040 1 2026-12-01', 'null Diego|Núñez Paz 5510203041 0 null'])
  expect(await people('momence.tsv')).toEqual(['9001 Valeria|Cruz Lara 5599887766 3 2026-12-24'])
  expect(await people('arketa.csv')).toEqual(['a1 Nadia|Ibarra 5561204475 12 2027-01-31'])
})
