import type { LeftClass } from '#contract/studio-schedule.ts'
import { formatWall } from '#contract/time.ts'

interface PlacedResultProps {
  placed: number
  /** Existing classes; null where they are not compared. */
  same: number | null
  left: readonly LeftClass[]
  others: readonly LeftClass[]
}

/** Rows that a list shows. */
const SHOWN = 30

/** The effect of copying classes to other weeks: how many, which are left out and why, and which other classes are already there. */
export function PlacedResult({ placed, same, left, others }: PlacedResultProps) {
  const sentences = [
    placed === 0 ? 'No se agrega ninguna clase.' : placed === 1 ? 'Se agrega 1 clase.' : `Se agregan ${placed} clases.`,
    ...(same ? [same === 1 ? '1 ya está igual.' : `${same} ya están igual.`] : []),
  ]
  return (
    <div className="stack gap-12" role="status">
      <p className="strong">{sentences.join(' ')}</p>
      <ClassList title={left.length === 1 ? 'Se omite 1' : `Se omiten ${left.length}`} classes={left} />
      <ClassList
        title={others.length === 1 ? 'Hay 1 más, que se queda' : `Hay ${others.length} más, que se quedan`}
        classes={others.map((cls) => ({ ...cls, message: '' }))}
      />
    </div>
  )
}

function ClassList({ title, classes }: { title: string; classes: readonly LeftClass[] }) {
  if (classes.length === 0) return null
  return (
    <details className="plan-message">
      <summary>{title}</summary>
      <ul className="plan-result">
        {classes.slice(0, SHOWN).map(({ class_date, name, location, message }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two equal classes may begin at one hour
          <li key={at} className="small">
            {name}, {formatWall(class_date, 'class')}, {location}. {message}
          </li>
        ))}
        {classes.length > SHOWN && <li className="small">y {classes.length - SHOWN} más.</li>}
      </ul>
    </details>
  )
}
