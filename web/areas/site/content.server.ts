/** Loads a content page for its route (S1-2.24, S2-2.71, S2-2.72). */
import type { Rendering } from '#contract/rendering.ts'
import type { Client } from '#web/lib/client.ts'

export interface ContentData {
  slug: string
  title: string
  /** sanitised HTML; null: nothing is written yet */
  html: string | null
  /** for search engines and link previews, where they differ from the title and the studio's description */
  seo?: { title: string | null; description: string | null }
}

/** Returns null if no page has this slug. Errors are shown by `ContentFailure`. */
export async function loadContent({ client, dependsOn }: Rendering<Client>, slug: string): Promise<ContentData | null> {
  dependsOn('content')
  const { pages } = await client.content.pages()
  if (!pages.some((page) => page.slug === slug)) return null
  const { page } = await client.content.page({ slug })
  const { title, content: html, seo_title, seo_description } = page
  return { slug, title, html, ...(seo_title || seo_description ? { seo: { title: seo_title, description: seo_description } } : {}) }
}
