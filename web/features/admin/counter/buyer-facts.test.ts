import { expect, it } from 'vitest'
import { creditsText } from './buyer-facts.tsx'

const none = { available: 0, has_unlimited: false, unlimited_membership_expiration: null, next_expiration: null }
const day = '2026-11-20T23:59:59.000Z'

it('says what the buyer still has and until when', () => {
  expect(creditsText(none)).toBe('Sin clases')
  expect(creditsText({ ...none, available: 1 })).toBe('Le queda 1 clase')
  expect(creditsText({ ...none, available: 1, next_expiration: day })).toMatch(/^Le queda 1 clase, vence el .*20/)
  expect(creditsText({ ...none, available: 4, next_expiration: day })).toMatch(/^Le quedan 4 clases, la primera vence el .*20/)
  expect(creditsText({ ...none, has_unlimited: true })).toBe('Ilimitado')
  expect(creditsText({ ...none, available: 4, has_unlimited: true, unlimited_membership_expiration: day })).toMatch(
    /^Ilimitado hasta el .*20/,
  )
})
