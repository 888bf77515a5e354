import { useQuery } from '@tanstack/react-query'
import type { ClassPackage } from '#contract/catalogue.ts'
import { quoteOnWire } from '#contract/pricing.ts'
import { packageText } from '#web/features/checkout/package-text.ts'
import { queries } from '#web/lib/api.ts'

/** What a viewer without a membership is offered: the online package that costs the least today. */
export interface OnlineOffer {
  class_package_id: number
  title: string
  price: string
  /** nothing is paid now */
  free: boolean
}

/** The cheapest package that can be bought; null when there is none. */
export function cheapestOffer(packages: readonly ClassPackage[]): OnlineOffer | null {
  const [first] = packages
    .filter(({ left }) => left !== 0)
    .map((classPackage) => ({ one: classPackage, ...packageText(classPackage), amount: quoteOnWire(classPackage, null).total }))
    .sort((a, b) => a.amount - b.amount || a.one.class_package_id - b.one.class_package_id)
  if (!first) return null
  const { class_package_id, title } = first.one
  return { class_package_id, title, price: first.price, free: first.free }
}

/**
 * The offer, loaded only while it is `wanted`; null without one and until it is loaded. `coming`: worth waiting for, so that nothing moves
 * when it arrives; another try or a connection is not.
 */
export function useOnlineOffer(wanted: boolean): { offer: OnlineOffer | null; coming: boolean } {
  const list = useQuery({
    ...queries.catalogue.onlineAll.queryOptions({ staleTime: 300_000, meta: { handled: true } }),
    enabled: wanted,
  })
  return {
    offer: wanted && list.data ? cheapestOffer(list.data.class_packages) : null,
    coming: wanted && list.isPending && list.failureCount === 0 && list.fetchStatus !== 'paused',
  }
}
