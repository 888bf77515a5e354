import { api } from '#server/modules/api.ts'
import { publicSettings } from '#server/modules/settings/settings.ts'
import { accept, accepted, announcements, onePage, pages } from './content.ts'

const on = api.content

export const contentRoutes = {
  appconfig: on.appconfig.handler(({ context }) => publicSettings(context.ctx)),
  pages: on.pages.handler(({ context }) => pages(context.ctx)),
  page: on.page.handler(({ context, input }) => onePage(context.ctx, input)),
  accepted: on.accepted.handler(({ context }) => accepted(context.ctx)),
  accept: on.accept.handler(({ context, input }) => accept(context.ctx, input)),
  announcements: on.announcements.handler(({ context }) => announcements(context.ctx)),
}
