/** Jobs that failed for good: they are retried only on request of staff. For staff with the right `settings.edit`. */
import * as z from 'zod'
import { endpoint, id, instant, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'

/** Failed jobs per page. */
export const FAILED_JOBS_PER_PAGE = 50

export const failedJob = z.object({
  failed_job_id: id,
  /** The job's name: `sales.receipt`, `messages.deliver`. */
  job: z.string(),
  /** The queue, named after what its jobs depend on: `mail`, `processor-stripe`; `estudio` is the studio's own database. */
  queue: z.string(),
  /** Ids in the job's data, by name: `{ "purchase_id": 7 }`. No other data of the job. */
  about: z.record(z.string(), z.number()),
  /** Why the last attempt failed. */
  error: z.string(),
  attempts: z.int(),
  failedAt: instant,
  closedAt: instant.nullable(),
  /** `retry`: it was sent again; `staff`: closed by hand. */
  closed_by: z.enum(['retry', 'staff']).nullable(),
})
export type FailedJob = z.infer<typeof failedJob>

const failedJobOutput = z.object({ failed_job: failedJob })

export const failedJobs = {
  /** Open ones first, then newest first. `open`: number of open ones. */
  list: endpoint('GET', '/admin/failed_jobs', 'staff:settings.edit', 'Operación', 'Trabajos que fallaron')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(z.object({ failed_jobs: z.array(failedJob), total: z.int(), open: z.int() })),
  /** Sends the job again with a full set of attempts. NOT_FOUND when the record is closed already. */
  retry: endpoint(
    'POST',
    '/admin/failed_jobs/{failed_job_id}/retry',
    'staff:settings.edit',
    'Operación',
    'Intentar de nuevo un trabajo que falló',
  )
    .input(z.object({ failed_job_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(failedJobOutput),
  /** Closes the record: it was resolved by hand. */
  close: endpoint('POST', '/admin/failed_jobs/{failed_job_id}/close', 'staff:settings.edit', 'Operación', 'Cerrar un trabajo que falló')
    .input(z.object({ failed_job_id: pathId, reason: singleLine(500).min(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(failedJobOutput),
}
