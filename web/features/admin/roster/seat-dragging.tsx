import { type RefObject, useEffect, useRef } from 'react'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { alertFailure } from '#web/lib/errors.ts'
import type { RosterEntry } from './roster-entries.ts'
import { enableSeatDrag } from './seat-drag.ts'
import { useRosterChanged } from './use-roster.ts'

interface SeatDraggingProps {
  /** the element of the map */
  room: RefObject<HTMLElement | null>
  entries: readonly RosterEntry[]
}

/** Moves people to other seats by dragging them on the map, with an undo. Draws nothing; in a chunk of its own, with what drags. */
export default function SeatDragging({ room, entries }: SeatDraggingProps) {
  const changed = useRosterChanged()
  const change = useIdempotentMutation(api.frontDesk.change, {
    onSuccess: () => undefined,
    onError: (error) => alertFailure(error),
    onSettled: changed,
  })
  const move = useRef<(class_reservation_id: number, spot: string) => void>(() => undefined)
  useEffect(() => {
    move.current = (class_reservation_id, spot) => {
      const entry = entries.find((entry) => entry.class_reservation_id === class_reservation_id)
      if (!entry || entry.spot === null) return
      const before = entry.spot
      // A guest's seat belongs to the reservation of the host.
      const sent = (to: string) =>
        entry.isGuest ? { class_reservation_id: entry.host_id, guest_spot: to } : { class_reservation_id, spot: to }
      change.mutate(sent(spot), {
        onSuccess: () => offerUndo(`${entry.name} cambió de lugar.`, () => change.mutate(sent(before))),
      })
    }
  })
  const seats = entries.map(({ class_reservation_id, spot }) => `${class_reservation_id}@${spot}`).join(' ')
  // biome-ignore lint/correctness/useExhaustiveDependencies: the seat elements are replaced when a reservation changes its seat
  useEffect(() => {
    if (!room.current || !matchMedia('(pointer: fine)').matches) return
    return enableSeatDrag(room.current, (id, spot) => move.current(id, spot))
  }, [seats, room])
  return null
}
