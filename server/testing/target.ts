/** A studio for attack tests: one record of every kind, people of every role, functions that call any endpoint, and a check for writes. */
import pg from 'pg'
import { expect } from 'vitest'
import { ensurePaymentMethods } from '#server/modules/catalogue/catalogue.ts'
import { type Person, studio, type TestStudio } from './studio.ts'
import { type Answer, type Declared, faultsOf, type RawRequest, send } from './wire.ts'

export interface Target {
  s: TestStudio
  people: Record<'ana' | 'eva' | 'fresh' | 'coach' | 'reception' | 'manager' | 'owner', Person>
  /** Valid values by field name; records of `ana` first, of `eva` second. */
  known: Record<string, unknown[]>
  /** Row count and fingerprint of each table, except rate limit counters. Only requests change them: nothing runs in the background. */
  written(): Promise<Record<string, string>>
  /** Calls an endpoint with valid values, except those given in `more`. */
  call(endpoint: Declared, person: Person | string | null, more?: Partial<RawRequest>): Promise<Answer>
  /** Sends a raw request, to this studio unless `at` is given. */
  send(input: RawRequest & { at?: string }): Promise<Answer>
  close(): Promise<void>
}

export const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
export const JSON_BODY = { 'content-type': 'application/json' }

/** The path of an endpoint with its parameters filled in. */
export const pathOf = (endpoint: Declared, value: (param: string) => string) =>
  `/api${endpoint.path.replace(/\{\+?(\w+)\}/g, (_, param: string) => value(param))}`

/** Fails unless the answer is a well-formed refusal, with the given code if any. `note` identifies the request. */
export async function refusedAs(code: string | null, answering: Answer | Promise<Answer>, note: string): Promise<void> {
  const answer = await answering
  const errorCode = answer.status >= 400 ? JSON.parse(answer.text).code : null
  expect({ note, faults: faultsOf(answer), code: code && errorCode }).toEqual({ note, faults: [], code })
}

/** The records that requests may name. */
interface Records {
  people: Target['people']
  room: { single_class_id: number; location_id: number; class_type_id: number }
  soon: { single_class_id: number }
  classPackage: { class_package_id: number }
  page: { page_id: number; slug: string }
  discount: { discount_id: number; code: string }
  film: { video_id: number }
  waitlistIds: number[]
  penaltyIds: number[]
  reservationIds: number[]
  purchaseIds: number[]
  creditLotIds: number[]
}

/** Valid values by field name, of these records and of every kind of choice. */
const knownValues = ({
  people,
  room,
  soon,
  classPackage,
  page,
  discount,
  film,
  waitlistIds,
  penaltyIds,
  reservationIds,
  purchaseIds,
  creditLotIds,
}: Records): Target['known'] => ({
  waitlist_id: waitlistIds,
  class_reservation_penalty_id: penaltyIds,
  auto: [true],
  coach_stars: [5],
  message_ids: [[1]],
  attend: [true, null],
  priority: [1],
  weeks: [2],
  class_date: ['2026-12-01T10:00:00.000Z'],
  capacity: [8, null],
  instructor_ids: [[]],
  available_classes: [3],
  expiration_date: ['2026-12-31'],
  resumes_on: ['2026-12-31'],
  add: [1],
  whatsapp: [true],
  mail: [false],
  single_class_id: [room.single_class_id, soon.single_class_id],
  class_reservation_id: reservationIds,
  class_package_id: [classPackage.class_package_id],
  discount_id: [discount.discount_id],
  code: [discount.code, 'NUEVO'],
  discountCode: [discount.code],
  amount: ['10.00', 0.5],
  is_percent: [true, false],
  max_uses: [1, null],
  title: ['Cuatro'],
  price: ['890.00'],
  class_amount: [4, -1],
  expiration_days: [30],
  is_special_event: [true, false],
  purchase_id: purchaseIds,
  id: purchaseIds,
  available_class_id: creditLotIds,
  customer_id: [people.ana.customer_id, people.eva.customer_id],
  page_id: [page.page_id],
  location_id: [room.location_id],
  class_type_id: [room.class_type_id],
  payment_method_id: [1, 2, 'card'],
  payment_method: ['tok_ok', 'tok_insufficient', 'tok_3ds', 'card'],
  uid: [people.fresh.uid],
  slug: [page.slug],
  name: ['Ana'],
  last_name: ['Treviño'],
  email: ['ana.nueva@ejemplo.mx', people.ana.email],
  phone: ['5512345678', '+52 55 1234 5678'],
  birthdate: ['1990-02-28'],
  accepted_pages: [[page.page_id]],
  spot: ['1-1', '2-4'],
  guest: ['Jimena'],
  guest_spot: ['1-2'],
  page: [1, 2],
  filter: ['all', 'cancelled'],
  reason: ['Me mudo de ciudad'],
  video_id: [film.video_id],
  duration: [24],
  stars: [5],
  url: ['https://vimeo.com/76979871'],
  start_date: ['2026-11-16'],
  end_date: ['2026-11-30'],
})

export async function target(): Promise<Target> {
  const s = await studio({
    settings: {
      allow_class_guests: true,
      cash_checkout_enabled: true,
      discounts_enabled: true,
      payment_sources_enabled: true,
      reservation_rating_enabled: true,
      qrcode_enabled: true,
      waitlist_enabled: true,
      unlimited_membership_penalties_enabled: true,
      videos_enabled: true,
    },
  })
  // The tables do not change between two reads: no workers run, the clock is fixed, and the processor sends no webhook events.
  s.bank().held = true
  const { make } = s
  const people = {
    ana: await make.customer(),
    eva: await make.customer(),
    fresh: await make.account(),
    coach: await make.staff('coach'),
    reception: await make.staff('reception'),
    manager: await make.staff('manager'),
    owner: await make.staff('owner'),
  }
  const { ana, eva } = people
  const [room, soon] = [await make.class({ spot_map: '3,4' }), await make.class({ starts_at: new Date('2026-11-25T16:00:00Z') })]
  const [classPackage, page] = [await make.package(), await make.page()]
  const discount = await make.discount()
  await s.studio.db.tx(ensurePaymentMethods)
  const creditLots = [await make.lot(ana), await make.lot(eva)]
  const reservationIds: number[] = []
  const purchaseIds: number[] = []
  for (const person of [ana, eva]) {
    const { class_reservation } = await s.as(person).bookings.reserve({ single_class_id: soon.single_class_id })
    reservationIds.push(class_reservation.class_reservation_id)
    purchaseIds.push(
      (await s.as(person).sales.attempt({ class_package_id: classPackage.class_package_id, payment_method: 'tok_ok' })).purchase_id,
    )
  }
  const film = await make.video()
  for (const person of [ana, eva]) await make.lot(person, { is_online: true, unlimited: true })
  const full = await make.class({ capacity: 0, starts_at: new Date('2026-11-26T16:00:00Z') })
  const waitlistIds: number[] = []
  const penaltyIds: number[] = []
  for (const person of [ana, eva]) {
    waitlistIds.push((await s.as(person).waitlist.join({ single_class_id: full.single_class_id })).waitlist.waitlist_id)
    const [penalty] = await s.sql<{ id: number }>(
      `insert into class_reservation_penalty (customer_id, reason, starts_at, ends_at, "createdAt") values ($1, 'faltas', '2026-01-01', '2026-01-08', '2026-01-01') returning class_reservation_penalty_id as id`,
      [person.customer_id],
    )
    penaltyIds.push(penalty?.id ?? 0)
  }
  const known = knownValues({
    people,
    room,
    soon,
    classPackage,
    page,
    discount,
    film,
    waitlistIds,
    penaltyIds,
    reservationIds,
    purchaseIds,
    creditLotIds: creditLots.map(({ available_class_id }) => available_class_id),
  })

  const tables = await s.sql<{ name: string }>(
    `select relname as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace and relname <> 'throttle'`,
  )
  const text = tables
    .map(
      ({ name }) => `select '${name}' as name, count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) as what from "${name}" t`,
    )
    .join(' union all ')
  // A separate connection, so that its prepared statements stay prepared.
  const watcher = new pg.Client(s.database)
  await watcher.connect()

  return {
    s,
    people,
    known,
    async written() {
      const { rows } = await watcher.query<{ name: string; what: string }>({ name: 'written', text })
      return Object.fromEntries(rows.map(({ name, what }) => [name, what]))
    },
    call(endpoint, person, more = {}) {
      const body = Object.fromEntries(endpoint.fields.flatMap((field) => (known[field] ? [[field, known[field][0]]] : [])))
      return send(s.url, {
        method: endpoint.method,
        path: pathOf(endpoint, (param) => String(known[param]?.[0] ?? 1)),
        body: endpoint.method === 'GET' ? undefined : JSON.stringify(body),
        ...more,
        headers: { ...JSON_BODY, ...(person === null ? {} : bearer(typeof person === 'string' ? person : person.token)), ...more.headers },
      })
    },
    send: ({ at, ...request }) => send(at ?? s.url, request),
    async close() {
      await watcher.end()
      await s.close()
    },
  }
}
