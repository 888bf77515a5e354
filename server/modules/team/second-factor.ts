/** The staff as their owner sees them, and a second factor that somebody lost (docs/domain.md, P17). */
import { refuse } from '#contract/errors.ts'
import type { StaffMember } from '#contract/team.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import { findStaff, listStaff, type StaffRow } from './store.ts'

async function serialize(ctx: Ctx, rows: readonly StaffRow[]): Promise<StaffMember[]> {
  const enrolled = await ctx.ports.identity.withSecondFactor(rows.flatMap(({ uid }) => uid ?? []))
  return rows.map(({ staff_id, uid, name, email, role, disabledAt, createdAt }) => ({
    staff_id,
    name,
    email,
    role,
    second_factor: uid !== null && enrolled.has(uid),
    is_disabled: disabledAt !== null,
    createdAt: createdAt.toISOString(),
  }))
}

/** Everybody of the staff. */
export async function staffMembers(ctx: Ctx): Promise<{ staff: StaffMember[] }> {
  return { staff: await serialize(ctx, await listStaff(ctx.db)) }
}

/**
 * Takes the second factor of a colleague away (P17). RECENT_SIGN_IN_REQUIRED, NOT_FOUND, SECOND_FACTOR_OWN, SECOND_FACTOR_NONE. The audit row
 * comes first: nobody's factor goes without one.
 */
export async function resetSecondFactor(ctx: Ctx, input: { staff_id: number; reason: string }): Promise<{ staff_member: StaffMember }> {
  ctx.requireRecentSignIn()
  const row = await findStaff(ctx.db, input.staff_id)
  if (!row?.uid || row.disabledAt) throw refuse('NOT_FOUND')
  if (row.staff_id === ctx.staff?.staff_id) throw refuse('SECOND_FACTOR_OWN')
  const { identity } = ctx.ports
  if (!(await identity.withSecondFactor([row.uid])).has(row.uid)) throw refuse('SECOND_FACTOR_NONE')
  await ctx.tx((tx) =>
    ctx.audit(tx, { action: 'staff.reset_second_factor', entity: 'staff', entity_id: row.staff_id, reason: input.reason }),
  )
  if (!(await identity.resetSecondFactor(row.uid))) throw refuse('SECOND_FACTOR_NONE')
  const [staff_member] = await serialize(ctx, [row])
  if (!staff_member) throw new Error('A member of the staff was lost.')
  return { staff_member }
}
