import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { instructorName } from '#contract/copy/instructor-names.ts'
import { isLocalDate, type LocalDate } from '#contract/time.ts'
import { ConflictDialog, differingFields, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextField } from '#web/ui/field.tsx'
import { daysText } from './holiday-text.ts'
import { useHolidayRefresh } from './use-holidays.ts'
import './holidays.css'

type Absence = Awaited<ReturnType<typeof api.instructorAbsences.list>>['absences'][number]

interface AbsencesProps {
  today: LocalDate
  /** Only those of this coach; all coaches without it. */
  coach?: { instructor_id: number; name: string }
}

/** Absences of coaches that are not over: the timetable marks their classes. */
export function Absences({ today, coach }: AbsencesProps) {
  const list = useQuery(queries.instructorAbsences.list.queryOptions({ meta: { handled: true } }))
  const [adding, setAdding] = useState(false)
  const [changing, setChanging] = useState<number | null>(null)
  const refresh = useHolidayRefresh()
  const remove = useIdempotentMutation(
    (instructor_absence_id: number, { context }) => api.instructorAbsences.remove({ instructor_absence_id }, { context }),
    {
      async onSuccess() {
        await refresh()
        showAlert('success', 'Guardado.')
      },
      onError: (error) => showAlert('alert', toFailure(error).message),
    },
  )
  const rows = (list.data?.absences ?? []).filter((absence) => !coach || absence.instructor_id === coach.instructor_id)
  const changed = rows.find((changed) => changed.instructor_absence_id === changing)
  return (
    <section className="absences" aria-labelledby="ausencias">
      <div className="row spread">
        <h2 id="ausencias" className="t3">
          {coach ? 'Ausencias' : 'Ausencias de coaches'}
        </h2>
        <Button variant="outline" size="small" onClick={() => setAdding(true)}>
          Agregar ausencia
        </Button>
      </div>
      {rows.length === 0 ? (
        <p className="muted">
          {list.isError ? 'No pudimos cargar las ausencias.' : coach ? 'No avisó que no estará.' : 'Nadie avisó que no estará.'}
        </p>
      ) : (
        <ul className="panel-card holiday-rows">
          {rows.map((row) => (
            <li key={row.instructor_absence_id} className="holiday-row">
              {!coach && <span className="strong">{row.name}</span>}
              <span>{daysText(row)}</span>
              {row.reason && <span className="small muted">{row.reason}</span>}
              <Button variant="quiet" size="small" onClick={() => setChanging(row.instructor_absence_id)}>
                Corregir<span className="sr-only"> la ausencia de {row.name}</span>
              </Button>
              <Button
                variant="quiet"
                size="small"
                loading={remove.isPending && remove.variables === row.instructor_absence_id}
                onClick={() => remove.mutate(row.instructor_absence_id)}
              >
                Quitar<span className="sr-only"> la ausencia de {row.name}</span>
              </Button>
            </li>
          ))}
        </ul>
      )}
      {adding && <AbsenceDialog today={today} of={coach} onClose={() => setAdding(false)} />}
      {changed && <AbsenceDialog today={today} of={changed} before={changed} onClose={() => setChanging(null)} />}
    </section>
  )
}

interface AbsenceDialogProps {
  today: LocalDate
  of: AbsencesProps['coach']
  /** the one that is corrected, as it is stored now; absent: a new one */
  before?: Absence
  onClose: () => void
}

interface AbsenceDraft {
  from: LocalDate
  to: LocalDate
  reason: string
}

const toDraft = ({ from, to, reason }: Absence): AbsenceDraft => ({ from, to, reason })

const valueTexts = (draft: AbsenceDraft) => ({ Días: daysText(draft), Motivo: draft.reason })

function AbsenceDialog({ today, of, before, onClose }: AbsenceDialogProps) {
  const [coach, setCoach] = useState(of ? String(of.instructor_id) : '')
  const edit = useVersionedEdit({
    stored: before ?? null,
    start: { from: today, to: today, reason: '' },
    toDraft,
    send({ reason, ...days }: AbsenceDraft, base: Absence | null, how) {
      const sent = { ...days, reason: reason.trim() }
      return base
        ? api.instructorAbsences.update({
            instructor_absence_id: base.instructor_absence_id,
            if_updatedAt: base.updatedAt,
            ...sent,
          })
        : api.instructorAbsences.add({ instructor_id: Number(coach), ...sent }, how)
    },
    reload: () => refresh(),
    async onSaved({ classes }) {
      await refresh()
      showAlert('success', classes === 0 ? 'Guardado.' : `Guardado. Clases suyas esos días: ${classes}.`)
      onClose()
    },
  })
  const { draft, setDraft, conflict } = edit
  const { from, to } = draft
  const set = (change: Partial<AbsenceDraft>) => setDraft((current) => ({ ...current, ...change }))
  const refresh = useHolidayRefresh()
  const coaches = useQuery({
    ...queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }),
    enabled: !of,
  })
  const problem = !coach
    ? 'Elige a una persona.'
    : !isLocalDate(from) || !isLocalDate(to) || to < from
      ? 'El último día no puede ser antes del primero.'
      : null
  return (
    <Dialog
      open
      onClose={edit.isSaving ? null : onClose}
      title={before ? 'Corregir ausencia' : 'Agregar ausencia'}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, volver
          </Button>
          <Button loading={edit.isSaving} reason={problem} onClick={() => !problem && edit.save()}>
            Guardar
          </Button>
        </>
      }
    >
      {edit.refusal && (
        <Banner tone="danger" live>
          {edit.refusal.message}
        </Banner>
      )}
      {of ? (
        <p className="strong">{of.name}</p>
      ) : (
        <Select label="Coach" value={coach} onChange={(event) => setCoach(event.currentTarget.value)}>
          <option value="">Elige a una persona</option>
          {coaches.data?.instructors.map((instructor) => (
            <option key={instructor.instructor_id} value={instructor.instructor_id}>
              {instructorName(instructor)}
            </option>
          ))}
        </Select>
      )}
      <div className="field-pair">
        <TextField
          label="Primer día"
          type="date"
          value={from}
          onChange={({ currentTarget: { value } }) => set({ from: value, ...(to < value ? { to: value } : {}) })}
        />
        <TextField label="Último día" type="date" value={to} onChange={(event) => set({ to: event.currentTarget.value })} />
      </div>
      <TextField
        label="Motivo"
        optional
        maxLength={200}
        value={draft.reason}
        onChange={(event) => set({ reason: event.currentTarget.value })}
      />
      {conflict && (
        <ConflictDialog title="Alguien más cambió esta ausencia" {...conflict}>
          <VersionsTable mergesRest fields={differingFields(conflict.theirs, conflict.mine, valueTexts)} />
        </ConflictDialog>
      )}
    </Dialog>
  )
}
