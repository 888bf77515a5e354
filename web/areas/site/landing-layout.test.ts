import { describe, expect, test } from 'vitest'
import { defaultSettings } from '#contract/settings.ts'
import { chooseGrounds, enabledSections, tileSpans } from './landing-layout.ts'

describe('the sections of the landing page (S1-2.01)', () => {
  test('the sections of the landing page are all shown in their default order', () => {
    expect(enabledSections(defaultSettings)).toEqual([
      'hero',
      'about',
      'mission',
      'class_types',
      'coaches',
      'packages',
      'announcements',
      'schedule',
    ])
  })

  test('the location is shown where the studio switches it on', () => {
    expect(enabledSections({ ...defaultSettings, location_enabled: true }).at(-1)).toBe('location')
    expect(chooseGrounds(['schedule', 'location'])).toEqual(['canvas', 'paper'])
  })

  test('a switch removes a section, an order number moves it', () => {
    const settings = { ...defaultSettings, mission_enabled: false, landing_announcements_enabled: false, schedule_order: 2, about_order: 2 }
    expect(enabledSections(settings)).toEqual(['hero', 'about', 'schedule', 'class_types', 'coaches', 'packages'])
  })
})

test('two adjacent sections never have the same background, in any order', () => {
  const usual = enabledSections(defaultSettings)
  expect(chooseGrounds(usual)).toEqual(['stage', 'canvas', 'accent', 'canvas', 'paper', 'canvas', 'soft', 'canvas'])
  for (let turn = 0; turn < usual.length; turn++) {
    const order = [...usual.slice(turn), ...usual.slice(0, turn)].reverse()
    const grounds = chooseGrounds(order)
    for (const [at, ground] of grounds.entries()) expect(ground).not.toBe(grounds[at + 1])
  }
  expect(chooseGrounds(['about', 'class_types', 'packages'])).toEqual(['canvas', 'paper', 'canvas'])
})

test.each(Array.from({ length: 20 }, (_, at) => at + 1))('%i tiles fill whole rows of twelve columns', (count) => {
  const spans = tileSpans(count)
  expect(spans).toHaveLength(count)
  let row = 0
  for (const span of spans) {
    row += span
    expect(row).toBeLessThanOrEqual(12)
    if (row === 12) row = 0
  }
  expect(row).toBe(0)
})
