import { paths } from '#contract/paths.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { coachNames } from '#web/features/calendar/class-facts.ts'
import { AppLink } from '#web/lib/link.tsx'
import { Button } from '#web/ui/button.tsx'
import './book-again.css'

/** The class of the last visit at its next date (R28): one tap opens it with its seat, the second one books it. */
export function BookAgain({ cls, spot }: { cls: SingleClass; spot: string | null }) {
  const { single_class_id, class_date } = cls
  const seat = spot ? `&sitio=${spot}` : ''
  return (
    <section className="card book-again" aria-labelledby="otra-vez">
      <div>
        <h2 id="otra-vez" className="small strong">
          Otra vez
        </h2>
        <p className="t4 display">
          {cls.class_type.name}, {formatWall(class_date, 'class')}
        </p>
        <p className="small muted">{[`con ${coachNames(cls)}`, cls.location.name].join(' · ')}</p>
      </div>
      <Button as={AppLink} to={`${paths.mystudio.classOn(single_class_id, class_date.slice(0, 10))}${seat}`}>
        Reservar otra vez
      </Button>
    </section>
  )
}
