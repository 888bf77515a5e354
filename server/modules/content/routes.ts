import { api } from '#server/modules/api.ts'
import { publicSettings } from '#server/modules/settings/settings.ts'
import { acceptPage, announcements, getAcceptedPages, oneAnnouncement, onePage, pages } from './content.ts'
import { announcementList, pageList } from './lists.ts'
import { changePage, onePageOfStaff, pageVersion, previewText } from './pages.ts'

const on = api.content

export const contentRoutes = {
  appconfig: on.appconfig.handler(({ context }) => publicSettings(context.ctx)),
  pages: on.pages.handler(({ context }) => pages(context.ctx)),
  page: on.page.handler(({ context, input }) => onePage(context.ctx, input)),
  accepted: on.accepted.handler(({ context }) => getAcceptedPages(context.ctx)),
  accept: on.accept.handler(({ context, input }) => acceptPage(context.ctx, input)),
  announcements: on.announcements.handler(({ context }) => announcements(context.ctx)),
  announcement: on.announcement.handler(({ context, input }) => oneAnnouncement(context.ctx, input)),
  admin: {
    pages: {
      all: on.admin.pages.all.handler(async ({ context }) => ({ pages: await pageList.all(context.ctx) })),
      create: on.admin.pages.create.handler(async ({ context, input }) => ({ page: await pageList.save(context.ctx, input) })),
      update: on.admin.pages.update.handler(async ({ context, input }) => ({ page: await pageList.change(context.ctx, input) })),
      remove: on.admin.pages.remove.handler(({ context, input }) => pageList.remove(context.ctx, input.page_id)),
    },
    page: {
      order: on.admin.page.order.handler(({ context, input }) => pageList.order(context.ctx, input.ids)),
      change: on.admin.page.change.handler(({ context, input }) => changePage(context.ctx, input)),
      one: on.admin.page.one.handler(({ context, input }) => onePageOfStaff(context.ctx, input)),
      version: on.admin.page.version.handler(({ context, input }) => pageVersion(context.ctx, input)),
      preview: on.admin.page.preview.handler(({ context, input }) => previewText(context.ctx, input)),
    },
    announcements: {
      preview: on.admin.announcements.preview.handler(({ context, input }) => previewText(context.ctx, input)),
      all: on.admin.announcements.all.handler(async ({ context }) => ({ announcements: await announcementList.all(context.ctx) })),
      create: on.admin.announcements.create.handler(async ({ context, input }) => ({
        announcement: await announcementList.save(context.ctx, input),
      })),
      update: on.admin.announcements.update.handler(async ({ context, input }) => ({
        announcement: await announcementList.change(context.ctx, input),
      })),
      remove: on.admin.announcements.remove.handler(({ context, input }) => announcementList.remove(context.ctx, input.announcement_id)),
    },
  },
}
