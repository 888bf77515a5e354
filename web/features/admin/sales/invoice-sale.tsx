import { useQueries, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { queries } from '#web/lib/api.ts'
import { Button } from '#web/ui/button.tsx'
import { IssueDialog, openCharges } from './sale-invoices.tsx'

/** “Facturar” after a sale at the counter: its charges in one invoice. Nothing is shown where none can be invoiced. */
export default function InvoiceSale({ purchase_ids }: { purchase_ids: readonly number[] }) {
  const client = useQueryClient()
  const [open, setOpen] = useState(false)
  const abouts = useQueries({
    queries: purchase_ids.map((purchase_id) => queries.fiscal.ofPurchase.queryOptions({ input: { purchase_id }, meta: { handled: true } })),
  }).flatMap(({ data }) => data ?? [])
  const [first] = abouts
  const charges = abouts.flatMap(openCharges)
  if (!first?.ready || abouts.length < purchase_ids.length || charges.length === 0) return null
  return (
    <>
      <Button variant="outline" size="small" aria-haspopup="dialog" onClick={() => setOpen(true)}>
        Facturar
      </Button>
      {open && (
        <IssueDialog
          about={first}
          charges={charges}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false)
            void client.invalidateQueries({ queryKey: queries.fiscal.key() })
          }}
        />
      )}
    </>
  )
}
