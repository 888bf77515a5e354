/**
 * Invoices of a demo studio: a few of its last sales, issued like any other to test taxpayers of the SAT. The sandbox stamps them, so that each
 * says on every screen, in its PDF and in its message that it is of tests and worth nothing.
 */
import { sql } from 'drizzle-orm'
import { Refusal } from '#contract/errors.ts'
import { Ctx } from '#server/modules/ctx.ts'
import { issueInvoice } from '#server/modules/fiscal/fiscal.ts'
import type { Brand } from './brand.ts'
import { ownerOf } from './videos.ts'

/** RFCs of people among the sandbox's taxpayers. Each invoice is of another customer. */
const RECEIVERS: readonly Pick<Parameters<typeof issueInvoice>[1]['receiver'], 'rfc' | 'regime'>[] = [
  { rfc: 'FUNK671228PH6', regime: '612' },
  { rfc: 'CACX7605101P8', regime: '612' },
  { rfc: 'MISC491214B86', regime: '626' },
]
/** Only sales of these days: they are invoiced until the end of their month, and soon after it. */
const DAYS = 10

/** Issues the invoices; does nothing without an owner, or where a real provider stamps. Repeating it issues none again. */
export async function makeInvoices(ctx: Ctx, brand: Brand): Promise<void> {
  const { pac } = ctx.ports
  const owner = await ownerOf(ctx, brand)
  if (!owner || !pac?.isSandbox) return
  const since = new Date(ctx.now.getTime() - DAYS * 86_400_000).toISOString()
  const { rows } = await ctx.db.execute<{ invoice_id: number }>(sql`
    select max(i.invoice_id)::int as invoice_id from invoice i join purchase p using (purchase_id)
    where i.status = 'paid' and i.refunded_centavos = 0 and i."paidAt" >= ${since} and p.class_package_id is not null
      and not exists (select from refund r where r.invoice_id = i.invoice_id)
    group by i.customer_id order by 1 desc limit ${RECEIVERS.length}`)
  for (const [n, { rfc, regime }] of RECEIVERS.entries()) {
    const taxpayer = pac.testTaxpayers?.find((one) => one.rfc === rfc)
    const charge = rows[n]
    if (!taxpayer || !charge) continue
    const { actor } = owner
    try {
      await issueInvoice(new Ctx(ctx.studio, { actor, idempotencyKey: `demo-invoice-${n}` }), {
        invoice_ids: [charge.invoice_id],
        receiver: { rfc, regime, use: 'G03', name: taxpayer.name, postal_code: taxpayer.postalCode },
      })
    } catch (error) {
      // The demo is whole without them.
      if (!(error instanceof Refusal)) throw error
      ctx.studio.log.warn({ error }, 'demo.invoice_skipped')
    }
  }
}
