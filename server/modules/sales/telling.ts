/** Tells customers what became of their money. Each is a job that runs after the commit; the messages see to it that nobody hears twice (M5). */
import { formatMoney } from '#contract/money.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { type Told, tell } from '#server/modules/messages/messages.ts'
import { findInvoice } from './refund-store.ts'
import { findPurchase } from './store.ts'

const MY_PURCHASES = { label: 'Ver mis compras', path: '/mystudio/membresias' }

const say = async (ctx: Ctx, told: Told): Promise<void> => {
  await ctx.tx((tx) => tell(tx, ctx, [told]))
}

/** Money went back, through whatever door (V23). `before`: what had gone back until then, in centavos. */
export async function tellRefunded(ctx: Ctx, ask: { invoice_id: number; refunded: number; before: number }): Promise<void> {
  const charge = await findInvoice(ctx.db, ask.invoice_id)
  const sale = charge && (await findPurchase(ctx.db, charge.purchase_id))
  if (!charge || !sale) return
  const amount = formatMoney(ask.refunded - ask.before)
  const way =
    charge.gateway === 'efectivo'
      ? 'Lo recibes en el estudio.'
      : 'Regresa a la forma de pago que usaste; tu banco puede tardar unos días en mostrarlo.'
  const gone = sale.status === 'revoked' ? ['Los créditos que quedaban de esa compra ya no están en tu cuenta.'] : []
  await say(ctx, {
    ...{
      event: 'payment_refunded',
      about: `invoice:${charge.invoice_id}:${ask.refunded}`,
      to: { customer_id: sale.customer_id },
      before: null,
    },
    words: (name) => ({
      title: `Te devolvimos ${amount}`,
      lines: [`Orden #00${sale.purchase_id}: ${sale.title}.`, way, ...gone],
      notes: [],
      action: MY_PURCHASES,
      blanks: [name, amount, sale.title],
    }),
  })
}
