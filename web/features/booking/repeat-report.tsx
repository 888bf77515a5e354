import { IconCalendarOff, IconCheck, IconX } from '@tabler/icons-react'
import { formatWall } from '#contract/time.ts'
import { nextStepFor } from '#web/features/site/next-steps.ts'
import type { api } from '#web/lib/api.ts'
import { AppLink } from '#web/lib/link.tsx'
import { useSite } from '#web/lib/settings.tsx'
import { Select } from '#web/ui/field.tsx'
import './repeat-report.css'

export type RepeatedWeeks = Awaited<ReturnType<typeof api.bookings.repeat>>

const WEEK_CHOICES = [2, 3, 4, 6, 8, 12, 16, 26] as const

/** The number of weeks if it is one of the choices; null for anything else in the address. */
export const weeksFrom = (text: string | null): number | null => WEEK_CHOICES.find((weeks) => String(weeks) === text) ?? null

/** "cada martes a las 07:00" */
export const weeklyText = (class_date: string): string =>
  `cada ${formatWall(class_date, 'weekday').split(' ')[0]} a las ${formatWall(class_date, 'hour')}`

/** The number of weeks, including the first one. */
export function WeeksField({ value, onChange, hint }: { value: number; onChange: (weeks: number) => void; hint: string }) {
  return (
    <Select label="Durante" name="weeks" hint={hint} value={value} onChange={(event) => onChange(Number(event.currentTarget.value))}>
      {WEEK_CHOICES.map((weeks) => (
        <option key={weeks} value={weeks}>
          {weeks} semanas
        </option>
      ))}
    </Select>
  )
}

/** The result of each week: booked, already booked, no class, or refused with the reason and a next step. */
export function RepeatReport({ report: { weeks, booked } }: { report: RepeatedWeeks }) {
  const site = useSite()
  const refused = weeks.filter(({ outcome }) => outcome === 'refused' || outcome === 'no_class').length
  return (
    <div className="stack gap-16">
      <p role="status">
        <b>{booked === 0 ? 'No reservamos ninguna clase nueva.' : booked === 1 ? 'Reservamos 1 clase.' : `Reservamos ${booked} clases.`}</b>{' '}
        {refused > 0 && (refused === 1 ? 'Una semana no se pudo:' : `${refused} semanas no se pudieron:`)}
      </p>
      <ul className="repeat-weeks" aria-label="Semana por semana">
        {weeks.map((week) => {
          const done = week.outcome === 'booked' || week.outcome === 'mine'
          const Icon = done ? IconCheck : week.outcome === 'no_class' ? IconCalendarOff : IconX
          const nextStep =
            week.why_not && week.single_class_id !== null && week.class_date !== null
              ? nextStepFor(week.why_not.code, site, { single_class_id: week.single_class_id, class_date: week.class_date })
              : null
          return (
            <li key={week.date} className={done ? 'repeat-done' : 'repeat-not'}>
              <Icon className="icon" aria-hidden="true" />
              <b className="nowrap">{formatWall(`${week.date}T00:00:00.000Z`, 'class').split(',')[0]}</b>
              <span className="grow small">
                {week.outcome === 'booked' && 'Reservada'}
                {week.outcome === 'mine' && 'Ya era tuya'}
                {week.outcome === 'no_class' && 'Esa semana no hay clase'}
                {week.why_not?.message}
                {nextStep && (
                  <>
                    {' '}
                    <AppLink className="link" to={nextStep.to}>
                      {nextStep.label}
                    </AppLink>
                  </>
                )}
              </span>
            </li>
          )
        })}
      </ul>
    </div>
  )
}
