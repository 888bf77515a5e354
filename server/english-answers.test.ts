/** The API answers pages in English in their language, where the studio offers it. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, JSON_BODY, type Target, target } from '#server/testing/target.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const refusal = async (headers: Record<string, string>, path = '/api/class_reservations/999999') => {
  const { status, text } = await t.send({ method: 'GET', path, headers: { ...bearer(t.people.ana.token), ...headers } })
  const { code, message } = JSON.parse(text)
  return { status, code, message }
}
const SPANISH = 'No encontramos esa reservación.'

test('in Spanish until the studio offers English, and then in the language of the page', async () => {
  const english = { 'x-language': 'en', 'accept-encoding': 'identity' }
  expect((await refusal(english)).message).toBe(SPANISH)
  const body = { settings: [{ key: 'languages', value: 'es-MX,en' }] }
  const headers = { ...bearer(t.people.owner.token), ...JSON_BODY }
  expect((await t.send({ method: 'PUT', path: '/api/appconfig', headers, body: JSON.stringify(body) })).status).toBe(200)

  expect(await refusal(english)).toEqual({ status: 404, code: 'RESERVATION_NOT_FOUND', message: 'We couldn’t find that booking.' })
  expect((await refusal({})).message).toBe(SPANISH)
  // The language of the browser chooses nothing, nor does one that there is not.
  expect((await refusal({ 'accept-language': 'en-US' })).message).toBe(SPANISH)
  expect((await refusal({ 'x-language': 'fr' })).message).toBe(SPANISH)
  expect((await refusal(english, '/api/nothing')).message).toBe('We couldn’t find what you’re looking for.')
})

test('responses that are cached for all callers stay unchanged', async () => {
  const path = '/api/class_packages'
  const textOf = async (headers: Record<string, string>) => (await t.send({ method: 'GET', path, headers })).text
  const before = await textOf({})
  await textOf({ 'x-language': 'en' })
  expect(await textOf({})).toBe(before)
})
