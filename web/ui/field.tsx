import { IconChevronDown, IconEye, IconEyeOff } from '@tabler/icons-react'
import { type ComponentPropsWithRef, type ReactNode, useId, useState } from 'react'
import { IconButton } from './button.tsx'
import { FieldError } from './field-error.tsx'
import './field.css'

/** The attributes that link a control to its label, hint and error for screen readers. */
export interface ControlProps {
  id: string
  'aria-describedby': string | undefined
  'aria-invalid': true | undefined
}

export interface FieldTexts {
  label: ReactNode
  hint?: ReactNode
  /** why this field was refused, in a sentence */
  error?: string | null | undefined
  /** marked "(Opcional)"; required fields, which are the most, have no mark */
  optional?: boolean
}

/** Label, control, error and hint; `children` renders the control with the given attributes. */
export function Field({ label, hint, error, optional, children }: FieldTexts & { children: (control: ControlProps) => ReactNode }) {
  const id = useId()
  const describedBy = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
        {optional && <small> (Opcional)</small>}
      </label>
      {children({ id, 'aria-describedby': describedBy || undefined, 'aria-invalid': error ? true : undefined })}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
      {hint && (
        <span id={`${id}-hint`} className="field-hint">
          {hint}
        </span>
      )}
    </div>
  )
}

type Own<T extends 'input' | 'textarea' | 'select'> = FieldTexts & Omit<ComponentPropsWithRef<T>, 'id' | 'children' | 'prefix'>

/** A single-line text field; `before` and `after` are rendered inside its border. */
export function TextField({
  label,
  hint,
  error,
  optional,
  before,
  after,
  ...input
}: Own<'input'> & { before?: ReactNode; after?: ReactNode }) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <span className="control">
          {before}
          <input type="text" required={!optional} {...input} {...control} />
          {after}
        </span>
      )}
    </Field>
  )
}

/** The field 'Correo electrónico' of an account. */
export function EmailField(props: Pick<ComponentPropsWithRef<typeof TextField>, 'hint' | 'error' | 'after'>) {
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

/** A multi-line text field. */
export function TextArea({ label, hint, error, optional, ...area }: Own<'textarea'>) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <span className="control">
          <textarea rows={3} required={!optional} {...area} {...control} />
        </span>
      )}
    </Field>
  )
}

interface PasswordProps extends Own<'input'> {
  /** accessible name of the show/hide button; must differ between two password fields of one form */
  shows?: string
}

/** A password field with a button that shows the typed text (S1-9). */
export function PasswordField({ label, hint, error, optional, shows = 'Mostrar contraseña', ...input }: PasswordProps) {
  const [shown, setShown] = useState(false)
  const Eye = shown ? IconEyeOff : IconEye
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <span className="control">
          <input
            required={!optional}
            autoComplete="current-password"
            autoCapitalize="none"
            spellCheck={false}
            {...input}
            type={shown ? 'text' : 'password'}
            {...control}
          />
          <IconButton bare label={shows} aria-pressed={shown} aria-controls={control.id} onClick={() => setShown(!shown)}>
            <Eye className="icon" aria-hidden="true" />
          </IconButton>
        </span>
      )}
    </Field>
  )
}

/** A short list in the system's own picker; the options are `<option>` children. */
export function Select({ label, hint, error, optional, children, ...select }: Own<'select'> & { children: ReactNode }) {
  return (
    <Field label={label} hint={hint} error={error} optional={optional}>
      {(control) => (
        <span className="control control-select">
          <select required={!optional} {...select} {...control}>
            {children}
          </select>
          <IconChevronDown className="icon" aria-hidden="true" />
        </span>
      )}
    </Field>
  )
}
