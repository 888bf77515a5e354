import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DocumentDialog } from '#web/features/account/document-dialog.tsx'
import { type DocumentToAccept, documentNames } from '#web/features/account/document-names.tsx'
import { api, queries } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'

type Accepted = Awaited<ReturnType<typeof api.content.accepted>>

/** The documents that are accepted by paying: those of the purchase and those that the customer has not accepted yet. */
export function useAcceptance(required: readonly DocumentToAccept[]) {
  const known = useQuery(queries.content.accepted.queryOptions({ meta: { handled: true } })).data
  // After an acceptance at the sign-up just before, the box is ticked already; it can be unticked (S1-5.18).
  const [ticked, setAccepted] = useState<boolean | null>(null)
  const pending = known?.pending ?? []
  const documents = [...required, ...pending.filter((page) => !required.some(({ page_id }) => page_id === page.page_id))]
  return {
    documents,
    setAccepted,
    accepted: ticked ?? acceptedJustNow(known, documents),
    /** Records the acceptance of what is pending. */
    async record() {
      for (const page of pending) await api.content.accept({ page_id: page.page_id })
    },
  }
}

/** How long an acceptance counts as made in this visit. */
const SAME_VISIT_MS = 3_600_000

/** Whether all documents were accepted, in their current version, within the last hour. */
function acceptedJustNow(known: Accepted | undefined, required: readonly DocumentToAccept[]): boolean {
  if (!known || known.pending.length > 0) return false
  const since = currentInstant().getTime() - SAME_VISIT_MS
  const recent = known.accepted_pages.filter(({ createdAt }) => Date.parse(createdAt) > since)
  return required.every((page) => recent.some(({ page_id }) => page_id === page.page_id))
}

/** The documents to accept; each opens in a dialog, so that typed values stay. */
export function Acceptance({
  documents,
  accepted,
  onChange,
}: {
  documents: readonly DocumentToAccept[]
  accepted: boolean
  onChange: (accepted: boolean) => void
}) {
  const [reading, setReading] = useState<DocumentToAccept | null>(null)
  return (
    <div className="checkout-accept">
      <Checkbox checked={accepted} onChange={(event) => onChange(event.currentTarget.checked)}>
        Acepto{' '}
        {documentNames(documents, (page) => (
          <button type="button" className="link" onClick={() => setReading(page)}>
            {page.title}
          </button>
        ))}
      </Checkbox>
      <DocumentDialog page={reading} onClose={() => setReading(null)} />
    </div>
  )
}
