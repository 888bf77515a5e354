/** The pages that must be accepted, as a form names them. */
import type { Page } from '#contract/content.ts'

/** The documents of a sign-up or of a purchase. A page without a text is no document (docs/domain.md T2). */
export const documentsToAccept = (pages: readonly Page[], at: 'required' | 'required_signup') =>
  pages.filter((page) => page[at] && page.content !== null).map(({ page_id, slug, title }) => ({ page_id, slug, title }))
