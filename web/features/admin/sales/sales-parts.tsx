/** Parts that the lists of sales share. */

import { adminPaths } from '#contract/admin-paths.ts'
import { orderNumber } from '#contract/copy/order-number.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { AppLink } from '#web/lib/link.tsx'
import { sumText } from './sale-text.ts'

/** The number of an order, as a link to its screen. `alone`: only the number is the link, where the row has buttons of its own. */
export function OrderLink({ purchase_id, alone = false }: { purchase_id: number; alone?: boolean }) {
  return (
    <AppLink to={adminPaths.sale(purchase_id)} className={alone ? 'link link-alone strong' : 'row-link strong'}>
      {orderNumber(purchase_id)}
    </AppLink>
  )
}

/** The folio of a counter sale, as a link to its first purchase. */
export function SaleLink({ sale }: { sale: CounterSale }) {
  const purchase_id = sale.lines.find((line) => line.purchase_id !== null)?.purchase_id
  if (purchase_id == null) return <span className="strong">{sale.folio}</span>
  return (
    <AppLink to={adminPaths.sale(purchase_id)} className="link link-alone strong">
      {sale.folio}
    </AppLink>
  )
}

/** A counter sale may have no customer. */
export const customerText = ({ customer }: { customer: { name: string; last_name: string } | null }): string =>
  customer ? `${customer.name} ${customer.last_name}`.trim() : 'Público en general'

export const countText = (total: number, singular: string, several: string): string =>
  total === 1 ? `1 ${singular}` : `${total.toLocaleString('es-MX')} ${several}`

interface PaymentSum {
  gateway: string
  payment_method_id: number | null
  name: string | null
  amount: string
}

/** "Efectivo $1,200.00": the sum of each payment method. What a processor took has no method of the studio. */
export function PaymentSums({ sums }: { sums: readonly PaymentSum[] }) {
  if (sums.length < 2) return null
  return (
    <ul className="payment-sums" aria-label="Por forma de pago">
      {sums.map(({ gateway, payment_method_id, name, amount }) => (
        <li key={`${gateway} ${payment_method_id}`}>
          {name ?? (gateway === 'efectivo' ? 'Efectivo' : gateway === 'gratis' ? 'Sin cobro' : 'En línea')} <b>{sumText(amount)}</b>
        </li>
      ))}
    </ul>
  )
}
