import './landing-schedule.css'
import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useNavigate, useNavigation } from 'react-router'
import { empty } from '#contract/copy/empty-lists.ts'
import { paths } from '#contract/paths.ts'
import { addDays, mondayOf } from '#contract/time.ts'
import { ClassRows } from '#web/features/calendar/class-rows.tsx'
import { visitorAct } from '#web/features/calendar/visitor-act.ts'
import { weekDays, weekTitle, wholeWeek } from '#web/features/calendar/week-view.ts'
import { AppLink } from '#web/lib/link.tsx'
import { IconButton } from '#web/ui/button.tsx'
import { Section } from '#web/ui/section.tsx'
import { dayTabId, WeekStrip } from '#web/ui/week-strip.tsx'
import type { SectionProps } from './landing-sections.tsx'

const hrefOf = (day: string): string => `/?dia=${day}#horarios`
const PANEL = 'clases-del-dia'

/** 'Horarios': one day of the week; its buttons lead to the log-in (S2-2.38). */
export function Schedule({ part: schedule, ground }: SectionProps<'schedule'>) {
  const navigate = useNavigate()
  const busy = useNavigation().state === 'loading'
  const { today, day, classes } = schedule
  const week = mondayOf(day)
  const days = weekDays([], wholeWeek(week, day), today)
  const go = (to: string) => void navigate(hrefOf(to), { preventScrollReset: true })
  const arrows = (
    <nav className="row gap-8" aria-label="Semanas">
      <IconButton as={AppLink} to={hrefOf(addDays(week, -7))} preventScrollReset label="Semana anterior">
        <IconChevronLeft className="icon" aria-hidden="true" />
      </IconButton>
      <span className="strong week-text">{weekTitle(week, { year: true })}</span>
      <IconButton as={AppLink} to={hrefOf(addDays(week, 7))} preventScrollReset label="Semana siguiente">
        <IconChevronRight className="icon" aria-hidden="true" />
      </IconButton>
    </nav>
  )
  return (
    <Section id="horarios" ground={ground} title="Horarios" aside={arrows}>
      <WeekStrip days={days} chosen={day} hrefOf={hrefOf} onChoose={go} onWeek={(weeks) => go(addDays(day, 7 * weeks))} panel={PANEL} />
      <div id={PANEL} role="tabpanel" aria-labelledby={dayTabId(PANEL, day)} aria-busy={busy} className="day-classes">
        {classes.length ? (
          <ClassRows classes={classes} act={visitorAct} />
        ) : (
          <p className="day-empty">{schedule.ended ? 'Las clases de hoy ya terminaron.' : empty.classes}</p>
        )}
      </div>
      <AppLink to={`${paths.schedule}?dia=${day}`} className="link more-link">
        Ver la semana completa
      </AppLink>
    </Section>
  )
}
