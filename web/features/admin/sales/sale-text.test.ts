import { expect, test } from 'vitest'
import { purchaseVerbs } from './purchase-verbs.tsx'
import { refundable } from './refund-dialog.tsx'
import { orderNumber, sumText } from './sale-text.ts'

test('the number of an order has six digits, and sums are grouped however large they are', () => {
  expect(orderNumber(1284)).toBe('#001284')
  expect([sumText('1707019.00'), sumText('290.50'), sumText('-1000.00')]).toEqual(['$1,707,019.00', '$290.50', '-$1,000.00'])
})

test('only what was taken and not given back can be given back', () => {
  const invoice = { total_payment: '500.00', refunded: '120.50' }
  expect(refundable({ ...invoice, status: 'partially_refunded' })).toBe(37_950)
  expect(refundable({ ...invoice, status: 'disputed' })).toBe(0)
})

test('a purchase offers what its state allows', () => {
  const one = { subscription_id: null, paused: false, voucher: null }
  expect(purchaseVerbs({ ...one, status: 'pending' })).toEqual(['paid', 'revoke'])
  expect(purchaseVerbs({ ...one, status: 'completed' })).toEqual(['revoke'])
  expect(purchaseVerbs({ ...one, status: 'active', subscription_id: 's', paused: true })).toEqual(['resume', 'revoke'])
  expect(purchaseVerbs({ ...one, status: 'revoked' })).toEqual([])
})
