import type { ComponentProps } from 'react'
import type { BasketItem } from '#web/features/admin/counter/basket.ts'
import { BasketPanel } from '#web/features/admin/counter/basket-panel.tsx'
import { Banner } from '#web/ui/banner.tsx'
import { Button } from '#web/ui/button.tsx'
import { TextField } from '#web/ui/field.tsx'

interface SaleItemsProps {
  lines: BasketItem[]
  quote: ComponentProps<typeof BasketPanel>['quote']
  onChange: (lines: BasketItem[]) => void
  refusal: { code: string; message: string } | null
  /** The reason to sell above a limit; null when none is wanted. */
  overLimit: string | null
  onOverLimit: (reason: string) => void
  /** Shows what else is sold. */
  onOthers: () => void
}

/** Refusals of an item that is used up: something else can be sold instead. */
const SOLD_OUT: ReadonlySet<string> = new Set(['PACKAGE_SOLD_OUT', 'PRODUCT_SOLD_OUT', 'PACKAGE_NOT_FOUND'])

/** En la venta: the items, and what the server refuses about them. */
export function SaleItems({ lines, quote, onChange, refusal, overLimit, onOverLimit, onOthers }: SaleItemsProps) {
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
        refusal &&
        (SOLD_OUT.has(refusal.code) ? (
          <Banner tone="danger" live title={refusal.message}>
            <Button size="small" variant="outline" onClick={onOthers}>
              Ver otros
            </Button>
          </Banner>
        ) : (
          <Banner tone="danger" live>
            {refusal.message}
          </Banner>
        ))
      )}
    </section>
  )
}
