import { IconPlus } from '@tabler/icons-react'
import { lazy, Suspense, useId, useRef } from 'react'
import { FieldError } from '#web/ui/field-error.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Variable } from './variable-doc.ts'
import './messages.css'
import '#web/ui/chip.css'

const VariableEditor = lazy(() => import('./variable-editor.tsx'))

interface VariableFieldProps {
  label: string
  hint?: string | undefined
  error?: string | null | undefined
  readOnly?: boolean
  /** letters that are accepted */
  max: number
  /** null: not known yet */
  variables: readonly Variable[] | null
  /** plain text, a variable as {{nombre}} */
  value: string
  onChange: (text: string) => void
}

const count = new Intl.NumberFormat('es-MX')

/** A text with variables as chips, and the variables to put into it. */
export function VariableField({ label, hint, error, readOnly = false, max, variables, value, onChange }: VariableFieldProps) {
  const id = useId()
  const insert = useRef<(variable: Variable) => void>(() => undefined)
  const over = value.length - max
  const problem =
    error ?? (over > 0 ? `Es más largo de lo que cabe: ${over === 1 ? 'sobra 1 letra' : `sobran ${count.format(over)} letras`}.` : null)
  const describedBy = [problem && `${id}-error`, `${id}-hint`].filter(Boolean).join(' ')
  const waiting = <Skeleton height="150px" />
  return (
    <>
      <div className="field">
        <span id={`${id}-label`} className="field-label">
          {label}
        </span>
        <Suspense fallback={waiting}>
          {variables ? (
            <VariableEditor
              labelledBy={`${id}-label`}
              describedBy={describedBy}
              isInvalid={problem !== null}
              readOnly={readOnly}
              variables={variables}
              value={value}
              onChange={onChange}
              onReady={(put) => {
                insert.current = put
              }}
            />
          ) : (
            waiting
          )}
        </Suspense>
        {problem && <FieldError id={`${id}-error`}>{problem}</FieldError>}
        <span id={`${id}-hint`} className="field-hint">
          {`${count.format(value.length)} de ${count.format(max)} letras.${hint ? ` ${hint}` : ''}`}
        </span>
      </div>
      {!readOnly && (
        <fieldset className="record-group">
          <legend className="field-label">Agregar al texto</legend>
          <div className="template-variables">
            {(variables ?? []).map((variable) => (
              <button key={variable.key} type="button" className="chip variable-add" onClick={() => insert.current(variable)}>
                <IconPlus className="icon" aria-hidden="true" /> {variable.label}
              </button>
            ))}
          </div>
        </fieldset>
      )}
    </>
  )
}
