/** When the automatic messages are sent, in words. */
import { expect, test } from 'vitest'
import { AUTOMATIC_EVENTS } from '#contract/channels.ts'
import { defaultSettings } from '#contract/settings.ts'
import { AUTOMATIC_GROUPS, groupOfMessage, sendingTime } from './automatic-messages.ts'

test('the times of the settings are in the sentence, one and many (M11)', () => {
  const times = { reminder_hours: 3, credit_notice_days: 1, renewal_notice_days: 5 }
  expect(sendingTime('reservation_reminder', times)).toBe('3 horas antes de la clase')
  expect(sendingTime('reservation_reminder', { ...times, reminder_hours: 1 })).toBe('1 hora antes de la clase')
  expect(sendingTime('credit_expiring', times)).toBe('1 día antes de que venzan')
  expect(sendingTime('renewal_notice', times)).toBe('5 días antes de renovar')
})

test('every automatic message has a group and a sentence of its own, and no group is empty', () => {
  const sentences = AUTOMATIC_EVENTS.map((event) => sendingTime(event, defaultSettings))
  expect(new Set(sentences).size).toBe(AUTOMATIC_EVENTS.length)
  for (const group of AUTOMATIC_GROUPS) expect(AUTOMATIC_EVENTS.some((event) => groupOfMessage(event) === group)).toBe(true)
})
