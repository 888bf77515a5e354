import { IconAlertCircle } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import './field.css'

/** The error text under a field. */
export function FieldError({ id, children }: { id?: string; children: ReactNode }) {
  return (
    <span id={id} className="field-error">
      <IconAlertCircle className="icon" aria-hidden="true" />
      {children}
    </span>
  )
}
