import { expect, test } from 'vitest'
import { languageStep } from './customer-language.ts'

type Facts = Parameters<typeof languageStep>[0]
const step = (over: Partial<Facts>) => languageStep({ stored: null, chosen: undefined, agreed: null, page: 'es-MX', ...over })

test('on a device that is new to the customer, the stored choice applies; without one, English chosen before the sign-in is stored (G13)', () => {
  expect(step({})).toBeNull()
  expect(step({ stored: 'en' })).toEqual({ show: 'en' })
  expect(step({ stored: 'es-MX', chosen: 'en', page: 'en' })).toEqual({ show: 'es-MX' })
  expect(step({ chosen: 'en', page: 'en' })).toEqual({ store: 'en' })
  expect(step({ stored: 'en', chosen: 'en', page: 'en' })).toBeNull()
})

test('what was chosen here since the last visit is stored; a choice on another device comes here (G13)', () => {
  expect(step({ stored: 'en', agreed: 'en', chosen: 'es-MX', page: 'es-MX' })).toEqual({ store: 'es-MX' })
  expect(step({ stored: null, agreed: 'es-MX', chosen: 'en', page: 'en' })).toEqual({ store: 'en' })
  expect(step({ stored: 'en', agreed: 'es-MX', chosen: 'es-MX', page: 'es-MX' })).toEqual({ show: 'en' })
})

test('a cookie that ended is no choice, and a language that the server does not show ends no page in a loop', () => {
  expect(step({ stored: 'en', agreed: 'en', chosen: undefined, page: 'es-MX' })).toEqual({ show: 'en' })
  expect(step({ stored: 'en', agreed: 'en', chosen: 'en', page: 'es-MX' })).toBeNull()
})
