import { formatPesos } from '#contract/money.ts'
import type { PayItem } from '#contract/payroll.ts'
import { formatWall } from '#contract/time.ts'
import { ITEM_KINDS } from './pay-text.ts'

/** What makes up a coach's pay: each class, adjustment and correction, with its amount and why. */
export function PayItems({ lines }: { lines: readonly PayItem[] }) {
  if (lines.length === 0) return <p className="muted">No hay clases en este periodo.</p>
  return (
    <ul className="pay-lines">
      {lines.map((line) => (
        <li key={`${line.kind}-${line.single_class_id ?? line.why}-${line.amount}`}>
          <span className="strong">
            {line.kind !== 'class' && `${ITEM_KINDS[line.kind]}${line.class_type ? ': ' : ''}`}
            {line.class_type}
          </span>
          <span className="pay-amount strong">{formatPesos(line.amount)}</span>
          {line.class_date && (
            <p className="small muted">
              {formatWall(line.class_date, 'class')} · {line.location}
            </p>
          )}
          <p className="small">{line.why}</p>
        </li>
      ))}
    </ul>
  )
}
