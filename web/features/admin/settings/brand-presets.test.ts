/** The presets are complete themes that the settings accept, and keep their own colours in texts and grounds. */
import { expect, test } from 'vitest'
import { colourUses } from '#contract/color.ts'
import { type SettingKey, settings } from '#contract/settings.ts'
import { BRAND_PRESETS } from './brand-presets.ts'

test.each(BRAND_PRESETS)('$name', ({ theme }) => {
  for (const [key, value] of Object.entries(theme)) expect(settings[key as SettingKey].schema.safeParse(value).success).toBe(true)
  const moved = colourUses(theme).filter(({ key, replaced }) => replaced && key !== 'accent' && key !== 'primary')
  expect(moved).toEqual([])
})
