/** Notifies customers of credits that are about to expire, once per lot and last day (C19). */
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { enqueueMessages } from '#server/modules/messages/messages.ts'
import { every, type ModuleJob } from '#server/modules/module-job.ts'
import { type CreditLotRow, listEnding } from './store.ts'

const DAY = 86_400_000

// 16:20 UTC: morning in all of Mexico.
export const creditJobs: ModuleJob[] = [every('credits.expiring', '20 16 * * *', notifyExpiringCredits)]

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

function ending(ctx: Ctx, creditLot: CreditLotRow) {
  const { expires_at, available_class_id, customer_id, title } = creditLot
  const day = expires_at ? formatInstant(expires_at, ctx.zone, 'date') : ''
  const left = creditLot.unlimited ? 'clases ilimitadas' : creditLot.balance === 1 ? '1 clase' : `${creditLot.balance} clases`
  return {
    event: 'credit_expiring' as const,
    about: `lot:${available_class_id}:${expires_at?.toISOString().slice(0, 10) ?? ''}`,
    to: { customer_id },
    before: expires_at,
    words: (name: string) => ({
      title: `${title} expira el ${day}`,
      lines: [`Tienes ${left} por usar. Reserva una clase hasta el ${day}.`],
      notes: [],
      action: { label: 'Reservar', path: paths.mystudio.calendar },
      blanks: [name, title, left, day],
    }),
  }
}
