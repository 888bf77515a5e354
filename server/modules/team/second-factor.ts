/** Reset of a staff member's second factor (docs/domain.md, P17). */
import { refuse } from '#contract/errors.ts'
import type { StaffMember } from '#contract/team.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { findMembers } from './store.ts'
import { demandAdminister, getMember } from './team.ts'

/**
 * Removes the second factor of another staff member (P17). The audit row is written first, so that no reset goes unrecorded.
 * RECENT_SIGN_IN_REQUIRED, NOT_FOUND, SECOND_FACTOR_OWN, SECOND_FACTOR_NONE.
 */
export async function resetSecondFactor(ctx: Ctx, input: { staff_id: number; reason: string }): Promise<{ staff_member: StaffMember }> {
  ctx.requireRecentSignIn()
  const [row] = await findMembers(ctx.db, [input.staff_id])
  if (!row?.uid || row.disabledAt) throw refuse('NOT_FOUND')
  if (row.staff_id === ctx.staff?.staff_id) throw refuse('SECOND_FACTOR_OWN')
  demandAdminister(ctx, row)
  const { identity } = ctx.ports
  if (!(await identity.withSecondFactor([row.uid])).has(row.uid)) throw refuse('SECOND_FACTOR_NONE')
  await ctx.tx((tx) =>
    ctx.audit(tx, { action: 'staff.reset_second_factor', entity: 'staff', entity_id: row.staff_id, reason: input.reason }),
  )
  if (!(await identity.resetSecondFactor(row.uid))) throw refuse('SECOND_FACTOR_NONE')
  return getMember(ctx, row.staff_id)
}
