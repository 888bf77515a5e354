import { useState } from 'react'
import { type Answers, type FieldSource, type FormField, visibleFields } from '#contract/forms.ts'
import { DynamicFields } from '#web/features/account/dynamic-form.tsx'
import { Segmented } from '#web/ui/choice.tsx'

/** The fields as customers see them, one step at a time; conditions work with what is typed here, which is stored nowhere. */
export function FormPreview({ fields, source }: { fields: readonly FormField[]; source: FieldSource }) {
  const [answers, setAnswers] = useState<Answers>({})
  const [chosen, setChosen] = useState('')
  const steps = [...new Set(fields.map(({ step }) => step))].sort((a, b) => a - b)
  const step = steps.find((step) => String(step) === chosen) ?? steps[0]
  // The condition was checked against the whole form: the field that it is on may be in another step.
  const shown = visibleFields(fields, answers)
    .filter((field) => field.step === step)
    .map((field) => ({ ...field, precondition: null }))
  return (
    <section className="panel-card form-preview" aria-label="Como lo ve el cliente">
      <h2 className="t3">Como lo ve el cliente</h2>
      {steps.length > 1 && (
        <Segmented
          label="Paso"
          options={steps.map((step) => ({ value: String(step), label: `Paso ${step}` }))}
          value={String(step)}
          onChange={setChosen}
        />
      )}
      {shown.length > 0 ? (
        <div className="stack gap-16">
          <DynamicFields fields={shown} source={source} answers={answers} onChange={setAnswers} errors={{}} prefix="vista." />
        </div>
      ) : (
        <p className="small muted">Este paso no muestra ningún campo todavía.</p>
      )}
    </section>
  )
}
