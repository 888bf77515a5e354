import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useNavigate } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { BulkAction, BulkSubject } from '#contract/bulk-actions.ts'
import type { Selection } from '#web/features/admin/table/selection.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { type BulkTarget, BulkVerbs } from './bulk-verbs.tsx'

const BulkDialog = lazy(async () => ({ default: (await import('./bulk-dialog.tsx')).BulkDialog }))
const BulkJobDialog = lazy(async () => ({ default: (await import('./bulk-job.tsx')).BulkJobDialog }))

const DIALOGS = ['cambio'] as const

/** All that match the filter of the list, in the words of the call. */
const FILTERED: Readonly<Record<BulkSubject, (filter: object) => BulkTarget>> = {
  customer: (filter) => ({ filter }),
  reservation: (reservation_filter) => ({ reservation_filter }),
  purchase: (purchase_filter) => ({ purchase_filter }),
}

/** The menu of what can be done with the selected rows, and its dialogs; the job that runs is in the address (`cambio`). */
export function useBulk(subject: BulkSubject, selection: Selection, filter: object): { verbs: ReactNode; dialogs: ReactNode } {
  const [action, setAction] = useState<BulkAction | null>(null)
  const { open, show, close } = useDialogParam(DIALOGS)
  const navigate = useNavigate()
  // The people are in the history entry of the screen, not in its address, which cannot name thousands.
  const audience = selection.isAll ? { filter } : { customer_ids: [...selection.ids] }
  const write = () => void navigate(adminPaths.newBroadcast, { state: { audience, count: selection.count } })
  return {
    verbs: <BulkVerbs subject={subject} onChoose={setAction} onMessage={subject === 'customer' ? write : undefined} />,
    dialogs: (
      <Suspense>
        {action && (
          <BulkDialog
            action={action}
            target={selection.isAll ? FILTERED[subject](filter) : { ids: [...selection.ids] }}
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
