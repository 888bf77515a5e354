/** Free hours marked with the keyboard, for a new class: the same outline that the pointer draws. */
import { type KeyboardEvent, type RefObject, useLayoutEffect, useState } from 'react'
import { formatWall } from '#contract/time.ts'
import { classKey } from './class-key.ts'
import type { GhostStore, GridGhost } from './plan-ghost.ts'
import type { NewAt } from './plan-marks.ts'
import type { PlanColumn } from './plan-views.ts'
import { hourOf } from './week-layout.ts'

const STEP = 15
const DAY = 1440
const START: Pick<GridGhost, 'minute' | 'minutes'> = { minute: 18 * 60, minutes: 60 }

/** The hours after an arrow key, Shift lengthens them: null for other keys. They stay within the day. */
export function hoursAfterKey<Hours extends Pick<GridGhost, 'minute' | 'minutes'>>(
  hours: Hours,
  key: string,
  shift: boolean,
): Hours | null {
  const by = key === 'ArrowDown' ? STEP : key === 'ArrowUp' ? -STEP : null
  if (by === null) return null
  const { minute, minutes } = hours
  if (shift) return { ...hours, minutes: Math.min(DAY - minute, Math.max(STEP, minutes + by)) }
  return { ...hours, minute: Math.min(DAY - minutes, Math.max(0, minute + by)) }
}

interface Given {
  root: RefObject<HTMLElement | null>
  columns: readonly PlanColumn[]
  ghost: GhostStore
  onNew: (at: NewAt) => void
}

export function useFreeHours({ root, columns, ghost, onNew }: Given) {
  const [marked, setMarked] = useState<GridGhost | null>(null)
  const at = columns.findIndex(({ key }) => key === marked?.column)
  const column = columns[at]
  const set = (next: GridGhost | null) => {
    ghost.set(next)
    setMarked(next)
  }
  const isMarked = marked !== null
  // The bar with the hours takes the focus, so that its keys work at once.
  useLayoutEffect(() => {
    if (isMarked) document.querySelector<HTMLElement>('[data-create-here]')?.focus({ preventScroll: true })
  }, [isMarked])
  // The outline is drawn by the store's listener; it is scrolled into view once it exists.
  useLayoutEffect(() => {
    if (marked) root.current?.querySelector('.plan-ghost')?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [marked, root])

  /** Starts after the class in focus, or in the evening of the given column. */
  function start(key: string): void {
    const focused = document.activeElement?.closest<HTMLElement>('[data-class]')
    const focusedColumn = columns.find((column) => column.key === focused?.closest<HTMLElement>('[data-column]')?.dataset.column)
    const cls = focusedColumn?.classes.find((cls) => classKey(cls) === focused?.dataset.class)
    const own = focusedColumn ?? columns.find((column) => column.key === key) ?? columns[0]
    if (!own) return
    const end = cls ? Number(cls.class_date.slice(11, 13)) * 60 + Number(cls.class_date.slice(14, 16)) + cls.duration_minutes : START.minute
    const minute = Math.min(DAY - START.minutes, Math.ceil(end / STEP) * STEP)
    set({ column: own.key, ...START, minute })
  }
  const leave = () => set(null)
  function create(): void {
    if (!marked || !column) return
    leave()
    onNew({ day: column.day, hour: hourOf(marked.minute), minutes: marked.minutes, venue: column.venue, coach: null })
  }
  function onKeyDown(event: KeyboardEvent): void {
    if (!marked || event.ctrlKey || event.metaKey || event.altKey) return
    const by = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0
    const next = by === 0 ? hoursAfterKey(marked, event.key, event.shiftKey) : { ...marked, column: columns[at + by]?.key ?? marked.column }
    if (next) set(next)
    else if (event.key === 'Escape') leave()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  const location = column && (column.name ? `${column.name}, ` : '')
  const text =
    marked && column
      ? `${location}${formatWall(`${column.day}T00:00:00Z`, 'class').slice(0, -7)}, ${hourOf(marked.minute)} – ${hourOf((marked.minute + marked.minutes) % DAY)}`
      : null
  return { text, start, leave, create, onKeyDown }
}
