import { IconBackspace } from '@tabler/icons-react'
import { useMedia } from '#web/lib/use-media.ts'
import { type PadKey, withKey } from './money-pad-keys.ts'
import './money-pad.css'

const KEYS: readonly PadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', 'delete']
const NAMES: Partial<Record<PadKey, string>> = { '.': 'Punto', delete: 'Borrar el último número' }

/** Whether amounts have keys of their own: on an iPad, whose keyboard has no number pad. A phone has one, a desk has keys. */
export const useMoneyPad = (): boolean => useMedia('(min-width: 761px) and (max-width: 1080px)')

interface MoneyPadProps {
  value: string
  onChange: (value: string) => void
  /** a number of pieces, without a point */
  whole?: boolean
  /** stays in sight while its form scrolls */
  sticky?: boolean
}

/** Keys for an amount, beside its field; the field itself takes a keyboard, so that the keys are no stops of Tab. */
export function MoneyPad({ value, onChange, whole = false, sticky = false }: MoneyPadProps) {
  if (!useMoneyPad()) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more part of the form.
    <div role="group" aria-label="Teclado de cantidades" className={`money-pad ${sticky ? 'money-pad-sticky' : ''}`}>
      {KEYS.map((key) => (
        <button
          key={key}
          type="button"
          tabIndex={-1}
          className="money-key"
          aria-label={NAMES[key]}
          disabled={key === '.' && whole}
          // The field keeps the focus.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onChange(withKey(value, key, whole))}
        >
          {key === 'delete' ? <IconBackspace className="icon" aria-hidden="true" /> : key}
        </button>
      ))}
    </div>
  )
}
