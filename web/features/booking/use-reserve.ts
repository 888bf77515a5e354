/** State of the reserve dialog: seat, guest, credit, weeks. Choices survive a reload; the booking is sent once (S2-2.27, S2-2.30). */
import { useState } from 'react'
import { success, validation } from '#contract/copy/messages.ts'
import type { ClassDetail } from '#contract/schedule.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { offerPush } from '#web/lib/push-invite.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogState, useDraft } from '#web/lib/use-dialog-state.ts'
import { forgetWantedClass } from '#web/lib/wanted-class.ts'
import { type RepeatedWeeks, weeksFrom } from './repeat-report.tsx'
import { useReservationsChanged, useStoreReservation } from './reservations-changed.ts'
import { frontSeat, roomOf, seatBeside, seatFrom } from './seats.ts'

const SEAT_GONE = 'El lugar que habías elegido ya no está libre. Elige otro.'
const GUEST_SEAT_GONE = 'El lugar de tu invitado ya no está libre. Elige otro.'

/** What must be corrected before the class can be reserved, by where it is shown. */
interface Problems {
  map?: string
  guest?: string
  form?: string
}

/** Refusals that are solved by choosing another seat. */
const SEAT_CODES: readonly string[] = ['SPOT_TAKEN', 'SPOT_REQUIRED', 'SPOT_UNKNOWN', 'SPOT_OUT_OF_ORDER']

/** Matches the credit lot named in an address. */
const isCreditLot =
  (id: string | null) =>
  (creditLot: ClassDetail['credits'][number]): boolean =>
    String(creditLot.available_class_id) === id

export type Reserving = ReturnType<typeof useReserving>

/** State and actions of the reserve form. `onRepeated`: the class was booked for several weeks; `onDone`: it was booked once. */
export function useReserving(cls: ClassDetail, onRepeated: (report: RepeatedWeeks) => void, onDone: () => void) {
  const site = useSite()
  const changed = useReservationsChanged()
  const storeReservation = useStoreReservation()
  const { getChoice, setChoices } = useDialogState()
  const room = roomOf(cls)
  const mayBring = site.allow_class_guests && cls.places_left > 1
  /** The order that was just paid for this class, after the checkout (V52). */
  const paidOrder = Number(getChoice('pagado')) || null
  const known = { mine: getChoice('sitio'), guest: getChoice('sitio_invitado') }
  const [creditLot, setCreditLot] = useState(
    () => (cls.credits.find(isCreditLot(getChoice('credito'))) ?? cls.credits[0])?.available_class_id,
  )
  const paying = cls.credits.find((credit) => credit.available_class_id === creditLot) ?? cls.credits[0]
  const guestIsPaid = paying?.spends.with_guest !== null
  const [wanted, setSpot] = useState(() => seatFrom(known.mine, room.free) ?? (paidOrder ? frontSeat(room.free) : null))
  const [hasGuest, setHasGuest] = useState(() => mayBring && guestIsPaid && getChoice('con_invitado') === '1')
  const [guest, setGuest] = useDraft(`invitado:${cls.single_class_id}`)
  const [wantedBeside, setGuestSpot] = useState(() => {
    if (!hasGuest) return null
    const others = room.free.filter((spot) => spot !== wanted)
    return known.guest || !wanted ? seatFrom(known.guest, others) : seatBeside(others, wanted)
  })
  // A seat that another customer took while the dialog was open is deselected.
  const spot = seatFrom(wanted, room.free)
  const guestSpot = seatFrom(wantedBeside, room.free)
  const [choosing, setChoosing] = useState<'me' | 'guest'>(hasGuest && spot && !guestSpot ? 'guest' : 'me')
  /** Number of weeks; null: only this class. */
  const [weeks, setWeeks] = useState(() => (hasGuest ? null : weeksFrom(getChoice('semanas'))))
  const [incomplete, setIncomplete] = useState(false)
  const [wrong, setWrong] = useState<Problems>(() => {
    if (room.rows && known.mine && !spot) return { map: SEAT_GONE }
    return room.rows && hasGuest && known.guest && !guestSpot ? { map: GUEST_SEAT_GONE } : {}
  })

  const reserve = useIdempotentMutation(api.bookings.reserve, {
    onSuccess(answer) {
      storeReservation(answer)
      forgetWantedClass()
      onDone()
      showAlert('success', success.reservationSaved)
      offerPush('booking')
    },
    onError: refused,
    onSettled: changed,
  })
  const repeat = useIdempotentMutation(api.bookings.repeat, { onSuccess: onRepeated, onError: refused, onSettled: changed })

  function refused(error: unknown) {
    const { code, message } = toFailure(error)
    if (code === 'PROFILE_INCOMPLETE') setIncomplete(true)
    setWrong(room.rows && SEAT_CODES.includes(code) ? { map: message } : { form: message })
  }
  function sit(mine: string | null, beside: string | null) {
    setSpot(mine)
    setGuestSpot(beside)
    setChoices({ sitio: mine, sitio_invitado: beside })
  }

  return {
    room,
    mayBring,
    spot,
    hasGuest,
    guest,
    setGuest,
    guestSpot: hasGuest ? guestSpot : null,
    /** whose seat the next click on the map sets */
    choosing: hasGuest ? choosing : ('me' as const),
    weeks,
    /** the credit lot for the customer's own place */
    paying,
    /** what the booking spends, by lot; null if no lot can pay for the guest */
    spends: paying ? (hasGuest ? paying.spends.with_guest : paying.spends.alone) : null,
    /** whether a lot can pay for a guest too */
    guestIsPaid,
    places: hasGuest ? 2 : 1,
    paidOrder,
    /** refused because the profile is incomplete */
    incomplete,
    wrong,
    busy: reserve.isPending || repeat.isPending,

    choose(at: string) {
      setWrong({})
      if (choosing === 'guest' && hasGuest) {
        sit(spot, at)
        setChoosing('me')
      } else {
        sit(at, hasGuest ? (guestSpot ?? seatBeside(room.free, at)) : null)
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
    bring(withGuest: boolean) {
      const beside = withGuest && spot ? seatBeside(room.free, spot) : null
      setWrong({})
      setHasGuest(withGuest)
      setGuestSpot(beside)
      setChoosing(withGuest && spot ? 'guest' : 'me')
      setChoices({ con_invitado: withGuest ? 1 : null, sitio_invitado: beside })
    },
    repeatFor(next: number | null) {
      setWeeks(next)
      setChoices({ semanas: next })
    },
    payWith(id: string) {
      setCreditLot(Number(id))
      setChoices({ credito: id })
    },
    submit() {
      const problems: Problems = {}
      if (room.rows && !spot) problems.map = 'Elige un lugar del mapa.'
      else if (room.rows && hasGuest && !guestSpot) problems.map = 'Elige también el lugar de tu invitado.'
      if (hasGuest && guest.trim().length < 2) problems.guest = validation.guestName
      setWrong(problems)
      if (problems.map || problems.guest) return
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
