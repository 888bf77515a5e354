import { expect, test } from 'vitest'
import { NEW_DRAFT } from './package-draft.ts'
import { packageVersions } from './package-versions.ts'

const DRAFT = { ...NEW_DRAFT, title: 'Diez', price: '2450.00', class_amount: '10', expiration_days: '60' }
const versions = (change: Partial<typeof NEW_DRAFT>) =>
  packageVersions(DRAFT, { ...DRAFT, ...change }, { locations: new Map(), types: new Map() })

test('two versions of a package that differ in a text or a switch show that text or switch, not two equal sentences', () => {
  expect(versions({ short_description: 'El ritmo de casi todos.', is_home: !DRAFT.is_home })).toEqual([
    { label: 'Frase', theirs: '—', mine: 'El ritmo de casi todos.' },
    { label: 'En la portada', theirs: DRAFT.is_home ? 'Sí' : 'No', mine: DRAFT.is_home ? 'No' : 'Sí' },
  ])
})

test('what the sentence says is shown in the sentence of each version', () => {
  const [price, ...others] = versions({ price: '1100.00' })
  expect(others).toEqual([])
  expect(price?.label).toBe('Cambia: precio')
  expect([price?.theirs, price?.mine]).toEqual([expect.stringContaining('$2,450.00'), expect.stringContaining('$1,100.00')])
})

test('equal versions have no lines', () => {
  expect(versions({})).toEqual([])
})
