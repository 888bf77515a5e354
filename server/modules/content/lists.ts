/**
 * Pages and announcements as staff manage them. `source` is the text as written, `content` the sanitised text (docs/domain.md, T4 to T8).
 */
import { asc, desc } from 'drizzle-orm'
import type { content } from '#contract/content.ts'
import type { Sent } from '#contract/crud.ts'
import { refuse } from '#contract/errors.ts'
import { plainList } from '#server/modules/crud.ts'
import { sanitizeHtml, sanitizeNullable } from '#server/platform/html.ts'
import { announcement, page } from './tables.ts'

/**
 * Its version is incremented when the text changes, so that a document has to be accepted again (T4). A removed page stays as a row for its
 * acceptances (T8).
 */
export const pageList = plainList({
  table: page,
  id: 'page_id',
  topic: 'content',
  order: [asc(page.page_id)],
  keeps: true,
  shown: async ({ updatedAt, deletedAt: _, ...row }) => ({
    ...row,
    content: await sanitizeNullable(row.content),
    updatedAt: updatedAt.toISOString(),
  }),
  html: ({ content: source }: Sent<typeof content.admin.pages>) => source ?? undefined,
  values({ slug, title, content: source, required, required_signup }: Sent<typeof content.admin.pages>, before, ctx, html) {
    if (slug !== undefined && `/${slug}` === ctx.settings.class_packages_path)
      throw refuse('INVALID_INPUT', { issues: [{ path: 'slug', message: 'En esa dirección ya están los paquetes.' }] })
    const same = { slug, title, required, required_signup, updatedAt: ctx.now }
    // Lists return '' instead of a text (T1): saving that value does not delete the text.
    if (source === undefined || (source === '' && before?.content)) return same
    const content = html || null
    const version = before ? before.version + (content === before.content ? 0 : 1) : 1
    return { ...same, source: source || null, content, version }
  },
})

export const announcementList = plainList({
  table: announcement,
  id: 'announcement_id',
  topic: 'content',
  order: [desc(announcement.createdAt), desc(announcement.announcement_id)],
  shown: async ({ updatedAt: _, createdAt, ...row }) => ({
    ...row,
    content: await sanitizeHtml(row.content),
    createdAt: createdAt.toISOString(),
  }),
  html: ({ content: source }: Sent<typeof content.admin.announcements>) => source,
  values({ title, content: source }: Sent<typeof content.admin.announcements>, before, ctx, html) {
    return {
      title,
      ...(source === undefined ? {} : { source, content: html }),
      ...(before ? {} : { createdAt: ctx.now }),
      updatedAt: ctx.now,
    }
  },
})
