import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Page } from '#contract/content.ts'
import { empty } from '#contract/copy/empty-lists.ts'
import { mustAccept } from '#contract/copy/messages.ts'
import { RichText } from '#web/features/site/rich-text.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { endSession } from '#web/lib/session.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import '#web/features/account/document-box.css'

/** Documents to accept before continuing, one after the other; the dialog cannot be dismissed (S1-5.07 to S1-5.10). */
export function RequiredDocuments({ pending }: { pending: readonly Page[] }) {
  const [page] = pending
  return page ? <OneDocument key={`${page.page_id}-${page.version}`} page={page} left={pending.length} /> : null
}

function OneDocument({ page, left }: { page: Page; left: number }) {
  const client = useQueryClient()
  const [ticked, setTicked] = useState(false)
  const [wrong, setWrong] = useState<string | null>(null)
  const accept = useMutation({
    meta: { handled: true },
    mutationFn: () => api.content.accept({ page_id: page.page_id }),
    onSuccess: () =>
      Promise.all([queries.content.accepted, queries.people.me].map((part) => client.invalidateQueries({ queryKey: part.key() }))),
  })
  return (
    <Dialog
      open
      onClose={null}
      title={page.title}
      width="middle"
      actions={
        <>
          <Button variant="quiet" onClick={() => void endSession()}>
            Salir
          </Button>
          <Button
            loading={accept.isPending}
            onClick={() => {
              setWrong(ticked ? null : mustAccept(page.title))
              if (ticked) accept.mutate()
            }}
          >
            Aceptar
          </Button>
        </>
      }
    >
      <p className="muted">{left > 1 ? `Hay ${left} documentos que debes aceptar para continuar.` : 'Léelo y acéptalo para continuar.'}</p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard */}
      <section className="document-box document-box-framed" aria-label={page.title} tabIndex={0}>
        {page.content ? <RichText html={page.content} /> : <p>{empty.content}</p>}
      </section>
      {accept.isError && (
        <Banner tone="danger" live>
          {toFailure(accept.error).message}
        </Banner>
      )}
      <Checkbox
        name="accept"
        checked={ticked}
        onChange={(event) => {
          setTicked(event.currentTarget.checked)
          setWrong(null)
        }}
        error={wrong}
      >
        Acepto {page.title}
      </Checkbox>
    </Dialog>
  )
}
