import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { accountErrors } from '#contract/copy/errors-account.ts'
import { success } from '#contract/copy/messages.ts'
import type { CardProcessor } from '#contract/processors.ts'
import type { CardFields, SavedCard } from '#contract/sales.ts'
import type { SavedCardAnswer } from '#contract/saved-cards.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { ConfirmDialog, Dialog } from '#web/ui/dialog.tsx'
import { CardEntry, type CardOrigins, useBankChallenge } from './card-entry.tsx'
import type { CardFieldsHandle } from './card-fields.tsx'
import { cardTitle } from './payment-choice.tsx'

interface Saving {
  save(token_id: string): Promise<Pick<SavedCardAnswer, 'setup'>>
  done: string
}
const savedSource: Saving = { save: (token_id) => api.cards.keep({ token_id }), done: success.paymentSourceSaved }
/** How each processor's cards are saved. Conekta uses the endpoint of the first payment flow (S1-7.60); both save to the same list. */
const SAVING: Record<CardProcessor, Saving> = {
  sandbox: savedSource,
  stripe: savedSource,
  conekta: { save: (token_id) => api.cards.saveMetodo({ token_id }), done: success.paymentMethodSaved },
}

interface AddCardProps {
  open: boolean
  card: CardFields
  cardOrigins: CardOrigins
  onClose: () => void
}

/** Saves a card: its fields, the bank's challenge if there is one, and the processor's answer (S1-7.60, S1-7.63, S1-8.48, S1-8.50). */
export function AddCardDialog({ open, card, cardOrigins, onClose }: AddCardProps) {
  const client = useQueryClient()
  const fields = useRef<CardFieldsHandle>(null)
  const [ready, setReady] = useState(false)
  const { confirmAtBank, challenge } = useBankChallenge(card, cardOrigins)
  const saveCard = useMutation({
    meta: { handled: true },
    async mutationFn() {
      const token_id = (await fields.current?.tokenize()) ?? ''
      const first = await SAVING[card.processor].save(token_id)
      if (!first.setup) return
      const failed = await confirmAtBank(first.setup.clientSecret, 'setup')
      if (failed) throw { code: 'PAYMENT_SOURCE_FAILED', ...accountErrors.PAYMENT_SOURCE_FAILED }
      await api.cards.keep({ setup_id: first.setup.id })
    },
    async onSuccess() {
      showAlert('success', SAVING[card.processor].done)
      onClose()
      await client.invalidateQueries({ queryKey: queries.sales.cards.key() })
    },
  })
  const close = () => {
    saveCard.reset()
    onClose()
  }
  return (
    <>
      <Dialog
        open={open}
        onClose={saveCard.isPending ? null : close}
        title="Agregar tarjeta"
        width="middle"
        actions={
          <>
            <Button variant="outline" disabled={saveCard.isPending} onClick={close}>
              Cancelar
            </Button>
            <Button
              loading={saveCard.isPending}
              reason={ready ? null : 'Completa los datos de tu tarjeta.'}
              onClick={() => saveCard.mutate()}
            >
              Guardar tarjeta
            </Button>
          </>
        }
      >
        {saveCard.isError && (
          <Banner tone="danger" live title={accountErrors.PAYMENT_SOURCE_FAILED.message}>
            {causeOf(saveCard.error)}
          </Banner>
        )}
        <CardEntry ref={fields} card={card} {...cardOrigins} onReady={setReady} />
        <p className="small muted">La guarda el procesador de pagos; el estudio no ve ni guarda el número. No se hace ningún cargo.</p>
      </Dialog>
      {challenge}
    </>
  )
}

/**
 * Why a card was not saved, under the one sentence of the specification (settled 39); null where the cause speaks of a purchase or
 * repeats it.
 */
function causeOf(error: unknown): string | null {
  const { code, message } = toFailure(error)
  return code === 'PAYMENT_TRY_LATER' || message === accountErrors.PAYMENT_SOURCE_FAILED.message ? null : message
}

/** Confirms the deletion of a saved card (S1-2.92, S1-2.93, S1-8.37, S1-8.49). */
export function RemoveCardDialog({ card, onClose }: { card: SavedCard | null; onClose: () => void }) {
  const client = useQueryClient()
  const [refused, setRefused] = useState<string | null>(null)
  const close = () => {
    setRefused(null)
    onClose()
  }
  async function remove() {
    if (!card) return
    setRefused(null)
    try {
      await api.cards.remove({ id: card.payment_source_id })
    } catch (error) {
      // The specification has one sentence for every cause; a card of a subscription also gets a next step. Shown only in the dialog.
      setRefused(
        toFailure(error).code === 'PAYMENT_SOURCE_IN_USE'
          ? `${accountErrors.PAYMENT_SOURCE_FAILED.message} Una suscripción activa se cobra a esta tarjeta. Cambia su tarjeta o cancélala antes de eliminarla.`
          : accountErrors.PAYMENT_SOURCE_FAILED.message,
      )
      return
    }
    showAlert('success', success.paymentSourceDeleted)
    close()
    await client.invalidateQueries({ queryKey: queries.sales.cards.key() })
  }
  return (
    <ConfirmDialog open={card !== null} onClose={close} onConfirm={remove} yes="Sí, eliminar" no="No, conservarla">
      <p>¿Quieres eliminar tu {card && cardTitle(card)}? Para usarla de nuevo tendrás que escribir sus datos.</p>
      {refused && (
        <Banner tone="danger" live>
          {refused}
        </Banner>
      )}
    </ConfirmDialog>
  )
}
