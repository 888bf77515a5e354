/**
 * The wire as the two documents name it: paths, keys of lists and names of fields, read over HTTP by these names only
 * (spec 1 and 2, sections 3 and 7). Who may call is authorisation.test.ts; the meaning of the values is tested in each module.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { settingKeys, settings } from '#contract/settings.ts'
import { bearer, JSON_BODY, type Target, target } from '#server/testing/target.ts'

let t: Target
beforeAll(async () => {
  t = await target()
})
afterAll(() => t.close())

type Caller = keyof Target['people'] | null
type Json = Record<string, unknown>

async function call(caller: Caller, method: string, path: string, body?: object): Promise<Json> {
  const answer = await t.send({
    method,
    path: `/api${path}`,
    ...(body ? { body: JSON.stringify(body) } : {}),
    headers: { ...(body ? JSON_BODY : {}), ...(caller ? bearer(t.people[caller].token) : {}) },
  })
  expect([method, path, answer.status, answer.status < 300 ? '' : answer.text]).toEqual([method, path, 200, ''])
  return JSON.parse(answer.text)
}

/** The record under a key of an answer, or the first of the list there. */
const under = (answer: Json, key: string): Json => {
  const found = answer[key]
  expect(found, key).toBeTypeOf('object')
  return (Array.isArray(found) ? found[0] : found) as Json
}
const has = (record: Json, names: string) => {
  for (const name of names.split(/,?\s+/)) expect(record, name).toHaveProperty(name)
}

test('the base path is /api (S1-7.01)', async () => {
  expect((await t.send({ method: 'GET', path: '/api/class_packages' })).status).toBe(200)
  expect((await t.send({ method: 'GET', path: '/class_packages' })).status).toBe(404)
})

describe('configuration', () => {
  test('the configuration is a list of key/value pairs, including the business name (S1-3.01, S1-3.02, S1-7.82)', async () => {
    const pairs = (await call(null, 'GET', '/appconfig')) as unknown as { key: string; value: unknown }[]
    expect(Array.isArray(pairs)).toBe(true)
    for (const pair of pairs) expect(Object.keys(pair).sort()).toEqual(['key', 'value'])
    expect(pairs.map(({ key }) => key)).toContain('business_name')
    expect(new Set(pairs.map(({ key }) => key)).size).toBe(pairs.length)
  })

  test('the configuration has every key of the specification, and it reaches the browser (S1-3.06, S1-3.10, S1-3.11)', () => {
    const named = `business_name primary accent dark gray light primary-light navbar_logo favicon tagline app_css social_media_image
      S3_ENDPOINT bucket region files_location filesBaseSrc domain stripe_public stripe_checkout_mode firebaseConfig whatsapp whatsapp_widget
      bg_login bg_recovery bg_loading banner_enabled banner_text banner_link schedule_enabled packages_enabled about_enabled mission_enabled
      class_types_enabled coaches_enabled hero_enabled landing_announcements_enabled discounts_enabled cash_checkout_enabled checkout_disabled
      paypal_enabled payment_sources_enabled payment_sources single_class_enabled videos_enabled subscriptions_enabled
      allow_restricted_class_types checkout_redirect_url signup_fee class_packages_name class_packages_path timezone_offset
      reservation_timeframe_hours reservation_timeframe_minutes cancel_timeframe_unit cancel_timeframe_value allow_cancel_reservations
      allow_cancel_after_treshold max_cancels_per_available_class reservation_rating_enabled allow_class_guests qrcode_enabled
      unlimited_membership_penalties_enabled waitlist_enabled allow_restricted_times popup_presencial_enabled popup_presencial_src
      popup_presencial_link email tiktok facebook instagram location`.split(/\s+/)
    for (const key of named) {
      expect(settingKeys, key).toContain(key)
      expect([key, settings[key as (typeof settingKeys)[number]].public]).toEqual([key, true])
    }
    expect(settings.firebaseConfig.schema.safeParse({ apiKey: 'x', projectId: 'vaiven' }).success).toBe(true)
    expect([settings.whatsapp.default, settings.whatsapp_widget.default]).toEqual(['', false])
  })
})

describe('customers', () => {
  const FIELDS = `customer_id uid name last_name email birthdate phone instagram signup_reason file address has_unlimited
    unlimited_membership_expiration unlimited_max_no_shows_for_penalty accepted_pages purchases`

  test('GET /customer and, for staff, GET /customer/admin/{id} (S1-3.23, S1-7.02, S1-7.03)', async () => {
    await call('ana', 'POST', '/accepted_pages', { page_id: t.known.page_id?.[0] })
    const mine = under(await call('ana', 'GET', '/customer'), 'customer')
    has(mine, FIELDS)
    has((mine.purchases as Json[])[0] ?? {}, 'class_package_id')
    has((mine.accepted_pages as Json[])[0] ?? {}, 'page_id')
    expect(under(await call('reception', 'GET', `/customer/admin/${t.people.ana.customer_id}`), 'customer')).toMatchObject({
      customer_id: t.people.ana.customer_id,
      uid: t.people.ana.uid,
      email: t.people.ana.email,
    })
  })

  test('a phone is stored as at most ten digits; GET /customer/phone?phone (S1-3.24, S1-7.04)', async () => {
    const changed = await call('ana', 'PUT', '/customer', { phone: '(554) 321-8765' })
    expect(under(changed, 'customer').phone).toBe('5543218765')
    for (const typed of ['5543218765', '554-321-8765', '(554)321.8765', '%2B525543218765'])
      expect([typed, await call(null, 'GET', `/customer/phone?phone=${typed}`)]).toEqual([typed, { in_use: true }])
    expect(await call(null, 'GET', '/customer/phone?phone=5543218766')).toEqual({ in_use: false })
  })

  test('the password goes to the identity service at sign-up; no endpoint of ours takes, stores or returns one (S1-3.25)', async () => {
    await call('ana', 'PUT', '/customer', { password: 'otra-clave-9', password_confirm: 'otra-clave-9', name: 'Ana' })
    const columns = await t.s.sql<{ table_name: string }>(
      `select table_name from information_schema.columns where table_schema = 'public' and column_name ~ 'password|clave' order by 1`,
    )
    expect(columns.map(({ table_name }) => table_name).filter((name) => !name.startsWith('identity_'))).toEqual([])
    expect(JSON.stringify(await call('ana', 'GET', '/customer'))).not.toMatch(/password|otra-clave/)
  })
})

describe('packages, checkout and purchases', () => {
  const PURCHASE = `purchase_id title createdAt updatedAt cancelledAt class_package total_payment amount status class_amount payment_method_id
    payment_method customer subscription_id subscription_period subscription_interval expiration_days free_trial_length`

  test('GET /class_packages and /class_packages/{id} (S1-7.15, S1-7.16)', async () => {
    const listed = under(await call(null, 'GET', '/class_packages'), 'class_packages')
    const detail = under(await call(null, 'GET', `/class_packages/${listed.class_package_id}`), 'class_package')
    expect(detail).toEqual(listed)
    has(
      detail,
      'class_package_id title description short_description price sale_price class_amount expiration_days is_special_event is_trial',
    )
  })

  test('POST /checkout {class_package_id, customer_id, discountCode}, and the fields of the purchase (S1-3.29, S1-7.46)', async () => {
    const bought = await call('eva', 'POST', '/checkout', {
      class_package_id: t.known.class_package_id?.[0],
      customer_id: t.people.ana.customer_id,
      discountCode: null,
      payment_method: 'tok_ok',
    })
    const purchase = under(await call('eva', 'GET', `/purchases/${bought.purchase_id}`), 'purchase')
    has(purchase, PURCHASE)
    has(purchase.payment_method as Json, 'name')
    // The customer is that of the token, not the one in the body.
    expect(purchase.customer).toEqual({ email: t.people.eva.email })
  })
})

describe('numbers sent as text', () => {
  test('ids from the page’s own URL, /checkout/{class_package_id}, are accepted as text (S1-7.45, S1-7.46)', async () => {
    const class_package_id = String(t.known.class_package_id?.[0])
    for (const path of ['/checkout/attempt', '/checkout'])
      expect(
        await call('eva', 'POST', path, { class_package_id, payment_method: 'tok_ok', token_id: 'tok_ok', discountCode: '' }),
      ).toMatchObject({
        status: 'completed',
      })
    expect(await call('ana', 'POST', '/favorites', { video_id: String(t.known.video_id?.[0]) })).toMatchObject({ favorite: 1 })
  })

  test('in a form digits are a number, an empty field is null, and other text is not a number', async () => {
    const typed = { title: 'Tecleado', price: '350', sale_price: '', class_amount: '-1', expiration_days: '30', limit_per_customer: '2' }
    const created = under(await call('owner', 'POST', '/class_packages', typed), 'class_package')
    expect(created).toMatchObject({ price: '350.00', sale_price: null, class_amount: -1, expiration_days: 30, limit_per_customer: 2 })
    const class_package_id = String(created.class_package_id)
    const changed = under(await call('owner', 'PUT', '/class_packages', { class_package_id, limit_per_customer: '' }), 'class_package')
    expect(changed).toMatchObject({ class_package_id: created.class_package_id, limit_per_customer: null, class_amount: -1 })
    for (const text of ['', ' ', ' 3', '3 ', '+3', '03', '3.', '1e1', '0x3', '３', '3,0', '-', 'NaN', 'Infinity', '--3', '99999999999'])
      expect([text, await refusal('PUT', { class_package_id, class_amount: text })]).toEqual([text, 'INVALID_INPUT'])
    expect(await refusal('PUT', { class_package_id, class_amount: '2.5' })).toBe('INVALID_INPUT')
    expect(await refusal('PUT', { class_package_id, class_amount: ['3'] })).toBe('INVALID_INPUT')
  })

  async function refusal(method: string, body: object): Promise<string> {
    const headers = { ...JSON_BODY, ...bearer(t.people.owner.token) }
    return JSON.parse((await t.send({ method, path: '/api/class_packages', body: JSON.stringify(body), headers })).text).code
  }
})

describe('saving a record as it was read', () => {
  test('nulls in the current user and in a reservation change nothing (S1-7.10, S2-7.64)', async () => {
    for (const caller of ['ana', 'eva'] as const) {
      const mine = under(await call(caller, 'GET', '/customer'), 'customer')
      expect(mine).toMatchObject({ address: null })
      expect(under(await call(caller, 'PUT', '/customer', { ...mine, phone: null, name: null }), 'customer')).toEqual(mine)
    }
    const reservation = under(await call('ana', 'GET', '/class_reservations?filter=upcoming'), 'class_reservations')
    expect(reservation).toMatchObject({ guest: null, guest_spot: null, spot: null })
    expect(under(await call('ana', 'PUT', '/class_reservations', reservation), 'class_reservation')).toEqual(reservation)
  })

  test('omitted form fields are null, and a waitlist entry is saved as it was read (S1-7.44, S2-7.10, S2-7.22)', async () => {
    const [waitlist_id] = t.known.waitlist_id ?? []
    const entry = under(await call('ana', 'GET', `/waitlist/${waitlist_id}`), 'waitlist')
    for (const body of [entry, { waitlist_id, auto: null }, { waitlist_id: String(waitlist_id), customer_id: t.people.ana.customer_id }])
      expect(under(await call('ana', 'PUT', '/waitlist', body), 'waitlist')).toEqual(entry)
    const [video_id] = t.known.video_id ?? []
    expect(under(await call('ana', 'POST', '/videos/rating', { video_id, stars: '4', comment: null }), 'rating')).toMatchObject({
      stars: 4,
    })
    const attempt = { class_package_id: t.known.class_package_id?.[0], payment_method: 'tok_ok', save_card: null, shown: null }
    expect(await call('eva', 'POST', '/checkout/attempt', attempt)).toMatchObject({ status: 'completed' })
    const body = JSON.stringify({ reason: null })
    const path = `/api/purchases/cancel/${t.known.purchase_id?.[0]}`
    const refused = await t.send({ method: 'POST', path, body, headers: { ...JSON_BODY, ...bearer(t.people.ana.token) } })
    expect(JSON.parse(refused.text)).toMatchObject({ code: 'CANCEL_REASON_REQUIRED', message: 'Debes indicar un motivo de cancelación.' })
    const files = { file: null, form_answers: null, birthdate: '' }
    expect(under(await call('ana', 'PUT', '/customer', files), 'customer')).toMatchObject({ customer_id: t.people.ana.customer_id })
  })

  test('a call without a body is accepted, whatever its content type (S2-7.24)', async () => {
    const [video_id] = t.known.video_id ?? []
    for (const type of ['application/json', 'application/x-www-form-urlencoded', 'text/plain;charset=UTF-8', ''])
      for (const length of ['0', undefined]) {
        const headers = { 'content-type': type, ...(length ? { 'content-length': length } : {}), ...bearer(t.people.ana.token) }
        const answer = await t.send({ method: 'PUT', path: `/api/videos/${video_id}/uncomplete`, headers })
        expect([type, length, answer.status, answer.text]).toEqual([type, length, 200, JSON.stringify({ video_id, completed: false })])
      }
  })

  test('a page from the list, which has no text, keeps its text when saved (S1-7.77, docs/domain.md T1, T8)', async () => {
    const text = '<p>Lo que aceptas.</p>'
    await call('owner', 'POST', '/pages', { slug: 'condiciones', title: 'Condiciones', content: text, required: true })
    const { pages } = (await call(null, 'GET', '/pages')) as unknown as { pages: Json[] }
    const listed = pages.find(({ slug }) => slug === 'condiciones')
    await call('owner', 'PUT', '/pages', { ...listed, title: 'Términos' })
    expect(under(await call(null, 'GET', '/pages/condiciones'), 'page')).toMatchObject({ title: 'Términos', content: text, version: 1 })
    await call('owner', 'PUT', '/pages', { page_id: listed?.page_id, content: null, required: false })
    expect(under(await call('owner', 'POST', '/pages', { ...listed, content: '', required: false }), 'page')).toMatchObject({
      content: null,
    })
  })

  test('a class type with a picture, a coach with a birthday and a photo, and a lot of credits (S1-3.44, S1-3.46, S2-7.39)', async () => {
    const picture = 'https://fotos.example/tipo.jpg'
    const type = under(
      await call('owner', 'POST', '/class_types', { class_type_id: 'nueva', name: 'Con foto', image: { src: picture } }),
      'class_type',
    )
    const { class_types } = (await call(null, 'GET', '/class_types')) as unknown as { class_types: Json[] }
    const shown = class_types.find(({ class_type_id }) => class_type_id === type.class_type_id)
    expect(shown).toMatchObject({ image: { src: picture } })
    expect(under(await call('owner', 'PUT', '/class_types', shown), 'class_type')).toEqual(type)

    const photo = 'https://fotos.example/coach.jpg'
    const input = { name: 'Luz', birthdate: '1990-03-17', file: { name: 'coach.jpg', type: 'image/jpeg', src: photo } }
    const coach = under(await call('owner', 'POST', '/instructors', input), 'instructor')
    expect(coach).toMatchObject({ photo, birthdate: '1990-03-17' })
    const read = under(await call(null, 'GET', `/instructors/${coach.instructor_id}`), 'instructor')
    expect(read).toMatchObject({ birthdate: '--03-17', file: { src: photo } })
    expect(under(await call('owner', 'PUT', '/instructors', { ...read, quote: 'Respira' }), 'instructor')).toEqual({
      ...coach,
      quote: 'Respira',
    })

    const [available_class_id] = t.known.available_class_id ?? []
    const creditLot = under(await call('ana', 'GET', `/available_classes/${available_class_id}`), 'available_class')
    const reason = 'Como se leyó'
    expect(under(await call('owner', 'PUT', '/available_classes', { ...creditLot, reason }), 'available_class')).toEqual(creditLot)
    const wanted = Number(creditLot.available_classes) + 2
    expect(
      under(await call('owner', 'PUT', '/available_classes', { available_class_id, available_classes: wanted, reason }), 'available_class'),
    ).toEqual({
      ...creditLot,
      available_classes: wanted,
    })
  })

  test('granted access takes no price and no code: it is sold at its price or given (S1-7.11)', async () => {
    const [class_package_id] = t.known.class_package_id ?? []
    const access = { customer_id: t.people.ana.customer_id, class_package_id, payment_method_id: null }
    for (const money of [{ discountCode: 'MITAD' }, { amount: '1.00' }])
      expect(
        await t.send({
          method: 'POST',
          path: '/api/customer/giveAccess',
          body: JSON.stringify({ ...access, ...money }),
          headers: { ...JSON_BODY, ...bearer(t.people.owner.token) },
        }),
      ).toMatchObject({ status: 400, text: expect.stringContaining(`"path":"${Object.keys(money)}"`) })
  })

  test('omitted fields of granted access are null: paid in cash, and recorded (S1-7.11)', async () => {
    const existing = {
      customer_id: t.people.eva.customer_id,
      class_package_id: t.known.class_package_id?.[0],
      package_days: '',
      is_gift: null,
    }
    const answer = await call('reception', 'POST', '/customer/giveAccess', { ...existing, payment_method_id: null, bill: null })
    const [purchase] = [under(answer, 'purchase')]
    expect(purchase).toMatchObject({ is_gift: false, status: 'completed', payment_method: { name: 'Efectivo' } })
    const charged = await t.s.sql('select 1 from invoice where purchase_id = $1', [purchase.purchase_id])
    expect(charged).toHaveLength(1)
  })

  test('a DELETE as in the specification has no body; the recorded reason is then the studio (S2-7.40, S2-7.50)', async () => {
    const creditLot = await t.s.make.lot(t.people.eva)
    await call('reception', 'DELETE', `/available_classes/${creditLot.available_class_id}`)
    const penalty = { customer_id: t.people.eva.customer_id, reason: 'Faltas' }
    const { class_reservation_penalty_id } = under(
      await call('reception', 'POST', '/class_reservation_penaltys', penalty),
      'class_reservation_penalty',
    )
    const forgiven = await call('reception', 'DELETE', `/class_reservation_penaltys/${class_reservation_penalty_id}`)
    expect(under(forgiven, 'class_reservation_penalty')).toMatchObject({ active: false, forgive_reason: 'Perdonada por el estudio' })
  })
})

describe('content', () => {
  test('a page and its acceptance requirements (S1-3.41, S2-3.24)', async () => {
    const text = { slug: 'reglamento', title: 'Reglamento', content: '<p>Llega antes.</p>', required: true, required_signup: true }
    expect(under(await call('owner', 'POST', '/pages', text), 'page')).toMatchObject(text)
    await call('owner', 'POST', '/pages', { slug: 'sin-nada', title: 'Sin nada' })
    const { pages } = (await call(null, 'GET', '/pages')) as unknown as { pages: Json[] }
    for (const page of pages) has(page, 'page_id slug title content required required_signup')
    expect(pages.find(({ slug }) => slug === 'sin-nada')).toMatchObject({ content: null, required: false, required_signup: false })
    expect(under(await call(null, 'GET', '/pages/reglamento'), 'page')).toMatchObject(text)
  })

  test('GET /accepted_pages, and POST /accepted_pages {page_id, customer_id} (S1-7.80, S1-7.81)', async () => {
    const { pending } = (await call('ana', 'GET', '/accepted_pages')) as unknown as { pending: { page_id: number; slug: string }[] }
    const pendingPage = pending.find(({ slug }) => slug === 'reglamento')
    const { page_id, customer_id } = { page_id: pendingPage?.page_id, customer_id: t.people.ana.customer_id }
    expect(under(await call('ana', 'POST', '/accepted_pages', { page_id, customer_id }), 'accepted_page')).toMatchObject({
      page_id,
      customer_id,
    })
    const after = (await call('ana', 'GET', '/accepted_pages')) as unknown as { accepted_pages: Json[]; pending: Json[] }
    expect(after.accepted_pages.map((acceptedPage) => [acceptedPage.page_id, acceptedPage.customer_id])).toContainEqual([
      page_id,
      customer_id,
    ])
    expect(after.pending.map((page) => page.page_id)).not.toContain(page_id)
  })

  test('locations and class types, under their keys (S1-3.43, S1-3.44)', async () => {
    has(under(await call(null, 'GET', '/locations'), 'locations'), 'location_id name address')
    has(under(await call(null, 'GET', '/class_types'), 'class_types'), 'class_type_id name image')
  })

  test('what GET /locations and GET /class_packages/{id} answer can be sent back, and changes nothing', async () => {
    const [{ timezone: zone }] = (await t.s.sql('select timezone from location order by location_id limit 1')) as [{ timezone: null }]
    expect(zone).toBeNull()
    const stored = async () => ({
      locations: await t.s.sql('select location_id, name, address, timezone, map_link, phone, hours from location order by 1'),
      packages: await t.s.sql('select class_package_id, title, price_centavos, available from class_package order by 1'),
      types: await t.s.sql('select * from class_package_type order by 1, 2'),
    })
    const types = (await call(null, 'GET', '/class_types')).class_types as Json[]
    const created = under(
      await call('owner', 'POST', '/class_packages', {
        title: 'Por tipo',
        price: '500',
        class_amount: 4,
        expiration_days: 30,
        available: true,
        class_package_types: [{ class_type_id: types[0]?.class_type_id, class_amount: 4, expiration_days: 30 }],
      }),
      'class_package',
    )
    const before = await stored()
    expect(before.types).not.toEqual([])
    const { locations } = (await call(null, 'GET', '/locations')) as { locations: Json[] }
    for (const location of locations) await call('owner', 'PUT', '/locations', location)
    const read = under(await call(null, 'GET', `/class_packages/${created.class_package_id}`), 'class_package')
    expect(read.class_package_types).toMatchObject([{ class_type: { class_type_id: types[0]?.class_type_id } }])
    expect(under(await call('owner', 'PUT', '/class_packages', read), 'class_package')).toMatchObject(read)
    expect(await stored()).toEqual(before)
    // A zone that the location did not have is stored, also when the mark was sent along.
    const moved = { ...locations[0], timezone: 'America/Tijuana' }
    expect(under(await call('owner', 'PUT', '/locations', moved), 'location')).toMatchObject({ timezone: 'America/Tijuana' })
    expect(((await call(null, 'GET', '/locations')).locations as Json[])[0]).toEqual({ ...moved, timezone_of_studio: false })
    await call('owner', 'PUT', '/locations', { ...locations[0], timezone: null })
  })

  test('a category is ’nueva’ when new, and available by default (S1-3.45)', async () => {
    const created = under(
      await call('owner', 'POST', '/class_categories', { class_category_id: 'nueva', name: 'Suaves', description: 'Sin saltos' }),
      'class_category',
    )
    expect(created).toEqual({
      class_category_id: expect.any(Number),
      name: 'Suaves',
      handle: 'suaves',
      description: 'Sin saltos',
      available: true,
      sort: 0,
      archived: false,
      updatedAt: expect.any(String),
    })
    const again = await call('owner', 'POST', '/class_categories', { ...created, available: false })
    expect(again.class_category).toEqual({ ...created, available: false, updatedAt: expect.any(String) })
  })
})

describe('online videos', () => {
  const FIELDS = 'video_id name description duration url thumbnail file instructor playbacks tags favorite'

  test('lists have videos and total, single responses video (S2-3.14, S2-3.19, S2-3.20, S2-7.17 to S2-7.21)', async () => {
    const label = under(await call('owner', 'POST', '/tags', { tag_id: 'nueva', name: 'Respirar', type: 'video' }), 'tag')
    has(label, 'tag_id name type')
    const course = under(await call('owner', 'POST', '/programs', { program_id: 'nuevo', name: 'Siete días' }), 'program')
    const kind = under(await call('owner', 'POST', '/video_types', { name: 'Corto' }), 'video_type')
    const text = {
      name: 'Respira',
      duration: 12,
      url: 'https://youtu.be/dQw4w9WgXcQ',
      tag_ids: [label.tag_id],
      program_id: course.program_id,
      video_type_id: kind.video_type_id,
    }
    const { video_id } = under(await call('owner', 'POST', '/videos', text), 'video')
    const query = `tag_id=${label.tag_id}&video_type_id=${kind.video_type_id}&program_id=${course.program_id}&completed=false&duration=12&query=respira`
    const paths = [`?${query}&tags=${label.tag_id}&page=1`, `/tag/${label.tag_id}`, `/program/${course.program_id}`]
    for (const path of paths) {
      const answer = await call('ana', 'GET', `/videos${path}`)
      expect(answer.total).toBe(1)
      has(under(answer, 'videos'), FIELDS)
      expect(under(answer, 'videos').video_id).toBe(video_id)
    }
    expect(await call('ana', 'GET', '/videos/upcoming')).toMatchObject({ videos: [], total: 0 })
    const detail = under(await call('ana', 'GET', `/videos/${video_id}`), 'video')
    has(detail, FIELDS)
    expect(detail).toMatchObject({ url: text.url, duration: 12, favorite: 0, playbacks: [] })
    await call('ana', 'PUT', `/videos/${video_id}/complete`)
    expect(under(under(await call('ana', 'GET', `/videos/${video_id}`), 'video'), 'playbacks').customer_id).toBe(t.people.ana.customer_id)
    await call('ana', 'PUT', `/videos/${video_id}/uncomplete`)
    await call('ana', 'POST', '/videos/rating', { video_id, stars: 5, comment: 'Gracias' })
    expect(await call('ana', 'POST', '/videos/rating/email', { video_id })).toEqual({ ok: true })
    expect(await call('owner', 'PUT', '/videos', { video_id, name: 'Respira hondo' })).toMatchObject({
      video: { name: 'Respira hondo' },
    })
    expect(await call('owner', 'DELETE', `/videos/${video_id}`)).toEqual({ ok: true })
  })

  test('favorites, video_types and programs (S2-4.26, S2-7.26 to S2-7.34)', async () => {
    const [video_id] = t.known.video_id ?? []
    expect(await call('ana', 'POST', '/favorites', { video_id })).toEqual({ video_id, favorite: 1 })
    has(under(await call('ana', 'GET', '/favorites'), 'favorites'), FIELDS)
    expect(await call('ana', 'DELETE', `/favorites/${video_id}`)).toEqual({ video_id, favorite: 0 })
    has(under(await call('ana', 'GET', '/video_types'), 'video_types'), 'video_type_id name')
    const course = under(await call('ana', 'GET', '/programs'), 'programs')
    has(course, 'program_id name')
    expect(under(await call('ana', 'GET', `/programs/${course.program_id}`), 'program')).toEqual(course)
    expect(under(await call('owner', 'PUT', '/programs', { program_id: course.program_id, name: 'Ocho días' }), 'program').name).toBe(
      'Ocho días',
    )
    expect(await call('owner', 'DELETE', `/programs/${course.program_id}`)).toEqual({ ok: true })
  })

  test('a customer has the fields that unlock videos (S2-3.05)', async () => {
    has(under(under(await call('ana', 'GET', '/customer'), 'customer'), 'online_accesses'), 'available_class_id title expires_at')
  })
})

describe('forms, addresses and files', () => {
  test('a form and its fields; form 6 is the address form (S1-9.13, S2-3.25, S2-3.26)', async () => {
    const { form_id } = under(
      await call('owner', 'POST', '/forms', {
        name: 'Salud',
        form_fields: [
          { key: 'lesion', label: '¿Alguna lesión?', type: 'boolean', required: true },
          { key: 'cual', label: '¿Cuál?', type: 'textarea', precondition: { key: 'lesion', value: true } },
        ],
      }),
      'form',
    )
    const form = under(await call(null, 'GET', `/forms/${form_id}`), 'form')
    has(form, 'form_id form_fields')
    for (const field of form.form_fields as Json[]) has(field, 'order key type label required options precondition')
    expect((form.form_fields as Json[])[1]).toMatchObject({ precondition: { key: 'lesion', value: true } })
    const six = under(await call(null, 'GET', '/forms/6'), 'form')
    const keys = (six.form_fields as Json[]).map(({ key }) => key)
    expect(keys.sort()).toEqual('city country interior_number neighborhood number state street zip_code'.split(' '))
  })

  test('the fields of a custom field (S2-3.27)', async () => {
    await call('owner', 'POST', '/custom_fields', { object: 'mascota', key: 'nombre', type: 'text', required: true, step: 2, order: 1 })
    const found = under(await call(null, 'GET', '/custom_fields?object=mascota'), 'custom_fields')
    expect(found).toMatchObject({ key: 'nombre', type: 'text', required: true, object: 'mascota', value: null, step: 2, order: 1 })
  })

  test('an address has its Address_id, with a capital (S2-3.01, S2-3.02)', async () => {
    const whole = {
      street: 'Tonalá',
      number: '118',
      interior_number: '4',
      neighborhood: 'Roma Norte',
      city: 'CDMX',
      state: 'CDMX',
      zip_code: '06700',
      country: 'México',
    }
    const { address } = await call('ana', 'POST', '/addresses', { Address_id: 'nueva', ...whole })
    expect(address).toEqual({ ...whole, Address_id: expect.any(Number) })
  })

  test('an upload returns its file_id, and a file has name, type and URL (S2-3.28, S2-3.29)', async () => {
    const form = new FormData()
    form.set('file', new File(['%PDF-1.4\n'], 'estudio.pdf', { type: 'application/pdf' }))
    const sent = await fetch(`${t.s.url}/api/files`, { method: 'POST', headers: bearer(t.people.ana.token), body: form })
    const { file_id } = (await sent.json()) as { file_id: number }
    expect(file_id).toBeGreaterThan(0)
    const { file } = await call('ana', 'GET', `/files/${file_id}`)
    expect(file).toMatchObject({ file_id, name: 'estudio.pdf', type: 'application/pdf' })
    const opened = await fetch(`${t.s.url}${(file as Json).src}`)
    expect([opened.status, await opened.text()]).toEqual([200, '%PDF-1.4\n'])
  })
})
