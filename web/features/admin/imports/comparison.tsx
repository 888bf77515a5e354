import { IconPlus } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import type { ImportChoices, ImportRow } from '#contract/imports.ts'
import { formatInstant } from '#contract/time.ts'
import { useSite } from '#web/lib/settings.tsx'
import { COMPARED_NAMES, type Compared, comparedText, comparedValues, creditsText, dayText } from './import-text.ts'

interface ComparisonProps {
  row: ImportRow
  pending: boolean
  onChoose: (choices: ImportChoices) => void
}

/** A customer beside the row of the same person: what is equal, and of two values the one that stays. */
export function Comparison({ row, pending, onChoose }: ComparisonProps) {
  const site = useSite()
  const { match, person } = row
  if (!match?.ours || !person) return null
  const { credits, has_unlimited, createdAt } = match.ours
  const here = `En ${site.business_name}`
  const has = has_unlimited ? 'Ilimitadas' : credits === 0 ? 'Ninguna' : `${credits.toLocaleString('es-MX')} por usar`
  return (
    <div className="import-compare">
      <div className="import-compare-row import-compare-head small strong">
        <span />
        <span>
          {here}, desde {formatInstant(new Date(createdAt), site.zone, 'date').replace(/^\d+ /, '')}
        </span>
        <span>En el archivo, renglón {row.n.toLocaleString('es-MX')}</span>
      </div>
      {comparedValues(row).map((comparedValue) => (
        <ComparedRow key={comparedValue.field} one={comparedValue} here={here} pending={pending} onChoose={onChoose} n={row.n} />
      ))}
      {person.credits !== 0 && (
        <div className="import-compare-row">
          <span className="small muted">Clases</span>
          <span>
            <Where>{here}</Where> {has}
          </span>
          <span className="import-compare-more strong">
            <IconPlus className="icon" aria-hidden="true" />
            <span>
              <Where>En el archivo</Where> {creditsText(person)}
              {person.expires_on ? `, hasta el ${dayText(person.expires_on)}` : ''}
            </span>
          </span>
        </div>
      )}
    </div>
  )
}

const Where = ({ children }: { children: ReactNode }) => <span className="import-compare-where small muted">{children}</span>

interface ComparedRowProps extends Omit<ComparisonProps, 'row'> {
  one: Compared
  here: string
  n: number
}

function ComparedRow({ one: { field, ours, file, stays, why }, here, n, pending, onChoose }: ComparedRowProps) {
  const name = useId()
  const label = COMPARED_NAMES[field]
  if (file === null || file === ours || why)
    return (
      <div className="import-compare-row">
        <span className="small muted">{label}</span>
        <span>
          {ours === null ? 'Sin dato' : comparedText(field, ours)}
          {file === ours && <span className="muted">, igual en los dos</span>}
        </span>
        {file !== null && file !== ours && (
          <span className="muted">
            <Where>En el archivo</Where> {comparedText(field, file)}
            {why && <span className="small"> · {why}</span>}
          </span>
        )}
      </div>
    )
  return (
    <div className="import-compare-row" role="radiogroup" aria-label={`${label} que se queda, renglón ${n}`}>
      <span className="small muted">{label}</span>
      {(['ours', 'file'] as const).map((which) => {
        const value = which === 'ours' ? ours : file
        return (
          <label key={which} className={stays === which ? 'strong' : undefined}>
            <input type="radio" name={name} checked={stays === which} disabled={pending} onChange={() => onChoose({ [field]: which })} />
            <span className="import-compare-value">
              <Where>{which === 'ours' ? here : 'En el archivo'}</Where> {value === null ? 'Sin dato' : comparedText(field, value)}
            </span>
          </label>
        )
      })}
    </div>
  )
}
