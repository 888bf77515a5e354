/** What was sold, collected and counted in the tills. */
import { describe, expect, test } from 'vitest'
import { centavos, type GeneratedStudio, PERIODS, type Row, sum } from './world.ts'

export function moneyReports(w: GeneratedStudio): void {
  const { report, figure, column, isIn, isHere, groupsOf } = w

  /** Each movement of money: when, how much, its charge. */
  function movements(location_id?: number) {
    const charges = w.t.invoice.filter((row) => !['pending', 'void'].includes(row.status) && isHere(location_id, row))
    const all: { at: string; centavos: number; charge: Row; kind: string }[] = []
    for (const charge of charges) {
      all.push({ at: charge.paidAt ?? charge.createdAt, centavos: charge.total_centavos, charge, kind: 'charge' })
      for (const back of w.t.refund.filter((row) => row.invoice_id === charge.invoice_id)) {
        if (back.doneAt) all.push({ at: back.doneAt, centavos: -back.amount_centavos, charge, kind: 'refund' })
        if (back.returnedAt) all.push({ at: back.returnedAt, centavos: back.amount_centavos, charge, kind: 'returned' })
      }
      for (const row of w.t.dispute_movement.filter((movement) => movement.invoice_id === charge.invoice_id))
        all.push({ at: row.createdAt, centavos: -row.amount_centavos, charge, kind: 'lost' })
    }
    return all
  }

  describe.each(PERIODS)('money from $from to $to', (period) => {
    test('Ingresos cobrados', async () => {
      for (const location_id of [undefined, w.there]) {
        const found = await report('cobrado', period, { location_id })
        const counted = movements(location_id).filter(({ at, charge }) => charge.gateway !== 'regalo' && isIn(period, at))
        expect(centavos(figure(found, 'collected'))).toBe(sum(counted.map((part) => part.centavos)))
      }
    })

    test('Ventas, and every way to group them (RE9)', async () => {
      for (const location_id of [undefined, w.there]) {
        const sold = w.t.purchase.filter((row) => isIn(period, row.completedAt) && !row.is_gift && isHere(location_id, row))
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
        const { total, sum } = await w.s.as(w.owner).studioSales.purchases({
          sold: true,
          from: query.get('desde') ?? '',
          to: query.get('hasta') ?? '',
          class_package_id: Number(query.get('paquete')),
        })
        expect([total, Number(sum?.total)]).toEqual([row.cells.sales, row.cells.sold])
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
          sum(counted.map((part) => part.centavos)),
        ])
        expect(centavos(figure(found, 'net')) + centavos(figure(found, 'tax'))).toBe(centavos(figure(found, 'total')))
        expect([centavos(column(found, 'tax')), centavos(column(found, 'total'))]).toEqual([sum(taxes), centavos(figure(found, 'total'))])
        expect(figure(found, 'total')).toBe(figure(await report('cobrado', period), 'collected'))
      }
    })

    test('Cortes: differences by till, person and place are the same (RE12)', async () => {
      const closed = w.t.cash_session.filter((row) => isIn(period, row.closedAt))
      const discrepancy = sum(closed.flatMap((row) => row.counted.map((count: Row) => count.counted - count.expected)))
      for (const group_by of await groupsOf('cortes')) {
        const found = await report('cortes', period, { group_by })
        expect([figure(found, 'sessions'), centavos(figure(found, 'difference')), centavos(column(found, 'difference'))]).toEqual([
          closed.length,
          discrepancy,
          discrepancy,
        ])
      }
      for (const [only, key] of [
        ['diferencia', 'differing'],
        ['sin-aprobar', 'open'],
      ] as const)
        expect((await report('cortes', period, { only })).rows_total).toBe(figure(await report('cortes', period), key))
    })

    test('Descuentos: sales at a discount, and those that were a customer’s first (RE22)', async () => {
      const sold = w.t.purchase.filter((row) => isIn(period, row.completedAt) && !row.is_gift && row.discount_centavos > 0)
      const first = sold.filter(
        (row) =>
          !w.t.purchase.some(
            (entry) =>
              entry.customer_id === row.customer_id &&
              entry.completedAt &&
              !entry.is_gift &&
              new Date(entry.completedAt) < new Date(row.completedAt),
          ),
      )
      for (const group_by of await groupsOf('descuentos')) {
        const found = await report('descuentos', period, { group_by })
        expect([figure(found, 'uses'), centavos(figure(found, 'discounted')), column(found, 'uses'), column(found, 'first')]).toEqual([
          sold.length,
          sum(sold.map((row) => row.discount_centavos)),
          sold.length,
          first.length,
        ])
      }
    })
  })
}
