import { type ComponentProps, lazy, Suspense } from 'react'
import { addDays, type LocalDate } from '#contract/time.ts'
import { CopyWeek } from './copy-week.tsx'
import type FindClassesPanel from './find-classes.tsx'
import type { PlanRecords } from './plan-views.ts'
import { PublishDialog } from './publish-dialog.tsx'
import { publishLabel } from './timetable-text.ts'
import type { useTimetable } from './use-timetable.ts'

const FindClasses = lazy(() => import('./find-classes.tsx'))

/** `copy` copies the week on the screen, `copy-before` the one before it. */
export type ScheduleDialog = 'publish' | 'copy' | 'copy-before' | 'find'

interface ScheduleDialogsProps extends Pick<ComponentProps<typeof CopyWeek>, 'location_id' | 'saves_as'> {
  dialog: ScheduleDialog | null
  table: Pick<ReturnType<typeof useTimetable>, 'monday' | 'filters' | 'find' | 'closeFind'>
  canEdit: boolean
  drafts: number
  records: PlanRecords
  types: ComponentProps<typeof FindClassesPanel>['types']
  today: LocalDate
  onSelect: ComponentProps<typeof FindClassesPanel>['onSelect']
  onClose: () => void
}

/** The dialogs about the whole week; the selection of classes opens by the address too. */
export function ScheduleDialogs(props: ScheduleDialogsProps) {
  const { dialog, table, canEdit, drafts, location_id, saves_as, records, types, today, onSelect, onClose } = props
  const { monday, filters } = table
  const closeFind = () => {
    onClose()
    if (table.find) table.closeFind()
  }
  return (
    <>
      {dialog === 'publish' && (
        <PublishDialog
          title="Publicar cambios"
          yes={publishLabel(drafts)}
          changes="drafts"
          done={() => 'Cambios publicados.'}
          onDone={onClose}
          onClose={onClose}
        />
      )}
      {canEdit && (dialog === 'find' || table.find) && (
        <Suspense>
          <FindClasses
            key={JSON.stringify([table.find, filters])}
            records={records}
            types={types}
            filters={filters}
            start={table.find}
            monday={monday}
            today={today}
            onSelect={(classes) => {
              closeFind()
              onSelect(classes)
            }}
            onClose={closeFind}
          />
        </Suspense>
      )}
      {(dialog === 'copy' || dialog === 'copy-before') && (
        <CopyWeek
          monday={dialog === 'copy' ? monday : addDays(monday, -7)}
          location_id={location_id}
          saves_as={saves_as}
          onClose={onClose}
        />
      )}
    </>
  )
}
