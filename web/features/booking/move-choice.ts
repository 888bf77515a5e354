/** Which class a place is changed for and where in its room: asked of the next two weeks, chosen in the dialog, kept in the address. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { addDays } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogState } from '#web/lib/use-dialog-state.ts'

/** Two weeks are enough to choose from; further ahead the calendar is the better place. */
const DAYS_AHEAD = 13

const PAID_BY_THE_FREED: readonly string[] = ['NO_CREDITS', 'NO_MATCHING_CREDITS']

/** Classes that the place could be changed for. The freed credit pays and the freed hour is free again; the rest is the server's to say. */
function canTake(cls: SingleClass, row: Reservation): boolean {
  if (cls.single_class_id === row.single_class_id || cls.state !== 'available' || cls.class_package_id !== null) return false
  if (cls.places_left < (row.guest ? 2 : 1)) return false
  if (cls.actions.reserve === 'ok') return true
  const why = cls.why_not?.code ?? ''
  if (PAID_BY_THE_FREED.includes(why)) return cls.class_type.class_type_id === row.single_class.class_type.class_type_id
  const { starts_at, ends_at } = row.single_class
  return why === 'OVERLAPPING_RESERVATION' && cls.starts_at < ends_at && starts_at < cls.ends_at
}

export interface Seats {
  mine: string | null
  guest: string | null
}
export const NO_SEATS: Seats = { mine: null, guest: null }

export interface MoveChoice {
  week: Pick<UseQueryResult, 'isPending' | 'isError' | 'refetch'>
  /** those of the same kind, or all */
  which: 'same' | 'all'
  show: (which: 'same' | 'all') => void
  classes: readonly SingleClass[]
  chosen: string | null
  take: (single_class_id: string) => void
  /** the class that is chosen, while it can be had */
  target: SingleClass | undefined
  seats: Seats
  sit: (seats: Seats) => void
}

/** `row`: the place that is given for another. */
export function useMoveChoice(row: Reservation): MoveChoice {
  const site = useSite()
  const { before, keep } = useDialogState()
  const [which, setWhich] = useState<'same' | 'all'>(() => (before('ver') === 'todas' ? 'all' : 'same'))
  const [chosen, setChosen] = useState(() => before('otra'))
  const [seats, setSeats] = useState<Seats>(() => ({ mine: before('sitio'), guest: row.guest ? before('sitio_invitado') : null }))
  const start_date = todayIn(site.zone)
  const week = useQuery({
    ...queries.schedule.week.queryOptions({
      input: {
        start_date,
        end_date: addDays(start_date, DAYS_AHEAD),
        ...(which === 'same' ? { class_type_id: row.single_class.class_type.class_type_id } : {}),
      },
      staleTime: 0,
      meta: { handled: true },
    }),
    enabled: row.actions.move,
  })
  const classes = (week.data?.days ?? []).flatMap((day) => day.classes).filter((cls) => canTake(cls, row))
  return {
    week,
    which,
    show(next) {
      setWhich(next)
      setChosen(null)
      setSeats(NO_SEATS)
      keep({ ver: next === 'all' ? 'todas' : null, otra: null, sitio: null, sitio_invitado: null })
    },
    classes,
    chosen,
    take(single_class_id) {
      setChosen(single_class_id)
      setSeats(NO_SEATS)
      keep({ otra: single_class_id, sitio: null, sitio_invitado: null })
    },
    target: classes.find((cls) => String(cls.single_class_id) === chosen),
    seats,
    sit(next) {
      setSeats(next)
      keep({ sitio: next.mine, sitio_invitado: next.guest })
    },
  }
}
