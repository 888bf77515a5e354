import { useQuery } from '@tanstack/react-query'
import { CONTENT_FAILED_MESSAGE } from '#contract/content-failed.ts'
import { empty } from '#contract/copy/empty-lists.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import type { DocumentToAccept } from './document-names.tsx'
import './document-box.css'

/** A document in a scrolling box of at most 500 px, shown where it must be accepted (S1-2.69, S1-5.07). */
export function DocumentDialog({ page, onClose }: { page: DocumentToAccept | null; onClose: () => void }) {
  const query = useQuery({
    // The dialog shows the failure, so no general alert.
    ...queries.content.page.queryOptions({ input: { slug: page?.slug ?? '-' }, meta: { handled: true } }),
    enabled: page !== null,
  })
  return (
    <Dialog
      open={page !== null}
      onClose={onClose}
      title={page?.title ?? ''}
      width="middle"
      actions={<Button onClick={onClose}>Cerrar</Button>}
    >
      <Loading loading={query.isPending} skeleton={<Skeleton height="240px" />}>
        {query.isError ? (
          <PartNotLoaded query={query}>{CONTENT_FAILED_MESSAGE}</PartNotLoaded>
        ) : query.data?.page.content ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
          <div className="document-box" tabIndex={0}>
            <RichText html={query.data.page.content} />
          </div>
        ) : (
          <p>{empty.content}</p>
        )}
      </Loading>
    </Dialog>
  )
}
