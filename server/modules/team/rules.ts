/** Rules for granting rights (docs/domain.md, E4 to E7). Pure. */
import { type Refusal, refuse } from '#contract/errors.ts'
import { effectiveRights, type Right, type Role, rightKeys, rightsOfRole } from '#contract/rights.ts'

/** Rights and locations of a person. */
export interface Authority {
  rights: ReadonlySet<Right>
  /** null = everywhere. */
  location_ids: readonly number[] | null
}

/** The role, rights and locations of a staff member. */
export interface Membership {
  role: Role
  rights_added: readonly Right[]
  rights_removed: readonly Right[]
  location_ids: readonly number[] | null
}

export const toAuthority = ({ role, rights_added: added, rights_removed: removed, location_ids }: Membership): Authority => ({
  rights: new Set(effectiveRights(role, { added, removed })),
  location_ids,
})

const isWithin = (inner: readonly number[] | null, outer: readonly number[] | null): boolean =>
  outer === null || inner?.every((location_id) => outer.includes(location_id)) === true

/**
 * Why a person may not administer a staff member with this authority, current or new: a right that the caller lacks cannot be granted, and
 * a member with more rights cannot be changed (E5). Null when they may.
 */
export function whyNotAdminister(by: Authority, of: Authority): Refusal | null {
  const needs = rightKeys.find((key) => of.rights.has(key) && !by.rights.has(key))
  if (needs) return refuse('FORBIDDEN', { needs })
  return isWithin(of.location_ids, by.location_ids) ? null : refuse('FORBIDDEN', { needs: 'staff.edit' })
}

/** Whether an authority has a right or a location that the other lacks. */
export const exceedsAuthority = (wanted: Authority, than: Authority): boolean =>
  [...wanted.rights].some((right) => !than.rights.has(right)) || !isWithin(wanted.location_ids, than.location_ids)

/**
 * Normalizes a membership: drops added rights that the role has, removed rights that it lacks, and rights that are both. An owner has all
 * rights everywhere (E1).
 */
export function normalizeMembership({ role, rights_added, rights_removed, location_ids }: Membership): Membership {
  if (role === 'owner') return { role, rights_added: [], rights_removed: [], location_ids: null }
  const defaults = rightsOfRole(role)
  const removed = rightKeys.filter((key) => rights_removed.includes(key) && defaults.includes(key))
  const added = rightKeys.filter((key) => rights_added.includes(key) && !defaults.includes(key))
  return { role, rights_added: added, rights_removed: removed, location_ids }
}
