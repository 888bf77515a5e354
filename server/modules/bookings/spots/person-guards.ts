/**
 * Loads the facts that may prevent a person from booking a class (R10, R11, A7, P10), in one round trip; `whyNotPerson` of
 * person-rules.ts decides.
 */
import { factsForJoining, factsForStaff, type PersonFacts } from '#server/modules/bookings/person-rules.ts'
import { findPenalty } from '#server/modules/bookings/store/penalty-store.ts'
import { listClashes } from '#server/modules/bookings/store/store.ts'
import { pendingDocuments, whyNotProfile } from '#server/modules/content/content.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { ClassCore } from '#server/modules/schedule/schedule.ts'
import type { Tx } from '#server/platform/db.ts'

/** The facts about one person and one class. The statements are pipelined after those that the caller sent before. */
export async function loadPersonFacts(tx: Tx, ctx: Ctx, cls: ClassCore, customer_id: number): Promise<PersonFacts> {
  const [penalty, clashes, documents, incomplete] = await Promise.all([
    findPenalty(tx, ctx, customer_id),
    listClashes(tx, customer_id, cls),
    pendingDocuments(tx, customer_id),
    whyNotProfile(ctx, tx, customer_id),
  ])
  return { penalty, clashes, documents, incomplete }
}

/** The same where staff book: only what counts then is loaded. */
export async function loadPersonFactsForStaff(tx: Tx, cls: ClassCore, customer_id: number): Promise<PersonFacts> {
  return factsForStaff({ clashes: await listClashes(tx, customer_id, cls) })
}

/** The same where a person joins a waitlist, or where staff put them on it. */
export async function loadPersonFactsForJoining(
  tx: Tx,
  ctx: Ctx,
  cls: ClassCore,
  { customer_id, byStaff }: { customer_id: number; byStaff: boolean },
): Promise<PersonFacts> {
  if (byStaff) return factsForJoining(await loadPersonFactsForStaff(tx, cls, customer_id), cls)
  const [penalty, clashes] = await Promise.all([findPenalty(tx, ctx, customer_id), listClashes(tx, customer_id, cls)])
  return factsForJoining({ penalty, clashes }, cls)
}
