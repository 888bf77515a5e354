import { expect, test } from 'vitest'
import type { FormField } from '#contract/forms.ts'
import { conditionText, formProblem, formVersions, newFieldKey, parseOptions, withField, withOrder, withoutField } from './form-draft.ts'

const field = (key: string, more: Partial<FormField> = {}): FormField => ({
  key,
  label: key,
  type: 'text',
  required: false,
  step: 1,
  order: 0,
  options: [],
  precondition: null,
  ...more,
})
const keys = (fields: readonly FormField[]) => fields.map(({ key, step }) => `${key}${step}`)

test('a key comes from its label and is the only one', () => {
  expect(newFieldKey('¿Tienes una lesión?', [])).toBe('tienes_una_lesion')
  expect(newFieldKey('Lesión', ['lesion', 'lesion_2'])).toBe('lesion_3')
  expect(newFieldKey('123', [])).toBe('campo')
})

test('a moved field takes the step of its new place; a changed step sorts it there', () => {
  const fields = [field('a'), field('b'), field('c', { step: 2 })]
  expect(keys(withOrder(fields, [field('a'), field('c', { step: 2 }), field('b')], 2))).toEqual(['a1', 'c2', 'b2'])
  expect(keys(withField(fields, 'a', { step: 2 }))).toEqual(['b1', 'a2', 'c2'])
})

test('a removed field takes the conditions on it along (F1)', () => {
  const fields = [field('lesion', { type: 'boolean', label: 'Lesión' }), field('cual', { precondition: { key: 'lesion', value: true } })]
  expect(conditionText(fields[1] as FormField, fields)).toBe('Solo si Lesión = Sí')
  expect(withoutField(fields, 'lesion')).toEqual([field('cual')])
})

test('options keep the values that answers were stored with', () => {
  const before = [{ value: 2, label: 'Mediana' }]
  expect(parseOptions('Chica\n Mediana \n\nChica', before)).toEqual([
    { value: 'Chica', label: 'Chica' },
    { value: 2, label: 'Mediana' },
  ])
})

test('names what is missing', () => {
  expect(formProblem({ name: ' ', fields: [] })).toBe('Escribe el nombre del formulario.')
  expect(formProblem({ name: 'Salud', fields: [field('talla', { type: 'select', label: 'Talla' })] })).toBe(
    'Escribe las opciones de “Talla”.',
  )
  expect(formProblem({ name: 'Salud', fields: [field('a')] })).toBeNull()
})

test('two versions of a form differ by name, by fields in words, and by order', () => {
  const [a, b] = [field('a', { label: 'Talla', type: 'text' }), field('b', { label: 'Lesión', type: 'text' })]
  const theirs = { name: 'Salud', fields: [a, { ...b, required: true }] }
  const mine = { name: 'Salud 2', fields: [b, a, field('c', { label: 'Meta', type: 'text' })] }
  expect(formVersions(theirs, theirs)).toEqual([])
  expect(formVersions(theirs, mine)).toEqual([
    { label: 'Nombre', theirs: 'Salud', mine: 'Salud 2' },
    { label: 'Lesión', theirs: 'Lesión · Texto corto · Paso 1 · Obligatorio', mine: 'Lesión · Texto corto · Paso 1' },
    { label: 'Meta', theirs: '', mine: 'Meta · Texto corto · Paso 1' },
    { label: 'Campos', theirs: 'Talla, Lesión', mine: 'Lesión, Talla, Meta' },
  ])
})
