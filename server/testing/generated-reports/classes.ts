/** Attendance, opinions, demand and pay of the classes. */
import { describe, expect, test } from 'vitest'
import { centavos, dayIn, type GeneratedStudio, OPENS_DAYS, PERIODS, percent, type Row, sum } from './world.ts'

export function classReports(w: GeneratedStudio): void {
  const { report, figure, column, isIn, isHere, groupsOf } = w

  describe.each(PERIODS)('classes from $from to $to', (period) => {
    const classesIn = (location_id?: number) =>
      w.t.single_class.filter((row) => isIn(period, row.starts_at) && !row.cancelledAt && isHere(location_id, row))

    test('Ocupación: places taken of the places that there were, class by class, and every way to group them (RE7)', async () => {
      for (const location_id of [undefined, w.there]) {
        const classes = classesIn(location_id).filter((row) => row.capacity > 0)
        const takenOf = (cls: Row) =>
          w.t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id && !row.deletedAt).length
        const [takenCount, capacity] = [sum(classes.map(takenOf)), sum(classes.map((cls) => cls.capacity))]
        for (const group_by of await groupsOf('ocupacion')) {
          const found = await report('ocupacion', period, { location_id, group_by })
          expect(['occupancy', 'taken', 'full'].map((key) => figure(found, key))).toEqual([
            percent(takenCount, capacity),
            takenCount,
            classes.filter((cls) => takenOf(cls) >= cls.capacity).length,
          ])
          // A class with two coaches counts for both.
          if (group_by !== 'coach') expect([found.totals.taken ?? 0, found.totals.capacity ?? 0]).toEqual([takenCount, capacity])
          const cells = found.heat?.cells ?? []
          if (found.heat)
            expect([sum(cells.map((cell) => cell.taken)), sum(cells.map((cell) => cell.capacity))]).toEqual([takenCount, capacity])
        }
      }
    })

    test('Ocupación, hour by hour: who was absent, and the same people without a place as in their report (RE7, RE11)', async () => {
      const zones = new Map(w.t.location.map((row) => [row.location_id, row.timezone ?? w.zone]))
      const slotOf = (cls: Row) => {
        const zone = zones.get(cls.location_id) ?? w.zone
        const at = new Date(cls.starts_at)
        const weekday = new Date(`${dayIn(zone, at)}T00:00:00Z`).getUTCDay() || 7
        return `${weekday}-${new Intl.DateTimeFormat('en-GB', { timeZone: zone, hour: '2-digit', minute: '2-digit' }).format(at)}`
      }
      const slots = Map.groupBy(
        classesIn().filter((row) => row.capacity > 0),
        slotOf,
      )
      const { heat } = await report('ocupacion', period)
      expect((heat?.cells ?? []).map((cell) => [`${cell.weekday}-${cell.time}`, cell.absent]).sort()).toEqual(
        [...slots]
          .map(([slot, own]) => {
            const ids = new Set(own.map((row) => row.single_class_id))
            const living = w.t.class_reservation.filter((row) => ids.has(row.single_class_id) && !row.deletedAt)
            const absent = living.filter((row) => row.attend === false && !row.excuse).length
            return [slot, percent(absent, living.filter((row) => row.attend === true).length + absent)]
          })
          .sort(),
      )
      const middleOf = (values: number[]) => {
        const sorted = values.toSorted((a, b) => a - b)
        const half = sorted.length / 2
        return sorted.length === 0 ? null : Math.floor((Number(sorted[Math.ceil(half) - 1]) + Number(sorted[Math.floor(half)])) / 2)
      }
      const leftWhenFull = (cls: Row): number[] => {
        const own = w.t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id)
        const takenAt = (at: number) =>
          own.filter((row) => Date.parse(row.createdAt) <= at && (!row.deletedAt || Date.parse(row.deletedAt) > at)).length
        const filled = own
          .flatMap((row) => [row.createdAt, ...(row.deletedAt ? [row.deletedAt] : [])])
          .map((at) => Date.parse(at))
          .sort((a, b) => a - b)
          .find((at) => takenAt(at) >= cls.capacity)
        const left = filled === undefined ? -1 : Date.parse(cls.starts_at) - filled
        return left < 0 ? [] : [Math.round(left / 60_000)]
      }
      const fills = (heat?.cells ?? []).map((cell) => [`${cell.weekday}-${cell.time}`, cell.filled, cell.fills_before])
      const full = [...slots].map(([slot, own]) => [slot, own.flatMap(leftWhenFull)] as const)
      expect(fills.sort()).toEqual(full.map(([slot, left]) => [slot, left.length, middleOf([...left])]).sort())
      if (w.kind !== 'empty') expect(full.some(([, left]) => left.length > 0)).toBe(true)
      const demanded = (heat?.cells ?? []).filter(({ waiting }) => waiting > 0)
      for (const cell of demanded.slice(0, 4)) {
        const slot = `${cell.weekday}-${cell.time}`
        expect(new URLSearchParams(cell.who?.split('?')[1]).get('hora')).toBe(slot)
        const found = await report('espera', period, { group_by: 'person', slot })
        expect([slot, figure(found, 'outside'), column(found, 'outside')]).toEqual([slot, cell.waiting, cell.waiting])
      }
      if (w.kind !== 'empty') expect(demanded.length).toBeGreaterThan(0)
    })

    test('Asistencia: each reservation that was made ended in one way (RE11)', async () => {
      for (const location_id of [undefined, w.there]) {
        const classes = new Set(
          w.t.single_class
            .filter((row) => isIn(period, row.starts_at) && !row.cancelledAt && isHere(location_id, row))
            .map((row) => row.single_class_id),
        )
        const reservations = w.t.class_reservation.filter(
          (row) => classes.has(row.single_class_id) && !['undo', 'move', 'studio'].includes(row.cancelled_by ?? ''),
        )
        const living = reservations.filter((row) => !row.deletedAt)
        const came = living.filter((row) => row.attend === true).length
        const absent = living.filter((row) => row.attend === false && !row.excuse).length
        const late = reservations.filter((row) => row.deletedAt && row.cancelled_late).length
        for (const group_by of await groupsOf('asistencia')) {
          const found = await report('asistencia', period, { location_id, group_by })
          expect(['attendance', 'absent', 'late', 'lateness'].map((key) => figure(found, key))).toEqual([
            percent(came, came + absent),
            absent,
            late,
            percent(late, reservations.length),
          ])
          for (const { cells } of found.rows)
            expect(cells.reservations).toBe(
              sum(['attended', 'absent', 'excused', 'unmarked', 'cancelled', 'late'].map((key) => Number(cells[key]))),
            )
          if (group_by !== 'coach') expect(found.totals.reservations ?? 0).toBe(reservations.length)
        }
      }
    })

    test('Por coach and Calificaciones: stars of the classes, one by one (RE20, RE25)', async () => {
      for (const location_id of [undefined, w.there]) {
        const ids = new Set(classesIn(location_id).map((row) => row.single_class_id))
        const rated = w.t.class_reservation.filter((row) => ids.has(row.single_class_id) && !row.deletedAt && row.coach_stars !== null)
        const mean = (rows: Row[]) => (rows.length ? Math.round((10 * sum(rows.map((row) => row.coach_stars))) / rows.length) / 10 : null)
        const found = await report('calificaciones', period, { location_id })
        expect(['stars', 'ratings', 'low'].map((key) => figure(found, key))).toEqual([
          mean(rated),
          rated.length,
          rated.filter((row) => row.coach_stars <= 3).length,
        ])
        expect((await report('calificaciones', period, { location_id, group_by: 'comment' })).rows_total).toBe(rated.length)
        const coaches = await report('coaches', period, { location_id })
        expect(figure(coaches, 'occupancy')).toBe(figure(await report('ocupacion', period, { location_id }), 'occupancy'))
        const taught = w.t.class_instructor.filter((row) => ids.has(row.single_class_id))
        expect([figure(coaches, 'coaches'), column(coaches, 'classes')]).toEqual([
          new Set(taught.map((row) => row.instructor_id)).size,
          taught.length,
        ])
      }
    })

    test('Demanda no atendida: who waited or found the class full got in or stayed outside (RE21)', async () => {
      const ids = new Set(classesIn().map((row) => row.single_class_id))
      const wanted = new Map<string, { gotIn: boolean; stood: boolean }>()
      const hasSpot = (row: Row) =>
        w.t.class_reservation.some(
          (reservation) =>
            reservation.single_class_id === row.single_class_id && reservation.customer_id === row.customer_id && !reservation.deletedAt,
        )
      for (const [row, stood] of [
        ...w.t.waitlist.map((entry) => [entry, true] as const),
        ...w.t.class_refusal.map((refusal) => [refusal, false] as const),
      ]) {
        if (!ids.has(row.single_class_id)) continue
        const key = `${row.single_class_id} ${row.customer_id}`
        const known = wanted.get(key) ?? { gotIn: hasSpot(row), stood: false }
        wanted.set(key, { gotIn: known.gotIn || (stood && row.status === 'booked'), stood: known.stood || stood })
      }
      const outside = [...wanted].filter(([, { gotIn }]) => !gotIn)
      const refused = outside.filter(([, { stood }]) => !stood).length
      for (const group_by of await groupsOf('espera')) {
        const found = await report('espera', period, { group_by })
        expect([figure(found, 'outside'), figure(found, 'people'), figure(found, 'classes'), figure(found, 'refused')]).toEqual([
          outside.length,
          new Set(outside.map(([key]) => key.split(' ')[1])).size,
          new Set(outside.map(([key]) => key.split(' ')[0])).size,
          refused,
        ])
        expect(figure(found, 'got_in')).toBe(percent(wanted.size - outside.length, wanted.size))
        expect(['outside', 'got_in', 'waited', 'refused'].map((key) => column(found, key))).toEqual([
          outside.length,
          wanted.size - outside.length,
          wanted.size,
          refused,
        ])
      }
      expect(figure(await report('ocupacion', period), 'waiting')).toBe(figure(await report('espera', period), 'outside'))
      if (w.kind !== 'empty') expect(Math.min(refused, outside.length - refused, wanted.size - outside.length)).toBeGreaterThan(0)
    })

    test('Se llenan en: from when a class could be booked until its last place was taken (RE32)', async () => {
      const zones = new Map(w.t.location.map((row) => [row.location_id, row.timezone ?? w.zone]))
      /** The same hour of the clock some days before. */
      const daysBefore = (at: Date, days: number, zone: string): number => {
        const hourOf = (instant: number) => new Intl.DateTimeFormat('es-MX', { timeZone: zone, timeStyle: 'short' }).format(instant)
        const about = at.getTime() - days * 86_400_000
        return [0, -3_600_000, 3_600_000].map((shift) => about + shift).find((time) => hourOf(time) === hourOf(at.getTime())) ?? about
      }
      const minutesOf = (cls: Row): number | null => {
        const own = w.t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id)
        const instants = [...new Set(own.flatMap((row) => (row.deletedAt ? [row.createdAt, row.deletedAt] : [row.createdAt])))].map((at) =>
          Date.parse(at),
        )
        const takenAt = (at: number) =>
          own.filter((row) => Date.parse(row.createdAt) <= at && (!row.deletedAt || Date.parse(row.deletedAt) > at)).length
        const filled = instants.sort((a, b) => a - b).find((at) => cls.capacity > 0 && takenAt(at) >= cls.capacity)
        if (filled === undefined || filled > Date.parse(cls.starts_at)) return null
        const days = OPENS_DAYS[w.kind]
        const added = Date.parse(cls.createdAt)
        const opens =
          days === null ? added : Math.max(added, daysBefore(new Date(cls.starts_at), days, zones.get(cls.location_id) ?? w.zone))
        return Math.round((filled - Math.min(opens, Math.min(...own.map((row) => Date.parse(row.createdAt))))) / 60_000)
      }
      const filled = classesIn().flatMap((cls) => {
        const minutes = minutesOf(cls)
        return minutes === null ? [] : [{ id: String(cls.single_class_id), type: String(cls.class_type_id), minutes }]
      })
      const middle = (values: number[]) => {
        const sorted = values.toSorted((a, b) => a - b)
        const half = sorted.length / 2
        return sorted.length === 0 ? null : Math.floor((Number(sorted[Math.ceil(half) - 1]) + Number(sorted[Math.floor(half)])) / 2)
      }
      for (const group_by of ['slot', 'type', 'class'] as const) {
        const found = await report('espera', period, { group_by })
        expect(figure(found, 'fill')).toBe(middle(filled.map(({ minutes }) => minutes)))
        const rows = found.rows.filter(({ cells }) => cells.fill !== null)
        if (group_by === 'slot') expect(column(found, 'filled')).toBe(filled.length)
        if (group_by === 'type')
          expect(rows.map(({ id, cells }) => [id, cells.filled, cells.fill]).sort()).toEqual(
            [...Map.groupBy(filled, ({ type }) => type)]
              .map(([id, own]) => [id, own.length, middle(own.map(({ minutes }) => minutes))])
              .sort(),
          )
        if (group_by === 'class')
          expect(rows.map(({ id, cells }) => [id, cells.fill]).sort()).toEqual(filled.map(({ id, minutes }) => [id, minutes]).sort())
      }
      if (w.kind !== 'empty') expect(filled.length).toBeGreaterThan(0)
    })

    test('Nómina: each class that was given, for each of its coaches (RE26)', async () => {
      // On the clocks of each location, as pay has it.
      const zones = new Map(w.t.location.map((row) => [row.location_id, row.timezone ?? w.zone]))
      const classes = w.t.single_class.filter((row) => {
        const local = dayIn(zones.get(row.location_id) ?? w.zone, new Date(row.starts_at))
        return local >= period.from && local <= period.to && !row.cancelledAt && new Date(row.ends_at) <= w.s.clock.now()
      })
      const paid = classes.flatMap((cls) => {
        const reservations = w.t.class_reservation.filter((row) => row.single_class_id === cls.single_class_id && !row.deletedAt)
        const marked = reservations.filter((row) => row.attend !== null)
        const came = !cls.settledAt && marked.length === 0 ? reservations.length : reservations.filter((row) => row.attend === true).length
        return w.t.class_instructor.filter((row) => row.single_class_id === cls.single_class_id).map(() => 30_000 + came * 1_000)
      })
      const found = await report('nomina', period)
      expect([column(found, 'classes') >= paid.length, centavos(figure(found, 'amount')), centavos(column(found, 'amount'))]).toEqual([
        true,
        sum(paid),
        sum(paid),
      ])
    })
  })
}
