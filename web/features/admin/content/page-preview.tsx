import { useDelayed } from '#web/lib/use-delayed.ts'
import '#web/areas/site/content.css'
import '#web/features/account/document-box.css'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { empty } from '#contract/copy/empty-lists.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { queries } from '#web/lib/api.ts'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { removedParts } from './html-text.ts'

/** Pause in typing, in ms, after which the preview follows. */
const PAUSE_MS = 500

interface PagePreviewProps {
  title: string
  content: string
  /** shown as in the request for acceptance */
  isDocument: boolean
  /** what the text is: staff who write announcements may not read pages */
  kind?: 'page' | 'announcement'
}

/** The text as the server lets visitors see it, on a phone; nothing in it acts. Below it, what is not shown of the text. */
export function PagePreview({ title, content, isDocument, kind = 'page' }: PagePreviewProps) {
  const text = useDelayed(content, PAUSE_MS)
  const query = useQuery({
    ...queries.content.admin[kind === 'page' ? 'page' : 'announcements'].preview.queryOptions({
      input: { content: text },
      meta: { handled: true },
    }),
    placeholderData: keepPreviousData,
  })
  const shown = query.data?.content
  const removed = shown === undefined || query.isPlaceholderData ? [] : removedParts(text, shown)
  const body =
    shown === undefined ? <Skeleton height="160px" /> : shown ? <RichText html={shown} /> : <EmptyState>{empty.content}</EmptyState>
  return (
    <section aria-label="Vista previa">
      <p className="small muted page-preview-head">{isDocument ? 'Así la acepta cada persona' : 'Así se ve en tu sitio'}</p>
      {query.isError ? (
        <PartNotLoaded query={query}>No pudimos mostrar la vista previa.</PartNotLoaded>
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
        <section className="page-preview" aria-label="La página en un teléfono" tabIndex={0}>
          <div inert>
            <p className="t3">{title.trim() || 'Sin título'}</p>
            {isDocument ? <div className="document-box document-box-framed">{body}</div> : body}
            {isDocument && (
              <>
                <p className="page-preview-accept">
                  <span className="page-preview-box" /> Acepto {title.trim()}
                </p>
                <p className="btn btn-filled">Aceptar</p>
              </>
            )}
          </div>
        </section>
      )}
      {removed.length > 0 && (
        <p className="small muted" role="status">
          Al mostrarla se quita: {removed.slice(0, 8).join(', ')}
          {removed.length > 8 && ` y ${removed.length - 8} más`}.
        </p>
      )}
    </section>
  )
}
