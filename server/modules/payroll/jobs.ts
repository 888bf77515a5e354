/** Jobs of the payroll. Every job may run twice. */
import * as z from 'zod'
import { type ModuleJob, sentJob } from '#server/modules/module-job.ts'
import { notifyApproved } from './approved-email.ts'

export const payrollJobs: ModuleJob[] = [sentJob('payroll-approved', z.object({ payroll_period_id: z.int() }), notifyApproved)]
