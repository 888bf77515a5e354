import { IconBuildingBank, IconCash, IconCreditCard, IconGift, IconHourglass, IconReceipt2, IconX } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import type { PaymentMethodKind } from '#contract/catalogue.ts'
import { type Centavos, formatMoney, formatPesos, parsePesos, pesos } from '#contract/money.ts'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { NO_SLIP, TerminalFields } from '#web/features/admin/people/terminal-fields.tsx'
import { api } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'
import { FileField } from '#web/ui/file-field.tsx'
import { type BasketPayment, cashChange, likelyCash, stillOpen, typedPesos } from './basket.ts'

export interface CounterMethod {
  payment_method_id: number
  name: string
  kind: PaymentMethodKind
}

export interface Owing {
  until: string
  reason: string
}

interface PaymentsPanelProps {
  total: Centavos
  methods: readonly CounterMethod[]
  payments: readonly BasketPayment[]
  /** False while gift cards are sold: they are not paid with gift cards. */
  takesGiftCards: boolean
  onChange: (payments: BasketPayment[]) => void
  owing: Owing | null
  /** null if this staff member may not leave a debt. */
  onOwe: ((owing: Owing | null) => void) | null
  /** Further payment methods, after the others. */
  more: ReactNode
}

const ICONS: Record<BasketPayment['kind'], ReactNode> = {
  gift_card: <IconGift className="icon" aria-hidden="true" />,
  cash: <IconCash className="icon" aria-hidden="true" />,
  terminal: <IconCreditCard className="icon" aria-hidden="true" />,
  transfer: <IconBuildingBank className="icon" aria-hidden="true" />,
  online: <IconReceipt2 className="icon" aria-hidden="true" />,
  other: <IconReceipt2 className="icon" aria-hidden="true" />,
}

/** The payments of a sale: one or several methods, change for cash, and a debt. */
export function PaymentsPanel({ total, methods, payments, takesGiftCards, onChange, owing, onOwe, more }: PaymentsPanelProps) {
  const open = stillOpen(total, payments)
  const [padFor, setPadFor] = useState<PadField | null>(null)
  const add = (method: Pick<BasketPayment, 'payment_method_id' | 'name' | 'kind'>) => {
    const key = crypto.randomUUID()
    setPadFor({ key, of: method.kind === 'cash' ? 'received' : 'amount' })
    onChange([
      ...payments,
      {
        ...method,
        key,
        amount: pesos(Math.max(0, open ?? 0)),
        received: '',
        reference: '',
        ...NO_SLIP,
      },
    ])
  }
  const change = (key: string, set: Partial<BasketPayment>) =>
    onChange(payments.map((payment) => (payment.key === key ? { ...payment, ...set } : payment)))
  return (
    <div className="stack gap-12">
      <ul className="payment-rows" aria-label="Pagos">
        {payments.map((payment) => (
          <PaymentRow
            key={payment.key}
            payment={payment}
            padFor={padFor?.key === payment.key ? padFor.of : null}
            onField={(of) => setPadFor({ key: payment.key, of })}
            onChange={(set) => change(payment.key, set)}
            onRemove={() => onChange(payments.filter(({ key }) => key !== payment.key))}
          />
        ))}
      </ul>
      {owing && onOwe && (
        <fieldset className="payment-row">
          <legend className="sr-only">Queda a deber</legend>
          <div className="basket-row">
            <IconHourglass className="icon" aria-hidden="true" />
            <span className="strong grow">Queda a deber {open !== null && open > 0 ? formatMoney(open) : ''}</span>
            <IconButton bare label="Que no quede a deber" onClick={() => onOwe(null)}>
              <IconX className="icon" aria-hidden="true" />
            </IconButton>
          </div>
          <div className="field-pair">
            <TextField
              label="Hasta el"
              type="date"
              value={owing.until}
              onChange={(event) => onOwe({ ...owing, until: event.currentTarget.value })}
            />
            <TextField
              label="Motivo"
              maxLength={300}
              value={owing.reason}
              onChange={(event) => onOwe({ ...owing, reason: event.currentTarget.value })}
            />
          </div>
        </fieldset>
      )}
      <div className="row gap-8 wraps">
        {methods.map((method) => (
          <Button key={method.payment_method_id} variant="outline" size="small" icon={ICONS[method.kind]} onClick={() => add(method)}>
            {method.name}
          </Button>
        ))}
        {takesGiftCards && (
          <Button
            variant="outline"
            size="small"
            icon={ICONS.gift_card}
            onClick={() => add({ payment_method_id: 0, name: 'Tarjeta de regalo', kind: 'gift_card' })}
          >
            Tarjeta de regalo
          </Button>
        )}
        {onOwe && !owing && (
          <Button
            variant="outline"
            size="small"
            icon={<IconHourglass className="icon" aria-hidden="true" />}
            onClick={() => onOwe({ until: '', reason: '' })}
          >
            Queda a deber
          </Button>
        )}
        {more}
      </div>
    </div>
  )
}

/** The code of a gift card with its balance, which the amount is lowered to. */
function GiftCardCode({
  payment,
  due,
  onChange,
}: {
  payment: BasketPayment
  due: Centavos
  onChange: (set: Partial<BasketPayment>) => void
}) {
  const find = useMutation({
    meta: { handled: true },
    mutationFn: (code: string) => api.giftCards.find({ code }),
    onSuccess({ gift_card }) {
      const balance = parsePesos(gift_card.balance) ?? 0
      if (balance < due) onChange({ amount: gift_card.balance })
    },
  })
  const code = payment.code ?? ''
  const findCard = () => {
    if (code.trim() && !find.data && !find.isPending) find.mutate(code.trim())
  }
  return (
    <div className="stack gap-8">
      <TextField
        label="Código de la tarjeta"
        autoComplete="off"
        autoCapitalize="characters"
        spellCheck={false}
        maxLength={40}
        value={code}
        error={find.isError ? toFailure(find.error).message : null}
        onChange={(event) => {
          find.reset()
          onChange({ code: event.currentTarget.value })
        }}
        // A refused code is not looked up again on blur, only by the button or Enter.
        onBlur={() => !find.isError && findCard()}
        onKeyDown={(event) => event.key === 'Enter' && findCard()}
      />
      <Button variant="outline" size="small" loading={find.isPending} reason={code.trim() ? null : 'Escribe el código.'} onClick={findCard}>
        Ver saldo
      </Button>
      <p role="status" className="small">
        {find.data && `Le quedan ${formatPesos(find.data.gift_card.balance)}.`}
      </p>
    </div>
  )
}

/** The photo of a transfer's proof: uploaded as soon as it is chosen, shown again when the transfer is confirmed. */
function ProofField({
  proof,
  onChange,
}: {
  proof: BasketPayment['proof']
  onChange: (proof: NonNullable<BasketPayment['proof']>) => void
}) {
  const upload = useMutation({
    meta: { handled: true },
    mutationFn: (photo: File) => api.files.upload({ file: photo }),
    onSuccess: ({ file_id, file: { name, thumbnail } }) => onChange({ file_id, name, thumbnail }),
  })
  return (
    <FileField
      label="Foto del comprobante"
      name="proof"
      optional
      error={upload.isError ? toFailure(upload.error).message : null}
      accept="image/*,application/pdf"
      chosen={null}
      onChoose={(photo) => photo && upload.mutate(photo)}
      current={upload.isPending ? { name: 'Subiendo…', thumbnail: null } : (proof ?? null)}
    />
  )
}

/** The amount that the money pad types: the one that was touched last. */
interface PadField {
  key: string
  of: 'amount' | 'received'
}

function PaymentRow({
  payment,
  padFor,
  onField,
  onChange,
  onRemove,
}: {
  payment: BasketPayment
  padFor: PadField['of'] | null
  onField: (of: PadField['of']) => void
  onChange: (set: Partial<BasketPayment>) => void
  onRemove: () => void
}) {
  const { name, kind, amount, received } = payment
  const due = typedPesos(amount) ?? 0
  const change = cashChange(payment)
  const amountLabel = `Cuánto con ${name}`
  const inputMode = useMoneyPad() ? 'none' : 'decimal'
  return (
    <li className="payment-row">
      <div className="basket-row payment-head">
        {ICONS[kind]}
        <span className="strong grow">{name}</span>
        <span className="row gap-8 end">
          <input
            className="control payment-amount"
            aria-label={amountLabel}
            inputMode={inputMode}
            maxLength={12}
            value={amount}
            onFocus={(event) => {
              event.currentTarget.select()
              onField('amount')
            }}
            onChange={(event) => onChange({ amount: event.currentTarget.value })}
          />
          <IconButton bare label={`Quitar ${name}`} onClick={onRemove}>
            <IconX className="icon" aria-hidden="true" />
          </IconButton>
        </span>
      </div>
      {kind === 'cash' && (
        <>
          <div className="field-pair payment-cash">
            <TextField
              label="Recibí"
              optional
              inputMode={inputMode}
              maxLength={12}
              value={received}
              onFocus={() => onField('received')}
              onChange={(event) => onChange({ received: event.currentTarget.value })}
              error={change === null ? 'Es menos de lo que se paga en efectivo.' : null}
            />
            <p className="payment-change" role="status">
              {change !== null && change > 0 && (
                <>
                  <span className="small">Cambio</span>
                  <span className="t2">{formatMoney(change)}</span>
                </>
              )}
            </p>
          </div>
          <div className="row gap-8 wraps">
            {[due, ...likelyCash(due)].map((sum, at) => (
              <Button
                key={sum}
                variant="outline"
                size="small"
                aria-pressed={typedPesos(received) === sum}
                onClick={() => onChange({ received: pesos(sum) })}
              >
                {at === 0 ? 'Exacto' : formatMoney(sum)}
              </Button>
            ))}
          </div>
        </>
      )}
      {padFor && (
        <MoneyPad
          label={padFor === 'amount' ? amountLabel : 'Recibí'}
          value={payment[padFor]}
          onChange={(typed) => onChange({ [padFor]: typed })}
        />
      )}
      {kind === 'gift_card' && <GiftCardCode payment={payment} due={due} onChange={onChange} />}
      {kind === 'terminal' && (
        <TerminalFields
          value={payment}
          onChange={({ card_brand, last_digits, authorisation }) => onChange({ card_brand, last_digits, authorisation })}
        />
      )}
      {kind === 'transfer' && <ProofField proof={payment.proof} onChange={(proof) => onChange({ proof })} />}
      {(kind === 'transfer' || kind === 'other') && (
        <TextField
          label="Referencia"
          optional
          maxLength={80}
          hint={kind === 'transfer' ? 'Queda por confirmar hasta que la veas en el banco.' : undefined}
          value={payment.reference}
          onChange={(event) => onChange({ reference: event.currentTarget.value })}
        />
      )}
    </li>
  )
}
