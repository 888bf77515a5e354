/**
 * The reports of generated studios against a slow computation from whole tables, written without their queries, and the laws that their figures keep: what
 * is grouped adds up to the figure, what is one way or the other adds up to all.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { GroupKey, ReportKey } from '#contract/copy/reports.ts'
import type { Report, ReportInput } from '#contract/reports.ts'
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
  purchase: Row[]
  invoice: Row[]
  refund: Row[]
  gift_card: Row[]
  cash_session: Row[]
  single_class: Row[]
  class_reservation: Row[]
  class_instructor: Row[]
  location: Row[]
}
const TABLES = [
  ...([
    'purchase',
    'invoice',
    'refund',
    'gift_card',
    'cash_session',
    'single_class',
    'class_reservation',
    'class_instructor',
    'location',
  ] as const),
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
      const difference = sum(closed.flatMap((row) => row.counted.map((one: Row) => one.counted - one.expected)))
      for (const group_by of await groupsOf('cortes')) {
        const found = await report('cortes', period, { group_by })
        expect([figure(found, 'sessions'), centavos(figure(found, 'difference')), centavos(column(found, 'difference'))]).toEqual([
          ...[closed.length, difference, difference],
        ])
      }
      for (const [only, key] of [
        ['diferencia', 'differing'],
        ['sin-aprobar', 'open'],
      ] as const)
        expect((await report('cortes', period, { only })).rows_total).toBe(figure(await report('cortes', period), key))
    })
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
