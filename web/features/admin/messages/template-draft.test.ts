import { expect, it } from 'vitest'
import { filledSample, withVariable } from './template-draft.ts'

it('a sample fills what it knows, in one pass', () => {
  const sample = { name: 'Ana', values: { nombre: '{{clase}}', clase: 'Barre' } }
  expect(filledSample('Hola {{ nombre }}: {{clase}} {{otra}}', sample)).toBe('Hola {{clase}}: Barre {{otra}}')
})

it('a variable takes the place of the selection', () => {
  expect(withVariable('Hola Ana.', { start: 5, end: 8 }, 'nombre')).toEqual({ text: 'Hola {{nombre}}.', cursor: 15 })
})
