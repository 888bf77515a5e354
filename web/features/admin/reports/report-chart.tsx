import { type KeyboardEvent, useId, useRef, useState } from 'react'
import type { ReportChart as Chart, ReportSeries } from '#contract/reports.ts'
import { axisTicks, shortPesos } from '#web/features/admin/today/chart-scale.ts'
import { amountText, signedChange, stepText, trend } from './amount-text.ts'

/** Columns above which their values do not fit. */
const MAX_VALUES = 9
/** Columns below which each has its name; of more of them only some have. */
const MAX_NAMES = 8

/** One chart with its legend and the same numbers as a table. Arrow keys go from value to value. */
export function ReportChart({ chart }: { chart: Chart }) {
  const id = useId()
  const [now, before] = chart.series
  if (!now) return null
  const isEmpty = chart.series.every(({ points }) => points.every(({ y }) => y === null || y === 0))
  return (
    <section className="panel-card report-chart" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {chart.title}
        </h2>
        {before && (
          <ul className="report-legend small muted" aria-hidden="true">
            <li>
              <span className="report-key report-now" /> {now.label}
            </li>
            <li>
              <span className={chart.kind === 'bars' ? 'report-tick-key' : 'report-key report-before'} /> {before.label}
            </li>
          </ul>
        )}
      </div>
      {isEmpty ? (
        <p className="muted report-nothing">No hubo nada en este periodo.</p>
      ) : (
        <div className="report-plot">
          {chart.kind === 'columns' ? (
            <Columns chart={chart} now={now} before={before} />
          ) : (
            <Bars now={now} before={before} better={chart.better} />
          )}
          <ChartTable chart={chart} />
        </div>
      )}
    </section>
  )
}

const topOf = (unit: ReportSeries['unit'], largest: number): number[] =>
  unit === 'percent' && largest <= 100 ? [0, 50, 100] : axisTicks(largest)

const shortText = (value: number, unit: ReportSeries['unit']): string => (unit === 'mxn' ? shortPesos(value) : amountText(value, unit))

function Columns({ chart, now, before }: { chart: Chart; now: ReportSeries; before: ReportSeries | undefined }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const buttons = useRef<HTMLOListElement>(null)
  const count = now.points.length
  const axis = topOf(now.unit, Math.max(0, ...chart.series.flatMap(({ points }) => points.map(({ y }) => y ?? 0))))
  const top = axis.at(-1) ?? 1
  const height = (value: number | null | undefined) => `${Math.max(0, (100 * (value ?? 0)) / top)}%`
  const every = Math.ceil(count / MAX_NAMES)
  const textAt = (at: number) => {
    const value = now.points[at]
    if (!value) return ''
    const then = before?.points[at]
    return `${stepText(value.x, chart.step)}: ${amountText(value.y, now.unit)}${then ? `, antes ${amountText(then.y, now.unit)}` : ''}`
  }
  function move(event: KeyboardEvent) {
    const at = chosen ?? 0
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: count - 1 }[event.key]
    if (next === undefined || next < 0 || next >= count) return
    event.preventDefault()
    setChosen(next)
    buttons.current?.querySelectorAll('button')[next]?.focus()
  }
  return (
    <>
      <p className="small report-value" aria-hidden="true">
        {chosen === null ? ' ' : textAt(chosen)}
      </p>
      <div className="report-columns-plot">
        {axis.map((value) => (
          <span key={value} className="report-line tiny muted" style={{ bottom: `${(100 * value) / top}%` }} aria-hidden="true">
            {shortText(value, now.unit)}
          </span>
        ))}
        <ol ref={buttons} className="report-columns" onKeyDown={move} style={{ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` }}>
          {now.points.map(({ x, y }, at) => (
            <li key={x}>
              <button
                type="button"
                aria-label={textAt(at)}
                tabIndex={at === (chosen ?? 0) ? 0 : -1}
                onFocus={() => setChosen(at)}
                onMouseEnter={() => setChosen(at)}
                onClick={() => setChosen(at)}
              >
                {before && <span className="report-before" style={{ height: height(before.points[at]?.y) }} />}
                <span className="report-now" style={{ height: height(y) }}>
                  {count <= MAX_VALUES && y !== null && (
                    <b className="tiny" data-value={now.unit === 'percent' ? Math.round(y) : shortText(y, now.unit)} />
                  )}
                </span>
              </button>
            </li>
          ))}
        </ol>
      </div>
      <div className="report-steps tiny muted" aria-hidden="true" style={{ gridTemplateColumns: `repeat(${count}, minmax(0, 1fr))` }}>
        {now.points.map(({ x }, at) => (
          <span key={x}>{at % every === 0 && <i>{stepText(x, chart.step)}</i>}</span>
        ))}
      </div>
    </>
  )
}

interface BarsProps extends Pick<Chart, 'better'> {
  now: ReportSeries
  before: ReportSeries | undefined
}

/** Horizontal bars; the period before is a tick on the bar, and the change a number behind its value. */
function Bars({ now, before, better }: BarsProps) {
  const largest = Math.max(1, ...[now, ...(before ? [before] : [])].flatMap(({ points }) => points.map(({ y }) => y ?? 0)))
  const top = now.unit === 'percent' ? Math.max(100, largest) : largest
  const share = (value: number | null | undefined) => `${Math.max(0, Math.min(100, (100 * (value ?? 0)) / top))}%`
  return (
    <ul className={`report-bars${before ? ' report-bars-compared' : ''}`} aria-hidden="true">
      {now.points.slice(0, 10).map(({ x, y }, at) => {
        const then = before?.points[at]?.y ?? null
        return (
          <li key={x}>
            <span className="report-bar-name">{x}</span>
            <span className="report-bar">
              <span className="report-now" style={{ width: share(y) }} />
              {then !== null && <span className="report-tick" style={{ left: share(then) }} />}
            </span>
            <b>
              {now.unit === 'mxn' && '$'}
              {shortText(y ?? 0, now.unit)}
            </b>
            {before && <BarChange value={y} before={then} unit={now.unit} better={better} />}
          </li>
        )
      })}
    </ul>
  )
}

interface BarChangeProps extends Pick<Chart, 'better'> {
  value: number | null
  before: number | null
  unit: ReportSeries['unit']
}

function BarChange({ value, before, unit, better }: BarChangeProps) {
  const isGood = trend({ unit, value, before, better })?.isGood ?? null
  return (
    <span className={`report-bar-change${isGood === null ? '' : isGood ? ' figure-good' : ' figure-bad'}`}>
      {signedChange(value, before, unit)}
    </span>
  )
}

/** The numbers of a chart. */
function ChartTable({ chart }: { chart: Chart }) {
  const [first, before] = chart.series
  const isCompared = chart.kind === 'bars' && before !== undefined
  return (
    <details className="report-table-twin">
      <summary aria-label={`Ver como tabla: ${chart.title}`}>Ver como tabla</summary>
      <div className="report-twin-scroll">
        <table>
          <caption className="sr-only">{chart.title}</caption>
          <thead>
            <tr>
              <th scope="col">
                {chart.step === null ? 'Nombre' : chart.step === 'day' ? 'Día' : chart.step === 'week' ? 'Semana del' : 'Mes'}
              </th>
              {chart.series.map(({ key, label }) => (
                <th key={key} scope="col">
                  {label}
                </th>
              ))}
              {isCompared && <th scope="col">cambio</th>}
            </tr>
          </thead>
          <tbody>
            {first?.points.map(({ x, y }, at) => (
              <tr key={x}>
                <th scope="row">{stepText(x, chart.step)}</th>
                {chart.series.map(({ key, unit, points }) => (
                  <td key={key}>{amountText(points[at]?.y ?? null, unit)}</td>
                ))}
                {isCompared && (
                  <td>{trend({ unit: first.unit, value: y, before: before.points[at]?.y ?? null, better: chart.better })?.text ?? '—'}</td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </details>
  )
}
