/** Lists of the administration as files: the rows, filters and rights of the screen, all pages (docs/domain.md, "Lists as files"). */
import * as z from 'zod'
import { auditFilter } from './audit.ts'
import { cashSessionFilter } from './cash-sessions.ts'
import { customerFilter } from './customer-list.ts'
import { type Access, endpoint, localDay, refusals } from './endpoint.ts'
import { answerFilter } from './form-endpoints.ts'
import { reservationFilter } from './front-desk.ts'
import { giftCardFilter } from './gift-cards.ts'
import { messageFilter } from './notifications.ts'
import { invoiceFilter, purchaseFilter, refundFilter } from './studio-sales.ts'
import { subscriptionFilter, subscriptionState } from './studio-subscriptions.ts'

const exportFormat = z.enum(['csv', 'xlsx']).default('csv')
export type ExportFormat = z.infer<typeof exportFormat>

/** The list `what` as a file. EXPORT_TOO_LARGE above 50,000 rows. */
const exported = <const F extends z.core.$ZodLooseShape>(access: Access, tag: string, what: string, summary: string, filter: F) =>
  endpoint('GET', `/admin/exports/${what}`, access, tag, summary)
    .errors(refusals('EXPORT_TOO_LARGE'))
    .input(z.object({ ...filter, format: exportFormat }))
    .output(z.file())

const SALES = ['staff:sales.sell', 'Compras del estudio'] as const

export const listExports = {
  purchases: exported(...SALES, 'purchases', 'Exportar compras', purchaseFilter),
  invoices: exported(...SALES, 'invoices', 'Exportar cargos', invoiceFilter),
  refunds: exported(...SALES, 'refunds', 'Exportar devoluciones', refundFilter),
  subscriptions: exported(...SALES, 'subscriptions', 'Exportar suscripciones', {
    state: subscriptionState.optional().describe('Solo las de este estado.'),
    ...subscriptionFilter,
  }),
  giftCards: exported('staff:sales.sell', 'Tarjetas de regalo', 'gift_cards', 'Exportar tarjetas de regalo', giftCardFilter),
  cashSessions: exported('staff:cash.session', 'Caja', 'cash_sessions', 'Exportar cortes de caja', cashSessionFilter),
  customers: exported('staff:customers.read', 'Clientes', 'customers', 'Exportar clientes', customerFilter),
  reservations: exported('staff:roster.all', 'Recepción', 'class_reservations', 'Exportar reservaciones', reservationFilter),
  formAnswers: exported(
    'staff:customers.read',
    'Formularios',
    'form_answers',
    'Exportar las respuestas a un formulario',
    answerFilter,
  ).errors(refusals('NOT_FOUND')),
  messages: exported('staff:customers.read', 'Mensajes', 'messages', 'Exportar mensajes', messageFilter),
  payrollTransfers: exported('staff:payroll', 'Nómina', 'payroll_transfers', 'Exportar las transferencias de un periodo', {
    period: localDay.describe('Primer día del periodo.'),
  }).errors(refusals('PAYROLL_PERIOD', 'PAYROLL_NOT_APPROVED', 'PAYROLL_WITHOUT_CLABE')),
  payrollDetail: exported('staff:payroll', 'Nómina', 'payroll', 'Exportar la nómina de un periodo', {
    period: localDay.describe('Primer día del periodo.'),
  }).errors(refusals('PAYROLL_PERIOD', 'PAYROLL_NOT_APPROVED')),
  audit: exported('staff:audit.read', 'Bitácora', 'audit', 'Exportar la bitácora', auditFilter),
}
