import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import './chip.css'
import './chip-select.css'

interface ChipSelectProps {
  /** what it filters: its name, and its face while nothing is chosen */
  label: string
  /** how the list says that nothing is filtered: "Todos los coaches" */
  all: string
  options: readonly { value: string; label: string }[]
  /** '' = nothing is chosen */
  value: string
  onChange: (value: string) => void
}

/** A filter of a short list, in the system's own picker; one that is on is filled and can be taken off in one step. */
export function ChipSelect({ label, all, options, value, onChange }: ChipSelectProps) {
  const select = useRef<HTMLSelectElement>(null)
  const chosen = options.find((option) => option.value === value)
  return (
    <span className={`chip chip-select chip-fit ${chosen ? 'chip-on' : ''}`}>
      <select ref={select} aria-label={label} value={chosen ? value : ''} onChange={(event) => onChange(event.currentTarget.value)}>
        <option value="">{chosen ? all : label}</option>
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      {chosen ? (
        <ChipOff
          of={chosen.label}
          onClick={() => {
            onChange('')
            select.current?.focus()
          }}
        />
      ) : (
        <IconChevronDown className="icon" aria-hidden="true" />
      )}
    </span>
  )
}

/** Takes a filter off; the cross at the end of its chip. */
export function ChipOff({ of, onClick }: { of: string; onClick: () => void }) {
  return (
    <button type="button" className="chip-off" aria-label={`Quitar filtro: ${of}`} onClick={onClick}>
      <IconX className="icon" aria-hidden="true" />
    </button>
  )
}
