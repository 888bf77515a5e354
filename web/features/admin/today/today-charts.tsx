import { useQuery } from '@tanstack/react-query'
import { formatPesos } from '#contract/money.ts'
import { formatWall } from '#contract/time.ts'
import type { TodayCharts as Charts } from '#contract/today.ts'
import { EmptyState } from '#web/features/site/empty-state.tsx'
import { ListSkeleton } from '#web/features/site/list-skeleton.tsx'
import { Loaded } from '#web/features/site/loaded.tsx'
import { queries } from '#web/lib/api.ts'
import { axisTicks, shortPesos, weeksSentence } from './chart-scale.ts'
import './charts.css'

/** The charts of Hoy: money by week, and how full the hours of the week are. */
export default function TodayCharts({ location_id }: { location_id: number | null }) {
  const query = useQuery({
    ...queries.today.charts.queryOptions({
      input: location_id === null ? {} : { location_id },
      staleTime: 300_000,
      meta: { handled: true },
    }),
  })
  const { weeks = [], occupancy = [] } = query.data ?? {}
  const hasMoney = weeks.some(({ subscriptions, others }) => Number(subscriptions) !== 0 || Number(others) !== 0)
  return (
    <>
      <section className="panel-card" aria-labelledby="ingresos-por-semana">
        <div className="panel-head">
          <h2 id="ingresos-por-semana" className="t3">
            Ingresos por semana
          </h2>
        </div>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={3} />}
          failed="No pudimos cargar los ingresos."
          nothing={!hasMoney && <EmptyState>Todavía no hay ingresos en estas semanas.</EmptyState>}
        >
          <WeekBars weeks={weeks} />
        </Loaded>
      </section>
      <section className="panel-card" aria-labelledby="ocupacion-por-hora">
        <div className="panel-head">
          <h2 id="ocupacion-por-hora" className="t3">
            Ocupación por hora
          </h2>
        </div>
        <Loaded
          query={query}
          skeleton={<ListSkeleton rows={3} />}
          failed="No pudimos cargar la ocupación."
          nothing={occupancy.length === 0 && <EmptyState>Todavía no ha habido clases en estas semanas.</EmptyState>}
        >
          <HourTable hours={occupancy} />
        </Loaded>
      </section>
    </>
  )
}

/** "9 nov". */
const shortDay = (day: string): string => formatWall(`${day}T00:00:00Z`, 'day')

/** Above a bar: without the unit where the axis counts in thousands, because bars are narrow on a phone. */
const barLabel = (pesos: number, top: number): string =>
  pesos === 0 ? '' : top >= 10_000 ? Math.round(pesos / 1_000).toLocaleString('es-MX') : shortPesos(pesos)

const sumOf = ({ subscriptions, others }: Charts['weeks'][number]): number => Number(subscriptions) + Number(others)

/** Stacked bars, the current week dashed; the same numbers as a table. */
function WeekBars({ weeks }: { weeks: Charts['weeks'] }) {
  const axis = axisTicks(Math.max(...weeks.map((week) => Math.max(0, Number(week.subscriptions)) + Math.max(0, Number(week.others)))))
  const top = axis.at(-1) ?? 1
  const share = (pesos: string) => `${(100 * Number(pesos)) / top}%`
  return (
    <div className="chart">
      <p className="small muted">{weeksSentence(weeks.map((week) => Math.round(sumOf(week) * 100)))}</p>
      <ul className="chart-legend small" aria-hidden="true">
        <li>
          <span className="chart-key chart-subscriptions" /> Suscripciones
        </li>
        <li>
          <span className="chart-key chart-others" /> Paquetes y otros
        </li>
        <li>
          <span className="chart-key chart-current" /> En curso
        </li>
      </ul>
      <div className="chart-plot" aria-hidden="true">
        {axis.map((value) => (
          <span key={value} className="chart-line tiny muted" style={{ bottom: `${(100 * value) / top}%` }}>
            {shortPesos(value)}
          </span>
        ))}
        <div className="chart-bars">
          {weeks.map((week, index) => (
            <div key={week.from} className={index === weeks.length - 1 ? 'chart-bar chart-bar-current' : 'chart-bar'}>
              <span className="chart-value tiny">{barLabel(sumOf(week), top)}</span>
              {Number(week.others) > 0 && <span className="chart-others" style={{ height: share(week.others) }} />}
              {Number(week.subscriptions) > 0 && <span className="chart-subscriptions" style={{ height: share(week.subscriptions) }} />}
            </div>
          ))}
        </div>
      </div>
      <div className="chart-days tiny muted" aria-hidden="true">
        {weeks.map(({ from }) => (
          <span key={from}>{shortDay(from)}</span>
        ))}
      </div>
      <details className="figure-about chart-table">
        <summary>Ver como tabla</summary>
        <table>
          <caption className="sr-only">Ingresos por semana</caption>
          <thead>
            <tr>
              <th scope="col">Semana del</th>
              <th scope="col">Suscripciones</th>
              <th scope="col">Paquetes y otros</th>
            </tr>
          </thead>
          <tbody>
            {weeks.map((week, index) => (
              <tr key={week.from}>
                <th scope="row">
                  {shortDay(week.from)}
                  {index === weeks.length - 1 && ' (en curso)'}
                </th>
                <td>{formatPesos(week.subscriptions)}</td>
                <td>{formatPesos(week.others)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </div>
  )
}

const DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'] as const

/** How strongly a percentage is coloured: 0 to 2. */
const levelOf = (percent: number): number => (percent >= 80 ? 2 : percent >= 40 ? 1 : 0)

/** A table of the week's hours, each cell with its percentage. */
function HourTable({ hours }: { hours: Charts['occupancy'] }) {
  const rows = [...new Set(hours.map(({ hour }) => hour))].sort((a, b) => a - b)
  return (
    <div className="chart">
      <table className="heat">
        <caption className="tiny muted">Porcentaje de lugares tomados en las últimas ocho semanas.</caption>
        <thead>
          <tr>
            <th scope="col">
              <span className="sr-only">Hora</span>
            </th>
            {DAYS.map((day) => (
              <th key={day} scope="col" className="tiny muted">
                {day}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((hour) => (
            <tr key={hour}>
              <th scope="row" className="tiny muted">
                {String(hour).padStart(2, '0')}:00
              </th>
              {DAYS.map((day, index) => {
                const cell = hours.find((entry) => entry.hour === hour && entry.weekday === index + 1)
                return (
                  <td key={day} className={cell ? `heat-${levelOf(cell.percent)}` : 'heat-none'}>
                    {cell ? (
                      <>
                        {Math.round(cell.percent)}
                        <span className="sr-only">
                          {' '}
                          %, {cell.taken} de {cell.capacity} lugares
                        </span>
                      </>
                    ) : (
                      <span className="sr-only">Sin clases</span>
                    )}
                  </td>
                )
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
