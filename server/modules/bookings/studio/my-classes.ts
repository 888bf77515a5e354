/** Mis clases: a coach's own classes with what they need to know of them (A13). No money, telephone or author of a comment. */
import { MY_COMMENTS } from '#contract/my-classes.ts'
import type { LocalDate } from '#contract/time.ts'
import { countFirstTimers, listBirthdates, listComments } from '#server/modules/bookings/store/my-classes-store.ts'
import { averageStars } from '#server/modules/bookings/store/rating-store.ts'
import { classesBetween } from '#server/modules/bookings/timetable/week.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isBirthdayOn } from './roster-view.ts'

/** Ratings of classes that were booked longer ago are not counted. */
const YEAR_MS = 365 * 86_400_000

/** The caller's classes of some days. INVALID_INPUT for an invalid range. */
export async function listMyClasses(ctx: Ctx, { from, to }: { from: LocalDate; to: LocalDate }) {
  const instructor_id = ctx.staff?.instructor_id ?? null
  if (instructor_id === null) return { classes: [], birthdays: [], ratings: { average: null, count: 0, comments: [] } }
  // Classes of locations where the person does not work have no figures (E4).
  const classes = (await classesBetween(ctx, { start_date: from, end_date: to, instructor_id })).filter((cls) => cls.figures)
  const ids = classes.filter((cls) => !cls.figures?.cancelled).map((cls) => cls.single_class_id)
  const since = new Date(ctx.now.getTime() - YEAR_MS)
  const [firsts, birthdates, stars, comments] = await Promise.all([
    countFirstTimers(ctx.db, ids),
    listBirthdates(ctx.db, ids),
    averageStars(ctx.db, since, instructor_id),
    listComments(ctx.db, { instructor_id, since, zone: ctx.zone, limit: MY_COMMENTS }),
  ])
  return {
    classes: classes.map((cls) => ({ ...cls, first_timers: firsts.get(cls.single_class_id) ?? 0 })),
    birthdays: classes.flatMap(({ single_class_id, class_date }) =>
      birthdates
        .filter((person) => person.single_class_id === single_class_id && isBirthdayOn(person.birthdate, class_date.slice(0, 10)))
        .map(({ name, last_name }) => ({ single_class_id, class_date, name, last_name })),
    ),
    ratings: {
      average: stars.average === null ? null : Math.round(stars.average * 10) / 10,
      count: stars.ratings,
      comments,
    },
  }
}
