import { and, asc, count, desc, eq, gt, inArray, isNotNull, isNull, lte, or, sql } from 'drizzle-orm'
import { customer, staff } from '#server/modules/people/tables.ts'
import { prepared, type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import { acceptedPage, announcement, page, pageVersion } from './tables.ts'

export type PageRow = typeof page.$inferSelect
export type AcceptedRow = typeof acceptedPage.$inferSelect
export type AnnouncementRow = typeof announcement.$inferSelect

/** On the site: neither removed nor unpublished. */
const isOnSite = and(eq(page.published, true), isNull(page.deletedAt))

/** The pages on the site, in the order of the footer. */
export async function listPages(db: Reader): Promise<PageRow[]> {
  return db.select().from(page).where(isOnSite).orderBy(asc(page.sort), asc(page.page_id))
}

/** A page for staff, published or not, with the name of its last editor. */
export async function findPage(db: Reader, page_id: number): Promise<(PageRow & { by: string | null }) | null> {
  const [found] = await db
    .select({ page, by: staff.name })
    .from(page)
    .leftJoin(staff, eq(staff.staff_id, page.updated_by))
    .where(and(eq(page.page_id, page_id), isNull(page.deletedAt)))
  return found ? { ...found.page, by: found.by } : null
}

const acceptances = sql<number>`(select count(*)::int from accepted_page a join customer c on c.customer_id = a.customer_id
  where a.page_id = "page_version"."page_id" and a.version = "page_version"."version" and c."deletedAt" is null)`

/** The versions of a page, newest first; the one of this number only, if it is given. */
export function listPageVersions(db: Reader, page_id: number, version?: number) {
  return db
    .select({ row: pageVersion, by: staff.name, accepted: acceptances })
    .from(pageVersion)
    .leftJoin(staff, eq(staff.staff_id, pageVersion.staff_id))
    .where(and(eq(pageVersion.page_id, page_id), version === undefined ? undefined : eq(pageVersion.version, version)))
    .orderBy(desc(pageVersion.version))
}

/** How many customers can log in. */
export async function countAccounts(db: Reader): Promise<number> {
  return singleRow(
    await db
      .select({ n: count() })
      .from(customer)
      .where(and(isNotNull(customer.uid), isNull(customer.deletedAt))),
  ).n
}

export async function findPageBySlug(db: Reader, slug: string): Promise<PageRow | null> {
  const [found] = await db
    .select()
    .from(page)
    .where(and(eq(page.slug, slug), isOnSite))
  return found ?? null
}

/** Locks a page, so that accepting a version and replacing it cannot overlap. */
export async function lockPage(tx: Tx, page_id: number): Promise<PageRow | null> {
  const [found] = await tx
    .select()
    .from(page)
    .where(and(eq(page.page_id, page_id), isOnSite))
    .for('share')
  return found ?? null
}

/** A document: a page with a text that has to be accepted, at sign-up or before use (T2). */
const isDocument = and(or(eq(page.required, true), eq(page.required_signup, true)), isNotNull(page.content), isOnSite)

export async function listDocuments(db: Reader): Promise<PageRow[]> {
  return db.select().from(page).where(isDocument).orderBy(asc(page.sort), asc(page.page_id))
}

/** Documents whose current version this customer has not accepted (T3). */
export async function listPendingDocuments(db: Reader, customer_id: number): Promise<PageRow[]> {
  const rows = await db
    .select({ page })
    .from(page)
    .leftJoin(
      acceptedPage,
      and(eq(acceptedPage.page_id, page.page_id), eq(acceptedPage.version, page.version), eq(acceptedPage.customer_id, customer_id)),
    )
    .where(and(isDocument, isNull(acceptedPage.customer_id)))
    .orderBy(asc(page.sort), asc(page.page_id))
  return rows.map((row) => row.page)
}

const pendingTitles = prepared('content.pending', (on: Reader) =>
  on
    .select({ page_id: page.page_id, title: page.title })
    .from(page)
    .leftJoin(
      acceptedPage,
      and(
        eq(acceptedPage.page_id, page.page_id),
        eq(acceptedPage.version, page.version),
        eq(acceptedPage.customer_id, sql.placeholder('customer_id')),
      ),
    )
    .where(and(isDocument, isNull(acceptedPage.customer_id)))
    .orderBy(asc(page.sort), asc(page.page_id)),
)

/** The same without their texts, for every booking and purchase. */
export async function listPendingTitles(db: Reader, customer_id: number): Promise<{ page_id: number; title: string }[]> {
  return pendingTitles(db).execute({ customer_id })
}

/** Which of these customers have not accepted the current version of every document (T3). */
export async function listWithPendingDocuments(db: Reader, customer_ids: readonly number[]): Promise<number[]> {
  const documents = await db.select({ page_id: page.page_id }).from(page).where(isDocument)
  if (documents.length === 0 || customer_ids.length === 0) return []
  const complete = await db
    .select({ customer_id: acceptedPage.customer_id })
    .from(acceptedPage)
    .innerJoin(page, and(eq(page.page_id, acceptedPage.page_id), eq(page.version, acceptedPage.version)))
    .where(and(isDocument, inArray(acceptedPage.customer_id, [...customer_ids])))
    .groupBy(acceptedPage.customer_id)
    .having(eq(count(), documents.length))
  const isComplete = new Set(complete.map(({ customer_id }) => customer_id))
  return customer_ids.filter((id) => !isComplete.has(id))
}

/** Acceptances of the current versions. */
export async function listAccepted(db: Reader, customer_id: number): Promise<AcceptedRow[]> {
  const rows = await db
    .select({ accepted: acceptedPage })
    .from(acceptedPage)
    .innerJoin(page, and(eq(page.page_id, acceptedPage.page_id), eq(page.version, acceptedPage.version)))
    .where(eq(acceptedPage.customer_id, customer_id))
    .orderBy(asc(acceptedPage.page_id))
  return rows.map((row) => row.accepted)
}

/** Inserts acceptances; an existing one keeps its time, because it is the proof. */
export async function insertAccepted(tx: Tx, rows: (typeof acceptedPage.$inferInsert)[]): Promise<void> {
  if (rows.length) await tx.insert(acceptedPage).values(rows).onConflictDoNothing()
}

export async function findAccepted(db: Reader, of: { customer_id: number; page_id: number; version: number }): Promise<AcceptedRow | null> {
  const [found] = await db
    .select()
    .from(acceptedPage)
    .where(and(eq(acceptedPage.customer_id, of.customer_id), eq(acceptedPage.page_id, of.page_id), eq(acceptedPage.version, of.version)))
  return found ?? null
}

/** Creates or replaces a page by its slug; its version is incremented only when the text differs (T4). `content` is sanitised. */
export async function upsertPage(tx: Tx, values: Omit<typeof page.$inferInsert, 'page_id' | 'version'>): Promise<PageRow> {
  return singleRow(
    await tx
      .insert(page)
      .values(values)
      .onConflictDoUpdate({
        target: page.slug,
        targetWhere: isNull(page.deletedAt),
        set: {
          ...values,
          version: sql`${page.version} + case when ${page.content} is distinct from ${values.content ?? null} then 1 else 0 end`,
        },
      })
      .returning(),
  )
}

/** Pinned ones first, then the newest. */
export const announcementOrder = [
  desc(announcement.pinned),
  desc(sql`coalesce(${announcement.from}, ${announcement.createdAt})`),
  desc(announcement.announcement_id),
]

const isShownAt = (now: Date) =>
  and(or(isNull(announcement.from), lte(announcement.from, now)), or(isNull(announcement.until), gt(announcement.until, now)))

/** The announcements of this instant (T5). */
export async function listAnnouncements(db: Reader, now: Date): Promise<AnnouncementRow[]> {
  return db
    .select()
    .from(announcement)
    .where(isShownAt(now))
    .orderBy(...announcementOrder)
}

export async function findAnnouncement(db: Reader, announcement_id: number, now: Date): Promise<AnnouncementRow | null> {
  const [found] = await db
    .select()
    .from(announcement)
    .where(and(eq(announcement.announcement_id, announcement_id), isShownAt(now)))
  return found ?? null
}

/** Whether an announcement begins or ends to be shown after one instant, up to another. */
export async function isAnnouncementDue(db: Reader, after: Date, upTo: Date): Promise<boolean> {
  const within = (column: typeof announcement.from | typeof announcement.until) => and(gt(column, after), lte(column, upTo))
  const [found] = await db
    .select({ id: announcement.announcement_id })
    .from(announcement)
    .where(or(within(announcement.from), within(announcement.until)))
    .limit(1)
  return found !== undefined
}

/** `content` is sanitised. */
export async function insertAnnouncement(tx: Tx, values: typeof announcement.$inferInsert): Promise<AnnouncementRow> {
  return singleRow(await tx.insert(announcement).values(values).returning())
}
