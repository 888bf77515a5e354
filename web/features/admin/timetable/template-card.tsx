import type { ScheduleTemplate } from '#contract/schedule-templates.ts'
import { Button } from '#web/ui/button.tsx'
import './timetable.css'

interface TemplateCardProps {
  template: ScheduleTemplate
  onApply: () => void
  onChange: () => void
}

const DAYS = ['lun', 'mar', 'mié', 'jue', 'vie', 'sáb', 'dom'] as const
/** Classes of a day that the card lists. */
const SHOWN = 4

const countText = (count: number): string => (count === 1 ? '1 clase' : `${count} clases`)

/** A template with its classes by day. */
export function TemplateCard({ template, onApply, onChange }: TemplateCardProps) {
  const { name, classes } = template
  const goneCount = classes.filter((cls) => cls.gone).length
  return (
    <section className="panel-card" aria-label={name}>
      <header className="panel-head">
        <div className="grow">
          <h2 className="t4">{name}</h2>
          <p className="small muted">{countText(classes.length)} a la semana</p>
        </div>
        <Button variant="quiet" size="small" onClick={onChange}>
          Cambiar<span className="sr-only"> {name}</span>
        </Button>
        <Button variant="outline" size="small" onClick={onApply}>
          Aplicar<span className="sr-only"> {name}</span>
        </Button>
      </header>
      <ol className="plan-template-days">
        {DAYS.map((day, at) => {
          const own = classes.filter(({ weekday }) => weekday === at + 1)
          return (
            <li key={day}>
              <span className="small strong">
                {day} <span className="muted">{own.length}</span>
              </span>
              {own.slice(0, SHOWN).map((cls) => (
                <span key={`${cls.hour} ${cls.class_type} ${cls.location} ${cls.room}`} className="small muted">
                  {cls.hour} {cls.class_type}
                </span>
              ))}
              {own.length > SHOWN && <span className="small muted">y {own.length - SHOWN} más</span>}
            </li>
          )
        })}
      </ol>
      {goneCount > 0 && (
        <p className="small plan-template-gone">
          {goneCount === 1 ? '1 clase no se pone' : `${goneCount} clases no se ponen`}: su tipo de clase o su estudio ya no existe.
        </p>
      )}
    </section>
  )
}
