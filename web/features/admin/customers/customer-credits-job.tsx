import { useState } from 'react'
import { BulkDialog } from '#web/features/admin/bulk/bulk-dialog.tsx'
import { BulkJobDialog } from '#web/features/admin/bulk/bulk-job.tsx'

/** What is done with the credits of one customer as with those of many. */
export type CreditsAction = 'credits.give' | 'credits.freeze' | 'credits.thaw'

interface CustomerCreditsJobProps {
  customer_id: number
  action: CreditsAction
  onDone: () => void
  onClose: () => void
}

/**
 * Gives credits to a customer, or freezes or thaws all of them: a bulk job of one record, so with the same preview, audit and undo (C24).
 */
export function CustomerCreditsJob({ customer_id, action, onDone, onClose }: CustomerCreditsJobProps) {
  const [jobId, setJobId] = useState<number | null>(null)
  if (jobId !== null) return <BulkJobDialog job_id={jobId} onClose={onDone} />
  return <BulkDialog action={action} target={{ ids: [customer_id] }} count={1} onStarted={setJobId} onClose={onClose} />
}
