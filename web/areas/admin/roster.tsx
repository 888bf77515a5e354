import '#web/features/admin/roster/roster.css'
import { useParams, useSearchParams } from 'react-router'
import { formatWall } from '#contract/time.ts'
import type { AdminHandle } from '#web/features/admin/frame/admin-frame.tsx'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { RoomMap } from '#web/features/admin/roster/room-map.tsx'
import { arrivedCount, arrivedText, type RosterEntry, rosterEntries } from '#web/features/admin/roster/roster-entries.ts'
import { RosterEntryRow } from '#web/features/admin/roster/roster-entry-row.tsx'
import { useMark, useRoster } from '#web/features/admin/roster/use-roster.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { failureOf } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { useNow } from '#web/lib/use-now.ts'
import { Badge } from '#web/ui/badge.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Marks } from '#web/ui/marks.tsx'
import { Surface } from '#web/ui/section.tsx'
import { Loading } from '#web/ui/skeleton.tsx'
import { useWide } from '#web/ui/table.tsx'

export const handle: AdminHandle = { title: 'Lista', detail: true, deep: true }

/** How long before a class its list can be used (docs/domain.md A2); the server says it again. */
const EARLY_MS = 2 * 3_600_000

type View = 'lista' | 'mapa'

/** Lista de clase: who is here, marked with one thumb. */
export default function Roster() {
  const { single_class_id = '' } = useParams()
  const site = useSite()
  const staff = useStaff()
  const now = useNow()
  const wide = useWide()
  const [query, setQuery] = useSearchParams()
  const roster = useRoster(Number(single_class_id))
  const mark = useMark(Number(single_class_id))
  if (!roster.data)
    return (
      <>
        <title>{`Lista · ${site.business_name}`}</title>
        <h1 className="sr-only">Lista de clase</h1>
        <Loading loading={roster.isPending} skeleton={<ListSkeleton rows={6} />}>
          <NotLoaded query={roster}>{failureOf(roster.error).message}</NotLoaded>
        </Loading>
      </>
    )
  const cls = roster.data.single_class
  const entries = rosterEntries(roster.data.class_reservations, may(staff, 'roster.all'))
  const arrived = arrivedCount(entries)
  const tooEarly = Date.parse(cls.starts_at) - now > EARLY_MS
  const view: View = query.get('ver') === 'mapa' && cls.spot_map ? 'mapa' : 'lista'
  const turnTo = (next: View) =>
    setQuery(
      (query) => {
        if (next === 'lista') query.delete('ver')
        else query.set('ver', next)
        return query
      },
      { replace: true, preventScrollReset: true },
    )
  const onOpen = (_place: RosterEntry) => {}
  const map = cls.spot_map && (
    <RoomMap spotMap={cls.spot_map} closed={cls.closed_spots} entries={entries} coaches={cls.coaches} onOpen={onOpen} onAdd={null} />
  )
  const beside = wide && map !== null && view === 'lista'
  return (
    <>
      <title>{`Lista de ${cls.class_type}, ${formatWall(cls.class_date, 'class')} · ${site.business_name}`}</title>
      <Surface as="header" ground="stage" className="roster-head">
        <div>
          <p className="small muted">
            {[formatWall(cls.class_date, 'class').split(',')[0], cls.coaches, cls.location].filter(Boolean).join(' · ')}
          </p>
          <div className="roster-title">
            <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
            <h1 className="t2">{cls.class_type}</h1>
          </div>
        </div>
        {cls.cancelled ? (
          <Badge tone="danger">Cancelada</Badge>
        ) : (
          <p className="roster-arrived">
            <Marks capacity={cls.capacity ?? 0} taken={cls.taken} mine={arrived} size="big" />
            <span className="strong" aria-live="polite">
              {arrivedText(entries)}
            </span>
          </p>
        )}
      </Surface>
      <div className={`roster-body ${beside ? '' : 'roster-body-alone'}`}>
        <section className="panel-card" aria-label="Personas">
          <div className="roster-tools">
            {map ? (
              <Segmented
                label="Vista"
                options={[
                  { value: 'lista', label: 'Lista' },
                  { value: 'mapa', label: 'Mapa' },
                ]}
                value={view}
                onChange={turnTo}
              />
            ) : (
              <h2 className="t3">Lista</h2>
            )}
          </div>
          {tooEarly && !cls.cancelled && (
            <p className="roster-note small muted">
              Podrás pasar lista desde las {formatWall(new Date(Date.parse(cls.class_date) - EARLY_MS), 'hour')} del{' '}
              {formatWall(new Date(Date.parse(cls.class_date) - EARLY_MS), 'long')}.
            </p>
          )}
          {entries.length === 0 ? (
            <EmptyState>Nadie ha reservado todavía.</EmptyState>
          ) : view === 'mapa' ? (
            <div className="panel-body">{map}</div>
          ) : (
            <ul>
              {entries.map((entry) => (
                <RosterEntryRow
                  key={entry.class_reservation_id}
                  entry={entry}
                  onMark={
                    tooEarly || cls.cancelled ? null : (attend) => mark.mutate({ class_reservation_id: entry.class_reservation_id, attend })
                  }
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
    </>
  )
}
