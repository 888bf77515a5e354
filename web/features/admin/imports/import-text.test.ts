import { expect, test } from 'vitest'
import type { ImportRow, ImportView } from '#contract/imports.ts'
import {
  addsText,
  alikeText,
  columnState,
  columnsText,
  comparedValues,
  currentStep,
  fixedCount,
  fixedText,
  leftOut,
  readyText,
  sheetColumn,
} from './import-text.ts'

const view = (more: Partial<ImportView>) => ({ state: 'draft', file_name: 'c.csv', counts: {}, ...more }) as ImportView

test('the step is the requested one, where the import allows it', () => {
  expect(currentStep(view({ file_name: null }), 'revision')).toBe('archivo')
  expect(currentStep(view({}), null)).toBe('columnas')
  expect(currentStep(view({}), 'valores')).toBe('valores')
  expect(currentStep(view({}), 'importar')).toBe('revision')
  expect(currentStep(view({ state: 'running' }), 'columnas')).toBe('importar')
})

test('errors and undecided duplicates stay out', () => {
  expect(leftOut(view({ counts: { new: 3, error: 2, duplicate: 1, skipped: 4 } }))).toBe(3)
})

test('the ready line has people, classes and their value; of other kinds their number', () => {
  const of = { kind: 'customers' as const, people: 2, credits: 14, value: '2660.00' }
  expect(readyText(of)).toContain('$2,660.00 a tus precios')
  expect(readyText({ ...of, value: '0.00' })).not.toContain('$')
  expect(readyText({ ...of, kind: 'notes' })).toBe('2 notas listas')
})

test('rows that wait for the same are answered together, in the words of their question', () => {
  const issue = (suggestion: string | null) => ({ field: 'email', message: '', suggestion })
  const match = (row: number | null) => ({
    customer_id: null,
    row,
    name: 'Eva',
    why: row === null ? 'Mismo teléfono' : `Coincide con el renglón ${row}`,
    ours: null,
  })
  expect(alikeText('suggestion', { alike: 7, issues: [issue('a@gmail.com')], match: null })).toBe('Corregir los 8')
  expect(alikeText('suggestion', { alike: 1, issues: [issue('')], match: null })).toBe('Dejar vacíos los 2')
  expect(alikeText('merge', { alike: 35, issues: [], match: match(null) })).toBe('Combinar los 36 con mismo teléfono')
  expect(alikeText('new', { alike: 2, issues: [], match: match(4) })).toBe('Los 3 repetidos en el archivo son otras personas')
  expect(addsText({ adds: ['phone', 'credits'], match: null, person: null, choices: {} })).toBe('Se completa: teléfono, clases por usar.')
})

const ours = {
  email: 'jimena@ejemplo.mx',
  phone: '5561204475',
  birthdate: null,
  has_account: false,
  credits: 3,
  has_unlimited: false,
  createdAt: '2026-08-04T16:00:00.000Z',
  taken: [],
}
const person = {
  name: 'Jimena',
  last_name: 'Rosas',
  email: 'j.rosas@trabajo.mx',
  phone: '5561204475',
  birthdate: '1996-06-22',
  promotions_on: null,
  whatsapp_on: null,
  created_on: null,
  visits: 0,
  last_visit: null,
  package: 'Diez',
  credits: 2,
  expires_on: '2026-11-30',
  frozen_on: null,
}
const match = { customer_id: 1, row: null, name: 'Jimena Rosas', why: 'Mismo teléfono', ours }

test('of two values ours stays until the other is chosen, and what is empty is filled', () => {
  const stays = (choices: ImportRow['choices'], change: Partial<typeof ours> = {}) =>
    comparedValues({ match: { ...match, ours: { ...ours, ...change } }, person, choices }).map((comparedValue) => [
      comparedValue.field,
      comparedValue.stays,
      comparedValue.why,
    ])
  expect(stays({})).toEqual([
    ['email', 'ours', null],
    ['phone', 'ours', null],
    ['birthdate', 'file', null],
  ])
  expect(stays({ email: 'file', birthdate: 'ours' }).map(([, stay]) => stay)).toEqual(['file', 'ours', 'ours'])
  expect(stays({ email: 'file' }, { has_account: true })[0]).toEqual(['email', 'ours', 'Entra con su correo: lo cambia desde su cuenta.'])
  expect(comparedValues({ match: { ...match, ours: null }, person, choices: {} })).toEqual([])
})

test('a row says apart what it completes and what it changes', () => {
  expect(addsText({ adds: ['email', 'birthdate', 'credits'], match, person, choices: { email: 'file' } })).toBe(
    'Se completa: fecha de nacimiento, clases por usar. Cambia: correo.',
  )
})

test('an answered row says what it is now, and a list how many are left', () => {
  expect(fixedText({ state: 'new', decision: null })).toBe('Corregido, ahora es nuevo.')
  expect(fixedText({ state: 'update', decision: 'merge' })).toBe('Combinado, ahora se actualiza.')
  expect(fixedText({ state: 'skipped', decision: 'skip' })).toBe('Omitido.')
  expect([fixedCount(21, 1), fixedCount(1, 3)]).toEqual(['Faltan 21 · 1 resuelto', 'Falta 1 · 3 resueltos'])
})

test('the state of a column says what was understood of it', () => {
  const column = { index: 0, name: 'X', samples: ['044 55 2210 8841'], empty: 0, locked: false }
  const view = { columns: [], packages: [], credits: 6_318, date_question: null } as unknown as ImportView
  const of = (change: Partial<ImportView['columns'][number]>, more: Partial<ImportView> = {}) =>
    columnState({ ...column, field: 'name', ...change }, { ...view, ...more })
  expect(of({})).toEqual({ tone: 'ok', text: 'Reconocida' })
  expect(of({ field: 'phone' }).text).toBe('Se quitan 01, 044, 045, 52 y 521')
  expect(of({ field: 'email', empty: 212 }).text).toBe('212 sin correo')
  expect(of({ field: 'credits' }).text).toBe('Suman 6,318')
  expect(of({ field: 'birthdate' }, { date_question: { rows: 2, sample: '03/04/94' } })).toEqual({ tone: 'ask', text: '¿Qué va primero?' })
  expect([of({ locked: true, field: null }), of({ field: null })]).toEqual([
    { tone: 'none', text: 'Nunca se importa' },
    { tone: 'none', text: 'No se importa si sigues' },
  ])
  const columns = [column, { ...column, locked: true }].map((column) => ({ ...column, field: column.locked ? null : ('name' as const) }))
  expect(columnsText({ ...view, columns })).toBe('1 de 2 columnas listas')
  expect([0, 25, 26, 51, 52].map(sheetColumn)).toEqual(['A', 'Z', 'AA', 'AZ', 'BA'])
})
