import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { Form } from '#contract/form-endpoints.ts'
import type { Answers, FieldSource } from '#contract/forms.ts'
import type { Signup } from '#contract/people.ts'
import { toFailure } from '#web/lib/errors.ts'
import type { Field } from '#web/lib/form.ts'
import { useSite } from '#web/lib/settings.tsx'
import { rememberAnswers, typedAnswers } from '#web/lib/typed-fields.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'

/** Prefix of the studio's own fields, so that they do not clash with the fixed fields of the sign-up. */
const PREFIX = 'form.'

interface Loaded {
  parts: typeof import('./dynamic-form.tsx')
  form: Form
  source: FieldSource
}

export interface SignupQuestions {
  /** the studio has a form that is not loaded yet: an account created now would lack its answers */
  waiting: boolean
  checks: Readonly<Record<string, Field>>
  /** the answers for the sign-up call, with files uploaded first; empty without a form */
  send(): Promise<Pick<Signup, 'form_answers'>>
  /** converts a refusal of these answers to the field names of this form */
  placed(error: unknown): unknown
  draw(errors: Readonly<Record<string, string>>): ReactNode
}

/** The studio's own questions at sign-up (`signup_form_id`); the form and its code are loaded only if the studio has one. */
export function useSignupQuestions(): SignupQuestions {
  const { signup_form_id: formId } = useSite()
  const [loaded, setLoaded] = useState<Loaded | null>(null)
  const [failed, setFailed] = useState(false)
  const [tries, setTries] = useState(0)
  const [answers, setAnswers] = useState<Answers>(typedAnswers)

  const change = (next: Answers) => {
    setAnswers(next)
    rememberAnswers(next)
  }

  // biome-ignore lint/correctness/useExhaustiveDependencies: each try loads again
  useEffect(() => {
    if (formId === null) return
    let current = true
    setFailed(false)
    Promise.all([import('./dynamic-form.tsx'), import('#web/lib/api.ts').then(({ api }) => api.forms.shown({ form_id: formId }))]).then(
      ([parts, { form, source }]) => current && setLoaded({ parts, form, source }),
      () => current && setFailed(true),
    )
    return () => {
      current = false
    }
  }, [formId, tries])

  const checks = useMemo(
    () => (loaded ? loaded.parts.dynamicChecks(loaded.form.form_fields, loaded.source, answers, PREFIX) : {}),
    [loaded, answers],
  )
  return {
    waiting: formId !== null && !loaded,
    checks,
    async send() {
      if (!loaded) return {}
      const { sendFile } = await import('#web/lib/uploads.ts')
      const ready = await loaded.parts.answersToSend(loaded.form.form_fields, loaded.source, answers, (field, file) =>
        sendFile(`${PREFIX}${field}`, file),
      )
      return { form_answers: ready }
    },
    placed(error) {
      const { code, status, message, data } = toFailure(error)
      if (code !== 'FORM_FIELD' && code !== 'FORM_FIELDS') return error
      const issues = Array.isArray(data.issues) ? data.issues : []
      return { code, status, message, data: { issues: issues.map((issue) => ({ ...issue, path: `${PREFIX}${issue.path}` })) } }
    },
    draw(errors) {
      if (formId === null) return null
      if (failed)
        return (
          <Banner tone="danger" title="No pudimos cargar las preguntas del estudio." live>
            <Button variant="outline" size="small" onClick={() => setTries(tries + 1)}>
              Intentar de nuevo
            </Button>
          </Banner>
        )
      if (!loaded) return <Skeleton height="96px" />
      const { DynamicFields } = loaded.parts
      return (
        <DynamicFields
          fields={loaded.form.form_fields}
          source={loaded.source}
          answers={answers}
          onChange={change}
          errors={errors}
          prefix={PREFIX}
        />
      )
    },
  }
}
