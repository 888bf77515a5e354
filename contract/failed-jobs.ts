/** Work of the studio that failed for good: nobody will try it again unless somebody says so. For the owner. */
import * as z from 'zod'
import { endpoint, id, instant, pageNumber, pathId, refusals, singleLine } from './endpoint.ts'

/** Failed jobs per page. */
export const FAILED_JOBS_PER_PAGE = 50

export const failedJob = z.object({
  failed_job_id: id,
  /** What was to be done, as the program calls it: `sales.receipt`, `messages.deliver`. */
  job: z.string(),
  /** What it waited for: `mail`, `processor-stripe`; `estudio` is the studio's own database. */
  queue: z.string(),
  /** The ids that it is about, by name: `{ "purchase_id": 7 }`. Never what it carried beside them. */
  about: z.record(z.string(), z.number()),
  /** Why the last attempt failed. */
  error: z.string(),
  attempts: z.int(),
  failedAt: instant,
  closedAt: instant.nullable(),
  /** `retry`: it was sent again; `staff`: somebody looked into it. */
  closed_by: z.enum(['retry', 'staff']).nullable(),
})
export type FailedJob = z.infer<typeof failedJob>

const one = z.object({ failed_job: failedJob })

export const failedJobs = {
  /** Open ones first, newest first. `open`: how many nobody has dealt with. */
  list: endpoint('GET', '/admin/failed_jobs', 'staff:settings.edit', 'Operación', 'Trabajos que fallaron')
    .input(z.object({ page: pageNumber.default(1) }))
    .output(z.object({ failed_jobs: z.array(failedJob), total: z.int(), open: z.int() })),
  /** Sends it again, with all its attempts. One that is closed already stays as it is: NOT_FOUND. */
  retry: endpoint(
    'POST',
    '/admin/failed_jobs/{failed_job_id}/retry',
    'staff:settings.edit',
    'Operación',
    'Intentar de nuevo un trabajo que falló',
  )
    .input(z.object({ failed_job_id: pathId }))
    .errors(refusals('NOT_FOUND'))
    .output(one),
  /** Somebody looked into it and settled it by hand. */
  close: endpoint('POST', '/admin/failed_jobs/{failed_job_id}/close', 'staff:settings.edit', 'Operación', 'Cerrar un trabajo que falló')
    .input(z.object({ failed_job_id: pathId, reason: singleLine(500).min(1) }))
    .errors(refusals('NOT_FOUND'))
    .output(one),
}
