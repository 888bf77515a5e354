import { api } from '#server/modules/api.ts'
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

export const fiscalRoutes = {
  ofPurchase: api.fiscal.ofPurchase.handler(({ context, input }) => fiscalOfPurchase(context.ctx, input)),
  issue: api.fiscal.issue.handler(({ context, input }) => issueInvoice(context.ctx, input)),
  list: api.fiscal.list.handler(({ context, input }) => listFiscalDocuments(context.ctx, input)),
  cancel: api.fiscal.cancel.handler(({ context, input }) => cancelInvoice(context.ctx, input)),
  xml: api.fiscal.xml.handler(({ context, input }) => invoiceXml(context.ctx, input)),
  pdf: api.fiscal.pdf.handler(({ context, input }) => invoicePdf(context.ctx, input)),
  setup: api.fiscal.setup.handler(({ context }) => readSetup(context.ctx)),
  saveCertificate: api.fiscal.saveCertificate.handler(({ context, input }) => saveCertificate(context.ctx, input)),
  mine: api.fiscal.mine.handler(({ context, input }) => myFiscal(context.ctx, input)),
  issueMine: api.fiscal.issueMine.handler(({ context, input }) => issueMyInvoice(context.ctx, input)),
  myXml: api.fiscal.myXml.handler(({ context, input }) => myInvoiceXml(context.ctx, input)),
  myPdf: api.fiscal.myPdf.handler(({ context, input }) => myInvoicePdf(context.ctx, input)),
}
