import './class-rows.css'
import { IconMapPin } from '@tabler/icons-react'
import { instructorFullName } from '#contract/copy/instructor-names.ts'
import { formatWall } from '#contract/time.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { buttonClass } from '#web/ui/button.tsx'
import { Marks } from '#web/ui/marks.tsx'
import type { ActOf, ClassAct } from './class-card.tsx'
import { articleName, type CardClass, coachNames, listOffers, offerName, spotsText, stateSentence } from './class-facts.ts'
import { ClassName } from './class-name.tsx'

interface ClassLinesProps {
  classes: readonly CardClass[]
  act: ActOf
  /** show the date in each row: the classes are of several days */
  dated?: boolean
}

/** Classes as full-width rows (landing, coach and class type pages). */
export function ClassRows({ classes, act, dated = false }: ClassLinesProps) {
  return (
    <ul className="class-lines">
      {classes.map((cls) => (
        <li key={cls.single_class_id}>
          <ClassLine cls={cls} act={act} dated={dated} />
        </li>
      ))}
    </ul>
  )
}

function ClassLine({ cls, act, dated }: { cls: CardClass; act: ActOf; dated: boolean }) {
  const coach = cls.class_instructors[0]?.instructor
  const full = coach ? instructorFullName(coach) : ''
  const several = cls.class_instructors.length > 1 || cls.substitutes_for
  const text = stateSentence(cls) ?? (cls.state === 'past' ? '' : spotsText(cls))
  const few = cls.state === 'available' && cls.places_left <= 2
  const offer = listOffers(cls)[0]
  const action = offer ? act(offer.verb, cls) : null
  return (
    <article
      className={`class-line ${cls.state === 'past' || cls.state === 'cancelled' ? 'class-line-quiet' : ''}`}
      aria-label={articleName(cls)}
    >
      <p className="class-line-when">
        {dated && (
          <span className="small muted">
            {formatWall(cls.class_date, 'class').slice(0, 6)}
            <span className="only-desk"> {formatWall(cls.class_date, 'day').slice(3)}</span>
          </span>
        )}
        <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
      </p>
      <div className="class-line-what">
        <p className="strong">
          <ClassName cls={cls} />
        </p>
        <p className="small muted only-wide">{cls.duration_minutes} min</p>
        <p className="small muted ellipsis only-phone">{several ? coachNames(cls) : full}</p>
        <p className="tiny muted only-narrow">
          {cls.zone && <span className="class-line-zone">{cls.location.name} </span>}
          {[cls.zone || cls.location.name, stateSentence(cls) ? text : text.replaceAll(' ', '\u00a0')].filter(Boolean).join(' · ')}
        </p>
      </div>
      <p className="row gap-8 class-line-who">
        {coach && <CoachAvatar coach={coach} size={36} />}
        <span>{several ? coachNames(cls) : full}</span>
      </p>
      <p className="row gap-8 muted only-wide">
        <IconMapPin className="icon" aria-hidden="true" />
        <span>
          {cls.location.name} {cls.zone && <span className="class-line-zone">{cls.zone}</span>}
        </span>
      </p>
      <p className="row gap-8 only-wide">
        {(cls.state === 'available' || cls.state === 'full') && (
          <Marks capacity={cls.capacity ?? 0} taken={(cls.capacity ?? 0) - cls.places_left} most={14} />
        )}
        <span className={`small ${few ? 'strong' : 'muted'}`}>{text}</span>
      </p>
      <div className="class-line-verb">
        {offer && action && (
          <LineAct
            act={action}
            label={offerName(offer.verb, cls)}
            text={offer.label}
            filled={offer.filled}
            waits={offer.verb === 'join_waitlist'}
          />
        )}
      </div>
    </article>
  )
}

function LineAct({
  act,
  label,
  text,
  filled,
  waits,
}: {
  act: Exclude<ClassAct, null>
  label: string
  text: string
  filled: boolean
  waits: boolean
}) {
  const className = buttonClass({ variant: filled ? 'filled' : 'outline', size: 'small', full: true })
  const inside = waits ? (
    <>
      <span className="only-desk">Lista de espera</span>
      <span className="only-phone">{text}</span>
    </>
  ) : (
    text
  )
  if ('href' in act)
    return (
      <a href={act.href} className={className} aria-label={label}>
        {inside}
      </a>
    )
  return (
    <button type="button" className={className} aria-label={label} onClick={act.onClick} aria-busy={act.busy}>
      {inside}
    </button>
  )
}
