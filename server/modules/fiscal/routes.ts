import type { FastifyInstance, FastifyRequest } from 'fastify'
import { refuse } from '#contract/errors.ts'
import { monthOfInvoices } from '#contract/fiscal.ts'
import { api } from '#server/modules/api.ts'
import { type Ctx, whyNotAllowed } from '#server/modules/ctx.ts'
import { unknownFields } from '#server/platform/unknown-fields.ts'
import { readSetup, saveCertificate } from './certificates.ts'
import {
  cancelInvoice,
  fiscalOfPurchase,
  invoiceXml,
  issueInvoice,
  issueMyInvoice,
  listFiscalDocuments,
  myFiscal,
  myInvoiceXml,
} from './fiscal.ts'
import { invoicePdf, myInvoicePdf } from './invoice-files.ts'
import { monthFile, openMonth } from './month-export.ts'
import { mailInvoice } from './notifications.ts'
import { checkFiscalProvider, fiscalProviderState, saveFiscalKeys } from './provider-keys.ts'
import { giveUpInvoice } from './recovering.ts'

export const fiscalRoutes = {
  ofPurchase: api.fiscal.ofPurchase.handler(({ context, input }) => fiscalOfPurchase(context.ctx, input)),
  issue: api.fiscal.issue.handler(({ context, input }) => issueInvoice(context.ctx, input)),
  list: api.fiscal.list.handler(({ context, input }) => listFiscalDocuments(context.ctx, input)),
  cancel: api.fiscal.cancel.handler(({ context, input }) => cancelInvoice(context.ctx, input)),
  giveUp: api.fiscal.giveUp.handler(({ context, input }) => giveUpInvoice(context.ctx, input)),
  xml: api.fiscal.xml.handler(({ context, input }) => invoiceXml(context.ctx, input)),
  pdf: api.fiscal.pdf.handler(({ context, input }) => invoicePdf(context.ctx, input)),
  mail: api.fiscal.mail.handler(({ context, input }) => mailInvoice(context.ctx, input)),
  month: api.fiscal.month.handler(({ context, input }) => monthFile(context.ctx, input)),
  setup: api.fiscal.setup.handler(({ context }) => readSetup(context.ctx)),
  saveCertificate: api.fiscal.saveCertificate.handler(({ context, input }) => saveCertificate(context.ctx, input)),
  mine: api.fiscal.mine.handler(({ context, input }) => myFiscal(context.ctx, input)),
  issueMine: api.fiscal.issueMine.handler(({ context, input }) => issueMyInvoice(context.ctx, input)),
  myXml: api.fiscal.myXml.handler(({ context, input }) => myInvoiceXml(context.ctx, input)),
  myPdf: api.fiscal.myPdf.handler(({ context, input }) => myInvoicePdf(context.ctx, input)),
}

export const fiscalProviderRoutes = {
  read: api.fiscalProvider.read.handler(({ context }) => fiscalProviderState(context.ctx)),
  saveKeys: api.fiscalProvider.saveKeys.handler(async ({ context, input }) => {
    await saveFiscalKeys(context.ctx, input)
    return fiscalProviderState(context.ctx)
  }),
  check: api.fiscalProvider.check.handler(({ context }) => checkFiscalProvider(context.ctx)),
}

/** `GET /api/admin/exports/fiscal_documents`: the archive may be larger than memory, so it leaves while it is made. */
export function registerInvoiceArchives(app: FastifyInstance, open: (req: FastifyRequest) => Promise<Ctx>): void {
  // A HEAD would generate the whole archive and discard it.
  app.get('/api/admin/exports/fiscal_documents', { exposeHeadRoute: false }, async (req, reply) => {
    const ctx = await open(req)
    const no = whyNotAllowed('staff:sales.invoice', ctx.actor)
    if (no) throw no
    const unknown = unknownFields(monthOfInvoices, req.query).map((path) => ({ path, message: 'Este campo no existe.' }))
    if (unknown.length > 0) throw refuse('INVALID_INPUT', { issues: unknown })
    const input = monthOfInvoices.safeParse(req.query)
    if (!input.success)
      throw refuse('INVALID_INPUT', { issues: input.error.issues.map(({ path, message }) => ({ path: path.join('.'), message })) })
    const { stream, name } = await openMonth(ctx, input.data)
    return reply.type('application/zip').header('content-disposition', `attachment; filename="${name}"`).send(stream)
  })
}
