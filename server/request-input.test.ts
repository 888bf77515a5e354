/**
 * What a request can carry and no client of ours sends: ids that are none, days that do not exist, bodies of every wrong kind. Every endpoint
 * of the contract, generated from it: a refusal with a code and a Spanish sentence, and nothing written (R24).
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { bearer, pathOf, refusedAs, type Target, target } from '#server/testing/target.ts'
import { type Declared, endpoints } from '#server/testing/wire.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const declared = endpoints()
const writing = declared.filter((endpoint) => endpoint.method !== 'GET')
/** A person who may call it. */
const entitled = (endpoint: Declared) => (endpoint.access.startsWith('staff') ? t.people.owner : t.people.ana)
const get = (path: string, headers: Record<string, string> = {}) => t.send({ method: 'GET', path, headers })

describe('ids, days and numbers', () => {
  const BAD_IDS = [
    '0',
    '-1',
    '1.5',
    '1e3',
    '+1',
    ' 1',
    '01',
    '0x1',
    '2147483648',
    '99999999999999999999',
    '2147483647',
    'NaN',
    'null',
    'undefined',
    'true',
    '[object Object]',
    '１',
    "1'--",
    '1;2',
    '1,2',
    '%',
    'constructor',
    '__proto__',
    '\u0000',
    '1\u0000',
    '\u202e1',
    '🧘',
    'a'.repeat(300),
  ]

  test('refuses invalid ids on every path, and nothing happens', async () => {
    const before = await t.written()
    for (const endpoint of declared.filter((each) => each.params.some((param) => /(^|_)id$/.test(param))))
      for (const bad of BAD_IDS) {
        const path = pathOf(endpoint, () => encodeURIComponent(bad))
        await refusedAs(
          null,
          t.call(endpoint, entitled(endpoint), { path, body: endpoint.method === 'GET' ? undefined : '{}' }),
          `${endpoint.method} ${path}`,
        )
      }
    expect(await t.written()).toEqual(before)
  })

  test('refuses addresses with invalid UTF-8', async () => {
    const bad = [
      '%',
      '%zz',
      '%ff',
      '%c0%ae',
      '%00',
      '%E0%A4%A',
      '%2e%2e%2f%2e%2e',
      '..%5c',
      '%25',
      '1%2f2',
      '//',
      ';',
      '1?x=%',
      '1?%ff=%ff',
      '1?=',
      '1?&&&',
      '1?[]=1',
      '1?a[b',
      `1?${'a[b]'.repeat(400)}=1`,
    ]
    for (const end of bad)
      for (const base of ['class_packages', 'pages', 'single_class/single', 'purchases', 'webhooks', 'nada', '../arte']) {
        const answer = await get(base.startsWith('..') ? `/arte/${end}` : `/api/${base}/${end}`, bearer(t.people.ana.token))
        expect([200, 400, 404, 405], `${base}/${end}`).toContain(answer.status)
        if (answer.status !== 200) await refusedAs(null, answer, `${base}/${end}`)
      }
  })

  test('refuses days and numbers that do not exist in a query', async () => {
    const days = [
      '2026-02-30',
      '2026-13-01',
      '2026-00-10',
      '0000-00-00',
      '26-1-1',
      '2026-11-19T10:00:00Z',
      'hoy',
      '20261119',
      '-2026-01-01',
      '',
      '1e9',
      '0001-01-01',
      '9999-12-31',
      '+275760-09-13',
      '999999-01-01',
      '2026-11-19\u0000',
      '[object Object]',
      '2026-11-19 ',
      "2026-11-19'",
    ].map(encodeURIComponent)
    const { token } = t.people.ana
    for (const day of days) {
      await refusedAs('INVALID_INPUT', get(`/api/single_class?start_date=${day}`), `start_date=${day}`)
      await refusedAs('INVALID_INPUT', get(`/api/single_class?start_date=2026-11-16&end_date=${day}`, bearer(token)), `end_date=${day}`)
      await refusedAs('INVALID_INPUT', get(`/api/live?start_date=${day}`), `live from ${day}`)
      for (const list of ['purchases', 'invoices'])
        for (const end of ['from', 'to']) {
          const path = `/api/admin/${list}?${end}=${day}`
          await refusedAs('INVALID_INPUT', get(path, bearer(t.people.owner.token)), path)
        }
    }
    for (const page of ['0', '-1', '1.5', '10001', 'dos', '1e2', '', '%00'])
      await refusedAs('INVALID_INPUT', get(`/api/class_reservations?page=${page}`, bearer(token)), `page=${page}`)
    for (const query of [
      'location_id=0',
      'location_id=1.5',
      'location_id=x',
      'instructor_id=-3',
      'class_type_id=99999999999',
      'location_id[$gt]=1',
      'start_date[]=2026-11-19&start_date[]=2026-11-20',
    ])
      await refusedAs('INVALID_INPUT', get(`/api/single_class?${query}`, bearer(token)), query)
  })

  test('refuses more days than a calendar shows', async () => {
    for (const query of [
      'start_date=0001-01-01&end_date=9999-12-31',
      'start_date=2026-12-31&end_date=2026-01-01',
      'start_date=9999-12-31',
      'end_date=0001-01-01',
    ]) {
      const answer = await get(`/api/single_class?${query}`)
      if (answer.status === 200) expect(JSON.parse(answer.text).days.length, query).toBeLessThanOrEqual(42)
      else await refusedAs('INVALID_INPUT', answer, query)
    }
  })

  test('unknown query parameters change nothing', async () => {
    for (const query of [
      'x=1',
      'utm_source=ig&fbclid=abc',
      '__proto__[admin]=1',
      'constructor[prototype][admin]=1',
      'toString=1',
      `q=${'a'.repeat(4_000)}`,
      'a[999999999]=1',
      'start_date=2026-11-19&__proto__=x',
    ])
      for (const headers of [{}, bearer(t.people.ana.token)])
        expect((await get(`/api/single_class?${query}`, headers)).status, query).toBe(200)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
  })
})

describe('bodies', () => {
  const asking = writing.filter((endpoint) => endpoint.fields.length > endpoint.params.length)
  /** All fields of these are optional: an empty body is a complete request. */
  const CONTENT_WITH_NOTHING = new Set(['people.update', 'cards.keep', 'schedule.cancel', 'messages.read', 'messages.setPreferences'])

  test('refuses a body that is not JSON, or not an object, everywhere', async () => {
    const before = await t.written()
    for (const endpoint of asking)
      for (const body of [
        '{',
        '{"a":',
        'nada',
        "{'a':1}",
        '{"a":1}}',
        '\u0000',
        '[',
        'NaN',
        '\ufeff',
        '{"a":1,}',
        '"texto"',
        '12',
        'true',
        'null',
        '[]',
        '[[]]',
        '[{}]',
      ])
        await refusedAs(null, t.call(endpoint, entitled(endpoint), { body }), `${endpoint.name} ${body}`)
    expect(await t.written()).toEqual(before)
  })

  // Each field of each endpoint twelve times, one request after the other: ten seconds on an idle machine, minutes on a busy one.
  test('refuses text that the database cannot store, in any field', { timeout: 300_000 }, async () => {
    const before = await t.written()
    for (const endpoint of writing)
      for (const bad of ['\\u0000', 'a\\u0000b', '\\ud800', '\\udc00\\ud800'])
        for (const field of [...endpoint.fields, 'unknown'])
          for (const body of [`{"${field}":"${bad}"}`, `{"${field}":[{"x":"${bad}"}]}`, `{"${field}":{"${bad}":1}}`])
            await refusedAs('INVALID_INPUT', t.call(endpoint, entitled(endpoint), { body }), `${endpoint.name} ${body}`)
    expect(await t.written()).toEqual(before)
    const deep = `{"a":${'['.repeat(60_000)}"\\ud83d\\ude00"${']'.repeat(60_000)}}`
    for (const endpoint of writing)
      expect((await t.call(endpoint, entitled(endpoint), { body: deep })).status, endpoint.name).toBeLessThan(500)
  })

  test('a body of another content type, or of none, is not read', async () => {
    const before = await t.written()
    const types = [
      'text/plain',
      'application/x-www-form-urlencoded',
      'multipart/form-data; boundary=x',
      'application/xml',
      'application/jsonp',
      'application/json-patch+json',
      'json',
      '',
      'a/b/c',
      '"',
    ]
    for (const endpoint of writing)
      for (const type of types.filter((kind) => !(endpoint.fields.includes('file') && kind.startsWith('multipart/'))))
        await refusedAs(
          'UNSUPPORTED_BODY',
          t.call(endpoint, entitled(endpoint), { headers: { 'content-type': type } }),
          `${endpoint.name} as ${type}`,
        )
    expect(await t.written()).toEqual(before)
  })

  test('refuses a huge body, with or without Content-Length', async () => {
    const before = await t.written()
    const body = JSON.stringify({ class_package_id: 1, guest: 'x'.repeat(300_000) })
    for (const chunked of [false, true]) {
      for (const endpoint of writing)
        await refusedAs('BODY_TOO_LARGE', t.call(endpoint, entitled(endpoint), { body, chunked }), `${endpoint.name} ${chunked}`)
      for (const [path, type] of [
        ['/identidad/v1/accounts:signUp?key=x', 'application/json'],
        ['/identidad/v1/token?key=x', 'application/x-www-form-urlencoded'],
        ['/api/webhooks/sandbox', 'application/json'],
        ['/sandbox/3ds', 'application/x-www-form-urlencoded'],
      ] as const)
        expect((await t.send({ method: 'POST', path, headers: { 'content-type': type }, body, chunked })).status, path).toBe(413)
    }
    expect(await t.written()).toEqual(before)
  })

  test('refuses an address and headers that are too long', async () => {
    const long = 'x'.repeat(20_000)
    for (const path of ['/api/admin/exports/customers', '/api/tags', '/calendario'])
      await refusedAs('HEADERS_TOO_LARGE', t.send({ method: 'GET', path: `${path}?state=${long}` }), path)
    await refusedAs('HEADERS_TOO_LARGE', t.send({ method: 'GET', path: '/api/tags', headers: { 'idempotency-key': long } }), 'header')
  })

  test('refuses a body of maximal depth in any field, without an overflow', async () => {
    const deep = ['['.repeat(60_000) + ']'.repeat(60_000), `${'{"a":'.repeat(40_000)}1${'}'.repeat(40_000)}`]
    for (const endpoint of writing)
      for (const field of [...endpoint.fields, 'unknown'])
        for (const value of deep) {
          const rest = endpoint.fields
            .filter((each) => each !== field && t.known[each])
            .map((each) => `"${each}":${JSON.stringify(t.known[each]?.[0])}`)
          const answer = await t.call(endpoint, entitled(endpoint), { body: `{${[...rest, `"${field}":${value}`].join(',')}}` })
          if (answer.status >= 400) await refusedAs(null, answer, `${endpoint.name}.${field}`)
          await t.s.sql('delete from throttle')
        }
    // Some four thousand requests: half a minute on two quiet cores.
  }, 240_000)

  test('treats keys of prototypes like any other', async () => {
    const before = await t.written()
    const ids = '{"single_class_id":1,"page_id":1,"class_package_id":1,"class_reservation_id":1,"uid":"x","name":"x"}'
    const body = `{"__proto__":${ids},"constructor":{"prototype":{"admin":1}},"toString":null,"hasOwnProperty":1}`
    for (const endpoint of asking.filter(({ name }) => !CONTENT_WITH_NOTHING.has(name)))
      await refusedAs(null, t.call(endpoint, entitled(endpoint), { body }), endpoint.name)
    expect(({} as Record<string, unknown>).admin).toBeUndefined()
    expect(await t.written()).toEqual(before)
  })
})
