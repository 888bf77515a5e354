/** Which classes of a range are selected together. Pure. */
import type { PlannedClass } from '#contract/studio-schedule.ts'
import { isoWeekday } from '#contract/time.ts'
import { isEditable } from './plan-edits.ts'

export interface ClassFilter {
  /** 1 = Monday to 7 = Sunday */
  weekdays: readonly number[]
  /** Earliest and latest start, HH:MM; '' = any. */
  since: string
  until: string
}

/** Those that can still be changed, in the order of their start. */
export function filteredClasses(classes: readonly PlannedClass[], { weekdays, since, until }: ClassFilter): PlannedClass[] {
  return classes
    .filter((cls) => {
      const [day, hour] = [cls.class_date.slice(0, 10), cls.class_date.slice(11, 16)]
      return isEditable(cls) && weekdays.includes(isoWeekday(day)) && (since === '' || hour >= since) && (until === '' || hour <= until)
    })
    .sort((a, b) => a.class_date.localeCompare(b.class_date))
}
