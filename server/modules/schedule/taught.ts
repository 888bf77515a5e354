/** What is taught, where and by whom: kept by the catalogue, removed only when nothing to come needs it (docs/domain.md, K8). */
import { refuse } from '#contract/errors.ts'
import { classTypeList, instructorList, locationList, removePackage } from '#server/modules/catalogue/catalogue.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { usesOfClassType, usesOfInstructor, usesOfLocation, usesOfPackage } from './taught-store.ts'

/**
 * NOT_FOUND; IN_USE while a class to come, a package on sale or a living credit needs it, with how many of each (`uses`). What has been keeps
 * its name.
 */
const removal = (list: { remove: typeof locationList.remove }, listUses: typeof usesOfLocation) => (ctx: Ctx, id: number) =>
  list.remove(ctx, id, async (tx) => {
    const uses = await listUses(tx, id, ctx.now)
    return uses.length > 0 ? refuse('IN_USE', { uses }) : null
  })

export const removeLocation = removal(locationList, usesOfLocation)
export const removeClassType = removal(classTypeList, usesOfClassType)
/** IN_USE also while the coach has a login. */
export const removeInstructor = removal(instructorList, usesOfInstructor)

/** PACKAGE_NOT_FOUND; IN_USE while it is the sign-up fee or a class to come is sold as it (K11). */
export function removeSold(ctx: Ctx, input: { class_package_id: number }): Promise<{ ok: true }> {
  return removePackage(ctx, input.class_package_id, (tx) => usesOfPackage(tx, input.class_package_id, ctx.now))
}
