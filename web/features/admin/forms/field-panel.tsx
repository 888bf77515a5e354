import { useState } from 'react'
import { FIELD_TYPES, type FormField } from '#contract/forms.ts'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { conditionValues, FIELD_TYPE_NAMES, hasOptions, parseOptions } from './form-draft.ts'

interface FieldPanelProps {
  field: FormField
  fields: readonly FormField[]
  /** names of the studio's own objects */
  objects: readonly string[]
  /** the address needs it: neither optional nor conditional (F5) */
  isFixed: boolean
  onChange: (change: Partial<FormField>) => void
  onRemove: () => void
  onClose: () => void
}

/** One field of a form. Its changes are in the draft at once and stored with the form. */
export function FieldPanel({ field, fields, objects, isFixed, onChange, onRemove, onClose }: FieldPanelProps) {
  const [optionText, setOptionText] = useState(field.options.map(({ label }) => label).join('\n'))
  return (
    <Drawer
      open
      side="right"
      label="Campo"
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">Campo</h2>}
      foot={
        <div className="panel-foot">
          {!isFixed && (
            <Button variant="danger-quiet" onClick={onRemove}>
              Quitar campo
            </Button>
          )}
          <Button onClick={onClose}>Listo</Button>
        </div>
      }
    >
      <div className="record-panel">
        <TextField
          label="Pregunta"
          maxLength={200}
          value={field.label}
          onChange={(event) => onChange({ label: event.currentTarget.value })}
        />
        <Select
          label="Tipo de respuesta"
          value={field.type}
          onChange={(event) => onChange({ type: event.currentTarget.value })}
          disabled={isFixed}
        >
          {FIELD_TYPES.map((type) => (
            <option key={type} value={type}>
              {FIELD_TYPE_NAMES[type]}
            </option>
          ))}
          {[...new Set([...objects, ...(Object.hasOwn(FIELD_TYPE_NAMES, field.type) ? [] : [field.type])])].map((name) => (
            <option key={name} value={name}>
              {name}
            </option>
          ))}
        </Select>
        {hasOptions(field.type) && (
          <TextArea
            label="Opciones"
            rows={5}
            hint="Una por línea."
            value={optionText}
            onChange={(event) => {
              const text = event.currentTarget.value
              setOptionText(text)
              onChange({ options: parseOptions(text, field.options) })
            }}
          />
        )}
        <TextField
          label="Paso"
          type="number"
          min={1}
          max={50}
          hint="Los campos de un mismo paso se ven juntos."
          value={String(field.step)}
          onChange={({ currentTarget }) => {
            const step = Math.round(currentTarget.valueAsNumber)
            if (step >= 1 && step <= 50) onChange({ step })
          }}
        />
        {!isFixed && (
          <>
            <Switch checked={field.required} onChange={(event) => onChange({ required: event.currentTarget.checked })}>
              Obligatorio
            </Switch>
            <Switch
              checked={field.health ?? false}
              hint="Su respuesta solo la ven el cliente y quien puede ver respuestas de salud."
              onChange={(event) => onChange({ health: event.currentTarget.checked })}
            >
              Es de salud
            </Switch>
            <ConditionFields field={field} fields={fields} onChange={onChange} />
          </>
        )}
      </div>
    </Drawer>
  )
}

/** When the field is shown: always, or according to the answer to another field. */
function ConditionFields({ field, fields, onChange }: Pick<FieldPanelProps, 'field' | 'fields' | 'onChange'>) {
  const others = fields.filter(({ key }) => key !== field.key)
  const on = others.find(({ key }) => key === field.precondition?.key)
  const values = conditionValues(on)
  const value = field.precondition?.value
  return (
    <>
      <Select
        label="Cuándo se muestra"
        value={field.precondition?.key ?? ''}
        onChange={(event) => onChange({ precondition: event.currentTarget.value ? { key: event.currentTarget.value } : null })}
      >
        <option value="">Siempre</option>
        {others.map(({ key, label }) => (
          <option key={key} value={key}>
            Solo según: {label}
          </option>
        ))}
      </Select>
      {field.precondition && (
        <Select
          label="Con qué respuesta"
          value={value === undefined || value === null ? '' : JSON.stringify(value)}
          onChange={({ currentTarget }) => {
            const key = field.precondition?.key ?? ''
            onChange({ precondition: currentTarget.value ? { key, value: JSON.parse(currentTarget.value) } : { key } })
          }}
        >
          <option value="">Cualquiera</option>
          {values.map((choice) => (
            <option key={choice.label} value={JSON.stringify(choice.value)}>
              {choice.label}
            </option>
          ))}
          {value !== undefined && value !== null && !values.some((option) => JSON.stringify(option.value) === JSON.stringify(value)) && (
            <option value={JSON.stringify(value)}>{[value].flat().join(' o ')}</option>
          )}
        </Select>
      )}
    </>
  )
}
