import { IconBellRinging, IconCheck, IconHelpCircle, IconHourglass, IconX } from '@tabler/icons-react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { empty } from '#contract/copy/empty-lists.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import type { WaitlistEntry } from '#contract/waitlist.ts'
import { reservationAriaLabel } from '#web/features/booking/reservation-text.ts'
import { LeaveWaitlist, waitlistRules } from '#web/features/booking/waitlist-dialogs.tsx'
import { coachNames } from '#web/features/calendar/class-facts.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { api, queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { Badge, type BadgeTone } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { type Column, Table } from '#web/ui/table.tsx'
import { PageHead } from './page-head.tsx'

/** Polling interval: positions change, and an offer is on hold for minutes only. */
const POLL_MS = 30_000

const STATUS: Record<WaitlistEntry['status'], { label: string; tone: BadgeTone; Icon: typeof IconX }> = {
  waiting: { label: 'En espera', tone: 'accent', Icon: IconHourglass },
  offered: { label: 'Lugar apartado', tone: 'brand', Icon: IconBellRinging },
  booked: { label: 'Ya tienes tu lugar', tone: 'ok', Icon: IconCheck },
  passed: { label: 'Dejaste pasar el lugar', tone: 'outline', Icon: IconX },
  left: { label: 'Saliste de la lista', tone: 'outline', Icon: IconX },
  closed: { label: 'Lista cerrada', tone: 'outline', Icon: IconX },
}

/** The dialogs of this page, by their query keys. */
const DIALOGS = ['ayuda', 'salir'] as const

/** Mis Listas de Espera (S2-2.56 to S2-2.58): the position in each waitlist, an offered spot, and leaving. */
export default function Waitlists() {
  const site = useSite()
  const list = useQuery({ ...queries.waitlist.list.queryOptions(), refetchInterval: POLL_MS })
  const { open, show, close } = useDialogParam(DIALOGS)
  const rows = list.data?.waitlists ?? []
  const help = open?.name === 'ayuda'
  const leaving = open?.name === 'salir' ? rows.find((row) => row.waitlist_id === open.id && isLive(row)) : undefined
  const setLeaving = (row: WaitlistEntry) => show('salir', row.waitlist_id)
  return (
    <div className="wrap">
      <PageHead title="Mis Listas de Espera">
        <Button variant="outline" icon={<IconHelpCircle className="icon" aria-hidden="true" />} onClick={() => show('ayuda', 0)}>
          Cómo funciona
        </Button>
      </PageHead>
      <Loaded
        query={list}
        skeleton={<Skeleton height="300px" />}
        failed="No pudimos cargar tus listas de espera."
        nothing={
          rows.length === 0 && (
            <EmptyState drawing="yoga" next={{ label: 'Ver el calendario', to: paths.mystudio.calendar }}>
              {empty.waitlists}
            </EmptyState>
          )
        }
      >
        <Table
          caption="Mis listas de espera"
          columns={columns(list.data?.mode === 'auto', setLeaving)}
          rows={rows}
          rowKey={(row) => row.waitlist_id}
          quiet={(row) => !isLive(row)}
          card={(row) => (
            <div className="reservation-card">
              <span>
                <Status row={row} />
              </span>
              <p className="hour">{formatWall(row.single_class.class_date, 'class')}</p>
              <p className="t4">{row.single_class.class_type.name}</p>
              <p className="small muted">{[coachNames(row.single_class), row.single_class.location.name].filter(Boolean).join(' · ')}</p>
              <EntryState row={row} />
              {list.data?.mode === 'auto' && row.status === 'waiting' && <AutoSwitch row={row} alone />}
              <Actions row={row} onLeave={setLeaving} full />
            </div>
          )}
        />
      </Loaded>
      <Dialog open={help} onClose={close} title="Cómo funciona la lista de espera" actions={<Button onClick={close}>Entendido</Button>}>
        <p>Cuando una clase no tiene lugares puedes anotarte en su lista de espera desde el calendario.</p>
        {waitlistRules(site).map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
        <p>Puedes quitarte cuando quieras. La lista se cierra cuando empieza la clase.</p>
      </Dialog>
      <LeaveWaitlist
        leaving={
          leaving
            ? {
                waitlist_id: leaving.waitlist_id,
                name: leaving.single_class.class_type.name,
                class_date: leaving.single_class.class_date,
                offered: leaving.status === 'offered',
              }
            : null
        }
        onClose={close}
      />
    </div>
  )
}

const isLive = (row: WaitlistEntry): boolean => row.status === 'waiting' || row.status === 'offered'

function columns(auto: boolean, onLeave: (row: WaitlistEntry) => void): Column<WaitlistEntry>[] {
  const takes: Column<WaitlistEntry> = { header: 'Sin preguntar', cell: (row) => row.status === 'waiting' && <AutoSwitch row={row} /> }
  return [
    { header: 'Clase', cell: (row) => row.single_class.class_type.name },
    { header: 'Coach', cell: (row) => <Coach row={row} /> },
    { header: 'Fecha y Hora', cell: (row) => <span className="nowrap">{formatWall(row.single_class.class_date, 'class')}</span> },
    { header: 'Lugar', cell: (row) => row.single_class.location.name },
    {
      header: 'Te anotaste',
      cell: (row) => <span className="nowrap">{formatInstant(new Date(row.createdAt), row.single_class.timezone, 'class')}</span>,
    },
    {
      header: 'Estado',
      cell: (row) => (
        <>
          <Status row={row} />
          <EntryState row={row} />
        </>
      ),
    },
    ...(auto ? [takes] : []),
    { header: 'Acciones', cell: (row) => <Actions row={row} onLeave={onLeave} /> },
  ]
}

function Coach({ row }: { row: WaitlistEntry }): ReactNode {
  const coach = row.single_class.class_instructors[0]?.instructor
  if (!coach) return '–'
  return (
    <span className="reservation-coach">
      <CoachAvatar coach={coach} size={28} />
      {coachNames(row.single_class)}
    </span>
  )
}

function Status({ row }: { row: WaitlistEntry }) {
  const { label, tone, Icon } = STATUS[row.status]
  return (
    <Badge tone={tone} icon={<Icon className="icon" aria-hidden="true" />}>
      {label}
    </Badge>
  )
}

/** The position in the waitlist, the end of an offer, or why the entry was skipped. */
function EntryState({ row }: { row: WaitlistEntry }) {
  const offerText = row.offer
    ? `Es tuyo hasta el ${formatWall(row.offer.until_wall, 'class')}`
    : row.position !== null
      ? row.position === 1
        ? 'Sigues tú'
        : `Lugar ${row.position} de la lista`
      : null
  return (
    <>
      {offerText && <p className="small">{offerText}</p>}
      {row.skipped && isLive(row) && <p className="small muted">No te pudimos dar un lugar: {row.skipped.message}</p>}
    </>
  )
}

/** The switch for mode `auto`: a free spot is booked without an offer. `alone`: there is no column heading, so show a label. */
function AutoSwitch({ row, alone = false }: { row: WaitlistEntry; alone?: boolean }) {
  const client = useQueryClient()
  const change = useMutation({
    mutationFn: (auto: boolean) => api.waitlist.update({ waitlist_id: row.waitlist_id, auto }),
    onSettled: () => client.invalidateQueries({ queryKey: queries.waitlist.key() }),
  })
  return (
    <Switch
      checked={change.isPending ? change.variables : row.auto}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    >
      {alone ? 'Tomar el lugar sin preguntarme' : 'Tomarlo'}
      <span className="sr-only">
        {alone ? ':' : ' sin preguntarme:'} {row.single_class.class_type.name}
      </span>
    </Switch>
  )
}

function Actions({ row, onLeave, full = false }: { row: WaitlistEntry; onLeave: (row: WaitlistEntry) => void; full?: boolean }) {
  if (!isLive(row)) return null
  const which = reservationAriaLabel(row)
  return (
    <span className={full ? 'stack gap-8' : 'row gap-8'}>
      {row.offer && (
        <Button as={AppLink} to={row.offer.path} size="small" full={full} aria-label={`Tomar mi lugar en ${which}`}>
          Tomar mi lugar
        </Button>
      )}
      <Button
        variant={full ? 'outline' : 'danger-quiet'}
        size="small"
        full={full}
        onClick={() => onLeave(row)}
        aria-label={`Quitarme de la lista de espera de ${which}`}
      >
        Quitarme
      </Button>
    </span>
  )
}
