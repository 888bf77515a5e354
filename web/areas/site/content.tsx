import './content.css'
import { CONTENT_FAILED_MESSAGE } from '#contract/content-failed.ts'
import { empty } from '#contract/copy/empty-lists.ts'
import { paths } from '#contract/paths.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { PageMeta, PageTitle } from '#web/features/site/page-meta.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { Button } from '#web/ui/button.tsx'
import type { ContentData } from './content.server.ts'

/** A content page with its title, or the text that nothing is written yet (S2-2.71, S2-2.72). */
export function ContentView({ content: { slug, title, html, seo } }: { content: ContentData }) {
  return (
    <article className="wrap plain-page">
      <PageMeta title={seo?.title ?? title} description={seo?.description} path={paths.page(slug)} />
      <h1 className="t1">{title}</h1>
      {html ? <RichText html={html} className="plain-page-text" /> : <EmptyState drawing="yoga">{empty.content}</EmptyState>}
    </article>
  )
}

/** Error boundary of the routes that show content pages, on the server and during client-side navigation (S1-8.38). */
export function ContentFailure() {
  return (
    <article className="wrap plain-page">
      <PageTitle>{CONTENT_FAILED_MESSAGE}</PageTitle>
      <h1 className="t2">{CONTENT_FAILED_MESSAGE}</h1>
      <p>
        <Button as="a" href="">
          Intentar de nuevo
        </Button>
      </p>
    </article>
  )
}
