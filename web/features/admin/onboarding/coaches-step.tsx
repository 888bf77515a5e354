import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { splitName } from '#contract/person-name.ts'
import { useStaff } from '#web/features/admin/frame/staff.tsx'
import { api, queries } from '#web/lib/api.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { TextArea, TextField } from '#web/ui/field.tsx'
import { coachLabel } from './coach-names.ts'
import { StepForm, useStepDraft } from './step-form.tsx'
import { AlreadyThere, StepSkeleton } from './step-parts.tsx'
import { isSameName } from './week-painting.ts'

interface CoachesDraft {
  names: string
  iTeach: boolean
  ownName: string
}

/** Coaches: their names, one a line; they are invited later. */
export default function CoachesStep() {
  const stored = useQuery(queries.catalogue.admin.instructors.all.queryOptions()).data?.instructors
  if (!stored) return <StepSkeleton />
  return <CoachesForm stored={stored.filter(({ archived }) => !archived).map(coachLabel)} />
}

function CoachesForm({ stored }: { stored: readonly string[] }) {
  const staff = useStaff()
  const draft = useStepDraft<CoachesDraft>('coaches')
  const [names, setNames] = useState(draft?.names ?? '')
  const [iTeach, setITeach] = useState(draft?.iTeach ?? false)
  const [ownName, setOwnName] = useState(draft?.ownName ?? staff.name)
  const typed = [...(iTeach ? [ownName] : []), ...names.split('\n')].map((name) => name.replace(/^[-•*\s]+/, '').trim()).filter(Boolean)
  const fresh = typed.filter(
    (name, at) => !stored.some((other) => isSameName(other, name)) && typed.findIndex((other) => isSameName(other, name)) === at,
  )
  return (
    <StepForm
      title="¿Quién da las clases?"
      about="Cada clase dice quién la da. Sus fotos e invitaciones pueden esperar."
      draft={{ names, iTeach, ownName }}
      problem={fresh.length + stored.length === 0 ? 'Escribe al menos un nombre, o marca que tú das las clases.' : null}
      summary={fresh.length === 0 ? null : fresh.length === 1 ? '1 coach nuevo' : `${fresh.length} coaches nuevos`}
      onSubmit={async () => {
        for (const name of fresh)
          await api.catalogue.admin.instructors.create({ instructor_id: 'nueva', ...splitName(name), is_home: true })
        return {}
      }}
    >
      {stored.length > 0 && (
        <AlreadyThere to={adminPaths.catalogue('coaches')} screen="Ver coaches">{`Ya están ${stored.join(', ')}.`}</AlreadyThere>
      )}
      <Checkbox checked={iTeach} onChange={(event) => setITeach(event.currentTarget.checked)}>
        Yo doy las clases
      </Checkbox>
      {iTeach && (
        <TextField
          label="Tu nombre en el calendario"
          maxLength={120}
          value={ownName}
          onChange={(event) => setOwnName(event.currentTarget.value)}
        />
      )}
      <TextArea
        label={iTeach ? 'Otros coaches' : 'Coaches'}
        optional={iTeach}
        rows={6}
        hint="Un nombre por línea."
        value={names}
        onChange={(event) => setNames(event.currentTarget.value)}
      />
    </StepForm>
  )
}
