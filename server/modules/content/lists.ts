/**
 * Pages and announcements as staff manage them. `source` is the text as written, `content` the sanitised text (docs/domain.md, T4 to T8).
 */
import { asc } from 'drizzle-orm'
import type { content, StaffPage } from '#contract/content.ts'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import { plainListVerbs } from '#server/modules/crud.ts'
import { sanitizeHtml, sanitizeNullable } from '#server/platform/html.ts'
import { announcementOrder, type PageRow } from './store.ts'
import { announcement, page } from './tables.ts'

/** A page as staff read it. */
export const serializePage = async (row: PageRow): Promise<StaffPage> => {
  const { page_id, slug, title, required, required_signup, version, published, sort, seo_title, seo_description, source } = row
  return {
    page_id,
    slug,
    title,
    required,
    required_signup,
    version,
    published,
    sort,
    seo_title,
    seo_description,
    source,
    content: await sanitizeNullable(row.content),
    updatedAt: row.updatedAt.toISOString(),
  }
}

/** What a request changes of a page; `if_updatedAt` only by `PUT /admin/pages/{page_id}`. */
type SentPage = Sent<typeof content.admin.pages> & { if_updatedAt?: string }

/**
 * Its version is incremented when the text changes, so that a document has to be accepted again (T4). A removed page stays as a row for its
 * acceptances (T8).
 */
export const pageList = plainListVerbs({
  table: page,
  id: 'page_id',
  topic: 'content',
  order: [asc(page.sort), asc(page.page_id)],
  isSoftDelete: true,
  shown: serializePage,
  html: ({ content: source }: SentPage) => source ?? undefined,
  values({ slug, title, content: source, required, required_signup, published, ...sent }: SentPage, before, ctx, html) {
    if (slug !== undefined && `/${slug}` === ctx.settings.class_packages_path)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'slug', message: 'En esa dirección ya están los paquetes.' }] })
    const orNull = (text: string | null | undefined) => (text === undefined ? undefined : text || null)
    const same = {
      slug,
      title,
      required,
      required_signup,
      published,
      updatedAt: ctx.now,
      updated_by: ctx.staff?.staff_id ?? null,
      seo_title: orNull(sent.seo_title),
      seo_description: orNull(sent.seo_description),
    }
    // Lists return '' instead of a text (T1): saving that value does not delete the text.
    if (source === undefined || (source === '' && before?.content)) return same
    const content = html || null
    const version = before ? before.version + (content === before.content ? 0 : 1) : 1
    return { ...same, source: source || null, content, version }
  },
})

export const announcementList = plainListVerbs({
  table: announcement,
  id: 'announcement_id',
  topic: 'content',
  order: announcementOrder,
  shown: async ({ updatedAt, createdAt, from, until, ...row }) => ({
    ...row,
    updatedAt: updatedAt.toISOString(),
    content: await sanitizeHtml(row.content),
    createdAt: createdAt.toISOString(),
    from: from?.toISOString() ?? null,
    until: until?.toISOString() ?? null,
  }),
  html: ({ content: source }: Sent<typeof content.admin.announcements>) => source,
  values({ title, content: source, pinned, location_ids, ...sent }: Sent<typeof content.admin.announcements>, before, ctx, html) {
    const dateOf = (value: string | null | undefined) => (value ? new Date(value) : value === undefined ? undefined : null)
    const [from, until] = [dateOf(sent.from), dateOf(sent.until)]
    const [starts, ends] = [from === undefined ? before?.from : from, until === undefined ? before?.until : until]
    if (starts && ends && ends <= starts)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'until', message: 'El fin debe ser después del inicio.' }] })
    return {
      title,
      pinned,
      location_ids,
      from,
      until,
      ...(source === undefined ? {} : { source, content: html }),
      ...(before ? {} : { createdAt: ctx.now }),
      updatedAt: ctx.now,
    }
  },
})
