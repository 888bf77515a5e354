/** Rollups of reservations for the reports: derived again when something changed, checked every night (docs/decisions/025-rollups.md). */
import { setTimeout } from 'node:timers/promises'
import type { Ctx } from '#server/modules/ctx.ts'
import {
  deriveClasses,
  deriveCustomers,
  hasChanges,
  highestIds,
  type IdRange,
  listWrongClasses,
  listWrongCustomers,
  markClasses,
  markCustomers,
  markEverything,
  saveZone,
  takeChanged,
  tryLockRollups,
} from './store.ts'

export {
  countsOfClasses,
  ENDED,
  firstVisitsWithin,
  LOW_STARS,
  MADE,
  markEverything,
  monthsOfMembers,
  VISITED,
  visitedBefore,
  wantedSpots,
} from './store.ts'

/** Maximum number of entries of the record of changes per transaction, each of a class or a customer with all of their reservations. */
const BATCH = 1_000
/** How many ids are compared in one statement. */
const RANGE = 5_000
/** How many of those that differ are named in the log. */
const NAMED = 20

/**
 * Derives at most `limit` changed entries in one transaction; returns their number. Entries are deleted before deriving: a change that
 * commits later has an entry of its own, which stays, so that reports count it from the reservations until the next run.
 */
export function refreshRollups(ctx: Ctx, limit = BATCH): Promise<number> {
  return ctx.tx(async (tx) => {
    if (!(await tryLockRollups(tx))) return 0
    await saveZone(tx, ctx.zone)
    const { taken, classes, customers } = await takeChanged(tx, limit)
    await deriveClasses(tx, classes)
    await deriveCustomers(tx, customers, ctx.zone)
    return taken
  })
}

/** Derives everything that is out of date; how many entries there were. */
export async function refreshAllRollups(ctx: Ctx): Promise<number> {
  let total = 0
  for (;;) {
    const count = await refreshRollups(ctx)
    if (count === 0) return total
    total += count
  }
}

/**
 * Derives everything again from the reservations, also what another process takes meanwhile. Reports count from the reservations
 * until then.
 */
export async function rebuildRollups(ctx: Ctx): Promise<void> {
  await ctx.tx(markEverything)
  while (await hasChanges(ctx.db)) if ((await refreshAllRollups(ctx)) === 0) await setTimeout(100)
}

async function inRanges(last: number, list: (range: IdRange) => Promise<number[]>): Promise<number[]> {
  const found: number[] = []
  for (let from = 1; from <= last; from += RANGE) found.push(...(await list({ from, to: from + RANGE - 1 })))
  return found
}

/** Compares the rollups that are not out of date with the reservations: the classes and customers that differ. */
export async function wrongRollups({ db, zone }: Pick<Ctx, 'db' | 'zone'>): Promise<{ classes: number[]; customers: number[] }> {
  const highest = await highestIds(db)
  return {
    classes: await inRanges(highest.classes, (range) => listWrongClasses(db, range)),
    customers: await inRanges(highest.customers, (range) => listWrongCustomers(db, range, zone)),
  }
}

/** Compares everything with the reservations, logs what differs and derives it again. */
export async function checkRollups(ctx: Ctx): Promise<{ classes: number[]; customers: number[] }> {
  await refreshAllRollups(ctx)
  const wrong = await wrongRollups(ctx)
  const { classes, customers } = wrong
  if (classes.length + customers.length === 0) return wrong
  const some = { some_classes: classes.slice(0, NAMED), some_customers: customers.slice(0, NAMED) }
  ctx.studio.log.error({ classes: classes.length, customers: customers.length, ...some }, 'rollups.differed')
  await ctx.tx(async (tx) => {
    await markClasses(tx, classes)
    await markCustomers(tx, customers)
  })
  await refreshAllRollups(ctx)
  return wrong
}
