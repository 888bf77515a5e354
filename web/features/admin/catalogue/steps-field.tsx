import { IconPlus, IconTrash } from '@tabler/icons-react'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import './catalogue.css'

interface StepsFieldProps {
  label: string
  hint?: string | undefined
  error?: string | undefined
  /** "10=300.00;20=400.00" */
  value: string
  onChange: (value: string) => void
}

/** Steps of a pay rule: from how many people on, and what is paid then. */
export function StepsField({ label, hint, error, value, onChange }: StepsFieldProps) {
  const steps = value === '' ? [] : value.split(';').map((step) => step.split('='))
  const rows = steps.map(([from = '', amount = ''], at) => ({ from, amount, at }))
  const put = (next: readonly (readonly string[])[]) => onChange(next.map((step) => step.join('=')).join(';'))
  const set = (at: number, part: number, typed: string) =>
    put(steps.map((step, index) => (index === at ? step.map((old, key) => (key === part ? typed.replace(/[^\d.]/g, '') : old)) : step)))
  return (
    <fieldset className="stack gap-8 pay-steps">
      <legend className="strong">{label}</legend>
      {hint && <p className="small muted">{hint}</p>}
      {error && <p className="field-error">{error}</p>}
      {rows.map(({ from, amount, at }) => (
        <div key={at}>
          <TextField
            label="Desde personas"
            inputMode="numeric"
            maxLength={4}
            value={from}
            onChange={(event) => set(at, 0, event.currentTarget.value)}
          />
          <TextField
            label="Se paga"
            inputMode="decimal"
            maxLength={10}
            before={<span className="muted">$</span>}
            value={amount}
            onChange={(event) => set(at, 1, event.currentTarget.value)}
          />
          <IconButton label={`Quitar el escalón ${at + 1}`} onClick={() => put(steps.filter((_, index) => index !== at))}>
            <IconTrash className="icon" aria-hidden="true" />
          </IconButton>
        </div>
      ))}
      {steps.length < 10 && (
        <div>
          <Button
            variant="quiet"
            size="small"
            icon={<IconPlus className="icon" aria-hidden="true" />}
            onClick={() => put([...steps, ['', '']])}
          >
            Agregar escalón
          </Button>
        </div>
      )}
    </fieldset>
  )
}
