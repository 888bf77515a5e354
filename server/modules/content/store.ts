import { and, asc, desc, eq, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { only, prepared, type Reader, type Tx } from '#server/platform/db.ts'
import { acceptedPage, announcement, page } from './tables.ts'

export type PageRow = typeof page.$inferSelect
export type AcceptedRow = typeof acceptedPage.$inferSelect
export type AnnouncementRow = typeof announcement.$inferSelect

/** Pages that were not removed, oldest first, which is the order of the footer. */
export async function listPages(db: Reader): Promise<PageRow[]> {
  return db.select().from(page).where(isNull(page.deletedAt)).orderBy(asc(page.page_id))
}

export async function findPageBySlug(db: Reader, slug: string): Promise<PageRow | null> {
  const [found] = await db
    .select()
    .from(page)
    .where(and(eq(page.slug, slug), isNull(page.deletedAt)))
  return found ?? null
}

/** Locks a page, so that accepting a version and replacing it cannot overlap. */
export async function lockPage(tx: Tx, page_id: number): Promise<PageRow | null> {
  const [found] = await tx
    .select()
    .from(page)
    .where(and(eq(page.page_id, page_id), isNull(page.deletedAt)))
    .for('share')
  return found ?? null
}

/** A document: a page with a text that has to be accepted, at sign-up or before use (T2). */
const isDocument = and(or(eq(page.required, true), eq(page.required_signup, true)), isNotNull(page.content), isNull(page.deletedAt))

export async function listDocuments(db: Reader): Promise<PageRow[]> {
  return db.select().from(page).where(isDocument).orderBy(asc(page.page_id))
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
    .orderBy(asc(page.page_id))
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
    .orderBy(asc(page.page_id)),
)

/** The same without their texts, for every booking and purchase. */
export async function listPendingTitles(db: Reader, customer_id: number): Promise<{ page_id: number; title: string }[]> {
  return pendingTitles(db).execute({ customer_id })
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
export async function insertAccepted(tx: Tx, rows: AcceptedRow[]): Promise<void> {
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
export async function putPage(tx: Tx, values: Omit<typeof page.$inferInsert, 'page_id' | 'version'>): Promise<PageRow> {
  return only(
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

/** Newest first. */
export async function listAnnouncements(db: Reader): Promise<AnnouncementRow[]> {
  return db.select().from(announcement).orderBy(desc(announcement.createdAt), desc(announcement.announcement_id))
}

export async function findAnnouncement(db: Reader, announcement_id: number): Promise<AnnouncementRow | null> {
  const [found] = await db.select().from(announcement).where(eq(announcement.announcement_id, announcement_id))
  return found ?? null
}

/** `content` is sanitised. */
export async function insertAnnouncement(tx: Tx, values: typeof announcement.$inferInsert): Promise<AnnouncementRow> {
  return only(await tx.insert(announcement).values(values).returning())
}
