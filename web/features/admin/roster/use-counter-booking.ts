import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { RosterClass } from '#contract/attendance.ts'
import { success } from '#contract/copy/messages.ts'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { BY_DEFAULT, type PaidWith, receivedOf, usePaidProblem } from '#web/features/admin/people/paid-with.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import { useRosterChanged } from './use-roster.ts'

interface CounterBookingInput {
  cls: RosterClass
  customer: FoundCustomer
  location_id: number | null
  /** the seat that is chosen first; empty: none */
  spot: string
  onClose: () => void
}

export type CounterBooking = ReturnType<typeof useCounterBooking>

/** The two requests of the desk for a customer and a class: a reservation, or the waitlist. Both close the dialog when they succeed. */
function useDeskRequests(onClose: () => void) {
  const changed = useRosterChanged()
  const close = (text: string) => {
    showAlert('success', text)
    onClose()
  }
  const reserve = useIdempotentMutation(api.attendance.reserve, {
    onSuccess: () => close(success.reservationRecorded),
    onError: () => undefined,
    onSettled: changed,
  })
  const wait = useIdempotentMutation(api.frontDesk.joinWaitlist, {
    onSuccess: () => close('Está en la lista de espera.'),
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  return { reserve, wait }
}

/**
 * The booking of a class for a customer at the desk: seat, payment and reasons, why it cannot be sent yet, and its requests. Without a
 * choice the credit that expires first pays; without credits the place is owed.
 */
export function useCounterBooking({ cls, customer, location_id, spot: first, onClose }: CounterBookingInput) {
  const { customer_id } = customer
  const { single_class_id } = cls
  const isFull = cls.places_left < 1
  const [reason, setReason] = useState('')
  const [spot, setSpot] = useState(first)
  const [chosen, setPayment] = useState<string | null>(null)
  const [paid, setPaid] = useState<PaidWith>({ ...BY_DEFAULT, location_id })
  const [courtesy, setCourtesy] = useState('')
  const creditLots = useQuery(
    queries.credits.ofCustomer.queryOptions({ input: { customer_id: String(customer_id) }, staleTime: 0, meta: { handled: true } }),
  )
  const usable = (creditLots.data?.available_classes ?? []).filter((creditLot) => creditLot.state === 'alive' && !creditLot.is_online)
  const payment = chosen ?? (usable.length > 0 ? 'credit' : 'owed')
  const reasons = [isFull ? reason : null, payment === 'courtesy' ? courtesy : null]
  const paidProblem = usePaidProblem(paid)
  const reasonProblem = reasons.some((reason) => reason !== null && reason.trim().length < 3) ? 'Escribe el motivo.' : null
  const { reserve, wait } = useDeskRequests(onClose)
  return {
    reason,
    setReason,
    spot,
    setSpot,
    payment,
    setPayment,
    paid,
    setPaid,
    courtesy,
    setCourtesy,
    usable,
    reserve,
    wait,
    isLoading: creditLots.isPending,
    /** Why the booking cannot be sent; null: it can. */
    problem: reasonProblem ?? (payment === 'paid' ? paidProblem : null),
    joinWaitlist: () => wait.mutate({ customer_id, single_class_id }),
    send(at: string = spot) {
      setSpot(at)
      reserve.mutate({
        customer_id,
        single_class_id,
        spot: at || null,
        ...(isFull ? { over_capacity: { reason: reason.trim() } } : {}),
        ...(/^\d+$/.test(payment) ? { available_class_id: Number(payment) } : {}),
        ...(payment === 'courtesy' ? { courtesy: { reason: courtesy.trim() } } : {}),
        ...(payment === 'owed' ? { is_cash: true } : {}),
        ...(payment === 'paid' ? { is_cash: true, is_paid: true, ...receivedOf(paid) } : {}),
      })
    },
  }
}
