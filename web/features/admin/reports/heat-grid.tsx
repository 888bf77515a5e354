import { useId, useState } from 'react'
import { minutesText } from '#contract/copy/minutes.ts'
import type { Report, ReportHeatCell } from '#contract/reports.ts'
import { AppLink } from '#web/lib/link.tsx'
import { amountText } from './amount-text.ts'
import './heat.css'

const DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'] as const
const DAY_NAMES = ['Lunes', 'Martes', 'Miércoles', 'Jueves', 'Viernes', 'Sábado', 'Domingo'] as const

/** The lowest percentage of each of the five steps of colour. */
const STEPS = [0, 35, 56, 78, 94] as const
const stepOf = (percent: number): number => STEPS.filter((least) => percent >= least).length - 1
const STEP_NAMES = ['menos de 35 %', '35 a 55', '56 a 77', '78 a 93', '94 o más'] as const

const shareOf = (cells: readonly ReportHeatCell[]): string => {
  const capacity = cells.reduce((sum, cell) => sum + cell.capacity, 0)
  return capacity === 0 ? '' : String(Math.round((100 * cells.reduce((sum, cell) => sum + cell.taken, 0)) / capacity))
}

const keyOf = (cell: ReportHeatCell) => `${cell.weekday}-${cell.time}`

/** The hours of the week, each with its percentage: a cell shows the counts of its percentage. Totals add spots, never percentages. */
export function HeatGrid({ heat, compared }: { heat: NonNullable<Report['heat']>; compared: boolean }) {
  const id = useId()
  const { cells } = heat
  const busiest = cells.reduce<ReportHeatCell | null>((best, cell) => (best && best.percent >= cell.percent ? best : cell), null)
  const [key, setKey] = useState<string | null>(null)
  const chosen = cells.find((cell) => keyOf(cell) === key) ?? busiest
  return (
    <section className="panel-card" aria-labelledby={id}>
      <div className="panel-head">
        <h2 id={id} className="t3">
          {heat.title}
        </h2>
        <a href="#como-se-calcula" className="link link-alone report-heat-link">
          ¿Cómo se calcula?
        </a>
      </div>
      <div className="report-heat">
        <div className="report-heat-plot">
          <HeatTable cells={cells} chosen={chosen} onChoose={setKey} />
          <ul className="heat-legend small muted" aria-hidden="true">
            {STEP_NAMES.map((name, at) => (
              <li key={name}>
                <span className={`heat-key heat-step-${at}`} /> {name}
              </li>
            ))}
            <li>
              <span className="heat-dot" /> alguien sin lugar
            </li>
          </ul>
        </div>
        {chosen && <HeatDetail cell={chosen} compared={compared} />}
      </div>
    </section>
  )
}

interface HeatTableProps {
  cells: readonly ReportHeatCell[]
  chosen: ReportHeatCell | null
  onChoose: (key: string) => void
}

/** One row per hour, one column per weekday, with the share of the hour, of the day and of the week. */
function HeatTable({ cells, chosen, onChoose }: HeatTableProps) {
  const times = [...new Set(cells.map(({ time }) => time))].sort()
  return (
    <table className="heat-grid">
      <caption className="sr-only">Porcentaje de lugares ocupados por hora y día de la semana</caption>
      <thead>
        <tr>
          <th scope="col">
            <span className="sr-only">Hora</span>
          </th>
          {DAYS.map((day) => (
            <th key={day} scope="col">
              {day}
            </th>
          ))}
          <th scope="col" className="heat-sum">
            Hora
          </th>
        </tr>
      </thead>
      <tbody>
        {times.map((time) => (
          <tr key={time}>
            <th scope="row">{time}</th>
            {DAYS.map((day, at) => {
              const cell = cells.find((cell) => cell.time === time && cell.weekday === at + 1)
              return (
                <td key={day}>
                  {cell ? (
                    <button
                      type="button"
                      className={`heat-cell heat-step-${stepOf(cell.percent)}`}
                      aria-pressed={cell === chosen}
                      onClick={() => onChoose(keyOf(cell))}
                    >
                      {Math.round(cell.percent)}
                      <span className="sr-only">
                        {` %, ${cell.taken} de ${cell.capacity} lugares${cell.waiting > 0 ? `, ${cell.waiting} sin lugar` : ''}`}
                      </span>
                      {cell.waiting > 0 && <span className="heat-dot" aria-hidden="true" />}
                    </button>
                  ) : (
                    <span className="heat-nothing">
                      <span className="sr-only">Sin clases</span>
                    </span>
                  )}
                </td>
              )
            })}
            <td className="heat-sum">{shareOf(cells.filter((cell) => cell.time === time))}</td>
          </tr>
        ))}
        <tr>
          <th scope="row">Día</th>
          {DAYS.map((day, at) => (
            <td key={day} className="heat-total">
              {shareOf(cells.filter(({ weekday }) => weekday === at + 1))}
            </td>
          ))}
          <td className="heat-sum">{shareOf(cells)}</td>
        </tr>
      </tbody>
    </table>
  )
}

/** "2 días antes", "5 h antes, 2 de 4 veces": in days from two on. */
function fillText({ filled, fills_before, classes }: ReportHeatCell): string {
  if (fills_before === null) return 'No se ha llenado'
  const days = Math.floor(fills_before / 1440)
  const before = fills_before < 1 ? 'Al empezar' : `${days >= 2 ? `${days} días` : minutesText(fills_before)} antes`
  return filled === classes ? before : `${before}, ${filled} de ${classes} veces`
}

/** The counts from which the percentage of one hour is derived, and what to do about it. */
function HeatDetail({ cell, compared }: { cell: ReportHeatCell; compared: boolean }) {
  return (
    <div className="heat-detail" aria-live="polite">
      <div>
        <p className="muted">{DAY_NAMES[cell.weekday - 1]}</p>
        <p className="t2">{cell.time}</p>
        <p className="strong">{cell.title}</p>
        <p className="small muted">{cell.detail}</p>
      </div>
      <dl>
        <div>
          <dt>Clases</dt>
          <dd>{cell.classes}</dd>
        </div>
        <div>
          <dt>Lugares</dt>
          <dd>
            {cell.taken} de {cell.capacity}
          </dd>
        </div>
        <div>
          <dt>Ocupación</dt>
          <dd>{amountText(cell.percent, 'percent')}</dd>
        </div>
        {compared && (
          <div>
            <dt>Antes</dt>
            <dd>{amountText(cell.before, 'percent')}</dd>
          </div>
        )}
        <div>
          <dt>Sin lugar</dt>
          <dd>{cell.waiting}</dd>
        </div>
        <div>
          <dt>Se llena</dt>
          <dd>{fillText(cell)}</dd>
        </div>
        {cell.absent !== null && (
          <div>
            <dt>No asistieron</dt>
            <dd>{amountText(cell.absent, 'percent')}</dd>
          </div>
        )}
      </dl>
      {cell.actions.length > 0 && (
        <div className="heat-verbs">
          {cell.actions.map(({ label, path }) => (
            <AppLink key={path} to={path} className="btn btn-outline btn-small">
              {label}
            </AppLink>
          ))}
        </div>
      )}
      <AppLink to={cell.link} className="link link-alone">
        {cell.classes === 1 ? 'Ver la clase' : `Ver las ${cell.classes} clases`}
      </AppLink>
      {cell.who && (
        <AppLink to={cell.who} className="link link-alone">
          {cell.waiting === 1 ? 'Ver a la persona sin lugar' : `Ver a las ${cell.waiting} personas sin lugar`}
        </AppLink>
      )}
    </div>
  )
}
