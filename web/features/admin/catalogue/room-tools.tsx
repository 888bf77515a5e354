import { IconArrowBackUp, IconArrowForwardUp } from '@tabler/icons-react'
import { IconButton } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Select } from '#web/ui/field.tsx'
import type { Draft } from './room-draft.ts'
import { type RoomEdits, SEAT_TOOLS } from './use-room-edits.ts'

interface RoomToolsProps {
  edits: RoomEdits
  /** the other rooms that have a map */
  copyable: readonly { room_id: number; name: string; map: { rows: Draft } | null }[]
}

/** Above the map: what touching a seat does, how seats are numbered, the map of another room, undo and redo. */
export function RoomTools({ edits, copyable }: RoomToolsProps) {
  return (
    <div className="room-tools">
      <Segmented label="Al tocar un lugar" options={SEAT_TOOLS} value={edits.tool} onChange={edits.setTool} />
      <Select
        label={<span className="sr-only">Numerar</span>}
        value={edits.numbering}
        onChange={(event) => edits.setNumbering(event.currentTarget.value === 'row' ? 'row' : 'room')}
      >
        <option value="room">Numerar toda la sala</option>
        <option value="row">Numerar por fila</option>
      </Select>
      {copyable.length > 0 && (
        <Select
          label={<span className="sr-only">Copiar el mapa de otra sala</span>}
          value=""
          onChange={(event) => {
            const map = copyable.find((room) => room.room_id === Number(event.currentTarget.value))?.map
            if (map) edits.copyFrom(map)
          }}
        >
          <option value="">Copiar de otra sala</option>
          {copyable.map((room) => (
            <option key={room.room_id} value={room.room_id}>
              {room.name}
            </option>
          ))}
        </Select>
      )}
      <span className="room-history">
        <IconButton label="Deshacer" disabled={!edits.canUndo} onClick={edits.undo}>
          <IconArrowBackUp className="icon" aria-hidden="true" />
        </IconButton>
        <IconButton label="Rehacer" disabled={!edits.canRedo} onClick={edits.redo}>
          <IconArrowForwardUp className="icon" aria-hidden="true" />
        </IconButton>
      </span>
    </div>
  )
}
