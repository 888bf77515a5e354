/** A guest who joins a reservation without one: a new place, so the rules of reserving apply (R6). */
import { type Refusal, refuse } from '#contract/errors.ts'
import { factsForGuest, whyNotPerson } from '#server/modules/bookings/person-rules.ts'
import { bringsGuest, whyNotGuestName, whyNotOpen, whyNotRoom, whyNotSpot } from '#server/modules/bookings/rules.ts'
import { insertReservation } from '#server/modules/bookings/store/store.ts'
import { recordSpends, spendGuestCredit } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'
import { loadPersonFacts } from './person-guards.ts'

interface Guest {
  guest?: string | undefined
  guest_spot?: string | undefined
}

/** Why a guest cannot be added to a reservation without one. `spot`: the host's. */
export function whyNotBring(ctx: Ctx, cls: ClassCore, input: Guest, spot: string | null): Refusal | null {
  if (!bringsGuest(input)) return null
  if (!ctx.settings.allow_class_guests) return refuse('GUESTS_NOT_ALLOWED')
  return (
    whyNotGuestName(input.guest) ??
    whyNotOpen(cls, ctx.settings, ctx.now) ??
    whyNotRoom(cls, 1) ??
    whyNotSpot(cls, input.guest_spot) ??
    (spot !== null && spot === input.guest_spot ? refuse('SPOT_TAKEN') : null)
  )
}

/** Books the guest's place with a credit of the host. The caller has locked the class and the host, and checked `whyNotBring`. */
export async function bringGuest(
  tx: Tx,
  ctx: Ctx,
  cls: ClassCore,
  host: { class_reservation_id: number; customer_id: number; available_class_id: number | null },
  input: Guest,
): Promise<void> {
  const { customer_id } = host
  const no = whyNotPerson(factsForGuest(await loadPersonFacts(tx, ctx, cls, customer_id)), cls, ctx.zone)
  if (no) throw no
  const paid = await spendGuestCredit(tx, ctx, { customer_id, cls, hostCreditLot: host.available_class_id })
  const class_reservation_id = await insertReservation(tx, {
    single_class_id: cls.single_class_id,
    customer_id,
    source: 'customer',
    now: ctx.now,
    is_cash: false,
    is_paid: true,
    pay_until: null,
    host_reservation_id: host.class_reservation_id,
    guest: input.guest ?? '',
    spot: input.guest_spot ?? null,
    available_class_id: paid.creditLot.available_class_id,
  })
  await recordSpends(tx, ctx, [{ ...paid, class_reservation_id }])
}
