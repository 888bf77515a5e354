import { useState } from 'react'
import type { FoundCustomer } from '#web/features/admin/people/customer-search.tsx'
import { onDemand } from '#web/lib/on-demand.tsx'
import { Button } from '#web/ui/button.tsx'

const ReserveDialog = onDemand(async () => (await import('#web/features/admin/roster/reserve-dialog.tsx')).ReserveDialog)

/** 'Reservar clase' after a sale: the dialog that books a class for the buyer. */
export function BookClass({ customer }: { customer: FoundCustomer }) {
  const [isOpen, setIsOpen] = useState(false)
  return (
    <>
      <Button variant="outline" size="small" aria-haspopup="dialog" onClick={() => setIsOpen(true)}>
        Reservar clase
      </Button>
      {isOpen && <ReserveDialog wanted customer={customer} single_class_id={null} onClose={() => setIsOpen(false)} />}
    </>
  )
}
