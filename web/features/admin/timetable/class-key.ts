import type { PlannedClass } from '#contract/studio-schedule.ts'

/**
 * The id under which a class is drawn and found again: a draft has none of its own class. `shown_as`: before an edit that is not saved yet.
 */
export const classKey = (cls: PlannedClass & { shown_as?: string }): string =>
  cls.shown_as ?? (cls.single_class_id === null ? `d${cls.class_draft_id}-${cls.class_date}` : `c${cls.single_class_id}`)
