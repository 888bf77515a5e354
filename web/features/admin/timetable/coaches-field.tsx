import { IconPlus, IconX } from '@tabler/icons-react'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { instructorName } from '#contract/copy/instructor-names.ts'
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { isLocalDate } from '#contract/time.ts'
import { may, useStaff } from '#web/features/admin/frame/staff.tsx'
import { queries } from '#web/lib/api.ts'
import { Button, IconButton } from '#web/ui/button.tsx'
import { Select } from '#web/ui/field.tsx'
import type { ClassForm } from './class-form.ts'
import { coachesAt } from './coach-choice.ts'

export interface ClassCoach {
  instructor_id: number
  name: string
  last_name: string
  nick_name: string | null
}

interface CoachesFieldProps {
  form: ClassForm
  own: PlannedClass | null
  coaches: readonly ClassCoach[]
  onChange: (value: string[]) => void
}

const GROUPS = [
  { key: 'free', label: 'Libres a esa hora' },
  { key: 'others', label: 'Libres, no dan este tipo' },
  { key: 'busy', label: 'Dan otra clase a esa hora' },
  { key: 'absent', label: 'No están ese día' },
] as const

/** The coaches of a class: first those who are free at that hour and teach its type. */
export function CoachesField({ form, own, coaches, onChange }: CoachesFieldProps) {
  const value = form.coaches
  const staff = useStaff()
  const isDay = isLocalDate(form.day)
  const day = useQuery({
    ...queries.studioSchedule.read.queryOptions({ input: { start_date: form.day, end_date: form.day }, meta: { handled: true } }),
    enabled: isDay,
    placeholderData: keepPreviousData,
  })
  const absences = useQuery({
    ...queries.instructorAbsences.list.queryOptions({ staleTime: 60_000, meta: { handled: true } }),
    enabled: may(staff, 'schedule.edit'),
  })
  const others = (day.data?.days ?? []).flatMap(({ classes }) => classes)
  const teaching = useQuery({
    ...queries.studioSchedule.coaches.queryOptions({ staleTime: 60_000, meta: { handled: true } }),
    enabled: may(staff, 'schedule.edit'),
  })
  const choice = coachesAt(coaches, form, others, own, absences.data?.absences ?? [], teaching.data?.coaches ?? [])
  const lines = value.length ? value : ['']
  return (
    <div className="stack gap-8">
      {lines.map((chosen, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is nothing but its position
        <div key={at} className="plan-coach">
          <Select
            label={at === 0 ? 'Coach' : `Coach ${at + 1}`}
            optional
            value={chosen}
            onChange={(event) => onChange(lines.map((coach, n) => (n === at ? event.currentTarget.value : coach)).filter(Boolean))}
          >
            <option value="">Sin coach</option>
            {GROUPS.map(({ key, label }) => {
              const offered = choice[key].filter(
                (coach) => String(coach.instructor_id) === chosen || !value.includes(String(coach.instructor_id)),
              )
              return (
                offered.length > 0 && (
                  <optgroup key={key} label={label}>
                    {offered.map((coach) => (
                      <option key={coach.instructor_id} value={coach.instructor_id}>
                        {instructorName(coach)}
                      </option>
                    ))}
                  </optgroup>
                )
              )
            })}
          </Select>
          {at > 0 && (
            <IconButton label={`Quitar coach ${at + 1}`} onClick={() => onChange(value.filter((_, n) => n !== at))}>
              <IconX className="icon" aria-hidden="true" />
            </IconButton>
          )}
        </div>
      ))}
      {value.length > 0 && value.length < Math.min(4, coaches.length) && lines.at(-1) !== '' && (
        <Button
          variant="quiet"
          size="small"
          icon={<IconPlus className="icon" aria-hidden="true" />}
          onClick={() =>
            onChange([
              ...value,
              ...[...choice.free, ...choice.others, ...choice.busy, ...choice.absent]
                .filter((coach) => !value.includes(String(coach.instructor_id)))
                .slice(0, 1)
                .map((coach) => String(coach.instructor_id)),
            ])
          }
        >
          Agregar otro coach
        </Button>
      )}
    </div>
  )
}
