import { describe, expect, test } from 'vitest'
import { payRuleList } from '#web/features/admin/payroll/rule-list.ts'
import { PROGRAM_LIST, VIDEO_TYPE_LIST } from '#web/features/admin/videos/video-lists.ts'
import { CATALOGUE_LISTS, type CatalogueList, diffRecord, mapText, toFormValues, validate } from './catalogue-lists.ts'
import { productList } from './product-list.ts'
import { roomList } from './room-list.tsx'
import { DISCOUNT_LIST, usesText } from './selling-lists.ts'

const types = CATALOGUE_LISTS.find(({ slug }) => slug === 'tipos') as CatalogueList

describe('the form of a record', () => {
  test('holds what is stored, and sends only what differs', () => {
    const row = {
      class_type_id: 3,
      name: 'Ciclo',
      description: '',
      duration_minutes: 45,
      intensity: 4,
      spot_map: null,
      price: '220.00',
      image: null,
      sort: 2,
    }
    const before = toFormValues(types, row)
    expect(before).toMatchObject({ name: 'Ciclo', duration_minutes: '45', intensity: '4', spot_map: '', price: '220.00' })
    expect(diffRecord(types, before, before)).toEqual({})
    expect(diffRecord(types, before, { ...before, duration_minutes: '50', price: '', intensity: '', description: 'Con luces ' })).toEqual({
      duration_minutes: 50,
      price: null,
      intensity: null,
      description: 'Con luces',
    })
  })

  test('of a new record leaves out what is empty', () => {
    const values = { ...toFormValues(types, null), name: 'Barre' }
    expect(diffRecord(types, null, values)).toEqual({ name: 'Barre', duration_minutes: 60 })
  })

  test('says which field is missing or no number', () => {
    expect(validate(types, { ...toFormValues(types, null), duration_minutes: 'una hora', price: 'mucho' })).toEqual({
      name: 'Debes llenar este campo.',
      duration_minutes: 'Escribe un número entero.',
      price: 'Escribe un precio, como 220 o 220.50.',
    })
  })
})

test('a sentence names the record of a list with its own noun and gender (K19)', () => {
  const rules = payRuleList({ coaches: [], types: [], locations: [] }, '2026-11-19')
  const lists = [...CATALOGUE_LISTS, DISCOUNT_LIST, PROGRAM_LIST, VIDEO_TYPE_LIST, productList([]), roomList([]), rules]
  for (const { add, one, thisOne } of lists) {
    expect(thisOne).toContain(one.toLowerCase())
    expect(thisOne.startsWith('esta ')).toBe(add.startsWith('Nueva '))
    expect(thisOne).toMatch(/^est[ea] /)
  }
})

test('the summary of a record has only the facts that apply', () => {
  for (const list of [...CATALOGUE_LISTS, DISCOUNT_LIST]) {
    const off = Object.fromEntries(list.fields.map(({ key, kind }) => [key, kind === 'switch' ? false : null]))
    expect(list.about({ amount: '10.00', price: '1.00', ...off })).not.toMatch(/false|null|undefined/)
  }
})

test('a row of the list counts places, rows and uses in words', () => {
  expect([mapText('5,7,6'), mapText('1'), mapText('cinco')]).toEqual(['18 lugares en 3 filas', '1 lugar en 1 fila', null])
  expect([usesText(0, 0), usesText(1, 0), usesText(1652, 0), usesText(3, 2000)]).toEqual([
    '0 usos',
    '1 uso',
    '1,652 usos',
    '3 de 2,000 usos',
  ])
})
