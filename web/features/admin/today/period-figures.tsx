import { formatInstant } from '#contract/time.ts'
import type { Figure, FigurePeriod } from '#contract/today.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { changeOf, figureText } from './figure-text.ts'

interface PeriodFiguresProps {
  figures: { period: FigurePeriod; from: string; until: string; items: readonly Figure[] }
}

/** The figures of a period until now: each leads to its rows, is compared with the same stretch before, and says how it is counted. */
export function PeriodFigures({ figures }: PeriodFiguresProps) {
  const site = useSite()
  return (
    <section className="panel-card" aria-label="Cifras">
      <ul className="period-figures">
        {figures.items.map((figure) => {
          const { text, isGood } = changeOf(figure, figures.period, figures.from)
          return (
            <li key={figure.key}>
              <AppLink to={figure.link} className="figure-link">
                <span className="small muted">{figure.label}</span> <span className="figure">{figureText(figure)}</span>
              </AppLink>
              <p className={`small ${isGood === null ? 'muted' : isGood ? 'figure-good' : 'figure-bad'}`}>{text}</p>
              <details className="figure-about">
                <summary>
                  ¿Cómo se calcula?<span className="sr-only"> {figure.label}</span>
                </summary>
                <p className="small muted">{figure.definition}</p>
              </details>
            </li>
          )
        })}
      </ul>
      <p className="tiny muted figures-until">
        Hasta las {formatInstant(new Date(figures.until), site.zone, 'hour')}, comparado con el mismo tramo de antes.
      </p>
    </section>
  )
}
