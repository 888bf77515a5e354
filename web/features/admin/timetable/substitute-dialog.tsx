import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { SubstituteField } from './substitute-field.tsx'
import { useSubstitutionRefresh } from './use-substitutions.ts'
import './class-panel.css'

export interface SubstitutableClass {
  single_class_id: number
  /** "Barre, mar 24 nov, 19:00 · Roma Norte" */
  text: string
}

interface SubstituteDialogProps {
  /** The classes to choose from; a single one is chosen already. */
  classes: readonly SubstitutableClass[]
  /** Whether the person may assign a substitute without a request. */
  canAssign: boolean
  onClose: () => void
}

type Whom = 'eligible' | 'chosen' | 'assign'

/** Requests a substitute for own classes, or for any class with the right to plan. */
export default function SubstituteDialog({ classes, canAssign, onClose }: SubstituteDialogProps) {
  const [only] = classes
  const [ids, setIds] = useState<readonly number[]>(classes.length === 1 && only ? [only.single_class_id] : [])
  const [reason, setReason] = useState('')
  const [whom, setWhom] = useState<Whom>('eligible')
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [assigned, setAssigned] = useState('')
  const refresh = useSubstitutionRefresh()
  const [first] = ids
  const eligible = useQuery(
    queries.substitutions.eligible.queryOptions({
      input: { single_class_id: first ?? 0 },
      enabled: ids.length === 1,
      meta: { handled: true },
    }),
  )
  const options = [
    {
      value: 'eligible' as const,
      title: 'A quienes pueden',
      detail: eligibleText(ids.length === 1 ? eligible.data?.instructors.length : undefined),
    },
    { value: 'chosen' as const, title: 'A quienes elija' },
    ...(canAssign ? [{ value: 'assign' as const, title: 'Asignar sin preguntar' }] : []),
  ]
  const chosenWhom: Whom = options.some(({ value }) => value === whom) ? whom : 'eligible'
  const open = useIdempotentMutation(
    (input: Parameters<typeof api.substitutions.open>[0], { context }) => api.substitutions.open(input, { context }),
    {
      async onSuccess({ substitutions }) {
        await refresh()
        const recipients = new Set(substitutions.flatMap((substitution) => substitution.asked.map(({ instructor_id }) => instructor_id)))
          .size
        const name = substitutions[0]?.substitute?.name
        showAlert('success', name ? `Ahora da la clase ${name}.` : recipientsText(recipients))
        onClose()
      },
      onError: () => undefined,
    },
  )
  const missing =
    ids.length === 0
      ? 'Elige al menos una clase.'
      : reason.trim().length < 3
        ? 'Escribe el motivo.'
        : chosenWhom === 'chosen' && chosen.length === 0
          ? 'Elige al menos a una persona.'
          : chosenWhom === 'assign' && !assigned
            ? 'Elige quién la da.'
            : null
  const toggled = (list: readonly number[], id: number, on: boolean) => (on ? [...list, id] : list.filter((other) => other !== id))
  return (
    <Dialog
      open
      onClose={open.isPending ? null : onClose}
      title={canAssign ? 'Buscar suplente' : 'Pedir suplente'}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button
            loading={open.isPending}
            reason={missing}
            onClick={() =>
              !missing &&
              open.mutate({
                single_class_ids: [...ids],
                reason: reason.trim(),
                ask: chosenWhom === 'eligible' ? 'elegibles' : chosenWhom === 'chosen' ? [...chosen] : null,
                assign: chosenWhom === 'assign' ? Number(assigned) : null,
              })
            }
          >
            {chosenWhom === 'assign' ? 'Asignar' : 'Preguntar'}
          </Button>
        </>
      }
    >
      {open.isError && (
        <Banner tone="danger" live>
          {toFailure(open.error).message}
        </Banner>
      )}
      {classes.length > 1 ? (
        <fieldset className="plan-weeks">
          <legend className="field-label">Qué clases</legend>
          {classes.map(({ single_class_id, text }) => (
            <Checkbox
              key={single_class_id}
              checked={ids.includes(single_class_id)}
              onChange={(event) => setIds(toggled(ids, single_class_id, event.currentTarget.checked))}
            >
              {text}
            </Checkbox>
          ))}
        </fieldset>
      ) : (
        <p className="muted">{only?.text}</p>
      )}
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
      <RadioCards legend="A quién se le pregunta" options={options} value={chosenWhom} onChange={setWhom} />
      {chosenWhom === 'chosen' && (
        <ChosenCoaches
          able={(ids.length === 1 && eligible.data?.instructors) || []}
          chosen={chosen}
          onToggle={(id, isOn) => setChosen(toggled(chosen, id, isOn))}
        />
      )}
      {chosenWhom === 'assign' && (
        <SubstituteField single_class_id={ids.length === 1 ? (first ?? null) : null} value={assigned} onChange={setAssigned} />
      )}
    </Dialog>
  )
}

interface ChosenCoachesProps {
  /** Those who teach this type and are free; empty where several classes are given away. */
  able: readonly { instructor_id: number; name: string }[]
  chosen: readonly number[]
  onToggle: (instructor_id: number, isOn: boolean) => void
}

/** Coaches who can be asked by name: first those who teach the type and are free, then the others. */
function ChosenCoaches({ able, chosen, onToggle }: ChosenCoachesProps) {
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const first = new Set(able.map(({ instructor_id }) => instructor_id))
  const others = (coaches.data?.instructors ?? [])
    .filter(({ instructor_id }) => !first.has(instructor_id))
    .map((coach) => ({ instructor_id: coach.instructor_id, name: instructorName(coach) }))
  const groups = [
    { legend: 'Dan esta clase y están libres', people: able },
    { legend: able.length > 0 ? 'Los demás' : 'A quién', people: others },
  ].filter(({ people }) => people.length > 0)
  return groups.map(({ legend, people }) => (
    <fieldset key={legend} className="plan-weeks">
      <legend className="field-label">{legend}</legend>
      {people.map(({ instructor_id, name }) => (
        <Checkbox
          key={instructor_id}
          checked={chosen.includes(instructor_id)}
          onChange={(event) => onToggle(instructor_id, event.currentTarget.checked)}
        >
          {name}
        </Checkbox>
      ))}
    </fieldset>
  ))
}

const eligibleText = (count: number | undefined): string =>
  count === undefined
    ? 'Dan este tipo de clase y están libres a esa hora.'
    : count === 0
      ? 'Por ahora nadie que dé este tipo de clase está libre a esa hora.'
      : count === 1
        ? '1 persona que da este tipo de clase está libre a esa hora.'
        : `${count} personas que dan este tipo de clase están libres a esa hora.`

const recipientsText = (count: number): string =>
  count === 0
    ? 'Se abrió la suplencia. Nadie fue preguntado todavía.'
    : count === 1
      ? 'Se le preguntó a 1 persona.'
      : `Se les preguntó a ${count} personas.`
