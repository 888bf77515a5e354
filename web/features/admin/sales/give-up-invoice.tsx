import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { FiscalDocument } from '#contract/fiscal.ts'
import { formatPesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { currentInstant } from '#web/lib/clock.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { TextArea } from '#web/ui/field.tsx'
import { FISCAL_STATES, fiscalFolio } from './fiscal-text.ts'

/** What the owner can do with an invoice of which it is not known whether it was stamped: nothing for three days, then give it up. */
export function GiveUpInvoice({ document }: { document: FiscalDocument }) {
  const [open, setOpen] = useState(false)
  const staff = useStaff()
  const { zone } = useSite()
  const { give_up_from } = document
  if (give_up_from === null || !may(staff, 'settings.code')) return null
  const from = new Date(give_up_from)
  if (currentInstant() < from)
    return <span className="small muted">Si no hay respuesta, podrás darla por no timbrada el {formatInstant(from, zone, 'class')}.</span>
  return (
    <>
      <Button
        size="small"
        variant="outline"
        aria-haspopup="dialog"
        aria-label={`Dar por no timbrada ${fiscalFolio(document)}`}
        onClick={() => setOpen(true)}
      >
        Dar por no timbrada
      </Button>
      {open && <GiveUpDialog document={document} onClose={() => setOpen(false)} />}
    </>
  )
}

function GiveUpDialog({ document, onClose }: { document: FiscalDocument; onClose: () => void }) {
  const client = useQueryClient()
  const [reason, setReason] = useState('')
  const name = fiscalFolio(document)
  const sending = useMutation({
    meta: { handled: true },
    mutationFn: () => api.fiscal.giveUp({ fiscal_document_id: document.fiscal_document_id, reason: reason.trim() }),
    onSuccess({ fiscal_document: { state, error } }) {
      showAlert(
        'success',
        state === 'refused'
          ? `${name}: ${error?.message ?? 'quedó como no timbrada.'}`
          : `${name} sí se timbró: ${FISCAL_STATES[state].text.toLowerCase()}.`,
      )
      void client.invalidateQueries({ queryKey: queries.fiscal.key() })
      onClose()
    },
  })
  const missing = reason.trim().length < 3 ? 'Escribe el motivo.' : null
  return (
    <Dialog
      open
      onClose={sending.isPending ? null : onClose}
      title={`Dar por no timbrada ${name}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Ahora no
          </Button>
          <Button variant="danger" loading={sending.isPending} reason={missing} onClick={() => !missing && sending.mutate()}>
            Dar por no timbrada
          </Button>
        </>
      }
    >
      {sending.isError && (
        <Banner tone="danger" live>
          {toFailure(sending.error).message}
        </Banner>
      )}
      <p>
        Primero le preguntamos otra vez a tu proveedor de timbrado. Si no la tiene, sus cargos se pueden facturar de nuevo y el folio {name}{' '}
        queda sin usar. Si ya no se le puede preguntar, porque cambiaste de cuenta o no acepta las llaves, se da por no timbrada sin su
        respuesta.
      </p>
      <Banner tone="warn">
        Antes búscala en el portal del SAT: {document.receiver.rfc}, {formatPesos(document.total)}. Si está ahí, no la des por no timbrada.
      </Banner>
      <TextArea label="Motivo" rows={2} maxLength={300} value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
    </Dialog>
  )
}
