import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { Form } from '#contract/form-endpoints.ts'
import type { Answers, FieldSource } from '#contract/forms.ts'
import { api, queries } from '#web/lib/api.ts'
import { useForm } from '#web/lib/form.ts'
import { sendFile } from '#web/lib/uploads.ts'
import { Button } from '#web/ui/button.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { answersToSend, DynamicFields, dynamicChecks } from './dynamic-form.tsx'
import { ProfileForm, useSaved } from './profile-card.tsx'

/** The studio's own questions in the profile (spec 2 section 5; `profile_form_id`). */
export function FormCard({ formId }: { formId: number }) {
  const titleId = useId()
  const shown = useQuery(queries.forms.shown.queryOptions({ input: { form_id: formId }, staleTime: 300_000, meta: { handled: true } }))
  const given = useQuery(queries.forms.answers.queryOptions({ input: { form_id: formId }, meta: { handled: true } }))
  const failed = shown.isError ? shown : given.isError ? given : null
  if (shown.data && shown.data.form.form_fields.length === 0) return null
  return (
    <section className="card padded profile-card" aria-labelledby={titleId}>
      <h2 id={titleId} className="t3">
        {shown.data?.form.name ?? 'Cuestionario'}
      </h2>
      {failed ? (
        <div className="stack">
          <p>No pudimos cargar estas preguntas.</p>
          <Button variant="outline" onClick={() => void failed.refetch()}>
            Intentar de nuevo
          </Button>
        </div>
      ) : (
        <Loading loading={shown.isPending || given.isPending} skeleton={<Skeleton height="220px" />}>
          {shown.data && given.data && <AnswersForm form={shown.data.form} source={shown.data.source} given={given.data.answers} />}
        </Loading>
      )}
    </section>
  )
}

function AnswersForm({ form: { form_id, form_fields }, source, given }: { form: Form; source: FieldSource; given: Answers }) {
  const client = useQueryClient()
  const saved = useSaved()
  const [answers, setAnswers] = useState<Answers>(given)
  const form = useForm({
    fields: dynamicChecks(form_fields, source, answers),
    submit: async () => {
      const ready = await answersToSend(form_fields, source, answers, sendFile)
      const now = await api.forms.answer({ form_id, answers: ready })
      client.setQueryData(queries.forms.answers.queryKey({ input: { form_id } }), now)
      setAnswers(now.answers)
      await saved(null)
    },
  })
  return (
    <ProfileForm form={form}>
      <DynamicFields fields={form_fields} source={source} answers={answers} onChange={setAnswers} errors={form.errors} />
    </ProfileForm>
  )
}
