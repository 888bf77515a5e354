/** The contract: all endpoints, from which server, browser client and OpenAPI document are built. */
import { attendance, penalties } from './attendance.ts'
import { bookings } from './bookings.ts'
import { cardLinks } from './card-links.ts'
import { cashSessions } from './cash-sessions.ts'
import { catalogue } from './catalogue.ts'
import { content } from './content.ts'
import { counterSales } from './counter-sales.ts'
import { credits } from './credits.ts'
import { customerFile } from './customer-file.ts'
import { discounts } from './discounts.ts'
import { failedJobs } from './failed-jobs.ts'
import { files } from './files.ts'
import { forms } from './form-endpoints.ts'
import { frontDesk } from './front-desk.ts'
import { invoices } from './invoices.ts'
import { discrepancies } from './money-discrepancies.ts'
import { messages } from './notifications.ts'
import { checkout } from './payment-options.ts'
import { people } from './people.ts'
import { sales } from './sales.ts'
import { cards } from './saved-cards.ts'
import { schedule } from './schedule.ts'
import { studioPackages } from './studio-packages.ts'
import { studioSales } from './studio-sales.ts'
import { team } from './team.ts'
import { videos } from './videos.ts'
import { waitlist } from './waitlist.ts'

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
  studioSales,
  cashSessions,
  counterSales,
  cardLinks,
  discounts,
  schedule,
  bookings,
  waitlist,
  attendance,
  frontDesk,
  penalties,
  videos,
  messages,
  failedJobs,
  customerFile,
  team,
}
export type Contract = typeof contract
