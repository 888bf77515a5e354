import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { queries } from '#web/lib/api.ts'
import { type BasketItem, needsNoCustomer } from './basket.ts'

/**
 * The buyer of a sale at the counter: the customer that was chosen, else the one of the address (`?cliente=`). Products and other items are
 * sold without a customer too (Público en general). `creating`: the name typed for a new customer; null: none is being created.
 */
export function useBuyer(items: readonly BasketItem[]) {
  const [address] = useSearchParams()
  const [customer, choose] = useState<FoundCustomer | null>(null)
  const [creating, setCreating] = useState<string | null>(null)
  const [isPublic, setPublic] = useState(false)
  const customerInAddress = address.get('cliente')
  const before = useQuery({
    ...queries.people.find.queryOptions({ input: { customer_id: customerInAddress ?? '' }, meta: { handled: true } }),
    enabled: customerInAddress !== null && /^\d+$/.test(customerInAddress),
  })
  const buyer =
    customer ?? (creating === null && before.data ? { ...before.data.customer, phone: before.data.customer.phone ?? null } : null)
  const sellsToPublic = isPublic && !buyer && needsNoCustomer(items)
  return {
    buyer,
    sellsToPublic,
    creating,
    choose,
    setCreating,
    setPublic,
    hasBuyer: buyer !== null || sellsToPublic,
    mayBePublic: items.length > 0 && needsNoCustomer(items),
    reset() {
      choose(null)
      // Not null: the customer of the address is no longer the buyer.
      setCreating('')
      setPublic(false)
    },
  }
}
