/** Messages about invoices, with the files: once when it is stamped, once when it is cancelled, and on request (FA15). */
import type * as z from 'zod'
import { refuse } from '#contract/errors.ts'
import type { fiscal as wire } from '#contract/fiscal.ts'
import { languageFor } from '#contract/language.ts'
import { formatMoney } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { renderEmail } from '#server/adapters/mail/email-template.ts'
import type { Attachment } from '#server/adapters/mail/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type MessageFiles, type MessageTexts, oneByOne, type Relevance } from '#server/modules/messages/messages.ts'
import { findCustomer, veiledEmail } from '#server/modules/people/people.ts'
import { documentHere, fileName } from './fiscal.ts'
import { loadDocumentFiles } from './invoice-files.ts'
import { type DocumentRow, findDocument } from './store.ts'

/** How often staff mail one document in an hour. */
const MAILS = { max: 20, seconds: 3_600 }
export const MAIL_JOB = 'fiscal.mail'

const folioOf = ({ series, folio }: Pick<DocumentRow, 'series' | 'folio'>): string => `${series}-${folio}`

/** What a document is called in a sentence: "factura F-12". */
const nameOf = (row: DocumentRow): string => (row.kind === 'credit' ? `nota de crédito ${folioOf(row)}` : `factura ${folioOf(row)}`)

/** The title of the message about a document as it is now. */
function titleOf(row: DocumentRow): string {
  const folio = folioOf(row)
  if (row.state === 'cancelled') return row.kind === 'credit' ? `Se canceló tu nota de crédito ${folio}` : `Se canceló tu factura ${folio}`
  return row.kind === 'credit' ? `Tu nota de crédito ${folio}` : `Tu factura ${folio}`
}

/** The subject of a mail with a document in its current state, with its receiver. */
function subjectOf(row: DocumentRow, studio: string): string {
  const folio = folioOf(row)
  if (row.state === 'cancelled')
    return row.kind === 'credit' ? `Se canceló tu nota de crédito ${folio} de ${studio}` : `Se canceló tu factura ${folio} de ${studio}`
  return row.kind === 'credit' ? `Tu nota de crédito ${folio} de ${studio}` : `Tu factura ${folio} de ${studio}`
}

/** The text about a document, as it is now. */
async function textsOf(ctx: Ctx, row: DocumentRow): Promise<Omit<MessageTexts, 'action' | 'blanks'>> {
  const { receiver } = row.draft
  const amount = formatMoney(row.total_centavos)
  const notes = [
    `Folio fiscal ${row.uuid}.`,
    ...(row.is_test ? ['Se timbró en pruebas: no tiene validez fiscal.'] : []),
    row.state === 'cancelled' ? 'Van adjuntos su XML, su PDF y el acuse de cancelación.' : 'Van adjuntos su XML y su PDF.',
  ]
  if (row.state !== 'cancelled')
    return { title: titleOf(row), lines: [`A nombre de ${receiver.name}, RFC ${receiver.rfc}, por ${amount}.`], notes }
  const substitute = row.substitute_id === null ? null : await findDocument(ctx.db, row.substitute_id)
  return {
    title: titleOf(row),
    lines: [
      `Estaba a nombre de ${receiver.name}, RFC ${receiver.rfc}, por ${amount}.`,
      substitute ? `La sustituye la ${nameOf(substitute)}.` : 'Ya no tiene validez fiscal.',
    ],
    notes,
  }
}

/** The files of a document as they go with a mail. */
async function attachmentsOf(ctx: Ctx, row: DocumentRow): Promise<Attachment[]> {
  const { xml, pdf, receipt } = await loadDocumentFiles(ctx, row)
  const name = fileName(row)
  return [
    { filename: `${name}.xml`, type: 'application/xml', content: xml },
    { filename: `${name}.pdf`, type: 'application/pdf', content: pdf },
    ...(receipt ? [{ filename: `${name}_acuse.xml`, type: 'application/xml', content: receipt }] : []),
  ]
}

/** Job: the message about a document that was stamped or cancelled. A global invoice has no recipient. */
export async function notifyOfDocument(
  ctx: Ctx,
  { fiscal_document_id, event }: { fiscal_document_id: number; event: 'issued' | 'cancelled' },
): Promise<void> {
  const row = await findDocument(ctx.db, fiscal_document_id)
  // A document that was cancelled meanwhile gets only the message about its cancellation.
  if (!row || row.customer_id === null || (event === 'issued') === (row.state === 'cancelled')) return
  const { customer_id } = row
  const texts = await textsOf(ctx, row)
  await ctx.tx((tx) =>
    enqueueMessages(tx, ctx, [
      {
        event: event === 'issued' ? 'invoice_issued' : 'invoice_cancelled',
        about: `fiscal:${fiscal_document_id}`,
        to: { customer_id },
        before: null,
        texts: (name) => ({
          ...texts,
          action: { label: 'Ver mis cargos', path: paths.mystudio.toInvoice },
          blanks: [name, nameOf(row), formatMoney(row.total_centavos)],
        }),
      },
    ]),
  )
}

/** "fiscal:12" -> the document */
const documentOf = (ctx: Ctx, { about }: { about: string }): Promise<DocumentRow | null> =>
  findDocument(ctx.db, Number(about.split(':')[1]))

const filesOfMessage = async (ctx: Ctx, message: { about: string }): Promise<Attachment[]> => {
  const row = await documentOf(ctx, message)
  return row ? attachmentsOf(ctx, row) : []
}

/** The files of the messages about documents. */
export const fiscalFiles: MessageFiles = { invoice_issued: filesOfMessage, invoice_cancelled: filesOfMessage }

/** Whether a message that waited is still true. */
export const fiscalRelevance: Relevance = {
  invoice_issued: oneByOne(async (ctx, message) => ((await documentOf(ctx, message))?.state === 'cancelled' ? 'cancelled' : null)),
}

type MailInput = z.output<NonNullable<(typeof wire)['mail']['~orpc']['inputSchema']>>

/** POST /admin/fiscal_documents/{fiscal_document_id}/mail. NOT_FOUND before it is stamped, CUSTOMER_WITHOUT_EMAIL, TOO_MANY_REQUESTS. */
export async function mailInvoice(ctx: Ctx, input: MailInput): Promise<{ ok: true }> {
  const row = await documentHere(ctx, input.fiscal_document_id)
  if (row.xml === null) throw refuse('NOT_FOUND')
  const { fiscal_document_id, customer_id } = row
  await ctx.throttle({ name: 'invoice-mail', subject: String(fiscal_document_id), ...MAILS })
  return ctx.once('fiscal.mail', input, async (tx) => {
    const person = input.email !== undefined ? null : await findCustomer(tx, customer_id)
    const email = input.email ?? person?.email
    if (!email) throw refuse('CUSTOMER_WITHOUT_EMAIL')
    await tx.send({ name: MAIL_JOB, data: { fiscal_document_id, email, id: crypto.randomUUID() } })
    await ctx.audit(tx, {
      action: 'fiscal_document.mail',
      entity: 'fiscal_document',
      entity_id: String(fiscal_document_id),
      after: { folio: folioOf(row), email: veiledEmail(email) },
    })
    return { ok: true as const }
  })
}

/** Job: mails a document in its current state, once per request (`id`). */
export async function sendInvoice(
  ctx: Ctx,
  { fiscal_document_id, email, id }: { fiscal_document_id: number; email: string; id: string },
): Promise<void> {
  const row = await findDocument(ctx.db, fiscal_document_id)
  if (!row || row.xml === null) return
  const { title, lines, notes } = await textsOf(ctx, row)
  const person = await findCustomer(ctx.db, row.customer_id)
  const written = renderEmail(
    ctx.settings,
    ctx.studio.publicUrl,
    {
      subject: subjectOf(row, ctx.settings.business_name),
      preview: lines[0] ?? title,
      title,
      notes,
      paragraphs: ['Hola.', ...lines],
    },
    languageFor(person?.language, ctx.settings),
  )
  await ctx.ports.mail.send({
    to: email,
    ...written,
    attachments: await attachmentsOf(ctx, row),
    messageId: `factura-${fiscal_document_id}-${id}`,
  })
}
