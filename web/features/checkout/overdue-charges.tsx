import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { formatPesos } from '#contract/money.ts'
import type { Purchase } from '#contract/sales.ts'
import { api, queries } from '#web/lib/api.ts'
import { toFailure } from '#web/lib/errors.ts'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'

/** Subscriptions whose last charge must be confirmed with the bank, shown above purchases and charges (V33). */
export function OverdueCharges() {
  const list = useQuery(queries.sales.list.queryOptions())
  return list.data?.purchases
    .filter((purchase) => purchase.confirm_charge)
    .map((purchase) => <OverdueCharge key={purchase.purchase_id} purchase={purchase} />)
}

function OverdueCharge({ purchase }: { purchase: Purchase }) {
  const { confirm, busy, failed } = useConfirmCharge(purchase.purchase_id)
  return (
    <Banner tone="warn" title={`Tu banco quiere que confirmes el cargo de ${purchase.title}`}>
      <p>
        {formatPesos(purchase.next_charge?.amount ?? purchase.total_payment)}
        {purchase.payment_method ? ` a ${purchase.payment_method.name}` : ''}. Mientras tanto no hay clases nuevas de esta suscripción.
      </p>
      {failed && <p role="alert">{failed}</p>}
      <Button size="small" loading={busy} onClick={confirm} aria-label={`Confirmar el cargo de ${purchase.title}`}>
        Confirmar el cargo
      </Button>
    </Banner>
  )
}

/** Navigates to the customer's own card link, the page whose CSP allows the processor's script: the bank's challenge is shown there. */
export function useConfirmCharge(purchase_id: number) {
  const [leaving, setLeaving] = useState(false)
  const go = useMutation({
    meta: { handled: true },
    mutationFn: () => api.cardLinks.ownLink({ id: purchase_id }),
    onSuccess({ path }) {
      setLeaving(true)
      location.assign(path)
    },
  })
  return { confirm: () => go.mutate(), busy: go.isPending || leaving, failed: go.isError ? toFailure(go.error).message : null }
}
