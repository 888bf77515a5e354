import '#web/features/admin/catalogue/coach.css'
import { IconArchive, IconExternalLink } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense } from 'react'
import { useParams } from 'react-router'
import { instructorFullName, instructorName } from '#contract/copy/instructor-names.ts'
import { paths } from '#contract/paths.ts'
import { CoachCards } from '#web/features/admin/catalogue/coach-cards.tsx'
import { CoachPreview } from '#web/features/admin/catalogue/coach-preview.tsx'
import { PhotoField } from '#web/features/admin/catalogue/photo-field.tsx'
import { RecordField } from '#web/features/admin/catalogue/record-panel.tsx'
import { RecordUses } from '#web/features/admin/catalogue/record-uses.tsx'
import { allValues, COACHES, type Coach, toPreview, useCoachEdit } from '#web/features/admin/catalogue/use-coach-edit.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { LeaveGuard } from '#web/features/admin/frame/leave-guard.tsx'
import { NoRecord, SaveBar } from '#web/features/admin/frame/record-editor.tsx'
import { CoachPayCard } from '#web/features/admin/payroll/coach-pay-card.tsx'
import { queries } from '#web/lib/api.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

const RecordConflict = lazy(() => import('#web/features/admin/catalogue/record-conflict.tsx'))

export const handle: AdminHandle = { title: 'Coach', detail: true, edits: true }

/** One coach: the profile as the site shows it, the photo, absences, classes, substitutions, pay and access. */
export default function CoachScreen() {
  const { instructor_id } = useParams()
  const query = useQuery(queries.catalogue.admin.instructors.all.queryOptions({ meta: { handled: true } }))
  const coach = query.data?.instructors.find((instructor) => String(instructor.instructor_id) === instructor_id)
  if (coach) return <Editor key={coach.instructor_id} coach={coach} />
  return <NoRecord title="Coach" query={query} failed="No pudimos cargar al coach." missing="Ese coach ya no existe." />
}

function Editor({ coach }: { coach: Coach }) {
  const { instructor_id } = coach
  const edit = useCoachEdit(coach)
  const { draft, refused, conflict, archive } = edit
  const name = instructorName(coach)
  return (
    <div className="record-editor">
      <div>
        <ScreenHead title={instructorFullName(coach)}>
          {coach.archived && <Badge tone="neutral">Archivado</Badge>}
          {!coach.archived && (
            <Button
              as="a"
              href={paths.instructor(instructor_id)}
              target="_blank"
              rel="noopener"
              variant="outline"
              icon={<IconExternalLink className="icon" aria-hidden="true" />}
            >
              Ver en el sitio
            </Button>
          )}
          <Button
            variant="outline"
            icon={<IconArchive className="icon" aria-hidden="true" />}
            loading={archive.isPending}
            onClick={() => archive.mutate(!coach.archived)}
          >
            {coach.archived ? 'Recuperar' : 'Archivar'}
          </Button>
        </ScreenHead>
        {refused && (
          <Banner tone="danger" live>
            {refused.message}
          </Banner>
        )}
        <section className="coach-form" aria-label="Perfil">
          <PhotoField value={draft.photo} onChange={edit.setPhoto} />
          {edit.fields.map((field) => (
            <RecordField
              key={field.key}
              field={field}
              value={draft.values[field.key] ?? ''}
              error={edit.problemOf(field.key)}
              onChange={(value) => edit.setValue(field.key, value)}
            />
          ))}
        </section>
        <SaveBar isChanged={edit.isChanged} saving={edit.isSaving} onSave={edit.submit} onDiscard={edit.discard}>
          {edit.isChanged ? 'Hay cambios sin guardar.' : ' '}
        </SaveBar>
      </div>
      <aside className="record-aside coach-aside" aria-label={`Lo demás de ${name}`}>
        <CoachPreview coach={toPreview(instructor_id, draft)} />
        <CoachCards instructor_id={instructor_id} name={name} pay={<CoachPayCard instructor_id={instructor_id} />} />
        <RecordUses list={COACHES} id={instructor_id} />
      </aside>
      {conflict && (
        <Suspense>
          <RecordConflict list={COACHES} {...conflict} theirs={allValues(conflict.theirs)} mine={allValues(conflict.mine)} />
        </Suspense>
      )}
      <LeaveGuard when={edit.isChanged && !edit.isSaving} />
    </div>
  )
}
