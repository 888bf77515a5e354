/**
 * The queues of a studio, one per thing that work waits for: whatever hangs holds up its own queue only (server/platform/jobs.ts).
 * Every outside call gives up well before its queue's time is over.
 */
import type { QueueOptions } from '#server/platform/jobs.ts'

/** Mail servers and Google may be away for hours: twelve tries in about three hours. */
const PATIENT = { retries: 12, longestPauseSeconds: 3_600 }

/** Gateways of the studio itself: money at the counter, which only the database knows. */
const OWN = ['efectivo', 'mostrador']

/** The queue of what a job asks one processor. */
export const processorQueue = (gateway: string): string => (OWN.includes(gateway) ? 'estudio' : `processor-${gateway}`)

/** The same, for jobs whose data say which processor: `{ gateway }`. */
export const byGateway = (data: unknown): string => processorQueue(String((data as { gateway?: unknown }).gateway))

/** The queues of a studio with these processors. */
export function queuesOf(gateways: Iterable<string>): [QueueOptions, ...QueueOptions[]] {
  return [
    // The database alone: places, money that is here already, deciding who is told what. The first queue's name is older than the others.
    { name: 'estudio', workers: 3, timeoutSeconds: 120 },
    { name: 'mail', workers: 3, timeoutSeconds: 60, ...PATIENT },
    { name: 'whatsapp', workers: 3, timeoutSeconds: 30 },
    // The identity service, where it is somebody else's.
    { name: 'accounts', workers: 1, timeoutSeconds: 30, ...PATIENT },
    ...[...new Set(gateways)]
      .filter((gateway) => processorQueue(gateway) !== 'estudio')
      .map((gateway) => ({ name: processorQueue(gateway), workers: 2, timeoutSeconds: 150 })),
    // Comparing the books with a processor's reads lists page by page.
    { name: 'books', workers: 2, timeoutSeconds: 900, retries: 1 },
    // What may wait: old rows, files in a bucket.
    { name: 'upkeep', workers: 2, timeoutSeconds: 600 },
  ]
}
