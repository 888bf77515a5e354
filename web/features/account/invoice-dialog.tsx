import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FiscalDocument, FiscalReceiver, ToInvoice } from '#contract/fiscal.ts'
import { formatPesos } from '#contract/money.ts'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { NotLoaded } from '#web/features/site/not-loaded.tsx'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { draftOf, missingIn, ReceiverFields, receiverErrors, toSentReceiver } from './fiscal-receiver.tsx'

interface InvoiceDialogProps {
  invoice_id: number
  onClose: () => void
}

/** The invoice of one of the customer's charges: its files, or the form to request it. */
export function InvoiceDialog({ invoice_id, onClose }: InvoiceDialogProps) {
  const query = useQuery(queries.fiscal.mine.queryOptions({ input: { invoice_id }, meta: { handled: true } }))
  if (query.data) return <Loaded invoice_id={invoice_id} about={query.data} onClose={onClose} />
  return (
    <Dialog open onClose={onClose} title="Factura">
      {query.isPending ? <ListSkeleton rows={2} /> : <NotLoaded query={query}>{toFailure(query.error).message}</NotLoaded>}
    </Dialog>
  )
}

function Loaded({ invoice_id, about, onClose }: InvoiceDialogProps & { about: ToInvoice }) {
  const [charge] = about.charges
  const document = charge?.fiscal_document ?? null
  if (document) return <Issued invoice_id={invoice_id} document={document} onClose={onClose} />
  const no = charge?.why_not ?? (about.ready ? null : 'El estudio todavía no factura en línea. Pregunta en recepción.')
  if (no)
    return (
      <Dialog open onClose={onClose} title="Factura">
        <Banner tone="warn">{no}</Banner>
      </Dialog>
    )
  return (
    <Form invoice_id={invoice_id} amount={charge?.amount ?? '0.00'} known={about.receiver} tests={about.test_receivers} onClose={onClose} />
  )
}

const STATES: Readonly<Record<FiscalDocument['state'], string>> = {
  stamping: 'El SAT todavía no contesta. Tu factura llega aquí en unos minutos.',
  valid: 'Tu factura está timbrada.',
  cancelling: 'Se pidió cancelar esta factura: acéptalo o recházalo en tu buzón tributario.',
  cancelled: 'Esta factura está cancelada.',
  refused: 'El SAT no la aceptó.',
}

function Issued({ invoice_id, document, onClose }: InvoiceDialogProps & { document: FiscalDocument }) {
  return (
    <Dialog open onClose={onClose} title={`Factura ${document.series}-${document.folio}`}>
      <Banner tone={document.state === 'valid' ? 'ok' : 'warn'} live>
        {STATES[document.state]}
      </Banner>
      {document.is_test && <p className="small muted">Es de prueba: no tiene validez fiscal.</p>}
      <p>
        {document.receiver.name}, RFC {document.receiver.rfc}. Total {formatPesos(document.total)}.
      </p>
      {document.uuid && (
        <div className="row gap-8 wraps">
          <Button onClick={() => void api.fiscal.myPdf({ invoice_id }).then(saveFile)}>Descargar PDF</Button>
          <Button variant="outline" onClick={() => void api.fiscal.myXml({ invoice_id }).then(saveFile)}>
            Descargar XML
          </Button>
        </div>
      )}
    </Dialog>
  )
}

interface FormProps extends InvoiceDialogProps {
  amount: string
  known: FiscalReceiver | null
  tests: readonly string[]
}

function Form({ invoice_id, amount, known, tests, onClose }: FormProps) {
  const client = useQueryClient()
  const [draft, setDraft] = useState(() => draftOf(known))
  const sending = useIdempotentMutation(api.fiscal.issueMine, {
    onSuccess: () => void client.invalidateQueries({ queryKey: queries.fiscal.key() }),
    onError: () => undefined,
  })
  const failure = sending.isError ? toFailure(sending.error) : null
  const errors = receiverErrors(failure?.data.issues as { path: string; message: string }[] | undefined)
  const missing = missingIn(draft)
  return (
    <Dialog
      open
      onClose={sending.isPending ? null : onClose}
      title="Factura"
      actions={
        <Button
          loading={sending.isPending}
          reason={missing}
          onClick={() => !missing && sending.mutate({ invoice_id, receiver: toSentReceiver(draft) })}
        >
          Facturar {formatPesos(amount)}
        </Button>
      }
    >
      {failure && (
        <Banner tone="danger" live>
          {failure.message}
        </Banner>
      )}
      {tests.length > 0 && <TestReceivers tests={tests} />}
      <ReceiverFields value={draft} onChange={setDraft} errors={errors} />
    </Dialog>
  )
}

/** Receivers that exist where stamps have no validity. */
export function TestReceivers({ tests }: { tests: readonly string[] }) {
  return (
    <details className="small">
      <summary>Modo de prueba: los RFC que existen</summary>
      <ul>
        {tests.map((test) => (
          <li key={test}>{test}</li>
        ))}
      </ul>
    </details>
  )
}
