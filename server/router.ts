/** The API: every endpoint of the contract with the module function that implements it. */
import { accountFileRoutes, accountRoutes, accountSessionRoutes, accountSettingRoutes } from '#server/modules/account/routes.ts'
import { api } from '#server/modules/api.ts'
import {
  attendanceRoutes,
  bookingsRoutes,
  frontDeskRoutes,
  guestInviteRoutes,
  kioskRoutes,
  movementRoutes,
  myClassesRoutes,
  penaltiesRoutes,
  reservationExportRoutes,
  ruleTestRoutes,
  scheduleRoutes,
  waitlistRoutes,
  walletPassRoutes,
} from '#server/modules/bookings/routes.ts'
import { automationRoutes, broadcastRoutes } from '#server/modules/broadcasts/routes.ts'
import { bulkRoutes } from '#server/modules/bulk/routes.ts'
import {
  catalogueArranged,
  catalogueLists,
  catalogueRoutes,
  discountRoutes,
  packageRoutes,
  productRoutes,
} from '#server/modules/catalogue/routes.ts'
import { fileRoutes } from '#server/modules/content/file-routes.ts'
import { formExportRoutes, formRoutes } from '#server/modules/content/form-routes.ts'
import { contentRoutes } from '#server/modules/content/routes.ts'
import { counterRoutes, giftCardRoutes, refundPreviewRoutes } from '#server/modules/counter/routes.ts'
import { creditsRoutes } from '#server/modules/credits/routes.ts'
import {
  customerErasureRoutes,
  customerExportRoutes,
  customerFileRoutes,
  customerListRoutes,
  customerMergeRoutes,
  customerRecordRoutes,
  segmentRoutes,
} from '#server/modules/customers/routes.ts'
import { fiscalProviderRoutes, fiscalRoutes } from '#server/modules/fiscal/routes.ts'
import { importRoutes, studioExportRoutes } from '#server/modules/imports/routes.ts'
import { apiKeyRoutes, webhookRoutes } from '#server/modules/integrations/routes.ts'
import { liveRoutes } from '#server/modules/live/routes.ts'
import { messageExportRoutes, messagesRoutes, messageTemplateRoutes } from '#server/modules/messages/routes.ts'
import { onboardingRoutes } from '#server/modules/onboarding/routes.ts'
import { auditExportRoutes, auditLogRoutes, failedJobRoutes, undoRoutes } from '#server/modules/operations/routes.ts'
import { payRuleRoutes, payrollExportRoutes, payrollRoutes } from '#server/modules/payroll/routes.ts'
import { peopleRoutes, pushRoutes } from '#server/modules/people/routes.ts'
import {
  absenceRoutes,
  holidayRoutes,
  planningRoutes,
  roomMapRoutes,
  seriesRoutes,
  substitutionRoutes,
  templateRoutes,
} from '#server/modules/planning/routes.ts'
import { reportRoutes } from '#server/modules/reports/routes.ts'
import {
  cardLinkRoutes,
  cardRoutes,
  cashSessionRoutes,
  checkoutRoutes,
  codeRoutes,
  counterOrderRoutes,
  discrepancyRoutes,
  giftCardOrderRoutes,
  invoiceRoutes,
  packageViewRoutes,
  paymentLinkRoutes,
  pendingSubscriptionRoutes,
  salesExportRoutes,
  salesRoutes,
  studioSalesRoutes,
  studioSubscriptionRoutes,
} from '#server/modules/sales/routes.ts'
import { roomListRoutes, soldRoutes, taughtArranged, taughtRoutes } from '#server/modules/schedule/taught-routes.ts'
import { searchRoutes } from '#server/modules/search/routes.ts'
import { processorStateRoutes, walletStateRoutes } from '#server/modules/settings/routes.ts'
import { sharedDeviceRoutes, teamRoutes } from '#server/modules/team/routes.ts'
import { todayRoutes } from '#server/modules/today/routes.ts'
import { videoRoutes } from '#server/modules/videos/routes.ts'

export const router = api.router({
  content: { ...contentRoutes, ...accountSettingRoutes },
  files: { ...fileRoutes, ...accountFileRoutes },
  forms: formRoutes,
  people: { ...peopleRoutes, ...accountRoutes, sessions: { ...peopleRoutes.sessions, ...accountSessionRoutes } },
  catalogue: { ...catalogueRoutes, admin: { ...catalogueLists, ...taughtRoutes, arranged: { ...catalogueArranged, ...taughtArranged } } },
  studioPackages: { ...packageRoutes, ...soldRoutes, ...packageViewRoutes },
  credits: { ...creditsRoutes, ...movementRoutes },
  sales: salesRoutes,
  checkout: checkoutRoutes,
  cards: cardRoutes,
  differences: discrepancyRoutes,
  invoices: invoiceRoutes,
  fiscal: fiscalRoutes,
  studioSales: studioSalesRoutes,
  refundPreviews: refundPreviewRoutes,
  studioSubscriptions: studioSubscriptionRoutes,
  pendingSubscriptions: pendingSubscriptionRoutes,
  listExports: {
    ...salesExportRoutes,
    ...customerExportRoutes,
    ...reservationExportRoutes,
    ...messageExportRoutes,
    ...formExportRoutes,
    ...auditExportRoutes,
    ...payrollExportRoutes,
  },
  cashSessions: cashSessionRoutes,
  counterSales: counterRoutes,
  counterOrders: counterOrderRoutes,
  paymentLinks: paymentLinkRoutes,
  studioSchedule: planningRoutes,
  classSeries: seriesRoutes,
  scheduleTemplates: templateRoutes,
  substitutions: substitutionRoutes,
  rooms: { ...roomListRoutes, ...roomMapRoutes },
  holidays: holidayRoutes,
  instructorAbsences: absenceRoutes,
  payRules: payRuleRoutes,
  payrolls: payrollRoutes,
  cardLinks: cardLinkRoutes,
  discounts: { ...discountRoutes, ...codeRoutes },
  products: productRoutes,
  giftCardOrders: giftCardOrderRoutes,
  giftCards: giftCardRoutes,
  schedule: scheduleRoutes,
  bookings: bookingsRoutes,
  waitlist: waitlistRoutes,
  attendance: attendanceRoutes,
  frontDesk: frontDeskRoutes,
  kiosk: kioskRoutes,
  myClasses: myClassesRoutes,
  ruleTest: ruleTestRoutes,
  penalties: penaltiesRoutes,
  videos: videoRoutes,
  messages: messagesRoutes,
  push: pushRoutes,
  guestInvites: guestInviteRoutes,
  messageTemplates: messageTemplateRoutes,
  failedJobs: failedJobRoutes,
  customerFile: customerFileRoutes,
  customerMerge: customerMergeRoutes,
  customerRecords: customerRecordRoutes,
  customerErasure: customerErasureRoutes,
  customerList: customerListRoutes,
  segments: segmentRoutes,
  onboarding: onboardingRoutes,
  broadcasts: broadcastRoutes,
  automations: automationRoutes,
  bulk: bulkRoutes,
  sharedDevice: sharedDeviceRoutes,
  team: teamRoutes,
  auditLog: auditLogRoutes,
  undos: undoRoutes,
  today: todayRoutes,
  reports: reportRoutes,
  live: liveRoutes,
  search: searchRoutes,
  processorStates: processorStateRoutes,
  walletPasses: { ...walletPassRoutes, ...walletStateRoutes },
  fiscalProvider: fiscalProviderRoutes,
  apiKeys: apiKeyRoutes,
  webhooks: webhookRoutes,
  imports: importRoutes,
  studioExport: studioExportRoutes,
})
