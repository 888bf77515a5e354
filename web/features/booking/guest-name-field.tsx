import { TextField } from '#web/ui/field.tsx'

interface GuestNameFieldProps {
  value: string
  onChange: (name: string) => void
  error?: string | null | undefined
}

/** The guest's name. Without autofill, which would insert the customer's own name. */
export function GuestNameField({ value, onChange, error }: GuestNameFieldProps) {
  return (
    <TextField
      label="Nombre de tu invitado"
      name="guest"
      value={value}
      maxLength={80}
      autoComplete="off"
      onChange={(event) => onChange(event.currentTarget.value)}
      error={error}
    />
  )
}
