/**
 * Keeps `customer_summary` up to date. Triggers append outdated customers to `customer_change`, and `stale_at` of a row is the time at
 * which it becomes outdated without a change. Both are derived again here, by the job of every minute and by the list itself before it
 * reads.
 */
import { isAlive } from '#server/modules/credits/credits.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader } from '#server/platform/db.ts'
import { loadFacts, measureCustomer } from './facts.ts'
import {
  deleteSummaries,
  hasPendingSummaries,
  listLivingCustomers,
  lockSummaries,
  type SummaryRow,
  takeChangedCustomers,
  upsertSummaries,
} from './summary-store.ts'

/** Maximum number of customers per transaction: small, because a request for the list may wait for it. The job handles the rest. */
const BATCH = 100

/**
 * `state_since` of a row that is derived for the first time is set only for a customer created within this time: rows are dropped and
 * derived again at any time.
 */
const RECENT_MS = 2 * 86_400_000
const isRecent = (createdAt: Date, now: Date) => now.getTime() - createdAt.getTime() < RECENT_MS

/** The summaries of these customers as they are now; deleted customers are missing. Stores nothing. */
export async function deriveSummaries(on: Reader, ctx: Ctx, customer_ids: number[]): Promise<SummaryRow[]> {
  const [living, factsOf] = await Promise.all([listLivingCustomers(on, customer_ids), loadFacts(on, customer_ids, ctx.now)])
  return living.map(({ archivedAt, ...row }) => {
    const facts = factsOf(row.customer_id)
    const measured = measureCustomer(ctx, facts, { createdAt: row.createdAt, archivedAt })
    const usable = facts.creditLots.filter((creditLot) => !creditLot.is_online && isAlive(creditLot, ctx.now))
    const counted = usable.filter((creditLot) => !creditLot.unlimited)
    return {
      ...row,
      state: measured.state,
      state_since: isRecent(row.createdAt, ctx.now) ? ctx.now : null,
      stale_at: measured.changesAt,
      has_unlimited: counted.length < usable.length,
      available: counted.reduce((sum, creditLot) => sum + (creditLot.balance ?? 0), 0),
      next_expiration: usable.find((creditLot) => creditLot.expires_at)?.expires_at ?? null,
      titles: [...new Set(usable.map((creditLot) => creditLot.title))],
      class_package_ids: [...new Set(usable.flatMap((creditLot) => creditLot.class_package_id ?? []))],
      renewal_refused: facts.subscriptions.some((subscription) => subscription.past_due_since),
      last_class_at: measured.last_visit,
      next_class_at: facts.next_class,
      visits: measured.visit_count,
      visits_30: measured.visits_30,
      spent_centavos: measured.spent,
      owed_centavos: measured.owed,
      penalised_until: facts.penalty?.ends_at ?? null,
      home_location_id: measured.home_location_id,
    }
  })
}

/** Derives the summaries of at most `limit` customers again, in one transaction; how many. */
export function refreshSummaries(ctx: Ctx, limit: number): Promise<number> {
  return ctx.tx(async (tx) => {
    await lockSummaries(tx)
    const changed = await takeChangedCustomers(tx, ctx.now, limit)
    if (changed.length === 0) return 0
    const rows = await deriveSummaries(tx, ctx, changed)
    await upsertSummaries(tx, rows, ctx.now)
    const alive = new Set(rows.map((row) => row.customer_id))
    await deleteSummaries(
      tx,
      changed.filter((customer_id) => !alive.has(customer_id)),
    )
    return changed.length
  })
}

/** Derives the customers that changed last, so that a search finds a customer who was just added; the job handles the rest. */
export async function refreshLatest(ctx: Ctx): Promise<void> {
  if (await hasPendingSummaries(ctx.db, ctx.now)) await refreshSummaries(ctx, BATCH)
}

/** How many batches the list waits for: about half a second of work. */
const BATCHES_BEFORE_READING = 20

/**
 * Derives outdated summaries up to a time limit, so that the list shows a change that was just made, and a new studio sees all customers.
 */
export async function refreshBeforeReading(ctx: Ctx): Promise<void> {
  for (let batch = 0; batch < BATCHES_BEFORE_READING && (await hasPendingSummaries(ctx.db, ctx.now)); batch++)
    await refreshSummaries(ctx, BATCH)
}

/** Derives everything that is out of date; how many customers. */
export async function refreshAllSummaries(ctx: Ctx): Promise<number> {
  let total = 0
  for (;;) {
    const done = await refreshSummaries(ctx, BATCH)
    if (done === 0) return total
    total += done
  }
}
