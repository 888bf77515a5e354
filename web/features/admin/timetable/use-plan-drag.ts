import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { daysBetween } from '#contract/day-count.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import type { DragEvents, DragSpot, PlanDrag } from './plan-drag.ts'
import { isNothing, NO_EDIT, type PlanEdit, STEP_MINUTES } from './plan-edits.ts'
import type { createGhost } from './plan-ghost.ts'
import type { PlanTarget } from './plan-steps.ts'
import type { Venue } from './plan-views.ts'

interface PlanDragOptions {
  canEdit: boolean
  targets: readonly PlanTarget[]
  ghost: ReturnType<typeof createGhost>
  find: (keys: Iterable<string>) => PlannedClass[]
  onDropped: (cls: PlannedClass, edit: PlanEdit, isCopy: boolean) => void
  onLength: (cls: PlannedClass, length: number) => void
}

/** Moving, copying and resizing classes with the pointer; null until its part is loaded, and on small screens without a mouse. */
export function usePlanDrag({ canEdit, targets, ghost, find, onDropped, onLength }: PlanDragOptions): PlanDrag | null {
  const [drag, setDrag] = useState<PlanDrag | null>(null)
  const minutesOf = (key: string): number => find([key])[0]?.duration_minutes ?? 0
  const dragging: DragEvents = {
    onOver: (key, spot) => ghost.set(spot && { column: spot.column, minute: spot.minute ?? 0, minutes: minutesOf(key) }),
    onDrop(key, spot, isCopy) {
      ghost.set(null)
      const [cls] = find([key])
      const edit = cls && spot ? editTo(cls, spot, targets) : null
      if (!cls || !edit || isNothing(edit)) return
      onDropped(cls, edit, isCopy)
    },
    onResize(key, length) {
      const [cls] = find([key])
      const target = cls && targets.find(({ day, venue }) => day === cls.class_date.slice(0, 10) && isAt(cls, venue))
      if (!cls || !target) return
      const minutes = Math.max(STEP_MINUTES, cls.duration_minutes + length)
      ghost.set({ column: target.column, minute: minuteOf(cls.class_date), minutes })
    },
    onResized(key, length) {
      ghost.set(null)
      const [cls] = find([key])
      if (cls && length !== 0) onLength(cls, length)
    },
  }
  const latest = useRef(dragging)
  useLayoutEffect(() => {
    latest.current = dragging
  })

  useEffect(() => {
    if (!canEdit || !matchMedia('(any-pointer: fine), (min-width: 761px)').matches) return
    let isGone = false
    void import('./plan-drag.ts').then(({ createPlanDrag }) => {
      const events: DragEvents = {
        onOver: (key, spot) => latest.current.onOver(key, spot),
        onDrop: (key, spot, isCopy) => latest.current.onDrop(key, spot, isCopy),
        onResize: (key, length) => latest.current.onResize(key, length),
        onResized: (key, length) => latest.current.onResized(key, length),
      }
      if (!isGone) setDrag(createPlanDrag(events))
    })
    return () => {
      isGone = true
    }
  }, [canEdit])
  return drag
}

/** The edit that a drop means for the class that was dragged. */
function editTo(cls: PlannedClass, { column, from, minute }: DragSpot, targets: readonly PlanTarget[]): PlanEdit | null {
  const [target, source] = [column, from].map((name) => targets.find((target) => target.column === name))
  if (!target) return null
  const isElsewhere = target.venue !== null && (cls.room?.room_id ?? null) !== target.venue.room_id
  const isOtherLocation = target.venue !== null && target.venue.location_id !== cls.location.location_id
  return {
    ...NO_EDIT,
    days: daysBetween(cls.class_date.slice(0, 10), target.day),
    minutes: minute === null ? 0 : minute - minuteOf(cls.class_date),
    venue: isElsewhere || isOtherLocation ? target.venue : null,
    coach: target.coach === undefined || target.coach === source?.coach ? null : { from: source?.coach ?? null, to: target.coach },
  }
}

const minuteOf = (wall: string): number => Number(wall.slice(11, 13)) * 60 + Number(wall.slice(14, 16))

const isAt = (cls: PlannedClass, venue: Venue | null): boolean =>
  venue === null || (venue.location_id === cls.location.location_id && venue.room_id === (cls.room?.room_id ?? null))
