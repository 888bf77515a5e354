/**
 * The pointer on the empty parts of the timetable: it marks free hours for a new class, or draws a rectangle around classes that
 * selects them.
 */
import type { PlanActions } from './plan-marks.ts'
import { type Band, hoursBetween } from './week-layout.ts'

interface Hours {
  minute: number
  minutes: number
}

export interface GridPointer extends Pick<PlanActions, 'isSelecting' | 'onLasso'> {
  /** null: cells, which have no hours */
  hours: {
    bands: () => readonly Band[]
    /** The hours marked so far in a column; null: none any more. */
    onRange: (column: string, hours: Hours | null) => void
    onMarked: (column: string, hours: Hours) => void
  } | null
}

/** Pixels that the pointer moves before it is more than a click. */
const CLICK_PX = 6

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

const meets = (box: Box, other: Box): boolean =>
  box.left < other.right && other.left < box.right && box.top < other.bottom && other.top < box.bottom

/** Watches a grid; fingers scroll it and are left alone. Returns what ends it. */
export function watchGrid(grid: HTMLElement, { hours, isSelecting, onLasso }: GridPointer): () => void {
  let from: { x: number; y: number; id: number; column: HTMLElement | null } | null = null
  /** The rectangle in selection. */
  let lasso: HTMLElement | null = null
  let hasMoved = false

  const markedTo = (y: number): Hours | null => {
    if (!from?.column || !hours) return null
    const { top } = from.column.getBoundingClientRect()
    return hoursBetween(from.y - top, y - top, hours.bands())
  }
  function finish(): void {
    if (from && hasMoved && grid.hasPointerCapture(from.id)) grid.releasePointerCapture(from.id)
    if (lasso) onLasso(null)
    else if (from?.column && hasMoved) hours?.onRange(from.column.dataset.column ?? '', null)
    lasso?.remove()
    lasso = null
    from = null
    removeEventListener('keydown', onKey, true)
  }
  function onKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    event.preventDefault()
    event.stopPropagation()
    if (lasso) onLasso([])
    finish()
  }
  function onDown(event: PointerEvent): void {
    const { target } = event
    if (event.button !== 0 || event.pointerType === 'touch' || !(target instanceof Element) || target.closest('button, a')) return
    const isLasso = isSelecting() || event.shiftKey
    const column = target instanceof HTMLElement && target.dataset.column !== undefined ? target : null
    if (!isLasso && (!hours || !column)) return
    // Prevents the selection of text while dragging with the mouse.
    event.preventDefault()
    from = { x: event.clientX, y: event.clientY, id: event.pointerId, column: isLasso ? null : column }
    hasMoved = false
    addEventListener('keydown', onKey, true)
  }
  function onMove(event: PointerEvent): void {
    if (!from || event.pointerId !== from.id) return
    const { clientX, clientY } = event
    if (!hasMoved) {
      if (Math.hypot(clientX - from.x, clientY - from.y) < CLICK_PX) return
      hasMoved = true
      // From here on the click that follows belongs to the grid, not to the column.
      grid.setPointerCapture(from.id)
      if (!from.column) {
        lasso = document.createElement('div')
        lasso.className = 'plan-lasso'
        document.body.append(lasso)
      }
    }
    if (lasso) drawLasso(lasso, clientX, clientY)
    else if (from.column) hours?.onRange(from.column.dataset.column ?? '', markedTo(clientY))
  }
  function drawLasso(element: HTMLElement, x: number, y: number): void {
    if (!from) return
    const box = { left: Math.min(from.x, x), right: Math.max(from.x, x), top: Math.min(from.y, y), bottom: Math.max(from.y, y) }
    Object.assign(element.style, {
      left: `${box.left}px`,
      top: `${box.top}px`,
      width: `${box.right - box.left}px`,
      height: `${box.bottom - box.top}px`,
    })
    const blocks = [...grid.querySelectorAll<HTMLElement>('[data-class]')]
    onLasso(blocks.filter((block) => meets(box, block.getBoundingClientRect())).map((block) => block.dataset.class ?? ''))
  }
  function onUp(event: PointerEvent): void {
    if (!from || event.pointerId !== from.id) return
    const column = from.column?.dataset.column
    const marked = hasMoved && !lasso ? markedTo(event.clientY) : null
    finish()
    if (marked && column !== undefined) hours?.onMarked(column, marked)
  }
  const onCancel = (event: PointerEvent) => {
    if (from && event.pointerId === from.id) finish()
  }
  grid.addEventListener('pointerdown', onDown)
  grid.addEventListener('pointermove', onMove)
  grid.addEventListener('pointerup', onUp)
  grid.addEventListener('pointercancel', onCancel)
  return () => {
    finish()
    grid.removeEventListener('pointerdown', onDown)
    grid.removeEventListener('pointermove', onMove)
    grid.removeEventListener('pointerup', onUp)
    grid.removeEventListener('pointercancel', onCancel)
  }
}
