import { type ComponentPropsWithRef, type ReactNode, useId } from 'react'
import { FieldError } from './field-error.tsx'
import './choice.css'

interface CheckboxProps extends Omit<ComponentPropsWithRef<'input'>, 'type' | 'id' | 'children'> {
  /** what is accepted; may contain links */
  children: ReactNode
  error?: string | null | undefined
}

/** A single checkbox with its label. */
export function Checkbox({ children, error, ...input }: CheckboxProps) {
  const id = useId()
  return (
    <div>
      <label className="check">
        <input type="checkbox" {...input} aria-invalid={error ? true : undefined} aria-describedby={error ? `${id}-error` : undefined} />
        <span>{children}</span>
      </label>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </div>
  )
}
