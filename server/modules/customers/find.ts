import type { FoundCustomer } from '#contract/search.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { searchPatterns, searchWords } from '#server/platform/search.ts'
import { refreshLatest } from './summaries.ts'
import { searchSummaries } from './summary-store.ts'

/** Minimum length of a search: fewer characters match nearly every customer. */
const MIN_CHARACTERS = 2

/** Customers whose name, telephone or e-mail has the typed words; those whose name begins with the first word come first. */
export async function findCustomers(ctx: Ctx, typed: string, limit: number): Promise<FoundCustomer[]> {
  const [first = ''] = searchWords(typed)
  const patterns = searchPatterns(typed)
  if (patterns.every((pattern) => pattern.length < MIN_CHARACTERS + 2)) return []
  await refreshLatest(ctx)
  return searchSummaries(ctx.db, { first, patterns, limit })
}
