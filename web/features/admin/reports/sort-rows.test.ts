import { expect, test } from 'vitest'
import type { ReportRow } from '#contract/reports.ts'
import { customerIdsInRows, sortRows } from './sort-rows.ts'

const row = (id: string, cells: ReportRow['cells'], link: string | null = null): ReportRow => ({ id, cells, link, action: null })

test('rows are sorted by a column in both directions, those without a value last, equal ones as they were', () => {
  const rows = [
    row('a', { name: 'Zoé', paid: 9 }),
    row('b', { name: 'ángel', paid: 100 }),
    row('c', { name: 'Beto', paid: null }),
    row('d', { name: 'Clase 10', paid: 9 }),
    row('e', { name: 'Clase 9', paid: -3 }),
  ]
  const ids = (order: string) =>
    sortRows(rows, order)
      .map(({ id }) => id)
      .join('')
  expect([ids(''), ids('paid'), ids('-paid'), ids('name'), ids('-name'), ids('other')]).toEqual([
    'abcde',
    'eadbc',
    'badec',
    'bceda',
    'adecb',
    'abcde',
  ])
})

test('rows are customers when each of them opens one', () => {
  const person = (id: number, more = '') => row(String(id), {}, `/admin/clientes/${id}${more}`)
  expect(customerIdsInRows([person(7), person(12, '?ver=creditos'), person(7)])).toEqual([7, 12])
  expect(customerIdsInRows([person(7), row('total', {})])).toBeNull()
  expect(customerIdsInRows([row('1', {}, '/admin/clientes/7/pagos')])).toBeNull()
  expect(customerIdsInRows([row('1', {}, '/admin/clientes?estado=lost')])).toBeNull()
  expect(customerIdsInRows([])).toBeNull()
})
