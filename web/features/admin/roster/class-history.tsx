import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'

/** Historial: bookings, changes, attendance and cancellations of a class, with the time and the staff member. */
export default function ClassHistory({ single_class_id, zone }: { single_class_id: number; zone: string }) {
  const query = useQuery({
    ...queries.frontDesk.history.queryOptions({
      input: { single_class_id: String(single_class_id) },
      staleTime: 0,
      meta: { handled: true },
    }),
  })
  const events = query.data?.events ?? []
  return (
    <Loaded
      query={query}
      skeleton={<ListSkeleton rows={4} />}
      failed="No pudimos cargar el historial."
      nothing={events.length === 0 && <EmptyState>Todavía no ha pasado nada en esta clase.</EmptyState>}
    >
      <ol className="class-history">
        {events.map((event, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: events keep their order, and several have the same time
          <li key={at}>
            <time dateTime={event.at} className="small muted nowrap">
              {formatInstant(new Date(event.at), zone, 'class')}
            </time>
            <p>
              {event.name && <span className="strong">{event.guest ? `${event.guest}, con ${event.name}` : event.name}: </span>}
              {event.text}
              {event.reason && <span className="muted"> · {event.reason}</span>}
              {event.who && <span className="small muted"> · {event.who}</span>}
            </p>
          </li>
        ))}
      </ol>
    </Loaded>
  )
}
