import * as z from 'zod'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { deliverToEndpoint, sweepWebhooks } from './deliveries.ts'
import { DELIVER_JOB } from './webhooks.ts'

export const integrationJobs: ModuleJob[] = [
  sentJob(DELIVER_JOB, z.object({ webhook_endpoint_id: z.int() }), deliverToEndpoint, 'webhooks'),
  scheduledJob('webhooks.sweep', '* * * * *', sweepWebhooks, 'upkeep'),
]
