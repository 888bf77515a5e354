import { useQuery } from '@tanstack/react-query'
import type { ClassPackage } from '#contract/catalogue.ts'
import { isTrialPackage } from '#contract/package-sections.ts'
import { queries } from '#web/lib/api.ts'
import { useCustomerQuery } from '#web/lib/customer.tsx'
import { useSite } from '#web/lib/settings.tsx'

const PAID = new Set(['active', 'completed'])

/**
 * The id of the sign-up fee's package if it must be bought before this package; null if it is paid, not required, or not on sale. The
 * server decides at the payment (settled 17); the page shows it before the customer types a card (S1-2.71, S1-5.23, S1-5.24).
 */
export function useOwedFee(classPackage: ClassPackage): number | null {
  const { signup_fee: fee } = useSite()
  const isRequired = fee !== null && fee !== classPackage.class_package_id && !isTrialPackage(classPackage)
  const me = useCustomerQuery()
  const paid = me.data?.customer.purchases.some((purchase) => purchase.class_package_id === fee && PAID.has(purchase.status)) ?? true
  const onSale = useQuery({
    ...queries.catalogue.package.queryOptions({ input: { class_package_id: fee ?? 1 }, staleTime: 300_000, meta: { handled: true } }),
    enabled: isRequired && !paid,
  })
  return isRequired && !paid && onSale.isSuccess ? fee : null
}
