/** Income that was earned, and credits that are about to expire. */
import { describe, expect, test } from 'vitest'
import { centavos, type GeneratedStudio, PERIODS, sum } from './world.ts'

/** What was paid without tax, given back, earned and still to be earned of each period of a purchase, at an instant: credit by credit. */
export function slowIncomeAt(w: GeneratedStudio, instant: Date) {
  const noGiftCards = w.t.invoice.filter((row) => !['pending', 'void'].includes(row.status))
  const units = new Map<string, { purchase_id: number; period: string; paid: number; back: number; recognised: number }>()
  for (const charge of noGiftCards) {
    const key = `${charge.purchase_id} ${charge.period}`
    const unit = units.get(key) ?? { purchase_id: charge.purchase_id, period: charge.period, paid: 0, back: 0, recognised: 0 }
    units.set(key, unit)
    const netOf = (amount: number) =>
      amount === charge.total_centavos ? charge.net_centavos : Math.round(amount / (1 + charge.tax_rate / 10_000))
    if (new Date(charge.paidAt ?? charge.createdAt) < instant) unit.paid += charge.net_centavos
    for (const row of w.t.refund.filter((refund) => refund.invoice_id === charge.invoice_id)) {
      if (row.doneAt && new Date(row.doneAt) < instant) unit.back += netOf(row.amount_centavos)
      if (row.returnedAt && new Date(row.returnedAt) < instant) unit.back -= netOf(row.amount_centavos)
    }
    for (const row of w.t.dispute_movement.filter((movement) => movement.invoice_id === charge.invoice_id))
      if (new Date(row.createdAt) < instant) unit.back += Math.sign(row.amount_centavos) * netOf(Math.abs(row.amount_centavos))
  }
  for (const [key, unit] of units) {
    const period = key.slice(key.indexOf(' ') + 1)
    const sold = w.t.purchase.find((row) => row.purchase_id === unit.purchase_id)
    const classPackage = w.t.class_package.find((row) => row.class_package_id === sold?.class_package_id)
    const creditLot = w.t.available_class.find((row) => row.purchase_id === unit.purchase_id && row.period === period)
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
      for (const row of w.t.credit_movement.filter(
        (movement) => movement.available_class_id === creditLot.available_class_id && movement.kind !== 'grant',
      )) {
        const reservation = w.t.class_reservation.find((reservation) => reservation.class_reservation_id === row.class_reservation_id)
        const cls = w.t.single_class.find((candidate) => candidate.single_class_id === reservation?.single_class_id)
        const at = Math.max(Date.parse(row.createdAt), cls ? Date.parse(cls.starts_at) : 0)
        if (at < instant.getTime()) used -= row.amount
      }
      return Math.min(1, Math.max(0, used / creditLot.granted))
    }
    unit.recognised = Math.round((unit.paid - unit.back) * shareOf())
  }
  return [...units.values()]
}

export function incomeReports(w: GeneratedStudio): void {
  const { report, figure, column, groupsOf, startOf, endOf } = w
  const incomeAt = (instant: Date) => slowIncomeAt(w, instant)

  describe.each(PERIODS)('income from $from to $to', (period) => {
    test('what was earned, is to be earned and went back is what was paid, of every purchase (RE17)', async () => {
      const [before, after] = [incomeAt(startOf(period.from)), incomeAt(endOf(period))]
      const of = (units: typeof before, key: 'paid' | 'back' | 'recognised') => sum(units.map((unit) => unit[key]))
      const deferred = (units: typeof before) => of(units, 'paid') - of(units, 'back') - of(units, 'recognised')
      for (const group_by of await groupsOf('reconocido')) {
        const found = await report('reconocido', period, { group_by })
        const moved = (['recognised', 'paid', 'back'] as const).map((key) => of(after, key) - of(before, key))
        expect(['recognised', 'paid', 'back', 'end'].map((key) => centavos(figure(found, key)))).toEqual([...moved, deferred(after)])
        const moving = before.filter((unit, n) => {
          const then = after[n] ?? unit
          const isOwed = [unit, then].some(({ paid, back, recognised }) => paid - back - recognised !== 0)
          return isOwed || (['paid', 'back', 'recognised'] as const).some((key) => unit[key] !== then[key])
        })
        if (group_by === 'lot') expect(found.rows_total).toBe(moving.length)
        expect(['start', 'paid', 'back', 'recognised', 'end'].map((key) => centavos(column(found, key)))).toEqual([
          deferred(before),
          moved[1],
          moved[2],
          moved[0],
          deferred(after),
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
    const ending = w.t.available_class.filter((creditLot) => {
      const renews = w.t.purchase.some((row) => row.purchase_id === creditLot.purchase_id && row.status === 'active' && !row.paused_since)
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
        const unit = units.find((unit) => unit.purchase_id === creditLot.purchase_id)
        const own = w.t.invoice.filter((row) => row.purchase_id === creditLot.purchase_id)
        return unit && own.length === 1 ? Math.round(((unit.paid - unit.back) * creditLot.balance) / creditLot.granted) : 0
      }),
    )
    for (const group_by of await groupsOf('creditos')) {
      const found = await report('creditos', period, { group_by })
      expect([figure(found, 'people'), figure(found, 'credits')]).toEqual([
        new Set(ending.map((creditLot) => creditLot.customer_id)).size,
        sum(ending.map((creditLot) => creditLot.balance)),
      ])
      expect([column(found, 'credits'), centavos(column(found, 'value'))]).toEqual([
        figure(found, 'credits'),
        centavos(figure(found, 'value')),
      ])
      if (ending.every((creditLot) => w.t.invoice.filter((row) => row.purchase_id === creditLot.purchase_id).length < 2))
        expect(centavos(figure(found, 'value'))).toBe(value)
    }
  })
}
