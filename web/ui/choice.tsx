import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import './choice.css'

type InputProps = Omit<ComponentPropsWithRef<'input'>, 'type' | 'id' | 'children'>

/** Something that is on or off at once; its sentence on the left. */
export function Switch({ children, hint, ...input }: InputProps & { children: ReactNode; hint?: ReactNode }) {
  const id = useId()
  return (
    <label className="switch">
      <span>
        <span className="strong">{children}</span>
        {hint && (
          <span id={`${id}-hint`} className="small muted" style={{ display: 'block' }}>
            {hint}
          </span>
        )}
      </span>
      {/* biome-ignore lint/a11y/useAriaPropsForRole: a native checkbox tells its own state */}
      <input type="checkbox" role="switch" {...input} aria-describedby={hint ? `${id}-hint` : undefined} />
    </label>
  )
}

export interface RadioOption<V extends string> {
  value: V
  title: ReactNode
  detail?: ReactNode
  /** at the right: "8 disponibles" */
  aside?: ReactNode
  /** before the words: the brand of a card */
  icon?: ReactNode
  disabled?: boolean
  /** opens under the option while it is chosen: a card form */
  panel?: ReactNode
}

interface RadioCardsProps<V extends string> {
  legend: ReactNode
  /** the legend is said but not seen: a title above says the same */
  quietLegend?: boolean
  options: readonly RadioOption<V>[]
  value: V | null
  onChange: (value: V) => void
  /** `list` joins the options in one card, as the ways to pay */
  look?: 'cards' | 'list'
}

/** One of a few, each with room for its words; native radios, so arrows and forms work by themselves. */
export function RadioCards<V extends string>({ legend, quietLegend, options, value, onChange, look = 'cards' }: RadioCardsProps<V>) {
  const name = useId()
  return (
    <fieldset className={`radio-cards ${look === 'list' ? 'radio-cards-list' : ''}`}>
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
            <span className="words">
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

/** One of two to five views of the same list. */
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
