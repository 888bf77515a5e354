import { expect, test } from 'vitest'
import { joinFiles } from './join-files.ts'

const row = (n: number, ...cells: string[]) => ({ n, cells, isTotal: false })

test('one file stays as it is', () => {
  const file = { name: 'a.csv', header: ['Nombre'], rows: [row(2, 'Eva')], note: 'CSV.' }
  expect(joinFiles([file])).toBe(file)
})

test('columns are joined by their names, whatever their order, and rows keep different numbers', () => {
  const people = {
    name: 'a.csv',
    header: ['ID', 'Nombre', 'Correo'],
    rows: [row(2, '7', 'Eva', 'eva@ejemplo.mx'), row(4, '8', 'Iris', '')],
    note: 'CSV.',
  }
  const credits = { name: 'b.csv', header: ['NOMBRE', 'Clases', 'id'], rows: [row(2, 'Eva', '4', '7')], note: 'Excel.' }
  expect(joinFiles([people, credits])).toEqual({
    header: ['ID', 'Nombre', 'Correo', 'Clases'],
    rows: [row(2, '7', 'Eva', 'eva@ejemplo.mx', ''), row(4, '8', 'Iris', '', ''), row(6, '7', 'Eva', '', '4')],
    note: 'a.csv: CSV. b.csv: Excel. Sus renglones siguen desde el 5.',
  })
})

test('a name that a file has twice is two columns, in each file', () => {
  const file = (name: string) => ({ name, header: ['Nota', 'Nota'], rows: [row(2, 'una', 'dos')], note: '' })
  expect(joinFiles([file('a'), file('b')])).toMatchObject({ header: ['Nota', 'Nota'], rows: [row(2, 'una', 'dos'), row(4, 'una', 'dos')] })
})
