/** The fields of a card terminal's slip, in every form that receives money. */
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { Select, TextField } from '#web/ui/field.tsx'

export interface TerminalSlip {
  card_brand: string
  last_digits: string
  authorisation: string
}

export const NO_SLIP: TerminalSlip = { card_brand: '', last_digits: '', authorisation: '' }

const BRANDS = ['Visa', 'Mastercard', 'American Express', 'Carnet']

/** The fields to send; empty ones are left out. */
export const slipSent = ({ card_brand, last_digits, authorisation }: TerminalSlip) => ({
  ...(card_brand ? { card_brand } : {}),
  ...(last_digits ? { last_digits } : {}),
  ...(authorisation.trim() ? { authorisation: authorisation.trim() } : {}),
})

/** What is missing of the slip, in Spanish; null: nothing, or it is no terminal. */
export function slipProblem(kind: PaymentMethodKind | 'gift_card' | undefined, slip: TerminalSlip, isRequired: boolean): string | null {
  if (kind !== 'terminal') return null
  if (slip.last_digits.length < 4 && (isRequired || slip.last_digits)) return 'Escribe los últimos cuatro dígitos de la tarjeta.'
  return isRequired && !slip.authorisation.trim() ? 'Escribe la autorización de la terminal.' : null
}

interface TerminalFieldsProps {
  value: TerminalSlip
  disabled?: boolean
  onChange: (slip: TerminalSlip) => void
}

/** Brand, last digits and authorisation; the studio decides whether the last two may stay empty (`payment_terminal_fields_required`). */
export function TerminalFields({ value, disabled = false, onChange }: TerminalFieldsProps) {
  const { needsTerminalFields: isRequired } = useStaff()
  const { last_digits } = value
  return (
    <div className="field-pair">
      <Select
        label="Marca de la tarjeta"
        optional
        disabled={disabled}
        value={value.card_brand}
        onChange={(event) => onChange({ ...value, card_brand: event.currentTarget.value })}
      >
        <option value="">Sin anotar</option>
        {BRANDS.map((brand) => (
          <option key={brand}>{brand}</option>
        ))}
      </Select>
      <TextField
        label="Últimos cuatro dígitos"
        optional={!isRequired}
        required={isRequired}
        inputMode="numeric"
        maxLength={4}
        readOnly={disabled}
        value={last_digits}
        error={last_digits && last_digits.length < 4 ? 'Son cuatro dígitos.' : null}
        onChange={(event) => onChange({ ...value, last_digits: event.currentTarget.value.replace(/\D/g, '') })}
      />
      <TextField
        label="Autorización"
        optional={!isRequired}
        required={isRequired}
        maxLength={40}
        readOnly={disabled}
        value={value.authorisation}
        onChange={(event) => onChange({ ...value, authorisation: event.currentTarget.value })}
      />
    </div>
  )
}
