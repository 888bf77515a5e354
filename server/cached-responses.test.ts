/** Cached responses for visitors (`madeFrom` in the contract) equal those of the endpoint, and its refusals. */
import { afterAll, beforeAll, expect, test } from 'vitest'
import { bearer, JSON_BODY, refusedAs, type Target, target } from './testing/target.ts'
import { endpoints } from './testing/wire.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const cachedEndpoints = endpoints().filter((endpoint) => endpoint.madeFrom)
const get = (path: string, headers: Record<string, string> = {}) => t.send({ method: 'GET', path, headers })

test('caches only public endpoints that read', () => {
  expect(cachedEndpoints.length).toBeGreaterThan(10)
  for (const cachedEndpoint of cachedEndpoints)
    expect([cachedEndpoint.method, ['public', 'optional']], cachedEndpoint.name).toEqual([
      'GET',
      expect.arrayContaining([cachedEndpoint.access]),
    ])
})

test('caches every list: the second visitor gets the same bytes, or 304', async () => {
  for (const cachedEndpoint of cachedEndpoints.filter(({ params }) => params.length === 0)) {
    const path = `/api${cachedEndpoint.path}`
    const first = await get(path)
    expect(first.status, path).toBe(200)
    const { etag } = first.headers
    expect(etag, path).toBeTruthy()
    expect((await get(path)).text, path).toBe(first.text)
    expect((await get(path, { 'if-none-match': String(etag) })).status, path).toBe(304)
    expect(first.headers['x-content-type-options'], path).toBe('nosniff')
  }
})

test('requests with a token never get a cached response', async () => {
  for (const cachedEndpoint of cachedEndpoints.filter(({ params }) => params.length === 0)) {
    const answer = await get(`/api${cachedEndpoint.path}`, bearer(t.people.ana.token))
    expect([answer.status, answer.headers.etag, answer.headers['cache-control']], cachedEndpoint.path).toEqual([200, undefined, 'no-store'])
  }
})

test('only the endpoint’s own query keys distinguish responses', async () => {
  const days = 'start_date=2026-11-19&end_date=2026-11-20'
  const [first, more, other] = await Promise.all(
    [days, `utm_source=ig&${days}`, 'start_date=2026-11-19&end_date=2026-11-21'].map((query) => get(`/api/single_class?${query}`)),
  )
  expect(more?.text).toBe(first?.text)
  expect(JSON.parse(other?.text ?? '').end_date).toBe('2026-11-21')
})

test('a changed setting reaches visitors at once (G1)', async () => {
  const today = async () => JSON.parse((await get('/api/single_class')).text).today as string
  const change = async (timezone: string) => {
    const body = JSON.stringify({ settings: [{ key: 'timezone', value: timezone }] })
    const headers = { ...bearer(t.people.owner.token), ...JSON_BODY }
    expect((await t.send({ method: 'PUT', path: '/api/appconfig', headers, body })).status).toBe(200)
  }
  // 25 hours lie between the two: it is never the same day in both.
  await change('Pacific/Pago_Pago')
  const west = await today()
  await change('Pacific/Kiritimati')
  expect(await today()).not.toBe(west)
  await change('Pacific/Pago_Pago')
  expect(await today()).toBe(west)
  await change('America/Mexico_City')
})

test('unknown records are refused with their message, also next to cached ones', async () => {
  for (const path of ['/class_packages/99999', '/class_packages/nada/nada', '/instructors/1/2', '/pages/no-hay'])
    expect((await get(`/api${path}`)).status, path).toBe(404)
  for (const path of ['/class_packages/99999', '/class_packages/nada/nada', '/locations/1', '/pages/no-hay', '/pages/%00', '/pages/%zz'])
    await refusedAs(null, get(`/api${path}`), path)
})
