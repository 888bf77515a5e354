import { IconCalendarShare, IconDots, IconQrcode, IconStar } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Reservation } from '#contract/bookings.ts'
import { empty } from '#contract/copy/empty-lists.ts'
import { spotName } from '#contract/copy/names.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { CreditsSummary } from '#web/features/booking/credits-summary.tsx'
import { PenaltyBanner } from '#web/features/booking/penalty-banner.tsx'
import { cancellationText, ReservationStatus } from '#web/features/booking/reservation-status.tsx'
import {
  isComing,
  isReservationDialog,
  RESERVATION_DIALOGS,
  type ReservationDialog,
  reservationAriaLabel,
} from '#web/features/booking/reservation-text.ts'
import { UndoBar } from '#web/features/booking/undo-bar.tsx'
import { coachNames } from '#web/features/calendar/class-facts.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { pageIn, useLastPage } from '#web/lib/list-page.ts'
import { onDemand } from '#web/lib/on-demand.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { usePreload } from '#web/lib/use-preload.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { StarRating } from '#web/ui/stars.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { PageHead } from './page-head.tsx'
import type { AccountHandle } from './start-queries.ts'
import './reservations.css'

const FILTERS = [
  { value: 'all', label: 'Todas' },
  { value: 'upcoming', label: 'Próximas' },
  { value: 'past', label: 'Pasadas' },
  { value: 'cancelled', label: 'Canceladas' },
] as const
type Filter = (typeof FILTERS)[number]['value']

/** The dialogs of this page, by their query keys. */
const DIALOGS = [...RESERVATION_DIALOGS, 'enlace'] as const

const ReservationDialogs = onDemand(async () => (await import('#web/features/booking/reservation-dialogs.tsx')).ReservationDialogs)
const CalendarFeed = onDemand(async () => (await import('#web/features/calendar/calendar-feed.tsx')).CalendarFeed)

const filterIn = (query: URLSearchParams): Filter => FILTERS.find(({ value }) => value === query.get('ver'))?.value ?? 'all'

export const handle: AccountHandle = {
  startQueries(client, _, query) {
    const input = { page: pageIn(query), filter: filterIn(query) }
    void client.prefetchQuery({ ...queries.bookings.list.queryOptions({ input }), meta: { handled: true } })
    void client.prefetchQuery({ ...queries.bookings.again.queryOptions(), queryFn: loadBookAgain, meta: { handled: true } })
  },
}

/** Mis Reservaciones (S2-2.39 to S2-2.48, S2-9.01, S2-9.02). Filter and page are in the address. */
export default function Reservations() {
  const site = useSite()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { open, show, close } = useDialogParam(DIALOGS)
  usePreload(ReservationDialogs)
  const filter = filterIn(query)
  const page = pageIn(query)
  const list = useQuery({
    ...queries.bookings.list.queryOptions({ input: { page, filter } }),
    placeholderData: keepPreviousData,
  })
  // Shown together with the list, so that nothing moves down when it arrives.
  const again = useQuery({ ...queries.bookings.again.queryOptions(), queryFn: loadBookAgain, meta: { handled: true } })
  useLastPage(page, list.isPlaceholderData ? undefined : list.data?.pages)
  const showPage = (next: { filter?: Filter; page?: number }) => {
    const to = new URLSearchParams({
      ...((next.filter ?? filter) === 'all' ? {} : { ver: next.filter ?? filter }),
      ...((next.page ?? 1) > 1 ? { pagina: String(next.page) } : {}),
    })
    void navigate(to.size ? `?${to}` : paths.mystudio.reservations, { preventScrollReset: true })
  }
  const rows = list.data?.class_reservations ?? []
  const reservation = open && isReservationDialog(open.name) ? { name: open.name, id: open.id } : null

  return (
    <div className="wrap reservations-page">
      <PageHead title="Mis Reservaciones" about={list.data ? policyText(list.data.policy) : null}>
        <CreditsSummary />
      </PageHead>
      <PenaltyBanner />
      <div className="list-tools">
        <Segmented label="Mostrar" options={FILTERS} value={filter} onChange={(value) => showPage({ filter: value })} />
        <span className="row wraps gap-8">
          <Button
            variant="outline"
            size="small"
            icon={<IconCalendarShare className="icon" aria-hidden="true" />}
            onClick={() => show('enlace', 0)}
          >
            Mi calendario
          </Button>
          {rows.length > 0 && <Pager always page={page} pages={list.data?.pages ?? 1} onPage={(to) => showPage({ page: to })} />}
        </span>
      </div>
      <Loaded
        query={again.isPending ? again : list}
        skeleton={<Skeleton height="420px" />}
        failed="No pudimos cargar tus reservaciones."
        nothing={
          rows.length === 0 && (
            <>
              {page === 1 && again.data?.card}
              <EmptyState drawing="salto" next={{ label: 'Ir a Reservar', to: paths.mystudio.calendar }}>
                {filter === 'all' ? empty.reservations : 'No hay reservaciones en esta vista.'}
              </EmptyState>
            </>
          )
        }
      >
        {page === 1 && again.data?.card}
        <Table
          caption="Mis reservaciones"
          columns={columns(site.allow_class_guests, show)}
          rows={rows}
          rowKey={(row) => row.class_reservation_id}
          quiet={(row) => row.deletedAt !== null}
          card={(row) => <ReservationCard row={row} show={show} />}
        />
      </Loaded>
      {list.data && list.data.pages > 1 && (
        <div className="reservations-foot">
          <Pager page={page} pages={list.data.pages} onPage={(to) => showPage({ page: to })} label="Páginas, al final de la lista" />
        </div>
      )}
      <UndoBar />
      <ReservationDialogs wanted={reservation !== null} open={reservation} show={show} onClose={close} />
      {open?.name === 'enlace' && <CalendarFeed wanted onClose={close} />}
    </div>
  )
}

/** The offer of the last visit's class with the code that shows it, which the page itself does not load. */
async function loadBookAgain() {
  const [{ BookAgain }, { single_class, spot }] = await Promise.all([
    import('#web/features/booking/book-again.tsx'),
    api.bookings.again({}),
  ])
  return { single_class, spot, card: single_class && <BookAgain cls={single_class} spot={spot} /> }
}

/** The cancellation rules: two sentences of the specification, only some of which end with a full stop. */
const policyText = ({ cancel, limit }: { cancel: string; limit: string | null }): string =>
  [cancel, limit].filter(Boolean).join('. ').replace('..', '.')

type ShowDialog = (name: ReservationDialog, id: number) => void

function columns(guests: boolean, show: ShowDialog): Column<Reservation>[] {
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
          {row.spot ? spotName(row.spot, row.seat_label) : row.single_class.location.name}
          {row.spot && <small>{row.single_class.location.name}</small>}
        </span>
      ),
    },
    { header: 'Estado', cell: (row) => <Status row={row} /> },
    { header: 'Acciones', cell: (row) => <Actions row={row} show={show} /> },
  ]
}

function Coach({ row }: { row: Reservation }): ReactNode {
  const coach = row.single_class.class_instructors[0]?.instructor
  if (!coach) return '–'
  return (
    <span className="reservation-coach">
      <CoachAvatar coach={coach} size={28} />
      {coachNames(row.single_class)}
    </span>
  )
}

function Status({ row }: { row: Reservation }) {
  const cancellation = cancellationText(row)
  return (
    <span className="reservation-place">
      <ReservationStatus row={row} />
      {cancellation && <small>{cancellation}</small>}
    </span>
  )
}

/** The customer's stars for the class; without them (S2-5.09) the stars for the coach, labelled so. */
function Rated({ row }: { row: Reservation }) {
  if (row.class_stars) return <StarRating value={row.class_stars} />
  if (!row.coach_stars) return null
  return (
    <span className="row gap-8 small muted">
      Coach <StarRating value={row.coach_stars} />
    </span>
  )
}

function Actions({ row, show, full = false }: { row: Reservation; show: ShowDialog; full?: boolean }) {
  const which = reservationAriaLabel(row)
  const id = row.class_reservation_id
  const { actions } = row
  return (
    <>
      <span className="reservation-verbs">
        {actions.rate && (
          <Button
            size="small"
            icon={<IconStar className="icon" aria-hidden="true" />}
            onClick={() => show('calificar', id)}
            aria-label={`Calificar ${which}`}
          >
            Calificar
          </Button>
        )}
        {!full && <Rated row={row} />}
        {actions.access_code && (
          <Button
            variant="outline"
            size="small"
            icon={<IconQrcode className="icon" aria-hidden="true" />}
            onClick={() => show('codigo', id)}
            aria-label={`Código de Acceso de ${which}`}
          >
            Código
          </Button>
        )}
        {actions.cancel && (
          <Button
            variant={full ? 'outline' : 'danger-quiet'}
            size="small"
            onClick={() => show('cancelar', id)}
            aria-label={`Cancelar ${which}`}
          >
            Cancelar
          </Button>
        )}
        {isComing(row) && (
          <IconButton bare={!full} label={`Más opciones de ${which}`} onClick={() => show('lugar', id)}>
            <IconDots className="icon" aria-hidden="true" />
          </IconButton>
        )}
      </span>
      {!actions.cancel && row.why_not && <span className="small muted">{row.why_not.message}</span>}
    </>
  )
}

function ReservationCard({ row, show }: { row: Reservation; show: ShowDialog }) {
  const [day, hour] = formatWall(row.single_class.class_date, 'class').split(', ')
  const cancellation = cancellationText(row)
  return (
    <div className={`reserved-card ${row.deletedAt ? 'reservation-quiet' : ''}`}>
      <span className="row spread wraps gap-8">
        <ReservationStatus row={row} />
        <Rated row={row} />
      </span>
      <div className="reservation-facts">
        <p>
          <span className="hour">{hour}</span>
          <span className="small muted nowrap">{day}</span>
        </p>
        <div>
          <p className="reservation-name">{row.single_class.class_type.name}</p>
          <p className="small muted">{[coachNames(row.single_class), row.single_class.location.name].filter(Boolean).join(', ')}</p>
          <p className="small muted">
            {[row.spot && spotName(row.spot, row.seat_label), row.guest && `con ${row.guest}`, cancellation && `Cancelada: ${cancellation}`]
              .filter(Boolean)
              .join(', ')}
          </p>
        </div>
      </div>
      <Actions row={row} show={show} full />
    </div>
  )
}
