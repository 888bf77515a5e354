import '#web/ui/spot-map.css'
import { seatsOf } from '#web/ui/spot-geometry.ts'
import { seatRows } from './class-form.ts'

/** The room as customers will see it. */
export function ClassSeats({ rows, capacity }: { rows: string; capacity: string }) {
  const sizes = seatRows(rows)
  if (!sizes) return null
  const seats = sizes.reduce((sum, row) => sum + row, 0)
  const more = Number(capacity) > seats ? ' La capacidad es mayor.' : ''
  return (
    <div>
      <div className="plan-seats" aria-hidden="true">
        {seatsOf(sizes).map((row, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a row is nothing but its position
          <div key={at}>
            {row.map(({ spot }) => (
              <span key={spot} />
            ))}
          </div>
        ))}
      </div>
      <p className="field-hint">{`${seats === 1 ? '1 lugar' : `${seats} lugares`} en el mapa.${more}`}</p>
    </div>
  )
}
