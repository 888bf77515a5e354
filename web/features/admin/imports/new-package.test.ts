import { expect, test } from 'vitest'
import { classesInName, draftOf, draftProblem } from './new-package.ts'

test('the name of a package says how many classes it gives', () => {
  expect(['10 CLASES', 'Paquete 8', 'Mensual ilimitado', 'UNLIMITED 30', 'Suelta', '0 clases', '2026 promo'].map(classesInName)).toEqual([
    10,
    8,
    -1,
    -1,
    null,
    null,
    null,
  ])
})

test('a new package needs a price, classes and days', () => {
  const draft = draftOf('10 clases')
  expect(draft).toEqual({ title: '10 clases', price: '', isUnlimited: false, classes: '10', days: '30' })
  expect(draftProblem(draft)).toContain('precio')
  expect(draftProblem({ ...draft, price: '1790.00' })).toBeNull()
  expect(draftProblem({ ...draft, price: '1790', classes: '' })).toContain('cuántas clases')
  expect(draftProblem({ ...draft, price: '1790', classes: '', isUnlimited: true })).toBeNull()
  expect(draftProblem({ ...draft, price: '1790', days: '0' })).toContain('vence')
})
