import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import './choice.css'

type InputProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'id' | 'children'>

/** A switch that takes effect at once, with its label on the left. */
export function Switch({ children, hint, ...input }: InputProps & { children: ReactNode; hint?: ReactNode }) {
  const id = useId()
  // The label contains the hint, which would be read twice: as part of the name and as the description.
  const named = hint ? { 'aria-labelledby': `${id}-name`, 'aria-describedby': `${id}-hint` } : {}
  return (
    <label className="switch">
      <span>
        <span id={`${id}-name`} className="strong">
          {children}
        </span>
        {hint && (
          <span id={`${id}-hint`} className="small muted" style={{ display: 'block' }}>
            {hint}
          </span>
        )}
      </span>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox exposes its own state */}
      <input type="checkbox" role="switch" {...input} {...named} />
    </label>
  )
}

export interface RadioOption<V extends string> {
  value: V
  title: ReactNode
  detail?: ReactNode
  /** on the right: "8 disponibles" */
  aside?: ReactNode
  /** before the text: the brand of a card */
  icon?: ReactNode
  disabled?: boolean
  /** opens under the option while it is chosen, for example a card form */
  panel?: ReactNode
}

interface RadioCardsProps<V extends string> {
  legend: ReactNode
  /** the legend is only for screen readers, because a visible title above has the same text */
  quietLegend?: boolean
  options: readonly RadioOption<V>[]
  value: V | null
  onChange: (value: V) => void
  /** `list` joins the options in one card, as the payment options */
  variant?: 'cards' | 'list'
}

/** One choice of a few, each with room for text; native radios, so the arrow keys and form submission work without code. */
export function RadioCards<V extends string>({ legend, quietLegend, options, value, onChange, variant = 'cards' }: RadioCardsProps<V>) {
  const name = useId()
  return (
    <fieldset className={`radio-cards ${variant === 'list' ? 'radio-cards-list' : ''}`}>
      <legend className={quietLegend ? 'sr-only' : undefined}>{legend}</legend>
      {options.map((option) => (
        <div key={option.value} className="radio-card">
          <label>
            <input
              type="radio"
              name={name}
              value={option.value}
              checked={option.value === value}
              disabled={option.disabled}
              onChange={() => onChange(option.value)}
            />
            {option.icon}
            <span className="radio-text">
              <span style={{ display: 'block' }}>{option.title}</span>
              {option.detail && <span className="small muted">{option.detail}</span>}
            </span>
            {option.aside && <span className="small strong">{option.aside}</span>}
          </label>
          {option.panel && option.value === value && <div className="panel">{option.panel}</div>}
        </div>
      ))}
    </fieldset>
  )
}

interface SegmentedProps<V extends string> {
  label: string
  options: readonly { value: V; label: ReactNode }[]
  value: V
  onChange: (value: V) => void
}

/** Chooses one of two to five views of the same list. */
export function Segmented<V extends string>({ label, options, value, onChange }: SegmentedProps<V>) {
  const name = useId()
  return (
    <div className="segmented" role="radiogroup" aria-label={label}>
      {options.map((option) => (
        <label key={option.value}>
          <input type="radio" name={name} value={option.value} checked={option.value === value} onChange={() => onChange(option.value)} />
          {option.label}
        </label>
      ))}
    </div>
  )
}
