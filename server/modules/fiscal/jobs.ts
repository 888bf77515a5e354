import * as z from 'zod'
import { type ModuleJob, scheduledJob, sentJob } from '#server/modules/module-job.ts'
import { readCancelled } from './cancelling.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { MAIL_JOB, notifyOfDocument, sendInvoice } from './notifications.ts'
import { recoverDocuments } from './recovering.ts'
import { NOTIFY_JOB } from './stamping.ts'

export const fiscalJobs: ModuleJob[] = [
  sentJob(NOTIFY_JOB, z.object({ fiscal_document_id: z.int(), event: z.enum(['issued', 'cancelled']) }), notifyOfDocument),
  sentJob(MAIL_JOB, z.object({ fiscal_document_id: z.int(), email: z.string(), id: z.string() }), sendInvoice, 'mail'),
  scheduledJob('fiscal.recover', '* * * * *', recoverDocuments, 'pac'),
  scheduledJob('fiscal.credit_notes', '*/5 * * * *', issueCreditNotes, 'pac'),
  scheduledJob('fiscal.cancelled', '50 * * * *', readCancelled, 'pac'),
  scheduledJob('fiscal.global', '20 * * * *', issueGlobals, 'pac'),
]
