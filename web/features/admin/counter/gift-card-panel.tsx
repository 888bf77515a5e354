import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { GiftCardMovement } from '#contract/gift-cards.ts'
import { formatPesos, parsePesos } from '#contract/money.ts'
import { formatInstant } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { ReasonDialog } from '#web/features/admin/people/reason-dialog.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { showAlert } from '#web/lib/alerts.ts'
import { api, queries, useIdempotentMutation } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { Segmented } from '#web/ui/choice.tsx'
import { Drawer } from '#web/ui/drawer.tsx'
import { TextField } from '#web/ui/field.tsx'
import { GiftCardDelivery } from './gift-card-delivery.tsx'
import './counter.css'

const KINDS: Record<GiftCardMovement['kind'], string> = {
  sold: 'Se vendió',
  spent: 'Se usó en una venta',
  released: 'Regresó de una compra que no se pagó',
  returned: 'Regresó de una devolución',
  refunded: 'Se devolvió la tarjeta',
  adjusted: 'Se ajustó',
}
/** "+$50.00", "−$50.00" */
const signed = (amount: string): string => (amount.startsWith('-') ? `−${formatPesos(amount.slice(1))}` : `+${formatPesos(amount)}`)

/** A gift card: its balance, its movements, its code again, and an adjustment. */
export function GiftCardPanel({ gift_card_id, onClose }: { gift_card_id: number; onClose: () => void }) {
  const site = useSite()
  const staff = useStaff()
  const client = useQueryClient()
  const [isAdjusting, setIsAdjusting] = useState(false)
  const query = useQuery(queries.giftCards.one.queryOptions({ input: { gift_card_id }, meta: { handled: true } }))
  const again = useMutation({ meta: { handled: true }, mutationFn: () => api.giftCards.code({ gift_card_id }) })
  const card = query.data?.gift_card
  const changed = () => client.invalidateQueries({ queryKey: queries.giftCards.key() })
  return (
    <Drawer
      open
      side="right"
      label="Tarjeta de regalo"
      closeLabel="Cerrar"
      onClose={onClose}
      head={<h2 className="t3">{card ? `Termina en ${card.last_four}` : 'Tarjeta de regalo'}</h2>}
      foot={
        may(staff, 'sales.refund') && (
          <div className="panel-foot">
            <Button variant="outline" loading={again.isPending} onClick={() => again.mutate()}>
              Ver código
            </Button>
            <Button onClick={() => setIsAdjusting(true)}>Ajustar saldo</Button>
          </div>
        )
      }
    >
      <div className="panel-body stack gap-16">
        <Loaded query={query} skeleton={<ListSkeleton rows={3} />} failed="No pudimos cargar la tarjeta." nothing={null}>
          {card && (
            <dl className="basket-sums">
              <div>
                <dt>Valor</dt>
                <dd>{formatPesos(card.amount)}</dd>
              </div>
              <div className="basket-total">
                <dt>Saldo</dt>
                <dd>{formatPesos(card.balance)}</dd>
              </div>
            </dl>
          )}
          {card && <GiftCardDelivery card={card} onChanged={() => void changed()} />}
          {again.isError && (
            <Banner tone="danger" live>
              {toFailure(again.error).message}
            </Banner>
          )}
          {again.data && (
            <Banner tone="brand" live title="Código">
              {again.data.code}
            </Banner>
          )}
          <ul className="stack gap-12" aria-label="Movimientos">
            {(query.data?.movements ?? []).map((movement) => (
              <li key={movement.gift_card_movement_id} className="basket-row">
                <span className="grow">
                  <span className="strong">{KINDS[movement.kind]}</span>
                  <span className="small muted">
                    {[formatInstant(new Date(movement.createdAt), site.zone, 'class'), movement.staff?.name, movement.reason]
                      .filter(Boolean)
                      .join(' · ')}
                  </span>
                </span>
                <span className="strong">{signed(movement.amount)}</span>
              </li>
            ))}
          </ul>
        </Loaded>
      </div>
      {isAdjusting && card && (
        <AdjustDialog
          gift_card_id={gift_card_id}
          onDone={() => {
            setIsAdjusting(false)
            showAlert('success', 'Guardado.')
            void changed()
          }}
          onClose={() => setIsAdjusting(false)}
        />
      )}
    </Drawer>
  )
}

function AdjustDialog({ gift_card_id, onDone, onClose }: { gift_card_id: number; onDone: () => void; onClose: () => void }) {
  const [sign, setSign] = useState<'' | '-'>('')
  const [amount, setAmount] = useState('')
  const adjust = useIdempotentMutation(api.giftCards.adjust, { onSuccess: () => undefined, onError: () => undefined })
  const centavos = parsePesos(amount.trim())
  return (
    <ReasonDialog
      title="Ajustar saldo"
      yes="Ajustar"
      no="No ajustar"
      problem={centavos ? null : 'Escribe cuánto, como 50 o 50.50.'}
      send={(reason) => adjust.mutateAsync({ gift_card_id, amount: `${sign}${amount.trim()}`, reason })}
      onDone={onDone}
      onClose={onClose}
    >
      <Segmented
        label="Qué cambia"
        options={[
          { value: '', label: 'Agregar' },
          { value: '-', label: 'Quitar' },
        ]}
        value={sign}
        onChange={setSign}
      />
      <TextField
        label="Cuánto"
        inputMode="decimal"
        maxLength={12}
        before={<span aria-hidden="true">$</span>}
        value={amount}
        onChange={(event) => setAmount(event.currentTarget.value)}
      />
    </ReasonDialog>
  )
}
