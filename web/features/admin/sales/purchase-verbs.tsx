import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatPesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf } from '#web/features/admin/people/paid-with.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'

export type PurchaseVerb = 'paid' | 'revoke' | 'pause' | 'resume'

/** What can be done with a purchase as it is, in the order in which it is offered. */
export function purchaseVerbs(purchase: Pick<StudioPurchase, 'status' | 'subscription_id' | 'paused' | 'voucher'>): PurchaseVerb[] {
  if (purchase.status === 'pending') return ['paid', 'revoke']
  const live = purchase.status === 'active' || purchase.status === 'completed'
  if (!live) return []
  return [
    ...(purchase.subscription_id && purchase.status === 'active' ? [purchase.paused ? ('resume' as const) : ('pause' as const)] : []),
    'revoke',
  ]
}

export const VERB_LABELS: Readonly<Record<PurchaseVerb, string>> = {
  paid: 'Marcar como pagada',
  revoke: 'Quitar acceso',
  pause: 'Pausar suscripción',
  resume: 'Reanudar suscripción',
}

interface VerbDialogProps {
  verb: PurchaseVerb
  purchase: StudioPurchase
  onDone: () => void
  onClose: () => void
}

/** Asks what a verb needs, says what follows, and does it. */
export function PurchaseVerbDialog({ verb, purchase, onDone, onClose }: VerbDialogProps) {
  const { purchase_id } = purchase
  const done = (words: string) => () => {
    showAlert('success', words)
    onDone()
  }
  if (verb === 'paid') return <MarkPaid purchase={purchase} onDone={done(success.paid)} onClose={onClose} />
  if (verb === 'revoke')
    return (
      <ReasonDialog
        title="Quitar acceso"
        yes="Sí, quitar"
        no="No, conservarlo"
        danger
        consequence="Pierde desde ahora sus clases libres y sus lugares por venir, y su suscripción termina. No se devuelve dinero."
        send={(reason) => api.studioSales.revokeAccess({ purchase_id, reason })}
        onDone={done(success.accessRevoked)}
        onClose={onClose}
      />
    )
  const call = verb === 'pause' ? api.studioSales.pause : api.studioSales.resume
  return (
    <ReasonDialog
      title={VERB_LABELS[verb]}
      yes={verb === 'pause' ? 'Sí, pausar' : 'Sí, reanudar'}
      no="Dejarla igual"
      consequence={
        verb === 'pause'
          ? 'Lo pagado dura hasta su fin. No se cobra ni se da nada hasta que la reanudes.'
          : 'Los cobros siguen en su fecha.'
      }
      send={(reason) => call({ purchase_id, reason })}
      onDone={done('Guardado.')}
      onClose={onClose}
    />
  )
}

function MarkPaid({ purchase, onDone, onClose }: Omit<VerbDialogProps, 'verb'>) {
  const [paid, setPaid] = useState<PaidWith>(BY_DEFAULT)
  const mark = useIdempotentMutation(api.sales.markPaid, { onSuccess: onDone, onError: () => undefined })
  const total = formatPesos(purchase.total_payment)
  return (
    <Dialog
      open
      onClose={mark.isPending ? null : onClose}
      title={`Recibir ${total}`}
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            Todavía no
          </Button>
          <Button loading={mark.isPending} onClick={() => mark.mutate({ purchase_id: purchase.purchase_id, ...receivedOf(paid) })}>
            Recibí {total}
          </Button>
        </>
      }
    >
      <p>
        {purchase.title}, de {purchase.customer.name} {purchase.customer.last_name}.
      </p>
      {mark.isError && <CounterRefusal error={mark.error} location_id={paid.location_id} onOpened={mark.reset} />}
      <PaidWithFields value={paid} onChange={setPaid} />
    </Dialog>
  )
}
