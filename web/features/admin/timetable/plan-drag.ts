/** Dragging classes with the pointer: between columns and hours, copied with Alt, made longer at their lower edge. Loaded on demand. */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements, monitorForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'
import { disableNativeDragPreview } from '@atlaskit/pragmatic-drag-and-drop/element/disable-native-drag-preview'
import { type Band, HOUR_PX, minuteNear } from './week-layout.ts'

/** Where a class is dragged to. */
export interface DragSpot {
  /** `data-column` of the column or cell, and of the one that it comes from. */
  column: string
  from: string
  /** Its new start in minutes since midnight; null in a cell, where it keeps its hour. */
  minute: number | null
}

export interface DragEvents {
  /** null: not over the grid. */
  onOver: (key: string, spot: DragSpot | null) => void
  onDrop: (key: string, spot: DragSpot | null, isCopy: boolean) => void
  /** Minutes that it gets longer. */
  onResize: (key: string, length: number) => void
  onResized: (key: string, length: number) => void
}

export interface PlanDrag {
  /** Makes a class draggable; `edge`: what makes it longer. Returns what ends it. */
  block: (element: HTMLElement, key: string, edge: HTMLElement | null) => () => void
  /** Makes columns or cells (`data-column`) take classes; `bands`: the hours, null for cells. Returns what ends it. */
  grid: (element: HTMLElement, bands: (() => readonly Band[]) | null) => () => void
}

const columnOf = (element: Element): string => element.closest<HTMLElement>('[data-column]')?.dataset.column ?? ''

/** The column or cell under the pointer. */
function columnAt(grid: HTMLElement, { clientX, clientY }: { clientX: number; clientY: number }): string | null {
  for (const column of grid.querySelectorAll<HTMLElement>('[data-column]')) {
    const { left, right, top, bottom } = column.getBoundingClientRect()
    const isCell = column.tagName === 'TD'
    if (clientX >= left && clientX < right && (!isCell || (clientY >= top && clientY < bottom))) return column.dataset.column ?? null
  }
  return null
}

export function createPlanDrag(events: DragEvents): PlanDrag {
  const lengthOf = (data: Record<string, unknown>, { clientY }: { clientY: number }): number =>
    Math.round(((clientY - Number(data.y)) / HOUR_PX) * 4) * 15
  return {
    block(element, key, edge) {
      const move = draggable({
        element,
        getInitialData: ({ input }) => ({
          plan: 'move',
          key,
          from: columnOf(element),
          grab: input.clientY - element.getBoundingClientRect().top,
        }),
      })
      if (!edge) return move
      const resize = draggable({
        element: edge,
        getInitialData: ({ input }) => ({ plan: 'resize', key, y: input.clientY }),
        onGenerateDragPreview: ({ nativeSetDragImage }) => disableNativeDragPreview({ nativeSetDragImage }),
      })
      return combine(move, resize)
    },
    grid(element, bands) {
      const spotOf = (data: Record<string, unknown>, input: { clientX: number; clientY: number }): DragSpot | null => {
        const column = columnAt(element, input)
        if (column === null) return null
        const minute = bands && minuteNear(input.clientY - element.getBoundingClientRect().top - Number(data.grab), bands())
        return { column, from: String(data.from), minute }
      }
      return combine(
        dropTargetForElements({
          element,
          canDrop: ({ source }) => source.data.plan !== undefined,
          getDropEffect: ({ input, source }) => (source.data.plan === 'move' && input.altKey ? 'copy' : 'move'),
        }),
        monitorForElements({
          canMonitor: ({ source }) => source.data.plan !== undefined,
          onDrag({ source: { data }, location: { current } }) {
            const key = String(data.key)
            if (data.plan === 'resize') events.onResize(key, lengthOf(data, current.input))
            else events.onOver(key, current.dropTargets.length > 0 ? spotOf(data, current.input) : null)
          },
          onDrop({ source: { data }, location: { current } }) {
            const key = String(data.key)
            const isInside = current.dropTargets.length > 0
            if (data.plan === 'resize') events.onResized(key, isInside ? lengthOf(data, current.input) : 0)
            else events.onDrop(key, isInside ? spotOf(data, current.input) : null, current.input.altKey)
          },
        }),
      )
    },
  }
}
