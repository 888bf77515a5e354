import type { ReactNode } from 'react'
import './package-number.css'

/** The number of classes in large type; -1 is drawn as ∞. `unit` is the text beside it ("clases al mes"). */
export function PackageNumber({ classes, unit }: { classes: number; unit: ReactNode }) {
  return (
    <p className="package-number">
      {classes < 0 ? (
        <svg viewBox="-12 -1 128 68" fill="none" role="img" aria-label="Ilimitado">
          <path
            d="M52 33C40 12 30 7 22 7a26 26 0 000 52c8 0 18-5 30-26S74 7 82 7a26 26 0 010 52C74 59 64 54 52 33Z"
            stroke="currentColor"
            strokeWidth="13"
          />
        </svg>
      ) : (
        <span>{classes}</span>
      )}
      <span className="unit">{unit}</span>
    </p>
  )
}
