import { isForSale, SEAT_KINDS, type SeatKind } from '#contract/room-map.ts'
import { Switch } from '#web/ui/choice.tsx'
import { TextField } from '#web/ui/field.tsx'
import type { DraftSeat } from './room-draft.ts'
import { KIND_ICONS, KIND_LABELS } from './room-seats.tsx'

interface SeatPanelProps {
  /** The selected seats, at least one. */
  seats: readonly DraftSeat[]
  onChange: (change: Partial<DraftSeat>) => void
}

/** What the selected seats are: kind, label of a single one, and whether and until when they are closed. */
export function SeatPanel({ seats, onChange }: SeatPanelProps) {
  const [first] = seats
  if (!first) return null
  const isOne = seats.length === 1
  const kind = seats.every((seat) => seat.kind === first.kind) ? first.kind : null
  const title = !isOne ? `${seats.length} lugares` : isForSale(first) ? `Lugar ${first.label || '?'}` : KIND_LABELS[first.kind]
  const closed = seats.every((seat) => seat.closed)
  const canClose = seats.every(isForSale)
  return (
    <section className="room-panel" aria-label={title}>
      <h2 className="t3">{title}</h2>
      <fieldset className="room-kinds">
        <legend>Tipo</legend>
        {SEAT_KINDS.map((value) => {
          const Icon = KIND_ICONS[value]
          return (
            <label key={value} className={value === kind ? 'room-kind-on' : ''}>
              <input
                type="radio"
                name="kind"
                className="sr-only"
                checked={value === kind}
                onChange={() => onChange({ kind: value as SeatKind })}
              />
              <Icon className="icon" aria-hidden="true" />
              {KIND_LABELS[value]}
            </label>
          )
        })}
      </fieldset>
      {isOne && isForSale(first) && (
        <TextField label="Número" maxLength={4} value={first.label} onChange={(event) => onChange({ label: event.currentTarget.value })} />
      )}
      {canClose && (
        <>
          <Switch
            checked={closed}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? { closed: true } : { closed: false, closed_until: null, closed_reason: null })
            }
          >
            {isOne ? 'Cerrar este lugar' : 'Cerrar estos lugares'}
          </Switch>
          {closed && (
            <div className="field-pair">
              <TextField
                label="Hasta"
                type="date"
                optional
                hint="Vacío: hasta que lo abras."
                value={first.closed_until ?? ''}
                onChange={(event) => onChange({ closed_until: event.currentTarget.value || null })}
              />
              <TextField
                label="Por qué"
                optional
                maxLength={120}
                value={first.closed_reason ?? ''}
                onChange={(event) => onChange({ closed_reason: event.currentTarget.value || null })}
              />
            </div>
          )}
        </>
      )}
    </section>
  )
}
