import * as z from 'zod'
import { ACCOUNT_DELETED_JOB } from '#server/adapters/identity/port.ts'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { leaveAccount, RECOVERY_JOB } from './people.ts'
import { deleteOldUndos } from './undo.ts'

export const peopleJobs: ModuleJob[] = [
  // The account is looked up in the job, so that the response time does not reveal whether it exists (P12).
  sentJob(RECOVERY_JOB, z.object({ email: z.string() }), (ctx, { email }) => ctx.ports.identity.sendPasswordLink(email), 'accounts'),
  scheduledJob('people.undo_sweep', '*/10 * * * *', deleteOldUndos, 'upkeep'),
  sentJob(ACCOUNT_DELETED_JOB, z.object({ uid: z.string() }), leaveAccount),
]
