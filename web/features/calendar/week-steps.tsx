/** Controls that change the view of the calendar: links and native selects, which also work without scripts. */
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import type { LocalDate } from '#contract/time.ts'
import { isPlainClick } from './view-links.tsx'
import { type WeekView, writeWeekView } from './week-view.ts'

export interface StepProps {
  hrefOf: (view: WeekView) => string
  onView: ((view: WeekView) => void) | undefined
  today: LocalDate
}

interface ToProps extends StepProps {
  to: WeekView
  label?: string
  className?: string
  /** a filter that is active */
  current?: boolean
  children: ReactNode
}

/** A link to another view. */
export function Step({ hrefOf, onView, to, label, className, current, children }: ToProps) {
  return (
    <a
      href={hrefOf(to)}
      className={className}
      aria-label={label}
      aria-current={current ? 'true' : undefined}
      onClick={(event) => {
        if (!onView || !isPlainClick(event)) return
        event.preventDefault()
        onView(to)
      }}
    >
      {children}
    </a>
  )
}

interface ChoiceProps extends StepProps {
  label: string
  name: string
  value: string
  /** the view without this choice, for the form's hidden fields */
  rest: WeekView
  options: readonly { value: string; label: string; view: WeekView }[]
  className?: string
}

/** Chooses from a short list: a native select in a form that also works without scripts. */
export function Choice({ onView, today, label, name, value, rest, options, className = '' }: ChoiceProps) {
  const hiddenFields = [...new URLSearchParams(writeWeekView(rest, today))].filter(
    ([key]) => key !== name && !(name === 'semana' && key === 'dia'),
  )
  return (
    <form method="get" className={`chip chip-select ${className}`}>
      {hiddenFields.map(([key, text]) => (
        <input key={key} type="hidden" name={key} value={text} />
      ))}
      <select
        name={name}
        aria-label={label}
        value={value}
        onChange={(event) => {
          const option = options.find((option) => option.value === event.target.value)
          if (option) onView?.(option.view)
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
      <IconChevronDown className="icon" aria-hidden="true" />
      <noscript>
        <button type="submit" className="link">
          Ver
        </button>
      </noscript>
    </form>
  )
}
