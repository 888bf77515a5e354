import '#web/features/admin/roster/roster.css'
import { IconCalendarWeek, IconCheckbox, IconChecks, IconDots, IconPrinter, IconScan, IconUserPlus } from '@tabler/icons-react'
import { type ReactNode, useEffect, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import { adminPaths } from '#contract/admin-paths.ts'
import type { RosterClass, RosterReservation } from '#contract/attendance.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { storeShell } from '#web/features/admin/frame/device-data.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { usePendingMarks } from '#web/features/admin/roster/mark-queue.ts'
import { RoomMap } from '#web/features/admin/roster/room-map.tsx'
import { arrivedCount, arrivedText, type RosterEntry, reservationOf, rosterEntries } from '#web/features/admin/roster/roster-entries.ts'
import { RosterEntryRow } from '#web/features/admin/roster/roster-entry-row.tsx'
import { useMarkVerbs } from '#web/features/admin/roster/use-mark-verbs.ts'
import { useCancelled, useRoster } from '#web/features/admin/roster/use-roster.ts'
import { useRosterKeys } from '#web/features/admin/roster/use-roster-keys.ts'
import { useWaitingList } from '#web/features/admin/roster/use-waiting-list.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { onDemandPart } from '#web/lib/on-demand-part.tsx'
import { useQueryChange } from '#web/lib/query-change.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { useNow } from '#web/lib/use-now.ts'
import { usePreload } from '#web/lib/use-preload.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Marks } from '#web/ui/marks.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Surface } from '#web/ui/section.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { useWide } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Lista', detail: true, deep: true }

const intoView = (note: HTMLElement | null) => note?.scrollIntoView({ block: 'center' })

/**
 * A browser may keep a failed import for the life of the document, so the document is loaded again; the address has the open view
 * or dialog.
 */
const failed = (
  <p role="alert" className="roster-note" ref={intoView}>
    No pudimos cargarlo. Revisa tu conexión.{' '}
    <button type="button" className="link" onClick={() => location.reload()}>
      Volver a cargar
    </button>
  </p>
)

/** Loaded at the first pointer, touch or key event, so that the list itself appears quickly on slow connections. */
const AddPerson = onDemandPart(() => import('#web/features/admin/roster/add-person.tsx'), failed)
const EntrySheet = onDemandPart(() => import('#web/features/admin/roster/entry-sheet.tsx'), failed)
const CloseRoster = onDemandPart(() => import('#web/features/admin/roster/close-roster.tsx'), failed)
const loading = <ListSkeleton rows={4} />
const ClassHistory = onDemandPart(() => import('#web/features/admin/roster/class-history.tsx'), failed, loading)
const CancelledList = onDemandPart(() => import('#web/features/admin/roster/cancelled-list.tsx'), failed)
const WaitingList = onDemandPart(() => import('#web/features/admin/roster/waiting-list.tsx'), failed, loading)

/** How long before a class its roster opens, in ms (docs/domain.md A2). For display; the server checks it again. */
const EARLY_MS = 2 * 3_600_000

/** The dialogs of this screen, by their query keys: an entry of the roster, adding a customer, closing the roster. */
const DIALOGS = ['lugar', 'agregar', 'cerrar'] as const

const VIEWS = ['lista', 'mapa', 'espera', 'historial'] as const
type View = (typeof VIEWS)[number]

/** Lista de clase: the roster of a class, where attendance is marked. */
export default function Roster() {
  const { single_class_id = '' } = useParams()
  const site = useSite()
  const { query, roster, stored_at } = useRoster(Number(single_class_id))
  useEffect(() => void storeShell(Number(single_class_id)), [single_class_id])
  if (roster) return <Loaded cls={roster.single_class} rows={roster.class_reservations} stored_at={stored_at} />
  return (
    <>
      <title>{`Lista · ${site.business_name}`}</title>
      <h1 className="sr-only">Lista de clase</h1>
      <Loading loading={query.isPending} skeleton={<ListSkeleton rows={6} />}>
        <NotLoaded query={query}>{toFailure(query.error).message}</NotLoaded>
      </Loading>
    </>
  )
}

interface LoadedProps {
  cls: RosterClass
  rows: readonly RosterReservation[]
  /** when the stored roster was loaded, if it is shown without a connection */
  stored_at: number | null
}

function Loaded({ cls, rows, stored_at }: LoadedProps) {
  const staff = useStaff()
  const now = useNow()
  const wide = useWide()
  usePreload(AddPerson, EntrySheet, CloseRoster, ClassHistory, WaitingList)
  const [view, turnTo] = useView(cls.spot_map !== null)
  const { waiting } = useWaitingList(cls.single_class_id)
  const { open: openDialog, show, close } = useDialogParam(DIALOGS)
  const [spot, setSpot] = useState<string | null>(null)

  const canBook = may(staff, 'roster.all') && !cls.cancelled && Date.parse(cls.ends_at) > now
  const entries = rosterEntries(rows, {
    money: may(staff, 'roster.all'),
    coaches: cls.coaches,
    day: cls.class_date.slice(0, 10),
  })
  const { markOne, markRest } = useMarkVerbs(cls.single_class_id, rows, entries)
  const isEarly = Date.parse(cls.starts_at) - now > EARLY_MS
  const canMark = !isEarly && !cls.cancelled
  const opened =
    openDialog?.name === 'lugar' ? entries.find(({ class_reservation_id }) => class_reservation_id === openDialog.id) : undefined
  const row = opened && reservationOf(rows, opened)
  const { location_id } = cls
  const unmarked = entries.filter(({ attend }) => attend === null)

  const onOpen = (entry: RosterEntry) => show('lugar', entry.class_reservation_id)
  const add = (seat: string | null) => {
    setSpot(seat)
    show('agregar', 0)
  }

  useRosterKeys({
    onMark: canMark
      ? (class_reservation_id, attend) => {
          const entry = entries.find((entry) => entry.class_reservation_id === class_reservation_id)
          if (entry) markOne(entry, { attend })
        }
      : null,
    onAdd: canBook ? () => add(null) : null,
    onMap: cls.spot_map ? () => turnTo(view === 'mapa' ? 'lista' : 'mapa') : null,
  })
  const map = cls.spot_map && (
    <RoomMap
      spotMap={cls.spot_map}
      closed={cls.closed_spots}
      seats={cls.seats}
      reasons={cls.closed_reasons}
      entries={entries}
      coaches={cls.coaches}
      onOpen={onOpen}
      onAdd={canBook ? add : null}
    />
  )
  const beside = wide && map !== null && view === 'lista'
  return (
    <>
      <Head cls={cls} entries={entries} />
      <div className={`roster-body ${beside ? '' : 'roster-body-alone'}`}>
        <section className="panel-card" aria-label="Personas">
          <RosterTools
            cls={cls}
            view={view}
            canBook={canBook}
            canMark={canMark}
            waiting={waiting.length}
            unmarked={unmarked.length}
            onView={turnTo}
            onAdd={() => add(null)}
            onAllCame={markRest}
            onClose={() => show('cerrar', 0)}
          />
          <ConnectionStatus cls={cls} stored_at={stored_at} />
          {isEarly && !cls.cancelled && (view === 'lista' || view === 'mapa') && <OpensAt cls={cls} />}
          {view === 'historial' ? (
            <ClassHistory single_class_id={cls.single_class_id} zone={cls.timezone} />
          ) : view === 'espera' ? (
            <WaitingList single_class_id={cls.single_class_id} canChange={canBook} />
          ) : view === 'mapa' ? (
            <div className="panel-body">{map}</div>
          ) : entries.length === 0 ? (
            <EmptyState
              action={
                <span className="row gap-8 wraps">
                  {canBook && <Button onClick={() => add(null)}>Agregar</Button>}
                  <Button variant="outline" onClick={() => void copyLink(cls)}>
                    Copiar enlace
                  </Button>
                </span>
              }
            >
              Nadie ha reservado todavía.
            </EmptyState>
          ) : (
            <ul>
              {entries.map((entry) => (
                <RosterEntryRow
                  key={entry.class_reservation_id}
                  entry={entry}
                  onMark={canMark ? (attend) => markOne(entry, { attend }) : null}
                  onOpen={() => onOpen(entry)}
                />
              ))}
            </ul>
          )}
          {view === 'lista' && <Cancelled cls={cls} />}
        </section>
        {beside && <MapAside location_id={location_id}>{map}</MapAside>}
      </div>
      {opened && row && (
        <EntrySheet
          cls={cls}
          entries={entries}
          entry={opened}
          row={row}
          location_id={location_id}
          onMark={canMark ? (attendance) => markOne(opened, attendance) : null}
          onClose={close}
        />
      )}
      {openDialog?.name === 'agregar' && canBook && (
        <AddPerson cls={cls} entries={entries} location_id={location_id} spot={spot} onClose={close} />
      )}
      {openDialog?.name === 'cerrar' && canMark && <CloseRoster single_class_id={cls.single_class_id} onClose={close} />}
    </>
  )
}

interface RosterToolsProps {
  cls: RosterClass
  view: View
  canBook: boolean
  canMark: boolean
  /** number of people on the waiting list */
  waiting: number
  /** number of people without a mark */
  unmarked: number
  onView: (view: View) => void
  onAdd: () => void
  onAllCame: () => void
  onClose: () => void
}

/** The views of the roster, and what is done for all of it. */
function RosterTools({ cls, view, canBook, canMark, waiting, unmarked, onView, onAdd, onAllCame, onClose }: RosterToolsProps) {
  const staff = useStaff()
  const hasBegun = Date.parse(cls.starts_at) <= useNow()
  return (
    <div className="roster-tools">
      <Segmented
        label="Vista"
        options={[
          { value: 'lista', label: 'Lista' },
          ...(cls.spot_map ? [{ value: 'mapa' as const, label: 'Mapa' }] : []),
          { value: 'espera', label: waiting > 0 ? `Espera ${waiting}` : 'Espera' },
          { value: 'historial', label: 'Historial' },
        ]}
        value={view}
        onChange={onView}
      />
      <div className="row gap-8">
        {canBook && (
          <Button size="small" variant="outline" icon={<IconUserPlus className="icon" aria-hidden="true" />} onClick={onAdd}>
            Agregar
          </Button>
        )}
        <Menu label="Más acciones" buttonClass="icon-btn" button={<IconDots className="icon" aria-hidden="true" />}>
          {canMark && unmarked > 0 && (
            <MenuItem icon={<IconChecks className="icon" aria-hidden="true" />} onClick={onAllCame}>
              Todos llegaron
            </MenuItem>
          )}
          {canMark && hasBegun && (
            <MenuItem icon={<IconCheckbox className="icon" aria-hidden="true" />} onClick={onClose}>
              Cerrar lista
            </MenuItem>
          )}
          {may(staff, 'schedule.edit') && !hasBegun && !cls.cancelled && (
            <MenuItem
              as={AppLink}
              to={adminPaths.classInSchedule(cls.single_class_id, cls.class_date.slice(0, 10))}
              icon={<IconCalendarWeek className="icon" aria-hidden="true" />}
            >
              Cambiar la clase
            </MenuItem>
          )}
          <MenuItem icon={<IconPrinter className="icon" aria-hidden="true" />} onClick={() => window.print()}>
            Imprimir
          </MenuItem>
        </Menu>
      </div>
    </div>
  )
}

/** The map beside the list, on wide screens. */
function MapAside({ location_id, children }: { location_id: number; children: ReactNode }) {
  return (
    <aside className="panel-card roster-aside" aria-labelledby="mapa-de-la-sala">
      <div className="panel-head">
        <h2 id="mapa-de-la-sala" className="t3">
          Mapa de la sala
        </h2>
      </div>
      <div className="panel-body stack gap-16">
        {children}
        <Button as={AppLink} full to={`${adminPaths.scan}?estudio=${location_id}`} icon={<IconScan className="icon" aria-hidden="true" />}>
          Escanear código
        </Button>
      </div>
    </aside>
  )
}

/** Warns without a connection: how old the roster is, and how many marks are not sent yet. */
function ConnectionStatus({ cls, stored_at }: { cls: RosterClass; stored_at: number | null }) {
  const pending = usePendingMarks()
  const waits = pending.length > 0 && (stored_at !== null || !navigator.onLine)
  return (
    <div role="status">
      {(stored_at !== null || waits) && (
        <p className="roster-note small">
          {stored_at !== null && `Sin conexión. La lista es de las ${formatInstant(new Date(stored_at), cls.timezone, 'hour')}. `}
          {pending.length > 0 && (pending.length === 1 ? '1 marca por enviar.' : `${pending.length} marcas por enviar.`)}
        </p>
      )}
    </div>
  )
}

/** The current view, in the address as `ver`. */
function useView(hasMap: boolean): [View, (next: View) => void] {
  const [query] = useSearchParams()
  const changeQuery = useQueryChange()
  const requested = VIEWS.find((view) => view === query.get('ver')) ?? 'lista'
  return [
    requested === 'mapa' && !hasMap ? 'lista' : requested,
    (next) => changeQuery({ ver: next === 'lista' ? null : next }, { replace: true }),
  ]
}

function Head({ cls, entries }: { cls: RosterClass; entries: readonly RosterEntry[] }) {
  const site = useSite()
  const [day] = formatWall(cls.class_date, 'class').split(',')
  return (
    <Surface as="header" ground="stage" className="roster-head">
      <title>{`Lista de ${cls.class_type}, ${formatWall(cls.class_date, 'class')} · ${site.business_name}`}</title>
      <div>
        <p className="small muted">{[day, cls.coaches, cls.location, cls.room].filter(Boolean).join(' · ')}</p>
        <div className="roster-title">
          <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
          <h1 className="t2">{cls.class_type}</h1>
        </div>
      </div>
      {cls.cancelled ? (
        <Badge tone="danger">Cancelada</Badge>
      ) : (
        <p className="roster-arrived">
          <Marks capacity={cls.capacity ?? 0} taken={cls.taken} mine={arrivedCount(entries)} size="big" />
          <span className="strong" aria-live="polite">
            {arrivedText(entries)}
          </span>
        </p>
      )}
    </Surface>
  )
}

/** Shows cancelled reservations on request. */
function Cancelled({ cls }: { cls: RosterClass }) {
  const rows = useCancelled(cls.single_class_id)
  const [open, setOpen] = useState(false)
  if (rows.length === 0) return null
  return (
    <>
      <p className="roster-note small">
        <button type="button" className="link" aria-expanded={open} onClick={() => setOpen(!open)}>
          {open ? 'Ocultar canceladas' : `Ver canceladas (${rows.length})`}
        </button>
      </p>
      {open && <CancelledList rows={rows} zone={cls.timezone} />}
    </>
  )
}

/** When the roster opens, in the class's time zone. */
function OpensAt({ cls }: { cls: RosterClass }) {
  const opens = new Date(Date.parse(cls.class_date) - EARLY_MS)
  return <p className="roster-note small muted">Podrás pasar lista desde el {formatWall(opens, 'spoken')}.</p>
}

/** Copies the address at which customers reserve the class. */
async function copyLink({ single_class_id, class_date }: RosterClass): Promise<void> {
  const url = new URL(paths.mystudio.classOn(single_class_id, class_date.slice(0, 10)), location.href)
  await navigator.clipboard.writeText(url.href).then(
    () => showAlert('success', 'Enlace copiado.'),
    () => showAlert('alert', 'Tu navegador no dejó copiar.'),
  )
}
