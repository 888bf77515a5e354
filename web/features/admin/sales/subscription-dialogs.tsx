/** What staff do with a subscription: cancel it, try a renewal again, send a link that changes its card. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { formatPesos } from '#contract/money.ts'
import type { StudioPurchase } from '#contract/studio-sales.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { LinkDialog } from './link-dialog.tsx'

interface SubscriptionDialogProps {
  purchase: StudioPurchase
  onDone: () => void
  onClose: () => void
}

type When = 'period_end' | 'now'

/** Cancels a subscription after its period or now. A dry run shows first what remains valid. */
export function CancelSubscription({ purchase, onDone, onClose }: SubscriptionDialogProps) {
  const { purchase_id } = purchase
  const staff = useStaff()
  const [when, setWhen] = useState<When>('period_end')
  const trial = useQuery({
    queryKey: ['subscription-end', purchase_id, when],
    queryFn: () => api.studioSubscriptions.cancel({ purchase_id, reason: 'Consulta', when, dry_run: true }),
    staleTime: 0,
    meta: { handled: true },
  })
  const options: { value: When; title: string }[] = [
    { value: 'period_end', title: 'Al final de lo que pagó' },
    ...(may(staff, 'credits.edit') ? [{ value: 'now' as const, title: 'Ahora' }] : []),
  ]
  return (
    <ReasonDialog
      title="Cancelar suscripción"
      yes="Sí, cancelar"
      no="No, conservarla"
      danger
      problem={trial.isPending ? 'Un momento: se calcula qué pasa.' : null}
      consequence={trial.isError ? toFailure(trial.error).message : trial.data?.consequence}
      send={(reason) => api.studioSubscriptions.cancel({ purchase_id, reason, when })}
      onDone={() => {
        showAlert('success', success.subscriptionCancelled)
        onDone()
      }}
      onClose={onClose}
    >
      {options.length > 1 && <RadioCards legend="Cuándo termina" variant="list" options={options} value={when} onChange={setWhen} />}
    </ReasonDialog>
  )
}

/** Retries the refused renewal with the saved card, and shows the bank's answer. */
export function RetryRenewal({ purchase, onDone, onClose }: SubscriptionDialogProps) {
  const { purchase_id } = purchase
  const retry = useMutation({
    meta: { handled: true },
    mutationFn: () => api.studioSubscriptions.retry({ purchase_id }),
    onSuccess({ result }) {
      if (result !== 'paid') return
      showAlert('success', success.paid)
      onDone()
    },
  })
  const amount = purchase.next_charge ? formatPesos(purchase.next_charge.amount) : 'la renovación'
  const result = retry.data?.result
  return (
    <Dialog
      open
      onClose={retry.isPending ? null : onClose}
      title="Reintentar cobro"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            {result ? 'Cerrar' : 'No reintentar'}
          </Button>
          {!result && (
            <Button loading={retry.isPending} onClick={() => retry.mutate()}>
              Cobrar {amount}
            </Button>
          )}
        </>
      }
    >
      <p>
        Se cobra {amount} con {purchase.payment_method?.name ?? 'su tarjeta guardada'} de {purchase.customer.name}{' '}
        {purchase.customer.last_name}.
      </p>
      {retry.isError && (
        <Banner tone="danger" live>
          {toFailure(retry.error).message}
        </Banner>
      )}
      {result === 'declined' && (
        <Banner tone="danger" live>
          El banco rechazó el cobro otra vez. Envíale el enlace para que cambie su tarjeta.
        </Banner>
      )}
      {result === 'confirmation' && (
        <Banner tone="warn" live>
          Su banco pide que confirme el cobro. Envíale el enlace: ahí lo confirma o usa otra tarjeta.
        </Banner>
      )}
    </Dialog>
  )
}

/** Creates a link that changes the card, to be copied or sent by WhatsApp. */
export function CardLink({ purchase, onClose }: Omit<SubscriptionDialogProps, 'onDone'>) {
  const { purchase_id, customer } = purchase
  return (
    <LinkDialog
      title="Enlace de tarjeta"
      create={() => api.studioSubscriptions.cardLink({ purchase_id })}
      phone={customer.phone}
      messageOf={(url) => `Hola, ${customer.name}. Aquí puedes cambiar la tarjeta de ${purchase.title}: ${url}`}
      validity="Sirve una vez, hasta el"
      onClose={onClose}
    >
      <p>
        Con él {customer.name} cambia la tarjeta de {purchase.title} sin entrar a su cuenta. Si debe una renovación, se cobra en ese
        momento.
      </p>
    </LinkDialog>
  )
}
