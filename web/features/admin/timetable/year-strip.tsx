import type { Holiday } from '#contract/holidays.ts'
import { addDays, type LocalDate } from '#contract/time.ts'
import './holidays.css'

const MONTHS = ['ene', 'feb', 'mar', 'abr', 'may', 'jun', 'jul', 'ago', 'sep', 'oct', 'nov', 'dic']

/** A year with a mark per day; the list below has the same in words. */
export function YearStrip({ year, holidays, today }: { year: number; holidays: readonly Holiday[]; today: LocalDate }) {
  const isClosed = (day: LocalDate) => holidays.some(({ from, to }) => day >= from && day <= to)
  return (
    <div className="year-strip" aria-hidden="true">
      {MONTHS.map((name, at) => {
        const first = `${year}-${String(at + 1).padStart(2, '0')}-01`
        const count = new Date(Date.UTC(year, at + 1, 0)).getUTCDate()
        return (
          <div key={name} className="year-month">
            <span className="tiny muted">{name}</span>
            <div className="year-days">
              {Array.from({ length: count }, (_, n) => addDays(first, n)).map((day) => (
                <span key={day} className={`year-day ${isClosed(day) ? 'year-closed' : ''} ${day === today ? 'year-today' : ''}`} />
              ))}
            </div>
          </div>
        )
      })}
    </div>
  )
}
