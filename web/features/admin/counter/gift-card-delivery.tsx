import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { GiftCard } from '#contract/gift-cards.ts'
import { formatInstant, formatWall } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

type Delivery = NonNullable<GiftCard['delivery']>

/** "3 nov 2026", "El 24 dic 2026", "Todavía no" */
export function sentText({ sentAt, on }: Delivery, zone: string): string {
  if (sentAt) return formatInstant(new Date(sentAt), zone, 'date')
  return on ? `El ${formatWall(`${on}T12:00:00.000Z`, 'date')}` : 'Todavía no'
}

/** Recipient, address and day of the code of a card bought on the site; staff who may refund correct the address and send it again. */
export function GiftCardDelivery({ card, onChanged }: { card: GiftCard; onChanged: () => void }) {
  const site = useSite()
  const staff = useStaff()
  const [email, setEmail] = useState<string | null>(null)
  const { gift_card_id, delivery } = card
  const correct = useMutation({
    meta: { handled: true },
    mutationFn: (to: string) => api.giftCards.correctEmail({ gift_card_id, email: to }),
    onSuccess() {
      setEmail(null)
      showAlert('success', 'Correo corregido. Todavía no se le envía nada.')
      onChanged()
    },
  })
  const send = useIdempotentMutation(api.giftCards.send, {
    onSuccess() {
      showAlert('success', 'Va en camino.')
      onChanged()
    },
    onError: () => undefined,
  })
  if (!delivery) return null
  const failure = correct.error ?? send.error
  const mayChange = may(staff, 'sales.refund')
  return (
    <section className="stack gap-8" aria-label="A quién se envía">
      <p>
        <span className="strong">{delivery.name ? `Para ${delivery.name}` : 'Para quien la compró'}</span>
        {delivery.email && <span className="small muted"> · {delivery.email}</span>}
      </p>
      <p className="small muted">
        {delivery.sentAt ? 'Se envió el' : 'Se envía:'} {sentText(delivery, site.zone)}
      </p>
      {failure && (
        <Banner tone="danger" live>
          {toFailure(failure).message}
        </Banner>
      )}
      {mayChange && email !== null && (
        <form
          className="stack gap-8"
          onSubmit={(event) => {
            event.preventDefault()
            correct.mutate(email.trim())
          }}
        >
          <TextField
            label="Correo de quien la recibe"
            type="email"
            maxLength={254}
            value={email}
            onChange={(event) => setEmail(event.currentTarget.value)}
          />
          <div className="row gap-8 wraps">
            <Button type="submit" size="small" loading={correct.isPending}>
              Guardar correo
            </Button>
            <Button variant="outline" size="small" onClick={() => setEmail(null)}>
              No corregir
            </Button>
          </div>
        </form>
      )}
      {mayChange && email === null && (
        <div className="row gap-8 wraps">
          {delivery.name && (
            <Button variant="outline" size="small" onClick={() => setEmail(delivery.email ?? '')}>
              Corregir correo
            </Button>
          )}
          <Button variant="outline" size="small" loading={send.isPending} onClick={() => send.mutate({ gift_card_id })}>
            {delivery.sentAt ? 'Enviar otra vez' : 'Enviar ahora'}
          </Button>
        </div>
      )}
    </section>
  )
}
