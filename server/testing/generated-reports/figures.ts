/** The figures that no other file of this folder compares, each computed from whole tables. */
import { describe, expect, test } from 'vitest'
import { slowIncomeAt } from './income.ts'
import { slowVisits } from './people.ts'
import { centavos, dayIn, type GeneratedStudio, PERIODS, percent, type Row, sum } from './world.ts'

const DAY_MS = 86_400_000
const tenth = (part: number, whole: number) => (whole > 0 ? Math.round((10 * part) / whole) / 10 : null)
const cents = (total: number, count: number) => (count > 0 ? Math.round(total / count) / 100 : null)

export function figureReports(w: GeneratedStudio): void {
  const { report, figure, column, isIn, isHere, groupsOf, startOf, endOf } = w
  const now = () => w.s.clock.now().getTime()
  const classesIn = (period: { from: string; to: string }, location_id?: number) =>
    w.t.single_class.filter((row) => isIn(period, row.starts_at) && !row.cancelledAt && isHere(location_id, row))
  const reservationsIn = (classes: readonly Row[]) => {
    const ids = new Set(classes.map((row) => row.single_class_id))
    return w.t.class_reservation.filter((row) => ids.has(row.single_class_id))
  }

  describe.each(PERIODS)('the other figures from $from to $to', (period) => {
    test('Ingresos cobrados: charges, what each was on average and what went out, in every group (RE4)', async () => {
      for (const location_id of [undefined, w.there]) {
        const charges = w.t.invoice.filter(
          (row) => !['pending', 'void'].includes(row.status) && row.gateway !== 'regalo' && isHere(location_id, row),
        )
        const entered = charges.filter((row) => isIn(period, row.paidAt ?? row.createdAt))
        const back = charges.flatMap((row) => [
          ...w.t.refund
            .filter((movement) => movement.invoice_id === row.invoice_id)
            .flatMap((movement) => [
              ...(isIn(period, movement.doneAt) ? [movement.amount_centavos as number] : []),
              ...(isIn(period, movement.returnedAt) ? [-movement.amount_centavos] : []),
            ]),
          ...w.t.dispute_movement
            .filter((movement) => movement.invoice_id === row.invoice_id && isIn(period, movement.createdAt))
            .map((movement) => movement.amount_centavos as number),
        ])
        const charged = sum(entered.map((row) => row.total_centavos))
        for (const group_by of await groupsOf('cobrado')) {
          const found = await report('cobrado', period, { location_id, group_by })
          expect([figure(found, 'charges'), figure(found, 'average'), centavos(figure(found, 'returned'))]).toEqual([
            entered.length,
            cents(charged, entered.length),
            sum(back),
          ])
          expect(['charges', 'charged', 'returned', 'collected'].map((key) => [key, Math.round(100 * column(found, key))])).toEqual([
            ['charges', 100 * entered.length],
            ['charged', charged],
            ['returned', sum(back)],
            ['collected', charged - sum(back)],
          ])
        }
      }
    })

    test('Ventas and Descuentos: the average of a sale, and how many had a discount (RE9, RE22)', async () => {
      const sold = w.t.purchase.filter((row) => isIn(period, row.completedAt) && !row.is_gift)
      const cheaper = sold.filter((row) => row.discount_centavos > 0)
      const total = (rows: readonly Row[]) => sum(rows.map((row) => row.total_centavos))
      expect(figure(await report('ventas', period), 'average')).toBe(cents(total(sold), sold.length))
      const found = await report('descuentos', period)
      expect([centavos(figure(found, 'sold')), figure(found, 'share')]).toEqual([total(cheaper), percent(cheaper.length, sold.length)])
    })

    test('IVA of what went back: by the rate of each charge (RE10)', async () => {
      const taxOf = (charge: Row, amount: number) =>
        amount === charge.total_centavos ? charge.tax_centavos : amount - Math.round(amount / (1 + charge.tax_rate / 10_000))
      const back = w.t.invoice
        .filter((row) => !['pending', 'void'].includes(row.status))
        .flatMap((row) => [
          ...w.t.refund
            .filter((movement) => movement.invoice_id === row.invoice_id)
            .flatMap((movement) => [
              ...(isIn(period, movement.doneAt) ? [taxOf(row, movement.amount_centavos)] : []),
              ...(isIn(period, movement.returnedAt) ? [-taxOf(row, movement.amount_centavos)] : []),
            ]),
          ...w.t.dispute_movement
            .filter((movement) => movement.invoice_id === row.invoice_id && isIn(period, movement.createdAt))
            .map((movement) => Math.sign(movement.amount_centavos) * taxOf(row, Math.abs(movement.amount_centavos))),
        ])
      expect(centavos(figure(await report('iva', period), 'returned'))).toBe(sum(back))
    })

    test('Ocupación: classes (RE7)', async () => {
      const counted = classesIn(period).filter((row) => row.capacity > 0)
      expect(column(await report('ocupacion', period, { group_by: 'type' }), 'classes')).toBe(counted.length)
    })

    test('Por coach and Calificaciones: stars, who gave any, absences, and who came back to anybody (RE20, RE25)', async () => {
      for (const location_id of [undefined, w.there]) {
        const classes = classesIn(period, location_id)
        const reservations = reservationsIn(classes).filter((row) => !row.deletedAt)
        const rated = reservations.filter((row) => row.coach_stars !== null)
        const came = reservations.filter((row) => row.attend === true).length
        for (const group_by of (await groupsOf('calificaciones')).filter((group) => group !== 'comment')) {
          const found = await report('calificaciones', period, { location_id, group_by })
          expect(figure(found, 'share')).toBe(percent(rated.length, came))
          if (group_by === 'type') expect(column(found, 'ratings')).toBe(rated.length)
        }
        const taught = w.t.class_instructor.filter((row) => classes.some((cls) => cls.single_class_id === row.single_class_id))
        const starsOf = taught.flatMap((star) =>
          rated.filter((row) => row.single_class_id === star.single_class_id).map((row) => row.coach_stars),
        )
        const found = await report('coaches', period, { location_id })
        expect(figure(found, 'rating')).toBe(tenth(sum(starsOf), starsOf.length))
        for (const { id, cells } of found.rows) {
          const own = new Set(taught.filter((row) => String(row.instructor_id) === id).map((row) => row.single_class_id))
          const here = reservations.filter((row) => own.has(row.single_class_id))
          const absent = here.filter((row) => row.attend === false && !row.excuse).length
          expect([id, cells.absence]).toEqual([id, percent(absent, absent + here.filter((row) => row.attend === true).length)])
        }
      }
      const [from, until] = [startOf(period.from), endOf(period)]
      const visits = slowVisits(w).sort(
        (a, b) => a.starts_at.getTime() - b.starts_at.getTime() || a.cls.single_class_id - b.cls.single_class_id,
      )
      const first = new Map<number, (typeof visits)[number]>()
      for (const visit of visits) if (!first.has(visit.customer_id)) first.set(visit.customer_id, visit)
      const known = [...first.values()].filter(
        ({ starts_at, cls }) =>
          starts_at >= from &&
          starts_at < until &&
          starts_at.getTime() + 30 * DAY_MS <= now() &&
          w.t.class_instructor.some((row) => row.single_class_id === cls.single_class_id),
      )
      const returned = known.filter((visit) =>
        visits.some(
          (next) =>
            next.customer_id === visit.customer_id &&
            next.starts_at > visit.starts_at &&
            next.starts_at.getTime() < visit.starts_at.getTime() + 30 * DAY_MS,
        ),
      )
      expect(figure(await report('coaches', period), 'returned')).toBe(percent(returned.length, known.length))
    })

    test('Primera clase: days until the first purchase, on average of who bought (RE14)', async () => {
      const found = await report('primera-clase', period, { group_by: 'person', only: 'compraron' })
      const firstOf = (id: number) =>
        Math.min(
          ...slowVisits(w)
            .filter((visit) => visit.customer_id === id)
            .map((visit) => visit.starts_at.getTime()),
        )
      const packages = new Map(w.t.class_package.map((row) => [row.class_package_id, row]))
      const days = found.rows.map(({ id }) => {
        const start = firstOf(Number(id))
        const bought = w.t.purchase
          .filter((row) => {
            const sold = packages.get(row.class_package_id)
            return String(row.customer_id) === id && !row.is_gift && sold && !sold.is_trial && sold.class_amount !== 0
          })
          .map((row) => Date.parse(row.completedAt))
          .filter((at) => at >= start)
        return (Math.min(...bought) - start) / DAY_MS
      })
      expect(figure(found, 'days')).toBe(tenth(sum(days), days.length))
    })

    test('Mensajes and Videos: what was read, who watched, and the stars of videos (RE23, RE24)', async () => {
      const tried = w.t.message.filter(
        (row) =>
          isIn(period, row.createdAt) && !['mail', 'push'].includes(row.channel) && !['waiting', 'sending', 'moot'].includes(row.status),
      )
      expect(figure(await report('mensajes', period), 'read')).toBe(
        percent(tried.filter((row) => row.status === 'read').length, tried.length),
      )
      const rated = w.t.video_rating.filter((row) => isIn(period, row.updatedAt))
      const found = await report('videos', period)
      expect([figure(found, 'people'), figure(found, 'rating')]).toEqual([
        new Set(w.t.playback.filter((row) => isIn(period, row.startedAt)).map((row) => row.customer_id)).size,
        tenth(sum(rated.map((row) => row.stars)), rated.length),
      ])
    })

    test('Nómina: by class and by person (RE26)', async () => {
      const found = await report('nomina', period)
      const [amount, classes, attended] = [centavos(figure(found, 'amount')), column(found, 'classes'), column(found, 'attended')]
      expect([figure(found, 'classes'), figure(found, 'per_class'), figure(found, 'per_person')]).toEqual([
        classes,
        cents(amount, classes),
        cents(amount, attended),
      ])
    })

    test('Ganancia por clase: classes that are over (RE30)', async () => {
      const over = w.t.single_class.filter(
        (row) => Date.parse(row.starts_at) >= startOf(period.from).getTime() && Date.parse(row.starts_at) < endOf(period).getTime(),
      )
      const counted = over.filter((row) => !row.cancelledAt && Date.parse(row.ends_at) <= now())
      expect(column(await report('ganancia', period), 'classes')).toBe(counted.length)
    })
  })

  test('Retención: who came in the third and the sixth month after the first (RE15)', async () => {
    const period = { from: '2026-01-01', to: '2026-11-19' }
    const monthOf = (at: Date) => dayIn(w.zone, at).slice(0, 7)
    const later = (month: string, by: number) =>
      new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)) - 1 + by, 1)).toISOString().slice(0, 7)
    const months = new Map<number, Set<string>>()
    for (const visit of slowVisits(w)) {
      if (visit.starts_at.getTime() >= now()) continue
      months.set(visit.customer_id, (months.get(visit.customer_id) ?? new Set()).add(monthOf(visit.starts_at)))
    }
    const cohort = [...months.values()].map((all) => [...all].sort())
    const share = (after: number) => {
      const over = cohort.filter(([first = '']) => later(first, after) < monthOf(w.s.clock.now()))
      return percent(over.filter(([first = '', ...rest]) => rest.includes(later(first, after))).length, over.length)
    }
    const found = await report('retencion', period)
    expect([figure(found, 'month1'), figure(found, 'month3'), figure(found, 'month6')]).toEqual([share(1), share(3), share(6)])
    if (w.kind === 'ordinary') expect(share(3)).not.toBeNull()
  })

  test('Suscripciones: what comes in every month and what is overdue, subscription by subscription (V47)', async () => {
    const found = await report('suscripciones', { from: '2026-11-01', to: '2026-11-19' })
    const active = w.t.purchase.filter((row) => row.is_subscription && row.status === 'active')
    const amountOf = (row: Row) => row.next_total_centavos ?? row.total_centavos
    const overdue = active.filter((row) => row.past_due_since)
    const netOf = (amount: number) => Math.round(amount / 1.16)
    expect([centavos(figure(found, 'mrr')), centavos(figure(found, 'past_due'))]).toEqual([
      sum(active.filter((row) => !row.past_due_since && !row.paused_since).map((row) => netOf(amountOf(row)))),
      sum(overdue.map(amountOf)),
    ])
    expect(overdue.length > 0).toBe(w.kind !== 'empty')
  })

  test('Créditos por vencer: what all credits that can be used are worth (RE19)', async () => {
    const units = slowIncomeAt(w, new Date('2040-01-01T00:00:00Z'))
    const value = sum(
      w.t.available_class
        .filter(
          (row) =>
            !row.unlimited &&
            row.balance > 0 &&
            !row.revokedAt &&
            !row.frozenAt &&
            (!row.expires_at || Date.parse(row.expires_at) >= now()),
        )
        .map((row) => {
          const unit = units.find((unit) => unit.purchase_id === row.purchase_id && unit.period === row.period)
          return unit ? Math.round(((unit.paid - unit.back) * row.balance) / row.granted) : 0
        }),
    )
    expect(centavos(figure(await report('creditos', PERIODS[2]), 'living'))).toBe(value)
  })

  test('Por cobrar: each place and renewal that is owed, in every group (RE29)', async () => {
    for (const location_id of [undefined, w.there]) {
      const classes = new Map(w.t.single_class.map((row) => [row.single_class_id, row]))
      const reservations = w.t.class_reservation
        .filter((row) => row.is_cash && !row.is_paid && !row.deletedAt)
        .map((row) => ({ row, cls: classes.get(row.single_class_id) as Row }))
        .filter(({ cls }) => !cls.cancelledAt && isHere(location_id, cls))
        .map(({ row, cls }) => ({ id: row.customer_id, amount: row.price_centavos as number, late: Date.parse(cls.starts_at) <= now() }))
      const renewals = w.t.purchase
        .filter((row) => row.status === 'active' && row.past_due_since && isHere(location_id, row))
        .map((row) => ({ id: row.customer_id, amount: (row.next_total_centavos ?? row.total_centavos) as number, late: true }))
      const owed = [...reservations, ...renewals]
      const total = (rows: typeof owed) => sum(rows.map(({ amount }) => amount))
      for (const group_by of await groupsOf('por-cobrar')) {
        const found = await report('por-cobrar', PERIODS[2], { location_id, group_by })
        expect([
          centavos(figure(found, 'owed')),
          centavos(figure(found, 'late')),
          figure(found, 'people'),
          figure(found, 'transfers'),
        ]).toEqual([total(owed), total(owed.filter(({ late }) => late)), new Set(owed.map(({ id }) => id)).size, 0])
        expect(centavos(column(found, 'owed'))).toBe(total(owed))
      }
      expect(owed.some(({ late }) => !late)).toBe(w.kind !== 'empty')
    }
  })
}
