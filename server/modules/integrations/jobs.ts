import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { deliverToEndpoint, sweepWebhooks } from './deliveries.ts'
import { DELIVER_JOB } from './webhooks.ts'

export const integrationJobs: ModuleJob[] = [
  on(DELIVER_JOB, z.object({ webhook_endpoint_id: z.int() }), deliverToEndpoint, 'webhooks'),
  every('webhooks.sweep', '* * * * *', sweepWebhooks, 'upkeep'),
]
