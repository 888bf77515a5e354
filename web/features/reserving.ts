/** What somebody chooses before a place is theirs: seat, guest, credit, weeks; kept over a reload, and sent once (S2-2.27, S2-2.30). */
import { useState } from 'react'
import { success, validation } from '#contract/messages.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { say } from '#web/lib/alerts.ts'
import { api, useOnce } from '#web/lib/api.ts'
import { useChosen, useDraft } from '#web/lib/chosen.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { usePlacesChanged } from './places-changed.ts'
import { type RepeatedWeeks, weeksFrom } from './repeat-report.tsx'
import { roomOf, seatBeside, seatFrom } from './seats.ts'

const SEAT_GONE = 'El lugar que habías elegido ya no está libre. Elige otro.'

/** A lot by what an address says. */
const isLot =
  (id: string | null) =>
  (lot: ClassDetail['credits'][number]): boolean =>
    String(lot.available_class_id) === id

export type Reserving = ReturnType<typeof useReserving>

export function useReserving(cls: ClassDetail, onRepeated: (report: RepeatedWeeks) => void, onDone: () => void) {
  const site = useSite()
  const changed = usePlacesChanged()
  const { before, keep } = useChosen()
  const room = roomOf(cls)
  const mayBring = site.allow_class_guests && cls.places_left > 1
  const known = before('sitio')
  const [spot, setSpot] = useState(() => seatFrom(known, room.free))
  const [hasGuest, setHasGuest] = useState(() => mayBring && before('con_invitado') === '1')
  const [guest, setGuest] = useDraft(`invitado:${cls.single_class_id}`)
  const [guestSpot, setGuestSpot] = useState(() =>
    hasGuest
      ? seatFrom(
          before('sitio_invitado'),
          room.free.filter((one) => one !== spot),
        )
      : null,
  )
  const [choosing, setChoosing] = useState<'me' | 'guest'>(hasGuest && spot && !guestSpot ? 'guest' : 'me')
  const [lot, setLot] = useState(() => (cls.credits.find(isLot(before('credito'))) ?? cls.credits[0])?.available_class_id)
  /** For how many weeks; null = only this class. */
  const [weeks, setWeeks] = useState(() => (hasGuest ? null : weeksFrom(before('semanas'))))
  const [incomplete, setIncomplete] = useState(false)
  const [wrong, setWrong] = useState<{ guest?: string; form?: string }>(() => (room.rows && known && !spot ? { form: SEAT_GONE } : {}))
  const paying = cls.credits.find((one) => one.available_class_id === lot) ?? cls.credits[0]

  const reserve = useOnce(api.bookings.reserve, {
    onSuccess() {
      onDone()
      say('success', success.reservationSaved)
    },
    onError: refused,
    onSettled: changed,
  })
  const repeat = useOnce(api.bookings.repeat, { onSuccess: onRepeated, onError: refused, onSettled: changed })

  function refused(error: unknown) {
    const { code, message } = failureOf(error)
    if (code === 'PROFILE_INCOMPLETE') setIncomplete(true)
    setWrong({ form: message })
  }
  function sit(mine: string | null, beside: string | null) {
    setSpot(mine)
    setGuestSpot(beside)
    keep({ sitio: mine, sitio_invitado: beside })
  }

  return {
    room,
    mayBring,
    spot,
    hasGuest,
    guest,
    setGuest,
    guestSpot: hasGuest ? guestSpot : null,
    /** whose seat the next touch of the map chooses */
    choosing: hasGuest ? choosing : ('me' as const),
    weeks,
    /** the lot that pays */
    paying,
    places: hasGuest ? 2 : 1,
    /** refused because the profile lacks something */
    incomplete,
    wrong,
    busy: reserve.isPending || repeat.isPending,

    choose(at: string) {
      setWrong({})
      if (choosing === 'guest' && hasGuest) {
        sit(spot, at)
        setChoosing('me')
      } else {
        sit(at, guestSpot === at ? null : guestSpot)
        if (hasGuest && !guestSpot) setChoosing('guest')
      }
    },
    anySpot() {
      const mine = room.free[Math.floor(Math.random() * room.free.length)]
      if (!mine) return
      sit(mine, hasGuest ? seatBeside(room.free, mine) : null)
      setChoosing('me')
    },
    chooseOther: () => setChoosing(choosing === 'me' ? 'guest' : 'me'),
    bring(somebody: boolean) {
      setHasGuest(somebody)
      setGuestSpot(null)
      setChoosing(somebody && spot ? 'guest' : 'me')
      keep({ con_invitado: somebody ? 1 : null, sitio_invitado: null })
    },
    repeatFor(next: number | null) {
      setWeeks(next)
      keep({ semanas: next })
    },
    payWith(id: string) {
      setLot(Number(id))
      keep({ credito: id })
    },
    submit() {
      if (hasGuest && guest.trim().length < 2) return setWrong({ guest: validation.guestName })
      if (room.rows && !spot) return setWrong({ form: 'Elige un lugar del mapa.' })
      if (room.rows && hasGuest && !guestSpot) return setWrong({ form: 'Elige también el lugar de tu invitado.' })
      setWrong({})
      const { single_class_id } = cls
      if (weeks) return repeat.mutate({ single_class_id, weeks, spot })
      reserve.mutate({
        single_class_id,
        spot,
        guest: hasGuest ? guest.trim() : null,
        guest_spot: hasGuest ? guestSpot : null,
        available_class_id: paying ? paying.available_class_id : null,
      })
    },
  }
}
