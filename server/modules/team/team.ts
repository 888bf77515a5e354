/** Staff members, their rights and locations; disabling and restoring them (docs/domain.md, "Staff and rights"). */
import { refuse } from '#contract/errors.ts'
import type { Right, Role } from '#contract/rights.ts'
import type { StaffMember } from '#contract/team.ts'
import { assertUnchanged } from '#server/modules/changed-meanwhile.ts'
import type { Ctx, StaffPrincipal } from '#server/modules/ctx.ts'
import { findPrincipals } from '#server/modules/people/people.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { isExpired } from './invite-rules.ts'
import { exceedsAuthority, type Membership, normalizeMembership, toAuthority, whyNotAdminister } from './rules.ts'
import {
  existingLocations,
  findInstructorPhoto,
  findMembers,
  listMembers,
  lockOwners,
  lockStaff,
  type MemberRow,
  replaceMembership,
  updateStaff,
  withdrawInvites,
} from './store.ts'

/** Serializes staff members. */
export async function serializeMembers(ctx: Ctx, rows: readonly MemberRow[]): Promise<StaffMember[]> {
  const uids = rows.flatMap(({ uid }) => uid ?? [])
  const { identity } = ctx.ports
  const [enrolled, signedIn] = await Promise.all([identity.withSecondFactor(uids), identity.lastSignIns(uids)])
  return rows.map((row) => {
    const { staff_id, uid, name, email, role, instructor_id, rights_added, rights_removed, location_ids, customer_id } = row
    return {
      staff_id,
      name,
      email,
      role,
      instructor_id,
      rights_added,
      rights_removed,
      location_ids,
      customer_id,
      rights: [...toAuthority(row).rights],
      second_factor: uid !== null && enrolled.has(uid),
      // Accounts at Google do not report it: there the last opening of the administration counts.
      last_login_at: ((uid === null ? undefined : signedIn.get(uid)) ?? row.lastSignInAt)?.toISOString() ?? null,
      invite: row.invite && uid === null ? { ...row.invite, state: isExpired(row.invite, ctx.now) ? 'expired' : 'pending' } : null,
      has_joined: uid !== null,
      is_disabled: row.disabledAt !== null,
      createdAt: row.createdAt.toISOString(),
      updatedAt: row.updatedAt.toISOString(),
    }
  })
}

/** All staff members. */
export async function staffMembers(ctx: Ctx): Promise<{ staff: StaffMember[] }> {
  return { staff: await serializeMembers(ctx, await listMembers(ctx.db)) }
}

export async function getMember(ctx: Ctx, staff_id: number): Promise<{ staff_member: StaffMember }> {
  const [staff_member] = await serializeMembers(ctx, await findMembers(ctx.db, [staff_id]))
  if (!staff_member) throw refuse('NOT_FOUND')
  return { staff_member }
}

/**
 * The caller, read again in this transaction: cached rights may be seconds old (E6). Null for the system, which may do everything.
 * FORBIDDEN.
 */
async function actingStaff(ctx: Ctx, tx: Tx): Promise<StaffPrincipal | null> {
  if (ctx.actor.kind !== 'identity') return null
  const { staff } = await findPrincipals(tx, ctx.actor.uid)
  if (!staff?.rights.has('staff.edit')) throw refuse('FORBIDDEN', { needs: 'staff.edit' })
  return staff
}

/** NOT_FOUND for an unknown location or instructor. */
async function demandKnown(db: Reader, known: { location_ids?: readonly number[] | null; instructor_id?: number | null }): Promise<void> {
  const { location_ids, instructor_id } = known
  if (location_ids && (await existingLocations(db, location_ids)).length !== location_ids.length)
    throw refuse('NOT_FOUND', { field: 'location_ids' })
  if (instructor_id != null && !(await findInstructorPhoto(db, instructor_id))) throw refuse('NOT_FOUND', { field: 'instructor_id' })
}

/** Refuses unless the caller may grant this membership. Returns the membership to store. FORBIDDEN, NOT_FOUND. */
export async function demandGrant(ctx: Ctx, tx: Tx, wanted: Membership & { instructor_id?: number | null }): Promise<Membership> {
  const by = await actingStaff(ctx, tx)
  const membership = normalizeMembership(wanted)
  const no = by && whyNotAdminister(by, toAuthority(membership))
  if (no) throw no
  await demandKnown(tx, wanted)
  return membership
}

/**
 * Locks a staff member that the caller may administer. The owners' rows are locked first, in a fixed order, so that of two owners who
 * demote each other the second sees the change of the first (E7). NOT_FOUND, FORBIDDEN, LAST_OWNER with `losesOwner`.
 */
async function lockMember(ctx: Ctx, tx: Tx, staff_id: number, losesOwner: (before: MemberRow) => boolean): Promise<MemberRow> {
  const owners = await lockOwners(tx)
  await lockStaff(tx, staff_id)
  const [before] = await findMembers(tx, [staff_id])
  if (!before) throw refuse('NOT_FOUND')
  const isOwner = owners.some((owner) => owner.staff_id === staff_id)
  if (isOwner && losesOwner(before) && owners.length === 1) throw refuse('LAST_OWNER')
  const by = await actingStaff(ctx, tx)
  const no = by && whyNotAdminister(by, toAuthority(before))
  if (no) throw no
  return before
}

/** FORBIDDEN for a staff member with more rights than the caller, or at other locations (E5). */
export function demandAdminister(ctx: Ctx, member: MemberRow): void {
  const no = ctx.staff && whyNotAdminister(ctx.staff, toAuthority(member))
  if (no) throw no
}

const trailOf = ({ name, role, rights_added, rights_removed, location_ids, instructor_id }: MemberRow) => ({
  name,
  role,
  rights_added,
  rights_removed,
  location_ids,
  instructor_id,
})

interface MemberChange {
  staff_id: number
  name?: string | undefined
  role?: Role | undefined
  rights_added?: Right[] | undefined
  rights_removed?: Right[] | undefined
  location_ids?: number[] | null | undefined
  instructor_id?: number | null | undefined
  if_updatedAt?: string | null | undefined
}

/** A person who gives access must have signed in recently (E18); the system need not. RECENT_SIGN_IN_REQUIRED. */
function demandRecentSignIn(ctx: Ctx): void {
  if (ctx.actor.kind === 'identity') ctx.requireRecentSignIn()
}

/**
 * Changes the given fields of a staff member: role, rights, locations, name, instructor. Effective from their next request (E6).
 * RECENT_SIGN_IN_REQUIRED where rights or locations are added, CHANGED_MEANWHILE.
 */
export async function changeMember(ctx: Ctx, input: MemberChange): Promise<{ staff_member: StaffMember }> {
  const { staff_id } = input
  await ctx.tx(async (tx) => {
    const lowers = input.role !== undefined && input.role !== 'owner'
    const before = await lockMember(ctx, tx, staff_id, () => lowers)
    await assertUnchanged(tx, ctx, { entity: 'staff', id: staff_id, updatedAt: before.updatedAt }, input.if_updatedAt)
    const membership = await demandGrant(ctx, tx, {
      role: input.role ?? before.role,
      rights_added: input.rights_added ?? before.rights_added,
      rights_removed: input.rights_removed ?? before.rights_removed,
      location_ids: input.location_ids === undefined ? before.location_ids : input.location_ids,
      ...(input.instructor_id === before.instructor_id ? {} : { instructor_id: input.instructor_id ?? null }),
    })
    if (exceedsAuthority(toAuthority(membership), toAuthority(before))) demandRecentSignIn(ctx)
    const name = input.name ?? before.name
    const instructor_id = input.instructor_id === undefined ? before.instructor_id : input.instructor_id
    await updateStaff(tx, staff_id, { name, role: membership.role, instructor_id })
    await replaceMembership(tx, staff_id, membership)
    const [after] = await findMembers(tx, [staff_id])
    if (!after) throw new Error('A member of the staff was lost.')
    const [was, is] = [trailOf(before), trailOf(after)]
    const changed = (Object.keys(is) as (keyof typeof is)[]).filter((key) => JSON.stringify(was[key]) !== JSON.stringify(is[key]))
    if (changed.length === 0) return
    await updateStaff(tx, staff_id, { updatedAt: ctx.now })
    const only = (of: typeof is) => Object.fromEntries(changed.map((key) => [key, of[key]]))
    await ctx.audit(tx, { action: 'staff.change', entity: 'staff', entity_id: staff_id, before: only(was), after: only(is) })
    if (before.uid !== null) tx.notify({ topic: 'people', uid: before.uid })
  })
  return getMember(ctx, staff_id)
}

/**
 * Disables a staff member, or withdraws an invitation. Their records stay, and so does a customer with the same account. Sessions end at
 * once (E8). Idempotent.
 */
export async function disableMember(ctx: Ctx, input: { staff_id: number }): Promise<{ staff_member: StaffMember }> {
  const { staff_id } = input
  const uid = await ctx.tx(async (tx) => {
    const before = await lockMember(ctx, tx, staff_id, ({ disabledAt }) => disabledAt === null)
    if (before.disabledAt !== null) return null
    await updateStaff(tx, staff_id, { disabledAt: ctx.now, updatedAt: ctx.now })
    await withdrawInvites(tx, staff_id, ctx.now)
    await ctx.audit(tx, { action: 'staff.disable', entity: 'staff', entity_id: staff_id, before: trailOf(before) })
    if (before.uid !== null) tx.notify({ topic: 'people', uid: before.uid })
    return before.uid
  })
  if (uid !== null) await ctx.ports.identity.revokeSessions(uid)
  return getMember(ctx, staff_id)
}

/**
 * Restores a disabled staff member with the previous role and rights, which the caller must have too (E5). One who never accepted needs a
 * new invitation. RECENT_SIGN_IN_REQUIRED; ALREADY_EXISTS: the same account or email is used by another staff member.
 */
export async function restoreMember(ctx: Ctx, input: { staff_id: number }): Promise<{ staff_member: StaffMember }> {
  const { staff_id } = input
  await ctx.tx(async (tx) => {
    const before = await lockMember(ctx, tx, staff_id, () => false)
    if (before.disabledAt === null) return
    demandRecentSignIn(ctx)
    await updateStaff(tx, staff_id, { disabledAt: null, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'staff.restore', entity: 'staff', entity_id: staff_id, after: trailOf(before) })
    if (before.uid !== null) tx.notify({ topic: 'people', uid: before.uid })
  })
  return getMember(ctx, staff_id)
}
