import { IconChevronDown, IconX } from '@tabler/icons-react'
import { useRef } from 'react'
import './chip.css'
import './chip-select.css'

interface ChipSelectProps {
  /** what it filters: the accessible name, and the text while nothing is chosen */
  label: string
  /** the option for no filter: "Todos los coaches" */
  all: string
  options: readonly { value: string; label: string }[]
  /** '' = nothing is chosen */
  value: string
  onChange: (value: string) => void
}

/** A filter with a short list, in the system's own picker. An active one is filled and has a cross that clears it. */
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

/** The cross at the end of a chip, which clears its filter. */
export function ChipOff({ of, onClick }: { of: string; onClick: () => void }) {
  return (
    <button type="button" className="chip-off" aria-label={`Quitar filtro: ${of}`} onClick={onClick}>
      <IconX className="icon" aria-hidden="true" />
    </button>
  )
}
