/** One person after the other through the door: the last answer, those before it, and the way back of each. */
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
  /** counts up: the same person can come twice */
  id: number
  at: Date
  checkin: Checkin
  undone: boolean
}

/** As many as one remembers of a quarter of an hour. */
const REMEMBERED = 12

export function useCheckin(onAnswer: (signal: Signal) => void) {
  const changed = useRosterChanged()
  const count = useRef(0)
  const [answers, setAnswers] = useState<readonly Answered[]>([])
  const sent = useMutation({
    meta: { handled: true },
    // One after the other: the answers stand in the order in which people came.
    scope: { id: 'checkin' },
    mutationFn: (input: CheckinInput) => api.frontDesk.checkin(input),
    onSuccess(checkin) {
      onAnswer(signalOf(checkin.result))
      const answered: Answered = { id: ++count.current, at: currentInstant(), checkin, undone: false }
      setAnswers((before) => [answered, ...before].slice(0, REMEMBERED))
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
      setAnswers((before) => before.map((one) => (one.id === answered.id ? { ...one, undone: true } : one)))
      void changed()
    },
    onError: (error) => alertFailure(error),
  })
  return {
    answers,
    checkIn: sent.mutate,
    isPending: sent.isPending,
    undo: undoing.mutate,
    /** Takes the last answer off the screen: what it was about was done otherwise. */
    clear: () => setAnswers((before) => before.slice(1)),
  }
}
