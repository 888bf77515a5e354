import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { spotName } from '#contract/copy/names.ts'
import { reservationSourceLabels, reservationStatusLabels } from '#contract/copy/reservation-list.ts'
import type { ListedReservation } from '#contract/front-desk.ts'
import { formatPesos } from '#contract/money.ts'
import { formatPhone } from '#contract/phone.ts'
import { formatWall, isLocalDate } from '#contract/time.ts'
import { countOf } from '#web/features/admin/bulk/bulk-text.ts'
import { useBulk } from '#web/features/admin/bulk/use-bulk.tsx'
import { type AdminHandle, ScreenHead } from '#web/features/admin/frame/admin-frame.tsx'
import { useLocationFilter } from '#web/features/admin/frame/location-filter.tsx'
import { useShortcuts } from '#web/features/admin/frame/shortcuts.ts'
import { ReservationStatus, SOURCES } from '#web/features/admin/roster/reservation-facts.tsx'
import { type KeyedColumn, useChosenColumns } from '#web/features/admin/table/columns.tsx'
import { DataTable } from '#web/features/admin/table/data-table.tsx'
import { DayFilter } from '#web/features/admin/table/day-filter.tsx'
import { ExportMenu } from '#web/features/admin/table/export-menu.tsx'
import { useNewRows } from '#web/features/admin/table/new-rows.ts'
import { useSelection } from '#web/features/admin/table/selection.tsx'
import { sortHead } from '#web/features/admin/table/sort-head.tsx'
import { tableOrder, useTableQuery } from '#web/features/admin/table/use-table-query.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { api, queries } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { idInText } from '#web/lib/id-in-text.ts'
import { AppLink } from '#web/lib/link.tsx'
import { ChipSelect } from '#web/ui/chip-select.tsx'

export const handle: AdminHandle = { title: 'Reservaciones' }

const CancelReservation = lazy(async () => ({
  default: (await import('#web/features/admin/roster/reservation-verbs.tsx')).CancelReservation,
}))
const MoveReservation = lazy(async () => ({ default: (await import('#web/features/admin/roster/change-verbs.tsx')).MoveReservation }))

const STATUSES = (Object.keys(reservationStatusLabels) as ListedReservation['status'][]).map((value) => ({
  value,
  label: reservationStatusLabels[value],
}))
const ONLY = [
  { value: 'owed', label: 'Con adeudo' },
  { value: 'guest', label: 'Con invitado' },
  { value: 'late_cancel', label: 'Cancelación tardía' },
] as const
const SORTS = [
  { value: '-class', label: 'Clase: la última primero' },
  { value: 'name', label: 'Nombre' },
  { value: '-created', label: 'Reservada: la más reciente primero' },
] as const
const ORDERS = ['class', '-class', 'name', '-name', 'created', '-created'] as const
const KEYS = ['estado', 'tipo', 'coach', 'origen', 'solo', 'orden', 'desde', 'hasta'] as const

const oneOf = <V extends string>(options: readonly { value: V }[], text: string): V | undefined =>
  options.find(({ value }) => value === text)?.value

/** Reservaciones: all reservations of the studio, with search and filters. */
export default function Reservations() {
  const table = useTableQuery(KEYS)
  const { estado, tipo, coach, origen, solo, desde, hasta } = table.filters
  const lists = { staleTime: 300_000, meta: { handled: true } }
  const types = useQuery(queries.catalogue.classTypes.queryOptions(lists))
  const coaches = useQuery(queries.catalogue.instructors.queryOptions({ input: {}, ...lists }))
  const location_id = useLocationFilter()
  const ids = { location_id, class_type_id: idInText(tipo), instructor_id: idInText(coach) }
  const status = oneOf(STATUSES, estado)
  const only = oneOf(ONLY, solo)
  const source = oneOf(SOURCES, origen)
  const head = tableOrder(table, ORDERS, 'class')
  const { sort } = head
  const input = {
    page: table.page,
    ...(table.q ? { query: table.q.slice(0, 120) } : {}),
    ...(status ? { status } : {}),
    ...(only ? { only } : {}),
    ...(source ? { source } : {}),
    sort,
    ...Object.fromEntries(Object.entries(ids).filter(([, id]) => id !== null)),
    ...(isLocalDate(desde) ? { from: desde } : {}),
    ...(isLocalDate(hasta) ? { to: hasta } : {}),
  }
  const query = useQuery({
    ...queries.frontDesk.reservations.queryOptions({ input, meta: { handled: true } }),
    placeholderData: keepPreviousData,
  })
  const { columns, chooser } = useChosenColumns('reservaciones', columnsOf(head))
  const total = query.data?.total ?? 0
  const { page: _page, ...all } = input
  const { shown: rows, ...newRows } = useNewRows(
    query.data?.class_reservations ?? [],
    (row) => row.class_reservation_id,
    sort === '-created' && table.page === 1 ? JSON.stringify(all) : null,
    query.isSuccess && !query.isPlaceholderData,
  )
  const selection = useSelection(
    JSON.stringify(all),
    rows.map((row) => row.class_reservation_id),
    total,
  )
  const { sort: _sort, ...matching } = all
  const bulk = useBulk('reservation', selection, matching)
  const [asking, setAsking] = useState<{ verb: 'cancel' | 'move'; row: ListedReservation } | null>(null)
  const close = () => setAsking(null)
  /** The verb on the row in focus, while its class is not over. */
  const onFocused = (verb: 'cancel' | 'move') => () => {
    const id = focusedReservation()
    const row = rows.find((row) => row.class_reservation_id === id)
    if (row && !row.deletedAt && Date.parse(row.class.ends_at) > currentInstant().getTime()) setAsking({ verb, row })
  }
  useShortcuts('Reservaciones', [
    { keys: 'c', label: 'Cancelar su lugar', act: onFocused('cancel') },
    { keys: 'm', label: 'Mover a otra clase', act: onFocused('move') },
  ])
  const isToday = !('from' in input || 'to' in input || 'query' in input)
  const filter = (key: (typeof KEYS)[number]) => ({ value: table.filters[key], onChange: (value: string) => table.setFilter(key, value) })
  return (
    <>
      <ScreenHead title="Reservaciones" about={isToday ? 'Las de hoy. Busca un nombre o elige días para ver otras.' : ' '} />
      <DataTable
        caption="Reservaciones"
        list="reservaciones"
        query={query}
        table={table}
        searchLabel="Cliente, teléfono, correo o número"
        filters={
          <>
            <DayFilter label="Desde" {...filter('desde')} />
            <DayFilter label="Hasta" {...filter('hasta')} />
            <ChipSelect label="Estado" all="Todos los estados" options={STATUSES} {...filter('estado')} />
            <ChipSelect
              label="Tipo"
              all="Todos los tipos"
              options={(types.data?.class_types ?? []).map(({ class_type_id, name }) => ({ value: String(class_type_id), label: name }))}
              {...filter('tipo')}
            />
            <ChipSelect
              label="Coach"
              all="Todos los coaches"
              options={(coaches.data?.instructors ?? []).map((instructor) => ({
                value: String(instructor.instructor_id),
                label: `${instructor.name} ${instructor.last_name}`.trim(),
              }))}
              {...filter('coach')}
            />
            <ChipSelect label="Origen" all="Todos los orígenes" options={SOURCES} {...filter('origen')} />
            <ChipSelect label="Solo" all="Todas" options={ONLY} {...filter('solo')} />
            <ChipSelect label="Orden" all="Por hora de clase" options={SORTS} {...filter('orden')} />
            {chooser}
            <ExportMenu load={(format) => api.listExports.reservations({ ...all, format })} />
          </>
        }
        columns={columns}
        newRows={newRows}
        rows={rows}
        rowKey={(row) => row.class_reservation_id}
        card={(row) => (
          <>
            <span className="row spread">
              <CustomerName row={row} />
              <ReservationStatus row={row} />
            </span>
            <p>{classText(row)}</p>
            <p className="small muted">{[row.class.location, spotText(row), owedText(row)].filter(Boolean).join(' · ')}</p>
          </>
        )}
        totals={`${query.data?.has_more ? 'Más de ' : ''}${countOf('reservation', total)}`}
        pages={query.data?.pages}
        failed="No pudimos cargar las reservaciones."
        empty={<EmptyState>Hoy no hay reservaciones.</EmptyState>}
        nothingFound="No hay reservaciones con estos filtros."
        selectable={{
          selection,
          total,
          isFeminine: true,
          hasMore: query.data?.has_more === true,
          verbs: bulk.verbs,
          nameOf: (row) => `${nameOf(row)}, ${classText(row)}`,
          countText: (n) => countOf('reservation', n),
        }}
      />
      {bulk.dialogs}
      <Suspense>
        {asking?.verb === 'cancel' && <CancelReservation row={asking.row} onClose={close} onBack={close} />}
        {asking?.verb === 'move' && <MoveReservation cls={asking.row.class} row={asking.row} onClose={close} onBack={close} />}
      </Suspense>
    </>
  )
}

/** The reservation whose row has the focus inside; null: none. */
function focusedReservation(): number | null {
  const link = document.activeElement?.closest('tr, li')?.querySelector<HTMLAnchorElement>('a.row-link')
  const id = /\/(\d+)$/.exec(link?.pathname ?? '')?.[1]
  return id === undefined ? null : Number(id)
}

const nameOf = (row: ListedReservation) => `${row.name} ${row.last_name}`.trim()
const classText = (row: ListedReservation) => `${row.class.class_type}, ${formatWall(row.class.class_date, 'class')}`
const spotText = (row: ListedReservation) =>
  [row.spot && spotName(row.spot, row.seat_label), row.guest && `con ${row.guest}`].filter(Boolean).join(' · ')
const owedText = (row: ListedReservation) => row.owed && `Debe ${formatPesos(row.owed)}`

function CustomerName({ row }: { row: ListedReservation }) {
  return (
    <AppLink to={adminPaths.reservationDetails(row.class_reservation_id)} className="row-link strong">
      {nameOf(row)}
    </AppLink>
  )
}

const columnsOf = (head: ReturnType<typeof tableOrder>): readonly KeyedColumn<ListedReservation>[] => [
  { key: 'cliente', ...sortHead<ListedReservation>({ header: 'Cliente', by: 'name', ...head }), cell: (row) => <CustomerName row={row} /> },
  {
    key: 'telefono',
    isExtra: true,
    header: 'Teléfono',
    cell: (row) => <span className="nowrap">{row.phone ? formatPhone(row.phone) : '—'}</span>,
  },
  { key: 'correo', isExtra: true, header: 'Correo', cell: (row) => row.email ?? '—' },
  { key: 'clase', header: 'Clase', cell: (row) => row.class.class_type },
  {
    key: 'cuando',
    ...sortHead<ListedReservation>({ header: 'Cuándo', by: 'class', ...head }),
    cell: (row) => <span className="nowrap">{formatWall(row.class.class_date, 'class')}</span>,
  },
  { key: 'coach', isExtra: true, header: 'Coach', cell: (row) => row.class.coaches || '—' },
  { key: 'estudio', header: 'Estudio', cell: (row) => row.class.location },
  { key: 'lugar', header: 'Lugar', cell: (row) => <span className="muted">{spotText(row) || '—'}</span> },
  { key: 'pago', isExtra: true, header: 'Pagada con', cell: (row) => row.paid_with ?? '—' },
  { key: 'origen', isExtra: true, header: 'Origen', cell: (row) => reservationSourceLabels[row.source] },
  {
    key: 'debe',
    header: 'Debe',
    align: 'right',
    cell: (row) => <span className="row-money">{row.owed ? formatPesos(row.owed) : '—'}</span>,
  },
  { key: 'estado', header: 'Estado', cell: (row) => <ReservationStatus row={row} /> },
]
