import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { Strokes } from '#contract/customer-records.ts'
import { PartNotLoaded } from '#web/features/site/not-loaded.tsx'
import { RichText } from '#web/features/site/rich-text.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Checkbox } from '#web/ui/checkbox.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextField } from '#web/ui/field.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { SignaturePad } from './signature.tsx'
import '#web/features/account/document-box.css'

interface DocumentsToAcceptProps {
  customer_id: number
  /** the first name of the customer */
  name: string
  /** whether this staff member may record an acceptance */
  mayAccept: boolean
}

/**
 * The documents that a customer still has to accept, with a dialog in which they read and accept them on this device; nothing when
 * there are none.
 */
export function DocumentsToAccept({ customer_id, name, mayAccept }: DocumentsToAcceptProps) {
  const client = useQueryClient()
  const [isOpen, setIsOpen] = useState(false)
  const options = queries.customerRecords.acceptedPages.queryOptions({ input: { customer_id }, meta: { handled: true } })
  const pending = useQuery(options).data?.pending ?? []
  const [next] = pending
  if (!next) return null
  return (
    <>
      <Banner tone="warn">
        <p>Le falta aceptar: {pending.map(({ title }) => title).join(', ')}.</p>
        {mayAccept && (
          <button type="button" className="link link-alone" onClick={() => setIsOpen(true)}>
            Firmar aquí
          </button>
        )}
      </Banner>
      {isOpen && (
        <DocumentToAccept
          key={next.page_id}
          customer_id={customer_id}
          name={name}
          page={next}
          left={pending.length}
          onAccepted={(answer) => client.setQueryData(options.queryKey, answer)}
          onClose={() => setIsOpen(false)}
        />
      )}
    </>
  )
}

interface DocumentToAcceptProps {
  customer_id: number
  name: string
  page: { page_id: number; title: string; slug: string }
  left: number
  onAccepted: (answer: Awaited<ReturnType<typeof api.customerRecords.acceptPage>>) => void
  onClose: () => void
}

/** One document in a scrolling box, with the checkbox of the customer, who is holding the device. */
function DocumentToAccept({ customer_id, name, page, left, onAccepted, onClose }: DocumentToAcceptProps) {
  const [isTicked, setIsTicked] = useState(false)
  const [typed, setTyped] = useState('')
  const [strokes, setStrokes] = useState<Strokes>([])
  const isSigned = strokes.length > 0 || typed.trim().length >= 3
  const text = useQuery(queries.content.page.queryOptions({ input: { slug: page.slug }, staleTime: 0, meta: { handled: true } }))
  const shown = text.data?.page
  const accept = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.customerRecords.acceptPage({
        customer_id,
        page_id: page.page_id,
        version: shown?.version ?? 0,
        signature: { name: typed.trim() || name, strokes },
      }),
    onSuccess: onAccepted,
    onError: () => {
      setIsTicked(false)
      void text.refetch()
    },
  })
  return (
    <Dialog
      open
      onClose={onClose}
      title={page.title}
      width="middle"
      actions={
        <Button
          full
          loading={accept.isPending}
          reason={
            !isTicked || !shown ? `${name} lo lee y marca que lo acepta.` : isSigned ? null : `${name} firma o escribe su nombre completo.`
          }
          onClick={() => accept.mutate()}
        >
          {left > 1 ? 'Firmar y ver el siguiente' : 'Firmar'}
        </Button>
      }
    >
      <div className="stack gap-16">
        {accept.isError && (
          <Banner tone="danger" live>
            {toFailure(accept.error).message}
          </Banner>
        )}
        <Loading loading={text.isPending} skeleton={<Skeleton height="240px" />}>
          {text.isError || !shown ? (
            <PartNotLoaded query={text}>No pudimos cargar el documento.</PartNotLoaded>
          ) : (
            // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls must be reachable by keyboard
            <div className="document-box document-box-framed" tabIndex={0}>
              <RichText html={shown.content ?? ''} />
            </div>
          )}
        </Loading>
        <Checkbox checked={isTicked} onChange={(event) => setIsTicked(event.currentTarget.checked)}>
          {name}: leí y acepto {page.title}.
        </Checkbox>
        <SignaturePad strokes={strokes} onChange={setStrokes} />
        <TextField
          label="Nombre de quien firma"
          hint="O escribe aquí tu nombre completo, en lugar de dibujar tu firma."
          autoComplete="off"
          maxLength={120}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
      </div>
    </Dialog>
  )
}
