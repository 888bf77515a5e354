/** Two records of one person become one, and are separated again (docs/domain.md X8 to X11). */
import type { MergeMove } from '#contract/copy/customer-merge.ts'
import { MERGE_MOVES, mergeObstacleSentences } from '#contract/copy/customer-merge.ts'
import {
  DUPLICATES_SHOWN,
  type Duplicate,
  MERGE_UNDO_HOURS,
  type MergeField,
  type MergeOutcome,
  type MergeProfile,
  type MergeRecord,
  type MergeSide,
} from '#contract/customer-merge.ts'
import { refuse } from '#contract/errors.ts'
import { formatInstant } from '#contract/time.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { dryRun } from '#server/modules/dry-run.ts'
import { type CustomerRow, isPhoneTaken, lockCustomerByEmail, updateCustomer } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import {
  addMoved,
  allowConsents,
  countCards,
  findLatestMerge,
  findRecord,
  hasLaterActivity,
  hasLaterMerge,
  insertDistinct,
  insertMerge,
  listCandidates,
  listObstacles,
  listRecords,
  lockBoth,
  lockMerge,
  markUndone,
  movedTables,
  moveMergedRecords,
  moveRows,
  restrictConsents,
  returnRows,
  setMergedInto,
} from './merge-store.ts'
import { differByOneSign } from './rules.ts'
import { refreshBeforeReading } from './summaries.ts'
import type { MergedColumns } from './tables.ts'

const MERGED_RECORDS = 'customer'
const UNDO_MS = MERGE_UNDO_HOURS * 3_600_000
const CONSENTS = 'message_consent.allowed'
/** How long after a merge a job moves what a request that had begun before still wrote. */
const STRAGGLERS_SECONDS = 60
export const STRAGGLERS_JOB = 'customers.merge-stragglers'

const shownRecord = (row: CustomerRow): MergeRecord => ({
  ...profileOf(row),
  customer_id: row.customer_id,
  has_account: row.uid !== null,
  createdAt: row.createdAt.toISOString(),
})
const profileOf = ({ name, last_name, email, phone, birthdate, instagram }: CustomerRow): MergeProfile => ({
  name,
  last_name,
  email,
  phone,
  birthdate,
  instagram,
})
const fullName = ({ name, last_name }: Pick<CustomerRow, 'name' | 'last_name'>): string => `${name} ${last_name}`.trim()

/** The columns of the remaining record after the merge; `files` are the photo and the identity document. */
function mergedColumns(remaining: CustomerRow, merge: CustomerRow, chosen: Partial<Record<MergeField, MergeSide | undefined>>) {
  const pick = <F extends MergeField>(field: F): CustomerRow[F] => {
    const side = chosen[field] ?? (remaining[field] === null || remaining[field] === '' ? 'merge' : 'keep')
    return (side === 'merge' ? merge : remaining)[field]
  }
  const chosenValues = {
    name: pick('name'),
    last_name: pick('last_name'),
    phone: pick('phone'),
    birthdate: pick('birthdate'),
    instagram: pick('instagram'),
  }
  // The account brings its own email: one logs in with it, and it is verified.
  const account =
    remaining.uid !== null
      ? { uid: remaining.uid, email: remaining.email }
      : merge.uid !== null
        ? { uid: merge.uid, email: merge.email }
        : { uid: null, email: pick('email') }
  const rest = {
    signup_reason: remaining.signup_reason ?? merge.signup_reason,
    signup_reason_other: remaining.signup_reason === null ? merge.signup_reason_other : remaining.signup_reason_other,
    language: remaining.language ?? merge.language,
    photo_file_id: remaining.photo_file_id ?? merge.photo_file_id,
    id_file_id: remaining.id_file_id ?? merge.id_file_id,
    is_frozen: remaining.is_frozen,
  }
  return { ...chosenValues, ...account, ...rest }
}

const undoColumns = (row: CustomerRow): MergedColumns => {
  const { uid, name, last_name, email, phone, birthdate, instagram } = row
  const { signup_reason, signup_reason_other, language, photo_file_id, id_file_id, is_frozen } = row
  return {
    uid,
    name,
    last_name,
    email,
    phone,
    birthdate,
    instagram,
    signup_reason,
    signup_reason_other,
    language,
    photo_file_id,
    id_file_id,
    is_frozen,
  }
}

/** Moves everything of `merge` to `remaining`: the keys and numbers of the rows, by table. */
async function moveAll(tx: Tx, merge: number, remaining: number) {
  const moved: Record<string, string[]> = {}
  const slots: Record<string, Record<string, number>> = {}
  for (const each of movedTables) {
    const done = await moveRows(tx, each, merge, remaining)
    if (done.keys.length > 0) moved[each.table] = done.keys
    if (Object.keys(done.slots).length > 0) slots[each.table] = done.slots
  }
  return { moved, slots }
}

function countMoves(moved: Readonly<Record<string, readonly string[]>>): MergeOutcome['moves'] {
  const counts = new Map<MergeMove, number>()
  for (const { table, kind } of movedTables) if (kind) counts.set(kind, (counts.get(kind) ?? 0) + (moved[table]?.length ?? 0))
  return MERGE_MOVES.flatMap((kind) => {
    const count = counts.get(kind) ?? 0
    return count > 0 ? [{ kind, count }] : []
  })
}

async function obstaclesOf(ctx: Ctx, tx: Tx, ids: { keep: number; merge: number }): Promise<MergeOutcome['obstacles']> {
  return (await listObstacles(tx, ids)).map(({ kind, name, starts_at, zone }) => {
    const what = starts_at === null ? name : `${name}, ${formatInstant(new Date(starts_at), zone ?? ctx.zone, 'class')}`
    return { kind, message: mergeObstacleSentences[kind](what) }
  })
}

interface MergeInput {
  keep_id: number
  merge_id: number
  values: Partial<Record<MergeField, MergeSide | undefined>>
}

async function merged(ctx: Ctx, tx: Tx, { keep_id, merge_id, values }: MergeInput): Promise<MergeOutcome> {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  const rows = await lockBoth(tx, [keep_id, merge_id])
  const [remaining, merge] = [keep_id, merge_id].map((id) => rows.find((row) => row.customer_id === id && row.deletedAt === null))
  if (!remaining || !merge) throw refuse('NOT_FOUND')
  const columns = mergedColumns(remaining, merge, values)
  const shown = {
    keep: shownRecord(remaining),
    merge: shownRecord(merge),
    profile: profileOf({ ...remaining, ...columns }),
  }
  const obstacles = await obstaclesOf(ctx, tx, { keep: keep_id, merge: merge_id })
  if (obstacles.length > 0) return { ...shown, customer_merge_id: null, undo_until: null, moves: [], lost_cards: 0, obstacles }

  const { moved, slots } = await moveAll(tx, merge_id, keep_id)
  const withdrawn = await restrictConsents(tx, { keep: keep_id, merge: merge_id })
  if (withdrawn.length > 0) slots[CONSENTS] = Object.fromEntries(withdrawn.map((channel) => [channel, 1]))
  const earlier = await moveMergedRecords(tx, merge_id, keep_id)
  if (earlier.length > 0) moved[MERGED_RECORDS] = earlier.map(String)
  // The record that goes first, since email, telephone and account are unique.
  await updateCustomer(tx, merge_id, {
    deletedAt: ctx.now,
    merged_into: keep_id,
    updatedAt: ctx.now,
    ...(columns.uid === merge.uid ? { uid: null } : {}),
  })
  await updateCustomer(tx, keep_id, { ...columns, updatedAt: ctx.now })
  const profiles = { keep: undoColumns(remaining), merge: undoColumns(merge) }
  const row = await insertMerge(tx, {
    keep_id,
    merge_id,
    staff_id: staff.staff_id,
    moved,
    slots,
    profiles,
    createdAt: ctx.now,
  })
  const entry = { entity: 'customer' as const, before: { merged: profileOf(merge), kept: profileOf(remaining) } }
  await ctx.audit(tx, {
    ...entry,
    action: 'customer.merge',
    entity_id: keep_id,
    after: { merged: fullName(merge), customer_id: merge_id, ...shown.profile },
  })
  await ctx.audit(tx, {
    entity: 'customer' as const,
    action: 'customer.merged_into' as const,
    entity_id: merge_id,
    after: { kept: fullName(remaining), customer_id: keep_id },
  })
  await tx.send({
    name: STRAGGLERS_JOB,
    data: { customer_merge_id: row.customer_merge_id },
    startAfter: new Date(ctx.now.getTime() + STRAGGLERS_SECONDS * 1_000),
  })
  for (const uid of [remaining.uid, merge.uid]) tx.notify({ topic: 'people', ...(uid ? { uid } : {}) })
  return {
    ...shown,
    customer_merge_id: row.customer_merge_id,
    undo_until: new Date(ctx.now.getTime() + UNDO_MS).toISOString(),
    moves: countMoves(moved),
    lost_cards: await countCards(tx, merge_id),
    obstacles,
  }
}

/** POST /admin/customers/merge. NOT_FOUND, MERGE_REFUSED. */
export async function mergeCustomers(ctx: Ctx, input: MergeInput & { dry_run: boolean }): Promise<MergeOutcome> {
  if (input.dry_run) {
    const outcome = await dryRun(ctx, (tx) => merged(ctx, tx, input))
    return { ...outcome, customer_merge_id: null, undo_until: null }
  }
  return ctx.once('customers.merge', input, async (tx) => {
    const outcome = await merged(ctx, tx, input)
    if (outcome.obstacles.length > 0) throw refuse('MERGE_REFUSED', { reasons: outcome.obstacles.map(({ message }) => message).join(' ') })
    return outcome
  })
}

/** Moves what a request that had begun before a merge still wrote for the merged record. */
export async function moveStragglers(ctx: Ctx, { customer_merge_id }: { customer_merge_id: number }): Promise<void> {
  await ctx.tx(async (tx) => {
    const row = await lockMerge(tx, customer_merge_id)
    if (!row || row.undoneAt) return
    await lockBoth(tx, [row.keep_id, row.merge_id])
    if ((await listObstacles(tx, { keep: row.keep_id, merge: row.merge_id })).length > 0) return
    const { moved, slots } = await moveAll(tx, row.merge_id, row.keep_id)
    if (Object.keys(moved).length > 0) await addMoved(tx, row, moved, slots)
  })
}

/** POST /admin/customers/merge/{customer_merge_id}/undo. NOT_FOUND, UNDO_TOO_LATE, MERGE_CHANGED. */
export async function separateCustomers(ctx: Ctx, { customer_merge_id }: { customer_merge_id: number }): Promise<{ merge_id: number }> {
  return ctx.once('customers.separate', { customer_merge_id }, async (tx) => {
    const row = await lockMerge(tx, customer_merge_id)
    if (!row || row.undoneAt) throw refuse('NOT_FOUND')
    if (ctx.now.getTime() > row.createdAt.getTime() + UNDO_MS) throw refuse('UNDO_TOO_LATE')
    const { keep_id, merge_id, createdAt, profiles } = row
    if (!profiles) throw refuse('MERGE_CHANGED')
    const both = await lockBoth(tx, [keep_id, merge_id])
    const remaining = both.find((remaining) => remaining.customer_id === keep_id)
    const isAsMerged = remaining?.deletedAt === null && remaining.updatedAt.getTime() === createdAt.getTime()
    if (!isAsMerged || (await hasLaterActivity(tx, keep_id, createdAt)) || (await hasLaterMerge(tx, keep_id, createdAt)))
      throw refuse('MERGE_CHANGED')

    let count = 0
    for (const each of movedTables) {
      const keys = row.moved[each.table] ?? []
      count += await returnRows(tx, each, { from: keep_id, to: merge_id, keys, slots: row.slots[each.table] ?? {} })
    }
    if (count > 0) throw refuse('MERGE_CHANGED')
    await allowConsents(tx, keep_id, Object.keys(row.slots[CONSENTS] ?? {}))
    await setMergedInto(tx, (row.moved[MERGED_RECORDS] ?? []).map(Number), merge_id)
    await updateCustomer(tx, keep_id, { ...profiles.keep, updatedAt: ctx.now })
    const { email, phone } = profiles.merge
    if ((email && (await lockCustomerByEmail(tx, email))) || (phone && (await isPhoneTaken(tx, phone)))) throw refuse('MERGE_CHANGED')
    await updateCustomer(tx, merge_id, { ...profiles.merge, deletedAt: null, merged_into: null, updatedAt: ctx.now })
    await markUndone(tx, customer_merge_id, ctx.now)
    const names = await listRecords(tx, [keep_id, merge_id])
    const other = names.get(merge_id)
    await ctx.audit(tx, {
      action: 'customer.separate' as const,
      entity: 'customer' as const,
      entity_id: keep_id,
      after: { merged: other ? fullName(other) : null, customer_id: merge_id },
    })
    for (const uid of [profiles.keep.uid, profiles.merge.uid]) tx.notify({ topic: 'people', ...(uid ? { uid } : {}) })
    return { merge_id }
  })
}

/** GET /admin/customers/{customer_id}/merge. NOT_FOUND: neither a customer nor merged into one. */
export async function mergeState(ctx: Ctx, { customer_id }: { customer_id: number }) {
  const [record, latest] = await Promise.all([
    findRecord(ctx.db, customer_id),
    findLatestMerge(ctx.db, customer_id, new Date(ctx.now.getTime() - UNDO_MS)),
  ])
  if (!record || (record.deletedAt && record.merged_into === null)) throw refuse('NOT_FOUND')
  const { merged_into } = record
  if (!latest?.profiles) return { merged_into, undoable: null }
  const { customer_merge_id, profiles, createdAt } = latest
  const undo_until = new Date(createdAt.getTime() + UNDO_MS).toISOString()
  return { merged_into, undoable: { customer_merge_id, name: fullName(profiles.merge), undo_until } }
}

/** Pairs that the database proposes; of those with a similar email only some are duplicates. */
const CANDIDATES = 5_000

/** GET /admin/customers/duplicates (X11). */
export async function duplicateCustomers(ctx: Ctx): Promise<{ duplicates: Duplicate[]; total: number }> {
  await refreshBeforeReading(ctx)
  const candidates = await listCandidates(ctx.db, CANDIDATES)
  const records = await listRecords(
    ctx.db,
    candidates.flatMap(({ first, second }) => [first, second]),
  )
  const found = candidates.flatMap(({ first, second, same_name, same_birthday }): Duplicate[] => {
    const [firstRecord, other] = [records.get(first), records.get(second)]
    if (!firstRecord || !other) return []
    const reasons: Duplicate['reasons'] = []
    if (same_name) reasons.push('name')
    if (same_birthday) reasons.push('birthday')
    if (firstRecord.email && other.email && differByOneSign(firstRecord.email, other.email)) reasons.push('email')
    return reasons.length > 0 ? [{ reasons, customers: [shownRecord(firstRecord), shownRecord(other)] }] : []
  })
  found.sort((first, other) => other.reasons.length - first.reasons.length)
  return { duplicates: found.slice(0, DUPLICATES_SHOWN), total: found.length }
}

/** POST /admin/customers/duplicates/distinct. NOT_FOUND. */
export async function markDistinct(ctx: Ctx, { customer_ids }: { customer_ids: number[] }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    const [lower = 0, higher = 0] = [...customer_ids].sort((first, other) => first - other)
    const rows = (await lockBoth(tx, [lower, higher])).filter((row) => row.deletedAt === null)
    const [first, other] = rows
    if (!first || !other) throw refuse('NOT_FOUND')
    if (await insertDistinct(tx, lower, higher, ctx.now))
      await ctx.audit(tx, {
        action: 'customer.distinct',
        entity: 'customer',
        entity_id: lower,
        after: { other: fullName(other), customer_id: higher },
      })
    return { ok: true as const }
  })
}
