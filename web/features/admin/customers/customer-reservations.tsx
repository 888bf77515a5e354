import '#web/features/admin/table/data-table.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { adminPaths } from '#contract/admin-paths.ts'
import { spotName } from '#contract/copy/names.ts'
import type { ListedReservation } from '#contract/front-desk.ts'
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import { ReservationStatus } from '#web/features/admin/roster/reservation-facts.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useLastPage } from '#web/lib/list-page.ts'
import { Pager } from '#web/ui/pager.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { useTabPage } from './use-tab-page.ts'

/** Every reservation of a customer, the last class first. */
export function CustomerReservations({ customer_id }: { customer_id: number }) {
  const [page, turnTo] = useTabPage()
  const list = useQuery({
    ...queries.frontDesk.reservations.queryOptions({ input: { customer_id, sort: '-class', page }, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.class_reservations ?? []
  const total = list.data?.total ?? 0
  useLastPage(page, list.data?.pages)
  return (
    <div className="data-table">
      <Loaded
        query={list}
        skeleton={<ListSkeleton />}
        failed="No pudimos cargar sus reservaciones."
        nothing={rows.length === 0 && <EmptyState>No ha reservado clases.</EmptyState>}
      >
        <Table
          caption="Reservaciones"
          columns={columns}
          rows={rows}
          rowKey={(row) => row.class_reservation_id}
          card={(row) => (
            <>
              <span className="row spread">
                <ClassLink row={row} />
                <ReservationStatus row={row} />
              </span>
              <p>{formatWall(row.class.class_date, 'class')}</p>
              <p className="small muted">
                {[row.class.location, spotText(row), row.owed && `Debe ${formatPesos(row.owed)}`].filter(Boolean).join(' · ')}
              </p>
            </>
          )}
        />
        <div className="table-foot">
          <p className="small muted">{total === 1 ? '1 reservación' : `${total.toLocaleString('es-MX')} reservaciones`}</p>
          <Pager page={page} pages={list.data?.pages ?? 1} onPage={turnTo} />
        </div>
      </Loaded>
    </div>
  )
}

const spotText = (row: ListedReservation) =>
  [row.spot && spotName(row.spot, row.seat_label), row.guest && `con ${row.guest}`].filter(Boolean).join(' · ')

function ClassLink({ row }: { row: ListedReservation }) {
  return (
    <AppLink to={adminPaths.reservationDetails(row.class_reservation_id)} className="row-link strong">
      {row.class.class_type}
    </AppLink>
  )
}

const columns: readonly Column<ListedReservation>[] = [
  { header: 'Clase', cell: (row) => <ClassLink row={row} /> },
  { header: 'Cuándo', cell: (row) => <span className="nowrap">{formatWall(row.class.class_date, 'class')}</span> },
  { header: 'Estudio', cell: (row) => row.class.location },
  { header: 'Lugar', cell: (row) => <span className="muted">{spotText(row) || '—'}</span> },
  { header: 'Debe', align: 'right', cell: (row) => <span className="row-money">{row.owed ? formatPesos(row.owed) : '—'}</span> },
  { header: 'Estado', cell: (row) => <ReservationStatus row={row} /> },
]
