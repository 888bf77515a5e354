/** The frame of every step: the bar with the progress, the form, values saved for later, and the buttons to continue, go back and skip. */
import { IconListCheck } from '@tabler/icons-react'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { createContext, type FormEvent, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Onboarding, OnboardingExample, OnboardingKey, OnboardingStep } from '#contract/onboarding.ts'
import { api, queries } from '#web/lib/api.ts'
import { alertFailure, toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useMedia } from '#web/lib/use-media.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { STEP_LABELS, STEP_MINUTES } from './step-order.ts'

interface StepsContext {
  steps: readonly OnboardingStep[]
  step: OnboardingStep
  /** opens the list of steps, on a phone */
  onList: () => void
}

const Steps = createContext<StepsContext | null>(null)

export function StepsProvider({ children, ...value }: StepsContext & { children: ReactNode }) {
  return <Steps value={value}>{children}</Steps>
}

/** The step that is shown, among the others. Throws outside the first steps. */
export function useSteps(): StepsContext {
  const steps = useContext(Steps)
  if (!steps) throw new Error('useSteps needs the frame of the first steps')
  return steps
}

/** What was chosen in a step and saved with it; null: nothing. */
export function useStepDraft<D>(key: OnboardingKey): D | null {
  return (useSteps().steps.find((step) => step.key === key)?.draft ?? null) as D | null
}

/** Pause in editing, in ms, after which the choices are saved with the step. */
const SAVE_MS = 1_200
/** From this width on the preview is beside the form. */
const WIDE = '(min-width: 1281px)'

/** What a step leaves behind when it is done. */
interface StepResult {
  /** saved with the step for later steps; without it what was saved is removed */
  draft?: unknown
  /** records that were created exactly as proposed */
  examples?: OnboardingExample[]
  /** loads the page again: the brand or the clock of the studio changed */
  reload?: boolean
}

interface StepFormProps {
  title: string
  about: ReactNode
  /** what is chosen so far, as JSON: saved while it is edited */
  draft: unknown
  onSubmit: () => Promise<StepResult>
  /** what is wrong with the fields, in a sentence; the step is not left then */
  problem?: string | null
  /** what visitors will see */
  preview?: ReactNode
  /** in the bar at the foot */
  summary?: ReactNode
  children: ReactNode
}

/** A sentence for a failed step, with the server's words for each field. */
function failureText(error: unknown): string {
  const { message, data } = toFailure(error)
  const issues = (data?.issues as { message: string }[] | undefined) ?? []
  return issues.length > 0 ? issues.map((issue) => issue.message).join(' ') : message
}

/** The requests of a step: its choices are saved after a pause in editing, and it is submitted or skipped. `goNext` opens the next step. */
function useStepRequests(
  step: OnboardingStep,
  next: OnboardingStep | undefined,
  { draft, onSubmit, onFailed }: Pick<StepFormProps, 'draft' | 'onSubmit'> & { onFailed: () => void },
) {
  const client = useQueryClient()
  const navigate = useNavigate()
  const store = (answer: Onboarding) => client.setQueryData(queries.onboarding.read.queryKey(), answer)
  const nextPath = next ? adminPaths.onboardingStep(next.key) : adminPaths.onboardingDone
  const text = JSON.stringify(draft)
  const saved = useRef(text)
  const { mutate: save } = useMutation({
    meta: { handled: true },
    mutationFn: (value: string) => api.onboarding.update({ key: step.key, draft: JSON.parse(value) }),
    onSuccess: store,
  })
  const submit = useMutation({
    meta: { handled: true },
    async mutationFn() {
      const { draft = null, examples = [], reload = false } = await onSubmit()
      const answer = await api.onboarding.update({ key: step.key, skipped: false, draft: draft as null, examples })
      return { answer, reload }
    },
    async onSuccess({ answer, reload }) {
      saved.current = text
      store(answer)
      if (reload) return location.assign(nextPath)
      await client.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== queries.onboarding.read.queryKey()[0] })
      void navigate(nextPath)
    },
    onError: onFailed,
  })
  const skip = useMutation({
    meta: { handled: true },
    mutationFn: () => api.onboarding.update({ key: step.key, skipped: true }),
    onSuccess(answer) {
      store(answer)
      void navigate(nextPath)
    },
    onError: alertFailure,
  })
  useEffect(() => {
    if (text === saved.current || submit.isPending) return
    const timer = setTimeout(() => {
      saved.current = text
      save(text)
    }, SAVE_MS)
    return () => clearTimeout(timer)
  }, [text, save, submit.isPending])
  return {
    submit,
    skip,
    /** Saves what is chosen and leaves the first steps. */
    leave() {
      if (text !== saved.current) save(text)
      void navigate(adminPaths.today)
    },
  }
}

/** Ctrl or Cmd with Enter submits the step, Escape leaves the first steps. */
function useStepKeys(verbs: { leave: () => void; send: (event: KeyboardEvent) => void }) {
  const latest = useRef(verbs)
  useEffect(() => {
    latest.current = verbs
  })
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      // A select, a popover and a dialog close with Escape too.
      if (event.defaultPrevented || document.querySelector('dialog:modal, :popover-open')) return
      if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) latest.current.send(event)
      else if (event.key === 'Escape' && !(event.target instanceof Element && event.target.closest('select'))) latest.current.leave()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

/** The bar above a step: which one it is, how far the first steps are, and the time that is left. */
function StepsTop({ title, onLeave }: { title: string; onLeave: () => void }) {
  const site = useSite()
  const { steps, step, onList } = useSteps()
  const at = steps.findIndex(({ key }) => key === step.key)
  const minutes = steps.slice(at).reduce((sum, { key, state }) => sum + (state === 'done' ? 0 : STEP_MINUTES[key]), 0)
  return (
    <header className="admin-top steps-top">
      <title>{`${title} · ${site.business_name}`}</title>
      <IconButton bare label="Ver los pasos" className="only-phone" aria-haspopup="dialog" onClick={onList}>
        <IconListCheck className="icon" aria-hidden="true" />
      </IconButton>
      <p className="strong steps-count">
        Paso {at + 1} de {steps.length}
      </p>
      <ol className="steps-bar" aria-hidden="true">
        {steps.map(({ key, state }) => (
          <li key={key} className={`steps-${state} ${key === step.key ? 'steps-here' : ''}`} />
        ))}
      </ol>
      {minutes > 0 && <p className="small muted not-phone">{minutes === 1 ? 'Te queda un minuto' : `Te quedan unos ${minutes} minutos`}</p>}
      <Button variant="outline" size="small" className="steps-later" onClick={onLeave}>
        Seguir después
      </Button>
    </header>
  )
}

/** One step: a form that writes ordinary records and leads to the next one. */
export function StepForm({ title, about, draft, onSubmit, problem = null, preview, summary, children }: StepFormProps) {
  const navigate = useNavigate()
  const { steps, step } = useSteps()
  const at = steps.findIndex(({ key }) => key === step.key)
  const [previous, next] = [steps[at - 1], steps[at + 1]]
  const [shownProblem, setShownProblem] = useState<string | null>(null)
  const [isPreviewing, setIsPreviewing] = useState(false)
  const isWide = useMedia(WIDE)
  const heading = useRef<HTMLHeadingElement>(null)
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => heading.current?.focus({ preventScroll: true }), [])
  const scrollToTop = () => form.current?.scrollIntoView({ block: 'start' })
  const { submit, skip, leave } = useStepRequests(step, next, { draft, onSubmit, onFailed: scrollToTop })
  function send(event: FormEvent | KeyboardEvent) {
    event.preventDefault()
    if (submit.isPending) return
    setShownProblem(problem)
    if (problem === null) submit.mutate()
    else scrollToTop()
  }
  useStepKeys({ leave, send })
  const failure = submit.error ? failureText(submit.error) : shownProblem
  return (
    <>
      <StepsTop title={title} onLeave={leave} />
      <main id="contenido" className={`admin-main steps-main ${preview && isWide ? 'steps-previewed' : ''}`} tabIndex={-1}>
        <form ref={form} className="steps-form" noValidate onSubmit={send}>
          <div className="steps-head">
            <h1 ref={heading} className="t1" tabIndex={-1}>
              {title}
            </h1>
            <p className="muted">{about}</p>
          </div>
          {failure && (
            <Banner tone="danger" live>
              {failure}
            </Banner>
          )}
          {children}
          {preview && !isWide && (
            <Button variant="outline" onClick={() => setIsPreviewing(true)}>
              Ver cómo queda
            </Button>
          )}
          <div className="steps-foot">
            {previous && (
              <Button variant="outline" onClick={() => void navigate(adminPaths.onboardingStep(previous.key))}>
                Atrás
              </Button>
            )}
            <p className="steps-summary small" role="status">
              {summary}
            </p>
            {step.state !== 'done' && (
              <button type="button" className="link link-alone" onClick={() => skip.mutate()}>
                Saltar este paso
              </button>
            )}
            <Button type="submit" loading={submit.isPending}>
              {next ? `Seguir con ${STEP_LABELS[next.key]}` : 'Terminar'}
            </Button>
          </div>
        </form>
        {preview && isWide && <aside className="steps-aside">{preview}</aside>}
      </main>
      {preview && (
        <Dialog open={isPreviewing && !isWide} onClose={() => setIsPreviewing(false)} width="middle" title="Cómo queda">
          {preview}
        </Dialog>
      )}
    </>
  )
}
