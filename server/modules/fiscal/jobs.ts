import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { readCancelled, recoverDocuments } from './stamping.ts'

export const fiscalJobs: ModuleJob[] = [
  every('fiscal.recover', '* * * * *', recoverDocuments, 'pac'),
  every('fiscal.credit_notes', '*/5 * * * *', issueCreditNotes, 'pac'),
  every('fiscal.cancelled', '50 * * * *', readCancelled, 'pac'),
  every('fiscal.global', '20 * * * *', issueGlobals, 'pac'),
]
