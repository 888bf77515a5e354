import '#web/features/admin/roster/roster.css'
import { IconChecks, IconDots, IconPrinter, IconUserPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useParams, useSearchParams } from 'react-router'
import type { RosterReservation } from '#contract/attendance.ts'
import { formatWall } from '#contract/time.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { offerUndo } from '#web/features/admin/frame/undo.tsx'
import { RoomMap } from '#web/features/admin/roster/room-map.tsx'
import { arrivedCount, arrivedText, type RosterEntry, reservationOf, rosterEntries } from '#web/features/admin/roster/roster-entries.ts'
import { RosterEntryRow } from '#web/features/admin/roster/roster-entry-row.tsx'
import { useMark, useRoster } from '#web/features/admin/roster/use-roster.ts'
import { useWaitingList, WaitingList } from '#web/features/admin/roster/waiting-list.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useDialogParam } from '#web/lib/use-dialog-param.ts'
import { useNow } from '#web/lib/use-now.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Marks } from '#web/ui/marks.tsx'
import { Menu, MenuItem } from '#web/ui/menu.tsx'
import { Surface } from '#web/ui/section.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { useWide } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Lista', detail: true, deep: true }

/** Fetched when they are opened: the list itself comes first, on any connection. */
const AddPerson = lazy(() => import('#web/features/admin/roster/add-person.tsx'))
const EntrySheet = lazy(() => import('#web/features/admin/roster/entry-sheet.tsx'))

/** How long before a class its list can be used (docs/domain.md A2); the server says it again. */
const EARLY_MS = 2 * 3_600_000

/** The dialogs of this screen, by their keys in the address: a person of the list, and somebody new to it. */
const DIALOGS = ['lugar', 'agregar'] as const

const VIEWS = ['lista', 'mapa', 'espera'] as const
type View = (typeof VIEWS)[number]

/** Lista de clase: who is here, marked with one thumb. */
export default function Roster() {
  const { single_class_id = '' } = useParams()
  const site = useSite()
  const roster = useRoster(Number(single_class_id))
  if (roster.data) return <Loaded cls={roster.data.single_class} rows={roster.data.class_reservations} />
  return (
    <>
      <title>{`Lista · ${site.business_name}`}</title>
      <h1 className="sr-only">Lista de clase</h1>
      <Loading loading={roster.isPending} skeleton={<ListSkeleton rows={6} />}>
        <NotLoaded query={roster}>{failureOf(roster.error).message}</NotLoaded>
      </Loading>
    </>
  )
}

type RosterClass = NonNullable<ReturnType<typeof useRoster>['data']>['single_class']

function Loaded({ cls, rows }: { cls: RosterClass; rows: readonly RosterReservation[] }) {
  const staff = useStaff()
  const now = useNow()
  const wide = useWide()
  const [view, turnTo] = useView(cls.spot_map !== null)
  const mark = useMark(cls.single_class_id)
  const { waiting } = useWaitingList(cls.single_class_id)
  const studios = useQuery(queries.catalogue.locations.queryOptions({ staleTime: 300_000, meta: { handled: true } }))
  const { asked, ask, close } = useDialogParam(DIALOGS)
  const [spot, setSpot] = useState<string | null>(null)

  const canBook = may(staff, 'roster.all') && !cls.cancelled && Date.parse(cls.ends_at) > now
  const entries = rosterEntries(rows, may(staff, 'roster.all'))
  const isEarly = Date.parse(cls.starts_at) - now > EARLY_MS
  const canMark = !isEarly && !cls.cancelled
  const opened = asked?.name === 'lugar' ? entries.find(({ class_reservation_id }) => class_reservation_id === asked.id) : undefined
  const row = opened && reservationOf(rows, opened)
  const location_id = studios.data?.locations.find(({ name }) => name === cls.location)?.location_id ?? null
  const unmarked = entries.filter(({ attend }) => attend === null)

  const onOpen = (entry: RosterEntry) => ask('lugar', entry.class_reservation_id)
  const add = (seat: string | null) => {
    setSpot(seat)
    ask('agregar', 0)
  }
  const markAll = (ones: readonly RosterEntry[], attend: boolean | null) => {
    for (const { class_reservation_id } of ones) mark.mutate({ class_reservation_id, attend })
  }
  const onAllCame = () => {
    markAll(unmarked, true)
    offerUndo(unmarked.length === 1 ? '1 persona llegó.' : `${unmarked.length} personas llegaron.`, () => markAll(unmarked, null))
  }

  const map = cls.spot_map && (
    <RoomMap
      spotMap={cls.spot_map}
      closed={cls.closed_spots}
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
          <div className="roster-tools">
            <Segmented
              label="Vista"
              options={[
                { value: 'lista', label: 'Lista' },
                ...(map ? [{ value: 'mapa' as const, label: 'Mapa' }] : []),
                { value: 'espera', label: waiting.length > 0 ? `Espera ${waiting.length}` : 'Espera' },
              ]}
              value={view}
              onChange={turnTo}
            />
            <div className="row gap-8">
              {canBook && (
                <Button
                  size="small"
                  variant="outline"
                  icon={<IconUserPlus className="icon" aria-hidden="true" />}
                  onClick={() => add(null)}
                >
                  Agregar
                </Button>
              )}
              <Menu label="Más acciones" buttonClass="icon-btn" button={<IconDots className="icon" aria-hidden="true" />}>
                {canMark && unmarked.length > 0 && (
                  <MenuItem icon={<IconChecks className="icon" aria-hidden="true" />} onClick={onAllCame}>
                    Todos llegaron
                  </MenuItem>
                )}
                <MenuItem icon={<IconPrinter className="icon" aria-hidden="true" />} onClick={() => window.print()}>
                  Imprimir
                </MenuItem>
              </Menu>
            </div>
          </div>
          {isEarly && !cls.cancelled && view !== 'espera' && <OpensAt cls={cls} />}
          {view === 'espera' ? (
            <WaitingList single_class_id={cls.single_class_id} />
          ) : view === 'mapa' ? (
            <div className="panel-body">{map}</div>
          ) : entries.length === 0 ? (
            <EmptyState action={canBook && <Button onClick={() => add(null)}>Agregar</Button>}>Nadie ha reservado todavía.</EmptyState>
          ) : (
            <ul>
              {entries.map((entry) => (
                <RosterEntryRow
                  key={entry.class_reservation_id}
                  entry={entry}
                  onMark={canMark ? (attend) => mark.mutate({ class_reservation_id: entry.class_reservation_id, attend }) : null}
                  onOpen={() => onOpen(entry)}
                />
              ))}
            </ul>
          )}
        </section>
        {beside && (
          <aside className="panel-card roster-aside" aria-labelledby="mapa-de-la-sala">
            <div className="panel-head">
              <h2 id="mapa-de-la-sala" className="t3">
                Mapa de la sala
              </h2>
            </div>
            <div className="panel-body">{map}</div>
          </aside>
        )}
      </div>
      <Suspense>
        {opened && row && (
          <EntrySheet
            entry={opened}
            row={row}
            location_id={location_id}
            onMark={canMark ? (given) => mark.mutate({ class_reservation_id: opened.class_reservation_id, ...given }) : null}
            onClose={close}
          />
        )}
        {asked?.name === 'agregar' && canBook && (
          <AddPerson cls={cls} entries={entries} location_id={location_id} spot={spot} onClose={close} />
        )}
      </Suspense>
    </>
  )
}

/** Which view is shown: it stands in the address as `ver`. */
function useView(hasMap: boolean): [View, (next: View) => void] {
  const [query, setQuery] = useSearchParams()
  const asked = VIEWS.find((one) => one === query.get('ver')) ?? 'lista'
  return [
    asked === 'mapa' && !hasMap ? 'lista' : asked,
    (next) =>
      setQuery(
        (query) => {
          if (next === 'lista') query.delete('ver')
          else query.set('ver', next)
          return query
        },
        { replace: true, preventScrollReset: true },
      ),
  ]
}

function Head({ cls, entries }: { cls: RosterClass; entries: readonly RosterEntry[] }) {
  const site = useSite()
  const [day] = formatWall(cls.class_date, 'class').split(',')
  return (
    <Surface as="header" ground="stage" className="roster-head">
      <title>{`Lista de ${cls.class_type}, ${formatWall(cls.class_date, 'class')} · ${site.business_name}`}</title>
      <div>
        <p className="small muted">{[day, cls.coaches, cls.location].filter(Boolean).join(' · ')}</p>
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

/** From when the list can be used, on the studio's clocks. */
function OpensAt({ cls }: { cls: RosterClass }) {
  const opens = new Date(Date.parse(cls.class_date) - EARLY_MS)
  return <p className="roster-note small muted">Podrás pasar lista desde el {formatWall(opens, 'spoken')}.</p>
}
