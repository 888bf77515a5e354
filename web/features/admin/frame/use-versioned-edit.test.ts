import { expect, test } from 'vitest'
import { mergeEdit } from './use-versioned-edit.ts'

const base = { title: 'Diez', price: '100', days: [1, 3] as readonly number[], photo: { src: 'a', crop: null as string | null } }

test('their version keeps what only they changed, and gets what was edited', () => {
  const theirs = { ...base, price: '120', days: [2] }
  expect(mergeEdit(base, { ...base, title: 'Once' }, theirs)).toEqual({ ...theirs, title: 'Once' })
  expect(mergeEdit(base, { ...base, title: 'Once', price: '90' }, theirs)).toEqual({ ...theirs, title: 'Once', price: '90' })
  expect(mergeEdit(base, base, theirs)).toEqual(theirs)
})

test('an object or a list is taken whole, from one side', () => {
  const theirs = { ...base, photo: { src: 'b', crop: 'c' }, days: [5, 6] }
  expect(mergeEdit(base, { ...base, photo: { src: 'd', crop: null } }, theirs).photo).toEqual({ src: 'd', crop: null })
  expect(mergeEdit(base, { ...base, photo: { ...base.photo } }, theirs).photo).toEqual({ src: 'b', crop: 'c' })
  expect(mergeEdit(base, { ...base, days: [1, 3] }, theirs).days).toEqual([5, 6])
})
