import { IconCreditCard, IconLink, IconX } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { type Centavos, formatMoney } from '#contract/money.ts'
import { brandName } from '#web/features/checkout/payment-choice.tsx'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { emailProblem } from '#web/lib/form.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import type { BasketItem, BasketPayment } from './basket.ts'

/** How a processor charges the sale: on a saved card of the customer now, or by the customer with a link. */
export type OnlinePayment = { by: 'card'; payment_source_id: number; label: string } | { by: 'link' }

/** Why a processor cannot charge this basket, in Spanish; null if it can. */
export function whyNotOnline(lines: readonly BasketItem[]): string | null {
  const isChargeable = lines.every(({ kind, gift }) => kind !== 'class' && !gift)
  return isChargeable ? null : 'Con tarjeta guardada o enlace no se cobran lugares en clases ni paquetes de regalo.'
}

/**
 * Why a processor cannot charge the rest beside these payments, in Spanish; null if it can. `rest`: what is left of the total, in centavos.
 */
export function whyNotBeside(online: OnlinePayment, payments: readonly BasketPayment[], rest: Centavos): string | null {
  if (online.by === 'link' && payments.some(({ kind }) => kind !== 'gift_card'))
    return 'Con un enlace solo se combina una tarjeta de regalo: lo demás no puede esperar a que pague.'
  if (rest > 0) return null
  return online.by === 'card' ? `No queda nada que cobrar en ${online.label}.` : 'No queda nada que pagar con el enlace.'
}

/** Whether the basket is one package: a subscription sold like this renews; beside something else it is one period. */
export const isOnePackage = (lines: readonly BasketItem[]): boolean =>
  lines.length === 1 && lines[0]?.kind === 'package' && lines[0].quantity === 1

interface OnlineButtonsProps {
  customer_id: number
  /** Whether the rest may be paid with a link: money that staff received cannot wait for it. */
  takesLinks: boolean
  onChoose: (payment: OnlinePayment) => void
}

/** Buttons for the saved cards of a customer and for a payment link; none where the studio charges nothing online. */
export function OnlineButtons({ customer_id, takesLinks, onChoose }: OnlineButtonsProps) {
  const cards = useQuery(queries.counterOrders.cards.queryOptions({ input: { customer_id }, staleTime: 60_000, meta: { handled: true } }))
  if (!cards.data) return null
  return (
    <>
      {cards.data.payment_sources.map(({ payment_source_id, card_type, last_digits }) => {
        const label = `${brandName(card_type)} ···${last_digits}`
        return (
          <Button
            key={payment_source_id}
            variant="outline"
            size="small"
            icon={<IconCreditCard className="icon" aria-hidden="true" />}
            onClick={() => onChoose({ by: 'card', payment_source_id, label })}
          >
            {label}
          </Button>
        )
      })}
      {cards.data.takes_links && takesLinks && (
        <Button
          variant="outline"
          size="small"
          icon={<IconLink className="icon" aria-hidden="true" />}
          onClick={() => onChoose({ by: 'link' })}
        >
          Enlace
        </Button>
      )}
    </>
  )
}

interface EmailForOnlineProps {
  customer: { customer_id: number; name: string }
  onSaved: (email: string) => void
}

/** Asks for the email that processors require, where the customer has none. */
export function EmailForOnline({ customer: { customer_id, name }, onSaved }: EmailForOnlineProps) {
  const [email, setEmail] = useState('')
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const problem = emailProblem(email)
  const save = useMutation({
    meta: { handled: true },
    mutationFn: () => api.people.update({ customer_id, email: email.trim() }),
    onSuccess: () => onSaved(email.trim()),
  })
  return (
    <form
      className="payment-row"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        setWasSubmitted(true)
        if (!problem) save.mutate()
      }}
    >
      <TextField
        label={`Correo de ${name}`}
        type="email"
        autoComplete="off"
        maxLength={254}
        hint="Hace falta para cobrar en línea; ahí le llega su comprobante."
        value={email}
        error={save.isError ? toFailure(save.error).message : wasSubmitted ? problem : null}
        onChange={(event) => {
          save.reset()
          setEmail(event.currentTarget.value)
        }}
      />
      <Button type="submit" variant="outline" size="small" loading={save.isPending}>
        Guardar su correo
      </Button>
    </form>
  )
}

interface OnlineRowProps {
  payment: OnlinePayment
  /** What it charges. */
  charge: Centavos
  name: string
  /** Whether a part is paid by another payment method. */
  isRest: boolean
  onRemove: () => void
}

/** The chosen payment by a processor: it pays the whole sale, or what the other payments leave of it. */
export function OnlineRow({ payment, charge, name, isRest, onRemove }: OnlineRowProps) {
  const title = payment.by === 'card' ? payment.label : 'Enlace de pago'
  const Icon = payment.by === 'card' ? IconCreditCard : IconLink
  return (
    <div className="payment-row">
      <div className="basket-row">
        <Icon className="icon" aria-hidden="true" />
        <span className="strong grow">{title}</span>
        <span className="strong">{formatMoney(charge)}</span>
        <IconButton bare label={`Quitar ${title}`} onClick={onRemove}>
          <IconX className="icon" aria-hidden="true" />
        </IconButton>
      </div>
      <p className="small muted">
        {payment.by === 'card'
          ? `Se cobra ahora en la tarjeta que guardó ${name}. Si el banco la rechaza, no se vende nada${isRest ? ' y lo demás se regresa' : ''}.`
          : `${name} paga en su teléfono. Se le entrega cuando pague; mientras, queda en Por cobrar.`}
      </p>
    </div>
  )
}
