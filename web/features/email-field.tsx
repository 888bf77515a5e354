import type { ReactNode } from 'react'
import { TextField } from '#web/ui/field.tsx'

interface EmailFieldProps {
  hint?: string
  error?: string | undefined
  after?: ReactNode
}

/** 'Correo electrónico': the name of an account. */
export function EmailField(props: EmailFieldProps) {
  return (
    <TextField
      label="Correo electrónico"
      name="email"
      type="email"
      inputMode="email"
      autoComplete="username"
      autoCapitalize="none"
      spellCheck={false}
      {...props}
    />
  )
}
