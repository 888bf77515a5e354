/** A content page as its route shows it (S1-2.24, S2-2.71, S2-2.72). */
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from '#web/lib/client.ts'

export interface ContentData {
  slug: string
  title: string
  /** sanitised HTML; null = nothing written yet */
  html: string | null
  /** the page exists and could not be read */
  failed: boolean
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
    return { slug, title: page.title, html: page.content, failed: false }
  } catch (error) {
    report(error)
    // The next visitor tries again.
    freshUntil(new Date(now.getTime() + 1_000))
    return { slug, title, html: null, failed: true }
  }
}
