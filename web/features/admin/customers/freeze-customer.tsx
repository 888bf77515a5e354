import { useState } from 'react'
import { BulkDialog } from '#web/features/admin/bulk/bulk-dialog.tsx'
import { BulkJobDialog } from '#web/features/admin/bulk/bulk-job.tsx'

interface FreezeCustomerProps {
  customer_id: number
  action: 'credits.freeze' | 'credits.thaw'
  onDone: () => void
  onClose: () => void
}

/** Freezes or thaws all credits of a customer: a bulk job of one record, so with the same preview, audit and undo (C24). */
export function FreezeCustomer({ customer_id, action, onDone, onClose }: FreezeCustomerProps) {
  const [jobId, setJobId] = useState<number | null>(null)
  if (jobId !== null) return <BulkJobDialog job_id={jobId} onClose={onDone} />
  return <BulkDialog action={action} target={{ ids: [customer_id] }} count={1} onStarted={setJobId} onClose={onClose} />
}
