import { IconChevronDown } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type CreditMovement, MOVEMENTS_PER_PAGE } from '#contract/credits.ts'
import { pageCount } from '#contract/paging.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { queries } from '#web/lib/api.ts'
import { useLastPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import '#web/ui/chip.css'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import './credit-history.css'

const KINDS: Record<CreditMovement['kind'], string> = {
  grant: 'Se agregaron',
  spend: 'Reservación',
  give_back: 'Regresó',
  remove: 'Se retiraron',
  revoke: 'Se retiraron',
  adjust: 'Ajuste',
  extend: 'Cambio de vigencia',
}

interface CreditHistoryProps {
  creditLots: readonly { available_class_id: number; title: string; createdAt: string }[]
  /** show only this lot; null: all */
  creditLotId: number | null
  page: number
  onCreditLot: (creditLot: number | null) => void
  onPage: (page: number) => void
}

/** The credit ledger of the customer, newest first. */
export function CreditHistory({ creditLots, creditLotId, page, onCreditLot, onPage }: CreditHistoryProps) {
  const site = useSite()
  const list = useQuery({
    ...queries.credits.movements.queryOptions({
      input: { page, ...(creditLotId ? { available_class_id: creditLotId } : {}) },
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
  const rows = list.data?.movements ?? []
  const pages = pageCount(list.data?.total ?? 0, MOVEMENTS_PER_PAGE)
  useLastPage(page, list.data && !list.isPlaceholderData ? pages : undefined)
  // A customer who buys a package again has several lots of one name: add the day to tell them apart.
  const isUniqueTitle = (title: string) => creditLots.filter((creditLot) => creditLot.title === title).length === 1
  const day = (row: CreditMovement) => formatInstant(new Date(row.createdAt), site.zone, 'class')
  const columns: Column<CreditMovement>[] = [
    { header: 'Movimiento', cell: (row) => KINDS[row.kind] },
    { header: 'Fecha', cell: (row) => <span className="nowrap">{day(row)}</span> },
    { header: 'Clase', cell: (row) => movementText(row) || '–' },
    { header: 'Paquete', cell: (row) => row.title },
    { header: 'Créditos', align: 'right', cell: (row) => <Amount row={row} /> },
  ]
  return (
    <section className="credit-history" aria-labelledby="historial">
      <div className="list-tools">
        <h2 id="historial" className="t3">
          Historial
        </h2>
        <span className="row wraps gap-8">
          {creditLots.length > 1 && (
            <span className="chip chip-select">
              <select
                aria-label="Paquete"
                value={creditLotId ?? ''}
                onChange={(event) => onCreditLot(event.currentTarget.value ? Number(event.currentTarget.value) : null)}
              >
                <option value="">Todos los paquetes</option>
                {creditLots.map(({ available_class_id, title, createdAt }) => (
                  <option key={available_class_id} value={available_class_id}>
                    {isUniqueTitle(title) ? title : `${title} · ${formatInstant(new Date(createdAt), site.zone, 'date')}`}
                  </option>
                ))}
              </select>
              <IconChevronDown className="icon" aria-hidden="true" />
            </span>
          )}
          <Pager page={page} pages={pages} onPage={onPage} label="Páginas del historial" />
        </span>
      </div>
      <Loading loading={list.isPending} skeleton={<Skeleton height="200px" />}>
        {list.isError && !list.data ? (
          <PartNotLoaded query={list}>No pudimos cargar tu historial.</PartNotLoaded>
        ) : rows.length === 0 ? (
          <p className="muted">Aquí verás cada crédito que llega y cada uno que usas.</p>
        ) : (
          <Table
            caption="Historial de mis créditos"
            columns={columns}
            rows={rows}
            rowKey={(row) => row.credit_movement_id}
            card={(row) => {
              const about = movementText(row)
              return (
                <div className="credit-move">
                  <div className="grow">
                    <p className="strong">{KINDS[row.kind]}</p>
                    {about && <p className="small">{about}</p>}
                    <p className="small muted">{[row.title, day(row)].join(' · ')}</p>
                  </div>
                  <Amount row={row} />
                </div>
              )
            }}
          />
        )}
      </Loading>
    </section>
  )
}

/** "Reformer, mié 18 nov, 18:00, con Jimena", or the reason of the movement; empty if there is neither. */
function movementText(row: CreditMovement): string {
  const cls = row.class_type && [row.class_type, row.class_date && formatWall(row.class_date, 'class'), row.guest && `con ${row.guest}`]
  const text = cls ? cls.filter(Boolean).join(', ') : (row.reason ?? '')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

/** "+10", "−1"; movements of an unlimited lot and changes of dates have the amount 0. */
function Amount({ row: { amount } }: { row: CreditMovement }) {
  if (amount === 0)
    return (
      <span className="muted">
        <span aria-hidden="true">–</span>
        <span className="sr-only">Sin cambio</span>
      </span>
    )
  return <b className={amount > 0 ? 'credit-in' : undefined}>{amount > 0 ? `+${amount}` : `−${-amount}`}</b>
}
