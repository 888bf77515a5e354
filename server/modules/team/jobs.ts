import * as z from 'zod'
import { type ModuleJob, sentJob } from '#server/modules/module-job.ts'
import { deliverInvite, INVITE_EMAIL_JOB } from './invites.ts'

export const teamJobs: ModuleJob[] = [sentJob(INVITE_EMAIL_JOB, z.object({ staff_invite_id: z.int() }), deliverInvite, 'mail')]
