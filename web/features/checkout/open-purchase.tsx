/** What a customer has on its way for a package that they are about to buy: said before anything is paid again (docs/domain.md V5). */
import { useQuery } from '@tanstack/react-query'
import { paths } from '#contract/paths.ts'
import type { Purchase } from '#contract/sales.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Banner } from '#web/ui/banner.tsx'

/** While a payment is being decided it is asked for again. */
const ASK_AGAIN_MS = 3_000

/** Nothing can be paid beside it: its outcome is on its way. */
const isDeciding = (purchase: Purchase) => purchase.status === 'pending' && !purchase.unfinished && !purchase.voucher

interface OpenPurchase {
  purchase: Purchase
  deciding: boolean
}

/** The customer's open purchase of a package, kept fresh while its payment is being decided; null when there is none to speak of. */
export function useOpenPurchase(class_package_id: number): OpenPurchase | null {
  const list = useQuery(queries.sales.list.queryOptions({ staleTime: 0, meta: { handled: true } }))
  const listed = list.data?.purchases.find(
    (one) => one.status === 'pending' && one.class_package?.class_package_id === class_package_id && !one.failure,
  )
  // Looking at it settles it, when the bank has decided meanwhile.
  const one = useQuery({
    ...queries.sales.one.queryOptions({ input: { id: listed?.purchase_id ?? 1 }, staleTime: 0, meta: { handled: true } }),
    enabled: listed !== undefined && isDeciding(listed),
    refetchInterval: ({ state }) => (state.data && isDeciding(state.data.purchase) ? ASK_AGAIN_MS : false),
  })
  if (!listed) return null
  const purchase = one.data?.purchase ?? listed
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

/** To the order of a purchase. */
export function OrderLink({ purchase_id }: { purchase_id: number }) {
  return (
    <AppLink className="link" to={paths.order(purchase_id)}>
      Ver orden #00{purchase_id}
    </AppLink>
  )
}
