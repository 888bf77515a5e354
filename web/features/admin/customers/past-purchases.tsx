import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { Pager } from '#web/ui/pager.tsx'

/** What a customer bought at the system that the studio used before; nothing where nothing was imported. */
export function PastPurchases({ customer_id }: { customer_id: number }) {
  const [page, setPage] = useState(1)
  const list = useQuery({
    ...queries.customerFile.pastPurchases.queryOptions({ input: { customer_id, page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { past_purchases = [], pages = 1, total = 0 } = list.data ?? {}
  if (!list.isError && total === 0) return null
  return (
    <section className="panel-card" aria-labelledby="compras-de-antes">
      <div className="panel-head">
        <h2 id="compras-de-antes" className="t3">
          En el sistema anterior
        </h2>
        <span className="small muted">Historia: no suma en caja ni reportes</span>
      </div>
      {list.isError && !list.data ? (
        <div className="panel-body">
          <PartNotLoaded query={list}>No pudimos cargar sus compras de antes.</PartNotLoaded>
        </div>
      ) : (
        <>
          <ul>
            {past_purchases.map((row) => (
              <li key={row.past_purchase_id} className="booked-row">
                <div className="grow">
                  <p>{row.title}</p>
                  <p className="small muted">
                    {[formatWall(`${row.bought_on}T00:00:00Z`, 'date'), row.way, row.source].filter(Boolean).join(' · ')}
                  </p>
                </div>
                <span className="row-money">{formatPesos(row.amount)}</span>
              </li>
            ))}
          </ul>
          {pages > 1 && (
            <div className="panel-body">
              <Pager page={page} pages={pages} onPage={setPage} label="Páginas de compras de antes" />
            </div>
          )}
        </>
      )}
    </section>
  )
}
