import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { issueCreditNotes } from './credit-notes.ts'
import { issueGlobals } from './global-invoices.ts'
import { recoverDocuments } from './stamping.ts'

export const fiscalJobs: ModuleJob[] = [
  every('fiscal.recover', '* * * * *', recoverDocuments, 'pac'),
  every('fiscal.credit_notes', '*/5 * * * *', issueCreditNotes, 'pac'),
  every('fiscal.global', '20 * * * *', issueGlobals, 'pac'),
]
