import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatMoney, formatPesos, parsePesos } from '#contract/money.ts'
import type { StudioInvoice, StudioPurchase } from '#contract/studio-sales.ts'
import { MoneyPad, useMoneyPad } from '#web/features/admin/frame/money-pad.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Switch } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Select, TextArea, TextField } from '#web/ui/field.tsx'
import { refundConsequences } from './sale-text.ts'

/** The amount of a charge that can still be refunded, in centavos. */
export const refundable = (invoice: Pick<StudioInvoice, 'total_payment' | 'refunded' | 'status'>): number =>
  invoice.status === 'paid' || invoice.status === 'partially_refunded'
    ? (parsePesos(invoice.total_payment) ?? 0) - (parsePesos(invoice.refunded) ?? 0)
    : 0

interface RefundDialogProps {
  purchase: StudioPurchase
  invoice: StudioInvoice
  onDone: () => void
  onClose: () => void
}

/** Refunds a charge in part or whole. The server counts the consequences before, because a refund cannot be undone. */
export function RefundDialog({ purchase, invoice, onDone, onClose }: RefundDialogProps) {
  const refundableCentavos = refundable(invoice)
  const hasPad = useMoneyPad()
  const [amount, setAmount] = useState((refundableCentavos / 100).toFixed(2))
  const [reason, setReason] = useState('')
  const [byHand, setByHand] = useState(false)
  const [ends, setEnds] = useState(false)
  const [restock, setRestock] = useState(0)
  const centavos = parsePesos(amount)
  const isFullRefund = centavos === refundableCentavos
  const isAmount = centavos !== null && centavos > 0 && centavos <= refundableCentavos
  const input = {
    purchase_id: purchase.purchase_id,
    invoice_id: invoice.invoice_id,
    ...(isFullRefund || !isAmount ? {} : { amount: amount.trim() }),
    ...(byHand ? { by_hand: true } : {}),
    ...(ends ? { cancel_subscription: true } : {}),
    ...(restock > 0 ? { restock } : {}),
  }
  const tried = useQuery({
    ...queries.refundPreviews.show.queryOptions({ input, staleTime: 0, meta: { handled: true } }),
    enabled: isAmount,
    placeholderData: keepPreviousData,
    retry: false,
  })
  const preview = isAmount && !tried.isError ? (tried.data?.preview ?? null) : null
  const problem =
    centavos === null || centavos === 0
      ? 'Escribe cuánto, como 350 o 350.50.'
      : centavos > refundableCentavos
        ? `Quedan ${formatMoney(refundableCentavos)} por devolver.`
        : tried.isError
          ? toFailure(tried.error).message
          : preview === null
            ? 'Calculando…'
            : reason.trim().length < 3
              ? 'Escribe el motivo.'
              : null
  // The part paid by a gift card is returned to the card only (I7).
  const isByOriginOnly = ['efectivo', 'mostrador', 'regalo'].includes(invoice.gateway)
  const refund = useIdempotentMutation(api.studioSales.refund, {
    onSuccess() {
      showAlert('success', 'Devolución registrada.')
      onDone()
    },
    onError: () => undefined,
  })
  const amountSuffix = centavos === null ? '' : ` ${formatMoney(centavos)}`
  return (
    <Dialog
      open
      onClose={refund.isPending ? null : onClose}
      title="Devolver"
      actions={
        <>
          <Button variant="outline" onClick={onClose}>
            No devolver
          </Button>
          <Button
            variant="danger"
            loading={refund.isPending}
            reason={problem}
            onClick={() => !problem && refund.mutate({ ...input, reason: reason.trim() })}
          >
            Devolver{amountSuffix}
          </Button>
        </>
      }
    >
      <p>
        Cobro de {formatPesos(invoice.total_payment)} a {purchase.customer.name} {purchase.customer.last_name}
        {invoice.payment_method ? `, ${invoice.payment_method.name}` : ''}.
      </p>
      {refund.isError && (
        <Banner tone="danger" live>
          {toFailure(refund.error).message}
        </Banner>
      )}
      <TextField
        label="Cuánto"
        inputMode={hasPad ? 'none' : 'decimal'}
        before={<span aria-hidden="true">$</span>}
        value={amount}
        readOnly={refund.isPending}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
      <MoneyPad label="Cuánto" value={amount} disabled={refund.isPending} onChange={setAmount} />
      <TextArea
        label="Motivo"
        rows={2}
        maxLength={300}
        value={reason}
        readOnly={refund.isPending}
        onChange={(event) => setReason(event.currentTarget.value)}
      />
      {!isByOriginOnly && (
        <Switch
          checked={byHand}
          onChange={(event) => setByHand(event.currentTarget.checked)}
          hint="El procesador no lo devuelve: lo entregas tú en efectivo o por transferencia."
        >
          Lo devuelvo por otro medio
        </Switch>
      )}
      {purchase.subscription_id && purchase.status === 'active' && (
        <Switch checked={ends} onChange={(event) => setEnds(event.currentTarget.checked)}>
          Terminar también la suscripción
        </Switch>
      )}
      {preview && preview.pieces > 0 && (
        <Select
          label="Piezas que regresan al inventario"
          value={String(Math.min(restock, preview.pieces))}
          onChange={(event) => setRestock(Number(event.currentTarget.value))}
        >
          {[...Array(preview.pieces + 1).keys()].map((pieces) => (
            <option key={pieces} value={pieces}>
              {pieces === 0 ? 'Ninguna' : pieces === 1 ? '1 pieza' : `${pieces} piezas`}
            </option>
          ))}
        </Select>
      )}
      {preview && (
        <Banner tone="warn" title="Qué va a pasar">
          <ul className="consequences" aria-live="polite">
            {refundConsequences(preview, { name: purchase.customer.name, hasClasses: purchase.class_amount !== 0 }).map((text) => (
              <li key={text}>{text}</li>
            ))}
          </ul>
        </Banner>
      )}
      {tried.isError && isAmount && (
        <Banner tone="danger" live>
          {toFailure(tried.error).message}
        </Banner>
      )}
    </Dialog>
  )
}
