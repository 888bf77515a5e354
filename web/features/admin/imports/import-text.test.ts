import { expect, test } from 'vitest'
import type { ImportView } from '#contract/imports.ts'
import { currentStep, leftOut } from './import-text.ts'

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
