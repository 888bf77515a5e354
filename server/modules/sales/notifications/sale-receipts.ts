/** Sending the receipt of a whole sale: by mail, and with a link that opens it without a log-in (docs/domain.md S17). */
import type * as z from 'zod'
import type { CounterSale, counterSales as wire } from '#contract/counter-sales.ts'
import { refuse } from '#contract/errors.ts'
import { languageFor } from '#contract/language.ts'
import { formatPesos } from '#contract/money.ts'
import { renderEmail } from '#server/adapters/mail/email-template.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { findCustomer, veiledEmail } from '#server/modules/people/people.ts'
import { drawSaleReceipt, saleHere } from '#server/modules/sales/views/sale-receipts.ts'

export const MAIL_RECEIPT_JOB = 'sales.mail-receipt'

const USE = 'recibo'
const LINK_DAYS = 30
const MAILS = { max: 20, seconds: 3_600 }

type Input = z.output<NonNullable<(typeof wire)['mailReceipt']['~orpc']['inputSchema']>>

/** POST /admin/sales/{sale_id}/receipt/mail. NOT_FOUND, CUSTOMER_WITHOUT_EMAIL, TOO_MANY_REQUESTS. */
export async function mailSaleReceipt(ctx: Ctx, input: Input): Promise<{ ok: true }> {
  const { sale_id } = input
  const sale = await saleHere(ctx, sale_id)
  await ctx.throttle({ name: 'receipt-mail', subject: String(sale_id), ...MAILS })
  return ctx.once('counterSales.mailReceipt', input, async (tx) => {
    const email = input.email ?? sale.customer?.email
    if (!email) throw refuse('CUSTOMER_WITHOUT_EMAIL')
    await tx.send({ name: MAIL_RECEIPT_JOB, data: { sale_id, email, id: crypto.randomUUID() } })
    await ctx.audit(tx, {
      action: 'sale.mail_receipt',
      entity: 'sale',
      entity_id: sale_id,
      after: { folio: sale.folio, email: veiledEmail(email) },
    })
    return { ok: true as const }
  })
}

/** "Pagaste $500.00 con Efectivo. Pagaste $300.00 con Tarjeta de regalo.": whole sentences, which have their English. */
const paidText = ({ payments }: CounterSale): string =>
  payments
    .filter(({ state }) => state !== 'void')
    .map(({ name, amount }) => `Pagaste ${formatPesos(amount)} con ${name}.`)
    .join(' ')

/** Job: mails the receipt of a sale in its current state, once per request (`id`). */
export async function sendSaleReceipt(ctx: Ctx, { sale_id, email, id }: { sale_id: number; email: string; id: string }): Promise<void> {
  const sale = await saleHere(ctx, sale_id)
  const { settings } = ctx
  const what = sale.lines.map(({ title, quantity }) => `${quantity > 1 ? `${quantity} × ` : ''}${title}`)
  const title = `Tu comprobante ${sale.folio}`
  const total = `${what.join(', ')}: ${formatPesos(sale.total)}.`
  const person = await findCustomer(ctx.db, sale.customer?.customer_id)
  // Another recipient gets it in Spanish.
  const language = languageFor(person?.email === email ? person.language : null, settings)
  const receipt = {
    subject: `${title} de ${settings.business_name}`,
    preview: total,
    title,
    paragraphs: [
      sale.customer ? `Hola, ${sale.customer.name}.` : 'Hola.',
      total,
      ...[paidText(sale)].filter(Boolean),
      ...(Number(sale.owed) > 0 ? [`Queda por pagar ${formatPesos(sale.owed)}.`] : []),
    ],
    notes: ['Va adjunto en PDF.', 'No es un CFDI.'],
  }
  const written = renderEmail(settings, ctx.studio.publicUrl, receipt, language)
  const file = await drawSaleReceipt(ctx, sale_id, sale)
  await ctx.ports.mail.send({
    to: email,
    ...written,
    attachments: [{ filename: file.name, type: file.type, content: new Uint8Array(await file.arrayBuffer()) }],
    messageId: `recibo-${sale_id}-${id}`,
  })
}

/** GET /admin/sales/{sale_id}/receipt/link. NOT_FOUND. */
export async function saleReceiptLink(ctx: Ctx, { sale_id }: { sale_id: number }) {
  const { customer } = await saleHere(ctx, sale_id)
  // A customer whose data were erased has nothing to send it to.
  const person = await findCustomer(ctx.db, customer?.customer_id)
  const until = new Date(ctx.now.getTime() + LINK_DAYS * 86_400_000)
  const token = ctx.studio.signer.sign(USE, `${sale_id}-${until.getTime().toString(36)}`)
  return {
    url: `${ctx.studio.publicUrl}/api/sale_receipts/${token}`,
    until: until.toISOString(),
    to: person && { name: person.name, email: person.email, phone: person.phone },
  }
}

/** GET /sale_receipts/{token}. NOT_FOUND for a bad signature, after its days, and for the sale of a person whose data were erased. */
export async function saleReceiptByLink(ctx: Ctx, { token }: { token: string }): Promise<File> {
  await ctx.throttle({ name: 'receipt-link', subject: ctx.ip, max: 30, seconds: 60 })
  const [, id, until = ''] = /^([1-9]\d{0,8})-([0-9a-z]{1,12})$/.exec(ctx.studio.signer.read(USE, token) ?? '') ?? []
  if (id === undefined || Number.parseInt(until, 36) < ctx.now.getTime()) throw refuse('NOT_FOUND')
  const by = new Ctx(ctx.studio, { actor: { kind: 'system', job: 'receipt-link' }, requestId: ctx.requestId, ip: ctx.ip })
  const sale_id = Number(id)
  const sale = await saleHere(by, sale_id)
  if (sale.customer && !(await findCustomer(by.db, sale.customer.customer_id))) throw refuse('NOT_FOUND')
  return drawSaleReceipt(by, sale_id, sale)
}
