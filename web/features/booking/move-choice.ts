/** The class and seat that a reservation moves to: offers the classes of the next two weeks and keeps the choice in the address. */
import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Reservation } from '#contract/bookings.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { addDays } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { todayIn } from '#web/lib/clock.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogState } from '#web/lib/use-dialog-state.ts'

/** Two weeks of classes; for later ones the customer uses the calendar. */
const DAYS_AHEAD = 13

const SOLVED_BY_OLD_CREDIT: readonly string[] = ['NO_CREDITS', 'NO_MATCHING_CREDITS']

/**
 * Whether a reservation can move to the class. The old credit and its time become free, so their refusals are ignored; the server
 * checks the rest.
 */
function canTake(cls: SingleClass, row: Reservation): boolean {
  if (cls.single_class_id === row.single_class_id || cls.state !== 'available' || cls.class_package_id !== null) return false
  if (cls.places_left < (row.guest ? 2 : 1)) return false
  if (cls.actions.reserve === 'ok') return true
  const why = cls.why_not?.code ?? ''
  if (SOLVED_BY_OLD_CREDIT.includes(why)) return cls.class_type.class_type_id === row.single_class.class_type.class_type_id
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
  /** classes of the same type, or all */
  which: 'same' | 'all'
  show: (which: 'same' | 'all') => void
  classes: readonly SingleClass[]
  chosen: string | null
  take: (single_class_id: string) => void
  /** the chosen class, while it is available */
  target: SingleClass | undefined
  seats: Seats
  sit: (seats: Seats) => void
}

/** `row`: the reservation that is moved. */
export function useMoveChoice(row: Reservation): MoveChoice {
  const site = useSite()
  const { getChoice, setChoices } = useDialogState()
  const [which, setWhich] = useState<'same' | 'all'>(() => (getChoice('ver') === 'todas' ? 'all' : 'same'))
  const [chosen, setChosen] = useState(() => getChoice('otra'))
  const [seats, setSeats] = useState<Seats>(() => ({ mine: getChoice('sitio'), guest: row.guest ? getChoice('sitio_invitado') : null }))
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
      setChoices({ ver: next === 'all' ? 'todas' : null, otra: null, sitio: null, sitio_invitado: null })
    },
    classes,
    chosen,
    take(single_class_id) {
      setChosen(single_class_id)
      setSeats(NO_SEATS)
      setChoices({ otra: single_class_id, sitio: null, sitio_invitado: null })
    },
    target: classes.find((cls) => String(cls.single_class_id) === chosen),
    seats,
    sit(next) {
      setSeats(next)
      setChoices({ sitio: next.mine, sitio_invitado: next.guest })
    },
  }
}
