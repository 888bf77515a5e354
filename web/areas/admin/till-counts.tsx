import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { CASH_SESSIONS_PER_PAGE, type CashSession } from '#contract/cash-sessions.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant } from '#contract/time.ts'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { cashDiscrepancyText } from '#web/features/admin/till/cash-text.ts'
import { CountBadge } from '#web/features/admin/till/count-badge.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { adminPaths } from '#web/lib/admin-paths.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage, useListPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Cortes de caja', detail: true }

const cashDiscrepancy = ({ ways }: CashSession): string => {
  const discrepancy = ways.find(({ kind }) => kind === 'cash')?.difference ?? null
  return discrepancy === null ? '—' : cashDiscrepancyText(discrepancy)
}

/** Cortes: cash sessions; one's own, or all for staff who review them. */
export default function TillCounts() {
  const site = useSite()
  const [page, turnTo] = useListPage()
  const list = useQuery({
    ...queries.cashSessions.list.queryOptions({ input: { page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.cash_sessions ?? []
  const pages = pageCount(list.data?.total ?? 0, CASH_SESSIONS_PER_PAGE)
  useLastPage(page, list.data && !list.isPlaceholderData ? pages : undefined)
  const at = (instant: string | null) => (instant === null ? '—' : formatInstant(new Date(instant), site.zone, 'class'))
  const columns: readonly Column<CashSession>[] = [
    {
      header: 'Abierta',
      cell: (row) => (
        <AppLink to={adminPaths.tillCount(row.cash_session_id)} className="row-link strong">
          {at(row.openedAt)}
        </AppLink>
      ),
    },
    { header: 'Cerrada', cell: (row) => at(row.closedAt) },
    { header: 'Estudio', cell: (row) => row.location.name },
    { header: 'Quién', cell: (row) => row.staff.name },
    { header: 'Efectivo', cell: cashDiscrepancy },
    { header: 'Estado', cell: (row) => <CountBadge session={row} /> },
  ]
  return (
    <>
      <ScreenHead title="Cortes de caja">{list.data && <Pager page={page} pages={pages} onPage={turnTo} />}</ScreenHead>
      <Loaded
        query={list}
        skeleton={<ListSkeleton rows={6} />}
        failed="No pudimos cargar los cortes."
        nothing={
          rows.length === 0 && (
            <EmptyState way={{ label: 'Ir a Caja', to: adminPaths.till }}>Todavía no hay cajas abiertas ni cortes.</EmptyState>
          )
        }
      >
        <Table
          caption="Cortes de caja"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.cash_session_id}
          card={(row) => (
            <>
              <span className="row spread">
                <AppLink to={adminPaths.tillCount(row.cash_session_id)} className="row-link strong">
                  {at(row.openedAt)}
                </AppLink>
                <CountBadge session={row} />
              </span>
              <p className="small muted">
                {row.location.name} · {row.staff.name} · {cashDiscrepancy(row)}
              </p>
            </>
          )}
        />
      </Loaded>
    </>
  )
}
