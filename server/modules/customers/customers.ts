/** The customer's file for staff: profile, tags, notes (docs/domain.md, "Customers for the staff"). */
import type { CatalogueTag } from '#contract/catalogue.ts'
import { MOVEMENTS_PER_PAGE } from '#contract/credits.ts'
import { type CustomerNote, MAX_CUSTOMER_NOTES, MAX_CUSTOMER_TAGS } from '#contract/customer-file.ts'
import { refuse } from '#contract/errors.ts'
import { pageCount } from '#contract/paging.ts'
import type { ActUndo } from '#contract/undo-act.ts'
import { movementRows } from '#server/modules/bookings/bookings.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { customerById, recordUndo } from '#server/modules/people/people.ts'
import type { Tx } from '#server/platform/db.ts'
import { readFacts } from './facts.ts'
import {
  countNotes,
  deleteNote,
  findNote,
  insertNote,
  listCustomerTags,
  listNotes,
  listStaffNames,
  listTagsOf,
  lockCustomer,
  lockCustomerTags,
  type NoteRow,
  replaceTags,
  updateNote,
} from './store.ts'

export { activeCustomers } from './active.ts'
export { archiveCustomer, unarchiveCustomer } from './archive.ts'
export { eraseAtOnce, eraseImported } from './erasure.ts'
export { findCustomers } from './find.ts'
export { inviteCustomer } from './invite.ts'
export { listCustomerIds } from './list.ts'
export { addPastPurchase, erasePastPurchase } from './past-purchases.ts'
export { customersOfSegment, isInSegment, membersOfSegment } from './segments.ts'
export { refreshBeforeReading } from './summaries.ts'

const shownNote = ({ createdAt, updatedAt, ...note }: Awaited<ReturnType<typeof listNotes>>[number]): CustomerNote => ({
  ...note,
  createdAt: createdAt.toISOString(),
  updatedAt: updatedAt.toISOString(),
})

/** Reads a customer's file: GET /admin/customers/{customer_id}. NOT_FOUND. */
export async function fileOfCustomer(ctx: Ctx, { customer_id }: { customer_id: number }) {
  const record = await customerById(ctx.db, customer_id)
  const [about, notes, tags] = await Promise.all([readFacts(ctx, record), listNotes(ctx.db, customer_id), listTagsOf(ctx.db, customer_id)])
  return { ...about, archived_at: record.archivedAt?.toISOString() ?? null, notes: notes.map(shownNote), tags }
}

/** GET /admin/customers/{customer_id}/credit_movements. NOT_FOUND. */
export async function listCreditMovements(ctx: Ctx, { customer_id, page }: { customer_id: number; page: number }) {
  await customerById(ctx.db, customer_id)
  const { rows, total } = await movementRows(ctx, customer_id, page)
  const staffIdOf = (actor: string) => Number(actor.match(/^staff:(\d+)$/)?.[1] ?? 0)
  const names = await listStaffNames(
    ctx.db,
    rows.flatMap((row) => staffIdOf(row.actor) || []),
  )
  return {
    movements: rows.map(({ actor, ...row }) => ({ ...row, who: names.get(staffIdOf(actor)) ?? null })),
    total,
    pages: pageCount(total, MOVEMENTS_PER_PAGE),
  }
}

/** GET /admin/customer_tags: what a customer can be tagged with. */
export async function customerTags(ctx: Ctx): Promise<{ tags: CatalogueTag[] }> {
  return { tags: await listCustomerTags(ctx.db) }
}

/** Replaces a customer's tags (X2). NOT_FOUND, INVALID_INPUT. */
export async function tagCustomer(
  ctx: Ctx,
  input: { customer_id: number; tag_ids: readonly number[] },
): Promise<{ tags: CatalogueTag[]; undo: ActUndo | null }> {
  const { customer_id, tag_ids } = input
  return ctx.tx(async (tx) => {
    if (!(await lockCustomer(tx, customer_id))) throw refuse('NOT_FOUND')
    const known = await lockCustomerTags(tx, tag_ids)
    if (known.length < tag_ids.length)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'tag_ids', message: 'Esa etiqueta no es de clientes o ya no existe.' }] })
    const before = await listTagsOf(tx, customer_id)
    await replaceTags(tx, customer_id, known)
    const tags = await listTagsOf(tx, customer_id)
    const names = (of: readonly { name: string }[]) => of.map(({ name }) => name)
    if (names(before).join('\n') === names(tags).join('\n')) return { tags, undo: null }
    await auditTags(tx, ctx, customer_id, before, tags)
    const act = { kind: 'tags' as const, before: idsOf(before), after: idsOf(tags) }
    return { tags, undo: await recordUndo(tx, ctx, { customer_id, label: 'Se cambiaron las etiquetas de :name.', act }) }
  })
}

const idsOf = (tags: readonly { tag_id: number }[]) => tags.map(({ tag_id }) => tag_id)

/** Restores the tags of a customer from before one change (LA9). False, and nothing is written, when they changed since or one is gone. */
export async function takeBackTags(
  tx: Tx,
  ctx: Ctx,
  { customer_id, before, after }: { customer_id: number; before: readonly number[]; after: readonly number[] },
): Promise<boolean> {
  if (!(await lockCustomer(tx, customer_id))) return false
  const now = await listTagsOf(tx, customer_id)
  if (idsOf(now).join() !== after.join() || (await lockCustomerTags(tx, before)).length < before.length) return false
  await replaceTags(tx, customer_id, before)
  await auditTags(tx, ctx, customer_id, now, await listTagsOf(tx, customer_id))
  return true
}

/**
 * Adds a tag to a customer or removes it; other tags stay. False, and nothing is written, when that changes nothing, the
 * customer or the tag is gone, or they have the most tags already.
 */
export async function setCustomerTag(
  tx: Tx,
  ctx: Ctx,
  { customer_id, tag_id, has }: { customer_id: number; tag_id: number; has: boolean },
): Promise<boolean> {
  if (!(await lockCustomer(tx, customer_id))) return false
  const before = await listTagsOf(tx, customer_id)
  const ids = before.map((tag) => tag.tag_id)
  if (ids.includes(tag_id) === has) return false
  if (has && (ids.length >= MAX_CUSTOMER_TAGS || (await lockCustomerTags(tx, [tag_id])).length === 0)) return false
  await replaceTags(tx, customer_id, has ? [...ids, tag_id] : ids.filter((id) => id !== tag_id))
  await auditTags(tx, ctx, customer_id, before, await listTagsOf(tx, customer_id))
  return true
}

async function auditTags(
  tx: Tx,
  ctx: Ctx,
  customer_id: number,
  before: readonly { name: string }[],
  after: readonly { name: string }[],
): Promise<void> {
  const names = (of: readonly { name: string }[]) => of.map(({ name }) => name)
  await ctx.audit(tx, {
    action: 'customer.tags',
    entity: 'customer',
    entity_id: customer_id,
    before: { tags: names(before) },
    after: { tags: names(after) },
  })
}

const tracedNote = ({ text, pinned, for_coaches }: NoteRow) => ({ text, pinned, for_coaches })

async function auditNote(ctx: Ctx, tx: Tx, verb: 'add' | 'change' | 'remove', before: NoteRow | null, after: NoteRow | null) {
  await ctx.audit(tx, {
    action: `customer.note_${verb}`,
    entity: 'customer',
    entity_id: (after ?? before)?.customer_id ?? null,
    before: before && tracedNote(before),
    after: after && tracedNote(after),
  })
}

async function noteAnswer(tx: Tx, { customer_id, customer_note_id }: NoteRow): Promise<{ note: CustomerNote }> {
  const found = (await listNotes(tx, customer_id)).find((note) => note.customer_note_id === customer_note_id)
  if (!found) throw refuse('NOT_FOUND')
  return { note: shownNote(found) }
}

/** Adds a note about a customer, once per Idempotency-Key (X1). NOT_FOUND, INVALID_INPUT. */
export async function addNote(ctx: Ctx, input: { customer_id: number; text: string; pinned: boolean; for_coaches: boolean }) {
  const { staff } = ctx
  if (!staff) throw refuse('FORBIDDEN')
  return ctx.once('customers.add-note', input, async (tx) => {
    if (!(await lockCustomer(tx, input.customer_id))) throw refuse('NOT_FOUND')
    if ((await countNotes(tx, input.customer_id)) >= MAX_CUSTOMER_NOTES)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'text', message: 'Ya no caben más notas: borra alguna primero.' }] })
    const row = await insertNote(tx, { ...input, staff_id: staff.staff_id, createdAt: ctx.now, updatedAt: ctx.now })
    await auditNote(ctx, tx, 'add', null, row)
    return noteAnswer(tx, row)
  })
}

/** Writes a note of another system, dated as there (IM11). Null when the customer is gone or has the most notes already. */
export async function addImportedNote(
  tx: Tx,
  ctx: Ctx,
  { customer_id, text, staff_id, at }: { customer_id: number; text: string; staff_id: number; at: Date },
): Promise<number | null> {
  if (!(await lockCustomer(tx, customer_id)) || (await countNotes(tx, customer_id)) >= MAX_CUSTOMER_NOTES) return null
  const row = await insertNote(tx, { customer_id, text, staff_id, createdAt: at, updatedAt: at })
  await auditNote(ctx, tx, 'add', null, row)
  return row.customer_note_id
}

/** Deletes an imported note that has not been edited since the import. False when it was edited. */
export async function eraseImportedNote(tx: Tx, ctx: Ctx, input: { customer_id: number; customer_note_id: number }): Promise<boolean> {
  const before = await findNote(tx, input.customer_id, input.customer_note_id)
  if (!before) return true
  if (before.updatedAt.getTime() !== before.createdAt.getTime() || before.pinned || before.for_coaches) return false
  await deleteNote(tx, before.customer_note_id)
  await auditNote(ctx, tx, 'remove', before, null)
  return true
}

/** Changes the given fields of a note. NOT_FOUND, CHANGED_MEANWHILE. */
export async function changeNote(
  ctx: Ctx,
  input: {
    customer_id: number
    customer_note_id: number
    text?: string | undefined
    pinned?: boolean | undefined
    for_coaches?: boolean | undefined
    if_updatedAt?: string | null | undefined
  },
) {
  return ctx.tx(async (tx) => {
    if (!(await lockCustomer(tx, input.customer_id))) throw refuse('NOT_FOUND')
    const before = await findNote(tx, input.customer_id, input.customer_note_id)
    if (!before) throw refuse('NOT_FOUND')
    // The trail's entries about notes are of the customer.
    const stored = { entity: 'customer', id: input.customer_id, updatedAt: before.updatedAt, action: 'customer.note_change' }
    await assertUnchanged(tx, ctx, stored, input.if_updatedAt)
    const { text = before.text, pinned = before.pinned, for_coaches = before.for_coaches } = input
    if (text !== before.text || pinned !== before.pinned || for_coaches !== before.for_coaches) {
      const row = await updateNote(tx, before.customer_note_id, { text, pinned, for_coaches, updatedAt: ctx.now })
      await auditNote(ctx, tx, 'change', before, row)
    }
    return noteAnswer(tx, before)
  })
}

/** Removes a note; the audit row keeps its text. NOT_FOUND. */
export async function removeNote(ctx: Ctx, input: { customer_id: number; customer_note_id: number }): Promise<{ ok: true }> {
  return ctx.tx(async (tx) => {
    if (!(await lockCustomer(tx, input.customer_id))) throw refuse('NOT_FOUND')
    const before = await findNote(tx, input.customer_id, input.customer_note_id)
    if (!before) throw refuse('NOT_FOUND')
    await deleteNote(tx, before.customer_note_id)
    await auditNote(ctx, tx, 'remove', before, null)
    return { ok: true as const }
  })
}
