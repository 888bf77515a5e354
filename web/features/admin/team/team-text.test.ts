import { expect, test } from 'vitest'
import { rightKeys } from '#contract/rights.ts'
import { changesText, hasRight, RIGHT_GROUPS, reasonText, withRight } from './team-text.ts'

test('every right is in exactly one group', () => {
  expect(RIGHT_GROUPS.flatMap(({ keys }) => keys).sort()).toEqual([...rightKeys].sort())
})

test('giving and taking a right lists only what differs from the role', () => {
  const reception = { role: 'reception' as const, rights_added: [], rights_removed: [] }
  const refunds = withRight(reception, 'sales.refund', true)
  expect([refunds.rights_added, hasRight(refunds, 'sales.refund'), reasonText(refunds, 'sales.refund')]).toEqual([
    ['sales.refund'],
    true,
    'Agregado',
  ])
  expect(withRight(refunds, 'sales.refund', false)).toEqual(reception)
  const noSales = withRight(reception, 'sales.sell', false)
  expect([noSales.rights_removed, hasRight(noSales, 'sales.sell'), reasonText(noSales, 'sales.sell')]).toEqual([
    ['sales.sell'],
    false,
    'Quitado',
  ])
  expect(withRight(noSales, 'sales.sell', true)).toEqual(reception)
  expect([changesText(reception), changesText(withRight(refunds, 'sales.sell', false))]).toEqual([null, '+1 permiso, −1 permiso'])
})
