/**
 * Thousands of reproducible random requests: never a 5xx, always a code and a Spanish message, and a refusal writes nothing. The endpoints
 * come from the contract, so new ones are attacked automatically.
 */
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { findBrokenInvariants } from '#server/testing/invariants.ts'
import type { Person } from '#server/testing/studio.ts'
import { bearer, JSON_BODY, pathOf, refusedAs, type Target, target } from '#server/testing/target.ts'
import { endpoints, type RawRequest } from '#server/testing/wire.ts'

const SEED = 20_261_119

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const hostile = fc.constantFrom<unknown>(
  null,
  true,
  false,
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  -1,
  0,
  0.5,
  -0,
  1e308,
  2 ** 31,
  2 ** 53,
  -(2 ** 63),
  '1e3',
  '0x10',
  '９',
  'NaN',
  [],
  [1],
  [[1]],
  {},
  { id: {} },
  { id: [1] },
  { $gt: 0 },
  'constructor',
  '__proto__',
  '2026-02-30',
  '2026-13-01',
  '%00',
  '\ud800',
  "';drop table customer;--",
  '../../etc/passwd',
  '\u202eabc',
  '🧘🏽‍♀️',
  'x'.repeat(5_000),
  '<script>alert(1)</script>',
  '99-99',
  '0-0',
  'tok_nada',
)
const meant = (field: string) => fc.constantFrom(...(t.known[field] ?? [1]), 2_147_483_647) as fc.Arbitrary<unknown>
const valueFor = (field: string) =>
  fc.oneof(
    { weight: 5, arbitrary: meant(field) },
    { weight: 4, arbitrary: hostile },
    { weight: 2, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<unknown> },
  )
const written = (value: unknown) => encodeURIComponent(String(typeof value === 'object' ? JSON.stringify(value) : value).toWellFormed())

/** A random request to an endpoint by one of the persons, partly valid. */
const request = (people: (Person | null)[]) =>
  fc.constantFrom(...endpoints()).chain((endpoint) =>
    fc
      .record({
        who: fc.constantFrom(...people),
        params: fc.record(
          Object.fromEntries(endpoint.params.map((param) => [param, fc.oneof(valueFor(param), fc.string({ unit: 'binary' }))])),
        ),
        input: fc.record(
          Object.fromEntries([...endpoint.fields, 'customer_id', 'uid', 'price', 'status'].map((field) => [field, valueFor(field)])),
          { requiredKeys: [] },
        ),
        wrapped: fc.constantFrom('not', 'not', 'not', 'not', 'in a list', 'twice'),
        key: fc.option(fc.constantFrom('una', 'dos', 'tres'), { freq: 3 }),
      })
      .map(({ who, params, input, wrapped, key }) => {
        const path = pathOf(endpoint, (param) => written((params as Record<string, unknown>)[param]))
        const query = Object.entries(input).map(([field, value]) => `${field}=${written(value)}`)
        const body = JSON.stringify(wrapped === 'in a list' ? [input] : wrapped === 'twice' ? JSON.stringify(input) : input)
        const request: RawRequest = {
          method: endpoint.method,
          path: endpoint.method === 'GET' && query.length ? `${path}?${query.join('&')}` : path,
          headers: { ...JSON_BODY, ...(who ? bearer(who.token) : {}), ...(key ? { 'idempotency-key': key } : {}) },
          body: endpoint.method === 'GET' ? undefined : body,
        }
        return request
      }),
  )

/** What was logged as a failure of ours since then. */
const failures = (since: number) => t.s.logged.slice(since).filter((line) => JSON.parse(line).level === 'error')

// Slow: some thousands of requests.
test('the API: never a 5xx, always a code and a Spanish sentence, and a refusal writes nothing', { timeout: 300_000 }, async () => {
  const { ana, eva, fresh, coach, owner } = t.people
  let [requests, accepted, untouched] = [0, 0, 0]
  await fc.assert(
    fc.asyncProperty(
      fc.array(request([null, ana, ana, ana, eva, fresh, coach, owner, owner]), { minLength: 20, maxLength: 20 }),
      async (batch) => {
        // So that limits do not hide what lies behind them.
        await t.s.sql('delete from throttle')
        // The tables before the request; null: to be read again. An accepted GET may write as well: the address of a calendar feed is made
        // at its first reading.
        let before: Record<string, string> | null = null
        for (const input of batch) {
          before ??= await t.written()
          const answer = await t.send(input)
          requests++
          const note = `${input.method} ${input.path} ${input.body ?? ''}`
          if (answer.status >= 400) await refusedAs(null, answer, note)
          else accepted++
          if (input.method === 'GET') {
            // A refused one must not write: the next comparison starts from what was there before it.
            if (answer.status < 400) before = null
            continue
          }
          const after = await t.written()
          // A decline writes to its purchase; every other refusal leaves the tables unchanged.
          if (answer.status >= 400 && answer.status !== 402 && JSON.parse(answer.text).code !== 'PAYMENT_IN_PROGRESS') {
            expect(after, note).toEqual(before)
            untouched++
          }
          before = after
        }
      },
    ),
    { seed: SEED, numRuns: 250, endOnFailure: true },
  )
  // Mostly nonsense, but not only: otherwise nothing behind the first check was tried.
  expect(requests).toBe(5_000)
  expect(untouched).toBeGreaterThan(1_000)
  expect(accepted).toBeGreaterThan(300)
  expect(failures(0)).toEqual([])
  expect(await findBrokenInvariants(t.s)).toEqual({})
})

test('identity, the processor’s site and its inbox: never a 5xx, and nothing of ours is disclosed or changed', async () => {
  const { ana } = t.people
  const operations = [
    'signUp',
    'signInWithPassword',
    'signInWithEmailLink',
    'signInWithIdp',
    'lookup',
    'update',
    'delete',
    'createAuthUri',
    'sendOobCode',
    'resetPassword',
    'nada',
    '__proto__',
  ]
  const known: Record<string, unknown[]> = {
    email: [ana.email, 'otra@ejemplo.mx'],
    identifier: [ana.email],
    password: ['olas-y-montes-7'],
    idToken: [t.people.coach.token],
    requestType: ['PASSWORD_RESET', 'VERIFY_EMAIL', 'EMAIL_SIGNIN'],
    grant_type: ['refresh_token'],
    continueUri: ['http://localhost'],
    ...Object.fromEntries(
      ['oobCode', 'newPassword', 'displayName', 'localId', 'deleteAttribute', 'returnSecureToken', 'continueUrl', 'refresh_token'].map(
        (name) => [name, ['x']],
      ),
    ),
  }
  const input = fc.record(
    Object.fromEntries(
      Object.entries(known).map(([name, values]) => [
        name,
        fc.oneof({ weight: 2, arbitrary: fc.constantFrom(...values) }, { weight: 3, arbitrary: hostile }),
      ]),
    ),
    { requiredKeys: [] },
  )
  const nonsense = fc.oneof(hostile.map(written), fc.string({ unit: 'binary' }).map(written))
  const requests = fc.oneof(
    fc.record({
      path: fc.constantFrom(...operations).map((name) => `/identidad/v1/accounts:${name}?key=x`),
      body: input.map((body) => JSON.stringify(body)),
      type: fc.constantFrom('application/json', 'application/json', 'text/plain'),
    }),
    fc.record({
      path: fc.constant('/identidad/v1/token?key=x'),
      body: input.map((body) => new URLSearchParams(body as Record<string, string>).toString()),
      type: fc.constantFrom('application/x-www-form-urlencoded', 'application/json'),
    }),
    fc.record({
      path: fc
        .tuple(fc.constantFrom('3ds', 'pagar', 'billetera', 'voucher', 'tarjeta'), nonsense)
        .map(([page, at]) => `/sandbox/${page}/${at}?secreto=${at}&padre=${at}`),
      body: fc.constantFrom('secreto=x&padre=javascript:1&respuesta=si', 'secreto=__proto__', 'secreto=%00', '%00=%ff', '', 'a=1&a=2'),
      type: fc.constant('application/x-www-form-urlencoded'),
    }),
    fc.record({
      path: fc.constantFrom('sandbox', 'efectivo', 'stripe', '__proto__', 'constructor').map((gateway) => `/api/webhooks/${gateway}`),
      body: fc.oneof(fc.json(), fc.string({ unit: 'binary' }), fc.constantFrom('{"id":1,"type":"x"}', '')),
      type: fc.constantFrom('application/json', 'text/plain', 'x/y'),
    }),
  )
  const [before, logged] = [await t.written(), t.s.logged.length]
  await fc.assert(
    fc.asyncProperty(requests, fc.constantFrom('POST', 'POST', 'POST', 'GET'), async ({ path, body, type }, method) => {
      const answer = await t.send({ method, path, headers: { 'content-type': type }, body: method === 'GET' ? undefined : body })
      const note = `${method} ${path.slice(0, 300)} ${body.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 300)}`
      expect(answer.status, note).toBeLessThan(500)
      expect(answer.text, note).not.toMatch(/node_modules|\n\s+at |SQLSTATE|violates/)
      if (path.startsWith('/api')) await refusedAs(null, answer, note)
    }),
    { seed: SEED, numRuns: 2_000 },
  )
  expect(failures(logged)).toEqual([])
  const after = await t.written()
  for (const table of [
    'customer',
    'staff',
    'purchase',
    'payment_attempt',
    'sandbox_payment',
    'sandbox_ledger',
    'provider_event',
    'class_reservation',
    'credit_movement',
  ])
    expect({ table, what: after[table] }).toEqual({ table, what: before[table] })
})
