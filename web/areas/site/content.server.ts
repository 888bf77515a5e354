/** A content page as its route shows it (S1-2.24, S2-2.71, S2-2.72). */
import { errors } from '#contract/errors.ts'
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from '#web/lib/client.ts'

export interface ContentData {
  slug: string
  title: string
  /** sanitised HTML; null = nothing written yet */
  html: string | null
  /** what to say when the page exists and could not be read; the catalogue of refusals stays on the server */
  failed: string | null
}

/** Null: no page has this slug. */
export async function loadContent(
  { client, dependsOn, report, freshUntil, now }: Rendering<Client>,
  slug: string,
): Promise<ContentData | null> {
  dependsOn('content')
  const { pages } = await client.content.pages()
  const known = pages.find((page) => page.slug === slug)
  if (!known) return null
  const { title } = known
  try {
    const { page } = await client.content.page({ slug })
    return { slug, title: page.title, html: page.content, failed: null }
  } catch (error) {
    report(error)
    // The next visitor tries again.
    freshUntil(new Date(now.getTime() + 1_000))
    return { slug, title, html: null, failed: errors.CONTENT_FAILED.message }
  }
}
