/** Properties of the blocks of every view besides their classes. */
import type { KeyboardEvent, MouseEvent } from 'react'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import type { LocalDate } from '#contract/time.ts'
import type { PlanDrag } from './plan-drag.ts'
import type { Venue } from './plan-views.ts'

/** Where a new class is started. */
export interface NewAt {
  day: LocalDate
  hour: string
  /** Of hours that were marked; null: the length of its type. */
  minutes: number | null
  venue: Venue | null
  coach: number | null
}

export interface PlanActions {
  onOpen: (cls: PlannedClass, event: MouseEvent) => void
  onKey: (event: KeyboardEvent<HTMLElement>, cls: PlannedClass) => void
  /** null: the viewer may not plan */
  onNew: ((at: NewAt) => void) | null
  /** Whether the pointer selects instead of opening and creating. */
  isSelecting: () => boolean
  /** The classes in a rectangle that the pointer draws, added to those selected before it; null: it was let go. */
  onLasso: (keys: readonly string[] | null) => void
  canEdit: (cls: PlannedClass) => boolean
  /** Dragging, once its code is loaded; null before that, and without the right to plan. */
  drag: PlanDrag | null
}

/** Background, text and edge of the blocks of a type with a color of its own, by that color. */
export type PlanTones = Readonly<Record<string, { ground: string; ink: string; edge: string }>>

export interface PlanMarks {
  tones: PlanTones
  /** By `classKey`: the class that is open, those that are selected, those with an edit that is not saved. */
  current: string | null
  selected: ReadonlySet<string>
  pending: ReadonlySet<string>
  /** The same object while nothing in it changes. */
  actions: PlanActions
}
