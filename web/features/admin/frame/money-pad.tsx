import { IconBackspace } from '@tabler/icons-react'
import { useEffect, useState } from 'react'
import { useMedia } from '#web/lib/use-media.ts'
import { type AmountShape, type PadKey, withKey } from './money-pad-keys.ts'
import './money-pad.css'

const KEYS: readonly PadKey[] = ['1', '2', '3', '4', '5', '6', '7', '8', '9', '.', '0', 'delete']
const NAMES: Partial<Record<PadKey, string>> = { '.': 'Punto', delete: 'Borrar el último número' }

/**
 * Whether amounts have keys of their own: on a tablet in both orientations, whose keyboard has no number pad. A phone has one, in landscape
 * it has no room either, and a desk has keys.
 */
export const useMoneyPad = (): boolean => useMedia('(pointer: coarse) and (min-width: 761px) and (min-height: 600px)')

interface MoneyPadProps extends AmountShape {
  /** The field that it types into. Fields of a pad have the input mode 'none'. */
  label: string
  value: string
  onChange: (value: string) => void
  /** stays in sight while its form scrolls */
  sticky?: boolean
  disabled?: boolean
}

/** Keys for an amount, beside its field; the field itself takes a keyboard, so that the keys are no stops of Tab. */
export function MoneyPad({ label, value, onChange, sticky = false, disabled = false, ...shape }: MoneyPadProps) {
  const hasPad = useMoneyPad()
  // What changed the field last: 'focusin' and 'input' are events of the field, 'key' is a key of the pad.
  const [last, setLast] = useState('focusin')
  useEffect(() => {
    const onField = ({ type, target }: Event) => {
      if (!(target instanceof HTMLInputElement) || target.inputMode !== 'none') return
      setLast(type)
      // The selection shows that the next digit replaces the amount, from a keyboard too.
      if (type === 'focusin') target.select()
    }
    document.addEventListener('focusin', onField)
    document.addEventListener('input', onField)
    return () => {
      document.removeEventListener('focusin', onField)
      document.removeEventListener('input', onField)
    }
  }, [])
  if (!hasPad) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset would be one more part of the form.
    <div role="group" aria-label={`Teclado para ${label}`} className={`money-pad ${sticky ? 'money-pad-sticky' : ''}`}>
      <span role="status" className="sr-only">
        {last === 'key' && (value || 'Vacío')}
      </span>
      {KEYS.map((key) =>
        key === '.' && shape.whole ? (
          <span key={key} />
        ) : (
          <button
            key={key}
            type="button"
            tabIndex={-1}
            className="money-key"
            aria-label={NAMES[key]}
            disabled={disabled}
            // The field keeps the focus.
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              setLast('key')
              onChange(withKey(value, key, shape, last === 'focusin'))
            }}
          >
            {key === 'delete' ? <IconBackspace className="icon" aria-hidden="true" /> : key}
          </button>
        ),
      )}
    </div>
  )
}
