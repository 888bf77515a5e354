/** Settings on the wire, pages, documents to accept, announcements (spec 1 sections 3 and 7). */
import * as z from 'zod'
import { endpoint, id, refusals } from './endpoint.ts'
import { settingPair } from './settings.ts'

export const page = z.object({
  page_id: id,
  slug: z.string(),
  title: z.string(),
  /** Sanitised HTML; null when the page has none yet (it is then hidden from the footer). */
  content: z.string().nullable(),
  /** Must be accepted before use. */
  required: z.boolean(),
  /** Must be accepted at sign-up. */
  required_signup: z.boolean(),
  /** Grows with each change; an acceptance is of one version. */
  version: z.int(),
})
export type Page = z.infer<typeof page>

export const announcement = z.object({ announcement_id: id, title: z.string(), content: z.string(), createdAt: z.string() })
export type Announcement = z.infer<typeof announcement>

export const acceptedPage = z.object({ page_id: id, customer_id: id, version: z.int(), createdAt: z.string() })

export const content = {
  /** The public settings as key/value pairs (S1-7.82, decision 28). */
  appconfig: endpoint('GET', '/appconfig', 'public', 'Configuración', 'Configuración pública del estudio').output(z.array(settingPair)),
  /** All pages, without their text: `content` is '' where a page has one and null where it has none (it is then hidden from the footer). */
  pages: endpoint('GET', '/pages', 'public', 'Contenido', 'Páginas').output(z.object({ pages: z.array(page) })),
  page: endpoint('GET', '/pages/{slug}', 'public', 'Contenido', 'Una página')
    .input(z.object({ slug: z.string().min(1).max(100).regex(/^\P{Cc}+$/u) }))
    .errors(refusals('CONTENT_FAILED'))
    .output(z.object({ page })),
  /** What the customer has accepted, and what is still to accept (`pending`). */
  accepted: endpoint('GET', '/accepted_pages', 'customer', 'Contenido', 'Documentos aceptados').output(
    z.object({ accepted_pages: z.array(acceptedPage), pending: z.array(page) }),
  ),
  /** Accepts the present version of a document. `customer_id` in the body is ignored: the token says who. */
  accept: endpoint('POST', '/accepted_pages', 'customer', 'Contenido', 'Aceptar un documento')
    .input(z.object({ page_id: id, customer_id: z.unknown().optional() }))
    .errors(refusals('NOT_FOUND'))
    .output(z.object({ accepted_page: acceptedPage })),
  announcements: endpoint('GET', '/announcements', 'public', 'Contenido', 'Avisos').output(
    z.object({ announcements: z.array(announcement) }),
  ),
}
