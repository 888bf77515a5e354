import {
  IconCalendarPlus,
  IconCalendarX,
  IconCheck,
  IconCoin,
  IconHourglass,
  IconLock,
  IconMail,
  IconPencil,
  IconReceipt,
  IconReceiptRefund,
  IconTicket,
  IconX,
} from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { TIMELINE_GROUPS, type TimelineGroup, type TimelineKind, timelineGroupLabels } from '#contract/copy/customer-timeline.ts'
import type { TimelineEntry } from '#contract/customer-records.ts'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import './customer-timeline.css'

const ICONS: Readonly<Record<TimelineKind, typeof IconCheck>> = {
  booked: IconCalendarPlus,
  cancelled: IconCalendarX,
  attended: IconCheck,
  no_show: IconX,
  waitlist: IconHourglass,
  penalty: IconLock,
  purchase: IconReceipt,
  charge: IconCoin,
  refund: IconReceiptRefund,
  credits: IconTicket,
  message: IconMail,
  change: IconPencil,
}

type Shown = 'all' | TimelineGroup
const SHOWN: readonly { value: Shown; label: string }[] = [
  { value: 'all', label: 'Todo' },
  ...Object.entries(timelineGroupLabels).map(([value, label]) => ({ value: value as TimelineGroup, label })),
]

/** "Lo que ha pasado": everything about a customer, newest first, by what it is about. */
export function CustomerTimeline({ customer_id }: { customer_id: number }) {
  const [shown, setShown] = useState<Shown>('all')
  const [pages, setPages] = useState(1)
  return (
    <section className="panel-card" aria-labelledby="lo-que-ha-pasado">
      <div className="panel-head timeline-head">
        <h2 id="lo-que-ha-pasado" className="t3">
          Lo que ha pasado
        </h2>
        <Segmented
          label="De qué"
          options={SHOWN}
          value={shown}
          onChange={(next) => {
            setShown(next)
            setPages(1)
          }}
        />
      </div>
      {Array.from({ length: pages }, (_, at) => at + 1).map((page) => (
        <Page
          key={`${shown} ${page}`}
          customer_id={customer_id}
          shown={shown}
          page={page}
          onMore={page === pages ? () => setPages(pages + 1) : null}
        />
      ))}
    </section>
  )
}

/** A page of entries; the last one has the button that shows the next. */
function Page({ customer_id, shown, page, onMore }: { customer_id: number; shown: Shown; page: number; onMore: (() => void) | null }) {
  const { zone } = useSite()
  const kinds = shown === 'all' ? {} : { kinds: [...TIMELINE_GROUPS[shown]] }
  const timeline = useQuery(
    queries.customerRecords.timeline.queryOptions({ input: { customer_id, page, ...kinds }, meta: { handled: true } }),
  )
  const entries = timeline.data?.entries ?? []
  return (
    <Loaded
      query={timeline}
      skeleton={<ListSkeleton rows={page === 1 ? 4 : 1} />}
      failed="No pudimos cargar lo que ha pasado."
      nothing={page === 1 && entries.length === 0 && <EmptyState>Todavía no hay nada de esto.</EmptyState>}
    >
      <ol className="timeline" aria-label={page === 1 ? 'Lo que ha pasado, lo más nuevo primero' : `Lo que ha pasado, página ${page}`}>
        {entries.map((entry) => (
          <Entry key={entry.entry_id} entry={entry} zone={zone} />
        ))}
      </ol>
      {onMore && timeline.data?.has_more && (
        <div className="panel-body">
          <Button variant="outline" onClick={onMore}>
            Ver más
          </Button>
        </div>
      )}
    </Loaded>
  )
}

function Entry({ entry, zone }: { entry: TimelineEntry; zone: string }) {
  const { at, kind, title, detail, who, link } = entry
  const Icon = ICONS[kind]
  const more = [who, detail].filter(Boolean).join(' · ')
  return (
    <li>
      <span className="timeline-icon" data-kind={kind}>
        <Icon className="icon" aria-hidden="true" />
      </span>
      <span className="timeline-what">
        {link ? (
          <AppLink to={link} className="row-link strong">
            {title}
          </AppLink>
        ) : (
          <span className="strong">{title}</span>
        )}
        {more && <span className="small muted">{more}</span>}
      </span>
      <time className="small muted" dateTime={at}>
        {formatInstant(new Date(at), zone, 'class')}
      </time>
    </li>
  )
}
