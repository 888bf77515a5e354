import { IconPlus, IconTrash } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { empty } from '#contract/copy/empty-lists.ts'
import type { SavedCard } from '#contract/sales.ts'
import { AddCardDialog, RemoveCardDialog } from '#web/features/checkout/card-dialogs.tsx'
import { brandName, CardBrand } from '#web/features/checkout/payment-choice.tsx'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { rendering } from '#web/lib/rendering.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Skeleton } from '#web/ui/skeleton.tsx'
import type { Route } from './+types/cards.ts'
import { PageHead } from './page-head.tsx'
import './cards.css'

export function loader({ context }: Route.LoaderArgs) {
  const { cardFrames, providerSites } = context.get(rendering)
  return { frame: cardFrames[0] ?? null, sites: providerSites }
}

/** 'Mis Método de Pago' (S1-2.91 to S1-2.94, S2-2.59): brand and last digits of each saved card; adds and deletes cards. */
export default function Cards({ loaderData: cardOrigins }: Route.ComponentProps) {
  const list = useQuery(queries.sales.cards.queryOptions())
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<SavedCard | null>(null)
  const cards = list.data?.payment_sources ?? []
  const fields = list.data?.card ?? null
  // In its place from the beginning, so that nothing moves when the cards arrive; a studio without card payments has none.
  const add = (fields || list.isPending) && (
    <Button icon={<IconPlus className="icon" aria-hidden="true" />} disabled={!fields} onClick={() => setAdding(true)}>
      Agregar tarjeta
    </Button>
  )
  return (
    <div className="wrap">
      <PageHead title="Mis Método de Pago" about="Tus tarjetas las guarda el procesador de pagos. El estudio no ve ni guarda el número.">
        {add}
      </PageHead>
      <Loaded
        query={list}
        skeleton={<CardsSkeleton />}
        failed="No pudimos cargar tus tarjetas."
        nothing={cards.length === 0 && <EmptyState drawing="battement">{empty.paymentSources}</EmptyState>}
      >
        <ul className="saved-cards" aria-label="Mis tarjetas">
          {cards.map((card) => (
            <li key={card.payment_source_id} className="card saved-card">
              <CardBrand type={card.card_type} />
              <div className="grow">
                <p className="t4">
                  <span className="sr-only">{brandName(card.card_type)} terminada en </span>
                  <span aria-hidden="true">•••• </span>
                  {card.last_digits}
                </p>
                {card.exp && <p className="small muted">Vence {card.exp}</p>}
              </div>
              <IconButton
                bare
                label={`Eliminar ${brandName(card.card_type)} terminada en ${card.last_digits}`}
                onClick={() => setRemoving(card)}
              >
                <IconTrash className="icon" aria-hidden="true" />
              </IconButton>
            </li>
          ))}
        </ul>
      </Loaded>
      {fields && <AddCardDialog open={adding} card={fields} cardOrigins={cardOrigins} onClose={() => setAdding(false)} />}
      <RemoveCardDialog card={removing} onClose={() => setRemoving(null)} />
    </div>
  )
}

function CardsSkeleton() {
  return (
    <div className="saved-cards">
      {['una', 'otra'].map((which) => (
        <div key={which} className="card saved-card">
          <Skeleton width="44px" height="32px" />
          <div className="grow stack gap-8">
            <Skeleton width="50%" height="20px" />
            <Skeleton width="35%" height="16px" />
          </div>
        </div>
      ))}
    </div>
  )
}
