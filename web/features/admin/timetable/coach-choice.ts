/** Coaches who can teach at an hour, for the panel of a class, free ones first. Pure. */
import type { PlannedClass } from '#contract/studio-schedule.ts'
import type { ClassForm } from './class-form.ts'

interface Absence {
  instructor_id: number
  from: string
  to: string
}

interface Choice<C> {
  free: C[]
  /** Free, but they do not teach this type. */
  others: C[]
  /** They teach another class at that time. */
  busy: C[]
  absent: C[]
}

const minuteOf = (hour: string): number => Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3, 5))

/**
 * The coaches by whether they are free at the hour of the form and teach its type (`teaching`: those who do not teach everything).
 * `others`: the classes of that day; the one of the form is left out by its id or draft. Without a readable hour or length all coaches
 * count as free.
 */
export function coachesAt<C extends { instructor_id: number }>(
  coaches: readonly C[],
  form: Pick<ClassForm, 'day' | 'hour' | 'minutes' | 'class_type_id'>,
  others: readonly PlannedClass[],
  own: Pick<PlannedClass, 'single_class_id' | 'class_draft_id'> | null,
  absences: readonly Absence[],
  teaching: readonly { instructor_id: number; class_type_ids: readonly number[] }[],
): Choice<C> {
  const start = minuteOf(form.hour)
  const end = start + Number(form.minutes)
  const isOwn = (cls: PlannedClass) =>
    own !== null &&
    ((own.single_class_id !== null && cls.single_class_id === own.single_class_id) ||
      (own.class_draft_id !== null && cls.class_draft_id === own.class_draft_id))
  const meets = (cls: PlannedClass) => {
    const from = minuteOf(cls.class_date.slice(11, 16))
    return cls.class_date.slice(0, 10) === form.day && from < end && start < from + cls.duration_minutes
  }
  const teachesThen = new Set(
    others
      .filter((cls) => cls.state !== 'cancelled' && !isOwn(cls) && meets(cls))
      .flatMap((cls) => cls.instructors.map((instructor) => instructor.instructor_id)),
  )
  const away = new Set(absences.filter(({ from, to }) => form.day >= from && form.day <= to).map((absence) => absence.instructor_id))
  const type = Number(form.class_type_id)
  const strangers = new Set(
    teaching.filter(({ class_type_ids }) => type > 0 && !class_type_ids.includes(type)).map((instructor) => instructor.instructor_id),
  )
  const choice: Choice<C> = { free: [], others: [], busy: [], absent: [] }
  const groupOf = (id: number): keyof Choice<C> => {
    if (away.has(id)) return 'absent'
    if (teachesThen.has(id)) return 'busy'
    return strangers.has(id) ? 'others' : 'free'
  }
  for (const coach of coaches) {
    choice[groupOf(coach.instructor_id)].push(coach)
  }
  return choice
}
