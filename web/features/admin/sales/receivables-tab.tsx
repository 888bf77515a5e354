import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatPesos } from '#contract/money.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { ReceiveMoney } from '#web/features/admin/roster/reservation-verbs.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LinkToSend } from './link-to-send.tsx'
import { PurchaseVerbDialog } from './purchase-verbs.tsx'
import { CashOrders, CounterDebts, OverdueRenewals, OwedReservations, type Receivable, SentLinks, Transfers } from './receivable-parts.tsx'
import { ConfirmTransfer, PayDebt, RejectTransfer } from './receive-dialogs.tsx'
import { customerText } from './sales-parts.tsx'
import { useReceivablesChanged } from './use-receivables-changed.ts'

/** Por cobrar: orders in cash, places, transfers to confirm, links, debts of the counter and renewals that did not pass. */
export default function ReceivablesTab() {
  const changed = useReceivablesChanged()
  const staff = useStaff()
  const [shown, setShown] = useState<Receivable | null>(null)
  const close = () => setShown(null)
  const done = (text: string | null) => {
    close()
    if (text) showAlert('success', text)
    changed()
  }
  return (
    <div className="stack gap-16">
      <CashOrders onShow={setShown} />
      {may(staff, 'roster.all') && <OwedReservations onShow={setShown} />}
      <Transfers onShow={setShown} />
      <SentLinks onShow={setShown} />
      <CounterDebts onShow={setShown} />
      <OverdueRenewals />
      {shown && <ReceivableDialog shown={shown} onDone={done} onClose={close} />}
    </div>
  )
}

interface ReceivableDialogProps {
  shown: Receivable
  /** with the text of the alert, null = the dialog showed it */
  onDone: (text: string | null) => void
  onClose: () => void
}

/** The dialog in which a receivable is paid, confirmed, rejected, sent or given up. */
function ReceivableDialog({ shown, onDone, onClose }: ReceivableDialogProps) {
  return (
    <>
      {shown.what === 'paid' && <PurchaseVerbDialog verb="paid" purchase={shown.purchase} onDone={() => onDone(null)} onClose={onClose} />}
      {shown.what === 'reservation' && (
        <ReceiveMoney
          row={shown.reservation}
          location_id={shown.reservation.class.location_id}
          onClose={() => onDone(null)}
          onBack={onClose}
        />
      )}
      {shown.what === 'link' && shown.order.link && (
        <Dialog
          open
          onClose={onClose}
          title={`Enlace de ${shown.order.purchase.customer.name}`}
          actions={
            <Button variant="outline" onClick={onClose}>
              Cerrar
            </Button>
          }
        >
          <LinkToSend order={shown.order} link={shown.order.link} />
        </Dialog>
      )}
      {shown.what === 'end' && (
        <ReasonDialog
          title="Cancelar el enlace"
          yes="Sí, cancelarlo"
          no="Dejarlo"
          danger
          consequence={`El enlace de ${formatPesos(shown.order.charge)} deja de servir y lo apartado se libera. No se cobró nada.`}
          send={(reason) => api.counterOrders.cancel({ purchase_id: shown.order.purchase.purchase_id, reason })}
          onDone={() => onDone('Enlace cancelado.')}
          onClose={onClose}
        />
      )}
      {shown.what === 'debt' && <PayDebt sale={shown.sale} onDone={() => onDone(success.paid)} onClose={onClose} />}
      {shown.what === 'confirm' && (
        <ConfirmTransfer
          invoice_id={shown.transfer.invoice_id}
          payment={shown.transfer.payment}
          name={customerText(shown.transfer.sale)}
          onDone={() => onDone('Transferencia confirmada.')}
          onClose={onClose}
        />
      )}
      {shown.what === 'reject' && (
        <RejectTransfer
          invoice_id={shown.transfer.invoice_id}
          payment={shown.transfer.payment}
          onDone={() => onDone('Guardado.')}
          onClose={onClose}
        />
      )}
    </>
  )
}
