import {
  IconArrowDownLeft,
  IconArrowUpRight,
  IconBuildingBank,
  IconCash,
  IconCashRegister,
  IconCreditCard,
  IconReceiptRefund,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CashSession } from '#contract/cash-sessions.ts'
import { formatPesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useSite } from '#web/lib/settings.tsx'

interface Entry {
  key: string
  at: string
  icon: ReactNode
  title: string
  detail: string
  /** Pesos; negative for outgoing money. */
  amount: string
}

/** All movements of a cash session, latest first: opening, charges, refunds and movements of cash. */
export function TillMovements({ session }: { session: CashSession }) {
  const site = useSite()
  const input = { cash_session_id: session.cash_session_id }
  const charges = useQuery(queries.studioSales.invoices.queryOptions({ input, meta: { handled: true } }))
  const refunds = useQuery(queries.studioSales.refunds.queryOptions({ input, meta: { handled: true } }))
  const kindOf = (payment_method_id: number | null) => session.ways.find((option) => option.payment_method_id === payment_method_id)?.kind
  const entries: Entry[] = [
    ...(charges.data?.invoices ?? []).map((invoice) => ({
      key: `charge${invoice.invoice_id}`,
      at: invoice.createdAt,
      icon: CHARGE_ICONS[kindOf(invoice.payment_method_id) ?? 'cash'] ?? CHARGE_ICONS.cash,
      title: `${invoice.customer.name} ${invoice.customer.last_name}, ${invoice.purchase.title}`,
      detail: invoice.status === 'pending' ? `${invoice.payment_method?.name ?? ''}, por confirmar` : (invoice.payment_method?.name ?? ''),
      amount: invoice.total_payment,
    })),
    ...(refunds.data?.refunds ?? []).map((refund) => ({
      key: `refund${refund.refund_id}`,
      at: refund.doneAt ?? refund.createdAt,
      icon: <IconReceiptRefund className="icon" aria-hidden="true" />,
      title: 'Devolución',
      detail: refund.reason,
      amount: `-${refund.amount}`,
    })),
    ...session.movements.map((movement) => ({
      key: `movement${movement.cash_movement_id}`,
      at: movement.createdAt,
      icon:
        movement.kind === 'in' ? (
          <IconArrowDownLeft className="icon" aria-hidden="true" />
        ) : (
          <IconArrowUpRight className="icon" aria-hidden="true" />
        ),
      title: `${movement.kind === 'in' ? 'Entrada' : 'Salida'}: ${movement.reason}`,
      detail: movement.staff.name,
      amount: movement.kind === 'in' ? movement.amount : `-${movement.amount}`,
    })),
    {
      key: 'opening',
      at: session.openedAt,
      icon: <IconCashRegister className="icon" aria-hidden="true" />,
      title: 'Apertura',
      detail: session.staff.name,
      amount: session.opening,
    },
  ].sort((a, b) => b.at.localeCompare(a.at))
  const isPartial = (charges.data?.total ?? 0) > (charges.data?.invoices.length ?? 0)
  return (
    <section className="panel-card" aria-labelledby="movimientos">
      <div className="panel-head">
        <h2 id="movimientos" className="t3">
          Movimientos
        </h2>
        <span className="small muted">{(charges.data?.total ?? 0) + entries.length - (charges.data?.invoices.length ?? 0)}</span>
      </div>
      <Loaded query={charges} skeleton={<ListSkeleton rows={4} />} failed="No pudimos cargar los movimientos." nothing={false}>
        <ul className="till-entries">
          {entries.map((entry) => (
            <li key={entry.key} className="till-entry">
              <span className="till-icon">{entry.icon}</span>
              <span className="grow">
                <span className="strong">{entry.title}</span>
                <span className="small muted">
                  {formatInstant(new Date(entry.at), site.zone, 'hour')}
                  {entry.detail && ` · ${entry.detail}`}
                </span>
              </span>
              <span className={entry.amount.startsWith('-') ? 'till-amount till-out' : 'till-amount'}>
                {entry.amount.startsWith('-') ? `−${formatPesos(entry.amount.slice(1))}` : formatPesos(entry.amount)}
              </span>
            </li>
          ))}
        </ul>
        {isPartial && <p className="panel-body small muted">Se muestran los últimos 50 cobros; todos están en Ventas.</p>}
      </Loaded>
    </section>
  )
}

const CHARGE_ICONS: Partial<Record<CashSession['ways'][number]['kind'], ReactNode>> = {
  cash: <IconCash className="icon" aria-hidden="true" />,
  terminal: <IconCreditCard className="icon" aria-hidden="true" />,
  transfer: <IconBuildingBank className="icon" aria-hidden="true" />,
}
