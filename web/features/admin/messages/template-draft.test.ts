import { expect, it } from 'vitest'
import { filledSample } from './template-draft.ts'

it('a sample fills what it knows, in one pass', () => {
  const sample = { name: 'Ana', values: { nombre: '{{clase}}', clase: 'Barre' } }
  expect(filledSample('Hola {{ nombre }}: {{clase}} {{otra}}', sample)).toBe('Hola {{clase}}: Barre {{otra}}')
})
