/** Queries of the notes and tags of a customer. */
import { and, asc, count, desc, eq, inArray, isNull } from 'drizzle-orm'
import { CUSTOMER_TAG } from '#contract/customer-file.ts'
import { customerTag, tag } from '#server/modules/catalogue/tables.ts'
import { customer, customerNote, staff } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'

export type NoteRow = typeof customerNote.$inferSelect
type NoteChange = Partial<Pick<NoteRow, 'text' | 'pinned' | 'for_coaches' | 'updatedAt'>>

/** Locks a customer, so that counts about them stay correct; false when there is none or they were deleted. */
export async function lockCustomer(tx: Tx, customer_id: number): Promise<boolean> {
  const found = await tx
    .select({ customer_id: customer.customer_id })
    .from(customer)
    .where(and(eq(customer.customer_id, customer_id), isNull(customer.deletedAt)))
    .for('no key update')
  return found.length > 0
}

/** Notes with their authors' names: pinned ones first, then newest first. */
export async function listNotes(db: Reader, customer_id: number) {
  return db
    .select({
      customer_note_id: customerNote.customer_note_id,
      text: customerNote.text,
      pinned: customerNote.pinned,
      for_coaches: customerNote.for_coaches,
      author: staff.name,
      createdAt: customerNote.createdAt,
      updatedAt: customerNote.updatedAt,
    })
    .from(customerNote)
    .innerJoin(staff, eq(staff.staff_id, customerNote.staff_id))
    .where(eq(customerNote.customer_id, customer_id))
    .orderBy(desc(customerNote.pinned), desc(customerNote.createdAt), desc(customerNote.customer_note_id))
}

export async function countNotes(tx: Tx, customer_id: number): Promise<number> {
  return singleRow(await tx.select({ n: count() }).from(customerNote).where(eq(customerNote.customer_id, customer_id))).n
}

export async function findNote(tx: Tx, customer_id: number, customer_note_id: number): Promise<NoteRow | null> {
  const [found] = await tx
    .select()
    .from(customerNote)
    .where(and(eq(customerNote.customer_note_id, customer_note_id), eq(customerNote.customer_id, customer_id)))
  return found ?? null
}

export async function insertNote(tx: Tx, values: typeof customerNote.$inferInsert): Promise<NoteRow> {
  return singleRow(await tx.insert(customerNote).values(values).returning())
}

export async function updateNote(tx: Tx, customer_note_id: number, values: NoteChange): Promise<NoteRow> {
  return singleRow(await tx.update(customerNote).set(values).where(eq(customerNote.customer_note_id, customer_note_id)).returning())
}

export async function deleteNote(tx: Tx, customer_note_id: number): Promise<void> {
  await tx.delete(customerNote).where(eq(customerNote.customer_note_id, customer_note_id))
}

/** All tags that a customer can have, by name. */
export async function listCustomerTags(db: Reader) {
  return db.select().from(tag).where(eq(tag.type, CUSTOMER_TAG)).orderBy(asc(tag.name), asc(tag.tag_id))
}

/** A customer's tags, by name. */
export async function listTagsOf(db: Reader, customer_id: number) {
  return db
    .select({ tag_id: tag.tag_id, name: tag.name, type: tag.type, color: tag.color })
    .from(customerTag)
    .innerJoin(tag, eq(tag.tag_id, customerTag.tag_id))
    .where(eq(customerTag.customer_id, customer_id))
    .orderBy(asc(tag.name), asc(tag.tag_id))
}

/** Which of these ids are customer tags; locked until the transaction ends. */
export async function lockCustomerTags(tx: Tx, tag_ids: readonly number[]): Promise<number[]> {
  if (tag_ids.length === 0) return []
  const found = await tx
    .select({ tag_id: tag.tag_id })
    .from(tag)
    .where(and(inArray(tag.tag_id, [...tag_ids]), eq(tag.type, CUSTOMER_TAG)))
    .orderBy(asc(tag.tag_id))
    .for('key share')
  return found.map(({ tag_id }) => tag_id)
}

export async function replaceTags(tx: Tx, customer_id: number, tag_ids: readonly number[]): Promise<void> {
  await tx.delete(customerTag).where(eq(customerTag.customer_id, customer_id))
  if (tag_ids.length) await tx.insert(customerTag).values(tag_ids.map((tag_id) => ({ customer_id, tag_id })))
}

/** The names of some staff members, also of former ones. */
export async function listStaffNames(db: Reader, staff_ids: readonly number[]): Promise<ReadonlyMap<number, string>> {
  if (staff_ids.length === 0) return new Map()
  const rows = await db
    .select({ staff_id: staff.staff_id, name: staff.name })
    .from(staff)
    .where(inArray(staff.staff_id, [...new Set(staff_ids)]))
  return new Map(rows.map((row) => [row.staff_id, row.name]))
}
