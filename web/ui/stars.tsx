import { IconStar } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import './stars.css'

const FIVE = [1, 2, 3, 4, 5] as const
const ratingNames = ['Mala', 'Regular', 'Bien', 'Muy bien', 'Excelente'] as const

interface StarsProps {
  legend: ReactNode
  /** 0 while nothing is chosen */
  value: number
  onChange: (value: number) => void
}

/** A rating from one to five, with its word beside it; native radios. */
export function Stars({ legend, value, onChange }: StarsProps) {
  const name = useId()
  return (
    <fieldset>
      <legend className="strong">{legend}</legend>
      <div className="stars-row">
        <div className="stars">
          {FIVE.map((star) => (
            <label key={star} className={star <= value ? 'filled' : undefined}>
              <input
                type="radio"
                name={name}
                value={star}
                checked={star === value}
                aria-label={`${star} de 5, ${ratingNames[star - 1]}`}
                onChange={() => onChange(star)}
              />
              <IconStar aria-hidden="true" />
            </label>
          ))}
        </div>
        <span aria-hidden="true" className="strong">
          {ratingNames[value - 1]}
        </span>
      </div>
    </fieldset>
  )
}

/** A rating, read-only. */
export function StarRating({ value }: { value: number }) {
  return (
    <span className="stars-shown" role="img" aria-label={`${value} de 5, ${ratingNames[value - 1] ?? ''}`}>
      {FIVE.map((star) => (
        <IconStar key={star} aria-hidden="true" className={star <= value ? 'filled' : undefined} />
      ))}
    </span>
  )
}
