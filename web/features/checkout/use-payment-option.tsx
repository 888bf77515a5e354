import { useRef, useState } from 'react'
import type { PaymentOption, PaymentOptions } from '#contract/payment-options.ts'
import { Checkbox } from '#web/ui/checkbox.tsx'
import type { RadioOption } from '#web/ui/choice.tsx'
import { CardEntry, type CardOrigins } from './card-entry.tsx'
import type { CardFieldsHandle } from './card-fields.tsx'
import { CardBrand, cardTitle, PaymentOptionIcon, type PaymentOptionRow } from './payment-choice.tsx'
import { paymentOptionText } from './payment-text.ts'
import type { How } from './use-paying.ts'

/** Display order: cards first, then what is paid elsewhere. */
const ORDER: readonly PaymentOption[] = ['card', 'page', 'paypal', 'oxxo', 'spei', 'cash']

interface PaymentOptionChoice {
  /** saved cards, then the available payment options; empty if nothing has to be paid */
  options: readonly RadioOption<PaymentOptionRow>[]
  /** null: there is nothing to choose */
  chosen: PaymentOptionRow | null
  choose: (paymentOption: PaymentOptionRow) => void
  /** what the chosen option still needs, in Spanish */
  missing: string | null
  /** the payment for `usePaying`; null if none is possible */
  how: () => How | null
}

/** The payment options, the chosen one, and the card that is typed for it. */
export function usePaymentOptionChoice(
  available: PaymentOptions,
  origins: CardOrigins,
  cashHours: number,
  holder: string | undefined,
): PaymentOptionChoice {
  const fields = useRef<CardFieldsHandle>(null)
  const [chosen, choose] = useState<PaymentOptionRow | null>(null)
  const [cardReady, setCardReady] = useState(false)
  const [saves, setSaves] = useState(false)

  const options = available.free ? [] : [...saved(), ...offered()]
  const paymentOption = options.find(({ value }) => value === chosen)?.value ?? firstChoice()

  /** A saved card, else the server's default. */
  function firstChoice(): PaymentOptionRow | null {
    const [first] = options
    return (available.payment_sources.length > 0 ? first?.value : (available.default ?? first?.value)) ?? null
  }

  function saved(): RadioOption<PaymentOptionRow>[] {
    return available.payment_sources.map((card) => ({
      value: `source-${card.payment_source_id}`,
      icon: <CardBrand type={card.card_type} decorative />,
      title: cardTitle(card),
      detail: card.exp && `Vence ${card.exp}`,
    }))
  }

  function offered(): RadioOption<PaymentOptionRow>[] {
    const shown = ORDER.filter((option) => available.ways.some(({ way: open }) => open === option))
    return shown.map((option) => ({
      value: option,
      icon: <PaymentOptionIcon way={option} />,
      ...paymentOptionText(option, available.payment_sources.length > 0, cashHours),
      ...(option === 'card' && available.card && { panel: cardPanel(available.card) }),
    }))
  }

  function cardPanel(card: NonNullable<PaymentOptions['card']>) {
    return (
      <div className="stack gap-16">
        <CardEntry ref={fields} card={card} {...origins} holder={holder} onReady={setCardReady} />
        {available.can_save_card && (
          <Checkbox checked={saves} onChange={(event) => setSaves(event.currentTarget.checked)}>
            Guardar esta tarjeta para otra compra
          </Checkbox>
        )}
      </div>
    )
  }

  function how(): How | null {
    if (available.free) return { by: 'free' }
    if (paymentOption === null) return null
    if (paymentOption === 'cash')
      return { by: 'cash', payment_method_id: available.ways.find((option) => option.way === 'cash')?.payment_method_id ?? null }
    if (paymentOption === 'card') return { by: 'card', save: saves, tokenize: async () => (await fields.current?.tokenize()) ?? '' }
    if (paymentOption === 'paypal') return { by: 'wallet' }
    if (paymentOption === 'page' || paymentOption === 'oxxo' || paymentOption === 'spei') return { by: paymentOption }
    return { by: 'source', payment_source_id: Number(paymentOption.slice('source-'.length)) }
  }

  const missing = !available.free && paymentOption === 'card' && !cardReady ? 'Completa los datos de tu tarjeta.' : null
  return { options, chosen: paymentOption, choose, missing, how }
}
