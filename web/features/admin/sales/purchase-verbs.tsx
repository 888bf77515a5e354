import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatPesos } from '#contract/money.ts'
import type { Right } from '#contract/rights.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { may, type Staff } from '#web/features/admin/frame/staff.tsx'
import { CounterRefusal } from '#web/features/admin/people/counter-refusal.tsx'
import { BY_DEFAULT, type PaidWith, PaidWithFields, receivedOf, usePaidProblem } from '#web/features/admin/people/paid-with.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { ChangePlan } from './change-plan.tsx'
import { CancelSubscription, CardLink, RetryRenewal } from './subscription-dialogs.tsx'

export type PurchaseVerb = 'paid' | 'retry' | 'link' | 'plan' | 'pause' | 'resume' | 'cancel' | 'revoke'

const RIGHTS: Readonly<Record<PurchaseVerb, Right>> = {
  paid: 'sales.sell',
  revoke: 'credits.edit',
  retry: 'subscriptions.edit',
  link: 'subscriptions.edit',
  plan: 'subscriptions.edit',
  pause: 'subscriptions.edit',
  resume: 'subscriptions.edit',
  cancel: 'subscriptions.edit',
}

/** The actions that the state of a purchase and the rights of the staff member allow, in the order in which they are offered. */
export function purchaseVerbs(purchase: VerbFacts, staff: Staff): PurchaseVerb[] {
  return verbsOfState(purchase).filter((verb) => may(staff, RIGHTS[verb]) && (verb !== 'plan' || may(staff, 'sales.sell')))
}

type VerbFacts = Pick<StudioPurchase, 'status' | 'subscription_id' | 'paused' | 'past_due' | 'can_change_card' | 'can_change_plan'>

function verbsOfState(purchase: VerbFacts): PurchaseVerb[] {
  if (purchase.status === 'pending') return ['paid', 'revoke']
  const plan = purchase.can_change_plan ? (['plan'] as const) : []
  if (purchase.status === 'completed') return [...plan, 'revoke']
  if (purchase.status !== 'active') return []
  if (!purchase.subscription_id) return ['revoke']
  return [
    ...(purchase.past_due ? (['retry'] as const) : purchase.paused ? (['resume'] as const) : (['pause'] as const)),
    ...(purchase.can_change_card ? (['link'] as const) : []),
    ...plan,
    'cancel',
    'revoke',
  ]
}

export const VERB_LABELS: Readonly<Record<PurchaseVerb, string>> = {
  paid: 'Marcar como pagada',
  revoke: 'Quitar acceso',
  retry: 'Reintentar cobro',
  link: 'Enviar enlace de tarjeta',
  plan: 'Cambiar de plan',
  pause: 'Pausar suscripción',
  resume: 'Reanudar suscripción',
  cancel: 'Cancelar suscripción',
}

interface VerbDialogProps {
  verb: PurchaseVerb
  purchase: StudioPurchase
  onDone: () => void
  onClose: () => void
}

/** Asks for the input of an action, shows its consequence, and runs it. */
export function PurchaseVerbDialog({ verb, purchase, onDone, onClose }: VerbDialogProps) {
  const { purchase_id } = purchase
  const done = (text: string) => () => {
    showAlert('success', text)
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
  if (verb === 'cancel') return <CancelSubscription purchase={purchase} onDone={onDone} onClose={onClose} />
  if (verb === 'plan') return <ChangePlan purchase={purchase} onDone={onDone} onClose={onClose} />
  if (verb === 'retry') return <RetryRenewal purchase={purchase} onDone={onDone} onClose={onClose} />
  if (verb === 'link') return <CardLink purchase={purchase} onClose={onClose} />
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
  const problem = usePaidProblem(paid)
  const total = formatPesos(purchase.amount_due)
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
          <Button
            loading={mark.isPending}
            reason={problem}
            onClick={() => !problem && mark.mutate({ purchase_id: purchase.purchase_id, ...receivedOf(paid) })}
          >
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
