import type { ReactNode } from 'react'
import './price.css'

interface PriceProps {
  /** formatted amounts, with sign and decimals: "$2,190.00" */
  now: string
  before?: string | null | undefined
  /** after the price: "luego $2,690.00" */
  children?: ReactNode
  size?: 'normal' | 'big'
}

/** A price; an old price is struck through, and named as such for screen readers. */
export function Price({ now, before, children, size = 'normal' }: PriceProps) {
  return (
    <p className={`price ${size === 'big' ? 'price-big' : ''}`}>
      <b>{now}</b>
      {before && (
        <span className="small muted">
          <span className="sr-only">Precio anterior: </span>
          <s className="struck">{before}</s>
        </span>
      )}
      {children && <span className="small muted">{children}</span>}
    </p>
  )
}
