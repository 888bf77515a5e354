/** What has to be accepted. Pure: docs/domain.md, "Content". */
import { type Refusal, refuse } from '#contract/errors.ts'

/**
 * Whether the documents ticked are all that have to be (T2). DOCUMENTS_REQUIRED names the first one that is missing, so that
 * the form can say 'Debes aceptar {page name} para continuar'.
 */
export function whyNotAccepted(documents: readonly { page_id: number; title: string }[], ticked: readonly number[]): Refusal | null {
  const missing = documents.find((document) => !ticked.includes(document.page_id))
  return missing ? refuse('DOCUMENTS_REQUIRED', { page_id: missing.page_id, title: missing.title }) : null
}
