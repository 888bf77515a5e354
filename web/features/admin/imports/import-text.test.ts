import { expect, test } from 'vitest'
import type { ImportView } from '#contract/imports.ts'
import { addsText, alikeText, currentStep, leftOut, readyText } from './import-text.ts'

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
  })
  expect(alikeText('suggestion', { alike: 7, issues: [issue('a@gmail.com')], match: null })).toBe('Corregir los 8')
  expect(alikeText('suggestion', { alike: 1, issues: [issue('')], match: null })).toBe('Dejar vacíos los 2')
  expect(alikeText('merge', { alike: 35, issues: [], match: match(null) })).toBe('Combinar los 36 con mismo teléfono')
  expect(alikeText('new', { alike: 2, issues: [], match: match(4) })).toBe('Los 3 repetidos en el archivo son otras personas')
  expect(addsText(['phone', 'credits'])).toBe('Se completa: teléfono, clases por usar.')
})
