import { expect, test } from 'vitest'
import { entryValues } from './entry-values.ts'

const values = (before: unknown, after: unknown) => entryValues({ before, after, names: [] }, 'America/Mexico_City')

test('shows changed fields by their names, in words, and the rest apart (Y3)', () => {
  const before = { title: 'Diez', price_centavos: 190_000, available: true, sold: 3, expires_at: null }
  const after = { ...before, price_centavos: 179_000, expires_at: '2026-11-24T05:59:59.000Z', spare: [] }
  expect(values(before, after)).toEqual({
    changed: [
      { key: 'price_centavos', label: 'Precio', before: '$1,900.00', after: '$1,790.00' },
      { key: 'expires_at', label: 'Vencimiento', before: '—', after: '23 nov 2026, 23:59' },
      { key: 'spare', label: 'spare', before: null, after: 'Ninguno' },
    ],
    same: [
      { key: 'title', label: 'Título', before: 'Diez', after: 'Diez' },
      { key: 'available', label: 'Está disponible', before: 'Sí', after: 'Sí' },
      { key: 'sold', label: 'sold', before: '3', after: '3' },
    ],
  })
  expect(values({ role: 'reception', rights_added: [] }, { role: 'manager', rights_added: ['sales.refund'] }).changed).toEqual([
    { key: 'role', label: 'Rol', before: 'Recepción', after: 'Gerencia' },
    { key: 'rights_added', label: 'Permisos agregados', before: 'Ninguno', after: 'Devolver dinero' },
  ])
})

test('shows one value of a setting, and nothing where nothing was recorded (Y3)', () => {
  expect(values('Estudio', 'Vaivén').changed).toEqual([{ key: '', label: 'Valor', before: 'Estudio', after: 'Vaivén' }])
  expect(values(null, null)).toEqual({ changed: [], same: [] })
  expect(values(null, { starts_on: '2026-11-24' }).changed).toEqual([
    { key: 'starts_on', label: 'Primer día', before: null, after: '24 nov 2026' },
  ])
})

test('names the records that an entry has by id, and leaves the number of one that is gone (Y3)', () => {
  const names = [
    { key: 'location_id', id: 2, name: 'Roma Norte' },
    { key: 'class_type_ids', id: 2, name: 'Yin' },
    { key: 'room_id', id: 7, name: 'Sala Norte' },
    { key: 'customer_id', id: 1_500, name: 'Ana Ruiz' },
  ]
  const after = { location_id: 2, class_type_ids: [2, 9], room_id: 7, customer_id: 1_500, capacity: 2 }
  expect(
    entryValues({ before: { room_id: 8 }, after, names }, 'America/Mexico_City').changed.map((row) => [row.before, row.after]),
  ).toEqual([
    ['8', 'Sala Norte'],
    [null, 'Roma Norte'],
    [null, 'Yin, 9'],
    [null, 'Ana Ruiz'],
    [null, '2'],
  ])
})
