import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import type { GiftCardUsed } from './checkout-sum.ts'
import { CodeForm } from './code-form.tsx'
import './discount-form.css'

interface GiftCardFormProps {
  class_package_id: number
  card: GiftCardUsed | null
  /** how much of the total it pays, in centavos */
  part: number
  onChange: (card: GiftCardUsed | null) => void
}

/** The code of a gift card, what it pays and what it keeps (docs/domain.md I12). */
export default function GiftCardForm({ class_package_id, card, part, onChange }: GiftCardFormProps) {
  const [code, setCode] = useState('')
  const [wrong, setWrong] = useState<string | null>(null)
  const form = useRef<HTMLFormElement>(null)
  // The button that opened the form is gone.
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const finding = useMutation({
    meta: { handled: true },
    mutationFn: () => api.checkout.giftCard({ code, class_package_id }),
    onSuccess({ last_four, balance, held }) {
      const centavos = parsePesos(balance) ?? 0
      if (centavos > 0) return onChange({ code, last_four, balance: centavos })
      setWrong(
        parsePesos(held)
          ? `Tiene ${formatPesos(held)} apartados en otra compra que espera su pago.`
          : 'A esta tarjeta ya no le queda saldo.',
      )
    },
    onError: (error) => setWrong(toFailure(error).message),
  })
  if (card)
    return (
      <div className="discount-form">
        <div className="discount-row">
          <TextField
            label="Tarjeta de regalo"
            name="giftCard"
            value={`Termina en ${card.last_four}`}
            readOnly
            className="discount-good"
            before={<IconCircleCheck className="icon discount-mark" aria-hidden="true" />}
          />
          <Button variant="outline" onClick={() => onChange(null)} aria-label="Quitar la tarjeta de regalo">
            Quitar
          </Button>
        </div>
        <p className="small discount-saved" role="status">
          Paga {formatMoney(part)}.{' '}
          {card.balance > part ? `Le quedan ${formatMoney(card.balance - part)} para otra compra.` : 'Se usa todo su saldo.'}
        </p>
      </div>
    )
  return (
    <CodeForm
      ref={form}
      label="Código de la tarjeta de regalo"
      name="giftCardCode"
      maxLength={40}
      verb="Usar"
      code={code}
      onCode={(typed) => {
        setCode(typed)
        setWrong(null)
      }}
      isPending={finding.isPending}
      refusal={wrong}
      onSubmit={() => {
        setWrong(null)
        finding.mutate()
      }}
    />
  )
}
