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

/** The studio's own form in the profile (spec 2 section 5; `profile_form_id`). */
export function FormCard({ formId }: { formId: number }) {
  const titleId = useId()
  const formQuery = useQuery(queries.forms.shown.queryOptions({ input: { form_id: formId }, staleTime: 300_000, meta: { handled: true } }))
  const answersQuery = useQuery(queries.forms.answers.queryOptions({ input: { form_id: formId }, meta: { handled: true } }))
  const failed = formQuery.isError ? formQuery : answersQuery.isError ? answersQuery : null
  if (formQuery.data && formQuery.data.form.form_fields.length === 0) return null
  return (
    <section className="card padded profile-card" aria-labelledby={titleId}>
      <h2 id={titleId} className="t3">
        {formQuery.data?.form.name ?? 'Cuestionario'}
      </h2>
      {failed ? (
        <div className="stack">
          <p>No pudimos cargar estas preguntas.</p>
          <Button variant="outline" onClick={() => void failed.refetch()}>
            Intentar de nuevo
          </Button>
        </div>
      ) : (
        <Loading loading={formQuery.isPending || answersQuery.isPending} skeleton={<Skeleton height="220px" />}>
          {formQuery.data && answersQuery.data && (
            <AnswersForm form={formQuery.data.form} source={formQuery.data.source} answersQuery={answersQuery.data.answers} />
          )}
        </Loading>
      )}
    </section>
  )
}

function AnswersForm({ form: { form_id, form_fields }, source, answersQuery }: { form: Form; source: FieldSource; answersQuery: Answers }) {
  const client = useQueryClient()
  const saved = useSaved()
  const [answers, setAnswers] = useState<Answers>(answersQuery)
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
