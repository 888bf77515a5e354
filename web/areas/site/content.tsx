import './content.css'
import { empty } from '#contract/empty.ts'
import { EmptyState } from '#web/features/empty-state.tsx'
import { PageMeta } from '#web/features/page-meta.tsx'
import { RichText } from '#web/features/rich-text.tsx'
import { paths } from '#web/lib/paths.ts'
import { Button } from '#web/ui/button.tsx'
import type { ContentData } from './content.server.ts'

/** What a studio wrote under its title; empty and failed have their sentences (S2-2.71, S2-2.72, S1-8.33). */
export function ContentView({ content: { slug, title, html, failed } }: { content: ContentData }) {
  return (
    <article className="wrap plain-page">
      <PageMeta title={title} path={paths.page(slug)} />
      <h1 className="t1">{title}</h1>
      {html ? (
        <RichText html={html} className="plain-page-text" />
      ) : (
        <EmptyState
          action={
            failed !== null && (
              <Button as="a" variant="outline" href={paths.page(slug)}>
                Intentar de nuevo
              </Button>
            )
          }
        >
          {failed ?? empty.content}
        </EmptyState>
      )}
    </article>
  )
}
