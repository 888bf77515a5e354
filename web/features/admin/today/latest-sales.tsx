import { formatPesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import { SaleLink } from '#web/features/admin/sales/sale-link.tsx'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

const nameOf = ({ customer }: StudioPurchase) => `${customer.name} ${customer.last_name}`.trim()
const methodOf = (row: StudioPurchase) => row.payment_method?.name ?? (row.is_gift ? 'Regalo' : null)

const columns: readonly Column<StudioPurchase>[] = [
  { header: 'Orden', cell: (row) => <SaleLink row={row} /> },
  { header: 'Cliente', cell: nameOf },
  { header: 'Qué compró', cell: (row) => row.title },
  { header: 'Cómo pagó', cell: (row) => <span className="muted">{methodOf(row) ?? '—'}</span> },
  { header: 'Fecha', cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'class')}</span> },
  { header: 'Total', align: 'right', cell: (row) => <span className="row-money">{formatPesos(row.total_payment)}</span> },
  { header: 'Estado', cell: (row) => <PurchaseBadge purchase={row} /> },
]

/** The last sales, each linked to its own screen. */
export function LatestSales({ purchases }: { purchases: readonly StudioPurchase[] }) {
  return (
    <div className="data-table">
      <Table
        caption="Últimas ventas"
        columns={columns}
        rows={purchases}
        rowKey={(row) => row.purchase_id}
        card={(row) => (
          <>
            <span className="row spread">
              <SaleLink row={row} />
              <span className="row-money">{formatPesos(row.total_payment)}</span>
            </span>
            <p>{nameOf(row)}</p>
            <p className="small muted">{[row.title, methodOf(row), formatWall(row.created_date, 'class')].filter(Boolean).join(' · ')}</p>
            <p>
              <PurchaseBadge purchase={row} />
            </p>
          </>
        )}
      />
    </div>
  )
}
