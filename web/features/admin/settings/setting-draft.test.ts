/** Drafts of settings: what a typed text means, what is wrong with it, what is sent. */
import { describe, expect, test } from 'vitest'
import type { EditedSetting } from '#contract/content.ts'
import { infoOf } from '#contract/setting-help.ts'
import { defaultSettings, type SettingKey } from '#contract/settings.ts'
import { hasEffect, isFound, readTyped, type SettingsDraft, toTyped, validateChanges, valueText, withTyped } from './setting-draft.ts'

const setting = (key: SettingKey, value: unknown = defaultSettings[key]): EditedSetting =>
  ({ key, value, default: defaultSettings[key], public: true, changed_at: null, changed_by: null, ...infoOf(key) }) as EditedSetting
const mapOf = (...all: EditedSetting[]) => new Map(all.map((row) => [row.key, row]))

describe('what a typed text means', () => {
  test('numbers in their limits, empty ones where none is allowed', () => {
    const minutes = setting('waitlist_offer_minutes')
    expect(readTyped(minutes, '45')).toEqual({ value: 45 })
    expect(readTyped(minutes, ' 1,440 ')).toEqual({ value: 1_440 })
    for (const text of ['', '4', '1441', '10.5', 'diez'])
      expect(readTyped(minutes, text)).toEqual({ problem: 'Escribe un número entero de 5 a 1,440.' })
    expect(readTyped(setting('cancel_timeframe_value'), '')).toEqual({ value: null })
    expect(readTyped(setting('tax_rate'), '8.25')).toEqual({ value: 8.25 })
  })

  test('a telephone without its spaces, a choice of nothing, the configuration of Google as it is copied', () => {
    expect(readTyped(setting('whatsapp'), '55 4821 7390')).toEqual({ value: '5548217390' })
    expect(readTyped(setting('signup_form_id'), '')).toEqual({ value: null })
    const copied = 'const firebaseConfig = {\n  apiKey: "AIza-1",\n  projectId: "vaiven",\n};'
    expect(readTyped(setting('firebaseConfig'), copied)).toEqual({ value: { apiKey: 'AIza-1', projectId: 'vaiven' } })
    expect(readTyped(setting('firebaseConfig'), 'hola')).toEqual({ problem: 'Pega la configuración tal como la muestra Google.' })
  })
})

test('a draft stores the value that it was changed from, and drops a field that is set back to it', () => {
  const first = setting('undo_minutes', 5)
  const draft = withTyped({}, first, '9')
  expect(draft).toEqual({ undo_minutes: { typed: '9', base: 5 } })
  // Another person's change arrives with a reload: the base stays the value that was read.
  const typedOn = withTyped(draft, setting('undo_minutes', 7), '10')
  expect(validateChanges(mapOf(setting('undo_minutes', 7)), typedOn).changes).toEqual([{ key: 'undo_minutes', value: 10, if_value: 5 }])
  expect(withTyped(draft, first, '5')).toEqual({})
})

test('what cannot be read is named by its key, and the rest is not sent without it', () => {
  const [rate, name] = [setting('tax_rate'), setting('business_name')]
  const draft: SettingsDraft = { tax_rate: { typed: '101', base: 16 }, business_name: { typed: 'Vaivén', base: 'Estudio' } }
  expect(validateChanges(mapOf(rate, name), draft)).toEqual({
    changes: [{ key: 'business_name', value: 'Vaivén', if_value: 'Estudio' }],
    problems: { tax_rate: 'Escribe un número de 0 a 100.' },
  })
})

test('every setting is shown and read back as it is', () => {
  for (const key of Object.keys(defaultSettings) as SettingKey[]) {
    const row = setting(key)
    expect({ key, ...readTyped(row, toTyped(row, row.value)) }).toEqual({ key, value: row.value })
  }
})

test('values are shown in words, and found by them', () => {
  expect(valueText(setting('reminder_hours'), 12)).toBe('12 horas')
  expect(valueText(setting('theme_mode'), 'noche')).toBe('Noche')
  expect(valueText(setting('allow_class_guests'), true)).toBe('Sí')
  expect(valueText(setting('cancel_timeframe_value'), null)).toBe('Sin valor')
  expect(isFound(setting('reminder_hours'), '12 horas')).toBe(true)
  expect(isFound(setting('reminder_hours'), 'recuerd')).toBe(true)
  expect(isFound(setting('reminder_hours'), '13 horas')).toBe(false)
  expect(isFound(setting('cancel_timeframe_value'), 'LÍMITE canc')).toBe(true)
})

test('a setting has no effect without the value that it depends on', () => {
  const minutes = setting('waitlist_offer_minutes')
  expect(hasEffect(minutes, { waitlist_mode: 'oferta' })).toBe(true)
  expect(hasEffect(minutes, { waitlist_mode: 'todos' })).toBe(false)
})
