import { adminPaths } from '#contract/admin-paths.ts'
import type { CashSession } from '#contract/cash-sessions.ts'
import { paddedNumber } from '#contract/copy/order-number.ts'
import { formatPesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { cashDiscrepancyText, signedAmount } from './cash-text.ts'

/** A corte as the text of a message: its sums by payment method, and where to open it. */
export function countText(session: CashSession, site: { business_name: string; zone: string }, origin: string): string {
  const { cash_session_id, location, staff, closedAt, openedAt, ways, left_in_drawer, note } = session
  return [
    `Corte de caja ${paddedNumber(cash_session_id)} de ${site.business_name}, ${location.name}`,
    `${staff.name}, ${formatInstant(new Date(closedAt ?? openedAt), site.zone, 'class')}`,
    ...ways.map(({ name, counted, expected, difference }) =>
      [
        `${name}: ${signedAmount(counted ?? expected)}`,
        difference && difference !== '0.00' ? cashDiscrepancyText(difference).toLowerCase() : null,
      ]
        .filter(Boolean)
        .join(', '),
    ),
    ...(left_in_drawer === null ? [] : [`Se queda en la caja: ${formatPesos(left_in_drawer)}`]),
    ...(note ? [`Nota: ${note}`] : []),
    `${origin}${adminPaths.tillCount(cash_session_id)}`,
  ].join('\n')
}
