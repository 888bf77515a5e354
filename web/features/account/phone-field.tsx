import { phoneDigits } from '#contract/phone.ts'
import { useTypedEarly } from '#web/lib/typed-early.ts'
import { TextField } from '#web/ui/field.tsx'

interface PhoneFieldProps {
  /** the current number */
  before?: string
  hint?: string
  error?: string | undefined
}

/** 'Teléfono': reduces typed or pasted text to at most ten digits (S1-2.99). */
export function PhoneField({ before = '', hint, error }: PhoneFieldProps) {
  const clean = (input: HTMLInputElement) => {
    const digits = phoneDigits(input.value)
    if (input.value !== digits) input.value = digits
  }
  const field = useTypedEarly(clean)
  return (
    <TextField
      label="Teléfono"
      name="phone"
      type="tel"
      inputMode="numeric"
      autoComplete="tel-national"
      ref={field}
      defaultValue={before}
      onInput={(event) => clean(event.currentTarget)}
      hint={hint}
      error={error}
    />
  )
}
