/** Notifies customers of credits that are about to expire: once per lot and last day (C19), and on request of staff. */
import { refuse } from '#contract/errors.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant, localDate } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages } from '#server/modules/messages/messages.ts'
import { customerById } from '#server/modules/people/people.ts'
import { type CreditLotRow, listEnding } from './store.ts'

const DAY = 86_400_000
/** Credits that end within this number of days are notified: the same number as in Hoy (N5). */
const LISTED_DAYS = 7

/** One run: notifies customers whose remaining credits end within `credit_notice_days`. Returns how many. */
export async function notifyExpiringCredits(ctx: Ctx): Promise<number> {
  const until = new Date(ctx.now.getTime() + ctx.settings.credit_notice_days * DAY)
  const creditLots = await listEnding(ctx.db, ctx.now, until)
  return ctx.tx((tx) =>
    enqueueMessages(
      tx,
      ctx,
      creditLots.map((creditLot) => ending(ctx, creditLot)),
    ),
  )
}

/**
 * Notifies one customer of their credits that end within a week, at most once a day for each lot (C19). Returns the number of lots, also
 * when they were notified earlier today. NOT_FOUND, CREDITS_NOT_ENDING.
 */
export async function notifyEndingCredits(ctx: Ctx, { customer_id }: { customer_id: number }): Promise<{ notified: number }> {
  await customerById(ctx.db, customer_id)
  const until = new Date(ctx.now.getTime() + LISTED_DAYS * DAY)
  const creditLots = (await listEnding(ctx.db, ctx.now, until, { customer_id })).filter((creditLot) => creditLot.expires_at !== null)
  if (creditLots.length === 0) throw refuse('CREDITS_NOT_ENDING')
  const today = localDate(ctx.now, ctx.zone)
  return ctx.tx(async (tx) => {
    const sent = await enqueueMessages(
      tx,
      ctx,
      creditLots.map((creditLot) => ending(ctx, creditLot, `:${today}`)),
    )
    await ctx.audit(tx, {
      action: 'credits.notice',
      entity: 'customer',
      entity_id: customer_id,
      after: { lots: creditLots.map((creditLot) => creditLot.available_class_id) },
    })
    return { notified: sent > 0 ? creditLots.length : 0 }
  })
}

function ending(ctx: Ctx, creditLot: CreditLotRow, again = '') {
  const { expires_at, available_class_id, customer_id, title } = creditLot
  const day = expires_at ? formatInstant(expires_at, ctx.zone, 'date') : ''
  const left = creditLot.unlimited ? 'clases ilimitadas' : creditLot.balance === 1 ? '1 clase' : `${creditLot.balance} clases`
  return {
    event: 'credit_expiring' as const,
    about: `lot:${available_class_id}:${expires_at?.toISOString().slice(0, 10) ?? ''}${again}`,
    to: { customer_id },
    before: expires_at,
    texts: (name: string) => ({
      title: `${title} expira el ${day}`,
      lines: [
        creditLot.unlimited
          ? `Tienes clases ilimitadas por usar. Reserva una clase hasta el ${day}.`
          : creditLot.balance === 1
            ? `Tienes 1 clase por usar. Reserva una clase hasta el ${day}.`
            : `Tienes ${creditLot.balance} clases por usar. Reserva una clase hasta el ${day}.`,
      ],
      notes: [],
      action: { label: 'Reservar', path: paths.mystudio.calendar },
      blanks: [name, title, left, day],
    }),
  }
}
