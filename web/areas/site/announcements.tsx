import './content.css'
import { empty } from '#contract/empty.ts'
import { formatInstant } from '#contract/time.ts'
import { EmptyState } from '#web/features/empty-state.tsx'
import { PageMeta } from '#web/features/page-meta.tsx'
import { RichText } from '#web/features/rich-text.tsx'
import { paths } from '#web/lib/paths.ts'
import { rendering } from '#web/lib/rendering.ts'
import { useSite } from '#web/lib/settings.tsx'
import type { Route } from './+types/announcements.ts'

export async function loader({ context }: Route.LoaderArgs) {
  const { client, dependsOn } = context.get(rendering)
  dependsOn('content')
  return client.content.announcements()
}

/** /avisos (S1-2.10, S1-2.11). */
export default function Announcements({ loaderData: { announcements } }: Route.ComponentProps) {
  const site = useSite()
  return (
    <div className="wrap plain-page">
      <PageMeta title="Avisos" description={`Avisos de ${site.business_name}.`} path={paths.announcements} />
      <h1 className="t1">Avisos</h1>
      {announcements.length === 0 ? (
        <EmptyState>{empty.announcements}</EmptyState>
      ) : (
        <ul className="plain-list">
          {announcements.map(({ announcement_id, title, content, createdAt }) => (
            <li key={announcement_id}>
              <article className="stack">
                <time className="small muted" dateTime={createdAt}>
                  {formatInstant(new Date(createdAt), site.zone, 'date')}
                </time>
                <h2 className="t3">{title}</h2>
                <RichText html={content} />
              </article>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
