import { IconAlertTriangle, IconBan, IconCheck, IconHourglass, IconListCheck, IconUsersGroup } from '@tabler/icons-react'
import { Fragment } from 'react'
import { adminPaths } from '#contract/admin-paths.ts'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { SingleClass } from '#contract/schedule.ts'
import { formatWall } from '#contract/time.ts'
import { CoachAvatar } from '#web/features/site/coach-portrait.tsx'
import { AppLink } from '#web/lib/link.tsx'
import { Badge } from '#web/ui/badge.tsx'
import { Marks } from '#web/ui/marks.tsx'
import { begunCount, type ClassStatus, classStatusText, isCancelled, isOver, statusText } from './day-facts.ts'
import './class-list.css'

interface ClassListProps<C extends SingleClass> {
  /** of one day, sorted by time */
  classes: readonly C[]
  now: number
  /** "12:40": shown on the separator between begun and coming classes */
  nowHour?: string | null
  /** a further note about a class, below its name */
  noteOf?: (cls: C) => string | null
}

/** The classes of a day for the staff; each links to its roster. */
export function ClassList<C extends SingleClass>({ classes, now, nowHour = null, noteOf }: ClassListProps<C>) {
  const begun = begunCount(classes, now)
  return (
    <ol className="class-list">
      {classes.map((cls, at) => (
        <Fragment key={cls.single_class_id}>
          {nowHour && at === begun && <NowLine hour={nowHour} />}
          <Row cls={cls} now={now} note={noteOf?.(cls) ?? null} />
        </Fragment>
      ))}
      {nowHour && begun === classes.length && <NowLine hour={nowHour} />}
    </ol>
  )
}

function NowLine({ hour }: { hour: string }) {
  return (
    <li className="now-line">
      <span className="sr-only">Ahora, </span>
      {hour}
    </li>
  )
}

const ICONS: Record<ClassStatus['kind'], typeof IconCheck> = {
  cancelled: IconBan,
  came: IconCheck,
  unmarked: IconListCheck,
  no_capacity: IconAlertTriangle,
  no_coach: IconAlertTriangle,
  waiting: IconHourglass,
  full: IconUsersGroup,
  few: IconAlertTriangle,
}

/** Spots that are held for the waitlist count as taken. */
const heldText = (held: number) => (held === 1 ? '1 lugar apartado' : `${held} lugares apartados`)

function Row({ cls, now, note }: { cls: SingleClass; now: number; note: string | null }) {
  const status = classStatusText(cls, now)
  const quiet = isCancelled(cls) || isOver(cls, now)
  const coaches = cls.class_instructors.map(({ instructor }) => instructor)
  const Icon = status && ICONS[status.kind]
  const capacity = cls.capacity ?? 0
  const held = cls.figures?.held ?? 0
  return (
    <li className={`day-class ${quiet ? 'day-class-quiet' : ''}`}>
      <span className="hour">{formatWall(cls.class_date, 'hour')}</span>
      <span className="day-class-what">
        <AppLink to={adminPaths.roster(cls.single_class_id)} className="day-class-link strong" data-row>
          {cls.class_type.name}
        </AppLink>
        <span className="small muted">{[cls.location.name, held > 0 && heldText(held), note].filter(Boolean).join(' · ')}</span>
      </span>
      <span className="day-class-coach only-wide">
        {coaches[0] && <CoachAvatar coach={coaches[0]} />}
        <span className="ellipsis">{coaches.map(instructorName).join(' y ')}</span>
      </span>
      <span className="day-class-places">
        <Marks capacity={capacity} taken={cls.taken} mine={cls.figures?.attended ?? 0} most={14} size="small" />
        <span className="figure-small">
          {cls.taken} / {cls.capacity ?? '–'}
          <span className="sr-only"> lugares tomados</span>
        </span>
      </span>
      <span className="day-class-text">
        {status && (
          <Badge tone={statusText(status).tone} icon={Icon && <Icon className="icon" aria-hidden="true" />}>
            {statusText(status).text}
          </Badge>
        )}
      </span>
    </li>
  )
}
