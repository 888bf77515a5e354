import { expect, test } from 'vitest'
import type { ImportView } from '#contract/imports.ts'
import { leftOut, stepOf } from './import-text.ts'

const view = (more: Partial<ImportView>) => ({ state: 'draft', file_name: 'c.csv', counts: {}, ...more }) as ImportView

test('the step is the one that was asked for, where the import allows it', () => {
  expect(stepOf(view({ file_name: null }), 'revision')).toBe('archivo')
  expect(stepOf(view({}), null)).toBe('columnas')
  expect(stepOf(view({}), 'valores')).toBe('valores')
  expect(stepOf(view({}), 'importar')).toBe('revision')
  expect(stepOf(view({ state: 'running' }), 'columnas')).toBe('importar')
})

test('errors and undecided duplicates stay out', () => {
  expect(leftOut(view({ counts: { new: 3, error: 2, duplicate: 1, skipped: 4 } }))).toBe(3)
})
