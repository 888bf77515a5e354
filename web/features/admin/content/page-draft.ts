/** A page as its editor holds it, and what saving it would mean (docs/domain.md T1 to T9). */
import type { StaffPage } from '#contract/content.ts'
import { RESERVED_SLUGS } from '#contract/content-slugs.ts'

export interface PageDraft {
  title: string
  slug: string
  content: string
  required: boolean
  required_signup: boolean
  published: boolean
  seo_title: string
  seo_description: string
}

/** Of this page the text is edited as questions and answers. */
export const QUESTIONS_SLUG = 'preguntas-frecuentes'

export const NEW_PAGE: PageDraft = {
  title: '',
  slug: '',
  content: '',
  required: false,
  required_signup: false,
  published: true,
  seo_title: '',
  seo_description: '',
}

export const draftOfPage = (page: StaffPage): PageDraft => ({
  title: page.title,
  slug: page.slug,
  content: page.source ?? page.content ?? '',
  required: page.required,
  required_signup: page.required_signup,
  published: page.published,
  seo_title: page.seo_title ?? '',
  seo_description: page.seo_description ?? '',
})

/** An address made from a title: "Política de cancelación" -> "politica-de-cancelacion". */
export const slugOf = (title: string): string =>
  title
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, 80)
    .replace(/^-+|-+$/g, '')

/** What a draft changes, as it is sent. An emptied text is null: '' deletes nothing (T8). */
export function changedPageFields(draft: PageDraft, before: PageDraft): Partial<Omit<PageDraft, 'content'>> & { content?: string | null } {
  const { content, ...others } = draft
  const changed = Object.entries(others).filter(([key, value]) => value !== before[key as keyof PageDraft])
  return { ...Object.fromEntries(changed), ...(content === before.content ? {} : { content: content.trim() === '' ? null : content }) }
}

/** What is wrong with a draft, by field. The server checks everything again. */
export function pageProblems({ title, slug }: PageDraft): Partial<Record<'title' | 'slug', string>> {
  return {
    ...(title.trim() ? {} : { title: 'Debes llenar este campo.' }),
    ...(!/^[a-z0-9]+(-[a-z0-9]+)*$/.test(slug)
      ? { slug: 'Usa minúsculas, números y guiones, como aviso-de-privacidad.' }
      : (RESERVED_SLUGS as readonly string[]).includes(slug)
        ? { slug: 'Esa dirección ya es de otra pantalla.' }
        : {}),
  }
}

/** Whether people have to accept it (T2). */
const isDocument = ({ required, required_signup, published, content }: PageDraft): boolean =>
  published && (required || required_signup) && content.trim() !== ''

const people = (n: number, singular: string, many: string) =>
  n === 1 ? `1 persona ${singular}` : `Las ${n.toLocaleString('es-MX')} personas ${many}`

/**
 * The sentence about customers who have to accept the page after saving; null when there are none. `accepted`: number who accepted the
 * current version; `customers`: number with an account.
 */
export function acceptanceText(
  draft: PageDraft,
  before: PageDraft,
  { accepted, customers }: { accepted: number; customers: number },
): string | null {
  const [was, is] = [isDocument(before), isDocument(draft)]
  if (!was && !is) return null
  if (was && !is) return 'Ya no se le pedirá a nadie.'
  const isNew = draft.content !== before.content
  if (was) return isNew && accepted > 0 ? `${people(accepted, 'tendrá', 'tendrán')} que aceptarla otra vez.` : null
  const toAccept = isNew ? customers : Math.max(0, customers - accepted)
  return toAccept > 0 ? `${people(toAccept, 'con cuenta tendrá', 'con cuenta tendrán')} que aceptarla.` : null
}
