import { IconArrowsMaximize, IconLock, IconScan } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import type { CheckinResult } from '#contract/front-desk.ts'
import { Brand } from '#web/features/site/brand.tsx'
import { PageTitle } from '#web/features/site/page-meta.tsx'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Camera } from './camera.tsx'
import { RESULTS } from './checkin-text.ts'
import { playSignal, signalOf } from './signal.ts'
import { useReaderKeys } from './use-reader-keys.ts'
import './checkin.css'
import './kiosk.css'

type Answer = Awaited<ReturnType<typeof api.kiosk.checkin>>

/** How long a result stays, in ms; the next scan replaces it. */
const RESULT_MS = 6_000
/** How long an unused choice or text stays: the next customer must not see it. */
const IDLE_MS = 20_000

/** What the customer reads from two meters away. */
const LABELS: Record<Exclude<CheckinResult, 'ok' | 'already'>, string> = {
  owed: 'Pasa a recepción',
  not_today: 'No es ahora',
  elsewhere: 'Es otro estudio',
  cancelled: 'Cancelada',
  not_found: 'No te encontramos',
  choose: '¿Cuál es tu lugar?',
}
const labelOf = ({ result, name }: Answer) => {
  if (result !== 'ok' && result !== 'already') return LABELS[result]
  return name ? `¡Hola, ${name}!` : '¡Hola!'
}

interface KioskProps {
  /** the name of the location; null = any where its opener works */
  location: string | null
  /** opens the PIN pad for staff */
  onLeave: () => void
}

/** The kiosk: customers check themselves in; nothing of the administration can be reached (Q8). */
export default function Kiosk({ location, onLeave }: KioskProps) {
  const field = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState('')
  const [answer, setAnswer] = useState<Answer | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  useReaderKeys(field)
  const sent = useMutation({
    meta: { handled: true },
    scope: { id: 'kiosk' },
    mutationFn: (input: Parameters<typeof api.kiosk.checkin>[0]) => api.kiosk.checkin(input),
    onSuccess(next) {
      playSignal(signalOf(next.result), true)
      setProblem(null)
      setAnswer(next)
    },
    onError(error) {
      playSignal('bad', true)
      setAnswer(null)
      setProblem(toFailure(error).message)
    },
    onSettled: () => field.current?.focus(),
  })
  const start = () => {
    setTyped('')
    setAnswer(null)
    setProblem(null)
  }
  useEffect(() => {
    if (typed === '' && !answer && !problem) return
    const timer = setTimeout(start, typed !== '' || answer?.result === 'choose' ? IDLE_MS : RESULT_MS)
    return () => clearTimeout(timer)
  })
  const register = (text: string) => {
    setTyped('')
    sent.mutate({ typed: text.slice(0, 500) })
  }
  const canFill = typeof document !== 'undefined' && document.fullscreenEnabled
  return (
    <main className="kiosk">
      <PageTitle>Registra tu llegada</PageTitle>
      <meta name="robots" content="noindex, nofollow" />
      <header className="kiosk-head">
        <Brand size="big" />
        {location && <span className="muted">{location}</span>}
        {canFill && (
          <IconButton
            bare
            label="Pantalla completa"
            onClick={() => void document.documentElement.requestFullscreen().catch(() => undefined)}
          >
            <IconArrowsMaximize className="icon" aria-hidden="true" />
          </IconButton>
        )}
      </header>
      <div className="kiosk-body">
        <div className="panel-card kiosk-camera">
          <Camera onCode={register} about="Enseña aquí el código de tu lugar." />
        </div>
        <div className="kiosk-side">
          <h1 className="t1">Registra tu llegada</h1>
          <form
            className="stack gap-16"
            noValidate
            onSubmit={(event) => {
              event.preventDefault()
              if (typed.trim() !== '') register(typed.trim())
            }}
          >
            <TextField
              ref={field}
              label="Tu código, teléfono o nombre"
              autoComplete="off"
              autoCapitalize="words"
              spellCheck={false}
              enterKeyHint="go"
              data-focus-first
              value={typed}
              onChange={(event) => {
                setTyped(event.currentTarget.value)
                setAnswer(null)
                setProblem(null)
              }}
              before={<IconScan className="icon muted" aria-hidden="true" />}
            />
            <Button type="submit" loading={sent.isPending}>
              Registrar
            </Button>
          </form>
          <div className="kiosk-answer">
            <Outcome answer={answer} problem={problem} onChoose={(id) => sent.mutate({ class_reservation_id: id })} onCancel={start} />
          </div>
        </div>
      </div>
      <button type="button" className="link kiosk-leave" onClick={onLeave}>
        <IconLock className="icon" aria-hidden="true" /> Para el equipo
      </button>
    </main>
  )
}

interface OutcomeProps {
  answer: Answer | null
  problem: string | null
  onChoose: (class_reservation_id: number) => void
  onCancel: () => void
}

function Outcome({ answer, problem, onChoose, onCancel }: OutcomeProps) {
  const { tone, Icon } = RESULTS[answer?.result ?? 'not_found']
  return (
    <>
      {/* Always there, so that screen readers announce each result. */}
      <p role="status" className="sr-only">
        {answer ? `${labelOf(answer)} ${answer.message}` : problem}
      </p>
      {(answer || problem) && (
        <section className={`checkin checkin-${problem ? 'danger' : tone}`} aria-label="Resultado">
          <div className="checkin-head">
            <span aria-hidden="true" className="checkin-mark">
              <Icon className="icon" />
            </span>
            <p className="checkin-text">{answer ? labelOf(answer) : 'No se pudo'}</p>
          </div>
          <div className="checkin-about">
            {answer?.about && <p className="strong">{answer.about}</p>}
            <p>{answer?.message ?? problem}</p>
          </div>
          {answer && answer.choices.length > 0 && (
            <div className="checkin-verbs kiosk-choices">
              {answer.choices.map((choice) => (
                <Button key={choice.class_reservation_id} onClick={() => onChoose(choice.class_reservation_id)}>
                  {choice.name} · {choice.about}
                </Button>
              ))}
              <Button variant="outline" onClick={onCancel}>
                Ninguno
              </Button>
            </div>
          )}
        </section>
      )}
    </>
  )
}
