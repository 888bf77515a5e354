/** The open purchase of a package that a customer is about to buy again: shown before another payment (docs/domain.md V5). */
import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import type { Purchase } from '#contract/sales.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'

/** Polling interval while the processor is deciding a payment. */
const POLL_MS = 3_000

/** Whether the processor is still deciding: no second payment is possible until then. */
const isDeciding = (purchase: Purchase) => purchase.status === 'pending' && !purchase.unfinished && !purchase.voucher

interface OpenPurchase {
  purchase: Purchase
  deciding: boolean
}

/** The customer's open purchase of a package, polled while its payment is being decided; null without one. */
export function useOpenPurchase(class_package_id: number): OpenPurchase | null {
  const list = useQuery(queries.sales.list.queryOptions({ staleTime: 0, meta: { handled: true } }))
  const listed = list.data?.purchases.find(
    (purchaseQuery) =>
      purchaseQuery.status === 'pending' && purchaseQuery.class_package?.class_package_id === class_package_id && !purchaseQuery.failure,
  )
  // Reading the purchase makes the server query the processor, so its status is updated if the bank has decided meanwhile.
  const purchaseQuery = useQuery({
    ...queries.sales.one.queryOptions({ input: { id: listed?.purchase_id ?? 1 }, staleTime: 0, meta: { handled: true } }),
    enabled: listed !== undefined && isDeciding(listed),
    refetchInterval: ({ state }) => (state.data && isDeciding(state.data.purchase) ? POLL_MS : false),
  })
  if (!listed) return null
  const purchase = purchaseQuery.data?.purchase ?? listed
  return purchase.status === 'pending' && !purchase.failure ? { purchase, deciding: isDeciding(purchase) } : null
}

/** 'Ya tienes una compra en proceso', with what to do next. */
export function OpenPurchaseBanner({ open: { purchase, deciding } }: { open: OpenPurchase }) {
  const how = purchase.payment_method ? ` (${purchase.payment_method.name})` : ''
  return (
    <Banner tone="warn" title="Ya tienes una compra en proceso">
      <p>
        {deciding
          ? 'Estamos confirmando el pago de este paquete. No necesitas pagar de nuevo.'
          : purchase.voucher
            ? `Tu orden espera que la pagues${how}. Si la pagas aquí de otra forma, esa referencia se cancela: solo se te cobra una vez.`
            : `Dejaste un pago a medias${how}. Si pagas aquí, sigues con esa misma orden: solo se te cobra una vez.`}
      </p>
      <p>
        <OrderLink purchase_id={purchase.purchase_id} />
      </p>
    </Banner>
  )
}

/** A link to the order of a purchase. */
export function OrderLink({ purchase_id }: { purchase_id: number }) {
  return (
    <AppLink className="link" to={paths.order(purchase_id)}>
      Ver orden #00{purchase_id}
    </AppLink>
  )
}
