import { expect, test } from 'vitest'
import { AUTOMATION_AGAIN_DAYS, AUTOMATION_HOURS, type Automation } from '#contract/automations.ts'
import { BROADCAST_TEXT_MAX, BROADCAST_WHATSAPP_MAX } from '#contract/broadcasts.ts'
import { CUSTOMER_STATES } from '#contract/copy/customer-list.ts'
import { automationChanges, automationProblems, HOURS, TEXTS_OF_STATE, toDraft } from './automation-draft.ts'

const stored: Automation = {
  automation_id: 3,
  customer_state: 'at_risk',
  channels: ['mail'],
  subject: 'Hola',
  text: 'Vuelve',
  button: 'none',
  hour: 10,
  again_after_days: 60,
  enabled: true,
  by: 'Mónica',
  updatedAt: '2026-11-26T12:00:00Z',
  reached: 0,
  left_out: 0,
  last_at: null,
  stopped_because: null,
}

test('the limits of the form are those of the contract', () => {
  expect([HOURS.at(0), HOURS.at(-1)]).toEqual([AUTOMATION_HOURS.from, AUTOMATION_HOURS.to])
  const draft = toDraft(stored)
  const { from, to } = AUTOMATION_AGAIN_DAYS
  for (const [again, isRight] of [
    [from - 1, false],
    [from, true],
    [to, true],
    [to + 1, false],
  ] as const)
    expect(automationProblems({ ...draft, again: String(again) }).again === undefined).toBe(isRight)
  const long = { ...draft, text: 'x'.repeat(BROADCAST_WHATSAPP_MAX + 1) }
  expect(automationProblems(long).text).toBeUndefined()
  expect(automationProblems({ ...long, channels: ['mail', 'whatsapp'] }).text).toMatch(/Caben 300/)
  expect(automationProblems({ ...draft, text: 'x'.repeat(BROADCAST_TEXT_MAX + 1) }).text).toMatch(/Caben 3,000/)
  expect(automationProblems({ ...draft, channels: [], subject: ' ', text: ' ', again: '3x' })).toEqual({
    channels: 'Elige por dónde.',
    subject: 'Escribe el asunto.',
    text: 'Escribe el mensaje.',
    again: 'Escribe de 7 a 365 días.',
  })
})

test('the proposed words of every state can be sent by WhatsApp', () => {
  for (const state of CUSTOMER_STATES)
    expect(automationProblems({ ...toDraft(null), ...TEXTS_OF_STATE[state], channels: ['whatsapp'] }), state).toEqual({})
})

test('only what is different is sent', () => {
  expect(automationChanges(stored, toDraft(stored))).toEqual({ automation_id: 3, if_updatedAt: stored.updatedAt })
  expect(automationChanges(stored, { ...toDraft(stored), again: '90', channels: ['mail', 'app'] })).toEqual({
    automation_id: 3,
    if_updatedAt: stored.updatedAt,
    again_after_days: 90,
    channels: ['mail', 'app'],
  })
  expect(automationChanges(null, toDraft(null))).toMatchObject({ customer_state: 'at_risk', channels: ['mail', 'app'], enabled: true })
})
