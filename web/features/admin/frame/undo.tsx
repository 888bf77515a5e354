/** "Guardado. Deshacer": an action can be undone for some seconds. One offer at a time; a new one replaces it. */
import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'

interface Undoable {
  id: number
  message: string
  undo: () => void
}

/** Long enough to read the message and reach the button. */
const SHOWN_MS = 8_000

let current: Undoable | null = null
let count = 0
const listeners = new Set<() => void>()

function setOffer(next: Undoable | null) {
  current = next
  for (const listener of listeners) listener()
}

/** Shows what was saved, with an undo button. */
export function offerUndo(message: string, undo: () => void): void {
  setOffer({ id: ++count, message, undo })
}

/** Renders the current offer; once, in the frame. */
export function UndoOffer() {
  const shown = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => current,
    () => null,
  )
  const id = shown?.id
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => current?.id === id && setOffer(null), SHOWN_MS)
    return () => clearTimeout(timer)
  }, [id])
  return (
    <div role="status">
      {shown && (
        <div className="undo-offer">
          <p className="grow strong">{shown.message}</p>
          <Button
            variant="quiet"
            size="small"
            icon={<IconArrowBackUp className="icon" aria-hidden="true" />}
            onClick={() => {
              setOffer(null)
              shown.undo()
            }}
          >
            Deshacer
          </Button>
          <IconButton bare label="Ocultar" onClick={() => setOffer(null)}>
            <IconX className="icon" aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  )
}
