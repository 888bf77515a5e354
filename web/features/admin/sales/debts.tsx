/** What one person owes, each with its button: sales at the counter, orders to pay in cash, and places. */
import './sale.css'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { success } from '#contract/copy/messages.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import type { ListedReservation } from '#contract/front-desk.ts'
import { formatPesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReceiveMoney } from '#web/features/admin/roster/reservation-verbs.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PurchaseVerbDialog } from './purchase-verbs.tsx'
import { PayDebt } from './receive-dialogs.tsx'
import { debtText, itemsText } from './sale-text.ts'
import { OrderLink, SaleLink } from './sales-parts.tsx'
import { useReceivablesChanged } from './use-receivables-changed.ts'

type Debt =
  | { of: 'sale'; sale: CounterSale }
  | { of: 'order'; purchase: StudioPurchase }
  | { of: 'reservation'; reservation: ListedReservation & { owed: string } }

function useDebts(customer_id: number) {
  const staff = useStaff()
  const handled = { meta: { handled: true } }
  const sales = useQuery(queries.counterSales.list.queryOptions({ input: { state: 'owed', customer_id }, ...handled }))
  const orders = useQuery(
    queries.studioSales.purchases.queryOptions({ input: { status: ['pending'], gateway: 'efectivo', customer_id }, ...handled }),
  )
  const reservations = useQuery({
    ...queries.frontDesk.reservations.queryOptions({ input: { only: 'owed', customer_id, per_page: 100 }, ...handled }),
    enabled: may(staff, 'roster.all'),
  })
  const debts: Debt[] = [
    ...(sales.data?.sales ?? []).map((sale) => ({ of: 'sale' as const, sale })),
    ...(orders.data?.purchases ?? []).map((purchase) => ({ of: 'order' as const, purchase })),
    ...(reservations.data?.class_reservations ?? []).flatMap((reservation) =>
      reservation.owed === null ? [] : [{ of: 'reservation' as const, reservation: { ...reservation, owed: reservation.owed } }],
    ),
  ]
  return { debts, query: [sales, orders, reservations].find(({ isError }) => isError) ?? sales, seesReservations: may(staff, 'roster.all') }
}

/** The debts of the buyer below their name in Nueva venta; nothing where nothing is owed. */
export default function BuyerDebts({ customer_id, name }: { customer_id: number; name: string }) {
  const { debts } = useDebts(customer_id)
  const [receiving, setReceiving] = useState<Debt | null>(null)
  return (
    <>
      {debts.length > 0 && (
        <section className="buyer-debts" aria-label={`Lo que debe ${name}`}>
          <p className="small strong">Debe</p>
          <DebtList debts={debts} onReceive={setReceiving} />
        </section>
      )}
      {receiving && <Receive debt={receiving} onClose={() => setReceiving(null)} />}
    </>
  )
}

/** Cobrar in the file of a person: what they owe, to choose what is received. */
export function DebtsDialog({ customer_id, name, onClose }: { customer_id: number; name: string; onClose: () => void }) {
  const { debts, query, seesReservations } = useDebts(customer_id)
  const [receiving, setReceiving] = useState<Debt | null>(null)
  if (receiving) return <Receive debt={receiving} onClose={() => setReceiving(null)} />
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Lo que debe ${name}`}
      actions={
        <Button variant="outline" onClick={onClose}>
          Cerrar
        </Button>
      }
    >
      <Loaded
        query={query}
        skeleton={<Skeleton height="90px" />}
        failed="No pudimos cargar lo que debe."
        nothing={
          debts.length === 0 && (
            <p className="muted">
              {seesReservations
                ? 'Ya no debe nada.'
                : 'No debe ventas ni órdenes. Un lugar que deba en una clase lo cobra quien atiende las reservaciones.'}
            </p>
          )
        }
      >
        <DebtList debts={debts} onReceive={setReceiving} />
      </Loaded>
    </Dialog>
  )
}

function DebtList({ debts, onReceive }: { debts: readonly Debt[]; onReceive: (debt: Debt) => void }) {
  return (
    <ul className="charge-list debt-list">
      {debts.map((debt) => {
        const { key, lead, detail, amount } = debtRow(debt)
        return (
          <li key={key} className="receivable">
            <span className="grow">
              {lead}
              {detail && <span className="small muted">{detail}</span>}
            </span>
            <span className="row-money">{formatPesos(amount)}</span>
            <Button size="small" onClick={() => onReceive(debt)}>
              Cobrar
            </Button>
          </li>
        )
      })}
    </ul>
  )
}

function debtRow(debt: Debt) {
  if (debt.of === 'sale')
    return {
      key: `sale-${debt.sale.sale_id}`,
      lead: <SaleLink sale={debt.sale} />,
      amount: debt.sale.owed,
      detail: [itemsText(debt.sale.lines), debtText(debt.sale)].filter(Boolean).join(' · '),
    }
  if (debt.of === 'order')
    return {
      key: `order-${debt.purchase.purchase_id}`,
      lead: <OrderLink purchase_id={debt.purchase.purchase_id} alone />,
      detail: `${debt.purchase.title} · Orden en efectivo`,
      amount: debt.purchase.amount_due,
    }
  const { reservation } = debt
  return {
    key: `reservation-${reservation.class_reservation_id}`,
    amount: reservation.owed,
    detail: formatWall(reservation.class.class_date, 'class'),
    lead: (
      <AppLink to={adminPaths.reservationDetails(reservation.class_reservation_id)} className="link link-alone strong">
        {reservation.class.class_type}
      </AppLink>
    ),
  }
}

/** The dialog that receives a debt. */
function Receive({ debt, onClose }: { debt: Debt; onClose: () => void }) {
  const changed = useReceivablesChanged()
  const done = () => {
    changed()
    onClose()
  }
  if (debt.of === 'order') return <PurchaseVerbDialog verb="paid" purchase={debt.purchase} onDone={done} onClose={onClose} />
  if (debt.of === 'reservation')
    return <ReceiveMoney row={debt.reservation} location_id={debt.reservation.class.location_id} onClose={done} onBack={onClose} />
  return (
    <PayDebt
      sale={debt.sale}
      onDone={() => {
        showAlert('success', success.paid)
        done()
      }}
      onClose={onClose}
    />
  )
}
