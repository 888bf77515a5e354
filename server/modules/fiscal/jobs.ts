import * as z from 'zod'
import { every, type ModuleJob, on } from '#server/modules/module-job.ts'
import { readCancelled } from './cancelling.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { MAIL_JOB, notifyOfDocument, sendInvoice } from './notifications.ts'
import { recoverDocuments } from './recovering.ts'
import { NOTIFY_JOB } from './stamping.ts'

export const fiscalJobs: ModuleJob[] = [
  on(NOTIFY_JOB, z.object({ fiscal_document_id: z.int(), event: z.enum(['issued', 'cancelled']) }), notifyOfDocument),
  on(MAIL_JOB, z.object({ fiscal_document_id: z.int(), email: z.string(), id: z.string() }), sendInvoice, 'mail'),
  every('fiscal.recover', '* * * * *', recoverDocuments, 'pac'),
  every('fiscal.credit_notes', '*/5 * * * *', issueCreditNotes, 'pac'),
  every('fiscal.cancelled', '50 * * * *', readCancelled, 'pac'),
  every('fiscal.global', '20 * * * *', issueGlobals, 'pac'),
]
