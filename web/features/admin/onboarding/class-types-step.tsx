import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import type { OnboardingExample, OnboardingProposal } from '#contract/onboarding.ts'
import { api, queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { StepForm, useStepDraft } from './step-form.tsx'
import { AlreadyThere, StepSkeleton, useProposal } from './step-parts.tsx'
import { isSameName } from './week-painting.ts'

interface TypeRow {
  name: string
  minutes: string
  isChosen: boolean
  /** typed here, not proposed */
  isOwn: boolean
}

/** Clases: the usual types of this kind of studio, ticked or not, and the studio's own. */
export default function ClassTypesStep() {
  const stored = useQuery(queries.catalogue.admin.classTypes.all.queryOptions()).data?.class_types
  const proposal = useProposal()
  if (!stored || !proposal) return <StepSkeleton />
  return <TypesForm stored={stored.filter(({ archived }) => !archived).map(({ name }) => name)} proposed={proposal.class_types} />
}

function TypesForm({ stored, proposed }: { stored: readonly string[]; proposed: OnboardingProposal['class_types'] }) {
  const draft = useStepDraft<{ rows: TypeRow[] }>('class_types')
  const isNew = ({ name }: { name: string }) => !stored.some((other) => isSameName(other, name))
  const [rows, setRows] = useState<TypeRow[]>(
    (
      draft?.rows ??
      proposed.map(({ name, duration_minutes, is_usual }) => ({
        name,
        minutes: String(duration_minutes),
        isOwn: false,
        isChosen: is_usual && stored.length === 0,
      }))
    ).filter(isNew),
  )
  const change = (at: number, values: Partial<TypeRow>) =>
    setRows((all) => all.map((type, index) => (index === at ? { ...type, ...values } : type)))
  const chosen = rows.filter(({ isChosen, name, isOwn }) => isChosen && (!isOwn || name.trim() !== ''))
  const badMinutes = chosen.some(({ minutes }) => !/^\d{1,3}$/.test(minutes) || Number(minutes) < 5)
  return (
    <StepForm
      title="¿Qué clases das?"
      about="Es lo que la gente elige en el calendario. Marca las tuyas y corrige su duración."
      draft={{ rows }}
      problem={
        badMinutes ? 'Escribe cuántos minutos dura cada clase.' : chosen.length + stored.length === 0 ? 'Marca al menos una clase.' : null
      }
      summary={chosen.length === 0 ? null : chosen.length === 1 ? '1 clase elegida' : `${chosen.length} clases elegidas`}
      onSubmit={async () => {
        const examples: OnboardingExample[] = []
        for (const { name, minutes } of chosen) {
          const like = proposed.find((like) => like.name === name)
          const { class_type } = await api.catalogue.admin.classTypes.create({
            class_type_id: 'nuevo',
            name: name.trim(),
            duration_minutes: Number(minutes),
            ...(like ? { description: like.description, icon: like.icon, intensity: like.intensity } : {}),
          })
          if (like?.duration_minutes === Number(minutes)) examples.push({ entity: 'class_type', entity_id: class_type.class_type_id })
        }
        return { examples }
      }}
    >
      {stored.length > 0 && (
        <AlreadyThere to={adminPaths.catalogue('tipos')} screen="Ver tus clases">{`Ya tienes ${stored.join(', ')}.`}</AlreadyThere>
      )}
      <ul className="steps-rows">
        {rows.map((row, at) => {
          const about = proposed.find(({ name }) => name === row.name)?.description
          return (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows are only added at the end, and a name is typed
            <li key={at}>
              <label className="check">
                <input type="checkbox" checked={row.isChosen} onChange={(event) => change(at, { isChosen: event.currentTarget.checked })} />
                {row.isOwn ? (
                  <span className="sr-only">Agregar {row.name || 'esta clase'}</span>
                ) : (
                  <span>
                    <span className="strong">{row.name}</span>
                    {about && <span className="small muted steps-line">{about}</span>}
                  </span>
                )}
              </label>
              {row.isOwn && (
                <span className="control">
                  <input
                    type="text"
                    aria-label="Nombre de la clase"
                    maxLength={120}
                    value={row.name}
                    onChange={(event) => change(at, { name: event.currentTarget.value })}
                  />
                </span>
              )}
              <span className="control steps-small">
                <input
                  type="text"
                  inputMode="numeric"
                  aria-label={`Duración de ${row.name || 'la clase'} en minutos`}
                  maxLength={3}
                  value={row.minutes}
                  onChange={(event) => change(at, { minutes: event.currentTarget.value })}
                />
                <span className="muted">min</span>
              </span>
            </li>
          )
        })}
      </ul>
      <Button
        variant="outline"
        size="small"
        className="steps-add"
        onClick={() => setRows([...rows, { name: '', minutes: '60', isChosen: true, isOwn: true }])}
      >
        Agregar otra clase
      </Button>
    </StepForm>
  )
}
