import { IconChevronDown } from '@tabler/icons-react'
import { useId, useRef } from 'react'
import { Button } from './button.tsx'
import { Checkbox } from './checkbox.tsx'
import { ChipOff } from './chip-select.tsx'
import './chip.css'
import './chip-select.css'

interface ChipChecksProps {
  /** what it filters: the accessible name, and the button's text while nothing is chosen */
  label: string
  options: readonly { value: number; label: string }[]
  chosen: readonly number[]
  onChange: (chosen: number[]) => void
}

/** Space between the button and its list, in px. */
const GAP = 6

/** A filter with several choices: a button that opens a list of checkboxes, on phones as a bottom sheet. */
export function ChipChecks({ label, options, chosen, onChange }: ChipChecksProps) {
  const id = useId()
  const opener = useRef<HTMLButtonElement>(null)
  const on = options.filter(({ value }) => chosen.includes(value))
  const buttonText = on.length === 0 ? label : on.length === 1 ? on[0]?.label : `${label}: ${on.length}`
  return (
    <>
      <span className={`chip chip-select chip-fit ${on.length ? 'chip-on' : ''}`}>
        <button
          ref={opener}
          type="button"
          className="chip-opener"
          popoverTarget={id}
          aria-label={on.length === 1 ? `${label}: ${buttonText}` : undefined}
        >
          {buttonText}
        </button>
        {on.length ? (
          <ChipOff
            of={label}
            onClick={() => {
              onChange([])
              opener.current?.focus()
            }}
          />
        ) : (
          <IconChevronDown className="icon" aria-hidden="true" />
        )}
      </span>
      <fieldset
        id={id}
        popover="auto"
        className="chip-list ground-paper"
        onBeforeToggle={(event) => {
          const list = event.currentTarget
          const box = opener.current?.parentElement?.getBoundingClientRect()
          if (event.newState !== 'open' || !box) return
          list.style.setProperty('--left', `${box.left + scrollX}px`)
          list.style.setProperty('--top', `${box.bottom + scrollY + GAP}px`)
        }}
        onToggle={(event) => event.newState === 'open' && event.currentTarget.scrollIntoView({ block: 'nearest' })}
      >
        <legend>{label}</legend>
        {options.map((option) => (
          <Checkbox
            key={option.value}
            checked={chosen.includes(option.value)}
            onChange={(event) =>
              onChange(event.currentTarget.checked ? [...chosen, option.value] : chosen.filter((value) => value !== option.value))
            }
          >
            {option.label}
          </Checkbox>
        ))}
        <Button variant="outline" size="small" full popoverTarget={id} popoverTargetAction="hide">
          Listo
        </Button>
      </fieldset>
    </>
  )
}
