import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { CreditMovement } from '#contract/credits.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { useLastPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { useTabPage } from './use-tab-page.ts'

const KINDS: Readonly<Record<CreditMovement['kind'], string>> = {
  grant: 'Recibió',
  spend: 'Usó',
  give_back: 'Se le regresó',
  remove: 'Se le restó',
  revoke: 'Se le retiró',
  adjust: 'Cambio',
  extend: 'Nuevo vencimiento',
}

const amountText = (amount: number) => (amount === 0 ? '' : amount > 0 ? `+${amount}` : `−${Math.abs(amount)}`)

/** Changes of a customer's credits, newest first, with the staff member of each. */
export function CreditMovements({ customer_id }: { customer_id: number }) {
  const site = useSite()
  const [page, turnTo] = useTabPage()
  const list = useQuery({
    ...queries.customerFile.creditMovements.queryOptions({ input: { customer_id, page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.movements ?? []
  useLastPage(page, list.data?.pages)
  return (
    <section className="panel-card" aria-labelledby="movimientos">
      <div className="panel-head">
        <h2 id="movimientos" className="t3">
          Movimientos
        </h2>
      </div>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={3} />}
        failed="No pudimos cargar los movimientos."
        nothing={rows.length === 0 && <EmptyState>Todavía no hay movimientos.</EmptyState>}
      >
        <ul>
          {rows.map((row) => (
            <li key={row.credit_movement_id} className="booked-row">
              <div className="grow">
                <p>
                  <b>{KINDS[row.kind]}</b> {row.title}
                  {row.class_type && row.class_date && `: ${row.class_type}, ${formatWall(row.class_date, 'class')}`}
                  {row.guest && `, con ${row.guest}`}
                </p>
                <p className="small muted">
                  {[formatInstant(new Date(row.createdAt), site.zone, 'class'), row.who, row.reason].filter(Boolean).join(' · ')}
                </p>
              </div>
              <span className="row-money">{amountText(row.amount)}</span>
            </li>
          ))}
        </ul>
        <div className="panel-body">
          <Pager page={page} pages={list.data?.pages ?? 1} onPage={turnTo} label="Páginas de movimientos" />
        </div>
      </Loaded>
    </section>
  )
}
