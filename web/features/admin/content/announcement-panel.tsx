import '#web/features/admin/frame/record-editor.css'
import './page.css'
import { useMutation, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { ConflictDialog, VersionsTable } from '#web/features/admin/frame/conflict-dialog.tsx'
import { RemoveDialog } from '#web/features/admin/frame/remove-dialog.tsx'
import { useVersionedEdit } from '#web/features/admin/frame/use-versioned-edit.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { ConfirmDialog } from '#web/ui/dialog.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'
import {
  type AnnouncementDraft,
  announcementProblems,
  draftOfAnnouncement,
  NEW_ANNOUNCEMENT,
  type StaffAnnouncement,
  toRequest,
} from './announcement-draft.ts'
import { PagePreview } from './page-preview.tsx'

const FIELDS = [
  ['Título', ({ title }) => title],
  [
    'Texto',
    ({ content }) =>
      content
        .replace(/<[^>]*>/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
  ],
  ['Fijo', ({ pinned }) => (pinned ? 'Sí' : 'No')],
  ['Desde', ({ from }) => from.replace('T', ', ')],
  ['Hasta', ({ until }) => until.replace('T', ', ')],
  ['Estudios', ({ location_ids }) => (location_ids.length === 0 ? 'Todos' : String(location_ids.length))],
] as const satisfies readonly (readonly [label: string, valueText: (draft: AnnouncementDraft) => string])[]

const changedFields = (theirs: AnnouncementDraft, mine: AnnouncementDraft) =>
  FIELDS.map(([label, valueText]) => ({ label, theirs: valueText(theirs), mine: valueText(mine) })).filter(
    (field) => field.theirs !== field.mine,
  )

const HtmlEditor = lazy(() => import('./html-editor.tsx'))

interface AnnouncementPanelProps {
  /** null: a new one */
  announcement: StaffAnnouncement | null
  onChanged: () => Promise<unknown>
  onClose: () => void
}

/** One announcement: its title and text, and its removal. */
export function AnnouncementPanel({ announcement, onChanged, onClose }: AnnouncementPanelProps) {
  const { zone } = useSite()
  const [checked, setChecked] = useState(false)
  const [asking, setAsking] = useState<'remove' | 'leave' | null>(null)
  const done = async (message: string) => {
    await onChanged()
    showAlert('success', message)
    onClose()
  }
  const edit = useVersionedEdit({
    stored: announcement,
    start: NEW_ANNOUNCEMENT,
    toDraft: (stored) => draftOfAnnouncement(stored, zone),
    send: (typed: AnnouncementDraft, from: StaffAnnouncement | null, how) =>
      from
        ? api.content.admin.announcements.update({
            announcement_id: from.announcement_id,
            if_updatedAt: from.updatedAt,
            ...toRequest(typed, zone),
          })
        : api.content.admin.announcements.create(toRequest(typed, zone), how),
    reload: onChanged,
    onSaved: () => done(success.announcementSaved),
  })
  const { before, draft, setDraft, isChanged, conflict } = edit
  const set = (change: Partial<AnnouncementDraft>) => setDraft((current) => ({ ...current, ...change }))
  const problems = announcementProblems(draft)
  const remove = useMutation({
    meta: { handled: true },
    mutationFn: () => api.content.admin.announcements.remove({ announcement_id: announcement?.announcement_id ?? 0 }),
    onSuccess: () => done(success.announcementDeleted),
    onSettled: () => setAsking(null),
  })
  const refused = edit.refusal ?? (remove.error ? toFailure(remove.error) : null)
  const submit = () => {
    setChecked(true)
    if (Object.keys(problems).length === 0) edit.save()
  }
  const heading = announcement ? 'Aviso' : 'Nuevo aviso'
  return (
    <Drawer
      open
      side="right"
      label={heading}
      closeLabel="Cerrar"
      onClose={() => (isChanged ? setAsking('leave') : onClose())}
      head={<h2 className="t3">{heading}</h2>}
      foot={
        <div className="panel-foot">
          {announcement && (
            <Button variant="danger-quiet" onClick={() => setAsking('remove')}>
              Eliminar
            </Button>
          )}
          <Button loading={edit.isSaving} reason={announcement && !isChanged ? 'Sin cambios.' : null} onClick={submit}>
            Guardar
          </Button>
        </div>
      }
    >
      {conflict && (
        <ConflictDialog title="Alguien más cambió este aviso" {...conflict}>
          <VersionsTable fields={changedFields(conflict.theirs, conflict.mine)} mergesRest />
        </ConflictDialog>
      )}
      <div className="record-panel">
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <AnnouncementFields draft={draft} start={before.content} problems={checked ? problems : {}} onChange={set} />
      </div>
      <RemoveDialog open={asking === 'remove'} remove={() => remove.mutateAsync()} onClose={() => setAsking(null)}>
        ¿Quieres eliminar “{before.title}”?
      </RemoveDialog>
      <ConfirmDialog
        open={asking === 'leave'}
        yes="Salir sin guardar"
        no="Seguir aquí"
        onClose={() => setAsking(null)}
        onConfirm={async () => onClose()}
      >
        Hay cambios sin guardar. ¿Quieres salir y perderlos?
      </ConfirmDialog>
    </Drawer>
  )
}

interface AnnouncementFieldsProps {
  draft: AnnouncementDraft
  /** the stored text, from which the editor starts */
  start: string
  /** by field, once they are shown */
  problems: ReturnType<typeof announcementProblems>
  onChange: (change: Partial<AnnouncementDraft>) => void
}

function AnnouncementFields({ draft, start, problems, onChange }: AnnouncementFieldsProps) {
  const locations = useQuery(queries.catalogue.locations.queryOptions({ meta: { handled: true } })).data?.locations ?? []
  return (
    <>
      <TextField
        label="Título"
        maxLength={200}
        error={problems.title}
        value={draft.title}
        onChange={(event) => onChange({ title: event.currentTarget.value })}
      />
      <Suspense fallback={<ListSkeleton rows={3} />}>
        <HtmlEditor label="Texto del aviso" start={start} error={problems.content} onChange={(content) => onChange({ content })} />
      </Suspense>
      {draft.content.trim() !== '' && <PagePreview kind="announcement" title={draft.title} content={draft.content} isDocument={false} />}
      <Switch checked={draft.pinned} hint="Va antes que los demás." onChange={(event) => onChange({ pinned: event.currentTarget.checked })}>
        Fijado
      </Switch>
      <div className="record-pair">
        <TextField
          label="Se muestra desde"
          type="datetime-local"
          optional
          hint="Vacío: desde ahora."
          value={draft.from}
          onChange={(event) => onChange({ from: event.currentTarget.value })}
        />
        <TextField
          label="Hasta"
          type="datetime-local"
          optional
          hint="Vacío: hasta que lo quites."
          error={problems.until}
          value={draft.until}
          onChange={(event) => onChange({ until: event.currentTarget.value })}
        />
      </div>
      {locations.length > 1 && (
        <fieldset className="announcement-places">
          <legend className="field-label">De qué estudios trata</legend>
          {locations.map(({ location_id, name }) => (
            <Checkbox
              key={location_id}
              checked={draft.location_ids.includes(location_id)}
              onChange={({ currentTarget: { checked: on } }) =>
                onChange({
                  location_ids: on ? [...draft.location_ids, location_id] : draft.location_ids.filter((id) => id !== location_id),
                })
              }
            >
              {name}
            </Checkbox>
          ))}
          <p className="field-hint">Sin marcar ninguno: de todos.</p>
        </fieldset>
      )}
    </>
  )
}
