import { useRef, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { Substitution } from '#contract/substitutions.ts'
import { formatWall } from '#contract/time.ts'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { SubstituteField } from './substitute-field.tsx'
import { useSubstitutionRefresh } from './use-substitutions.ts'
import './substitutions.css'

const STATES: Readonly<Record<Substitution['state'], readonly [BadgeTone, string]>> = {
  open: ['warn', 'Se busca suplente'],
  accepted: ['brand', 'Falta aprobar'],
  done: ['ok', 'Cubierta'],
  closed: ['neutral', 'Cerrada'],
}

type Answer = Omit<Parameters<typeof api.substitutions.answer>[0], 'substitution_id'>

/** Substitutions as cards, each with what the person may do about it. */
export function SubstitutionList({ substitutions }: { substitutions: readonly Substitution[] }) {
  const list = useRef<HTMLUListElement>(null)
  useShortcuts('Suplencias', [
    substitutions.some(({ can_assign }) => can_assign) && {
      keys: 'a',
      label: 'Asignar a alguien',
      act: () => assignButton(list.current)?.click(),
    },
  ])
  return (
    <ul ref={list} className="substitutions">
      {substitutions.map((substitution) => (
        <li key={substitution.substitution_id}>
          <SubstitutionCard of={substitution} />
        </li>
      ))}
    </ul>
  )
}

/** The button of the card that has the focus, or the first one. */
function assignButton(list: HTMLElement | null): HTMLElement | null {
  const card = document.activeElement?.closest('article')
  return card?.querySelector<HTMLElement>('[data-assign]') ?? list?.querySelector<HTMLElement>('[data-assign]') ?? null
}

function SubstitutionCard({ of }: { of: Substitution }) {
  const { substitution_id, single_class, instructor, substitute, asked, reason, state } = of
  const [assigning, setAssigning] = useState(false)
  const refresh = useSubstitutionRefresh()
  const answer = useIdempotentMutation(
    (input: Answer, { context }) => api.substitutions.answer({ substitution_id, ...input }, { context }),
    {
      async onSuccess({ substitution }) {
        await refresh()
        showAlert('success', doneText(substitution))
      },
      async onError(error) {
        showAlert('alert', toFailure(error).message)
        await refresh()
      },
    },
  )
  const [tone, label] = STATES[state]
  const name = `${single_class.class_type}, ${formatWall(single_class.class_date, 'class')}`
  return (
    <article className="substitution" aria-label={name}>
      <div className="substitution-what">
        <p className="row gap-8">
          <AppLink to={adminPaths.roster(single_class.single_class_id)} className="link link-alone strong">
            {name}
          </AppLink>
          <Badge tone={tone}>{label}</Badge>
        </p>
        <p className="small muted">
          {single_class.location} · {single_class.duration_minutes} min · {takenText(single_class.taken)}
        </p>
        <p>
          {instructor ? `En lugar de ${instructor.name}.` : 'No tiene coach.'} {reason}
        </p>
        {substitute && (
          <p className="strong">
            {state === 'done' ? 'La da' : 'Aceptó'} {substitute.name}.
          </p>
        )}
        {asked.length > 0 && (
          <ul className="substitution-asked" aria-label="A quién se le preguntó">
            {asked.map((instructor) => (
              <li key={instructor.instructor_id}>
                <Badge tone={instructor.answer === 'accepted' ? 'ok' : instructor.answer === 'declined' ? 'neutral' : 'outline'}>
                  {instructor.name}:{' '}
                  {instructor.answer === 'accepted' ? 'acepta' : instructor.answer === 'declined' ? 'no puede' : 'sin responder'}
                </Badge>
              </li>
            ))}
          </ul>
        )}
      </div>
      <div className="substitution-verbs">
        {of.can_answer && (
          <>
            <Button size="small" loading={answer.isPending} onClick={() => answer.mutate({ accept: true })}>
              Acepto<span className="sr-only"> dar {name}</span>
            </Button>
            <Button size="small" variant="outline" onClick={() => !answer.isPending && answer.mutate({ accept: false })}>
              No puedo<span className="sr-only"> dar {name}</span>
            </Button>
          </>
        )}
        {of.can_approve && (
          <>
            <Button size="small" loading={answer.isPending} onClick={() => answer.mutate({ approve: true })}>
              Aprobar
            </Button>
            <Button size="small" variant="outline" onClick={() => !answer.isPending && answer.mutate({ approve: false })}>
              Buscar a alguien más
            </Button>
          </>
        )}
        {of.can_assign && (
          <Button size="small" variant="outline" data-assign onClick={() => setAssigning(true)}>
            Asignar
          </Button>
        )}
        {of.can_close && (
          <Button size="small" variant="quiet" onClick={() => !answer.isPending && answer.mutate({ close: true })}>
            Ya no hace falta
          </Button>
        )}
      </div>
      {assigning && (
        <AssignDialog
          name={name}
          single_class_id={of.single_class.single_class_id}
          send={(assign) => api.substitutions.answer({ substitution_id, assign })}
          onClose={() => setAssigning(false)}
        />
      )}
    </article>
  )
}

interface AssignDialogProps {
  name: string
  single_class_id: number
  send: (instructor_id: number) => Promise<{ substitution: Substitution }>
  onClose: () => void
}

function AssignDialog({ name, single_class_id, send, onClose }: AssignDialogProps) {
  const [chosen, setChosen] = useState('')
  const refresh = useSubstitutionRefresh()
  const assign = useIdempotentMutation((id: number) => send(id), {
    async onSuccess({ substitution }) {
      await refresh()
      showAlert('success', doneText(substitution))
      onClose()
    },
    onError: () => undefined,
  })
  return (
    <Dialog
      open
      onClose={assign.isPending ? null : onClose}
      title="Asignar suplente"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            loading={assign.isPending}
            reason={chosen ? null : 'Elige a una persona.'}
            onClick={() => chosen && assign.mutate(Number(chosen))}
          >
            Asignar
          </Button>
        </>
      }
    >
      {assign.isError && (
        <Banner tone="danger" live>
          {toFailure(assign.error).message}
        </Banner>
      )}
      <p className="muted">{name}. Se avisa a las personas con lugar.</p>
      <SubstituteField single_class_id={single_class_id} value={chosen} onChange={setChosen} />
    </Dialog>
  )
}

const takenText = (takenCount: number): string =>
  takenCount === 0 ? 'sin reservaciones' : takenCount === 1 ? '1 lugar reservado' : `${takenCount} lugares reservados`

function doneText({ state, substitute }: Substitution): string {
  if (state === 'done') return `Ahora da la clase ${substitute?.name}.`
  if (state === 'accepted') return 'Gracias. El estudio lo confirma.'
  return state === 'closed' ? 'Se cerró la suplencia.' : 'Quedó anotado.'
}
