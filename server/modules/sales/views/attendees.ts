/** Attendees of a special event: the customers who bought its package (S1-7.24; docs/domain.md K12). */
import { refuse } from '#contract/errors.ts'
import type { Attendee } from '#contract/studio-packages.ts'
import { wallClock } from '#contract/time.ts'
import { findPackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { listAttendees } from '#server/modules/sales/store/attendee-store.ts'

/** Live purchases of a special event, also of one no longer on sale. PACKAGE_NOT_FOUND when the package is not a special event. */
export async function attendees(ctx: Ctx, input: { class_package_id: number }): Promise<{ asistentes: Attendee[] }> {
  const classPackage = await findPackage(ctx.db, input.class_package_id)
  if (!classPackage?.is_special_event) throw refuse('PACKAGE_NOT_FOUND')
  const rows = await listAttendees(ctx.db, input.class_package_id)
  return {
    asistentes: rows.map(({ createdAt, status, ...person }) => ({
      ...person,
      status: status === 'pending' || status === 'active' ? status : 'completed',
      created_date: wallClock(createdAt, ctx.zone).toISOString(),
    })),
  }
}
