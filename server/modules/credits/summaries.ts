/** Credit lots as a customer and the lists of the staff see them: which are usable, and what they come to. */
import type { AvailableClass, CreditSummary } from '#contract/credits.ts'
import { wallClock } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { type CreditLotFacts, compareCreditLots, isAlive } from './rules.ts'
import { listCreditLots, listCreditLotsOf, type NamedCreditLot } from './store.ts'

/** A customer's lots that can still be used for something, in the order in which they would be spent (C1, C3). */
export async function usableCreditLots(ctx: Ctx, on: Reader, customer_id: number): Promise<NamedCreditLot[]> {
  const creditLots = await listCreditLots(on, customer_id, ctx.now)
  return creditLots.filter((creditLot) => isAlive(creditLot, ctx.now)).sort(compareCreditLots)
}

/** Lots that open the online videos now: an active online membership (O2). */
export async function onlineCreditLots(ctx: Ctx, on: Reader, customer_id: number): Promise<NamedCreditLot[]> {
  return (await usableCreditLots(ctx, on, customer_id)).filter((creditLot) => creditLot.is_online)
}

/**
 * The values of "Disponibles {count}" and "Ilimitadas, Hasta el {date}" for some lots (C13; S2-2.45, S2-2.46). Online lots are not for
 * classes.
 */
export function summarise(creditLots: readonly CreditLotFacts[], zone: string): CreditSummary {
  const inPerson = creditLots.filter((creditLot) => !creditLot.is_online)
  const wall = (dates: (Date | null)[], pick: (...all: number[]) => number) => {
    const known = dates.flatMap((date) => (date ? [date.getTime()] : []))
    return known.length ? wallClock(new Date(pick(...known)), zone).toISOString() : null
  }
  const unlimited = inPerson.filter((creditLot) => creditLot.unlimited)
  const counted = inPerson.filter((creditLot) => !creditLot.unlimited)
  return {
    has_unlimited: unlimited.length > 0,
    unlimited_membership_expiration: wall(
      unlimited.map((creditLot) => creditLot.expires_at),
      Math.max,
    ),
    available: counted.reduce((sum, creditLot) => sum + (creditLot.balance ?? 0), 0),
    next_expiration: wall(
      counted.map((creditLot) => creditLot.expires_at),
      Math.min,
    ),
  }
}

/** The summary of one customer's credits. */
export async function creditSummary(ctx: Ctx, customer_id: number): Promise<CreditSummary> {
  return summarise(await usableCreditLots(ctx, ctx.db, customer_id), ctx.zone)
}

/** The summaries of some customers' credits, in one query; a customer without credits has an empty one. */
export async function creditSummaries(ctx: Ctx, customer_ids: readonly number[]): Promise<ReadonlyMap<number, CreditSummary>> {
  const ids = [...new Set(customer_ids)]
  if (ids.length === 0) return new Map()
  const alive = (await listCreditLotsOf(ctx.db, ids, ctx.now)).filter((creditLot) => isAlive(creditLot, ctx.now))
  const byCustomer = Map.groupBy(alive, (creditLot) => creditLot.customer_id)
  return new Map(ids.map((id) => [id, summarise(byCustomer.get(id) ?? [], ctx.zone)]))
}

/** Serializes a credit lot for the customer. */
export function serializeCreditLot(creditLot: NamedCreditLot, zone: string): AvailableClass {
  return {
    available_class_id: creditLot.available_class_id,
    title: creditLot.title,
    class_type_id: creditLot.class_type_ids?.length === 1 ? (creditLot.class_type_ids[0] ?? null) : null,
    class_types: creditLot.class_types,
    allowed_times: creditLot.allowed_times,
    locations: creditLot.locations,
    is_online: creditLot.is_online,
    available_classes: creditLot.unlimited ? -1 : (creditLot.balance ?? 0),
    granted: creditLot.unlimited ? -1 : (creditLot.granted ?? 0),
    expiration_date: creditLot.expires_at && wallClock(creditLot.expires_at, zone).toISOString(),
    expires_at: creditLot.expires_at?.toISOString() ?? null,
    is_courtesy: creditLot.is_courtesy,
    frozen: creditLot.frozenAt !== null,
  }
}

/** `GET /available_classes`: the signed-in customer's lots in the order in which they would be spent, and their sum. */
export async function myCredits(ctx: Ctx): Promise<{ available_classes: AvailableClass[]; summary: CreditSummary }> {
  const creditLots = await listCreditLots(ctx.db, ctx.customer.customer_id, ctx.now)
  // A frozen lot is listed, so that it does not seem lost, but is not part of the sum.
  const shown = creditLots.filter((creditLot) => isAlive({ ...creditLot, frozenAt: null }, ctx.now)).sort(compareCreditLots)
  return {
    available_classes: shown.map((creditLot) => serializeCreditLot(creditLot, ctx.zone)),
    summary: summarise(
      shown.filter((creditLot) => !creditLot.frozenAt),
      ctx.zone,
    ),
  }
}
