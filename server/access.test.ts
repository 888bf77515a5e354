/**
 * Access to every endpoint and ownership of every record, generated from the contract itself: an endpoint that the tables here do not list
 * fails the test, so a new one has to state who owns what.
 */
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isStaffAccess, rightOf } from '#contract/endpoint.ts'
import { type Role, rightsOfRole } from '#contract/rights.ts'
import { publicKeys, settingKeys } from '#contract/settings.ts'
import { aReceiver } from '#server/testing/access-world.ts'
import type { Person } from '#server/testing/studio.ts'
import { pathOf, refusedAs, type Target, target } from '#server/testing/target.ts'
import { type Declared, endpoints } from '#server/testing/wire.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

const declared = endpoints()
const guarded = declared.filter((endpoint) => endpoint.access !== 'public' && endpoint.access !== 'optional')

describe('authentication', () => {
  test('refuses anonymous calls except at public endpoints', async () => {
    expect(guarded.length).toBeGreaterThan(10)
    const before = await t.written()
    for (const endpoint of guarded) await refusedAs('UNAUTHENTICATED', t.call(endpoint, null), endpoint.name)
    expect(await t.written()).toEqual(before)
  })

  test('refuses a token that is forged, foreign, truncated or of another kind', async () => {
    const { token } = t.people.ana
    const [head = '', payload = '', signature = ''] = token.split('.')
    const { kid } = JSON.parse(Buffer.from(head, 'base64url').toString())
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString())
    const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const { privateKey, publicKey } = await generateKeyPair('ES256')
    const signed = (header: object, more: object = {}) =>
      new SignJWT({ ...claims, ...more }).setProtectedHeader({ alg: 'ES256', typ: 'JWT', ...header }).sign(privateKey)
    const tokens: Record<string, string> = {
      'nothing after Bearer': '',
      'a word': 'abc',
      'two parts': `${head}.${payload}`,
      'no signature': `${head}.${payload}.`,
      'a cut signature': `${head}.${payload}.${signature.slice(0, -4)}`,
      'another payload': `${head}.${encoded({ ...claims, sub: t.people.owner.uid })}.${signature}`,
      'alg none': `${encoded({ alg: 'none', typ: 'JWT', kid })}.${payload}.${signature}`,
      'alg HS256': `${encoded({ alg: 'HS256', typ: 'JWT', kid })}.${payload}.${signature}`,
      'its own key in the header': await signed({ kid, jwk: await exportJWK(publicKey) }),
      'its own set of keys': await signed({ kid, jku: 'http://127.0.0.1:9/keys' }),
      'an unknown key': await signed({ kid: 'otra' }),
      'another studio': await signed({ kid }, { aud: 'otro', iss: 'https://otro.mx' }),
      'nine thousand characters': `${head}.${'A'.repeat(9_000)}.${signature}`,
    }
    const before = await t.written()
    for (const [note, forged] of Object.entries(tokens))
      for (const endpoint of guarded) await refusedAs('UNAUTHENTICATED', t.call(endpoint, forged), `${endpoint.name}: ${note}`)
    for (const authorization of ['Basic YTpi', 'Bearer', `bearer ${token}`, `Bearer ${token} ${token}`, 'Bearer a.b.c, Bearer d.e.f'])
      for (const endpoint of guarded)
        await refusedAs('UNAUTHENTICATED', t.call(endpoint, null, { headers: { authorization } }), authorization)
    // Where the token is optional, an invalid one is refused all the same: its sender expects to be signed in.
    const optional = declared.filter((endpoint) => endpoint.access === 'optional')
    expect(optional.length).toBeGreaterThan(0)
    const unsigned = `${encoded({ alg: 'none', typ: 'JWT' })}.${payload}.`
    for (const authorization of ['Bearer a.b.', `Bearer ${unsigned}`, 'Bearer', 'Bearer abc', `bearer ${token}`])
      for (const endpoint of optional)
        await refusedAs('UNAUTHENTICATED', t.call(endpoint, null, { headers: { authorization } }), authorization)
    for (const endpoint of optional.filter(({ method }) => method === 'GET'))
      expect((await t.call(endpoint, null, { headers: { authorization: 'Basic YTpi' } })).status, endpoint.name).not.toBe(401)
    expect(await t.written()).toEqual(before)
  })

  test('reports an expired token as such, also at endpoints that need no token', async () => {
    const at = t.s.clock.now()
    t.s.clock.advance({ days: 11 * 365 })
    for (const endpoint of declared.filter((each) => each.access !== 'public'))
      await refusedAs('TOKEN_EXPIRED', t.call(endpoint, t.people.ana), endpoint.name)
    t.s.clock.set(at)
  })

  test('gives customers no staff access, staff the rights of their role, and accounts without a customer only sign-up', async () => {
    const { ana, fresh, coach, reception, manager } = t.people
    const before = await t.written()
    for (const endpoint of guarded) {
      if (isStaffAccess(endpoint.access)) {
        await refusedAs('FORBIDDEN', t.call(endpoint, ana), `${endpoint.name} by a customer`)
        await refusedAs('FORBIDDEN', t.call(endpoint, fresh), `${endpoint.name} by a fresh account`)
        const needs = rightOf(endpoint.access)
        for (const [role, person] of Object.entries({ coach, reception, manager }) as [Role, Person][])
          if (needs && !rightsOfRole(role).includes(needs)) {
            await refusedAs('FORBIDDEN', t.call(endpoint, person), `${endpoint.name} by ${role}`)
            expect(JSON.parse((await t.call(endpoint, person)).text).data, endpoint.name).toEqual({ needs })
          }
      } else if (endpoint.access === 'customer') {
        await refusedAs('NO_CUSTOMER', t.call(endpoint, fresh), `${endpoint.name} by a fresh account`)
        await refusedAs('NO_CUSTOMER', t.call(endpoint, reception), `${endpoint.name} by reception`)
      }
    }
    expect(await t.written()).toEqual(before)
  })

  test('removes the role of disabled staff at once', async () => {
    const leaving = await t.s.make.staff('reception')
    const find = declared.find((endpoint) => endpoint.name === 'people.find') as Declared
    expect((await t.call(find, leaving)).status).toBe(200)
    await t.s.studio.db.tx(async (tx) => {
      await tx.execute(`update staff set "disabledAt" = now() where uid = '${leaving.uid}'`)
      tx.notify({ topic: 'people', uid: leaving.uid })
    })
    await refusedAs('FORBIDDEN', t.call(find, leaving), 'after leaving')
  })
})

/** Fields that name something of one customer, and how another's is refused. */
const OWNED: Record<string, string> = {
  class_reservation_id: 'RESERVATION_NOT_FOUND',
  purchase_id: 'PURCHASE_NOT_FOUND',
  // GET /purchases/{id}, POST /purchases/cancel/{id}
  id: 'PURCHASE_NOT_FOUND',
  payment_source_id: 'PAYMENT_METHOD_UNAVAILABLE',
  conekta_payment_source_id: 'PAYMENT_METHOD_UNAVAILABLE',
  available_class_id: 'CREDIT_NOT_USABLE',
  waitlist_id: 'WAITLIST_NOT_FOUND',
  class_reservation_penalty_id: 'PENALTY_NOT_FOUND',
  // Of a purchase of mine: a charge of another's.
  invoice_id: 'RECEIPT_NONE',
}
/** Where a field is refused otherwise than elsewhere. */
const OTHERWISE: Record<string, string> = {
  'credits.one.available_class_id': 'CREDIT_NOT_FOUND',
  'credits.movements.available_class_id': 'CREDIT_NOT_FOUND',
  'cardLinks.own.payment_source_id': 'PAYMENT_SOURCE_NOT_FOUND',
  'fiscal.mine.invoice_id': 'NOT_FOUND',
  'fiscal.issueMine.invoice_id': 'NOT_FOUND',
  'fiscal.myXml.invoice_id': 'NOT_FOUND',
  'fiscal.myPdf.invoice_id': 'NOT_FOUND',
  'cards.remove.id': 'PAYMENT_SOURCE_NOT_FOUND',
  'cards.removeMetodo.id': 'PAYMENT_SOURCE_NOT_FOUND',
}
/** Ids that every caller may name, and fields of customers that are ignored. */
const COMMON = new Set([
  'single_class_id',
  'class_package_id',
  'page_id',
  'location_id',
  'class_type_id',
  'instructor_id',
  'payment_method_id',
  'customer_id',
  'uid',
  'form_id',
  // Of the catalogue of videos.
  'video_id',
  'video_type_id',
  'program_id',
  'tag_id',
  'class_category_id',
  // Identifiers of a processor: sales/cards.test.ts tries those of another customer.
  'setup_id',
  'token_id',
  'source_id',
  // Looked for among the charges of a purchase that is one's own: sales/receipts.test.ts.
  'invoice_id',
  // Tried with foreign eyes where they live: content/files.test.ts, people/profile tests.
  'file_id',
  'Address_id',
])

describe('ownership', () => {
  const names = (endpoint: Declared) => endpoint.fields.filter((field) => field === 'id' || field === 'uid' || field.endsWith('_id'))
  const mine = declared.filter(
    (endpoint) => endpoint.access === 'customer' || endpoint.access === 'identity' || endpoint.access === 'optional',
  )

  test('every field with an id is listed here', () => {
    const unknown = mine.flatMap((endpoint) =>
      names(endpoint)
        .filter((field) => !(field in OWNED) && !COMMON.has(field))
        .map((field) => `${endpoint.name}.${field}`),
    )
    expect(unknown).toEqual([])
  })

  test('another customer’s record is refused like an unknown id, and nothing changes', async () => {
    const { s, people, known } = t
    const { ana, eva } = people
    const [card] = await s.sql<{ payment_source_id: number }>(
      `insert into payment_source (customer_id, gateway, provider_card, card_type, last_digits, "createdAt") values ($1, 'sandbox', 'card_eva', 'visa', '4242', now()) returning payment_source_id`,
      [eva.customer_id],
    )
    const [charge] = await s.sql<{ invoice_id: number }>('select invoice_id from invoice where purchase_id = $1', [known.purchase_id?.[1]])
    const hers: Record<string, unknown> = {
      class_reservation_id: known.class_reservation_id?.[1],
      purchase_id: known.purchase_id?.[1],
      id: known.purchase_id?.[1],
      payment_source_id: card?.payment_source_id,
      conekta_payment_source_id: `fuente-${card?.payment_source_id}`,
      available_class_id: known.available_class_id?.[1],
      waitlist_id: known.waitlist_id?.[1],
      class_reservation_penalty_id: known.class_reservation_penalty_id?.[1],
      invoice_id: charge?.invoice_id,
    }
    const before = await t.written()
    let attempts = 0
    for (const endpoint of mine)
      for (const field of names(endpoint).filter((each) => each in OWNED)) {
        const code = OTHERWISE[`${endpoint.name}.${field}`] ?? OWNED[field] ?? ''
        for (const [whose, value] of [
          ['hers', hers[field]],
          ['nobody’s', field === 'conekta_payment_source_id' ? 'fuente-200000000' : 2_000_000_000],
        ] as const) {
          const body = Object.fromEntries(
            endpoint.fields.flatMap((each) =>
              known[each] && !['spot', 'guest', 'guest_spot', 'payment_method', 'payment_method_id'].includes(each)
                ? [[each, known[each][0]]]
                : [],
            ),
          )
          if (endpoint.name === 'bookings.reserve') body.spot = '2-1'
          if (endpoint.name === 'bookings.reserve') body.single_class_id = known.single_class_id?.[0]
          // With an id the reservation would be changed; here a new one is requested.
          if (endpoint.name === 'bookings.reserve') body.class_reservation_id = undefined
          if (endpoint.name === 'cardLinks.own') body.payment_source_id = 1
          if (endpoint.name === 'fiscal.issueMine') body.receiver = aReceiver
          const path = pathOf(endpoint, (param) => String(param === field ? value : (known[param]?.[0] ?? 1)))
          const inPath = endpoint.params.includes(field) || endpoint.method !== 'GET'
          const answer = await t.call(endpoint, ana, {
            path: inPath ? path : `${path}?${field}=${value}`,
            body: endpoint.method === 'GET' ? undefined : JSON.stringify({ ...body, [field]: value }),
          })
          await refusedAs(code, answer, `${endpoint.name} with ${whose} ${field}`)
          if (endpoint.params.includes(field)) expect(answer.status).toBe(404)
          attempts++
        }
      }
    expect(attempts).toBeGreaterThan(12)
    expect(await t.written()).toEqual(before)
  })

  test('the token determines the caller, whatever id the body contains', async () => {
    const { s, people, known } = t
    const { ana, eva } = people
    const as = { customer_id: eva.customer_id, uid: eva.uid, email: eva.email, role: 'owner' }
    const [accept, checkout, attempt] = ['content.accept', 'sales.checkout', 'sales.attempt'].map(
      (name) => declared.find((endpoint) => endpoint.name === name) as Declared,
    )
    const owner = async (text: string) => (await s.sql<{ customer_id: number }>(text))[0]?.customer_id
    expect((await t.call(accept as Declared, ana, { body: JSON.stringify({ ...as, page_id: known.page_id?.[0] }) })).status).toBe(200)
    expect(await owner('select customer_id from accepted_page')).toBe(ana.customer_id)
    // New packages: buying the same one again would continue the same purchase (V5).
    const classPackages = [await s.make.package(), await s.make.package()].map(({ class_package_id }) => class_package_id)
    const cash = JSON.stringify({
      ...as,
      class_package_id: classPackages[0],
      payment_method_id: 2,
      price: '0.01',
      total: '0.01',
      status: 'completed',
    })
    expect((await t.call(checkout as Declared, ana, { body: cash })).status).toBe(200)
    expect(await s.sql('select customer_id, status, total_centavos from purchase order by purchase_id desc limit 1')).toEqual([
      { customer_id: ana.customer_id, status: 'pending', total_centavos: 219_000 },
    ])
    const card = JSON.stringify({
      ...as,
      class_package_id: classPackages[1],
      payment_method: 'tok_ok',
      price: '0.01',
      amount: 1,
      class_amount: 999,
      expiration_days: 9_999,
      currency: 'USD',
    })
    expect((await t.call(attempt as Declared, ana, { body: card })).status).toBe(200)
    expect(
      await s.sql(
        'select customer_id, status, total_centavos, class_amount, expiration_days from purchase order by purchase_id desc limit 1',
      ),
    ).toEqual([{ customer_id: ana.customer_id, status: 'completed', total_centavos: 219_000, class_amount: 10, expiration_days: 60 }])
    expect(await owner('select customer_id from available_class order by available_class_id desc limit 1')).toBe(ana.customer_id)
  })
})

describe('disclosure', () => {
  const CANARIES = [
    'Zoraida',
    'Xochiquétzal',
    'Invitadilla',
    'un comentario muy suyo',
    '5599887766',
    'canaria@ejemplo.mx',
    '@xochi.zoraida',
  ]

  test('other people’s responses contain nothing of a customer, least of all the public schedule', async () => {
    const { s, people, known } = t
    const canary = await s.make.customer({
      name: 'Zoraida',
      last_name: 'Xochiquétzal',
      email: 'canaria@ejemplo.mx',
      phone: '5599887766',
      instagram: '@xochi.zoraida',
    })
    await s.make.lot(canary)
    const room = Number(known.single_class_id?.[0])
    await s.as(canary).bookings.reserve({ single_class_id: room, spot: '2-2', guest: 'Invitadilla', guest_spot: '2-3' })
    await s.sql(`update class_reservation set comment = 'un comentario muy suyo' where customer_id = $1`, [canary.customer_id])
    const canaries = [...CANARIES, canary.uid]
    const reading = declared.filter((endpoint) => endpoint.method === 'GET' && !endpoint.access.startsWith('staff'))
    const queries = ['', '?start_date=2026-11-16&end_date=2026-11-30']
    for (const endpoint of reading)
      for (const person of [null, people.ana, people.fresh])
        for (const query of endpoint.name === 'schedule.week' ? queries : ['']) {
          const { status, text } = await t.call(endpoint, person, {
            path: `${pathOf(endpoint, (param) => String(known[param]?.[0] ?? 1))}${query}`,
          })
          const found = canaries.filter((word) => text.includes(word))
          expect({ endpoint: endpoint.name, status, found }).toEqual({ endpoint: endpoint.name, status, found: [] })
        }
    const week = JSON.parse((await t.send({ method: 'GET', path: '/api/single_class?start_date=2026-11-16&end_date=2026-11-30' })).text)
    const classes = week.days.flatMap((day: { classes: { single_class_id: number; class_reservations: object[] }[] }) => day.classes)
    const takenSpots = classes.find((cls: { single_class_id: number }) => cls.single_class_id === room).class_reservations
    // Seats, and not one word more.
    expect(takenSpots).toEqual(expect.arrayContaining([{ spot: '2-2' }, { spot: '2-3' }]))
    for (const cls of classes) for (const reservation of cls.class_reservations) expect(Object.keys(reservation)).toEqual(['spot'])
    expect(JSON.stringify(week)).not.toMatch(/customer|class_reservation_id|"guest"|comment|email|"phone"/)
  })

  test('GET /appconfig returns only public keys, whatever else the table contains', async () => {
    const { s } = t
    const hidden = settingKeys.filter((key) => !publicKeys.includes(key))
    expect(hidden.length).toBeGreaterThan(3)
    await s.sql(
      `insert into setting (key, value) values ('STRIPE_SECRET_KEY', '"sk_live_canario"'), ('smtp_password', '"canario"') on conflict do nothing`,
    )
    await s.change({ courtesy_days: 77 })
    const { text } = await t.send({ method: 'GET', path: '/api/appconfig' })
    const pairs: { key: string; value: unknown }[] = JSON.parse(text)
    expect(pairs.map(({ key }) => key).sort()).toEqual([...publicKeys].sort())
    expect(text).not.toMatch(/canario|sk_live/)
    for (const key of publicKeys) expect(key).not.toMatch(/secret|private|token|webhook|_key$/i)
  })
})

describe('the OpenAPI document', () => {
  interface Operation {
    operationId: string
    security?: Record<string, string[]>[]
    description?: string
    summary?: string
    responses: Record<string, unknown>
    parameters?: { name: string; in: string }[]
    requestBody?: object
  }

  test('lists every endpoint with its access, input and refusals', async () => {
    const answer = await t.send({ method: 'GET', path: '/api/openapi.json' })
    const document: { openapi: string; paths: Record<string, Record<string, Operation>> } = JSON.parse(answer.text)
    const ids = Object.values(document.paths).flatMap((operations) => Object.values(operations).map((operation) => operation.operationId))
    expect(new Set(ids).size).toBe(declared.length)
    for (const [, ref = ''] of answer.text.matchAll(/"\$ref":"#\/([^"]+)"/g))
      expect(
        ref.split('/').reduce<unknown>((at, step) => (at as Record<string, unknown>)?.[step], document),
        ref,
      ).toBeDefined()
    expect(document.openapi).toMatch(/^3\.1\./)
    const listed = Object.entries(document.paths).flatMap(([path, operations]) =>
      Object.keys(operations).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed.sort()).toEqual(declared.map((endpoint) => `${endpoint.method} ${endpoint.path}`).sort())
    for (const endpoint of declared) {
      const operation = document.paths[endpoint.path]?.[endpoint.method.toLowerCase()] as Operation
      const security = endpoint.access === 'public' ? [] : endpoint.access === 'optional' ? [{}, { token: [] }] : [{ token: [] }]
      expect({ name: endpoint.name, security: operation.security }).toEqual({ name: endpoint.name, security })
      expect(operation.description, endpoint.name).toMatch(
        endpoint.access.startsWith('staff')
          ? /Acceso: (Equipo con el derecho|Cualquiera del equipo)/
          : endpoint.access === 'customer'
            ? /Acceso: Clientes/
            : /Acceso: (Cualquiera|Quien)/,
      )
      expect(operation.summary).toBeTruthy()
      expect((operation.parameters ?? []).filter((parameter) => parameter.in === 'path').map(({ name }) => name)).toEqual(endpoint.params)
      for (const status of ['200', '400', '429', '500', '503']) expect(Object.keys(operation.responses)).toContain(status)
      const refused = new Set([...JSON.stringify(operation.responses).matchAll(/#\/components\/schemas\/(\w+)/g)].map(([, code]) => code))
      const always = ['INVALID_INPUT', 'TOO_MANY_REQUESTS', 'INTERNAL', 'BUSY']
      const withBody = endpoint.method === 'GET' ? [] : ['MALFORMED_BODY', 'BODY_TOO_LARGE', 'UNSUPPORTED_BODY']
      const withToken = endpoint.access === 'public' ? [] : ['UNAUTHENTICATED', 'TOKEN_EXPIRED']
      for (const code of [...always, ...withBody, ...withToken, ...(endpoint.access === 'customer' ? ['NO_CUSTOMER'] : [])])
        expect(refused, `${endpoint.name} ${code}`).toContain(code)
      // The header is documented exactly where it is supported.
      const keyed = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key')
      expect(keyed, endpoint.name).toBe(refused.has('IDEMPOTENCY_KEY_REUSED'))
    }
  })
})
