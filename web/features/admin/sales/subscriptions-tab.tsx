import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import { pageCount } from '#contract/paging.ts'
import { STUDIO_SALES_PER_PAGE, type StudioPurchase } from '#contract/studio-sales.ts'
import type { SubscriptionState } from '#contract/studio-subscriptions.ts'
import { formatWall } from '#contract/time.ts'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'
import PendingSubscriptions from './pending-subscriptions.tsx'
import { sumText } from './sale-text.ts'
import { idOfFilter, optionIn, useSalesTable } from './sales-filters.tsx'
import { countText, customerText, OrderLink } from './sales-parts.tsx'

const SORTS = ['next', '-next', 'amount', '-amount', 'name', '-name'] as const

type Row = StudioPurchase & { state: SubscriptionState }

const STATES = [
  { value: 'active', label: 'Activas', one: 'Activa', tone: 'ok' },
  { value: 'trial', label: 'En prueba', one: 'En prueba', tone: 'brand' },
  { value: 'past_due', label: 'Atrasadas', one: 'Atrasada', tone: 'danger' },
  { value: 'paused', label: 'Pausadas', one: 'Pausada', tone: 'outline' },
  { value: 'ending', label: 'Por terminar', one: 'Por terminar', tone: 'warn' },
] as const satisfies readonly { value: SubscriptionState; label: string; one: string; tone: BadgeTone }[]

/** Suscripciones: live subscriptions, their next charges, and the income per month. */
export default function SubscriptionsTab() {
  const table = useSalesTable()
  const { filters } = table
  const state = optionIn(STATES, filters.estado)
  const class_package_id = idOfFilter(filters.paquete)
  const head = tableOrder(table, SORTS, 'next')
  const input = {
    page: table.page,
    sort: head.sort,
    ...(table.location_id === null ? {} : { location_id: table.location_id }),
    ...(table.q ? { query: table.q.slice(0, 120) } : {}),
    ...(state ? { state } : {}),
    ...(class_package_id ? { class_package_id } : {}),
  }
  const query = useQuery({
    ...queries.studioSubscriptions.list.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const packages = useQuery(queries.studioPackages.all.queryOptions({ input: {}, staleTime: 300_000, meta: { handled: true } }))
  const { total = 0, sum } = query.data ?? {}
  const { page: _, ...all } = input
  const { columns, chooser } = useChosenColumns('suscripciones', columnsOf(head))
  return (
    <>
      {sum && (
        <section className="panel-card sales-figures" aria-label="Cifras">
          {sum.mrr !== null && (
            <div>
              <p className="small muted">Ingreso mensual recurrente</p>
              <p className="figure">{sumText(sum.mrr)}</p>
              <details className="figure-about">
                <summary>¿Cómo se calcula?</summary>
                <p className="small muted">
                  El próximo cobro de cada suscripción al corriente, con su descuento y sin IVA, llevado a un mes. No cuentan las que están
                  en prueba, en pausa, atrasadas o canceladas.
                </p>
              </details>
            </div>
          )}
          <div>
            <p className="small muted">Renovaciones atrasadas</p>
            <p className="figure">{sumText(sum.past_due)}</p>
            <p className="small muted">{countText(sum.states.past_due, 'suscripción', 'suscripciones')}, con IVA</p>
          </div>
        </section>
      )}
      <PendingSubscriptions />
      <DataTable
        caption="Suscripciones"
        list="suscripciones"
        query={query}
        table={table}
        searchLabel="Cliente, teléfono, paquete u orden"
        filters={
          <>
            <ChipSelect
              label="Estado"
              all="Todos los estados"
              options={STATES.map(({ value, label }) => ({ value, label: sum ? `${label} (${sum.states[value]})` : label }))}
              value={filters.estado}
              onChange={(value) => table.setFilter('estado', value)}
            />
            <ChipSelect
              label="Paquete"
              all="Todos los paquetes"
              options={(packages.data?.class_packages ?? [])
                .filter((classPackage) => classPackage.is_subscription)
                .map((classPackage) => ({ value: String(classPackage.class_package_id), label: classPackage.title }))}
              value={filters.paquete}
              onChange={(value) => table.setFilter('paquete', value)}
            />
            {chooser}
            <ExportMenu load={(format) => api.listExports.subscriptions({ ...all, format })} />
          </>
        }
        columns={columns}
        rows={query.data?.subscriptions ?? []}
        rowKey={(row) => row.purchase_id}
        card={(row) => (
          <>
            <span className="row spread">
              <OrderLink purchase_id={row.purchase_id} />
              <StateBadge row={row} />
            </span>
            <p>{customerText(row)}</p>
            <p className="small muted">{[row.title, nextText(row), amountText(row)].filter(Boolean).join(' · ')}</p>
          </>
        )}
        totals={countText(total, 'suscripción', 'suscripciones')}
        pages={query.data && pageCount(total, STUDIO_SALES_PER_PAGE)}
        failed="No pudimos cargar las suscripciones."
        empty={<EmptyState>Todavía no hay suscripciones.</EmptyState>}
      />
    </>
  )
}

const amountText = (row: Row) => row.next_charge && formatPesos(row.next_charge.amount)
const nextText = (row: Row) =>
  row.state === 'ending'
    ? row.benefits_until_date && `Termina el ${formatWall(row.benefits_until_date, 'date')}`
    : row.state === 'paused'
      ? 'En pausa'
      : row.next_charge && `Se cobra el ${formatWall(row.next_charge.date, 'date')}`

function StateBadge({ row }: { row: Row }) {
  const state = STATES.find(({ value }) => value === row.state)
  return state ? <Badge tone={state.tone}>{state.one}</Badge> : null
}

const columnsOf = (head: ReturnType<typeof tableOrder>): readonly KeyedColumn<Row>[] => [
  { key: 'orden', header: 'Orden', cell: (row) => <OrderLink purchase_id={row.purchase_id} /> },
  { key: 'cliente', ...sortHead<Row>({ header: 'Cliente', by: 'name', ...head }), cell: customerText },
  { key: 'paquete', header: 'Paquete', cell: (row) => row.title },
  { key: 'metodo', header: 'Método', cell: (row) => <span className="muted">{row.payment_method?.name ?? '—'}</span> },
  { key: 'sigue', ...sortHead<Row>({ header: 'Qué sigue', by: 'next', ...head }), cell: (row) => nextText(row) || '—' },
  {
    key: 'cobro',
    ...sortHead<Row>({ header: 'Próximo cobro', by: 'amount', first: 'down', ...head }),
    align: 'right',
    cell: (row) => <span className="row-money">{amountText(row) ?? '—'}</span>,
  },
  { key: 'estado', header: 'Estado', cell: (row) => <StateBadge row={row} /> },
]
