/** What is taught, where and by whom: kept by the catalogue, removed only when nothing to come needs it (docs/domain.md, K8). */
import { refuse } from '#contract/errors.ts'
import { classTypeList, instructorList, locationList, removePackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { isClassTypeNeeded, isInstructorNeeded, isLocationNeeded, isPackageNeeded } from './taught-store.ts'

type Needed = typeof isLocationNeeded

/** NOT_FOUND; IN_USE while a class to come, a package on sale or a living credit needs it. What has been keeps its name. */
const removal = (list: { remove: typeof locationList.remove }, isNeeded: Needed) => (ctx: Ctx, id: number) =>
  list.remove(ctx, id, async (tx) => ((await isNeeded(tx, id, ctx.now)) ? refuse('IN_USE') : null))

export const removeLocation = removal(locationList, isLocationNeeded)
export const removeClassType = removal(classTypeList, isClassTypeNeeded)
/** IN_USE also while the coach has a login. */
export const removeInstructor = removal(instructorList, isInstructorNeeded)

/** PACKAGE_NOT_FOUND; IN_USE while it is the sign-up fee or a class to come is sold as it (K11). */
export function removeSold(ctx: Ctx, ask: { class_package_id: number }): Promise<{ ok: true }> {
  return removePackage(ctx, ask.class_package_id, (tx) => isPackageNeeded(tx, ask.class_package_id, ctx.now))
}
