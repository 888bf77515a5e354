import { useState } from 'react'
import { type RoomMap, seatAt } from '#contract/room-map.ts'
import type { AffectedSeat } from '#contract/rooms.ts'
import { formatWall } from '#contract/time.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'

interface SeatMovesDialogProps {
  affected: readonly AffectedSeat[]
  /** The map before the change, for the names of the former seats, and the saved one. */
  before: RoomMap | null
  after: RoomMap
  error: unknown
  saving: boolean
  onSave: (moves: { class_reservation_id: number; spot: string }[]) => void
  onClose: () => void
}

const labelIn = (map: RoomMap | null, spot: string): string => (map && seatAt(map, spot)?.label) || spot

/** The customers whose seats no longer exist, with a new seat for each: every reservation stays. */
export function SeatMovesDialog({ affected, before, after, error, saving, onSave, onClose }: SeatMovesDialogProps) {
  const [chosen, setChosen] = useState<ReadonlyMap<number, string>>(
    () => new Map(affected.map(({ class_reservation_id, proposed }) => [class_reservation_id, proposed ?? ''])),
  )
  const isFull = affected.some(({ free }) => free.length === 0)
  const isTwice = affected.some((reservation) =>
    affected.some(
      (other) =>
        other !== reservation &&
        other.single_class_id === reservation.single_class_id &&
        chosen.get(other.class_reservation_id) === chosen.get(reservation.class_reservation_id),
    ),
  )
  const people = affected.length === 1 ? '1 persona tenía ese lugar.' : `${affected.length} personas tenían esos lugares.`
  return (
    <Dialog
      open
      onClose={saving ? null : onClose}
      title={`${people} Nadie pierde su clase.`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            loading={saving}
            reason={isFull ? 'En una de las clases no queda lugar libre.' : isTwice ? 'Dos personas no caben en el mismo lugar.' : null}
            onClick={() => onSave([...chosen].map(([class_reservation_id, spot]) => ({ class_reservation_id, spot })))}
          >
            Guardar y avisar
          </Button>
        </>
      }
    >
      {error != null && (
        <Banner tone="danger" live>
          {toFailure(error).message}
        </Banner>
      )}
      <ul className="room-moves">
        {affected.map(({ class_reservation_id, name, class_type, class_date, spot, free }) => (
          <li key={class_reservation_id}>
            <span>
              <span className="strong">{name}</span>
              <span className="small muted">
                {class_type}, {formatWall(class_date, 'class')} · lugar {labelIn(before, spot)}
              </span>
            </span>
            {free.length === 0 ? (
              <span className="strong">No queda lugar</span>
            ) : (
              <Select
                label={<span className="sr-only">{`Lugar nuevo de ${name}`}</span>}
                value={chosen.get(class_reservation_id) ?? ''}
                onChange={(event) => {
                  const { value } = event.currentTarget
                  setChosen((current) => new Map(current).set(class_reservation_id, value))
                }}
              >
                {free.map((spot) => (
                  <option key={spot} value={spot}>
                    Lugar {labelIn(after, spot)}
                  </option>
                ))}
              </Select>
            )}
          </li>
        ))}
      </ul>
      <p className="small muted">Se les avisa al guardar, con su lugar nuevo.</p>
    </Dialog>
  )
}
