/**
 * The queues of a studio, one per external resource: a resource that hangs delays its own queue only (server/platform/jobs.ts).
 * Every external call times out well before its queue's time limit.
 */
import type { QueueOptions } from '#server/platform/job-types.ts'

/** Mail servers and Google may be unavailable for hours: twelve attempts in about three hours. */
const PATIENT = { retries: 12, longestPauseSeconds: 3_600 }

/** Gateways that only need the studio's database: money at the counter. */
const OWN = ['efectivo', 'mostrador', 'regalo']

/** The queue of jobs that call one processor. */
export const processorQueue = (gateway: string): string => (OWN.includes(gateway) ? 'estudio' : `processor-${gateway}`)

/** The same, for jobs whose data name the processor: `{ gateway }`. */
export const byGateway = (data: unknown): string => processorQueue(String((data as { gateway?: unknown }).gateway))

/** The queues of a studio with these processors. `mailsAtOnce`: how many mails a worker takes at once. */
export function queuesOf(gateways: Iterable<string>, { mailsAtOnce }: { mailsAtOnce: number }): [QueueOptions, ...QueueOptions[]] {
  return [
    // Jobs that need only the database: reservations, processing of payments, choosing recipients. The first queue's name is older than the
    // others.
    { name: 'estudio', workers: 3, timeoutSeconds: 120 },
    // Messages about what happens hundreds of times a minute when a week opens: written many at once.
    { name: 'messages', workers: 2, batch: 50, timeoutSeconds: 60 },
    { name: 'mail', workers: 3, batch: mailsAtOnce, timeoutSeconds: 60, ...PATIENT },
    { name: 'whatsapp', workers: 3, timeoutSeconds: 30 },
    // Push services of browsers: any of them may be slow or down.
    { name: 'push', workers: 3, batch: 20, timeoutSeconds: 30 },
    // Addresses of the owner: any of them may be slow or down.
    { name: 'webhooks', workers: 3, timeoutSeconds: 90, retries: 2 },
    // Imports of whole customer lists: a job that runs out of time resumes in its next attempt.
    { name: 'imports', workers: 1, timeoutSeconds: 600, retries: 50, longestPauseSeconds: 60 },
    // Exports of the whole studio, which begin again in each attempt.
    { name: 'exports', workers: 1, timeoutSeconds: 3_600, retries: 5 },
    // Calls to the identity service, where it is Google's.
    { name: 'accounts', workers: 1, timeoutSeconds: 30, ...PATIENT },
    ...[...new Set(gateways)]
      .filter((gateway) => processorQueue(gateway) !== 'estudio')
      // The sandbox is in the studio's own database: no call of it waits for another machine, so one job holds up no other.
      .map((gateway) => ({ name: processorQueue(gateway), workers: 2, batch: gateway === 'sandbox' ? 20 : 1, timeoutSeconds: 150 })),
    // Calls to the stamping provider (PAC).
    { name: 'pac', workers: 1, timeoutSeconds: 300 },
    // Reconciliation with a processor reads lists page by page.
    { name: 'books', workers: 2, timeoutSeconds: 900, retries: 1 },
    // Work that is not urgent: deleting old rows and files in a bucket.
    { name: 'upkeep', workers: 2, timeoutSeconds: 600 },
  ]
}
