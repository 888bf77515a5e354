/** Messages to customers about their money. Each is sent by a job after the commit; the messages module sends each only once (M5). */

import { formatMoney, formatPesos } from '#contract/money.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { isCounter } from '#server/adapters/payments/counter/counter.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages, type OutgoingMessage, oneByOne, type Relevance } from '#server/modules/messages/messages.ts'
import { newCardLink } from '#server/modules/sales/aftersales/card-links.ts'
import { findOwed } from '#server/modules/sales/store/discrepancy-store.ts'
import { findLatestChange, findScheduledChange } from '#server/modules/sales/store/plan-change-store.ts'
import { findInvoice, listRefunds } from '#server/modules/sales/store/refund-store.ts'
import { findPurchase } from '#server/modules/sales/store/store.ts'
import { findView } from '#server/modules/sales/store/view-store.ts'
import { serializePurchase } from '#server/modules/sales/views/purchase-view.ts'

const MY_PURCHASES = { label: 'Ver mis compras', path: paths.mystudio.purchases }

const enqueue = async (ctx: Ctx, message: OutgoingMessage): Promise<void> => {
  await ctx.tx((tx) => enqueueMessages(tx, ctx, [message]))
}

/**
 * Notifies of a refund, through the processor or by hand (V23). `before`: centavos refunded until then. The message about a gift goes to
 * its payer; its recipient learns only that the purchase was revoked, without the price (S10).
 */
export async function notifyRefunded(ctx: Ctx, input: { invoice_id: number; refunded: number; before: number; at: string }): Promise<void> {
  const charge = await findInvoice(ctx.db, input.invoice_id)
  const purchase = charge && (await findPurchase(ctx.db, charge.purchase_id))
  if (!charge || !purchase) return
  const refundedNow = input.refunded - input.before
  const byHand = (await listRefunds(ctx.db, purchase.purchase_id)).some(
    (refund) =>
      refund.by_hand && refund.state !== 'refused' && refund.invoice_id === charge.invoice_id && refund.amount_centavos === refundedNow,
  )
  const destination =
    isCounter(charge.gateway) || byHand
      ? 'Lo recibes del estudio.'
      : 'Regresa a la forma de pago que usaste; tu banco puede tardar unos días en mostrarlo.'
  const amount = formatMoney(refundedNow)
  const { giver } = await findView(ctx.db, purchase.purchase_id)
  const isGone = purchase.status === 'revoked'
  const creditTexts = isGone && !giver ? ['Los créditos que quedaban de esa compra ya no están en tu cuenta.'] : []
  const about = `invoice:${charge.invoice_id}:${input.refunded}:${input.at}`
  if (giver && isGone)
    await enqueue(ctx, {
      event: 'payment_refunded',
      about: `gift-gone:${purchase.purchase_id}`,
      to: { customer_id: purchase.customer_id },
      before: null,
      texts: (name) => ({
        title: 'Tu regalo se canceló',
        lines: [`${purchase.title}: los créditos que quedaban ya no están en tu cuenta.`],
        notes: [],
        action: MY_PURCHASES,
        blanks: [name, 'tu regalo', purchase.title],
      }),
    })
  await enqueue(ctx, {
    event: 'payment_refunded',
    about,
    to: { customer_id: giver?.customer_id ?? purchase.customer_id },
    before: null,
    texts: (name) => ({
      title: `Te devolvimos ${amount}`,
      lines: [`Orden #00${purchase.purchase_id}: ${purchase.title}.`, destination, ...creditTexts],
      notes: [],
      action: MY_PURCHASES,
      blanks: [name, amount, purchase.title],
    }),
  })
}

/** Notifies of money owed to a customer (V37, V45): a refund that failed, a late payment, or the price of a cancelled single place. */
export async function notifyRefundOwed(ctx: Ctx, input: { money_difference_id: number }): Promise<void> {
  const found = await findOwed(ctx.db, input.money_difference_id)
  if (!found || found.owed === 0) return
  const { purchase: sale } = found
  // Money that is owed for a gift is owed to its payer (S10).
  const { giver } = await findView(ctx.db, sale.purchase_id)
  const amount = formatMoney(found.owed)
  const [title, why] = whyOwed(found.kind === 'refund_due' ? 'place' : sale.alarm === 'late_payment' ? 'late' : 'undelivered', amount)
  await enqueue(ctx, {
    event: 'refund_owed',
    about: `owed:${input.money_difference_id}${found.kind === 'refund_due' ? `:${found.owed}` : ''}`,
    to: { customer_id: giver?.customer_id ?? sale.customer_id },
    before: null,
    texts: (name) => ({
      title,
      lines: [
        `Orden #00${sale.purchase_id}: ${sale.title}.`,
        why,
        'No tienes que hacer nada. Si quieres decirnos cómo recibirlo, escríbenos.',
      ],
      notes: [],
      action: MY_PURCHASES,
      blanks: [name, amount, sale.title],
    }),
  })
}

function whyOwed(why: 'place' | 'late' | 'undelivered', amount: string): [title: string, line: string] {
  if (why === 'place')
    return [
      `Te debemos ${amount}`,
      'Ya no tienes el lugar que pagaste en el estudio. El dinero es tuyo: te lo devolvemos en recepción o por otro medio.',
    ]
  if (why === 'late')
    return [
      `Tu pago de ${amount} llegó tarde`,
      'La orden ya estaba cerrada y no te dio clases. El dinero no se puede devolver por donde pagaste: te lo damos por otro medio.',
    ]
  return [
    `Tu reembolso de ${amount} no llegó`,
    'No se pudo entregar en la forma de pago que usaste. El dinero sigue en el estudio y es tuyo: te lo damos por otro medio.',
  ]
}

/** Notifies of a transfer of another amount than the price, or a late one, and what happens with the money (V40). `amount`: centavos. */
export async function notifyUnclaimedTransfer(
  ctx: Ctx,
  input: { gateway: string; movement: string; customer_id: number; amount: number; returned: boolean; reusable: boolean },
): Promise<void> {
  const amount = formatMoney(input.amount)
  await enqueue(ctx, {
    event: 'refund_owed',
    about: `unclaimed:${input.movement}`,
    to: { customer_id: input.customer_id },
    before: null,
    texts: (name) => ({
      title: `Recibimos ${amount} que no son de ninguna compra`,
      lines: [
        'Llegaron por transferencia: de más, de menos o cuando tu compra ya había vencido.',
        input.returned
          ? 'Te los devolvemos a la cuenta de donde salieron. Si el procesador de pagos no la conoce, te escribe para que se la indiques.'
          : input.reusable
            ? 'El dinero es tuyo. Se usa en tu próxima compra por SPEI, o escríbenos y te lo devolvemos.'
            : 'El dinero es tuyo. Si tu banco no te lo regresó ya, escríbenos y te lo devolvemos.',
      ],
      notes: [],
      action: MY_PURCHASES,
      blanks: [name, amount, 'una transferencia'],
    }),
  })
}

/** A subscription as its customer sees it; null once it is over. */
async function liveOne(ctx: Ctx, purchase_id: number) {
  const purchase = await findPurchase(ctx.db, purchase_id)
  if (purchase?.status !== 'active') return null
  return { sale: purchase, shown: serializePurchase(await findView(ctx.db, purchase_id), ctx) }
}

/** Notifies of an upcoming charge (V30): amount, date, card, and how to cancel. */
export async function notifyRenewal(ctx: Ctx, input: { purchase_id: number; at: string }): Promise<void> {
  const found = await liveOne(ctx, input.purchase_id)
  const due = new Date(input.at)
  if (!found?.shown.next_charge || found.sale.benefits_until?.getTime() !== due.getTime() || due <= ctx.now) return
  const { sale, shown } = found
  const amount = formatPesos(shown.next_charge?.amount ?? '')
  const day = formatInstant(due, ctx.zone, 'date')
  const card = shown.payment_method?.name
  await enqueue(ctx, {
    event: 'renewal_notice',
    about: `renewal:${sale.purchase_id}:${input.at}`,
    to: { customer_id: sale.customer_id },
    before: due,
    texts: (name) => ({
      title: shown.trial_ends_date ? `Tu prueba termina el ${day}` : `${sale.title} se renueva el ${day}`,
      lines: [
        card ? `El ${day} se cobran ${amount} a ${card}.` : `El ${day} se cobran ${amount}.`,
        'Si ya no la quieres, cancélala antes de esa fecha desde Mis Compras: no se cobra nada.',
      ],
      notes: [`Orden #00${sale.purchase_id}.`],
      action: MY_PURCHASES,
      blanks: [name, day, amount, sale.title],
    }),
  })
}

/** Notifies of an unpaid renewal (V33), with a link that changes the card without logging in. */
export async function notifyPastDue(ctx: Ctx, input: { purchase_id: number; at: string }): Promise<void> {
  const found = await liveOne(ctx, input.purchase_id)
  if (!found?.sale.past_due_since) return
  const { sale, shown } = found
  const amount = formatPesos(shown.next_charge?.amount ?? shown.total_payment)
  await ctx.tx(async (tx) => {
    const path = await newCardLink(tx, ctx, sale.purchase_id)
    const card = shown.payment_method?.name
    const charge = card ? `el cargo de ${amount} a ${card}` : `el cargo de ${amount}`
    const texts = shown.confirm_charge
      ? {
          title: `Confirma con tu banco el cargo de ${sale.title}`,
          lines: [
            `Tu banco quiere que confirmes ${charge}. Hazlo desde este enlace, o usa otra tarjeta.`,
            'Mientras tanto no hay clases nuevas de esta suscripción.',
          ],
          action: { label: 'Confirmar el cargo', path },
        }
      : {
          title: `No pudimos cobrar ${sale.title}`,
          lines: [
            `Tu banco no aceptó ${charge}.`,
            'Cambia tu tarjeta y lo intentamos de inmediato. Mientras tanto no hay clases nuevas de esta suscripción.',
          ],
          action: { label: 'Cambiar mi tarjeta', path },
        }
    const message: OutgoingMessage = {
      event: 'payment_failed',
      about: `past-due:${sale.purchase_id}:${input.at}`,
      to: { customer_id: sale.customer_id },
      before: null,
      texts: (name) => ({
        ...texts,
        notes: ['Este enlace es solo tuyo: no hace falta iniciar sesión.'],
        blanks: [name, amount, sale.title],
      }),
    }
    await enqueueMessages(tx, ctx, [message])
  })
}

/** Notifies that a subscription is over, or ends with its paid period (V17). */
export async function notifySubscriptionEnded(ctx: Ctx, input: { purchase_id: number; unpaid: boolean }): Promise<void> {
  const purchase = await findPurchase(ctx.db, input.purchase_id)
  if (purchase?.status !== 'cancelled') return
  // It has a message of its own.
  if (await findScheduledChange(ctx.db, purchase.purchase_id)) return
  const until =
    purchase.benefits_until && purchase.benefits_until > ctx.now ? formatInstant(purchase.benefits_until, ctx.zone, 'date') : null
  const last = until ? `Puedes usarla hasta el ${until}.` : 'Sus beneficios ya terminaron.'
  const why = input.unpaid ? 'No pudimos cobrar su renovación.' : 'No se harán más cargos.'
  await enqueue(ctx, {
    event: 'subscription_ended',
    about: `ended:${purchase.purchase_id}`,
    to: { customer_id: purchase.customer_id },
    before: null,
    texts: (name) => ({
      title: `Se canceló ${purchase.title}`,
      lines: [why, last],
      notes: [`Orden #00${purchase.purchase_id}.`],
      action: MY_PURCHASES,
      blanks: [name, purchase.title, last],
    }),
  })
}

/** Notifies of a change of plan that begins when the paid period ends (V55): what is charged then, and how to stop it. */
export async function notifyPlanChange(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<void> {
  const [purchase, change] = await Promise.all([findPurchase(ctx.db, purchase_id), findLatestChange(ctx.db, purchase_id)])
  if (!purchase?.benefits_until || !change || change.replaced_by !== null) return
  const day = formatInstant(purchase.benefits_until, ctx.zone, 'date')
  const amount = formatMoney(change.total_centavos)
  const starts =
    change.payment_source_id === null
      ? `Ese día empieza ${change.title} por ${amount}. Te enviaremos el enlace para pagarlo.`
      : `Ese día empieza ${change.title} por ${amount}. Se cobra a tu tarjeta guardada.`
  const last = `Puedes usar ${purchase.title} hasta el ${day}.`
  await enqueue(ctx, {
    event: 'subscription_ended',
    about: `plan:${change.plan_change_id}`,
    to: { customer_id: purchase.customer_id },
    before: null,
    texts: (name) => ({
      title: `Tu plan cambia a ${change.title}`,
      lines: [last, starts, 'Si no lo quieres, escríbenos antes de ese día.'],
      notes: [`Orden #00${purchase.purchase_id}.`],
      action: MY_PURCHASES,
      blanks: [name, purchase.title, last],
    }),
  })
}

/** Notifies that the studio paused or resumed the charges (V34). */
export async function notifySubscriptionPaused(ctx: Ctx, input: { purchase_id: number; at: string; paused: boolean }): Promise<void> {
  const found = await liveOne(ctx, input.purchase_id)
  if (!found || found.shown.paused !== input.paused) return
  const { sale, shown } = found
  const next = shown.next_charge
  const sentence = input.paused
    ? 'está en pausa: no se cobra nada hasta que se reanude.'
    : next
      ? `sigue: el próximo cargo es de ${formatPesos(next.amount)} el ${formatWall(next.date, 'date')}.`
      : 'sigue como siempre.'
  await enqueue(ctx, {
    event: 'subscription_paused',
    about: `paused:${sale.purchase_id}:${input.at}`,
    to: { customer_id: sale.customer_id },
    before: null,
    texts: (name) => ({
      title: input.paused ? `${sale.title} está en pausa` : `${sale.title} se reanudó`,
      lines: [`Tu suscripción ${sentence}`],
      notes: [`Orden #00${sale.purchase_id}.`],
      action: MY_PURCHASES,
      blanks: [name, sale.title, sentence],
    }),
  })
}

/** Notifies that another card is charged from now on, in case the customer did not change it (V33). */
export async function notifyCardChanged(ctx: Ctx, input: { purchase_id: number; at: string }): Promise<void> {
  const found = await liveOne(ctx, input.purchase_id)
  if (!found) return
  const { sale, shown } = found
  const card = shown.payment_method?.name ?? 'otra tarjeta'
  await enqueue(ctx, {
    event: 'card_changed',
    about: `card:${sale.purchase_id}:${input.at}`,
    to: { customer_id: sale.customer_id },
    before: null,
    texts: (name) => ({
      title: 'Cambió la tarjeta de tu suscripción',
      lines: [`Desde hoy ${sale.title} se cobra a ${card}.`, 'Si no fuiste tú, escríbenos.'],
      notes: [`Orden #00${sale.purchase_id}.`],
      action: MY_PURCHASES,
      blanks: [name, sale.title, card],
    }),
  })
}

/** "renewal:12:..." -> 12 */
const saleIn = (about: string) => Number(about.split(':')[1])

/** Whether a message that waited for its sending hours is still true. */
export const salesRelevance: Relevance = {
  renewal_notice: oneByOne(async (ctx, { about }) => {
    const purchase = await findPurchase(ctx.db, saleIn(about))
    return purchase?.status === 'active' && !purchase.paused_since ? null : 'the subscription is not charged any more'
  }),
  payment_failed: oneByOne(async (ctx, { about }) => {
    const purchase = await findPurchase(ctx.db, saleIn(about))
    return purchase?.status === 'active' && purchase.past_due_since ? null : 'it was paid or is over'
  }),
}
