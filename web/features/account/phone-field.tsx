import { useState } from 'react'
import { phoneDigits } from '#contract/phone.ts'
import { TextField } from '#web/ui/field.tsx'

interface PhoneFieldProps {
  /** what is known already */
  before?: string
  hint?: string
  error?: string | undefined
}

/** 'Teléfono': digits only, at most ten, whatever is typed or pasted (S1-2.99). */
export function PhoneField({ before = '', hint, error }: PhoneFieldProps) {
  const [phone, setPhone] = useState(before)
  return (
    <TextField
      label="Teléfono"
      name="phone"
      type="tel"
      inputMode="numeric"
      autoComplete="tel-national"
      value={phone}
      onChange={(event) => setPhone(phoneDigits(event.currentTarget.value))}
      hint={hint}
      error={error}
    />
  )
}
