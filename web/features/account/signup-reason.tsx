import { useState } from 'react'
import { checkFilled, type Field } from '#web/lib/form.ts'
import { useTypedEarly } from '#web/lib/typed-early.ts'
import { Select, TextField } from '#web/ui/field.tsx'

const OTHER = 'Otro'
const REASONS = ['Me lo recomendaron', 'Instagram', 'Google', 'Pasé por el estudio', OTHER] as const

/** Checks the text that 'Otro' requires (S2-3.04). */
export const reasonField: Field = {
  label: 'Cuéntanos cómo',
  check: (value, all) => (all.signup_reason === OTHER ? checkFilled(value) : null),
}

/** The sign-up reason of a form's values. */
export const reasonsIn = (values: Readonly<Record<string, string>>) => ({
  signup_reason: values.signup_reason || null,
  signup_reason_other: values.signup_reason === OTHER ? (values.signup_reason_other ?? null) : null,
})

interface SignupReasonProps {
  initial?: { signup_reason?: string | null | undefined; signup_reason_other?: string | null | undefined }
  error: string | undefined
}

/** '¿Cómo nos conociste?', with a text field for the answer 'Otro' (S2-3.04). */
export function SignupReason({ initial, error }: SignupReasonProps) {
  const [reason, setReason] = useState(initial?.signup_reason ?? '')
  const field = useTypedEarly<HTMLSelectElement>((select) => setReason(select.value))
  // A reason that reception or an import stored stays in the list.
  const standardReasons: readonly string[] = REASONS
  const reasons = reason && !standardReasons.includes(reason) ? [reason, ...REASONS] : REASONS
  return (
    <>
      <Select
        label="¿Cómo nos conociste?"
        name="signup_reason"
        optional
        ref={field}
        defaultValue={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
      >
        <option value="">Elige una opción</option>
        {reasons.map((text) => (
          <option key={text}>{text}</option>
        ))}
      </Select>
      {reason === OTHER && (
        <TextField
          label="Cuéntanos cómo"
          name="signup_reason_other"
          maxLength={200}
          defaultValue={initial?.signup_reason_other ?? ''}
          error={error}
        />
      )}
    </>
  )
}
