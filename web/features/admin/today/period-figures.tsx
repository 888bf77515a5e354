import { useQuery } from '@tanstack/react-query'
import { formatInstant } from '#contract/time.ts'
import type { Figure, FigurePeriod } from '#contract/today.ts'
import { queries } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { figureText, trend } from './figure-text.ts'

interface PeriodFiguresProps {
  figures: { period: FigurePeriod; from: string; until: string; items: readonly Figure[] }
  location_id: number | null
}

/**
 * The figures of a period until now: each links to its rows, is compared with the same stretch of the previous period, and has a
 * definition.
 */
export function PeriodFigures({ figures, location_id }: PeriodFiguresProps) {
  const site = useSite()
  const { trends = [] } =
    useQuery(
      queries.today.trends.queryOptions({
        input: { period: figures.period, ...(location_id === null ? {} : { location_id }) },
        staleTime: 300_000,
        meta: { handled: true },
      }),
    ).data ?? {}
  return (
    <section className="panel-card" aria-label="Cifras">
      <ul className="period-figures">
        {figures.items.map((figure) => {
          const { text, isGood } = trend(figure, figures.period, figures.from)
          return (
            <li key={figure.key}>
              <AppLink to={figure.link} className="figure-link">
                <span className="small muted">{figure.label}</span> <span className="figure">{figureText(figure)}</span>
                <Trend values={trends.find(({ key }) => key === figure.key)?.values ?? []} />
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

/** The last periods as bars, the current one in the brand's colour. The sentence below the figure compares it in words. */
function Trend({ values }: { values: readonly (number | null)[] }) {
  const top = Math.max(...values.map((value) => value ?? 0))
  if (values.length === 0 || top <= 0) return null
  return (
    <span className="trend" aria-hidden="true">
      {values.map((value, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the bars are a fixed row of periods
        <span key={at} className="trend-bar" style={{ height: `${Math.max(6, (100 * Math.max(0, value ?? 0)) / top)}%` }} />
      ))}
    </span>
  )
}
