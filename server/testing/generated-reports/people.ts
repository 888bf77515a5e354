/** Who came, stayed, left, and what they were sent. */
import { describe, expect, test } from 'vitest'
import { dayIn, type GeneratedStudio, PERIODS, percent, type Row, sum } from './world.ts'

/** Visits: own places in classes that took place, marked as present or on a list that was closed without a mark. */
export function slowVisits(w: GeneratedStudio, location_id?: number) {
  const classes = new Map(w.t.single_class.filter((row) => !row.cancelledAt).map((row) => [row.single_class_id, row]))
  return w.t.class_reservation.flatMap((row) => {
    const cls = classes.get(row.single_class_id)
    if (!cls || row.deletedAt || row.host_reservation_id || !w.isHere(location_id, cls)) return []
    if (!(row.attend === true || (row.attend === null && cls.settledAt))) return []
    return [{ ...row, starts_at: new Date(cls.starts_at), cls }] as (Row & { starts_at: Date; cls: Row; customer_id: number })[]
  })
}

export function peopleReports(w: GeneratedStudio): void {
  const { report, figure, column, isIn, groupsOf, startOf, endOf } = w

  const visits = (location_id?: number) => slowVisits(w, location_id)

  function activeAt(instant: Date): Set<number> {
    const active = new Set<number>()
    const monthAgo = new Date(instant.getTime() - 30 * 86_400_000)
    for (const { customer_id, starts_at } of visits()) if (starts_at >= monthAgo && starts_at < instant) active.add(customer_id)
    for (const creditLot of w.t.available_class) {
      const isGood =
        new Date(creditLot.createdAt) <= instant &&
        (!creditLot.expires_at || new Date(creditLot.expires_at) >= instant) &&
        (!creditLot.revokedAt || new Date(creditLot.revokedAt) > instant) &&
        (!creditLot.frozenAt || new Date(creditLot.frozenAt) > instant)
      const balance = sum(
        w.t.credit_movement
          .filter((row) => row.available_class_id === creditLot.available_class_id && new Date(row.createdAt) <= instant)
          .map((row) => row.amount),
      )
      if (isGood && (creditLot.unlimited || balance > 0)) active.add(creditLot.customer_id)
    }
    for (const row of w.t.purchase) {
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
          visits().some((visit) => visit.customer_id === id && visit.starts_at < from) ||
          w.t.available_class.some((creditLot) => creditLot.customer_id === id && new Date(creditLot.createdAt) < from) ||
          w.t.purchase.some((row) => row.customer_id === id && row.is_subscription && row.completedAt && new Date(row.completedAt) < from),
      )
      const lost = [...before].filter((id) => !after.has(id))
      expect(['active', 'new', 'back', 'lost'].map((key) => figure(found, key))).toEqual([
        after.size,
        came.length - knew.length,
        knew.length,
        lost.length,
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
      const packages = new Map(w.t.class_package.map((row) => [row.class_package_id, row]))
      const first = new Map<number, ReturnType<typeof visits>[number]>()
      for (const visit of visits().sort(
        (a, b) => a.starts_at.getTime() - b.starts_at.getTime() || a.cls.single_class_id - b.cls.single_class_id,
      ))
        if (!first.has(visit.customer_id)) first.set(visit.customer_id, visit)
      const tried = [...first.values()].filter((visit) => {
        const creditLot = w.t.available_class.find((row) => row.available_class_id === visit.available_class_id)
        const gift = w.t.purchase.some((row) => row.purchase_id === creditLot?.purchase_id && row.is_gift)
        const isTry = !creditLot || creditLot.is_courtesy || gift || visit.is_cash || packages.get(creditLot.class_package_id)?.is_trial
        return isTry && visit.starts_at >= from && visit.starts_at < until
      })
      const bought = tried.filter((visit) =>
        w.t.purchase.some((row) => {
          const days = (Date.parse(row.completedAt) - visit.starts_at.getTime()) / 86_400_000
          const classPackage = packages.get(row.class_package_id)
          return (
            row.customer_id === visit.customer_id &&
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
          tried.length,
          bought.length,
          percent(bought.length, tried.length),
        ])
        expect(group_by === 'person' ? found.rows_total : column(found, 'tried')).toBe(tried.length)
      }
      expect((await report('primera-clase', period, { group_by: 'person', only: 'compraron' })).rows_total).toBe(bought.length)
    })

    test('Retención: every customer is in the month of the first class, and each month counts them once (RE15)', async () => {
      const monthOf = (at: Date) => dayIn(w.zone, at).slice(0, 7)
      const months = new Map<number, Set<string>>()
      for (const visit of visits()) {
        if (visit.starts_at >= w.s.clock.now()) continue
        months.set(visit.customer_id, (months.get(visit.customer_id) ?? new Set()).add(monthOf(visit.starts_at)))
      }
      const cohort = [...months.values()]
        .map((all) => [...all].sort())
        .filter(([first = '']) => first >= period.from.slice(0, 7) && first <= period.to.slice(0, 7))
      const nextOf = (month: string) => new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5)), 1)).toISOString().slice(0, 7)
      // The month after the first one is over.
      const over = cohort.filter(([first = '']) => nextOf(first) < monthOf(w.s.clock.now()))
      const found = await report('retencion', period)
      expect([figure(found, 'people'), figure(found, 'month1')]).toEqual([
        cohort.length,
        percent(over.filter(([first = '', ...rest]) => rest.includes(nextOf(first))).length, over.length),
      ])
      expect([column(found, 'people'), (await report('retencion', period, { group_by: 'person' })).rows_total]).toEqual([
        cohort.length,
        cohort.length,
      ])
    })

    test('Suscripciones: those that lived, plus those that began, less those that ended, live (RE16)', async () => {
      const [from, until] = [startOf(period.from), endOf(period)]
      const lives = w.t.purchase
        .filter((row) => row.is_subscription && row.completedAt)
        .map((row) => {
          const revoked = w.t.available_class
            .filter((creditLot) => creditLot.purchase_id === row.purchase_id && creditLot.revokedAt)
            .map((creditLot) => Date.parse(creditLot.revokedAt))
          const ends = { active: null, cancelled: Math.max(Date.parse(row.benefits_until ?? 0), Date.parse(row.cancelledAt)) }[
            row.status as 'active'
          ]
          const unpaid = row.status === 'cancelled' && row.past_due_since !== null && row.cancel_reason === null
          const of = row.class_package_id
          return {
            of,
            unpaid,
            start: Date.parse(row.completedAt),
            end: ends === undefined ? Math.max(...revoked) : (ends as number | null),
          }
        })
      const living = (at: Date) => lives.filter(({ start, end }) => start < at.getTime() && (end === null || end >= at.getTime())).length
      const within = (at: number | null) => at !== null && at >= from.getTime() && at < until.getTime()
      const [started, ended] = [lives.filter(({ start }) => within(start)).length, lives.filter(({ end }) => within(end)).length]
      const unpaid = lives.filter((purchase) => purchase.unpaid && within(purchase.end)).length
      const found = await report('suscripciones', period)
      expect(['live', 'churn', 'churn_decided', 'churn_unpaid'].map((key) => figure(found, key))).toEqual([
        living(until),
        percent(ended, living(from)),
        percent(ended - unpaid, living(from)),
        percent(unpaid, living(from)),
      ])
      expect(['start', 'started', 'ended', 'end'].map((key) => column(found, key))).toEqual([living(from), started, ended, living(until)])
      expect(living(from) + started - ended).toBe(living(until))
      // The chart by package: as many as lived at the end, beside those of the same packages at the end of the period before.
      const [now, earlier] = found.charts[0]?.series ?? []
      expect(sum((now?.points ?? []).map(({ y }) => y ?? 0))).toBe(living(until))
      if (found.before && !found.until_now) {
        const [shown, end] = [new Set(found.rows.map(({ id }) => id)), endOf(found.before).getTime()]
        const livedThen = lives.filter(
          (purchase) => shown.has(String(purchase.of)) && purchase.start < end && (purchase.end === null || purchase.end >= end),
        )
        expect(sum((earlier?.points ?? []).map(({ y }) => y ?? 0))).toBe(livedThen.length)
      }
      const months = await report('suscripciones', period, { group_by: 'month' })
      if (lives.length > 0)
        expect([column(months, 'started'), column(months, 'ended'), months.rows[0]?.cells.start, months.rows.at(-1)?.cells.end]).toEqual([
          started,
          ended,
          living(from),
          living(until),
        ])
      for (const [only, count] of [
        ['altas', started],
        ['bajas', ended],
      ] as const)
        expect((await report('suscripciones', period, { group_by: 'person', only })).rows_total).toBe(count)
    })

    test('Mensajes and Videos count one by one (RE23, RE24)', async () => {
      const sent = w.t.message.filter((row) => isIn(period, row.createdAt))
      const tried = sent.filter((row) => !['waiting', 'sending', 'moot'].includes(row.status))
      const arrived = tried.filter((row) => ['sent', 'delivered', 'read'].includes(row.status))
      for (const group_by of await groupsOf('mensajes')) {
        const found = await report('mensajes', period, { group_by })
        expect([figure(found, 'sent'), figure(found, 'arrived'), figure(found, 'failed')]).toEqual([
          tried.length,
          percent(arrived.length, tried.length),
          tried.filter((row) => row.status === 'failed').length,
        ])
        expect(column(found, 'tried')).toBe(tried.length)
      }
      const videos = await report('videos', period)
      const views = w.t.playback.filter((row) => isIn(period, row.startedAt)).length
      const completed = w.t.playback.filter((row) => isIn(period, row.completedAt)).length
      expect([figure(videos, 'views'), figure(videos, 'completed'), column(videos, 'views'), column(videos, 'completed')]).toEqual([
        views,
        completed,
        views,
        completed,
      ])
    })
  })

  test('the monthly revenue is that of the list of subscriptions (V47)', async () => {
    const { sum: listed } = await w.s.as(w.owner).studioSubscriptions.list({})
    const found = await report('suscripciones', { from: '2026-11-01', to: '2026-11-19' })
    expect([figure(found, 'mrr'), figure(found, 'past_due')]).toEqual([Number(listed.mrr), Number(listed.past_due)])
  })

  test('Quién está por irse: every customer at risk or with expiring credits, one by one (RE18, X3)', async () => {
    const now = w.s.clock.now().getTime()
    const days = (from: string, to: string | number) => (new Date(to).getTime() - new Date(from).getTime()) / 86_400_000
    const classes = new Map(w.t.single_class.map((row) => [row.single_class_id, row]))
    const listed = w.t.customer
      .filter((person) => !person.deletedAt && !person.is_anonymous && !person.archivedAt)
      .flatMap((person) => {
        const is = (row: Row) => row.customer_id === person.customer_id
        const own = w.t.class_reservation
          .filter((row) => is(row) && !row.deletedAt && row.host_reservation_id === null)
          .map((row) => ({ attend: row.attend, cls: classes.get(row.single_class_id) as Row }))
          .filter(({ cls }) => !cls.cancelledAt)
        const visits = own
          .filter(({ attend, cls }) => Date.parse(cls.starts_at) <= now && (attend === true || (attend === null && cls.settledAt)))
          .map(({ cls }) => cls.starts_at as string)
          .sort((a, b) => Date.parse(a) - Date.parse(b))
        const usable = w.t.available_class.filter(
          (creditLot) =>
            is(creditLot) &&
            !creditLot.revokedAt &&
            !creditLot.frozenAt &&
            (creditLot.unlimited || creditLot.balance > 0) &&
            (creditLot.expires_at === null || Date.parse(creditLot.expires_at) >= now),
        )
        const subscriptions = w.t.purchase.filter((row) => is(row) && row.is_subscription && row.status === 'active')
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
        const customer = { id: String(person.customer_id), refused, booked }
        if (refused || (usable.length > 0 && isLate)) return { ...customer, state: 'en-riesgo' }
        return active && !lasts && subscriptions.every((row) => row.paused_since) ? { ...customer, state: 'por-vencer' } : []
      })
    const of = (state: string) => listed.filter((customer) => customer.state === state)
    const found = await report('riesgo', PERIODS[2])
    expect([figure(found, 'risk'), figure(found, 'expiring'), figure(found, 'refused'), figure(found, 'booked')]).toEqual([
      of('en-riesgo').length,
      of('por-vencer').length,
      listed.filter((customer) => customer.refused).length,
      percent(listed.filter((customer) => customer.booked).length, listed.length),
    ])
    for (const only of ['en-riesgo', 'por-vencer']) {
      const { rows, rows_total } = await report('riesgo', PERIODS[2], { only })
      expect([only, rows_total]).toEqual([only, of(only).length])
      const ids = of(only).map(({ id }) => id)
      expect(rows.filter(({ id }) => !ids.includes(id))).toEqual([])
    }
    expect(listed.length > 0).toBe(w.kind !== 'empty')
    if (w.kind === 'chaotic') expect(Math.min(of('en-riesgo').length, of('por-vencer').length)).toBeGreaterThan(0)
  })
}
