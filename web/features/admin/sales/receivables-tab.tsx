import { useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import type { CounterOrder } from '#contract/counter-orders.ts'
import type { CounterSale } from '#contract/counter-sales.ts'
import { formatPesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LinkToSend } from './link-to-send.tsx'
import { PurchaseVerbDialog } from './purchase-verbs.tsx'
import { ConfirmTransfer, PayDebt, RejectTransfer } from './receive-dialogs.tsx'
import { debtText, itemsText } from './sale-text.ts'
import { countText, customerText, OrderLink, SaleLink } from './sales-parts.tsx'
import { useReceivablesChanged } from './use-receivables-changed.ts'

interface Transfer {
  sale: CounterSale
  payment: CounterSale['payments'][number]
  invoice_id: number
}

type Shown =
  | { what: 'paid'; purchase: StudioPurchase }
  | { what: 'debt'; sale: CounterSale }
  | { what: 'link' | 'end'; order: CounterOrder }
  | { what: 'confirm' | 'reject'; transfer: Transfer }

/** Por cobrar: orders in cash, transfers to confirm, debts of the counter and renewals that did not pass. */
export default function ReceivablesTab() {
  const changed = useReceivablesChanged()
  const staff = useStaff()
  const site = useSite()
  const [shown, setShown] = useState<Shown | null>(null)
  const handled = { meta: { handled: true } }
  const cash = useQuery(queries.studioSales.purchases.queryOptions({ input: { status: ['pending'], gateway: 'efectivo' }, ...handled }))
  const sent = useQuery(queries.counterSales.list.queryOptions({ input: { state: 'pending' }, ...handled }))
  const owed = useQuery(queries.counterSales.list.queryOptions({ input: { state: 'owed' }, ...handled }))
  const links = useQuery(queries.counterOrders.list.queryOptions({ input: {}, ...handled }))
  const overdue = useQuery(queries.studioSales.purchases.queryOptions({ input: { past_due: true }, ...handled }))
  const close = () => setShown(null)
  const done = (words: string | null) => {
    close()
    if (words) showAlert('success', words)
    changed()
  }
  const transfers = (sent.data?.sales ?? []).flatMap((sale) =>
    sale.payments.flatMap((payment) => {
      const [invoice_id] = payment.invoice_ids
      return payment.state === 'pending' && invoice_id !== undefined ? [{ sale, payment, invoice_id }] : []
    }),
  )
  const canSell = may(staff, 'sales.sell')
  return (
    <div className="stack gap-16">
      <Part
        id="efectivo"
        title="Órdenes en efectivo"
        query={cash}
        total={cash.data?.total}
        rows={cash.data?.purchases ?? []}
        empty="Nadie debe una orden en efectivo."
        more="?estado=pending"
      >
        {(row) => (
          <Item
            key={row.purchase_id}
            lead={<OrderLink purchase_id={row.purchase_id} alone />}
            text={`${customerText(row)} · ${row.title}`}
            detail={formatWall(row.created_date, 'class')}
            amount={row.amount_due}
          >
            {canSell && (
              <Button size="small" onClick={() => setShown({ what: 'paid', purchase: row })}>
                Cobrar
              </Button>
            )}
          </Item>
        )}
      </Part>
      <Part
        id="transferencias"
        title="Transferencias por confirmar"
        query={sent}
        total={transfers.length}
        rows={transfers}
        empty="No hay transferencias por confirmar."
      >
        {(row) => (
          <Item
            key={row.invoice_id}
            lead={<SaleLink sale={row.sale} />}
            text={customerText(row.sale)}
            detail={[formatInstant(new Date(row.payment.createdAt), site.zone, 'class'), row.payment.reference].filter(Boolean).join(' · ')}
            amount={row.payment.amount}
          >
            <Button size="small" variant="outline" onClick={() => setShown({ what: 'reject', transfer: row })}>
              No llegó
            </Button>
            <Button size="small" onClick={() => setShown({ what: 'confirm', transfer: row })}>
              Confirmar
            </Button>
          </Item>
        )}
      </Part>
      <Part
        id="enlaces"
        title="Enlaces de pago"
        query={links}
        total={links.data?.total}
        rows={links.data?.orders ?? []}
        empty="Nadie tiene un enlace por pagar."
      >
        {(row) => (
          <Item
            key={row.purchase.purchase_id}
            lead={<OrderLink purchase_id={row.purchase.purchase_id} alone />}
            text={`${customerText(row.purchase)} · ${itemsText(row.lines)}`}
            detail={row.link ? `Vence el ${formatInstant(new Date(row.link.until), site.zone, 'class')}` : ''}
            amount={row.charge}
          >
            <Button size="small" variant="outline" onClick={() => setShown({ what: 'end', order: row })}>
              Cancelar
            </Button>
            <Button size="small" onClick={() => setShown({ what: 'link', order: row })}>
              Enviar
            </Button>
          </Item>
        )}
      </Part>
      <Part id="adeudos" title="Adeudos" query={owed} total={owed.data?.total} rows={owed.data?.sales ?? []} empty="Nadie quedó a deber.">
        {(row) => (
          <Item key={row.sale_id} lead={<SaleLink sale={row} />} text={customerText(row)} detail={debtText(row)} amount={row.owed}>
            <Button size="small" onClick={() => setShown({ what: 'debt', sale: row })}>
              Cobrar
            </Button>
          </Item>
        )}
      </Part>
      <Part
        id="renovaciones"
        title="Renovaciones atrasadas"
        query={overdue}
        total={overdue.data?.total}
        rows={overdue.data?.purchases ?? []}
        empty="Todas las renovaciones pasaron."
        more="?suscripcion=atrasadas"
      >
        {(row) => (
          <Item
            key={row.purchase_id}
            lead={<OrderLink purchase_id={row.purchase_id} alone />}
            text={`${customerText(row)} · ${row.title}`}
            detail={row.payment_method?.name ?? ''}
            amount={row.next_charge?.amount ?? row.total_payment}
          >
            <Button as={AppLink} to={adminPaths.sale(row.purchase_id)} size="small" variant="outline">
              Abrir
            </Button>
          </Item>
        )}
      </Part>
      {shown && <ReceivableDialog shown={shown} onDone={done} onClose={close} />}
    </div>
  )
}

interface ReceivableDialogProps {
  shown: Shown
  /** with the words of the alert, null = the dialog said it */
  onDone: (words: string | null) => void
  onClose: () => void
}

/** The dialog in which a receivable is paid, confirmed, rejected, sent or given up. */
function ReceivableDialog({ shown, onDone, onClose }: ReceivableDialogProps) {
  return (
    <>
      {shown.what === 'paid' && <PurchaseVerbDialog verb="paid" purchase={shown.purchase} onDone={() => onDone(null)} onClose={onClose} />}
      {shown.what === 'link' && shown.order.link && (
        <Dialog
          open
          onClose={onClose}
          title={`Enlace de ${shown.order.purchase.customer.name}`}
          actions={
            <Button variant="outline" onClick={onClose}>
              Cerrar
            </Button>
          }
        >
          <LinkToSend order={shown.order} link={shown.order.link} />
        </Dialog>
      )}
      {shown.what === 'end' && (
        <ReasonDialog
          title="Cancelar el enlace"
          yes="Sí, cancelarlo"
          no="Dejarlo"
          danger
          consequence={`El enlace de ${formatPesos(shown.order.charge)} deja de servir y lo apartado se libera. No se cobró nada.`}
          send={(reason) => api.counterOrders.cancel({ purchase_id: shown.order.purchase.purchase_id, reason })}
          onDone={() => onDone('Enlace cancelado.')}
          onClose={onClose}
        />
      )}
      {shown.what === 'debt' && <PayDebt sale={shown.sale} onDone={() => onDone(success.paid)} onClose={onClose} />}
      {shown.what === 'confirm' && (
        <ConfirmTransfer
          invoice_id={shown.transfer.invoice_id}
          payment={shown.transfer.payment}
          name={customerText(shown.transfer.sale)}
          onDone={() => onDone('Transferencia confirmada.')}
          onClose={onClose}
        />
      )}
      {shown.what === 'reject' && (
        <RejectTransfer
          invoice_id={shown.transfer.invoice_id}
          payment={shown.transfer.payment}
          onDone={() => onDone('Guardado.')}
          onClose={onClose}
        />
      )}
    </>
  )
}

interface PartProps<T> {
  id: string
  title: string
  query: Parameters<typeof Loaded>[0]['query']
  total: number | undefined
  rows: readonly T[]
  empty: string
  /** Query of Compras that lists all of them. */
  more?: string
  children: (row: T) => ReactNode
}

function Part<T>({ id, title, query, total = 0, rows, empty, more, children }: PartProps<T>) {
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {title}
        </h2>
        {total > 0 && <span className="small muted">{countText(total, 'pendiente', 'pendientes')}</span>}
      </div>
      <Loaded
        query={query}
        skeleton={<ListSkeleton rows={2} />}
        failed={`No pudimos cargar: ${title.toLowerCase()}.`}
        nothing={rows.length === 0 && <p className="panel-body muted">{empty}</p>}
      >
        <ul className="charge-list">{rows.map(children)}</ul>
        {more && total > rows.length && (
          <p className="panel-body">
            <AppLink className="link" to={`${adminPaths.sales}${more}`}>
              Ver todas
            </AppLink>
          </p>
        )}
      </Loaded>
    </section>
  )
}

interface ItemProps {
  lead: ReactNode
  text: string
  detail: string
  amount: string
  children: ReactNode
}

function Item({ lead, text, detail, amount, children }: ItemProps) {
  return (
    <li className="receivable">
      <span className="grow">
        {lead}
        <span>{text}</span>
        {detail && <span className="small muted">{detail}</span>}
      </span>
      <span className="row-money">{formatPesos(amount)}</span>
      <span className="row gap-8 wraps">{children}</span>
    </li>
  )
}
