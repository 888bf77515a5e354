/**
 * Pages beyond the plain list: changes that two people make at once, versions, and a text that is not saved (docs/domain.md, "Content").
 */
import type { PageVersion, StaffPage } from '#contract/content.ts'
import { refuse } from '#contract/errors.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { sanitizeHtml, sanitizeNullable } from '#server/platform/html.ts'
import { pageList, serializePage } from './lists.ts'
import { countAccounts, findPage, listPageVersions } from './store.ts'

type ChangeInput = Parameters<typeof pageList.change>[1] & { page_id: number; if_updatedAt: string }

/** PUT /admin/pages/{page_id}. NOT_FOUND, ALREADY_EXISTS, INVALID_INPUT, CHANGED_MEANWHILE. */
export async function changePage(ctx: Ctx, input: ChangeInput): Promise<{ page: StaffPage }> {
  return { page: await pageList.change(ctx, input) }
}

type VersionRow = Awaited<ReturnType<typeof listPageVersions>>[number]

const versionOut = ({ row, by, accepted }: VersionRow): PageVersion => ({
  version: row.version,
  title: row.title,
  by,
  accepted,
  createdAt: row.createdAt.toISOString(),
})

/** GET /admin/pages/{page_id}. NOT_FOUND. */
export async function onePageOfStaff(ctx: Ctx, { page_id }: { page_id: number }) {
  const [row, versions, customers] = await Promise.all([
    findPage(ctx.db, page_id),
    listPageVersions(ctx.db, page_id),
    countAccounts(ctx.db),
  ])
  if (!row) throw refuse('NOT_FOUND')
  return {
    page: await serializePage(row),
    accepted: versions.find((version) => version.row.version === row.version)?.accepted ?? 0,
    customers,
    versions: versions.map(versionOut),
  }
}

/** GET /admin/pages/{page_id}/versions/{version}. NOT_FOUND, also for those of a removed page. */
export async function pageVersion(ctx: Ctx, { page_id, version }: { page_id: number; version: number }) {
  const [page, [found]] = await Promise.all([findPage(ctx.db, page_id), listPageVersions(ctx.db, page_id, version)])
  if (!page || !found) throw refuse('NOT_FOUND')
  const { source, content } = found.row
  return { version: { ...versionOut(found), source, content: await sanitizeNullable(content) } }
}

/** POST /admin/pages/preview. */
export async function previewText(_ctx: Ctx, { content }: { content: string }): Promise<{ content: string }> {
  return { content: await sanitizeHtml(content) }
}
