import type { ReportFigure } from '#contract/reports.ts'
import { AppLink } from '#web/lib/link.tsx'
import { amountText, trend } from './amount-text.ts'

/** The difference of a figure in words, green or red where it is good or bad. */
export function FigureChange({ figure, suffix = '' }: { figure: ReportFigure; suffix?: string }) {
  const change = trend(figure)
  if (!change) return null
  const tone = change.isGood === null ? 'muted' : change.isGood ? 'figure-good' : 'figure-bad'
  return (
    <>
      <span className={tone}>{change.text}</span>
      {suffix && change.text !== 'Igual' ? ` ${suffix}` : ''}
    </>
  )
}

/** The figures of a report: each opens its rows and has a definition. */
export function ReportFigures({ figures }: { figures: readonly ReportFigure[] }) {
  return (
    <section className="panel-card" aria-label="Cifras">
      <ul className="report-figures">
        {figures.map((figure) => {
          const content = (
            <>
              <span className="small muted">{figure.label}</span> <span className="figure">{amountText(figure.value, figure.unit)}</span>
            </>
          )
          return (
            <li key={figure.key}>
              {figure.link ? (
                <AppLink to={figure.link} className="figure-link">
                  {content}
                </AppLink>
              ) : (
                <p className="figure-link">{content}</p>
              )}
              <p className="small muted">
                <FigureChange figure={figure} suffix="que antes" />
              </p>
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
    </section>
  )
}
