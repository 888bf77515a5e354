import type { ComponentProps } from 'react'
import type { BasketItem } from '#web/features/admin/counter/basket.ts'
import { BasketPanel } from '#web/features/admin/counter/basket-panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { TextField } from '#web/ui/field.tsx'

interface SaleItemsProps {
  lines: BasketItem[]
  quote: ComponentProps<typeof BasketPanel>['quote']
  onChange: (lines: BasketItem[]) => void
  refusal: { code: string; message: string } | null
  /** The reason to sell above a limit; null when none is wanted. */
  overLimit: string | null
  onOverLimit: (reason: string) => void
}

/** En la venta: the items, and what the server refuses about them. */
export function SaleItems({ lines, quote, onChange, refusal, overLimit, onOverLimit }: SaleItemsProps) {
  return (
    <section className="panel-card panel-body stack gap-16" aria-labelledby="en-la-venta">
      <h2 id="en-la-venta" className="t3">
        En la venta
      </h2>
      <BasketPanel lines={lines} quote={quote} onChange={onChange} />
      {overLimit !== null ? (
        <Banner tone="warn" live title={refusal?.code === 'OVER_LIMIT_REASON' ? refusal.message : 'Se vende por encima del límite.'}>
          <TextField
            label="Vender con motivo"
            maxLength={300}
            value={overLimit}
            onChange={(event) => onOverLimit(event.currentTarget.value)}
          />
        </Banner>
      ) : (
        refusal && (
          <Banner tone="danger" live>
            {refusal.message}
          </Banner>
        )
      )}
    </section>
  )
}
