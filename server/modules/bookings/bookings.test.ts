import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { countSpots } from '#server/testing/reservations.ts'
import { codeOf, type Person, refusalOf, studio, type TestStudio } from '#server/testing/studio.ts'

let s: TestStudio
beforeAll(async () => {
  s = await studio()
})
afterAll(() => s.close())
beforeEach(() => s.reset())

describe('booking', () => {
  test('takes a spot, spends a credit, and returns which lot paid (S2-7.63, R12)', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer({ title: 'Diez clases' }), s.make.class()])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(class_reservation).toMatchObject({
      single_class_id: cls.single_class_id,
      customer_id: ana.customer_id,
      deletedAt: null,
      spot: null,
      guest: null,
      paid_with: 'Diez clases',
      status: 'Próxima',
      actions: { cancel: 'free', rate: false, access_code: true, add_guest: false },
      why_not: null,
      single_class: { class_date: '2026-11-20T10:00:00.000Z', taken: 1, places_left: 9, timezone: 'America/Mexico_City' },
    })
    expect(await s.balance(ana)).toBe(9)
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 1, places: 1 })
  })

  test('the response contains no other customer and no internal columns', async () => {
    const [ana, eva, cls] = await Promise.all([s.make.buyer(), s.make.buyer(), s.make.class({ spot_map: '5,5' })])
    await s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-1' })
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, spot: '1-2' })
    const seen = JSON.stringify([await s.as(ana).bookings.list({}), await s.as(ana).schedule.one({ single_class_id: cls.single_class_id })])
    expect(seen).not.toContain(`"customer_id":${eva.customer_id}`)
    expect(seen).not.toMatch(/cancelled_late|host_reservation_id|available_class_id":null|email/)
  })

  test.each<[string, string, () => Promise<{ who: Person; ask: { single_class_id: number } & object }>]>([
    [
      'NO_CREDITS',
      'without credits',
      async () => ({ who: await s.make.customer(), ask: { single_class_id: (await s.make.class()).single_class_id } }),
    ],
    [
      'NO_MATCHING_CREDITS',
      'with credits that expire before the class',
      async () => ({
        who: await s.make.buyer({ expires_at: new Date('2026-11-20T05:59:59Z') }),
        ask: { single_class_id: (await s.make.class({ starts_at: new Date('2026-11-21T16:00:00Z') })).single_class_id },
      }),
    ],
    [
      'NO_MATCHING_CREDITS',
      'with credits for another type',
      async () => {
        const type = await s.make.classType()
        return {
          who: await s.make.buyer({ class_type_ids: [type.class_type_id] }),
          ask: { single_class_id: (await s.make.class()).single_class_id },
        }
      },
    ],
    ['CLASS_NOT_FOUND', 'an unknown class', async () => ({ who: await s.make.buyer(), ask: { single_class_id: 2_000_000_000 } })],
    [
      'CLASS_STARTED',
      'a class that began',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ starts_at: new Date(s.clock.now().getTime() - 60_000) })).single_class_id },
      }),
    ],
    [
      'CLASS_CANCELLED',
      'a class that the studio cancelled',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ cancelledAt: s.clock.now() })).single_class_id },
      }),
    ],
    [
      'CLASS_FULL',
      'a class without capacity (settled 20)',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ capacity: null })).single_class_id },
      }),
    ],
    [
      'SPOT_REQUIRED',
      'no seat where there is a map',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ spot_map: '3,4' })).single_class_id },
      }),
    ],
    [
      'SPOT_UNKNOWN',
      'a seat off the map',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ spot_map: '3,4' })).single_class_id, spot: '1-4' },
      }),
    ],
    [
      'SPOT_OUT_OF_ORDER',
      'a seat out of order',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ spot_map: '3,4', closed_spots: ['2-2'] })).single_class_id, spot: '2-2' },
      }),
    ],
    [
      'GUESTS_NOT_ALLOWED',
      'a guest without the switch',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class()).single_class_id, guest: 'Jimena' },
      }),
    ],
    [
      'CLASS_SOLD_AS_PACKAGE',
      'a class sold as a package',
      async () => ({
        who: await s.make.buyer(),
        ask: { single_class_id: (await s.make.class({ class_package_id: (await s.make.package()).class_package_id })).single_class_id },
      }),
    ],
  ])('%s: %s', async (expected, _what, make) => {
    const { who, ask } = await make()
    const before = await s.balance(who)
    expect(await codeOf(s.as(who).bookings.reserve(ask))).toBe(expected)
    expect(await s.balance(who)).toBe(before)
    expect((await s.as(who).bookings.list({})).total).toBe(0)
  })

  test('a refusal has its message and HTTP status (S2-8.04, S2-8.11)', async () => {
    const [ana, cls] = await Promise.all([s.make.customer(), s.make.class()])
    const refused = await refusalOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))
    expect(refused).toMatchObject({
      status: 412,
      message: 'Lo sentimos. Has agotado todos tus créditos. Compra un paquete para seguir reservando.',
    })
  })

  test('distinguishes a visitor from an account without a customer', async () => {
    const cls = await s.make.class()
    expect(await codeOf(s.as(null).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('UNAUTHENTICATED')
    expect(await codeOf(s.as(await s.make.account()).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('NO_CUSTOMER')
  })

  test.each([
    [{ single_class_id: -1 }],
    [{ single_class_id: 1.5 }],
    [{ single_class_id: 3_000_000_000 }],
    [{ single_class_id: 'uno' }],
    [{}],
    [{ single_class_id: 1, spot: '0-1' }],
    [{ single_class_id: 1, guest: 'a'.repeat(81) }],
    [{ single_class_id: 1, guest: 'Ana\u0000' }],
  ])('input that makes no sense is refused with words: %j', async (input) => {
    const ana = await s.make.customer()
    expect(await refusalOf(s.as(ana).bookings.reserve(input as never))).toMatchObject({ code: 'INVALID_INPUT', status: 400 })
  })

  test('the last spot is booked, the next booking refused, and the class shows as full (R4)', async () => {
    const [ana, eva, cls] = await Promise.all([s.make.buyer(), s.make.buyer(), s.make.class({ capacity: 1 })])
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(await codeOf(s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('CLASS_FULL')
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toBe('ALREADY_RESERVED')
    expect(await s.balance(eva)).toBe(10)
  })

  test('a taken spot is refused (409), and free again after a cancellation (R5)', async () => {
    const [ana, eva, cls] = await Promise.all([s.make.buyer(), s.make.buyer(), s.make.class({ spot_map: '3,4' })])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id, spot: '2-4' })
    expect(class_reservation.spot).toBe('2-4')
    expect(await refusalOf(s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id, spot: '2-4' }))).toMatchObject({
      code: 'SPOT_TAKEN',
      status: 409,
    })
    expect(await s.balance(eva)).toBe(10)
    await s.as(ana).bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    await s.as(eva).bookings.reserve({ single_class_id: cls.single_class_id, spot: '2-4' })
  })

  test('refuses overlapping classes; one class may begin when the other ends (R10)', async () => {
    const ana = await s.make.buyer()
    const starts_at = new Date('2026-11-20T16:00:00Z')
    const ends_at = new Date('2026-11-20T17:00:00Z')
    const [first, during, after] = await Promise.all([
      s.make.class({ starts_at, ends_at }),
      s.make.class({ starts_at: new Date('2026-11-20T16:59:00Z') }),
      s.make.class({ starts_at: ends_at }),
    ])
    await s.as(ana).bookings.reserve({ single_class_id: first.single_class_id })
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: first.single_class_id }))).toBe('ALREADY_RESERVED')
    expect(await refusalOf(s.as(ana).bookings.reserve({ single_class_id: during.single_class_id }))).toMatchObject({
      code: 'OVERLAPPING_RESERVATION',
      status: 409,
    })
    await s.as(ana).bookings.reserve({ single_class_id: after.single_class_id })
    expect(await s.balance(ana)).toBe(8)
  })

  test('refuses before opening and after closing (R2, R3)', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer(), s.make.class({ starts_at: new Date('2026-11-26T00:00:00Z') })])
    await s.change({ reservation_opens_days: 3, reservation_timeframe_hours: 2 })
    expect(await refusalOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toMatchObject({
      code: 'CLASS_NOT_OPEN',
      message: 'Las reservas abren el dom 22 nov, 18:00.',
    })
    s.clock.set('2026-11-25T16:00:01-06:00')
    expect(await refusalOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toMatchObject({
      code: 'CLASS_CLOSED',
      message: 'Las reservas de esta clase cerraron el mié 25 nov, 16:00.',
    })
    s.clock.set('2026-11-25T16:00:00-06:00')
    await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
  })

  test('refuses while documents have to be accepted (R11)', async () => {
    const [ana, cls, page] = await Promise.all([s.make.buyer(), s.make.class(), s.make.page({ required: true })])
    try {
      expect(await refusalOf(s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id }))).toMatchObject({
        code: 'DOCUMENTS_REQUIRED',
        status: 412,
      })
      await s.as(ana).content.accept({ page_id: page.page_id })
      await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    } finally {
      await s.sql('update page set required = false where page_id = $1', [page.page_id])
    }
  })

  test('the first lot in order pays, unless the customer names another that fits (C3)', async () => {
    const ana = await s.make.customer()
    const [ten, soon] = [
      await s.make.lot(ana, { title: 'Diez' }),
      await s.make.lot(ana, { title: 'Por vencer', granted: 1, expires_at: new Date('2026-11-30T05:59:59Z') }),
    ]
    const other = await s.make.lot(await s.make.customer())
    const classes = [await s.make.class(), await s.make.class({ starts_at: new Date('2026-11-24T16:00:00Z') })] as const
    const detail = await s.as(ana).schedule.one({ single_class_id: classes[0].single_class_id })
    expect(detail.single_class.credits.map((creditLot) => creditLot.title)).toEqual(['Por vencer', 'Diez'])
    expect(
      await codeOf(
        s.as(ana).bookings.reserve({ single_class_id: classes[0].single_class_id, available_class_id: other.available_class_id }),
      ),
    ).toBe('CREDIT_NOT_USABLE')
    const named = await s
      .as(ana)
      .bookings.reserve({ single_class_id: classes[0].single_class_id, available_class_id: ten.available_class_id })
    expect(named.class_reservation.paid_with).toBe('Diez')
    const first = await s.as(ana).bookings.reserve({ single_class_id: classes[1].single_class_id })
    expect(first.class_reservation.paid_with).toBe('Por vencer')
    expect((await s.as(ana).credits.list()).available_classes.map((creditLot) => creditLot.available_class_id)).toEqual([
      ten.available_class_id,
    ])
    expect(soon.available_class_id).not.toBe(ten.available_class_id)
  })

  test('an unlimited lot pays without counting (S2-3.16)', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer({ unlimited: true, title: 'Ilimitada' }), s.make.class()])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    expect(class_reservation.paid_with).toBe('Ilimitada')
    const { available_classes, summary } = await s.as(ana).credits.list()
    expect(available_classes[0]?.available_classes).toBe(-1)
    expect(summary).toMatchObject({ has_unlimited: true, available: 0 })
  })

  test('a class sold as a package is paid by a credit of that package (S2-3.09)', async () => {
    const classPackage = await s.make.package({ is_special_event: true, class_amount: 1 })
    const [ana, special, ordinary] = await Promise.all([
      s.make.buyer({ class_package_id: classPackage.class_package_id, granted: 1 }),
      s.make.class({ class_package_id: classPackage.class_package_id }),
      s.make.class({ starts_at: new Date('2026-11-25T16:00:00Z') }),
    ])
    expect(await codeOf(s.as(ana).bookings.reserve({ single_class_id: ordinary.single_class_id }))).toBe('NO_MATCHING_CREDITS')
    await s.as(ana).bookings.reserve({ single_class_id: special.single_class_id })
  })
})

describe('a repeated request has one effect and one response (R12)', () => {
  test('the same key returns the same reservation', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer(), s.make.class()])
    const again = () => s.as(ana, 'intencion-1').bookings.reserve({ single_class_id: cls.single_class_id })
    const first = await again()
    expect((await again()).class_reservation).toEqual(first.class_reservation)
    expect(
      (await Promise.all(Array.from({ length: 10 }, again))).every(
        (answer) => answer.class_reservation.class_reservation_id === first.class_reservation.class_reservation_id,
      ),
    ).toBe(true)
    expect(await s.balance(ana)).toBe(9)
    expect(await countSpots(s, cls.single_class_id)).toEqual({ taken: 1, places: 1 })
  })

  test('the same key with other contents is refused; another customer may use it', async () => {
    const [ana, eva, first, two] = await Promise.all([
      s.make.buyer(),
      s.make.buyer(),
      s.make.class(),
      s.make.class({ starts_at: new Date('2026-11-25T16:00:00Z') }),
    ])
    await s.as(ana, 'intencion-2').bookings.reserve({ single_class_id: first.single_class_id })
    expect(await refusalOf(s.as(ana, 'intencion-2').bookings.reserve({ single_class_id: two.single_class_id }))).toMatchObject({
      code: 'IDEMPOTENCY_KEY_REUSED',
      status: 422,
    })
    const hers = await s.as(eva, 'intencion-2').bookings.reserve({ single_class_id: first.single_class_id })
    expect(hers.class_reservation.customer_id).toBe(eva.customer_id)
  })

  test('a refusal is not stored: the same key may try again', async () => {
    const [ana, cls] = await Promise.all([s.make.customer(), s.make.class()])
    const input = () => s.as(ana, 'intencion-3').bookings.reserve({ single_class_id: cls.single_class_id })
    expect(await codeOf(input())).toBe('NO_CREDITS')
    await s.make.lot(ana)
    await input()
  })

  test('a repeated cancellation returns the credit once and responds the same', async () => {
    const [ana, cls] = await Promise.all([s.make.buyer(), s.make.class()])
    const { class_reservation } = await s.as(ana).bookings.reserve({ single_class_id: cls.single_class_id })
    const cancel = () => s.as(ana, 'cancelo-1').bookings.cancel({ class_reservation_id: class_reservation.class_reservation_id })
    const first = await cancel()
    expect(await cancel()).toEqual(first)
    expect(first.credit).toBe('returned')
    expect(await s.balance(ana)).toBe(10)
  })
})
