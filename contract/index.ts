/** The contract: all endpoints, from which server, browser client and OpenAPI document are built. */
import { apiKeys } from './api-keys.ts'
import { attendance, penalties } from './attendance.ts'
import { auditLog } from './audit.ts'
import { automations } from './automations.ts'
import { bookings } from './bookings.ts'
import { broadcasts } from './broadcasts.ts'
import { bulk } from './bulk.ts'
import { cardLinks } from './card-links.ts'
import { cashSessions } from './cash-sessions.ts'
import { catalogue } from './catalogue.ts'
import { classSeries } from './class-series.ts'
import { content } from './content.ts'
import { counterOrders, paymentLinks } from './counter-orders.ts'
import { counterSales } from './counter-sales.ts'
import { credits } from './credits.ts'
import { customerErasure } from './customer-erasure.ts'
import { customerFile } from './customer-file.ts'
import { customerList } from './customer-list.ts'
import { customerMerge } from './customer-merge.ts'
import { customerRecords } from './customer-records.ts'
import { discounts } from './discounts.ts'
import { failedJobs } from './failed-jobs.ts'
import { files } from './files.ts'
import { fiscal } from './fiscal.ts'
import { fiscalProvider } from './fiscal-provider.ts'
import { forms } from './form-endpoints.ts'
import { frontDesk } from './front-desk.ts'
import { giftCardOrders } from './gift-card-orders.ts'
import { giftCards } from './gift-cards.ts'
import { guestInvites } from './guest-invites.ts'
import { holidays, instructorAbsences } from './holidays.ts'
import { imports } from './imports.ts'
import { invoices } from './invoices.ts'
import { kiosk } from './kiosk.ts'
import { listExports } from './list-exports.ts'
import { live } from './live.ts'
import { messageTemplates } from './message-templates.ts'
import { discrepancies } from './money-discrepancies.ts'
import { myClasses } from './my-classes.ts'
import { messages } from './notifications.ts'
import { onboarding } from './onboarding.ts'
import { checkout } from './payment-options.ts'
import { payRules, payrolls } from './payroll.ts'
import { pendingSubscriptions } from './pending-subscriptions.ts'
import { people } from './people.ts'
import { processorStates } from './processor-states.ts'
import { products } from './products.ts'
import { push } from './push.ts'
import { refundPreviews } from './refund-preview.ts'
import { reports } from './reports.ts'
import { rooms } from './rooms.ts'
import { ruleTest } from './rule-test.ts'
import { sales } from './sales.ts'
import { cards } from './saved-cards.ts'
import { schedule } from './schedule.ts'
import { scheduleTemplates } from './schedule-templates.ts'
import { search } from './search.ts'
import { segments } from './segments.ts'
import { sharedDevice } from './shared-device.ts'
import { studioExport } from './studio-export.ts'
import { studioPackages } from './studio-packages.ts'
import { studioSales } from './studio-sales.ts'
import { studioSchedule } from './studio-schedule.ts'
import { studioSubscriptions } from './studio-subscriptions.ts'
import { substitutions } from './substitutions.ts'
import { team } from './team.ts'
import { today } from './today.ts'
import { undos } from './undo.ts'
import { videos } from './videos.ts'
import { waitlist } from './waitlist.ts'
import { walletPasses } from './wallet-passes.ts'
import { webhooks } from './webhooks.ts'

export const contract = {
  content,
  files,
  forms,
  people,
  catalogue,
  studioPackages,
  credits,
  sales,
  checkout,
  cards,
  differences: discrepancies,
  invoices,
  fiscal,
  studioSales,
  refundPreviews,
  studioSubscriptions,
  pendingSubscriptions,
  listExports,
  broadcasts,
  automations,
  bulk,
  cashSessions,
  counterSales,
  counterOrders,
  paymentLinks,
  cardLinks,
  discounts,
  products,
  giftCardOrders,
  giftCards,
  schedule,
  bookings,
  guestInvites,
  waitlist,
  attendance,
  myClasses,
  frontDesk,
  kiosk,
  ruleTest,
  studioSchedule,
  classSeries,
  scheduleTemplates,
  substitutions,
  rooms,
  holidays,
  instructorAbsences,
  payRules,
  payrolls,
  penalties,
  videos,
  messages,
  push,
  messageTemplates,
  failedJobs,
  customerFile,
  customerRecords,
  customerMerge,
  customerErasure,
  onboarding,
  customerList,
  segments,
  sharedDevice,
  team,
  auditLog,
  undos,
  today,
  reports,
  live,
  search,
  processorStates,
  walletPasses,
  fiscalProvider,
  apiKeys,
  webhooks,
  imports,
  studioExport,
}
export type Contract = typeof contract
