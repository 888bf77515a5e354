/**
 * Dragging a person to another seat of the room's map. Loaded on demand, with a fine pointer; "Cambiar de lugar" in their sheet does the
 * same by keyboard.
 */
import { combine } from '@atlaskit/pragmatic-drag-and-drop/combine'
import { draggable, dropTargetForElements } from '@atlaskit/pragmatic-drag-and-drop/element/adapter'

/** Makes taken seats (`data-seat-of`: the reservation) draggable onto free ones (`data-free-seat`: the spot). Returns what ends it. */
export function enableSeatDrag(room: HTMLElement, onMove: (class_reservation_id: number, spot: string) => void): () => void {
  const cleanups = [...room.querySelectorAll<HTMLElement>('[data-seat-of]')].map((element) =>
    draggable({ element, getInitialData: () => ({ seatOf: Number(element.dataset.seatOf) }) }),
  )
  const free = [...room.querySelectorAll<HTMLElement>('[data-free-seat]')].map((element) => {
    const setOver = (isOver: boolean) => element.classList.toggle('seat-over', isOver)
    return dropTargetForElements({
      element,
      canDrop: ({ source }) => typeof source.data.seatOf === 'number',
      onDragEnter: () => setOver(true),
      onDragLeave: () => setOver(false),
      onDrop({ source }) {
        setOver(false)
        onMove(Number(source.data.seatOf), element.dataset.freeSeat ?? '')
      },
    })
  })
  return combine(...cleanups, ...free)
}
