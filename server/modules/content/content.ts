/** Pages, documents to accept, and announcements (docs/domain.md, "Content"). */
import type * as z from 'zod'
import type { Announcement, acceptedPage, Page } from '#contract/content.ts'
import type { Strokes } from '#contract/customer-records.ts'
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { sanitizeHtml, sanitizeNullable } from '#server/platform/html.ts'
import { whyNotAccepted } from './rules.ts'
import {
  type AcceptedRow,
  type AnnouncementRow,
  findAccepted,
  findAnnouncement,
  findPageBySlug,
  insertAccepted,
  insertAnnouncement,
  isAnnouncementDue,
  listAccepted,
  listAnnouncements,
  listDocuments,
  listPages,
  listPendingDocuments,
  listPendingTitles,
  listWithPendingDocuments,
  lockPage,
  type PageRow,
  upsertPage,
} from './store.ts'

export { claimFiles, dropFile, type FileRow, filesById, lockOwnFile, previewAddress, serializeFile } from './files.ts'
export { customersWithHealth, healthAnswers, profileLacks, storeAnswers, whyNotProfile } from './forms.ts'
export { attachFile, signedFileLink } from './given-files.ts'
export { studioIcon } from './icons.ts'
export { pageList } from './lists.ts'
export { publicPicture } from './pictures.ts'

type AcceptedPage = z.infer<typeof acceptedPage>

const pageOut = (
  { page_id, slug, title, required, required_signup, version, seo_title, seo_description }: PageRow,
  content: string | null,
): Page => ({
  page_id,
  slug,
  title,
  content,
  required,
  required_signup,
  version,
  seo_title,
  seo_description,
})

const whole = async (row: PageRow): Promise<Page> => pageOut(row, await sanitizeNullable(row.content))

const acceptedOut = (row: AcceptedRow): AcceptedPage => ({
  page_id: row.page_id,
  customer_id: row.customer_id,
  version: row.version,
  createdAt: row.createdAt.toISOString(),
})

/** All pages without their text: `content` is '' for a page with a text and null for one without, so that lists can hide those (T1). */
export async function pages(ctx: Ctx): Promise<{ pages: Page[] }> {
  return { pages: (await listPages(ctx.db)).map((row) => pageOut(row, row.content === null ? null : '')) }
}

/** One page with its text, sanitised again on output. CONTENT_FAILED. */
export async function onePage(ctx: Ctx, input: { slug: string }): Promise<{ page: Page }> {
  const found = await findPageBySlug(ctx.db, input.slug)
  if (!found) throw refuse('CONTENT_FAILED')
  return { page: await whole(found) }
}

/** The documents that the customer accepted in their current version, and those still to accept (T3). */
export async function getAcceptedPages(ctx: Ctx): Promise<{ accepted_pages: AcceptedPage[]; pending: Page[] }> {
  const { customer_id } = ctx.customer
  const [rows, pending] = await Promise.all([listAccepted(ctx.db, customer_id), listPendingDocuments(ctx.db, customer_id)])
  return { accepted_pages: rows.map(acceptedOut), pending: await Promise.all(pending.map(whole)) }
}

/** Accepts the current version of a page; a repetition returns the first acceptance (T3). NOT_FOUND. */
export async function acceptPage(ctx: Ctx, input: { page_id: number }): Promise<{ accepted_page: AcceptedPage }> {
  const { customer_id } = ctx.customer
  return ctx.tx(async (tx) => {
    const found = await lockPage(tx, input.page_id)
    if (!found) throw refuse('NOT_FOUND')
    const key = { customer_id, page_id: found.page_id, version: found.version }
    await insertAccepted(tx, [{ ...key, createdAt: ctx.now }])
    const accepted = await findAccepted(tx, key)
    if (!accepted) throw new Error('An acceptance was not stored.')
    return { accepted_page: acceptedOut(accepted) }
  })
}

/**
 * Documents that this customer still has to accept before using the studio (T3). Callers refuse with DOCUMENTS_REQUIRED unless it is empty.
 */
export async function pendingDocuments(db: Reader, customer_id: number): Promise<{ page_id: number; title: string }[]> {
  return listPendingTitles(db, customer_id)
}

/** Which of these customers still have to accept a document. */
export const customersWithPendingDocuments = async (db: Reader, customer_ids: readonly number[]): Promise<ReadonlySet<number>> =>
  new Set(await listWithPendingDocuments(db, customer_ids))

/** The same with their addresses, for the staff. */
export async function documentsToAccept(db: Reader, customer_id: number): Promise<{ page_id: number; title: string; slug: string }[]> {
  return (await listPendingDocuments(db, customer_id)).map(({ page_id, title, slug }) => ({ page_id, title, slug }))
}

/**
 * Accepts a document for a customer who read it on a device of the studio; a repetition keeps the first acceptance (T13). NOT_FOUND;
 * DOCUMENT_CHANGED when the text is no longer the version that they saw.
 */
export async function acceptAtCounter(
  ctx: Ctx,
  input: { customer_id: number; page_id: number; version: number; signature?: { name: string; strokes: Strokes } | null | undefined },
): Promise<void> {
  const { customer_id, version, signature } = input
  await ctx.tx(async (tx) => {
    const found = await lockPage(tx, input.page_id)
    if (!found) throw refuse('NOT_FOUND')
    if (found.version !== version) throw refuse('DOCUMENT_CHANGED')
    const key = { customer_id, page_id: found.page_id, version }
    if (await findAccepted(tx, key)) return
    const signed = signature ? { signed_name: signature.name, strokes: signature.strokes } : {}
    await insertAccepted(tx, [{ ...key, ...signed, staff_id: ctx.staff?.staff_id ?? null, createdAt: ctx.now }])
    await ctx.audit(tx, {
      action: 'document.accept',
      entity: 'customer',
      entity_id: customer_id,
      after: { page_id: found.page_id, title: found.title, version, signed: signature?.name ?? null },
    })
  })
}

/** Pages whose current version is accepted, for the customer object. */
export async function acceptedPages(db: Reader, customer_id: number): Promise<{ page_id: number }[]> {
  return (await listAccepted(db, customer_id)).map(({ page_id }) => ({ page_id }))
}

/**
 * Stores the documents accepted at sign-up, in the transaction that creates the customer. DOCUMENTS_REQUIRED when a required one is missing
 * (T2). Unknown ids are ignored.
 */
export async function acceptAtSignup(tx: Tx, customer_id: number, ticked: readonly number[], now: Date): Promise<void> {
  const documents = await listDocuments(tx)
  const no = whyNotAccepted(
    documents.filter((document) => document.required_signup),
    ticked,
  )
  if (no) throw no
  const rows = documents.filter((document) => ticked.includes(document.page_id))
  await insertAccepted(
    tx,
    rows.map(({ page_id, version }) => ({ customer_id, page_id, version, createdAt: now })),
  )
}

const announcementOut = async (row: AnnouncementRow): Promise<Announcement> => ({
  announcement_id: row.announcement_id,
  title: row.title,
  content: await sanitizeHtml(row.content),
  createdAt: row.createdAt.toISOString(),
  from: row.from?.toISOString() ?? null,
  pinned: row.pinned,
  location_ids: row.location_ids,
})

/** The current announcements, pinned ones first, then the newest (T5). */
export async function announcements(ctx: Ctx): Promise<{ announcements: Announcement[] }> {
  return { announcements: await Promise.all((await listAnnouncements(ctx.db, ctx.now)).map(announcementOut)) }
}

/** One current announcement. NOT_FOUND. */
export async function oneAnnouncement(ctx: Ctx, input: { announcement_id: number }): Promise<{ announcement: Announcement }> {
  const found = await findAnnouncement(ctx.db, input.announcement_id, ctx.now)
  if (!found) throw refuse('NOT_FOUND')
  return { announcement: await announcementOut(found) }
}

/**
 * Creates or replaces a page by its slug; `content` is the sanitised `source` (T6). A changed text is a new version, which every customer
 * has to accept again (T4).
 */
export async function savePage(
  tx: Tx,
  page: { slug: string; title: string; source: string | null; content: string | null; required?: boolean; required_signup?: boolean },
  now: Date,
): Promise<{ page_id: number; version: number }> {
  const saved = await upsertPage(tx, { ...page, updatedAt: now })
  tx.notify({ topic: 'content' })
  return { page_id: saved.page_id, version: saved.version }
}

/** The period that a run covers: longer than the interval between runs, so that a late one misses nothing. */
const DUE_MS = 5 * 60_000

/** Renews what shows announcements when one of them begins or ends to be shown. Doing it twice is harmless. */
export async function renewAnnouncements(ctx: Ctx): Promise<void> {
  if (await isAnnouncementDue(ctx.db, new Date(ctx.now.getTime() - DUE_MS), ctx.now))
    await ctx.tx(async (tx) => tx.notify({ topic: 'content' }))
}

/** Publishes an announcement; `content` is the sanitised `source` (T6). */
export async function publishAnnouncement(
  tx: Tx,
  draft: { title: string; source: string; content: string; createdAt: Date },
): Promise<{ announcement_id: number }> {
  const saved = await insertAnnouncement(tx, { ...draft, updatedAt: draft.createdAt })
  tx.notify({ topic: 'content' })
  return { announcement_id: saved.announcement_id }
}
