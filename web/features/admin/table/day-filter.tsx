import './data-table.css'
import '#web/ui/chip.css'

/** A filter for a date; '': none. */
export function DayFilter({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <label className={`chip day-filter ${value ? 'day-filter-on' : ''}`}>
      {label}
      <input type="date" value={value} onChange={(event) => onChange(event.currentTarget.value)} />
    </label>
  )
}
