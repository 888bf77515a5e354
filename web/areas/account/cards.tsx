import { useQuery } from '@tanstack/react-query'
import { empty } from '#contract/messages.ts'
import { artUrl } from '#web/features/art.tsx'
import { brandName, CardBrand } from '#web/features/payment-choice.tsx'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { paths } from '#web/lib/paths.ts'
import { useSite } from '#web/lib/settings.tsx'
import { Button } from '#web/ui/button.tsx'
import { EmptyState } from '#web/ui/empty-state.tsx'
import { Loading, Skeleton } from '#web/ui/skeleton.tsx'
import './cards.css'

/** 'Mis Método de Pago' (S1-2.91, S1-2.94, S2-2.59): brand and last digits of each saved card. */
export default function Cards() {
  const site = useSite()
  const list = useQuery(queries.sales.cards.queryOptions())
  const cards = list.data?.payment_sources ?? []
  const art = artUrl(site, { kind: 'movimiento', seed: 'estira', ground: 'paper' })
  return (
    <div className="wrap">
      <title>{`Mis Método de Pago · ${site.business_name}`}</title>
      <header className="page-head">
        <div>
          <h1 className="t1">Mis Método de Pago</h1>
          <p className="muted">Tus tarjetas las guarda el procesador de pagos. El estudio no ve ni guarda el número.</p>
        </div>
      </header>
      <Loading loading={list.isPending} skeleton={<Skeleton height="180px" />}>
        {list.isError ? (
          <EmptyState art={art} action={<Button onClick={() => void list.refetch()}>Intentar de nuevo</Button>}>
            No pudimos cargar tus tarjetas.
          </EmptyState>
        ) : cards.length === 0 ? (
          <EmptyState
            art={art}
            action={
              <Button as={AppLink} to={paths.mystudio.packages(site)}>
                Comprar Clases
              </Button>
            }
          >
            {empty.paymentSources}
          </EmptyState>
        ) : (
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
              </li>
            ))}
          </ul>
        )}
      </Loading>
    </div>
  )
}
