import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { success } from '#contract/copy/messages.ts'
import { paths } from '#contract/paths.ts'
import type { Purchase } from '#contract/sales.ts'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { RadioCards } from '#web/ui/choice.tsx'
import { Dialog } from '#web/ui/dialog.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import { CardBrand, cardTitle } from './payment-choice.tsx'

/** Chooses the saved card for a subscription's next charges; an overdue charge is tried at once. */
export function SubscriptionCardDialog({ purchase, onClose }: { purchase: Purchase | null; onClose: () => void }) {
  const client = useQueryClient()
  const cards = useQuery({ ...queries.sales.cards.queryOptions({ meta: { handled: true } }), enabled: purchase !== null })
  const [chosen, setChosen] = useState<string | null>(null)
  const list = cards.data?.payment_sources ?? []
  const selectedId = chosen ?? (list[0] ? String(list[0].payment_source_id) : null)
  const change = useMutation({
    meta: { handled: true },
    mutationFn: (input: { id: number; payment_source_id: number }) => api.cardLinks.own(input),
    async onSuccess({ purchase: after }) {
      if (after.confirm_charge) showAlert('alert', 'Guardamos la tarjeta. Falta que confirmes el cargo con tu banco.')
      else if (after.past_due) showAlert('alert', 'El cobro pendiente todavía no pasa con esa tarjeta. Prueba con otra.')
      else showAlert('success', purchase?.past_due ? success.paid : success.paymentSourceSaved)
      close()
      await client.invalidateQueries({ queryKey: queries.sales.key() })
    },
  })
  function close() {
    setChosen(null)
    change.reset()
    onClose()
  }
  return (
    <Dialog
      open={purchase !== null}
      onClose={change.isPending ? null : close}
      title="Cambiar tarjeta"
      actions={
        <>
          <Button variant="outline" disabled={change.isPending} onClick={close}>
            Dejarla como está
          </Button>
          <Button
            loading={change.isPending}
            reason={selectedId || cards.isPending ? null : 'Agrega una tarjeta para cambiarla.'}
            onClick={() => purchase && selectedId && change.mutate({ id: purchase.purchase_id, payment_source_id: Number(selectedId) })}
          >
            {purchase?.past_due ? 'Cambiar y pagar' : 'Cambiar tarjeta'}
          </Button>
        </>
      }
    >
      <p>
        {purchase?.title}: hoy se cobra a tu {purchase?.payment_method?.name ?? 'tarjeta'}.
      </p>
      {change.isError && (
        <Banner tone="danger" live>
          {toFailure(change.error).message}
        </Banner>
      )}
      <Loading loading={cards.isPending} skeleton={<Skeleton height="120px" />}>
        {list.length > 0 ? (
          <RadioCards
            legend="Tarjeta"
            quietLegend
            options={list.map((card) => ({
              value: String(card.payment_source_id),
              icon: <CardBrand type={card.card_type} decorative />,
              title: cardTitle(card),
              detail: card.exp && `Vence ${card.exp}`,
            }))}
            value={selectedId}
            onChange={setChosen}
          />
        ) : (
          <p className="muted">No tienes tarjetas guardadas.</p>
        )}
      </Loading>
      <AppLink className="link small" to={paths.mystudio.cards}>
        Agregar otra tarjeta
      </AppLink>
    </Dialog>
  )
}
