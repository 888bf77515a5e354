import { Select } from '#web/ui/field.tsx'

export interface RoomOption {
  room_id: number
  location_id: number
  name: string
  capacity: number | null
  /** Seats of its map; null = no map. */
  seats: number | null
  spot_map: string | null
  /** No longer offered; a class that has it keeps it. */
  archived: boolean
}

interface RoomFieldProps {
  /** The rooms of the chosen location; without any there is no field. */
  rooms: readonly RoomOption[]
  value: string
  onChange: (room: RoomOption | null) => void
}

/** The room of a class. */
export function RoomField({ rooms, value, onChange }: RoomFieldProps) {
  const offered = rooms.filter(({ room_id, archived }) => !archived || String(room_id) === value)
  if (offered.length === 0) return null
  return (
    <Select
      label="Sala"
      optional
      value={value}
      onChange={(event) => onChange(rooms.find(({ room_id }) => String(room_id) === event.currentTarget.value) ?? null)}
    >
      <option value="">Sin sala</option>
      {offered.map(({ room_id, name, seats }) => (
        <option key={room_id} value={room_id}>
          {seats === null ? name : `${name}, ${seats === 1 ? '1 lugar' : `${seats} lugares`}`}
        </option>
      ))}
    </Select>
  )
}
