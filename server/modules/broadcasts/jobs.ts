/** Jobs of messages to many customers. Every job may run twice. */
import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { sweepAutomations } from './automations.ts'
import { runBroadcast, sweepBroadcasts } from './broadcasts.ts'

export const broadcastJobs: ModuleJob[] = [
  on('broadcasts.run', z.object({ broadcast_id: z.int() }), runBroadcast, 'upkeep'),
  every('broadcasts.sweep', '* * * * *', sweepBroadcasts),
  every('broadcasts.automations', '*/10 * * * *', sweepAutomations, 'upkeep'),
]
