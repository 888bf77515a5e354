import { formatMoney } from '#contract/money.ts'
import { type BasketItem, type BasketPayment, cashChange, reductionProblem } from '#web/features/admin/counter/basket.ts'
import { type OnlinePayment, whyNotBeside, whyNotOnline } from '#web/features/admin/counter/online-payment.tsx'
import type { Owing } from '#web/features/admin/counter/payments-panel.tsx'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { slipProblem } from '#web/features/admin/people/terminal-fields.tsx'

interface SaleState {
  lines: readonly BasketItem[]
  hasBuyer: boolean
  buyer: FoundCustomer | null
  /** In centavos; null until the server has computed it. */
  total: number | null
  /** What is not paid yet, in centavos; null while a payment cannot be read. */
  open: number | null
  isRefused: boolean
  payments: readonly BasketPayment[]
  online: OnlinePayment | null
  owing: Owing | null
  /** Whether the fields of a terminal's slip have to be typed. */
  needsTerminalFields: boolean
}

/** Why the sale cannot be paid as it is; null when it can. */
export function whyNotPay(state: SaleState): string | null {
  const { lines, hasBuyer, buyer, total, open, isRefused, payments, online, owing, needsTerminalFields } = state
  if (lines.length === 0) return 'Agrega lo que se vende.'
  if (!hasBuyer) return 'Elige al cliente.'
  if (lines.some(({ gift }) => gift === 'choosing')) return 'Elige para quién es el regalo.'
  if (lines.some(({ reduction }) => reduction && reductionProblem(reduction))) return 'Completa el descuento o quítalo.'
  if (total === null) return isRefused ? 'Corrige la venta.' : 'Calculando…'
  if (payments.some(({ kind, code }) => kind === 'gift_card' && !code?.trim())) return 'Escribe el código de la tarjeta de regalo.'
  if (payments.some((payment) => cashChange(payment) === null) || open === null) return 'Revisa las cantidades de los pagos.'
  const slip = payments.map((payment) => slipProblem(payment.kind, payment, needsTerminalFields)).find((problem) => problem !== null)
  if (slip) return slip
  if (open < 0) return `Sobran ${formatMoney(-open)}.`
  if (online)
    return buyer?.email === null ? 'Escribe el correo del cliente.' : (whyNotOnline(lines) ?? whyNotBeside(online, payments, open))
  if (open > 0 && !owing) return `Faltan ${formatMoney(open)}.`
  if (open > 0 && (!owing?.until || owing.reason.trim().length < 3)) return 'Escribe hasta cuándo y por qué queda a deber.'
  return null
}
