/**
 * The reports of generated studios against a slow computation from whole tables, written without their queries, and the laws that their figures keep: what
 * is grouped adds up to the figure, what is one way or the other adds up to all.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupKey, ReportKey } from '#contract/copy/reports.ts'
import type { Report, ReportInput } from '#contract/reports.ts'
import { localDate } from '#contract/time.ts'
import { refreshAllIncome } from '#server/modules/income/income.ts'
import { refreshAllRollups } from '#server/modules/rollups/rollups.ts'
import { generateStudio, STUDIO_KINDS, type StudioKind } from '#server/testing/generated-studio.ts'
import { type Person, START, studio, type TestStudio } from '#server/testing/studio.ts'

const ZONE = 'America/Mexico_City'
/** Periods of three lengths; the last one goes on. */
const PERIODS = [
  { from: '2026-10-01', to: '2026-10-31' },
  { from: '2026-09-07', to: '2026-11-08' },
  { from: '2026-11-02', to: '2026-11-19' },
] as const

// biome-ignore lint/suspicious/noExplicitAny: whole rows, as the database has them
type Row = Record<string, any>
interface Tables {
  customer: Row[]
  purchase: Row[]
  invoice: Row[]
  refund: Row[]
  gift_card: Row[]
  cash_session: Row[]
  single_class: Row[]
  class_reservation: Row[]
  class_instructor: Row[]
  location: Row[]
  available_class: Row[]
  credit_movement: Row[]
  class_package: Row[]
  waitlist: Row[]
  message: Row[]
  playback: Row[]
}
const TABLES = [
  ...(['customer', 'purchase', 'invoice', 'refund', 'gift_card', 'cash_session', 'location'] as const),
  ...(['single_class', 'class_reservation', 'class_instructor', 'available_class', 'credit_movement', 'class_package'] as const),
  ...(['waitlist', 'message', 'playback'] as const),
] as const

const dayIn = (zone: string, at: Date) => new Intl.DateTimeFormat('en-CA', { timeZone: zone, dateStyle: 'short' }).format(at)
const day = (at: string) => dayIn(ZONE, new Date(at))
const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)
const centavos = (pesos: number | null | undefined) => Math.round(100 * (pesos ?? 0))
const percent = (part: number, whole: number) => (whole > 0 ? Math.round((1_000 * part) / whole) / 10 : null)

interface Period {
  from: string
  to: string
}

/** Messages in every state, videos that were watched, and a rule that pays every class. */
async function addMarks(s: TestStudio): Promise<void> {
  const people = (await s.sql<{ id: number }>('select customer_id as id from customer where not is_anonymous order by 1')).map(
    ({ id }) => id,
  )
  const states = ['sent', 'delivered', 'read', 'failed', 'unknown', 'waiting', 'moot']
  for (const [n, customer_id] of people.entries())
    await s.sql(
      `insert into message (event, about, customer_id, channel, status, words, "nextAt", "createdAt")
       values ($1, $2, $3, $4, $5, '{}', $6, $6)`,
      [
        ...[
          n % 2 ? 'penalty' : 'reservation_reminder',
          `generated:${n}`,
          customer_id,
          n % 3 ? 'mail' : 'whatsapp',
          states[n % states.length],
        ],
        new Date(s.clock.now().getTime() - n * 1.7 * 86_400_000),
      ],
    )
  const videos = [await s.make.video(), await s.make.video()].map(({ video_id }) => video_id)
  for (const [n, customer_id] of people.entries()) {
    const started = new Date(s.clock.now().getTime() - n * 1.9 * 86_400_000)
    await s.sql(
      `insert into playback (customer_id, video_id, "startedAt", "lastAt", "completedAt", "createdAt") values ($1, $2, $3, $3, $4, $3)`,
      [customer_id, videos[n % 2], started, n % 3 ? new Date(started.getTime() + 3_600_000) : null],
    )
  }
  const terms = {
    ...{ base: 30_000, per_person: 1_000, per_person_from: 1, steps: [], full_bonus: 0, percent: 0, minimum: 0, private: null },
    ...{ substitute: 'own', late_cancel_hours: 0, late_cancel_percent: 0 },
  }
  await s.sql(`insert into pay_rule (from_day, terms) values ('2020-01-01', $1)`, [terms])
}

describe.each(STUDIO_KINDS)('a studio that is %s', (kind: StudioKind) => {
  let s: TestStudio
  let owner: Person
  let t: Tables
  let there: number
  beforeAll(async () => {
    s = await studio()
    s.clock.set(START)
    owner = await s.make.staff('owner')
    there = (await generateStudio(s, kind, kind === 'chaotic' ? 7 : 3)).locations[1]
    if (kind !== 'empty') await addMarks(s)
    // From rollups alone, from some of them, and without any.
    if (kind !== 'empty') await refreshAllRollups(s.system())
    if (kind !== 'empty') await refreshAllIncome(s.system())
    if (kind === 'chaotic') {
      await s.sql('insert into rollup_change (customer_id) select customer_id from customer where customer_id % 2 = 0')
      await s.sql('insert into rollup_change (single_class_id) select single_class_id from single_class where single_class_id % 2 = 0')
      await s.sql('delete from visit_first where customer_id % 2 = 0')
      await s.sql('delete from visit_month where customer_id % 2 = 0')
      await s.sql('delete from class_rollup where single_class_id % 2 = 0')
      await s.sql('insert into income_change (purchase_id) select purchase_id from purchase where purchase_id % 2 = 0')
    }
    const read = async (name: string) => (await s.sql<{ row: Row }>(`select to_jsonb(t) as row from ${name} t`)).map(({ row }) => row)
    t = Object.fromEntries(await Promise.all(TABLES.map(async (name) => [name, await read(name)]))) as unknown as Tables
  })
  afterAll(() => s.close())

  const report = (key: ReportKey, period: Period, more: Partial<ReportInput> = {}): Promise<Report> =>
    s.as(owner).reports.read({ key, ...period, ...more })
  const figure = (of: Report, key: string) => of.figures.find((one) => one.key === key)?.value ?? null
  const column = (of: Report, key: string) => sum(of.rows.map(({ cells }) => Number(cells[key] ?? 0)))
  /** Whether an instant is on one of the days, and not after now. */
  const isIn = (period: Period, at: string | null | undefined): boolean =>
    at != null && new Date(at) < s.clock.now() && day(at) >= period.from && day(at) <= period.to
  const isHere = (location_id: number | undefined, row: Row) => location_id === undefined || row.location_id === location_id
  const groupsOf = async (key: ReportKey): Promise<GroupKey[]> => (await report(key, PERIODS[0])).groups.map((group) => group.key)

  /** Each movement of money: when, how much, its charge. */
  function movements(location_id?: number) {
    const charges = t.invoice.filter((row) => !['pending', 'void'].includes(row.status) && isHere(location_id, row))
    const all: { at: string; centavos: number; charge: Row; kind: string }[] = []
    for (const charge of charges) {
      all.push({ at: charge.paidAt ?? charge.createdAt, centavos: charge.total_centavos, charge, kind: 'charge' })
      for (const back of t.refund.filter((row) => row.invoice_id === charge.invoice_id)) {
        if (back.doneAt) all.push({ at: back.doneAt, centavos: -back.amount_centavos, charge, kind: 'refund' })
        if (back.returnedAt) all.push({ at: back.returnedAt, centavos: back.amount_centavos, charge, kind: 'returned' })
      }
      const left = charge.total_centavos - charge.refunded_centavos
      if (charge.lostAt) all.push({ at: charge.lostAt, centavos: -left, charge, kind: 'lost' })
      if (charge.regainedAt) all.push({ at: charge.regainedAt, centavos: left, charge, kind: 'regained' })
    }
    return all
  }

  test('something was generated, unless it is empty', () => {
    expect(t.class_reservation.length > 300).toBe(kind !== 'empty')
    expect(t.refund.length > 0).toBe(kind !== 'empty')
  })

  describe.each(PERIODS)('from $from to $to', (period) => {
    test('Ingresos cobrados', async () => {
      for (const location_id of [undefined, there]) {
        const found = await report('cobrado', period, { location_id })
        const counted = movements(location_id).filter(({ at, charge }) => charge.gateway !== 'regalo' && isIn(period, at))
        expect(centavos(figure(found, 'collected'))).toBe(sum(counted.map((one) => one.centavos)))
      }
    })

    test('Ventas, and every way to group them (RE9)', async () => {
      for (const location_id of [undefined, there]) {
        const sold = t.purchase.filter((row) => isIn(period, row.completedAt) && !row.is_gift && isHere(location_id, row))
        for (const group_by of await groupsOf('ventas')) {
          const found = await report('ventas', period, { location_id, group_by })
          expect([figure(found, 'sales'), centavos(figure(found, 'sold')), centavos(figure(found, 'discounted'))]).toEqual([
            sold.length,
            sum(sold.map((row) => row.total_centavos)),
            sum(sold.map((row) => row.discount_centavos)),
          ])
          expect([column(found, 'sales'), centavos(column(found, 'sold'))]).toEqual([sold.length, centavos(figure(found, 'sold'))])
        }
      }
    })

    test('a row of Ventas opens the purchases that it counts', async () => {
      const found = await report('ventas', period, { group_by: 'package' })
      for (const row of found.rows) {
        if (!row.link) continue
        const query = new URL(row.link, 'http://x').searchParams
        const { total, sum } = await s.as(owner).studioSales.purchases({
          ...{ sold: true, from: query.get('desde') ?? '', to: query.get('hasta') ?? '', class_package_id: Number(query.get('paquete')) },
        })
        expect([total, Number(sum.total)]).toEqual([row.cells.sales, row.cells.sold])
      }
    })

    test('IVA: base and tax are the total, which is what was collected (RE10)', async () => {
      const counted = movements().filter(({ at }) => isIn(period, at))
      const taxes = counted.map(({ centavos, charge }) => {
        const amount = Math.abs(centavos)
        // In whole numbers: total - total / (1 + rate), half up.
        const net = Number((2n * BigInt(amount) * 10_000n + BigInt(10_000 + charge.tax_rate)) / (2n * BigInt(10_000 + charge.tax_rate)))
        return Math.sign(centavos) * (amount === charge.total_centavos ? charge.tax_centavos : amount - net)
      })
      for (const group_by of await groupsOf('iva')) {
        const found = await report('iva', period, { group_by })
        expect([centavos(figure(found, 'tax')), centavos(figure(found, 'total'))]).toEqual([
          sum(taxes),
          sum(counted.map((one) => one.centavos)),
        ])
        expect(centavos(figure(found, 'net')) + centavos(figure(found, 'tax'))).toBe(centavos(figure(found, 'total')))
        expect([centavos(column(found, 'tax')), centavos(column(found, 'total'))]).toEqual([sum(taxes), centavos(figure(found, 'total'))])
        expect(figure(found, 'total')).toBe(figure(await report('cobrado', period), 'collected'))
      }
    })

    test('Asistencia: each reservation that was made ended in one way (RE11)', async () => {
      for (const location_id of [undefined, there]) {
        const classes = new Set(
          t.single_class
            .filter((row) => isIn(period, row.starts_at) && !row.cancelledAt && isHere(location_id, row))
            .map((row) => row.single_class_id),
        )
        const made = t.class_reservation.filter(
          (row) => classes.has(row.single_class_id) && !['undo', 'move', 'studio'].includes(row.cancelled_by ?? ''),
        )
        const living = made.filter((row) => !row.deletedAt)
        const came = living.filter((row) => row.attend === true).length
        const absent = living.filter((row) => row.attend === false && !row.excuse).length
        const late = made.filter((row) => row.deletedAt && row.cancelled_late).length
        for (const group_by of await groupsOf('asistencia')) {
          const found = await report('asistencia', period, { location_id, group_by })
          expect(['attendance', 'absent', 'late', 'lateness'].map((key) => figure(found, key))).toEqual([
            ...[percent(came, came + absent), absent, late, percent(late, made.length)],
          ])
          for (const { cells } of found.rows)
            expect(cells.reservations).toBe(
              sum(['attended', 'absent', 'excused', 'unmarked', 'cancelled', 'late'].map((key) => Number(cells[key]))),
            )
          if (group_by !== 'coach') expect(found.totals.reservations ?? 0).toBe(made.length)
        }
      }
    })

    test('Cortes: differences by till, person and place are the same (RE12)', async () => {
      const closed = t.cash_session.filter((row) => isIn(period, row.closedAt))
      const discrepancy = sum(closed.flatMap((row) => row.counted.map((one: Row) => one.counted - one.expected)))
      for (const group_by of await groupsOf('cortes')) {
        const found = await report('cortes', period, { group_by })
        expect([figure(found, 'sessions'), centavos(figure(found, 'difference')), centavos(column(found, 'difference'))]).toEqual([
          ...[closed.length, discrepancy, discrepancy],
        ])
      }
      for (const [only, key] of [
        ['diferencia', 'differing'],
        ['sin-aprobar', 'open'],
      ] as const)
        expect((await report('cortes', period, { only })).rows_total).toBe(figure(await report('cortes', period), key))
    })
  })

  /** Visits: own places in classes that took place, marked as present or on a list that was closed without a mark. */
  function visits(location_id?: number) {
    const classes = new Map(t.single_class.filter((row) => !row.cancelledAt).map((row) => [row.single_class_id, row]))
    return t.class_reservation.flatMap((row) => {
      const cls = classes.get(row.single_class_id)
      if (!cls || row.deletedAt || row.host_reservation_id || !isHere(location_id, cls)) return []
      if (!(row.attend === true || (row.attend === null && cls.settledAt))) return []
      return [{ ...row, starts_at: new Date(cls.starts_at), cls }] as (Row & { starts_at: Date; cls: Row; customer_id: number })[]
    })
  }
  const startOf = (from: string) => {
    // The first instant whose day it is, searched hour by hour.
    let at = Date.parse(`${from}T00:00:00Z`) - 15 * 3_600_000
    while (dayIn(ZONE, new Date(at)) < from) at += 3_600_000
    return new Date(at)
  }
  const endOf = (period: Period) => {
    const next = new Date(Date.parse(`${period.to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)
    const end = startOf(next)
    return end > s.clock.now() && startOf(period.from) < s.clock.now() ? s.clock.now() : end
  }

  function activeAt(instant: Date): Set<number> {
    const active = new Set<number>()
    const monthAgo = new Date(instant.getTime() - 30 * 86_400_000)
    for (const { customer_id, starts_at } of visits()) if (starts_at >= monthAgo && starts_at < instant) active.add(customer_id)
    for (const creditLot of t.available_class) {
      const isGood =
        new Date(creditLot.createdAt) <= instant &&
        (!creditLot.expires_at || new Date(creditLot.expires_at) >= instant) &&
        (!creditLot.revokedAt || new Date(creditLot.revokedAt) > instant) &&
        (!creditLot.frozenAt || new Date(creditLot.frozenAt) > instant)
      const balance = sum(
        t.credit_movement
          .filter((row) => row.available_class_id === creditLot.available_class_id && new Date(row.createdAt) <= instant)
          .map((row) => row.amount),
      )
      if (isGood && (creditLot.unlimited || balance > 0)) active.add(creditLot.customer_id)
    }
    for (const row of t.purchase) {
      if (!row.is_subscription || !row.completedAt || new Date(row.completedAt) > instant) continue
      if (row.status === 'active') active.add(row.customer_id)
      if (row.status === 'cancelled' && new Date(row.benefits_until ?? row.cancelledAt) > instant) active.add(row.customer_id)
    }
    return active
  }

  describe.each(PERIODS)('people from $from to $to', (period) => {
    test('Clientes: active at the beginning, plus new and back, less lost, are those at the end (RE13)', async () => {
      const found = await report('clientes', period)
      const [from, until] = [startOf(period.from), endOf(period)]
      const [before, after] = [activeAt(from), activeAt(until)]
      const came = [...after].filter((id) => !before.has(id))
      const knew = came.filter(
        (id) =>
          visits().some((one) => one.customer_id === id && one.starts_at < from) ||
          t.available_class.some((creditLot) => creditLot.customer_id === id && new Date(creditLot.createdAt) < from) ||
          t.purchase.some((row) => row.customer_id === id && row.is_subscription && row.completedAt && new Date(row.completedAt) < from),
      )
      const lost = [...before].filter((id) => !after.has(id))
      expect(['active', 'new', 'back', 'lost'].map((key) => figure(found, key))).toEqual([
        ...[after.size, came.length - knew.length, knew.length, lost.length],
      ])
      const start = Number(found.rows.find(({ id }) => id === 'start')?.cells.count ?? 0)
      expect([start, start + came.length - lost.length]).toEqual([before.size, after.size])
      for (const [only, count] of [
        ['nuevas', came.length - knew.length],
        ['regresaron', knew.length],
        ['se-fueron', lost.length],
      ] as const)
        expect((await report('clientes', period, { group_by: 'person', only })).rows_total).toBe(count)
    })

    test('Primera clase: who came for the first time, and bought within 30 days (RE14)', async () => {
      const [from, until] = [startOf(period.from), endOf(period)]
      const packages = new Map(t.class_package.map((row) => [row.class_package_id, row]))
      const first = new Map<number, ReturnType<typeof visits>[number]>()
      for (const one of visits().sort(
        (a, b) => a.starts_at.getTime() - b.starts_at.getTime() || a.cls.single_class_id - b.cls.single_class_id,
      ))
        if (!first.has(one.customer_id)) first.set(one.customer_id, one)
      const tried = [...first.values()].filter((one) => {
        const creditLot = t.available_class.find((row) => row.available_class_id === one.available_class_id)
        const gift = t.purchase.some((row) => row.purchase_id === creditLot?.purchase_id && row.is_gift)
        const isTry = !creditLot || creditLot.is_courtesy || gift || one.is_cash || packages.get(creditLot.class_package_id)?.is_trial
        return isTry && one.starts_at >= from && one.starts_at < until
      })
      const bought = tried.filter((one) =>
        t.purchase.some((row) => {
          const days = (Date.parse(row.completedAt) - one.starts_at.getTime()) / 86_400_000
          const classPackage = packages.get(row.class_package_id)
          return (
            row.customer_id === one.customer_id &&
            days >= 0 &&
            days < 30 &&
            !row.is_gift &&
            classPackage &&
            !classPackage.is_trial &&
            classPackage.class_amount !== 0
          )
        }),
      )
      for (const group_by of await groupsOf('primera-clase')) {
        const found = await report('primera-clase', period, { group_by })
        expect(['tried', 'bought', 'conversion'].map((key) => figure(found, key))).toEqual([
          ...[tried.length, bought.length, percent(bought.length, tried.length)],
        ])
        expect(group_by === 'person' ? found.rows_total : column(found, 'tried')).toBe(tried.length)
      }
      expect((await report('primera-clase', period, { group_by: 'person', only: 'compraron' })).rows_total).toBe(bought.length)
    })

    test('Retención: everybody is in the month of the first class, and each month counts them once (RE15)', async () => {
      const monthOf = (at: Date) => dayIn(ZONE, at).slice(0, 7)
      const months = new Map<number, Set<string>>()
      for (const one of visits()) {
        if (one.starts_at >= s.clock.now()) continue
        months.set(one.customer_id, (months.get(one.customer_id) ?? new Set()).add(monthOf(one.starts_at)))
      }
      const cohort = [...months.values()]
        .map((all) => [...all].sort())
        .filter(([first = '']) => first >= period.from.slice(0, 7) && first <= period.to.slice(0, 7))
      const nextOf = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 7)
      // The month after the first one is over.
      const over = cohort.filter(([first = '']) => nextOf(first) < monthOf(s.clock.now()))
      const found = await report('retencion', period)
      expect([figure(found, 'people'), figure(found, 'month1')]).toEqual([
        ...[cohort.length, percent(over.filter(([first = '', ...rest]) => rest.includes(nextOf(first))).length, over.length)],
      ])
      expect([column(found, 'people'), (await report('retencion', period, { group_by: 'person' })).rows_total]).toEqual([
        cohort.length,
        cohort.length,
      ])
    })

    test('Suscripciones: those that lived, plus those that began, less those that ended, live (RE16)', async () => {
      const [from, until] = [startOf(period.from), endOf(period)]
      const lives = t.purchase
        .filter((row) => row.is_subscription && row.completedAt)
        .map((row) => {
          const revoked = t.available_class
            .filter((creditLot) => creditLot.purchase_id === row.purchase_id && creditLot.revokedAt)
            .map((creditLot) => Date.parse(creditLot.revokedAt))
          const ends = { active: null, cancelled: Math.max(Date.parse(row.benefits_until ?? 0), Date.parse(row.cancelledAt)) }[
            row.status as 'active'
          ]
          return { start: Date.parse(row.completedAt), end: ends === undefined ? Math.max(...revoked) : (ends as number | null) }
        })
      const living = (at: Date) => lives.filter(({ start, end }) => start < at.getTime() && (end === null || end >= at.getTime())).length
      const within = (at: number | null) => at !== null && at >= from.getTime() && at < until.getTime()
      const [started, ended] = [lives.filter(({ start }) => within(start)).length, lives.filter(({ end }) => within(end)).length]
      const found = await report('suscripciones', period)
      expect([figure(found, 'live'), figure(found, 'churn')]).toEqual([living(until), percent(ended, living(from))])
      expect(['start', 'started', 'ended', 'end'].map((key) => column(found, key))).toEqual([living(from), started, ended, living(until)])
      expect(living(from) + started - ended).toBe(living(until))
      const months = await report('suscripciones', period, { group_by: 'month' })
      if (lives.length > 0)
        expect([column(months, 'started'), column(months, 'ended'), months.rows[0]?.cells.start, months.rows.at(-1)?.cells.end]).toEqual([
          ...[started, ended, living(from), living(until)],
        ])
      for (const [only, count] of [
        ['altas', started],
        ['bajas', ended],
      ] as const)
        expect((await report('suscripciones', period, { group_by: 'person', only })).rows_total).toBe(count)
    })
  })

  test('the monthly revenue is that of the list of subscriptions (V47)', async () => {
    const { sum: listed } = await s.as(owner).studioSubscriptions.list({})
    const found = await report('suscripciones', { from: '2026-11-01', to: '2026-11-19' })
    expect([figure(found, 'mrr'), figure(found, 'past_due')]).toEqual([Number(listed.mrr), Number(listed.past_due)])
  })

  /** What was paid without tax, given back, earned and still to be earned of each period of a purchase, at an instant: credit by credit. */
  function incomeAt(instant: Date) {
    const noGiftCards = t.invoice.filter((row) => !['pending', 'void'].includes(row.status))
    const units = new Map<string, { purchase_id: number; paid: number; back: number; recognised: number }>()
    for (const charge of noGiftCards) {
      const key = `${charge.purchase_id} ${charge.period}`
      const unit = units.get(key) ?? { purchase_id: charge.purchase_id, paid: 0, back: 0, recognised: 0 }
      units.set(key, unit)
      const netOf = (amount: number) =>
        amount === charge.total_centavos ? charge.net_centavos : Math.round(amount / (1 + charge.tax_rate / 10_000))
      if (new Date(charge.paidAt ?? charge.createdAt) < instant) unit.paid += charge.net_centavos
      for (const row of t.refund.filter((one) => one.invoice_id === charge.invoice_id)) {
        if (row.doneAt && new Date(row.doneAt) < instant) unit.back += netOf(row.amount_centavos)
        if (row.returnedAt && new Date(row.returnedAt) < instant) unit.back -= netOf(row.amount_centavos)
      }
      if (charge.lostAt && new Date(charge.lostAt) < instant) unit.back += netOf(charge.total_centavos - charge.refunded_centavos)
    }
    for (const [key, unit] of units) {
      const period = key.slice(key.indexOf(' ') + 1)
      const sold = t.purchase.find((row) => row.purchase_id === unit.purchase_id)
      const classPackage = t.class_package.find((row) => row.class_package_id === sold?.class_package_id)
      const creditLot = t.available_class.find((row) => row.purchase_id === unit.purchase_id && row.period === period)
      const shareOf = () => {
        if (!creditLot) return classPackage && classPackage.class_amount !== 0 ? 0 : 1
        if (creditLot.revokedAt && new Date(creditLot.revokedAt) <= instant) return 1
        const isFrozen = creditLot.frozenAt && new Date(creditLot.frozenAt) <= instant
        if (!isFrozen && new Date(creditLot.expires_at) <= instant) return 1
        if (new Date(creditLot.createdAt) > instant) return 0
        if (creditLot.unlimited) {
          const until = isFrozen ? new Date(creditLot.frozenAt) : instant
          return (until.getTime() - Date.parse(creditLot.createdAt)) / (Date.parse(creditLot.expires_at) - Date.parse(creditLot.createdAt))
        }
        let used = 0
        for (const row of t.credit_movement.filter(
          (one) => one.available_class_id === creditLot.available_class_id && one.kind !== 'grant',
        )) {
          const reservation = t.class_reservation.find((one) => one.class_reservation_id === row.class_reservation_id)
          const cls = t.single_class.find((one) => one.single_class_id === reservation?.single_class_id)
          const at = Math.max(Date.parse(row.createdAt), cls ? Date.parse(cls.starts_at) : 0)
          if (at < instant.getTime()) used -= row.amount
        }
        return Math.min(1, Math.max(0, used / creditLot.granted))
      }
      unit.recognised = Math.round((unit.paid - unit.back) * shareOf())
    }
    return [...units.values()]
  }

  describe.each(PERIODS)('income from $from to $to', (period) => {
    test('what was earned, is to be earned and went back is what was paid, of every purchase (RE17)', async () => {
      const [before, after] = [incomeAt(startOf(period.from)), incomeAt(endOf(period))]
      const of = (units: typeof before, key: 'paid' | 'back' | 'recognised') => sum(units.map((unit) => unit[key]))
      const deferred = (units: typeof before) => of(units, 'paid') - of(units, 'back') - of(units, 'recognised')
      for (const group_by of await groupsOf('reconocido')) {
        const found = await report('reconocido', period, { group_by })
        const moved = (['recognised', 'paid', 'back'] as const).map((key) => of(after, key) - of(before, key))
        expect(['recognised', 'paid', 'back', 'end'].map((key) => centavos(figure(found, key)))).toEqual([...moved, deferred(after)])
        expect(['start', 'paid', 'back', 'recognised', 'end'].map((key) => centavos(column(found, key)))).toEqual([
          ...[deferred(before), moved[1], moved[2], moved[0], deferred(after)],
        ])
        for (const { cells } of found.rows) {
          const [start, paid, back, recognised, end] = ['start', 'paid', 'back', 'recognised', 'end'].map((key) =>
            centavos(Number(cells[key])),
          )
          expect(Number(start) + Number(paid) - Number(back) - Number(recognised)).toBe(end)
          expect(end).toBeGreaterThanOrEqual(0)
        }
        const [now] = found.charts[0]?.series ?? []
        expect(sum((now?.points ?? []).map(({ y }) => centavos(y)))).toBe(centavos(figure(found, 'recognised')))
      }
    })
  })

  test.each([
    { from: '2026-11-19', to: '2026-12-18' },
    { from: '2026-10-01', to: '2026-10-31' },
  ])('Créditos por vencer from $from to $to: credits left, and what was paid for them (RE19)', async (period) => {
    const [from, until] = [
      startOf(period.from),
      startOf(new Date(Date.parse(`${period.to}T00:00:00Z`) + 86_400_000).toISOString().slice(0, 10)),
    ]
    const ending = t.available_class.filter((creditLot) => {
      const renews = t.purchase.some((row) => row.purchase_id === creditLot.purchase_id && row.status === 'active' && !row.paused_since)
      const ends = new Date(creditLot.expires_at)
      return (
        !creditLot.unlimited &&
        creditLot.balance > 0 &&
        !creditLot.revokedAt &&
        !creditLot.frozenAt &&
        !renews &&
        ends >= from &&
        ends < until
      )
    })
    const units = incomeAt(new Date('2030-01-01T00:00:00Z'))
    const value = sum(
      ending.map((creditLot) => {
        const unit = units.find((one) => one.purchase_id === creditLot.purchase_id)
        const own = t.invoice.filter((row) => row.purchase_id === creditLot.purchase_id)
        return unit && own.length === 1 ? Math.round(((unit.paid - unit.back) * creditLot.balance) / creditLot.granted) : 0
      }),
    )
    for (const group_by of await groupsOf('creditos')) {
      const found = await report('creditos', period, { group_by })
      expect([figure(found, 'people'), figure(found, 'credits')]).toEqual([
        ...[new Set(ending.map((creditLot) => creditLot.customer_id)).size, sum(ending.map((creditLot) => creditLot.balance))],
      ])
      expect([column(found, 'credits'), centavos(column(found, 'value'))]).toEqual([
        figure(found, 'credits'),
        centavos(figure(found, 'value')),
      ])
      if (ending.every((creditLot) => t.invoice.filter((row) => row.purchase_id === creditLot.purchase_id).length < 2))
        expect(centavos(figure(found, 'value'))).toBe(value)
    }
  })

  describe.each(PERIODS)('opinions and demand from $from to $to', (period) => {
    const classesIn = (location_id?: number) =>
      t.single_class.filter((row) => isIn(period, row.starts_at) && !row.cancelledAt && isHere(location_id, row))

    test('Por coach and Calificaciones: stars of the classes, one by one (RE20, RE25)', async () => {
      for (const location_id of [undefined, there]) {
        const ids = new Set(classesIn(location_id).map((row) => row.single_class_id))
        const rated = t.class_reservation.filter((row) => ids.has(row.single_class_id) && !row.deletedAt && row.coach_stars !== null)
        const mean = (rows: Row[]) => (rows.length ? Math.round((10 * sum(rows.map((row) => row.coach_stars))) / rows.length) / 10 : null)
        const found = await report('calificaciones', period, { location_id })
        expect(['stars', 'ratings', 'low'].map((key) => figure(found, key))).toEqual([
          ...[mean(rated), rated.length, rated.filter((row) => row.coach_stars <= 3).length],
        ])
        expect((await report('calificaciones', period, { location_id, group_by: 'comment' })).rows_total).toBe(rated.length)
        const coaches = await report('coaches', period, { location_id })
        expect(figure(coaches, 'occupancy')).toBe(figure(await report('ocupacion', period, { location_id }), 'occupancy'))
        const taught = t.class_instructor.filter((row) => ids.has(row.single_class_id))
        expect([figure(coaches, 'coaches'), column(coaches, 'classes')]).toEqual([
          ...[new Set(taught.map((row) => row.instructor_id)).size, taught.length],
        ])
      }
    })

    test('Demanda no atendida: who waited got in or stayed outside (RE21)', async () => {
      const ids = new Set(classesIn().map((row) => row.single_class_id))
      const waits = new Map<string, boolean>()
      for (const row of t.waitlist.filter((one) => ids.has(one.single_class_id))) {
        const key = `${row.single_class_id} ${row.customer_id}`
        const hasReservation = t.class_reservation.some(
          (one) => one.single_class_id === row.single_class_id && one.customer_id === row.customer_id && !one.deletedAt,
        )
        waits.set(key, (waits.get(key) ?? false) || row.status === 'booked' || hasReservation)
      }
      const outside = [...waits].filter(([, gotIn]) => !gotIn).map(([key]) => key)
      for (const group_by of await groupsOf('espera')) {
        const found = await report('espera', period, { group_by })
        expect([figure(found, 'outside'), figure(found, 'people')]).toEqual([
          ...[outside.length, new Set(outside.map((key) => key.split(' ')[1])).size],
        ])
        expect([column(found, 'outside'), column(found, 'got_in'), column(found, 'waited')]).toEqual([
          ...[outside.length, waits.size - outside.length, waits.size],
        ])
      }
      expect(figure(await report('ocupacion', period), 'waiting')).toBe(figure(await report('espera', period), 'outside'))
    })

    test('Descuentos: sales at a discount, and those that were somebody’s first (RE22)', async () => {
      const sold = t.purchase.filter((row) => isIn(period, row.completedAt) && !row.is_gift && row.discount_centavos > 0)
      const first = sold.filter(
        (row) =>
          !t.purchase.some(
            (one) =>
              one.customer_id === row.customer_id &&
              one.completedAt &&
              !one.is_gift &&
              new Date(one.completedAt) < new Date(row.completedAt),
          ),
      )
      for (const group_by of await groupsOf('descuentos')) {
        const found = await report('descuentos', period, { group_by })
        expect([figure(found, 'uses'), centavos(figure(found, 'discounted')), column(found, 'uses'), column(found, 'first')]).toEqual([
          ...[sold.length, sum(sold.map((row) => row.discount_centavos)), sold.length, first.length],
        ])
      }
    })

    test('Mensajes and Videos count one by one (RE23, RE24)', async () => {
      const sent = t.message.filter((row) => isIn(period, row.createdAt))
      const tried = sent.filter((row) => !['waiting', 'sending', 'moot'].includes(row.status))
      const arrived = tried.filter((row) => ['sent', 'delivered', 'read'].includes(row.status))
      for (const group_by of await groupsOf('mensajes')) {
        const found = await report('mensajes', period, { group_by })
        expect([figure(found, 'sent'), figure(found, 'arrived'), figure(found, 'failed')]).toEqual([
          ...[tried.length, percent(arrived.length, tried.length), tried.filter((row) => row.status === 'failed').length],
        ])
        expect(column(found, 'tried')).toBe(tried.length)
      }
      const videos = await report('videos', period)
      const views = t.playback.filter((row) => isIn(period, row.startedAt)).length
      const completed = t.playback.filter((row) => isIn(period, row.completedAt)).length
      expect([figure(videos, 'views'), figure(videos, 'completed'), column(videos, 'views'), column(videos, 'completed')]).toEqual([
        ...[views, completed, views, completed],
      ])
    })

    test('Nómina: each class that was given, for each of its coaches (RE26)', async () => {
      // On the clocks of each location, as pay has it.
      const zones = new Map(t.location.map((row) => [row.location_id, row.timezone ?? ZONE]))
      const given = t.single_class.filter((row) => {
        const local = dayIn(zones.get(row.location_id) ?? ZONE, new Date(row.starts_at))
        return local >= period.from && local <= period.to && !row.cancelledAt && new Date(row.ends_at) <= s.clock.now()
      })
      const paid = given.flatMap((cls) => {
        const reservations = t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id && !row.deletedAt)
        const marked = reservations.filter((row) => row.attend !== null)
        const came = !cls.settledAt && marked.length === 0 ? reservations.length : reservations.filter((row) => row.attend === true).length
        return t.class_instructor.filter((row) => row.single_class_id === cls.single_class_id).map(() => 30_000 + came * 1_000)
      })
      const found = await report('nomina', period)
      expect([column(found, 'classes') >= paid.length, centavos(figure(found, 'amount')), centavos(column(found, 'amount'))]).toEqual([
        ...[true, sum(paid), sum(paid)],
      ])
    })
  })

  test('Quién está por irse: everybody at risk or about to expire, one by one (RE18, X3)', async () => {
    const now = s.clock.now().getTime()
    const days = (from: string, to: string | number) => (new Date(to).getTime() - new Date(from).getTime()) / 86_400_000
    const classes = new Map(t.single_class.map((row) => [row.single_class_id, row]))
    const listed = t.customer
      .filter((person) => !person.deletedAt && !person.is_anonymous && !person.archivedAt)
      .flatMap((person) => {
        const is = (row: Row) => row.customer_id === person.customer_id
        const own = t.class_reservation
          .filter((row) => is(row) && !row.deletedAt && row.host_reservation_id === null)
          .map((row) => ({ attend: row.attend, cls: classes.get(row.single_class_id) as Row }))
          .filter(({ cls }) => !cls.cancelledAt)
        const visits = own
          .filter(({ attend, cls }) => Date.parse(cls.starts_at) <= now && (attend === true || (attend === null && cls.settledAt)))
          .map(({ cls }) => cls.starts_at as string)
          .sort((a, b) => Date.parse(a) - Date.parse(b))
        const usable = t.available_class.filter(
          (creditLot) =>
            is(creditLot) &&
            !creditLot.revokedAt &&
            !creditLot.frozenAt &&
            (creditLot.unlimited || creditLot.balance > 0) &&
            (creditLot.expires_at === null || Date.parse(creditLot.expires_at) >= now),
        )
        const subscriptions = t.purchase.filter((row) => is(row) && row.is_subscription && row.status === 'active')
        const last = visits.at(-1)
        const away = last === undefined ? null : days(last, now)
        const gaps = visits.flatMap((at, n) => (n === 0 ? [] : days(visits[n - 1] ?? at, at))).sort((a, b) => a - b)
        const median = ((gaps[Math.ceil(gaps.length / 2) - 1] ?? 0) + (gaps[Math.floor(gaps.length / 2)] ?? 0)) / 2
        const refused = subscriptions.some((row) => row.past_due_since)
        const isLate = gaps.length > 0 && away !== null && away > 10 && away > 2 * median
        const active = (away !== null && away <= 30) || usable.length > 0 || subscriptions.length > 0
        const lasts = usable.some(
          (creditLot) => creditLot.expires_at === null || days(new Date(now).toISOString(), creditLot.expires_at) > 7,
        )
        const booked = own.some(({ cls }) => Date.parse(cls.starts_at) > now)
        const one = { id: String(person.customer_id), refused, booked }
        if (refused || (usable.length > 0 && isLate)) return { ...one, state: 'en-riesgo' }
        return active && !lasts && subscriptions.every((row) => row.paused_since) ? { ...one, state: 'por-vencer' } : []
      })
    const of = (state: string) => listed.filter((one) => one.state === state)
    const found = await report('riesgo', PERIODS[2])
    expect([figure(found, 'risk'), figure(found, 'expiring'), figure(found, 'refused'), figure(found, 'booked')]).toEqual([
      ...[of('en-riesgo').length, of('por-vencer').length, listed.filter((one) => one.refused).length],
      percent(listed.filter((one) => one.booked).length, listed.length),
    ])
    for (const only of ['en-riesgo', 'por-vencer']) {
      const { rows, rows_total } = await report('riesgo', PERIODS[2], { only })
      expect([only, rows_total]).toEqual([only, of(only).length])
      const ids = of(only).map(({ id }) => id)
      expect(rows.filter(({ id }) => !ids.includes(id))).toEqual([])
    }
    expect(listed.length > 0).toBe(kind !== 'empty')
    if (kind === 'chaotic') expect(Math.min(of('en-riesgo').length, of('por-vencer').length)).toBeGreaterThan(0)
  })

  test('the index has the first figure of every report, of the week, the month and the year', async () => {
    const today = localDate(s.clock.now(), ZONE)
    for (const period of ['week', 'month', 'year'] as const) {
      const { from, reports } = await s.as(owner).reports.list({ period })
      for (const { key, figure, missing_days } of reports) {
        const ofPeriod = key === 'creditos' || key === 'retencion' ? {} : { from, to: today }
        const read = await s.as(owner).reports.read({ key, ...ofPeriod })
        expect([key, period, figure]).toEqual([key, period, missing_days === null ? read.figures[0] : null])
      }
      expect(reports.some(({ figure }) => figure?.value)).toBe(kind !== 'empty')
    }
  })

  test('every report can be read in every way that it offers, and its file written', async () => {
    for (const { key } of (await s.as(owner).reports.list({})).reports) {
      const usual = await s.as(owner).reports.read({ key })
      for (const { key: group_by } of usual.groups)
        for (const only of [undefined, ...usual.choices.map((one) => one.key)]) {
          const found = await s.as(owner).reports.read({ key, group_by, only, ...PERIODS[1], compare: 'year' })
          for (const row of found.rows) for (const one of found.columns) expect(row.cells).toHaveProperty(one.key)
          expect(found.rows_total).toBeGreaterThanOrEqual(found.rows.length)
          if (kind === 'empty') expect([found.rows.length, found.headline]).toEqual([0, null])
        }
      expect((await s.as(owner).reports.file({ key, format: 'csv' })).size).toBeGreaterThan(10)
    }
  })
})
