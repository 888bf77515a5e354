/** What classes and customers brought in, place by place and purchase by purchase. */
import { describe, expect, test } from 'vitest'
import { slowIncomeAt } from './income.ts'
import { slowVisits } from './people.ts'
import { centavos, dayIn, type GeneratedStudio, PERIODS, percent, type Row, sum } from './world.ts'

const isUsed = (row: Row) => !row.deletedAt || row.cancelled_late

export function valueReports(w: GeneratedStudio): void {
  const { report, figure, column, groupsOf, startOf, endOf, isHere } = w
  const zoneOf = (cls: Row) => w.t.location.find((row) => row.location_id === cls.location_id)?.timezone ?? w.zone
  const localDay = (cls: Row) => dayIn(zoneOf(cls), new Date(cls.starts_at))

  /** Of each class: for each place that was used, its part of what was paid. Centavos. */
  function incomeOfClasses(): (cls: Row) => number {
    const units = slowIncomeAt(w, new Date('2040-01-01T00:00:00Z'))
    const classes = new Map(w.t.single_class.map((row) => [row.single_class_id, row]))
    const partOf = (row: Row, cls: Row): number => {
      const creditLot = w.t.available_class.find((creditLot) => creditLot.available_class_id === row.available_class_id)
      const paidBy = creditLot ? creditLot.purchase_id : row.purchase_id
      const own = units.filter((unit) => unit.purchase_id === paidBy && (!creditLot || unit.period === creditLot.period))
      const net = sum(own.map(({ paid, back }) => paid - back))
      if (net === 0) return 0
      if (!creditLot)
        return (
          net /
          w.t.class_reservation.filter(
            (reservation) => reservation.purchase_id === paidBy && !reservation.available_class_id && isUsed(reservation),
          ).length
        )
      if (!creditLot.unlimited) return net / creditLot.granted
      const dayNumber = (at: string) => Math.floor(Date.parse(at) / 86_400_000)
      const days = Math.max(1, dayNumber(creditLot.expires_at) - dayNumber(creditLot.createdAt))
      const sameDay = w.t.class_reservation.filter((reservation) => {
        const other = classes.get(reservation.single_class_id) as Row
        return (
          reservation.available_class_id === creditLot.available_class_id &&
          isUsed(reservation) &&
          !other.cancelledAt &&
          localDay(other) === localDay(cls)
        )
      })
      return net / days / sameDay.length
    }
    return (cls) => {
      const reservations = w.t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id && isUsed(row))
      return Math.round(Number(sum(reservations.map((row) => partOf(row, cls))).toFixed(6)))
    }
  }

  test.each(PERIODS)('Ganancia por clase from $from to $to: place by place, and every way to group them (RE30)', async (period) => {
    const [from, until] = [startOf(period.from), endOf(period)]
    const incomeOf = incomeOfClasses()
    for (const location_id of [undefined, w.there]) {
      const classes = w.t.single_class.filter((row) => {
        const at = new Date(row.starts_at)
        return at >= from && at < until && !row.cancelledAt && new Date(row.ends_at) <= w.s.clock.now() && isHere(location_id, row)
      })
      const income = sum(classes.map(incomeOf))
      const counted = classes.filter((row) => row.capacity > 0)
      const spots = sum(counted.map((row) => row.capacity))
      const pay = sum(
        classes.map((cls) => {
          const reservations = w.t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id && !row.deletedAt)
          const marked = reservations.filter((row) => row.attend !== null)
          const came =
            !cls.settledAt && marked.length === 0 ? reservations.length : reservations.filter((row) => row.attend === true).length
          return w.t.class_instructor.filter((row) => row.single_class_id === cls.single_class_id).length * (30_000 + came * 1_000)
        }),
      )
      for (const group_by of await groupsOf('ganancia')) {
        const found = await report('ganancia', period, { location_id, group_by })
        expect([group_by, ...['income', 'pay', 'gain'].map((key) => centavos(figure(found, key)))]).toEqual([
          group_by,
          income,
          pay,
          income - pay,
        ])
        expect(figure(found, 'per_spot')).toBe(spots > 0 ? Math.round(sum(counted.map(incomeOf)) / spots) / 100 : null)
        // A class with two coaches counts for both.
        if (group_by !== 'coach')
          expect(['income', 'pay', 'gain'].map((key) => centavos(column(found, key)))).toEqual([income, pay, income - pay])
        if (group_by === 'class')
          expect(found.rows.map(({ id, cells }) => [id, centavos(Number(cells.income))]).sort()).toEqual(
            classes.map((cls) => [String(cls.single_class_id), incomeOf(cls)]).sort(),
          )
      }
    }
    if (w.kind !== 'empty') expect(w.t.single_class.some((cls) => incomeOf(cls) > 0)).toBe(true)
  })

  describe.each([...PERIODS, { from: '2025-01-01', to: '2026-11-19' }])('from $from to $to', (period) => {
    test('Valor por cliente: purchase by purchase of who came for the first time (RE31)', async () => {
      const [from, until] = [startOf(period.from), endOf(period)]
      const first = new Map<number, Date>()
      for (const { customer_id, starts_at } of slowVisits(w)) {
        const known = first.get(customer_id)
        if (!known || starts_at < known) first.set(customer_id, starts_at)
      }
      const anonymous = new Set(w.t.customer.filter((row) => row.is_anonymous).map((row) => row.customer_id))
      const starters = [...first].filter(([id, at]) => at >= from && at < until && !anonymous.has(id)).map(([id]) => id)
      const units = slowIncomeAt(w, w.s.clock.now())
      const owner = new Map(w.t.purchase.map((row) => [row.purchase_id, row.customer_id]))
      const incomeOf = (id: number) => sum(units.filter((unit) => owner.get(unit.purchase_id) === id).map(({ recognised }) => recognised))
      const income = sum(starters.map(incomeOf))
      for (const group_by of await groupsOf('valor')) {
        const found = await report('valor', period, { group_by })
        expect([figure(found, 'people'), centavos(figure(found, 'income')), centavos(column(found, 'income'))]).toEqual([
          starters.length,
          income,
          income,
        ])
        expect(figure(found, 'ltv')).toBe(starters.length > 0 ? Math.round(income / starters.length) / 100 : null)
        expect(figure(found, 'paying')).toBe(percent(starters.filter((id) => incomeOf(id) > 0).length, starters.length))
        if (group_by === 'person')
          expect(found.rows.map(({ id, cells }) => [id, centavos(Number(cells.income))]).sort()).toEqual(
            starters.map((id) => [String(id), incomeOf(id)]).sort(),
          )
      }
      if (w.kind !== 'empty' && period.from < '2026') expect(income).toBeGreaterThan(0)
    })
  })
}
