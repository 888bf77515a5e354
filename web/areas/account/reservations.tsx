import { IconCalendarShare, IconDots, IconQrcode, IconStar } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import type { Reservation } from '#contract/bookings.ts'
import { empty } from '#contract/copy/empty-lists.ts'
import { instructorFullName, instructorName, spotName } from '#contract/copy/names.ts'
import { paths } from '#contract/paths.ts'
import { formatWall } from '#contract/time.ts'
import { CreditsSummary } from '#web/features/booking/credits-summary.tsx'
import { PenaltyBanner } from '#web/features/booking/penalty-banner.tsx'
import { ReservationDialogs } from '#web/features/booking/reservation-dialogs.tsx'
import { cancellationText, ReservationStatus } from '#web/features/booking/reservation-status.tsx'
import {
  isComing,
  isReservationDialog,
  RESERVATION_DIALOGS,
  type ReservationDialog,
  reservationAriaLabel,
} from '#web/features/booking/reservation-text.ts'
import { UndoBar } from '#web/features/booking/undo-bar.tsx'
import { CalendarFeed } from '#web/features/calendar/calendar-feed.tsx'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { pageIn, useLastPage } from '#web/lib/list-page.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Pager } from '#web/ui/pager.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { StarRating } from '#web/ui/stars.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { PageHead } from './page-head.tsx'
import './reservations.css'

const FILTERS = [
  { value: 'all', label: 'Todas' },
  { value: 'upcoming', label: 'Próximas' },
  { value: 'past', label: 'Pasadas' },
  { value: 'cancelled', label: 'Canceladas' },
] as const
type Filter = (typeof FILTERS)[number]['value']

/** The dialogs of this page, by their keys in the address. */
const DIALOGS = [...RESERVATION_DIALOGS, 'enlace'] as const

/** Mis Reservaciones (S2-2.39 to S2-2.48, S2-9.01, S2-9.02). Filter and page live in the address. */
export default function Reservations() {
  const site = useSite()
  const navigate = useNavigate()
  const [query] = useSearchParams()
  const { asked, ask, close } = useDialogParam(DIALOGS)
  const filter: Filter = FILTERS.find(({ value }) => value === query.get('ver'))?.value ?? 'all'
  const page = pageIn(query)
  const list = useQuery({
    ...queries.bookings.list.queryOptions({ input: { page, filter } }),
    placeholderData: keepPreviousData,
  })
  useLastPage(page, list.isPlaceholderData ? undefined : list.data?.pages)
  const show = (next: { filter?: Filter; page?: number }) => {
    const to = new URLSearchParams({
      ...((next.filter ?? filter) === 'all' ? {} : { ver: next.filter ?? filter }),
      ...((next.page ?? 1) > 1 ? { pagina: String(next.page) } : {}),
    })
    void navigate(to.size ? `?${to}` : paths.mystudio.reservations, { preventScrollReset: true })
  }
  const rows = list.data?.class_reservations ?? []

  return (
    <div className="wrap">
      <PageHead title="Mis Reservaciones" about={list.data ? policyWords(list.data.policy) : null}>
        <CreditsSummary />
      </PageHead>
      <PenaltyBanner />
      <div className="list-tools">
        <Segmented label="Mostrar" options={FILTERS} value={filter} onChange={(value) => show({ filter: value })} />
        <span className="row wraps gap-8">
          <Button
            variant="outline"
            size="small"
            icon={<IconCalendarShare className="icon" aria-hidden="true" />}
            onClick={() => ask('enlace', 0)}
          >
            Mi calendario
          </Button>
          {list.data && <Pager page={page} pages={list.data.pages} onPage={(to) => show({ page: to })} />}
        </span>
      </div>
      <Loaded
        query={list}
        skeleton={<Skeleton height="420px" />}
        failed="No pudimos cargar tus reservaciones."
        nothing={
          rows.length === 0 && (
            <EmptyState way={{ label: 'Ir a Reservar', to: paths.mystudio.calendar }}>
              {filter === 'all' ? empty.reservations : 'No hay reservaciones en esta vista.'}
            </EmptyState>
          )
        }
      >
        <Table
          caption="Mis reservaciones"
          columns={columns(site.allow_class_guests, ask)}
          rows={rows}
          rowKey={(row) => row.class_reservation_id}
          quiet={(row) => row.deletedAt !== null}
          card={(row) => <ReservationCard row={row} ask={ask} />}
        />
      </Loaded>
      {list.data && list.data.pages > 1 && (
        <div className="reservations-foot">
          <Pager page={page} pages={list.data.pages} onPage={(to) => show({ page: to })} label="Páginas, al final de la lista" />
        </div>
      )}
      <UndoBar />
      <ReservationDialogs
        asked={asked && isReservationDialog(asked.name) ? { name: asked.name, id: asked.id } : null}
        ask={ask}
        close={close}
      />
      {asked?.name === 'enlace' && <CalendarFeed onClose={close} />}
    </div>
  )
}

/** Until when a place can be given up, and how often: sentences of the spec, which ends only some of them with a stop. */
const policyWords = ({ cancel, limit }: { cancel: string; limit: string | null }): string =>
  [cancel, limit].filter(Boolean).join('. ').replace('..', '.')

type Ask = (name: ReservationDialog, id: number) => void

const coachOf = (row: Reservation): string => {
  const coach = row.single_class.class_instructors[0]?.instructor
  return coach ? instructorFullName(coach) : ''
}

function columns(guests: boolean, input: Ask): Column<Reservation>[] {
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
    { header: 'Acciones', cell: (row) => <Actions row={row} ask={input} /> },
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
  const words = cancellationText(row)
  return (
    <span className="reservation-place">
      <ReservationStatus row={row} />
      {words && <small>{words}</small>}
    </span>
  )
}

/** The class's stars; without them (S2-5.09) the coach's, named so. */
function Rated({ row }: { row: Reservation }) {
  if (row.class_stars) return <StarRating value={row.class_stars} />
  if (!row.coach_stars) return null
  return (
    <span className="row gap-8 small muted">
      Coach <StarRating value={row.coach_stars} />
    </span>
  )
}

function Actions({ row, ask, full = false }: { row: Reservation; ask: Ask; full?: boolean }) {
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
            onClick={() => ask('calificar', id)}
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
            onClick={() => ask('codigo', id)}
            aria-label={`Código de Acceso de ${which}`}
          >
            Código
          </Button>
        )}
        {actions.cancel && (
          <Button
            variant={full ? 'outline' : 'danger-quiet'}
            size="small"
            onClick={() => ask('cancelar', id)}
            aria-label={`Cancelar ${which}`}
          >
            Cancelar
          </Button>
        )}
        {isComing(row) && (
          <IconButton bare={!full} label={`Más opciones de ${which}`} onClick={() => ask('lugar', id)}>
            <IconDots className="icon" aria-hidden="true" />
          </IconButton>
        )}
      </span>
      {!actions.cancel && row.why_not && <span className="small muted">{row.why_not.message}</span>}
    </>
  )
}

function ReservationCard({ row, ask }: { row: Reservation; ask: Ask }) {
  const [day, hour] = formatWall(row.single_class.class_date, 'class').split(', ')
  const words = cancellationText(row)
  return (
    <div className={`reserved-card ${row.deletedAt ? 'reservation-quiet' : ''}`}>
      <span className="row spread gap-8">
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
          <p className="small muted">{[coachOf(row), row.single_class.location.name].filter(Boolean).join(', ')}</p>
          <p className="small muted">
            {[row.spot && spotName(row.spot), row.guest && `con ${row.guest}`, words && `Cancelada: ${words}`].filter(Boolean).join(', ')}
          </p>
        </div>
      </div>
      <Actions row={row} ask={ask} full />
    </div>
  )
}
