import './content.css'
import { empty } from '#contract/copy/empty-lists.ts'
import { paths } from '#contract/paths.ts'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { PageMeta } from '#web/features/site/page-meta.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import { SectionBoundary } from '#web/ui/section-boundary.tsx'
import type { Route } from './+types/announcements.ts'
import { loadAnnouncements } from './announcements.server.ts'

export async function loader({ context }: Route.LoaderArgs) {
  return { announcements: await loadAnnouncements(context.get(rendering)) }
}

/** /avisos (S1-2.10, S1-2.11). */
export default function Announcements({ loaderData: { announcements } }: Route.ComponentProps) {
  const site = useSite()
  return (
    <div className="wrap plain-page">
      <PageMeta title="Avisos" description={`Avisos de ${site.business_name}.`} path={paths.announcements} />
      <h1 className="t1">Avisos</h1>
      {announcements.length === 0 ? (
        <EmptyState drawing="battement">{empty.announcements}</EmptyState>
      ) : (
        <ul className="plain-list">
          {announcements.map((announcement) => (
            <SectionBoundary key={announcement.announcement_id}>
              <Announcement announcement={announcement} />
            </SectionBoundary>
          ))}
        </ul>
      )}
    </div>
  )
}

type Shown = Route.ComponentProps['loaderData']['announcements'][number]

function Announcement({ announcement: { title, content, since, where } }: { announcement: Shown }) {
  const { zone } = useSite()
  return (
    <li>
      <article className="stack">
        <p className="small muted">
          <time dateTime={since}>{formatInstant(new Date(since), zone, 'date')}</time>
          {where && ` · ${where}`}
        </p>
        <h2 className="t3">{title}</h2>
        <RichText html={content} />
      </article>
    </li>
  )
}
