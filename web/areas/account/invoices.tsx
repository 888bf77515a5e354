import { IconAlertTriangle, IconCircleCheck, IconReceiptRefund, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { INVOICES_PER_PAGE, type Invoice, type InvoiceStatus } from '#contract/invoices.ts'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { OverdueCharges } from '#web/features/checkout/overdue-charges.tsx'
import { owedText } from '#web/features/checkout/owed-text.ts'
import { ReceiptButton } from '#web/features/checkout/receipt-button.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage, useListPage } from '#web/lib/list-page.ts'
import { onDemand } from '#web/lib/on-demand.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { PageHead } from './page-head.tsx'
import './purchases.css'

const STATUS: Record<InvoiceStatus, { tone: BadgeTone; Icon: typeof IconX; label: string }> = {
  pending: { tone: 'warn', Icon: IconAlertTriangle, label: 'Por confirmar' },
  paid: { tone: 'ok', Icon: IconCircleCheck, label: 'Pagado' },
  failed: { tone: 'danger', Icon: IconX, label: 'Fallido' },
  refunded: { tone: 'outline', Icon: IconReceiptRefund, label: 'Reembolsado' },
  partially_refunded: { tone: 'outline', Icon: IconReceiptRefund, label: 'Reembolsado en parte' },
  disputed: { tone: 'warn', Icon: IconAlertTriangle, label: 'En aclaración' },
  lost: { tone: 'outline', Icon: IconReceiptRefund, label: 'Devuelto por tu banco' },
  void: { tone: 'outline', Icon: IconX, label: 'Anulado' },
}

const DIALOGS = ['factura'] as const

/** Mis Cargos (S1-2.33, S1-2.90): the charges, newest first; the page is in the address. */
export default function Invoices() {
  const site = useSite()
  const [page, turnTo] = useListPage()
  const list = useQuery({ ...queries.invoices.list.queryOptions({ input: { page } }), placeholderData: keepPreviousData })
  const rows = list.data?.invoices ?? []
  const pages = pageCount(list.data?.total ?? 0, INVOICES_PER_PAGE)
  useLastPage(page, list.data && !list.isPlaceholderData ? pages : undefined)
  // The receipt's mail leads here with its charge.
  const { open, close } = useDialogParam(DIALOGS)
  return (
    <div className="wrap">
      <PageHead title="Mis Cargos" about="Cada cobro de tus compras y suscripciones.">
        {list.data && <Pager page={page} pages={pages} onPage={turnTo} />}
      </PageHead>
      <OverdueCharges />
      <Loaded
        query={list}
        skeleton={<ListSkeleton />}
        failed="No pudimos cargar tus cargos."
        nothing={
          rows.length === 0 && (
            <EmptyState drawing="rueda" next={{ label: 'Comprar Clases', to: paths.mystudio.packages(site) }}>
              Aún no tienes cargos.
            </EmptyState>
          )
        }
      >
        <Table
          caption="Mis cargos"
          columns={COLUMNS}
          rows={rows}
          rowKey={(row) => row.invoice_id}
          quiet={(row) => row.status !== 'paid' && row.status !== 'disputed'}
          card={(row) => <InvoiceCard row={row} />}
        />
      </Loaded>
      {open && <InvoiceDialog wanted invoice_id={open.id} onClose={close} />}
    </div>
  )
}

const COLUMNS: readonly Column<Invoice>[] = [
  { header: 'Cargo', cell: (row) => row.purchase.title },
  { header: 'Fecha', cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'date')}</span> },
  {
    header: 'Total',
    cell: (row) => (
      <>
        {formatPesos(row.total_payment)}
        {givenBack(row) && <small className="purchase-note">{givenBack(row)}</small>}
        {owedText(row) && <small className="purchase-note purchase-owed">{owedText(row)}</small>}
      </>
    ),
  },
  { header: 'Método de pago', cell: (row) => row.payment_method?.name ?? '–' },
  { header: 'Estado', cell: (row) => <Status row={row} /> },
  {
    header: 'Orden',
    cell: (row) => (
      <AppLink className="link table-link" to={paths.order(row.purchase_id)} aria-label={`Ver orden #00${row.purchase_id}`}>
        #00{row.purchase_id}
      </AppLink>
    ),
  },
  {
    header: 'Recibo',
    cell: (row) =>
      hasReceipt(row) ? (
        <span className="row gap-8">
          <ReceiptButton purchase={row.purchase_id} invoice={row.invoice_id} size="small" of={receiptOf(row)} />
          <InvoiceButton row={row} />
        </span>
      ) : (
        '–'
      ),
  },
]

function InvoiceCard({ row }: { row: Invoice }) {
  return (
    <div className="purchase-card">
      <div className="row spread wraps gap-8">
        <Status row={row} />
        <span className="small muted nowrap">{formatWall(row.created_date, 'date')}</span>
      </div>
      <div>
        <p className="t4">{row.purchase.title}</p>
        {row.payment_method && <p className="small muted">{row.payment_method.name}</p>}
      </div>
      <p className="purchase-total">{formatPesos(row.total_payment)}</p>
      {givenBack(row) && <p className="small muted">{givenBack(row)}</p>}
      {owedText(row) && <p className="purchase-note purchase-owed">{owedText(row)}</p>}
      <Button as={AppLink} variant="outline" size="small" full to={paths.order(row.purchase_id)}>
        Ver orden #00{row.purchase_id}
      </Button>
      {hasReceipt(row) && (
        <div className="purchase-pair">
          <ReceiptButton purchase={row.purchase_id} invoice={row.invoice_id} size="small" full of={receiptOf(row)} />
          <InvoiceButton row={row} full />
        </div>
      )}
    </div>
  )
}

const InvoiceDialog = onDemand(() => import('#web/features/account/invoice-dialog.tsx').then((chunk) => chunk.InvoiceDialog))

/** Opens the invoice of a charge, or the form to request it. */
function InvoiceButton({ row, full = false }: { row: Invoice; full?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="small" full={full} aria-label={`Factura de ${receiptOf(row)}`} onClick={() => setOpen(true)}>
        Factura
      </Button>
      {open && <InvoiceDialog wanted invoice_id={row.invoice_id} onClose={() => setOpen(false)} />}
    </>
  )
}

function Status({ row }: { row: Invoice }) {
  const { tone, Icon, label } = STATUS[row.status]
  return (
    <Badge tone={tone} icon={<Icon className="icon" aria-hidden="true" />}>
      {label}
    </Badge>
  )
}

const hasReceipt = (row: Invoice): boolean => row.status !== 'failed' && row.status !== 'void'
const receiptOf = (row: Invoice): string => `${row.purchase.title}, ${formatWall(row.created_date, 'date')}`
const givenBack = (row: Invoice): string | null => (row.refunded === '0.00' ? null : `Reembolso de ${formatPesos(row.refunded)}`)
