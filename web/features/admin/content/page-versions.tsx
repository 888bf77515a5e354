import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { PageVersion, StaffPage } from '#contract/content.ts'
import { formatInstant } from '#contract/time.ts'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import { PageDiff } from './page-diff.tsx'

/** Versions that are listed before the older ones are opened. */
const FIRST = 4

interface PageVersionsProps {
  page: StaffPage
  versions: readonly PageVersion[]
  /** the text in the editor */
  draft: { title: string; content: string }
  onRestore: (content: string) => void
}

const acceptedText = (n: number) => (n === 1 ? '1 persona la aceptó' : `${n.toLocaleString('es-MX')} la aceptaron`)

/** The versions of a page, newest first, with author, time and number of acceptances; each is compared with the editor and restored. */
export function PageVersions({ page, versions, draft, onRestore }: PageVersionsProps) {
  const { zone } = useSite()
  const [all, setAll] = useState(false)
  const [open, setOpen] = useState<number | null>(null)
  const shown = all ? versions : versions.slice(0, FIRST)
  return (
    <section className="panel-card page-versions" aria-label="Versiones">
      <h2 className="t4">Versiones</h2>
      <ul>
        {shown.map(({ version, createdAt, by, accepted }) => (
          <li key={version}>
            <div className="grow">
              <p>
                <span className="strong">Versión {version}</span>{' '}
                {version === page.version && (
                  <Badge tone={page.published ? 'ok' : 'neutral'}>{page.published ? 'En el sitio' : 'La de ahora'}</Badge>
                )}
              </p>
              <p className="small muted">
                {[by, formatInstant(new Date(createdAt), zone, 'class'), accepted > 0 && acceptedText(accepted)]
                  .filter(Boolean)
                  .join(' · ')}
              </p>
            </div>
            <Button variant="quiet" size="small" onClick={() => setOpen(version)}>
              Comparar<span className="sr-only"> con la versión {version}</span>
            </Button>
          </li>
        ))}
      </ul>
      {!all && versions.length > FIRST && (
        <button type="button" className="link link-alone" onClick={() => setAll(true)}>
          {versions.length - FIRST === 1 ? '1 anterior' : `${versions.length - FIRST} anteriores`}
        </button>
      )}
      {open !== null && (
        <VersionDialog
          page_id={page.page_id}
          version={open}
          draft={draft}
          onRestore={(content) => {
            onRestore(content)
            setOpen(null)
          }}
          onClose={() => setOpen(null)}
        />
      )}
    </section>
  )
}

interface VersionDialogProps {
  page_id: number
  version: number
  draft: { title: string; content: string }
  onRestore: (content: string) => void
  onClose: () => void
}

function VersionDialog({ page_id, version, draft, onRestore, onClose }: VersionDialogProps) {
  const query = useQuery(queries.content.admin.page.version.queryOptions({ input: { page_id, version }, meta: { handled: true } }))
  const found = query.data?.version
  const text = found && (found.source ?? found.content ?? '')
  return (
    <Dialog
      open
      width="wide"
      title={`De la versión ${version} a lo que estás editando`}
      onClose={onClose}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Seguir editando
          </Button>
          {text !== undefined && (
            <Button
              reason={text === draft.content ? 'Es el texto que estás editando.' : null}
              onClick={() => text !== draft.content && onRestore(text)}
            >
              Poner la versión {version} en el editor
            </Button>
          )}
        </>
      }
    >
      <Loaded
        query={query}
        skeleton={<Skeleton height="240px" />}
        failed={query.error ? toFailure(query.error).message : 'No pudimos cargar esta versión.'}
        nothing={null}
      >
        {found && text !== undefined && <PageDiff before={{ title: found.title, content: text }} after={draft} />}
      </Loaded>
    </Dialog>
  )
}
