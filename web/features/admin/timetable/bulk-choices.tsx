import { useQuery } from '@tanstack/react-query'
import { spotName } from '#contract/copy/names.ts'
import { spotRows } from '#contract/spots.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { queries } from '#web/lib/api.ts'
import { seatsOf } from '#web/ui/spot-geometry.ts'
import { seatLabelIn, useSeats } from './seats.ts'

const toggled = <T,>(list: readonly T[], item: T): T[] => (list.includes(item) ? list.filter((other) => other !== item) : [...list, item])

/** Chooses tags of classes. */
export function TagChoice({ value, onChange }: { value: readonly number[]; onChange: (ids: number[]) => void }) {
  const query = useQuery(queries.catalogue.tags.queryOptions({ input: { type: 'class' }, staleTime: 300_000, meta: { handled: true } }))
  const tags = query.data?.tags ?? []
  if (query.data && tags.length === 0) return <p className="muted">Todavía no hay etiquetas de clases; se crean en Catálogo.</p>
  return (
    <fieldset className="plan-tags">
      <legend className="field-label">Etiquetas</legend>
      {tags.map(({ tag_id, name }) => (
        <button
          key={tag_id}
          type="button"
          className={`chip ${value.includes(tag_id) ? 'chip-on' : ''}`}
          aria-pressed={value.includes(tag_id)}
          onClick={() => onChange(toggled(value, tag_id))}
        >
          {name}
        </button>
      ))}
    </fieldset>
  )
}

interface SeatChoiceProps {
  map: string
  /** The classes whose seats they are. */
  classes: readonly PlannedClass[]
  value: readonly string[]
  onChange: (spots: string[]) => void
}

/** Chooses seats on a map, by the numbers of the room where the classes are all in the same one. */
export function SeatChoice({ map, classes, value, onChange }: SeatChoiceProps) {
  const rooms = new Set(classes.map(({ room }) => room?.room_id))
  const single_class_id = rooms.size === 1 ? (classes.find((cls) => cls.room && cls.single_class_id)?.single_class_id ?? null) : null
  const seats = useSeats(single_class_id)
  return (
    <fieldset className="plan-tags plan-seat-choice">
      <legend className="field-label">Lugares</legend>
      {seatsOf(spotRows(map) ?? []).map((row) => (
        <div key={row[0]?.row}>
          {row.map(({ spot }) => (
            <button
              key={spot}
              type="button"
              aria-label={spotName(spot, seatLabelIn({ seats }, spot))}
              aria-pressed={value.includes(spot)}
              onClick={() => onChange(toggled(value, spot))}
            >
              {seatLabelIn({ seats }, spot) ?? spot}
            </button>
          ))}
        </div>
      ))}
    </fieldset>
  )
}
