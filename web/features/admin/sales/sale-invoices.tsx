import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { ChargeToInvoice, FiscalDocument, ToInvoice } from '#contract/fiscal.ts'
import { formatPesos } from '#contract/money.ts'
import { CANCEL_MOTIVES, type CancelMotive, PAYMENT_FORMS, type PaymentForm } from '#contract/sat-catalogues.ts'
import { formatWall } from '#contract/time.ts'
import { draftOf, missingIn, ReceiverFields, receiverErrors, toSentReceiver } from '#web/features/account/fiscal-receiver.tsx'
import { TestReceivers } from '#web/features/account/invoice-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { saveFile } from '#web/lib/save-file.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select } from '#web/ui/field.tsx'
import { FiscalState } from './fiscal-state.tsx'
import { cancelText, FISCAL_KINDS, fiscalFolio } from './fiscal-text.ts'
import { GiveUpInvoice } from './give-up-invoice.tsx'
import { MailInvoice } from './mail-invoice.tsx'

/** The invoices of a sale: what can be invoiced, the documents with their files, cancelling. */
export function SaleInvoices({ purchase_id }: { purchase_id: number }) {
  const client = useQueryClient()
  const query = useQuery(queries.fiscal.ofPurchase.queryOptions({ input: { purchase_id }, meta: { handled: true } }))
  const [issuing, setIssuing] = useState(false)
  const [cancelling, setCancelling] = useState<FiscalDocument | null>(null)
  const onDone = () => {
    setIssuing(false)
    setCancelling(null)
    void client.invalidateQueries({ queryKey: queries.fiscal.key() })
  }
  const about = query.data
  if (!about) return query.isError ? <Banner tone="warn">No pudimos cargar sus facturas.</Banner> : null
  const open = openCharges(about)
  if (about.charges.length === 0) return null
  return (
    <section className="panel-card" aria-labelledby="facturas">
      <div className="panel-head">
        <h2 id="facturas" className="t3">
          Facturas
        </h2>
        {open.length > 0 && about.ready && (
          <Button size="small" onClick={() => setIssuing(true)}>
            Facturar
          </Button>
        )}
      </div>
      {!about.ready && <p className="panel-body muted">Para facturar falta {new Intl.ListFormat('es-MX').format(about.missing)}.</p>}
      {about.documents.length === 0 ? (
        <p className="panel-body muted">{open.length > 0 ? 'Todavía no se factura.' : whyNone(about)}</p>
      ) : (
        <ul className="charge-list">
          {about.documents.map((document) => (
            <DocumentRow key={document.fiscal_document_id} document={document} onCancel={() => setCancelling(document)} />
          ))}
        </ul>
      )}
      {issuing && <IssueDialog about={about} charges={open} onDone={onDone} onClose={() => setIssuing(false)} />}
      {cancelling && <CancelDialog document={cancelling} others={about.documents} onDone={onDone} onClose={() => setCancelling(null)} />}
    </section>
  )
}

/** What can be invoiced now: charges without an invoice of their own. */
export const openCharges = ({ charges }: ToInvoice): ChargeToInvoice[] =>
  charges.filter((charge) => charge.why_not === null && (charge.fiscal_document === null || charge.in_global))

const whyNone = ({ charges }: ToInvoice): string => charges.find((charge) => charge.why_not !== null)?.why_not ?? 'Todavía no se factura.'

function DocumentRow({ document, onCancel }: { document: FiscalDocument; onCancel: () => void }) {
  const { fiscal_document_id, state, error, receiver } = document
  const saving = useMutation({ mutationFn: (load: () => Promise<File>) => load(), onSuccess: saveFile })
  const { zone } = useSite()
  const name = fiscalFolio(document)
  const cancellation = cancelText(document, zone)
  return (
    <li>
      <span className="grow">
        <span className="strong">
          {FISCAL_KINDS[document.kind]} {name}
        </span>
        <span className="small muted">
          {[formatWall(document.issued_date, 'class'), receiver.name, receiver.rfc, formOf(document)].filter(Boolean).join(' · ')}
        </span>
        <FiscalState document={document} />
        {cancellation && <span className="small muted">{cancellation}</span>}
        <GiveUpInvoice document={document} />
        {error && (
          <span className="small">
            {error.code}: {error.message}
          </span>
        )}
        {document.uuid && (
          <span className="row gap-8 wraps">
            <Button
              size="small"
              variant="outline"
              aria-label={`PDF de ${name}`}
              onClick={() => saving.mutate(() => api.fiscal.pdf({ fiscal_document_id }))}
            >
              PDF
            </Button>
            <Button
              size="small"
              variant="outline"
              aria-label={`XML de ${name}`}
              onClick={() => saving.mutate(() => api.fiscal.xml({ fiscal_document_id }))}
            >
              XML
            </Button>
            <MailInvoice document={document} />
            {state === 'valid' && document.kind !== 'global' && (
              <Button size="small" variant="outline" onClick={onCancel}>
                Cancelar factura
              </Button>
            )}
          </span>
        )}
      </span>
      <span className="row-money">
        {document.kind === 'credit' && '-'}
        {formatPesos(document.total)}
      </span>
    </li>
  )
}

const formOf = ({ payment_form }: FiscalDocument): string => PAYMENT_FORMS[payment_form as PaymentForm] ?? payment_form

interface IssueProps {
  about: Pick<ToInvoice, 'receiver' | 'test_receivers'>
  charges: readonly ChargeToInvoice[]
  onDone: () => void
  onClose: () => void
}

/** The form that invoices some charges of one customer. */
export function IssueDialog({ about, charges, onDone, onClose }: IssueProps) {
  const [draft, setDraft] = useState(() => draftOf(about.receiver))
  const sending = useIdempotentMutation(api.fiscal.issue, {
    onSuccess({ fiscal_document: { series, folio, state } }) {
      showAlert(
        'success',
        state === 'valid' ? `Factura ${series}-${folio} timbrada.` : 'El SAT todavía no contesta. La factura llega sola.',
      )
      onDone()
    },
    onError: () => undefined,
  })
  const failure = sending.isError ? toFailure(sending.error) : null
  const missing = missingIn(draft)
  const total = charges.reduce((sum, charge) => sum + Math.round(Number(charge.amount) * 100), 0)
  return (
    <Dialog
      open
      onClose={sending.isPending ? null : onClose}
      title="Facturar"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button
            loading={sending.isPending}
            reason={missing}
            onClick={() => {
              if (!missing) sending.mutate({ invoice_ids: charges.map((charge) => charge.invoice_id), receiver: toSentReceiver(draft) })
            }}
          >
            Facturar {formatPesos((total / 100).toFixed(2))}
          </Button>
        </>
      }
    >
      {failure && (
        <Banner tone="danger" live>
          {failure.message}
        </Banner>
      )}
      {charges.some((charge) => charge.in_global) && (
        <Banner tone="brand">Ya está en la factura global: al facturarlo sale de ella.</Banner>
      )}
      {about.test_receivers.length > 0 && <TestReceivers tests={about.test_receivers} />}
      <ReceiverFields
        value={draft}
        onChange={setDraft}
        errors={receiverErrors(failure?.data.issues as { path: string; message: string }[] | undefined)}
      />
    </Dialog>
  )
}

interface CancelProps {
  document: FiscalDocument
  others: readonly FiscalDocument[]
  onDone: () => void
  onClose: () => void
}

function CancelDialog({ document, others, onDone, onClose }: CancelProps) {
  const [motive, setMotive] = useState<CancelMotive>('02')
  const [substitute, setSubstitute] = useState('')
  const valid = others.filter(
    (fiscalDocument) => fiscalDocument.state === 'valid' && fiscalDocument.kind === 'income' && fiscalDocument !== document,
  )
  const sending = useMutation({
    meta: { handled: true },
    mutationFn: () =>
      api.fiscal.cancel({
        fiscal_document_id: document.fiscal_document_id,
        motive,
        late: document.cancel_warning !== null,
        ...(motive === '01' && substitute ? { substitute_id: Number(substitute) } : {}),
      }),
    onSuccess({ fiscal_document: { state } }) {
      showAlert('success', state === 'cancelled' ? 'Factura cancelada.' : 'Quien la recibió tiene tres días hábiles para aceptarlo.')
      onDone()
    },
  })
  const missing = motive === '01' && !substitute ? 'Elige la factura que la sustituye.' : null
  const motives = (Object.keys(CANCEL_MOTIVES) as CancelMotive[]).filter((code) => code !== '01' || valid.length > 0)
  return (
    <Dialog
      open
      onClose={sending.isPending ? null : onClose}
      title={`Cancelar factura ${document.series}-${document.folio}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No, conservarla
          </Button>
          <Button variant="danger" loading={sending.isPending} reason={missing} onClick={() => !missing && sending.mutate()}>
            Sí, cancelarla
          </Button>
        </>
      }
    >
      {sending.isError && (
        <Banner tone="danger" live>
          {toFailure(sending.error).message}
        </Banner>
      )}
      <Select label="Motivo" value={motive} onChange={(event) => setMotive(event.currentTarget.value as CancelMotive)}>
        {motives.map((code) => (
          <option key={code} value={code}>
            {code} · {CANCEL_MOTIVES[code]}
          </option>
        ))}
      </Select>
      {motive === '01' && (
        <Select label="Factura que la sustituye" value={substitute} onChange={(event) => setSubstitute(event.currentTarget.value)}>
          <option value="">Elige</option>
          {valid.map((fiscalDocument) => (
            <option key={fiscalDocument.fiscal_document_id} value={fiscalDocument.fiscal_document_id}>
              {fiscalDocument.series}-{fiscalDocument.folio}
            </option>
          ))}
        </Select>
      )}
      {document.cancel_warning && <Banner tone="danger">{document.cancel_warning}</Banner>}
      <Banner tone="warn">Si pasa de $1,000.00 y ya terminó el siguiente día hábil, quien la recibió tiene que aceptarlo.</Banner>
    </Dialog>
  )
}
