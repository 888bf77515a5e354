/**
 * Holds the spots of the wanted class while their purchase is paid (W12, W13). The jobs are queued by the sales module, which does not
 * depend on classes.
 */
import { Refusal } from '#contract/errors.ts'
import { wantedClass } from '#contract/sales.ts'
import { whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import { closesAt, whyNotOpen, whyNotRoom } from '#server/modules/bookings/rules.ts'
import {
  countHolds,
  endPaymentHold,
  findBuying,
  insertPaymentHold,
  listHoldsOfCustomer,
  listHoldsOfPurchase,
  type PaymentHoldRow,
} from '#server/modules/bookings/store/payment-hold-store.ts'
import { lockCustomer } from '#server/modules/bookings/store/store.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { lockClass } from '#server/modules/schedule/schedule.ts'
import { loadPersonFactsForStaff } from './person-guards.ts'
import { endLapsed, notifyOthers, offerFreedSpots } from './waitlist-offers.ts'

/** Maximum number of holds per customer and class: unpaid purchases cannot block a spot. */
const MOST_HOLDS = 3

/** Purchases that wait for money, and those that were paid before the job ran. */
const isAlive = (status: string) => status === 'pending' || status === 'completed' || status === 'active'

/**
 * Job: holds a place, and one for a guest, in the class for which the purchase was opened. Without a free place, a class or a reason to
 * hold one, nothing happens: the purchase itself does not depend on it. Idempotent.
 */
export async function holdWhilePaying(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<void> {
  if (ctx.settings.hold_while_paying === 0) return
  const seen = await ctx.tx((tx) => findBuying(tx, purchase_id, false))
  const wanted = wantedClass.safeParse(seen?.wanted_class).data
  if (!seen || !wanted) return
  const { single_class_id } = wanted
  // One hold per customer: a hold in another class ends first, in a transaction of its own because of the order of locks.
  for (const hold of await listHoldsOfCustomer(ctx.db, seen.customer_id)) if (hold.single_class_id !== single_class_id) await end(ctx, hold)
  try {
    await ctx.tx(async (tx) => {
      const cls = await endLapsed(tx, ctx, await lockClass(tx, ctx, single_class_id))
      await lockCustomer(tx, seen.customer_id)
      const [active, before, facts] = await Promise.all([
        listHoldsOfCustomer(tx, seen.customer_id),
        countHolds(tx, seen.customer_id, single_class_id),
        // A penalty or a missing document may be settled while the purchase is paid.
        loadPersonFactsForStaff(tx, cls, seen.customer_id),
      ])
      const buying = await findBuying(tx, purchase_id, true)
      if (!buying || !isAlive(buying.status) || active.length > 0 || before >= MOST_HOLDS) return
      if (whyNotPerson(facts, cls, ctx.zone)) return
      const spots = wanted.with_guest && ctx.settings.allow_class_guests ? 2 : 1
      if (whyNotOpen(cls, ctx.settings, ctx.now) || whyNotRoom(cls, spots)) return
      const until = new Date(ctx.now.getTime() + ctx.settings.hold_while_paying * 60_000)
      const closes = closesAt(cls, ctx.settings)
      await insertPaymentHold(tx, {
        purchase_id,
        single_class_id,
        places: spots,
        hold_until: until < closes ? until : closes,
        createdAt: ctx.now,
      })
      notifyOthers(tx, cls)
    })
  } catch (error) {
    // The class does not exist.
    if (!(error instanceof Refusal)) throw error
  }
}

/** Job: releases the spots held by a purchase that failed or expired, first to the waitlist. Idempotent. */
export async function releasePaymentHold(ctx: Ctx, { purchase_id }: { purchase_id: number }): Promise<void> {
  for (const hold of await listHoldsOfPurchase(ctx.db, purchase_id)) await end(ctx, hold)
}

async function end(ctx: Ctx, { payment_hold_id, single_class_id }: PaymentHoldRow): Promise<void> {
  await ctx.tx(async (tx) => {
    const cls = await lockClass(tx, ctx, single_class_id)
    if ((await endPaymentHold(tx, payment_hold_id, ctx.now)) > 0) await offerFreedSpots(tx, ctx, cls)
  })
}
