/** "Guardado. Deshacer": what was saved at once can be taken back for some seconds. One at a time, the newest wins. */
import { IconArrowBackUp, IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import { Button, IconButton } from '#web/ui/button.tsx'

interface Undoable {
  id: number
  message: string
  undo: () => void
}

/** Long enough to read, see the mistake and reach the button. */
const SHOWN_MS = 8_000

let present: Undoable | null = null
let count = 0
const ears = new Set<() => void>()

function become(next: Undoable | null) {
  present = next
  for (const hear of ears) hear()
}

/** Says what was saved and offers the way back. */
export function offerUndo(message: string, undo: () => void): void {
  become({ id: ++count, message, undo })
}

/** Where the frame shows it. */
export function UndoOffer() {
  const shown = useSyncExternalStore(
    (hear) => {
      ears.add(hear)
      return () => ears.delete(hear)
    },
    () => present,
    () => null,
  )
  const id = shown?.id
  useEffect(() => {
    if (id === undefined) return
    const timer = setTimeout(() => present?.id === id && become(null), SHOWN_MS)
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
              become(null)
              shown.undo()
            }}
          >
            Deshacer
          </Button>
          <IconButton bare label="Ocultar" onClick={() => become(null)}>
            <IconX className="icon" aria-hidden="true" />
          </IconButton>
        </div>
      )}
    </div>
  )
}
