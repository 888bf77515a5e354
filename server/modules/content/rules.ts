/** Rules for accepting documents. Pure: docs/domain.md, "Content". */
import { type Refusal, refuse } from '#contract/errors.ts'

/**
 * Whether all required documents were accepted (T2). DOCUMENTS_REQUIRED names the first missing one, so that the form can show 'Debes
 * aceptar {page name} para continuar'.
 */
export function whyNotAccepted(documents: readonly { page_id: number; title: string }[], ticked: readonly number[]): Refusal | null {
  const missing = documents.find((document) => !ticked.includes(document.page_id))
  return missing ? refuse('DOCUMENTS_REQUIRED', { page_id: missing.page_id, title: missing.title }) : null
}
