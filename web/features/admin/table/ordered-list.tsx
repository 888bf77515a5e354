import { IconArrowDown, IconArrowUp, IconGripVertical } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { IconButton } from '#web/ui/button.tsx'
import './ordered-list.css'

interface OrderedListProps<T> {
  label: string
  items: readonly T[]
  idOf: (item: T) => string | number
  /** its name for the buttons that move it */
  nameOf: (item: T) => string
  /** the new order, and the place to which an item was moved from another */
  onOrder: (items: T[], to: number, from: number) => void
  children: (item: T, at: number) => ReactNode
}

/** The list with the item of one place put at another. */
export function moveItem<T>(items: readonly T[], from: number, to: number): T[] {
  const rest = items.filter((_, at) => at !== from)
  const item = items[from]
  return item === undefined ? [...items] : [...rest.slice(0, to), item, ...rest.slice(to)]
}

/** A list whose order is changed by dragging, or with the arrows of each item. */
export function OrderedList<T>({ label, items, idOf, nameOf, onOrder, children }: OrderedListProps<T>) {
  const [dragged, setDragged] = useState<number | null>(null)
  const [announcement, setAnnouncement] = useState('')
  const put = (from: number, to: number) => {
    const item = items[from]
    if (item === undefined || from === to || to < 0 || to >= items.length) return
    setAnnouncement(`${nameOf(item)}: lugar ${to + 1} de ${items.length}.`)
    onOrder(moveItem(items, from, to), to, from)
  }
  return (
    <>
      <ol className="panel-card ordered-list" aria-label={label}>
        {items.map((item, at) => (
          <li
            key={idOf(item)}
            draggable
            className={dragged === at ? 'ordered-dragged' : undefined}
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move'
              setDragged(at)
            }}
            onDragOver={(event) => dragged !== null && event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault()
              if (dragged !== null) put(dragged, at)
              setDragged(null)
            }}
            onDragEnd={() => setDragged(null)}
          >
            <IconGripVertical className="icon muted ordered-grip" aria-hidden="true" />
            <span className="small muted">{at + 1}</span>
            <div className="grow">{children(item, at)}</div>
            <IconButton label={`Subir ${nameOf(item)}`} disabled={at === 0} onClick={() => put(at, at - 1)}>
              <IconArrowUp className="icon" aria-hidden="true" />
            </IconButton>
            <IconButton label={`Bajar ${nameOf(item)}`} disabled={at === items.length - 1} onClick={() => put(at, at + 1)}>
              <IconArrowDown className="icon" aria-hidden="true" />
            </IconButton>
          </li>
        ))}
      </ol>
      <p className="sr-only" aria-live="polite">
        {announcement}
      </p>
    </>
  )
}
