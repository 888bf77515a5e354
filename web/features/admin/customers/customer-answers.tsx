import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Form } from '#contract/form-endpoints.ts'
import type { Answers, FieldSource } from '#contract/forms.ts'
import { answersToSend, DynamicFields, dynamicChecks } from '#web/features/account/dynamic-form.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { ProfilePart } from './profile-part.tsx'

interface CustomerAnswersProps {
  customer_id: number
  form_id: number
  canEdit: boolean
}

/** A customer's answers to one of the studio's forms. They are read on request, because every reading is recorded (Y1). */
export function CustomerAnswers({ customer_id, form_id, canEdit }: CustomerAnswersProps) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const form = useQuery(queries.forms.shown.queryOptions({ input: { form_id }, staleTime: 300_000, meta: { handled: true } }))
  const answers = useQuery({
    ...queries.forms.answers.queryOptions({ input: { form_id, customer_id }, staleTime: 0, meta: { handled: true } }),
    enabled: isOpen,
  })
  if (form.data && form.data.form.form_fields.length === 0) return null
  return (
    <ProfilePart id={id} title={form.data?.form.name ?? 'Cuestionario'}>
      <div className="panel-body stack gap-12">
        {isOpen ? (
          <Loaded query={answers} skeleton={<Skeleton height="160px" />} failed="No pudimos cargar sus respuestas." nothing={false}>
            {form.data && answers.data && (
              <AnswersForm
                customer_id={customer_id}
                form={withoutHidden(form.data.form, answers.data.hidden)}
                hiddenCount={answers.data.hidden?.length ?? 0}
                source={form.data.source}
                before={answers.data.answers}
                canEdit={canEdit}
              />
            )}
          </Loaded>
        ) : (
          <>
            <p className="muted">{form.data?.form.form_fields.map(({ label }) => label).join(', ')}</p>
            <div>
              <Button variant="outline" onClick={() => setOpen(true)}>
                Ver sus respuestas
              </Button>
            </div>
            <p className="small muted">Queda en la bitácora que las viste.</p>
          </>
        )}
      </div>
    </ProfilePart>
  )
}

interface AnswersFormProps {
  customer_id: number
  form: Form
  source: FieldSource
  /** fields about health that the caller may not see */
  hiddenCount: number
  before: Answers
  canEdit: boolean
}

/** The form without the fields whose answers are not for the caller; conditions on those do not hold here. */
const withoutHidden = (form: Form, hidden: readonly string[] = []): Form => ({
  ...form,
  form_fields: form.form_fields.filter(({ key, precondition }) => !hidden.includes(key) && !hidden.includes(precondition?.key ?? '')),
})

function AnswersForm({ customer_id, form: { form_id, form_fields }, source, hiddenCount, before, canEdit }: AnswersFormProps) {
  const client = useQueryClient()
  const [answers, setAnswers] = useState<Answers>(before)
  const form = useForm({
    fields: dynamicChecks(form_fields, source, answers),
    async submit() {
      const upload = (_: string, file: File) => api.files.upload({ file, data: JSON.stringify({ customer_id }) })
      const sent = await answersToSend(form_fields, source, answers, upload)
      const saved = await api.forms.answer({ form_id, customer_id, answers: sent })
      client.setQueryData(queries.forms.answers.queryKey({ input: { form_id, customer_id } }), saved)
      setAnswers(saved.answers)
      void client.invalidateQueries({ queryKey: queries.people.find.key() })
      showAlert('success', 'Guardado.')
    },
  })
  return (
    <form className="stack gap-16" noValidate onSubmit={form.onSubmit} onInput={form.onInput}>
      {form.message && (
        <Banner tone="danger" live>
          {form.message}
        </Banner>
      )}
      <fieldset className="stack gap-16" disabled={!canEdit}>
        <legend className="sr-only">Respuestas</legend>
        <DynamicFields fields={form_fields} source={source} answers={answers} onChange={setAnswers} errors={form.errors} />
      </fieldset>
      {hiddenCount > 0 && (
        <p className="small muted">Las respuestas de salud no se muestran: para verlas hace falta ese permiso. Al guardar se conservan.</p>
      )}
      {canEdit && (
        <div>
          <Button type="submit" loading={form.busy}>
            Guardar
          </Button>
        </div>
      )}
    </form>
  )
}
