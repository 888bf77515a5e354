import { lazy, type ReactNode, Suspense, useState } from 'react'
import type { BulkAction, BulkSubject } from '#contract/bulk-actions.ts'
import type { Selection } from '#web/features/admin/table/selection.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { BulkVerbs } from './bulk-verbs.tsx'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))
const BulkJobDialog = lazy(async () => ({ default: (await import('./bulk-job.tsx')).BulkJobDialog }))

const DIALOGS = ['cambio'] as const

/** The menu of what can be done with the selected rows, and its dialogs; the job that runs is in the address (`cambio`). */
export function useBulk(subject: BulkSubject, selection: Selection, filter?: object): { verbs: ReactNode; dialogs: ReactNode } {
  const [action, setAction] = useState<BulkAction | null>(null)
  const { open, show, close } = useDialogParam(DIALOGS)
  return {
    verbs: <BulkVerbs subject={subject} onChoose={setAction} />,
    dialogs: (
      <Suspense>
        {action && (
          <BulkDialog
            action={action}
            target={selection.isAll && filter ? { filter } : { ids: [...selection.ids] }}
            count={selection.count}
            onStarted={(job_id) => {
              setAction(null)
              selection.clear()
              show('cambio', job_id)
            }}
            onClose={() => setAction(null)}
          />
        )}
        {open && <BulkJobDialog job_id={open.id} onClose={close} />}
      </Suspense>
    ),
  }
}
