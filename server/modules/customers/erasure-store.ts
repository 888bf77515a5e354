/**
 * Queries of erasing a person's data (docs/domain.md X12 to X14). Every table with a column `customer_id` is in `erasedTables` or in
 * `untouchedTables`; a test compares both with the schema.
 */
import { and, eq, isNull, lte, type SQL, sql } from 'drizzle-orm'
import { ERASED_NAME, type ErasureObstacle } from '#contract/copy/customer-erasure.ts'
import { staff } from '#server/modules/people/tables.ts'
import { MONEY_REASONS } from '#server/modules/sales/gift-card-tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { deleteOutboxOf, eraseNames, findKnownBy, type KnownBy } from './erasure-names.ts'
import { customerErasure } from './tables.ts'

export type ErasureRow = typeof customerErasure.$inferSelect

const EMPTY_ROW = `cells = '[]', fixes = '{}', person = null, record = null, issues = '[]', match = null, undo = null`

/** What is done with the rows of a customer, in this order: deleted, or their texts emptied. */
export const erasedTables: Readonly<Record<string, { delete: true } | { set: string }>> = {
  address: { delete: true },
  fiscal_profile: { delete: true },
  calendar_feed: { delete: true },
  customer_note: { delete: true },
  customer_tag: { delete: true },
  staff_undo: { delete: true },
  past_purchase: { delete: true },
  past_visit: { delete: true },
  pending_subscription: { delete: true },
  form_answer: { delete: true },
  accepted_page: { delete: true },
  message_consent: { delete: true },
  message: { delete: true },
  playback: { delete: true },
  favorite: { delete: true },
  video_rating: { delete: true },
  purchase_visit: { delete: true },
  // An id at another system may be a name or an email; the row of the file has everything.
  external_ref: { delete: true },
  external_record: { delete: true },
  import_row: { set: EMPTY_ROW },
  // Bytes and row go with the clean-up of deleted files.
  file: { set: `name = 'archivo', "deletedAt" = coalesce("deletedAt", :now)` },
  class_reservation: {
    set: `comment = null, excuse = case when excuse is not null then 'Justificada' end, guest = case when guest is not null then 'Invitado' end`,
  },
  class_reservation_penalty: {
    set: `reason = 'Penalización', forgive_reason = case when forgive_reason is not null then 'Perdonada' end`,
  },
  payment_source: {
    set: `card_type = 'Tarjeta', last_digits = '00', exp = null, fingerprint = null, "deletedAt" = coalesce("deletedAt", :now)`,
  },
  purchase: { set: 'cancel_reason = null, note = null' },
  gift_card_order: { set: 'recipient_name = null, recipient_email = null, message = null' },
  sale: { set: `note = null, owe_reason = case when owe_reason is not null then 'Adeudo' end` },
  customer_erasure: { set: `reason = 'Borrado'` },
  credit_movement: { set: 'reason = null' },
  // The audit trail keeps action, time and author.
  audit: { set: 'before = null, after = null, reason = null' },
}

const OWN_PURCHASE = 'purchase_id in (select purchase_id from purchase where customer_id = :id)'
const OWN_SALE = 'sale_id in (select sale_id from sale where customer_id = :id)'
/** What tasks of Hoy are about, by their kinds, where that is of a customer. */
export const taskSubjects: readonly (readonly [kinds: string, subjects: string])[] = [
  ['credits_ending,document,message_failed', 'select :id'],
  ['cash_due,renewal,voucher', 'select purchase_id from purchase where customer_id = :id'],
  ['spot_due,spot_debt', 'select class_reservation_id from class_reservation where customer_id = :id'],
  ['first_class,birthday', 'select single_class_id from class_reservation where customer_id = :id'],
  ['invoice_cancelled,invoice_unstamped', 'select fiscal_document_id from fiscal_document where customer_id = :id'],
  ['debt', 'select sale_id from sale where customer_id = :id'],
  ['transfer', `select sale_payment_id from sale_payment where ${OWN_SALE}`],
  ['refund_due,discrepancy', `select money_difference_id from money_difference where ${OWN_PURCHASE}`],
]
const OWN_TASKS = taskSubjects
  .map(
    ([kinds, subjects]) =>
      `select kind || '-' || subject from unnest(string_to_array('${kinds}', ',')) as kind cross join (${subjects}) as of_customer (subject)`,
  )
  .join(' union all ')
const FOLLOWING_MONEY = Object.values(MONEY_REASONS)
  .map((reason) => `'${reason}'`)
  .join(', ')

/**
 * Entries of the trail at another record that name this one; those from before its number was recorded, by the records that it was
 * merged with.
 */
const OF_THE_OTHER = `coalesce(after ->> 'customer_id', ':id') = ':id' and (
  action in ('customer.merge', 'customer.merged_into', 'customer.separate') and entity_id in (
    select keep_id::text from customer_merge where merge_id = :id union select merge_id::text from customer_merge where keep_id = :id)
  or action = 'customer.distinct' and entity_id in (select lower_id::text from customer_distinct where higher_id = :id))`

/** Texts that staff wrote about a customer in rows which name only their purchase, sale or reservation. */
export const erasedThrough: Readonly<Record<string, { set: string; where: string }>> = {
  refund: { set: `reason = 'Devolución'`, where: OWN_PURCHASE },
  sale_line: {
    set: `price_reason = case when price_reason is not null then 'Ajuste' end, over_limit_reason = case when over_limit_reason is not null then 'Ajuste' end`,
    where: OWN_SALE,
  },
  // The reference of a payment by gift card is the end of its code.
  sale_payment: {
    set: `decide_reason = case when decide_reason is not null then 'Borrado' end, reference = case when gift_card_id is not null then reference end`,
    where: `coalesce(decide_reason, reference) is not null and ${OWN_SALE}`,
  },
  invoice: { set: 'reference = null', where: `customer_id = :id and reference is not null and gateway <> 'regalo'` },
  // One that was never stamped is no tax document.
  fiscal_document: {
    set: `signed_xml = '', draft = jsonb_set(draft, '{receiver}', (draft -> 'receiver') || '{"rfc": "XAXX010101000", "name": "BORRADO", "postalCode": "00000"}')`,
    where: `customer_id = :id and state = 'refused'`,
  },
  // What follows the money of the card's sale is the product's text, and read again.
  gift_card_movement: {
    set: `reason = 'Ajuste'`,
    where: `reason is not null and reason not in (${FOLLOWING_MONEY}) and gift_card_id in (select gift_card_id from gift_card where ${OWN_PURCHASE})`,
  },
  // An entry about a task names no customer; one about a merge, or about two different people, is of one record and names the other.
  audit: {
    set: 'before = null, after = null, reason = null',
    where: `(entity = 'task' and reason is not null and entity_id in (${OWN_TASKS})) or (entity = 'customer' and ${OF_THE_OTHER})`,
  },
  task_state: { set: `reason = 'Hecha'`, where: `reason is not null and task_id in (${OWN_TASKS})` },
  // Only the job for a change to one record: the reason of a bulk change names no customer.
  bulk_job: {
    set: `reason = 'Borrado'`,
    where: `reason is not null and total = 1 and bulk_job_id in (select i.bulk_job_id from bulk_item i join bulk_job j using (bulk_job_id)
      where case when j.action ~ '^(tags|credits|customers)[.]' then i.item_id = :id
        when j.action ~ '^reservations[.]' then i.item_id in (select class_reservation_id from class_reservation where customer_id = :id)
        else i.item_id in (select purchase_id from purchase where customer_id = :id) end)`,
  },
}

/** Tables whose rows of the customer stay unchanged, and why. */
export const untouchedTables: Readonly<Record<string, string>> = {
  available_class: 'Credits, without a name.',
  broadcast_recipient: 'That they were written to, without a name or text.',
  cash_payment: 'Money.',
  class_refusal: 'Attendance, without a name.',
  customer_change: 'Queue of summaries; holds ids only.',
  customer_summary: 'Derived; the trigger of the customer removes it.',
  discount_use: 'Money.',
  fiscal_document: 'The law asks for tax documents for five years; those that were never stamped are in `erasedThrough`.',
  invoice: 'Money; its free text is in `erasedThrough`.',
  provider_customer: 'Later notices of the processor about refunds and disputes name it.',
  rollup_change: 'Queue of rollups; holds ids only.',
  sandbox_customer: 'The test processor.',
  visit_first: 'Derived from attendance, without a name.',
  visit_month: 'Derived from attendance, without a name.',
  waitlist: 'Attendance, without a name.',
}

/** What prevents erasing the data of a customer, with what it is about. Debts are the caller's. */
export async function listErasureObstacles(
  db: Reader,
  customer_id: number,
  now: Date,
): Promise<{ kind: Exclude<ErasureObstacle, 'debt'>; name: string; starts_at: string | null; zone: string | null }[]> {
  const ofClass = sql.raw(
    'join single_class c using (single_class_id) join class_type y using (class_type_id) join location l using (location_id)',
  )
  const { rows } = await db.execute<{
    kind: Exclude<ErasureObstacle, 'debt'>
    name: string
    starts_at: string | null
    zone: string | null
  }>(sql`
    select 'subscription' as kind, p.title as name, null as starts_at, null as zone from purchase p
      where p.customer_id = ${customer_id} and p.is_subscription and p.status = 'active'
    union all
    select 'subscription', k.title, null, null from pending_subscription n join class_package k using (class_package_id)
      where n.customer_id = ${customer_id} and n.payment_source_id is not null and n.purchase_id is null and n."cancelledAt" is null
    union all
    select 'open_purchase', p.title, null, null from purchase p where p.customer_id = ${customer_id} and p.status = 'pending'
    union all
    select 'booked', y.name, c.starts_at::text, l.timezone from class_reservation r ${ofClass}
      where r.customer_id = ${customer_id} and r."deletedAt" is null and r.host_reservation_id is null and c.starts_at > ${now.toISOString()}
    union all
    select 'waiting', y.name, c.starts_at::text, l.timezone from waitlist w ${ofClass}
      where w.customer_id = ${customer_id} and w.status in ('waiting', 'offered') and c.starts_at > ${now.toISOString()}`)
  return rows
}

/** The pending erasure of a customer, with the name of its requester. */
export async function findPendingErasure(db: Reader, customer_id: number): Promise<(ErasureRow & { by: string }) | null> {
  const [row] = await db
    .select({ erasure: customerErasure, by: staff.name })
    .from(customerErasure)
    .innerJoin(staff, eq(staff.staff_id, customerErasure.staff_id))
    .where(and(eq(customerErasure.customer_id, customer_id), isNull(customerErasure.endedAt)))
  return row ? { ...row.erasure, by: row.by } : null
}

export async function listDueErasures(db: Reader, now: Date): Promise<ErasureRow[]> {
  return db
    .select()
    .from(customerErasure)
    .where(and(isNull(customerErasure.endedAt), lte(customerErasure.finalAt, now)))
    .orderBy(customerErasure.customer_erasure_id)
    .limit(20)
}

export async function insertErasure(tx: Tx, values: typeof customerErasure.$inferInsert): Promise<ErasureRow> {
  return singleRow(await tx.insert(customerErasure).values(values).returning())
}

/** Ends a pending erasure; false when another request ended it first. */
export async function endErasure(
  tx: Tx,
  customer_erasure_id: number,
  values: { outcome: 'erased' | 'withdrawn' | 'stopped'; endedAt: Date },
): Promise<boolean> {
  const rows = await tx
    .update(customerErasure)
    .set(values)
    .where(and(eq(customerErasure.customer_erasure_id, customer_erasure_id), isNull(customerErasure.endedAt)))
    .returning()
  return rows.length > 0
}

/** The customer and the records that were merged into it, with what identifies the person elsewhere. */
export async function listRecordsOf(
  db: Reader,
  customer_id: number,
): Promise<{ customer_id: number; uid: string | null; email: string | null; phone: string | null }[]> {
  const { rows } = await db.execute<{ customer_id: number; uid: string | null; email: string | null; phone: string | null }>(
    sql`select customer_id, uid, email, phone from customer where customer_id = ${customer_id} or merged_into = ${customer_id}`,
  )
  return rows
}

/** Empties or deletes everything that identifies a customer; the row itself stays, deleted and without a name. */
export async function eraseRecord(
  tx: Tx,
  { customer_id, email, phone }: { customer_id: number; email: string | null; phone: string | null },
  now: Date,
): Promise<void> {
  // First, while the trail and the messages say where they were reached earlier.
  const known = await findKnownBy(tx, { customer_id, email, phone })
  await deleteOutboxOf(tx, customer_id, known)
  await deleteStaffMessagesNaming(tx, customer_id)
  await eraseNames(tx, customer_id, known)
  for (const [table, how] of Object.entries(erasedTables))
    if ('delete' in how) await tx.execute(sql`delete from ${sql.raw(table)} where customer_id = ${customer_id}`)
    else {
      const parts = how.set.split(':now').map((part) => sql.raw(part))
      await tx.execute(sql`update ${sql.raw(table)} set ${sql.join(parts, sql`${now.toISOString()}`)} where customer_id = ${customer_id}`)
    }
  for (const [table, { set, where }] of Object.entries(erasedThrough))
    await tx.execute(sql`update ${sql.raw(table)} set ${sql.raw(set)} where ${sql.raw(where.replaceAll(':id', String(customer_id)))}`)
  await tx.execute(sql`delete from customer_merge where ${customer_id} in (keep_id, merge_id)`)
  await tx.execute(sql`delete from customer_distinct where ${customer_id} in (lower_id, higher_id)`)
  await tx.execute(sql`delete from push_device where uid = (select c.uid from customer c where c.customer_id = ${customer_id})`)
  await deleteAnswersAbout(tx, customer_id, known)
  await emptyRowsAbout(tx, customer_id, known)
  // Gift cards that another customer sent to this one.
  for (const address of known.emails)
    await tx.execute(
      sql`update gift_card_order set recipient_name = null, recipient_email = null, message = null where lower(recipient_email) = lower(${address})`,
    )
  await tx.execute(sql`
    update customer set uid = null, name = ${ERASED_NAME.name}, last_name = ${ERASED_NAME.last_name}, email = null, phone = null, birthdate = null,
      instagram = null, signup_reason = null, signup_reason_other = null, language = null, photo_file_id = null, id_file_id = null,
      "deletedAt" = coalesce("deletedAt", ${now.toISOString()}), "updatedAt" = ${now.toISOString()}
    where customer_id = ${customer_id}`)
}

/**
 * Deletes the stored answers of repeated requests that are theirs, or that name them by number, an email or a telephone, such as those of a
 * merge. Repeating such a request has no effect: its customer is deleted.
 */
async function deleteAnswersAbout(tx: Tx, customer_id: number, { emails, phones }: KnownBy): Promise<void> {
  await tx.execute(sql`
    delete from idempotency where actor = (select c.uid from customer c where c.customer_id = ${customer_id})
      or answer @? ${`$.**.customer_id ? (@ == ${customer_id})`}::jsonpath`)
  for (const text of [...emails, ...phones])
    await tx.execute(sql`delete from idempotency where position(lower(${text}) in lower(answer::text)) > 0`)
}

/**
 * Empties rows of finished imports that neither created nor changed a customer (skipped, invalid, duplicate) and that have an email or
 * telephone of the customer or were matched to the customer.
 */
async function emptyRowsAbout(tx: Tx, customer_id: number, { emails, phones }: KnownBy): Promise<void> {
  const about: SQL[] = [
    sql`r.match ->> 'customer_id' = ${String(customer_id)}`,
    ...emails.map((email) => sql`position(lower(${email}) in lower(concat(r.cells, r.person, r.record))) > 0`),
    ...phones.map((phone) => sql`position(${phone} in concat(regexp_replace(r.cells::text, '[ ()+.-]', '', 'g'), r.person, r.record)) > 0`),
  ]
  await tx.execute(sql`
    update import_row r set ${sql.raw(EMPTY_ROW)} from import j
    where j.import_id = r.import_id and j.state in ('done', 'undone') and r.customer_id is null and (${sql.join(about, sql` or `)})`)
}

/**
 * Deletes messages to staff with the full name of a customer, such as "Ana López tiene un adeudo". Signs of the sentence and of JSON
 * count as spaces.
 */
async function deleteStaffMessagesNaming(tx: Tx, customer_id: number): Promise<void> {
  const words = (text: SQL) => sql`' ' || translate(${text}, '".,:;()[]{}', '           ') || ' '`
  await tx.execute(sql`
    delete from message m using customer c
    where c.customer_id = ${customer_id} and m.staff_id is not null
      and position(${words(sql`concat_ws(' ', c.name, nullif(c.last_name, ''))`)} in ${words(sql`m.words::text`)}) > 0`)
}

/** Deletes the row of an erased customer, to which nothing refers. */
export async function deleteRecord(tx: Tx, customer_id: number): Promise<void> {
  await tx.execute(sql`delete from customer where customer_id = ${customer_id} and "deletedAt" is not null`)
}
