/** Jobs of messages to many customers. Every job may run twice. */
import * as z from 'zod'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { sweepAutomations } from './automations.ts'
import { runBroadcast, sweepBroadcasts } from './broadcasts.ts'

export const broadcastJobs: ModuleJob[] = [
  sentJob('broadcasts.run', z.object({ broadcast_id: z.int() }), runBroadcast, 'upkeep'),
  scheduledJob('broadcasts.sweep', '* * * * *', sweepBroadcasts),
  scheduledJob('broadcasts.automations', '*/10 * * * *', sweepAutomations, 'upkeep'),
]
