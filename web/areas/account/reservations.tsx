import { IconCalendarEvent, IconCash, IconCheck, IconQrcode, IconStar, IconUserX, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { useSearchParams } from 'react-router'
import type { Reservation } from '#contract/bookings.ts'
import { empty } from '#contract/messages.ts'
import { formatWall } from '#contract/time.ts'
import { instructorName, spotName } from '#contract/wording.ts'
import { AccessCode } from '#web/features/access-code.tsx'
import { artUrl } from '#web/features/art.tsx'
import { CancelDialog } from '#web/features/cancel-dialog.tsx'
import { CoachAvatar } from '#web/features/coach-portrait.tsx'
import { CreditsSummary } from '#web/features/credits-summary.tsx'
import { RateDialog } from '#web/features/rate-dialog.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { StarsShown } from '#web/ui/stars.tsx'
import { type Column, Table } from '#web/ui/table.tsx'

const FILTERS = [
  { value: 'all', label: 'Todas' },
  { value: 'upcoming', label: 'Próximas' },
  { value: 'past', label: 'Pasadas' },
  { value: 'cancelled', label: 'Canceladas' },
] as const
type Filter = (typeof FILTERS)[number]['value']

const STATUS: Record<Reservation['status'], { tone: BadgeTone; Icon: typeof IconX }> = {
  Próxima: { tone: 'brand', Icon: IconCalendarEvent },
  Exitosa: { tone: 'ok', Icon: IconCheck },
  'No Asistí': { tone: 'danger', Icon: IconUserX },
  'Pago en Efectivo Incompleto': { tone: 'warn', Icon: IconCash },
  Cancelada: { tone: 'outline', Icon: IconX },
}

/** Mis Reservaciones (S2-2.39 to S2-2.48, S2-9.01, S2-9.02). Filter and page live in the address. */
export default function Reservations() {
  const site = useSite()
  const [query, setQuery] = useSearchParams()
  const filter: Filter = FILTERS.find(({ value }) => value === query.get('ver'))?.value ?? 'all'
  const page = Math.max(1, Math.trunc(Number(query.get('pagina'))) || 1)
  const list = useQuery({
    ...queries.bookings.list.queryOptions({ input: { page, filter } }),
    placeholderData: keepPreviousData,
  })
  const [cancelling, setCancelling] = useState<Reservation | null>(null)
  const [coded, setCoded] = useState<Reservation | null>(null)
  const [rating, setRating] = useState<Reservation | null>(null)
  const verbs: Verbs = { cancel: setCancelling, code: setCoded, rate: setRating }
  const show = (next: { filter?: Filter; page?: number }) =>
    setQuery(
      {
        ...((next.filter ?? filter) === 'all' ? {} : { ver: next.filter ?? filter }),
        ...((next.page ?? 1) > 1 ? { pagina: String(next.page) } : {}),
      },
      { preventScrollReset: true },
    )
  const rows = list.data?.class_reservations ?? []

  return (
    <div className="wrap">
      <title>{`Mis Reservaciones · ${site.business_name}`}</title>
      <header className="page-head">
        <div>
          <h1 className="t1">Mis Reservaciones</h1>
          {list.data && (
            <p className="muted">{[list.data.policy.cancel, list.data.policy.limit].filter(Boolean).join('. ').replace('..', '.')}</p>
          )}
        </div>
        <CreditsSummary />
      </header>
      <div className="list-tools">
        <Segmented label="Mostrar" options={FILTERS} value={filter} onChange={(value) => show({ filter: value })} />
        {list.data && <Pager page={page} pages={list.data.pages} onPage={(to) => show({ page: to })} />}
      </div>
      {list.isError && !list.data ? (
        <EmptyState
          art={artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })}
          action={<Button onClick={() => void list.refetch()}>Intentar de nuevo</Button>}
        >
          No pudimos cargar tus reservaciones.
        </EmptyState>
      ) : (
        <Loading loading={list.isPending} skeleton={<Skeleton height="420px" />}>
          {rows.length === 0 ? (
            <EmptyState
              art={artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })}
              action={
                <Button as={AppLink} to={paths.mystudio.calendar}>
                  Ir a Reservar
                </Button>
              }
            >
              {filter === 'all' ? empty.reservations : 'No hay reservaciones en esta vista.'}
            </EmptyState>
          ) : (
            <Table
              caption="Mis reservaciones"
              columns={columns(site.allow_class_guests, verbs)}
              rows={rows}
              rowKey={(row) => row.class_reservation_id}
              quiet={(row) => row.deletedAt !== null}
              card={(row) => <ReservationCard row={row} verbs={verbs} />}
            />
          )}
        </Loading>
      )}
      <CancelDialog
        cancelling={
          cancelling && {
            class_reservation_id: cancelling.class_reservation_id,
            single_class_id: cancelling.single_class_id,
            name: [cancelling.single_class.class_type.name, coachOf(cancelling) && `con ${coachOf(cancelling)}`].filter(Boolean).join(' '),
            class_date: cancelling.single_class.class_date,
          }
        }
        onClose={() => setCancelling(null)}
      />
      <RateDialog row={rating} onClose={() => setRating(null)} />
      <AccessCode row={coded} onClose={() => setCoded(null)} />
    </div>
  )
}

const coachOf = (row: Reservation): string => {
  const coach = row.single_class.class_instructors[0]?.instructor
  return coach ? instructorName(coach) : ''
}

/** What can be asked for a reservation. */
interface Verbs {
  cancel: (row: Reservation) => void
  code: (row: Reservation) => void
  rate: (row: Reservation) => void
}

function columns(guests: boolean, verbs: Verbs): Column<Reservation>[] {
  const guest: Column<Reservation> = { header: 'Invitado', cell: (row) => row.guest ?? '–' }
  return [
    { header: 'Clase', cell: (row) => row.single_class.class_type.name },
    ...(guests ? [guest] : []),
    { header: 'Coach', cell: (row) => <Coach row={row} /> },
    { header: 'Fecha y Hora', cell: (row) => <span className="nowrap">{formatWall(row.single_class.class_date, 'class')}</span> },
    {
      header: 'Lugar',
      cell: (row) => (
        <span className="reservation-place">
          {row.spot ? spotName(row.spot) : row.single_class.location.name}
          {row.spot && <small>{row.single_class.location.name}</small>}
        </span>
      ),
    },
    { header: 'Estado', cell: (row) => <Status row={row} /> },
    { header: 'Acciones', cell: (row) => <Actions row={row} verbs={verbs} /> },
  ]
}

function Coach({ row }: { row: Reservation }): ReactNode {
  const coach = row.single_class.class_instructors[0]?.instructor
  if (!coach) return '–'
  return (
    <span className="reservation-coach">
      <CoachAvatar coach={coach} size={28} />
      {instructorName(coach)}
    </span>
  )
}

function Status({ row }: { row: Reservation }) {
  const { tone, Icon } = STATUS[row.status]
  return (
    <Badge tone={tone} icon={<Icon className="icon" aria-hidden="true" />}>
      {row.status}
    </Badge>
  )
}

function Actions({ row, verbs, full = false }: { row: Reservation; verbs: Verbs; full?: boolean }) {
  const which = `${row.single_class.class_type.name}, ${formatWall(row.single_class.class_date, 'class')}`
  if (row.class_stars) return <StarsShown value={row.class_stars} />
  return (
    <span className={full ? 'stack gap-8' : 'row gap-8'}>
      {row.actions.rate && (
        <Button
          size="small"
          full={full}
          icon={<IconStar className="icon" aria-hidden="true" />}
          onClick={() => verbs.rate(row)}
          aria-label={`Calificar ${which}`}
        >
          Calificar
        </Button>
      )}
      {row.actions.access_code && (
        <Button
          variant="outline"
          size="small"
          full={full}
          icon={<IconQrcode className="icon" aria-hidden="true" />}
          onClick={() => verbs.code(row)}
          aria-label={`Código de acceso de ${which}`}
        >
          Código
        </Button>
      )}
      {row.actions.cancel && (
        <Button
          variant={full ? 'outline' : 'danger-quiet'}
          size="small"
          full={full}
          onClick={() => verbs.cancel(row)}
          aria-label={`Cancelar ${which}`}
        >
          Cancelar
        </Button>
      )}
      {!row.actions.cancel && row.status === 'Próxima' && row.why_not && <span className="small muted">{row.why_not.message}</span>}
    </span>
  )
}

function ReservationCard({ row, verbs }: { row: Reservation; verbs: Verbs }) {
  return (
    <div className="reservation-card">
      <span>
        <Status row={row} />
      </span>
      <p className="hour">{formatWall(row.single_class.class_date, 'class')}</p>
      <p className="t4">{row.single_class.class_type.name}</p>
      <p className="small muted">
        {[coachOf(row), row.single_class.location.name, row.spot && spotName(row.spot), row.guest && `con ${row.guest}`]
          .filter(Boolean)
          .join(' · ')}
      </p>
      <Actions row={row} verbs={verbs} full />
    </div>
  )
}
