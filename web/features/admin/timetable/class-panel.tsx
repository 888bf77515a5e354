import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClassChange, PlannedClass } from '#contract/studio-schedule.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { SCOPES, type Scope } from './cancel-class.tsx'
import { ClassActions } from './class-actions.tsx'
import { ClassFields, type ClassRecords } from './class-fields.tsx'
import { type ClassForm, type FormField, startedForm, toChange, toCreation, toForm, validateForm } from './class-form.ts'
import { ClassRepeats } from './class-repeats.tsx'
import { ClassSummary } from './class-summary.tsx'
import type { NewClassLink } from './new-class-link.ts'
import { type ClassDialog, OpenClassDialog } from './open-class-dialog.tsx'
import { type ProposedChange, proposalText, withProposal } from './proposed-change.ts'
import { SeriesCard } from './series-card.tsx'
import { useTimetableRefresh } from './use-timetable.ts'

interface ClassPanelProps {
  /** The class that is changed; null: a new one at `at`. */
  cls: PlannedClass | null
  at: { day: string; hour: string } & Partial<NewClassLink>
  location_id: number | null
  saves_as: 'draft' | 'publish'
  canEdit: boolean
  /** Begins with the dialog that cancels the class. */
  cancels?: boolean
  /** A change that a link proposes; nothing changes before it is saved. */
  proposed?: ProposedChange | null
  onClose: () => void
}

/** One class of the timetable: all its fields and its conflicts. */
export function ClassPanel(props: ClassPanelProps) {
  const types = useQuery(queries.catalogue.classTypes.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const locations = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const rooms = useQuery(queries.rooms.list.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const { cls, onClose } = props
  const title = cls ? cls.class_type.name : 'Nueva clase'
  const ready = types.data && locations.data && coaches.data && rooms.data
  return (
    <Drawer open side="right" label={title} closeLabel="Cerrar" onClose={onClose} head={<h2 className="t3">{title}</h2>}>
      {ready && (
        <ClassEditor
          key={cls ? `${cls.single_class_id} ${cls.class_draft_id}` : `${props.at.day} ${props.at.hour} ${props.at.class_type_id ?? ''}`}
          {...props}
          types={types.data.class_types}
          locations={locations.data.locations}
          coaches={coaches.data.instructors}
          rooms={rooms.data.rooms}
        />
      )}
    </Drawer>
  )
}

function ClassEditor({
  cls,
  at,
  location_id,
  saves_as,
  canEdit,
  cancels = false,
  proposed: linked = null,
  onClose,
  types,
  locations,
  coaches,
  rooms,
}: ClassPanelProps & ClassRecords) {
  const onlyLocation = locations.length === 1 ? (locations[0]?.location_id ?? null) : null
  const locked = !canEdit || cls?.state === 'past' || cls?.state === 'cancelled'
  const proposed = cls === null || locked ? null : linked
  const [form, setForm] = useState<ClassForm>(() => {
    if (cls) return withProposal(toForm(cls), proposed, rooms)
    return startedForm(at, { types, rooms, location_ids: locations.map((location) => location.location_id) }, location_id ?? onlyLocation)
  })
  const [scope, setScope] = useState<Scope>(proposed && cls?.class_series_id ? 'following' : 'one')
  const [shown, setShown] = useState(false)
  const refresh = useTimetableRefresh()
  const set = (changes: Partial<ClassForm>) => setForm((before) => ({ ...before, ...changes }))
  const problems = validateForm(form)
  const wrong = (field: FormField) => (shown ? problems[field] : undefined)
  const isNew = cls === null || cls.single_class_id === null
  const change = isNew ? toCreation(form, cls) : toChange(cls, form, scope)
  const [dialog, setDialog] = useState<ClassDialog | null>(cancels && !isNew && !locked ? 'cancel' : null)

  const saveDraft = useIdempotentMutation(
    (changes: ClassChange[], { context }) => api.studioSchedule.change({ changes, as: 'draft' }, { context }),
    {
      async onSuccess() {
        await refresh()
        showAlert('success', 'Guardado. Falta publicarlo.')
        onClose()
      },
      onError: () => undefined,
    },
  )
  const discard = useIdempotentMutation(
    (class_draft_id: number, { context }) => api.studioSchedule.discard({ class_draft_id }, { context }),
    {
      async onSuccess() {
        await refresh()
        showAlert('success', 'Se descartaron los cambios.')
        onClose()
      },
      onError: () => undefined,
    },
  )
  const save = () => {
    setShown(true)
    if (Object.keys(problems).length > 0 || !change) return
    if (saves_as === 'draft') saveDraft.mutate([change])
    else setDialog('publish')
  }
  const failure = saveDraft.error ?? discard.error
  return (
    <div className="record-panel">
      {cls && <ClassSummary cls={cls} onRules={() => setDialog('rules')} />}
      {proposed && <Banner>{proposalText(form, proposed, rooms)}</Banner>}
      {failure && (
        <Banner tone="danger" live>
          {toFailure(failure).message}
        </Banner>
      )}
      <ClassFields
        form={form}
        set={set}
        wrong={wrong}
        cls={cls}
        locked={locked}
        types={types}
        locations={locations}
        coaches={coaches}
        rooms={rooms}
        markedMinutes={at.minutes}
        focusesHour={proposed?.kind === 'hour'}
      >
        {isNew && <ClassRepeats form={form} set={set} wrong={wrong} />}
        {!isNew && cls.class_series_id !== null && !locked && (
          <RadioCards legend="Qué clases cambian" options={SCOPES} value={scope} onChange={setScope} />
        )}
      </ClassFields>
      {!isNew && cls.class_series_id !== null && canEdit && <SeriesCard class_series_id={cls.class_series_id} onDone={onClose} />}
      {canEdit && (
        <ClassActions
          cls={cls}
          isNew={isNew}
          locked={locked}
          isChanged={change !== null}
          saving={saveDraft.isPending}
          onSave={save}
          discarding={discard.isPending}
          onDiscard={discard.mutate}
          onOpen={setDialog}
        />
      )}
      {dialog && (
        <OpenClassDialog dialog={dialog} cls={cls} change={change} scope={scope} onDone={onClose} onClose={() => setDialog(null)} />
      )}
    </div>
  )
}
