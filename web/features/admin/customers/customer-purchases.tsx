import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { STUDIO_SALES_PER_PAGE, type StudioPurchase } from '#contract/studio-sales.ts'
import { formatWall } from '#contract/time.ts'
import { useTabPage } from '#web/features/admin/customers/use-tab-page.ts'
import { SaleLink } from '#web/features/admin/sales/sale-link.tsx'
import { PurchaseBadge } from '#web/features/checkout/purchase-badge.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useLastPage } from '#web/lib/list-page.ts'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

const columns: readonly Column<StudioPurchase>[] = [
  { header: 'Orden', cell: (row) => <SaleLink row={row} /> },
  { header: 'Qué compró', cell: (row) => row.title },
  { header: 'Cómo pagó', cell: (row) => row.payment_method?.name ?? (row.is_gift ? 'Regalo' : '—') },
  { header: 'Fecha', cell: (row) => <span className="nowrap">{formatWall(row.created_date, 'class')}</span> },
  { header: 'Total', align: 'right', cell: (row) => <span className="row-money">{formatPesos(row.total_payment)}</span> },
  { header: 'Estado', cell: (row) => <PurchaseBadge purchase={row} /> },
]

/** The purchases of a customer, newest first. */
export function CustomerPurchases({ customer_id }: { customer_id: number }) {
  const [page, turnTo] = useTabPage()
  const list = useQuery({
    ...queries.studioSales.purchases.queryOptions({ input: { customer_id, page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.purchases ?? []
  const pages = list.data && pageCount(list.data.total, STUDIO_SALES_PER_PAGE)
  useLastPage(page, pages)
  return (
    <div className="data-table">
      <Loaded
        query={list}
        skeleton={<ListSkeleton />}
        failed="No pudimos cargar sus compras."
        nothing={rows.length === 0 && <EmptyState>No ha hecho ninguna compra.</EmptyState>}
      >
        <Table
          caption="Compras"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.purchase_id}
          card={(row) => (
            <>
              <span className="row spread">
                <SaleLink row={row} />
                <span className="row-money">{formatPesos(row.total_payment)}</span>
              </span>
              <p>{row.title}</p>
              <p className="small muted">{formatWall(row.created_date, 'class')}</p>
              <p>
                <PurchaseBadge purchase={row} />
              </p>
            </>
          )}
        />
        <div className="table-foot">
          <Pager page={page} pages={pages ?? 1} onPage={turnTo} />
        </div>
      </Loaded>
    </div>
  )
}
