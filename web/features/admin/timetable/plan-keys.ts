import type { KeyboardEvent } from 'react'
import { type PlanEdit, STEP_MINUTES } from './plan-edits.ts'
import { isArrow } from './plan-steps.ts'

/** What the keys on a class of the timetable do. */
interface PlanKeyVerbs {
  canEdit: boolean
  /** the edit that an arrow with Alt makes; null: there is nothing in that direction */
  step: () => Partial<PlanEdit> | null
  nudge: (by: Partial<PlanEdit>) => void
  copy: () => void
  remove: () => void
  selectAll: () => void
  /** null: nothing is selected */
  clearSelection: (() => void) | null
  /** the edit that is not saved yet */
  pending: { save: () => void; leave: () => void } | null
  /** moves the focus to the next class in the arrow's direction */
  focusNext: () => void
}

/**
 * Calls the verb of a key; null: the key has none here and keeps its usual effect. Escape first leaves a pending edit, then clears
 * the selection.
 */
function verbOf({ key, altKey, shiftKey, ctrlKey, metaKey }: KeyboardEvent, verbs: PlanKeyVerbs): (() => void) | null {
  const { canEdit, pending } = verbs
  const mod = ctrlKey || metaKey
  if (canEdit && altKey && isArrow(key))
    return () => {
      const step = verbs.step()
      if (step) verbs.nudge(step)
    }
  if (canEdit && shiftKey && (key === 'ArrowUp' || key === 'ArrowDown'))
    return () => verbs.nudge({ length: key === 'ArrowDown' ? STEP_MINUTES : -STEP_MINUTES })
  if (canEdit && mod && key === 'c') return verbs.copy
  if (canEdit && mod && key === 'a') return verbs.selectAll
  if (pending && key === 'Enter') return pending.save
  if (key === 'Escape') return pending?.leave ?? verbs.clearSelection
  if (canEdit && (key === 'Delete' || key === 'Backspace')) return verbs.remove
  return isArrow(key) && !altKey && !shiftKey && !mod ? verbs.focusNext : null
}

/** The keyboard of the timetable: Alt with arrows moves a class, Shift with up and down changes its length, arrows alone move the focus. */
export function handlePlanKey(event: KeyboardEvent, verbs: PlanKeyVerbs): void {
  const act = verbOf(event, verbs)
  if (!act) return
  event.preventDefault()
  act()
}
