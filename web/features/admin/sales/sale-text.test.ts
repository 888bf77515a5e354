import { expect, test } from 'vitest'
import { orderNumber } from '#contract/copy/order-number.ts'
import type { Staff } from '#web/features/admin/frame/staff.tsx'
import { purchaseVerbs } from './purchase-verbs.tsx'
import { refundable } from './refund-dialog.tsx'
import { invoiceStatusText, refundConsequences, sumText } from './sale-text.ts'

test('the number of an order has six digits, and sums are grouped at any size', () => {
  expect(orderNumber(1284)).toBe('#001284')
  expect([sumText('1707019.00'), sumText('290.50'), sumText('-1000.00')]).toEqual(['$1,707,019.00', '$290.50', '-$1,000.00'])
})

test('a lost charge says how much a bank took, where that is a part of what was left', () => {
  const charge = (lost: string, refunded = '0.00') =>
    ({ status: 'lost', total_payment: '2190.00', lost, refunded }) as Parameters<typeof invoiceStatusText>[0]
  expect(invoiceStatusText(charge('300.50'))).toBe('Perdido: $300.50')
  expect([invoiceStatusText(charge('2190.00')), invoiceStatusText(charge('190.00', '2000.00'))]).toEqual(['Perdido', 'Perdido'])
  expect(invoiceStatusText({ ...charge('0.00'), status: 'paid' })).toBe('Cobrado')
})

test('only charged and not yet refunded money can be refunded', () => {
  const invoice = { total_payment: '500.00', refunded: '120.50' }
  expect(refundable({ ...invoice, status: 'partially_refunded' })).toBe(37_950)
  expect(refundable({ ...invoice, status: 'disputed' })).toBe(0)
})

test('a purchase offers what its state and the rights of the staff member allow', () => {
  const purchase = { subscription_id: null, paused: false, past_due: false, can_change_card: false, can_change_plan: false }
  const desk: Staff = { name: 'Diego', role: 'reception', rights: ['sales.sell', 'credits.edit', 'subscriptions.edit'] }
  const verbs = (of: Partial<Parameters<typeof purchaseVerbs>[0]>, staff = desk) =>
    purchaseVerbs({ ...purchase, status: 'active', ...of }, staff)
  expect(verbs({ status: 'pending' })).toEqual(['paid', 'revoke'])
  expect(verbs({ status: 'completed' })).toEqual(['revoke'])
  expect(verbs({ status: 'completed', can_change_plan: true })).toEqual(['plan', 'revoke'])
  const subscription = { subscription_id: 's', can_change_card: true }
  expect(verbs(subscription)).toEqual(['pause', 'link', 'cancel', 'revoke'])
  expect(verbs({ ...subscription, can_change_plan: true })).toEqual(['pause', 'link', 'plan', 'cancel', 'revoke'])
  expect(verbs({ ...subscription, can_change_plan: true }, { ...desk, rights: ['subscriptions.edit'] })).not.toContain('plan')
  expect(verbs({ ...subscription, paused: true })).toEqual(['resume', 'link', 'cancel', 'revoke'])
  expect(verbs({ ...subscription, past_due: true })).toEqual(['retry', 'link', 'cancel', 'revoke'])
  expect(verbs({ status: 'revoked' })).toEqual([])
  expect(verbs({ status: 'pending' }, { ...desk, rights: ['sales.sell'] })).toEqual(['paid'])
  expect(verbs(subscription, { ...desk, rights: ['sales.sell'] })).toEqual([])
})

test('a refund says by which way the money goes back and what it takes', () => {
  const ana = { name: 'Ana', hasClasses: true }
  const none = { revokes: false, credits: 0, unlimited: false, class_reservations: 0, pieces: 0, subscription: null, cash_session_id: null }
  expect(refundConsequences({ ...none, amount: '500.00', to: 'Visa 4242', by: 'processor', left: '1690.00' }, ana)).toEqual([
    'Se devuelven $500.00 a Visa 4242 en 5 a 10 días; conserva sus clases.',
    'Quedan $1,690.00 de ese cobro.',
    'No se puede deshacer.',
  ])
  const water = { ...none, amount: '30.00', to: 'Efectivo', by: 'till' as const, left: '0.00' }
  expect(refundConsequences(water, { ...ana, hasClasses: false })[0]).toBe('$30.00 salen de la caja: Efectivo; conserva lo que compró.')
  const all = { ...none, revokes: true, credits: 1, class_reservations: 2, subscription: 'continues' as const }
  expect(refundConsequences({ ...all, amount: '90.00', to: 'Efectivo', by: 'till', left: '0.00' }, ana)).toEqual([
    '$90.00 salen de la caja: Efectivo.',
    'Ana pierde 1 clase sin usar y 2 reservaciones por venir.',
    'La suscripción se sigue cobrando.',
    'No se puede deshacer.',
  ])
})
