/** The API: every endpoint of the contract with the module function that implements it. */
import { accountFileRoutes, accountRoutes, accountSessionRoutes, accountSettingRoutes } from '#server/modules/account/routes.ts'
import { api } from '#server/modules/api.ts'
import {
  attendanceRoutes,
  bookingsRoutes,
  frontDeskRoutes,
  movementRoutes,
  penaltiesRoutes,
  scheduleRoutes,
  waitlistRoutes,
} from '#server/modules/bookings/routes.ts'
import { catalogueLists, catalogueRoutes, discountRoutes, packageRoutes } from '#server/modules/catalogue/routes.ts'
import { fileRoutes } from '#server/modules/content/file-routes.ts'
import { formRoutes } from '#server/modules/content/form-routes.ts'
import { contentRoutes } from '#server/modules/content/routes.ts'
import { counterRoutes } from '#server/modules/counter/routes.ts'
import { creditsRoutes } from '#server/modules/credits/routes.ts'
import { customerFileRoutes } from '#server/modules/customers/routes.ts'
import { messagesRoutes } from '#server/modules/messages/routes.ts'
import { failedJobRoutes } from '#server/modules/operations/routes.ts'
import { peopleRoutes } from '#server/modules/people/routes.ts'
import {
  attendeeRoutes,
  cardLinkRoutes,
  cardRoutes,
  cashSessionRoutes,
  checkoutRoutes,
  codeRoutes,
  discrepancyRoutes,
  invoiceRoutes,
  salesRoutes,
  studioSalesRoutes,
} from '#server/modules/sales/routes.ts'
import { soldRoutes, taughtRoutes } from '#server/modules/schedule/taught-routes.ts'
import { teamRoutes } from '#server/modules/team/routes.ts'
import { videoRoutes } from '#server/modules/videos/routes.ts'

export const router = api.router({
  content: { ...contentRoutes, ...accountSettingRoutes },
  files: { ...fileRoutes, ...accountFileRoutes },
  forms: formRoutes,
  people: { ...peopleRoutes, ...accountRoutes, sessions: { ...peopleRoutes.sessions, ...accountSessionRoutes } },
  catalogue: { ...catalogueRoutes, admin: { ...catalogueLists, ...taughtRoutes } },
  studioPackages: { ...packageRoutes, ...soldRoutes, ...attendeeRoutes },
  credits: { ...creditsRoutes, ...movementRoutes },
  sales: salesRoutes,
  checkout: checkoutRoutes,
  cards: cardRoutes,
  differences: discrepancyRoutes,
  invoices: invoiceRoutes,
  studioSales: studioSalesRoutes,
  cashSessions: cashSessionRoutes,
  counterSales: counterRoutes,
  cardLinks: cardLinkRoutes,
  discounts: { ...discountRoutes, ...codeRoutes },
  schedule: scheduleRoutes,
  bookings: bookingsRoutes,
  waitlist: waitlistRoutes,
  attendance: attendanceRoutes,
  frontDesk: frontDeskRoutes,
  penalties: penaltiesRoutes,
  videos: videoRoutes,
  messages: messagesRoutes,
  failedJobs: failedJobRoutes,
  customerFile: customerFileRoutes,
  team: teamRoutes,
})
