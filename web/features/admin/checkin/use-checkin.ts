/** Sends check-ins one after the other; keeps the last results and can undo each. */
import { useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useRosterChanged } from '#web/features/admin/roster/use-roster.ts'
import { api } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { alertFailure } from '#web/lib/errors.ts'
import type { Checkin } from './checkin-text.ts'
import { type Signal, signalOf } from './signal.ts'

export type CheckinInput = Parameters<typeof api.frontDesk.checkin>[0]

export interface Answered {
  /** a running number, because the same customer can be checked in twice */
  id: number
  at: Date
  checkin: Checkin
  undone: boolean
}

/** Maximum number of results on the screen. */
const MAX_RESULTS = 12

/** `onAnswer` is called with the signal of each result. */
export function useCheckin(onAnswer: (signal: Signal) => void) {
  const changed = useRosterChanged()
  const count = useRef(0)
  const [answers, setAnswers] = useState<readonly Answered[]>([])
  const sent = useMutation({
    meta: { handled: true },
    // Sent one after the other, so that the results are in the order of the scans.
    scope: { id: 'checkin' },
    mutationFn: (input: CheckinInput) => api.frontDesk.checkin(input),
    onSuccess(checkin) {
      onAnswer(signalOf(checkin.result))
      const answered: Answered = { id: ++count.current, at: currentInstant(), checkin, undone: false }
      setAnswers((before) => [answered, ...before].slice(0, MAX_RESULTS))
      void changed()
    },
    onError(error) {
      onAnswer('bad')
      alertFailure(error)
    },
  })
  const undoing = useMutation({
    meta: { handled: true },
    mutationFn: (answered: Answered) =>
      api.attendance.mark({ class_reservation_id: answered.checkin.class_reservation?.class_reservation_id ?? 0, attend: null }),
    onSuccess(_, answered) {
      setAnswers((before) => before.map((item) => (item.id === answered.id ? { ...item, undone: true } : item)))
      void changed()
    },
    onError: (error) => alertFailure(error),
  })
  return {
    answers,
    checkIn: sent.mutate,
    isPending: sent.isPending,
    undo: undoing.mutate,
    /** Removes the last result from the screen, because its reservation was handled otherwise. */
    clear: () => setAnswers((before) => before.slice(1)),
  }
}
