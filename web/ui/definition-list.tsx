import type { ReactNode } from 'react'
import './definition-list.css'

/** Terms and their values, separated by rules; an item without a value is left out. */
export function DefinitionList({ items }: { items: readonly (readonly [term: string, value: ReactNode])[] }) {
  return (
    <dl className="definitions">
      {items
        .filter(([, value]) => value !== null && value !== undefined && value !== '')
        .map(([term, value]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  )
}
