/** Who may give whom which rights (docs/domain.md, E4 to E7). Pure. */
import { type Refusal, refuse } from '#contract/errors.ts'
import { effectiveRights, type Right, type Role, rightKeys, rightsOfRole } from '#contract/rights.ts'

/** What somebody may do and where. */
export interface Authority {
  rights: ReadonlySet<Right>
  /** null = everywhere. */
  location_ids: readonly number[] | null
}

/** How somebody is to be one of the staff. */
export interface Membership {
  role: Role
  rights_added: readonly Right[]
  rights_removed: readonly Right[]
  location_ids: readonly number[] | null
}

export const authorityOf = ({ role, rights_added: added, rights_removed: removed, location_ids }: Membership): Authority => ({
  rights: new Set(effectiveRights(role, { added, removed })),
  location_ids,
})

const isWithin = (inner: readonly number[] | null, outer: readonly number[] | null): boolean =>
  outer === null || inner?.every((location_id) => outer.includes(location_id)) === true

/**
 * Why somebody may not administer a colleague with this authority, held or to be given: nobody gives what they lack, and nobody changes somebody
 * who may do more than they (E5). Null when they may.
 */
export function whyNotAdminister(by: Authority, of: Authority): Refusal | null {
  const needs = rightKeys.find((key) => of.rights.has(key) && !by.rights.has(key))
  if (needs) return refuse('FORBIDDEN', { needs })
  return isWithin(of.location_ids, by.location_ids) ? null : refuse('FORBIDDEN', { needs: 'staff.edit' })
}

/**
 * A membership without what says nothing: rights that the role has are not added, rights that it lacks are not removed, no right is both. An owner
 * has every right everywhere (E1).
 */
export function tidy({ role, rights_added, rights_removed, location_ids }: Membership): Membership {
  if (role === 'owner') return { role, rights_added: [], rights_removed: [], location_ids: null }
  const defaults = rightsOfRole(role)
  const removed = rightKeys.filter((key) => rights_removed.includes(key) && defaults.includes(key))
  const added = rightKeys.filter((key) => rights_added.includes(key) && !defaults.includes(key))
  return { role, rights_added: added, rights_removed: removed, location_ids }
}
