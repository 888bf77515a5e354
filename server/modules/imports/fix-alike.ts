/** Rows of an import with the same question, answered at once (docs/domain.md IM3, IM4). */
import { refuse } from '#contract/errors.ts'
import { IMPORT_ROWS_PER_PAGE, type ImportField, type ImportRow, type ImportView } from '#contract/imports.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { questionOf } from './check.ts'
import { checkAll } from './check-import.ts'
import { serializeRows } from './import-rows.ts'
import { getImport, lockIn, readImport } from './imports.ts'
import { findRow, type ImportRowRow, listOpenRows, listRowsAt, updateRow } from './store.ts'

interface Answer {
  import_id: number
  n: number
  use: 'suggestion' | 'merge' | 'new' | 'skip'
}

/** PUT /admin/imports/{id}/rows/{n}/alike. NOT_FOUND, IMPORT_STATE. */
export async function fixAlike(
  ctx: Ctx,
  { import_id, n, use }: Answer,
): Promise<{ changed: number; rows: ImportRow[]; import: ImportView }> {
  const changed = await ctx.tx(async (tx) => {
    await lockIn(tx, import_id, 'draft')
    const row = await findRow(tx, import_id, n)
    const question = row && questionOf(row)
    if (!row || question === null) throw refuse('NOT_FOUND')
    const alike = (await listOpenRows(tx, import_id)).filter((open) => questionOf(open) === question)
    const answered: number[] = []
    for (const customer of alike) if (await answer(tx, import_id, customer, use)) answered.push(customer.n)
    if (answered.length > 0) await checkAll(tx, ctx, import_id)
    return answered
  })
  const rows = await listRowsAt(ctx.db, import_id, changed.slice(0, IMPORT_ROWS_PER_PAGE))
  return {
    changed: changed.length,
    rows: await serializeRows(ctx, await getImport(ctx.db, import_id), rows),
    import: await readImport(ctx, { import_id }),
  }
}

async function answer(tx: Tx, import_id: number, { n, state, fixes, issues }: ImportRowRow, use: Answer['use']): Promise<boolean> {
  if (use === 'suggestion') {
    const [issue] = issues
    if (state !== 'error' || !issue || issue.suggestion === null) return false
    await updateRow(tx, import_id, n, { fixes: { ...fixes, [issue.field as ImportField]: issue.suggestion } })
    return true
  }
  // What is wrong with a row is no duplicate to decide about.
  if (use !== 'skip' && state !== 'duplicate') return false
  await updateRow(tx, import_id, n, { decision: use })
  return true
}
