/** The signed-in staff member in the administration: profile, rights, preferences (docs/domain.md, "Staff and rights"). */
import { refuse } from '#contract/errors.ts'
import { rightKeys } from '#contract/rights.ts'
import { type Me, PREFERENCE_BYTES } from '#contract/team.ts'
import type { Ctx, StaffPrincipal } from '#server/modules/ctx.ts'
import { onboardingProgress } from '#server/modules/onboarding/onboarding.ts'
import { sharedViews } from './shared-views.ts'
import { existingLocations, findInstructorPhoto, findStaff, lockStaff, type StaffRow, touchLastSignIn, updateStaff } from './store.ts'

/** Below the limit of the table's check: as jsonb the same text is longer. */
const ALL_PREFERENCES_BYTES = 32_768

/** The calling staff member; the endpoint's access level guarantees that there is one. */
function staffOf(ctx: Ctx): StaffPrincipal {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  return ctx.staff
}

/** The last chosen location, if the person still works there; with a single location, that one. */
const shownLocation = ({ location_ids }: StaffPrincipal, chosen: number | null): number | null => {
  if (location_ids?.length === 1) return location_ids[0] ?? null
  return chosen !== null && (location_ids?.includes(chosen) ?? true) ? chosen : null
}

async function serializeMe(ctx: Ctx, principal: StaffPrincipal, row: StaffRow): Promise<Me> {
  const { staff_id, name, role, instructor_id, rights, location_ids } = principal
  return {
    staff: {
      staff_id,
      name,
      email: row.email,
      role,
      instructor_id,
      rights: rightKeys.filter((key) => rights.has(key)),
      location_ids: location_ids ? [...location_ids] : null,
      photo: instructor_id === null ? null : ((await findInstructorPhoto(ctx.db, instructor_id))?.photo ?? null),
    },
    studio: {
      business_name: ctx.settings.business_name,
      timezone: ctx.zone,
      now: ctx.now.toISOString(),
      public_url: ctx.studio.publicUrl,
    },
    location_id: shownLocation(principal, row.chosen_location_id),
    onboarding: rights.has('catalogue.edit') ? await onboardingProgress(ctx) : null,
    is_shared_device: ctx.sharedDevice !== null,
    terminal_fields_required: ctx.settings.payment_terminal_fields_required,
    preferences: preferencesOf(row),
    shared_views: await sharedViews(ctx, staff_id),
  }
}

/** The saved preferences; a value that is not an object counts as empty. */
function preferencesOf({ preferences }: StaffRow): Me['preferences'] {
  const isRecord = typeof preferences === 'object' && preferences !== null && !Array.isArray(preferences)
  return isRecord ? (preferences as Me['preferences']) : {}
}

/** Reads the signed-in staff member: GET /admin/me. */
export async function meInAdmin(ctx: Ctx): Promise<Me> {
  const principal = staffOf(ctx)
  const row = await findStaff(ctx.db, principal.staff_id)
  if (!row) throw refuse('FORBIDDEN')
  await recordSignIn(ctx, row)
  return serializeMe(ctx, principal, row)
}

/** Records the first opening of the administration after each sign-in (E13), once, however many requests come at the same time. */
async function recordSignIn(ctx: Ctx, { staff_id, lastSignInAt }: StaffRow): Promise<void> {
  const { actor } = ctx
  const at = actor.kind === 'identity' ? actor.authTime : undefined
  // On a shared device the sign-in belongs to the account that shared it; the PIN has its own record.
  if (actor.kind !== 'identity' || actor.sharedDevice || !at || (lastSignInAt && lastSignInAt >= at)) return
  await ctx.tx(async (tx) => {
    if (!(await touchLastSignIn(tx, staff_id, at))) return
    const after = { second_factor: actor.secondFactor }
    await ctx.audit(tx, { action: 'staff.sign_in', entity: 'staff', entity_id: staff_id, after })
  })
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

function tooLarge(path: string): never {
  throw refuse('INVALID_INPUT', { issues: [{ path, message: 'Es demasiado para guardarlo.' }] })
}

/** Changes preferences by key, and the chosen location: PUT /admin/me. NOT_FOUND, FORBIDDEN, INVALID_INPUT. */
export async function changeMe(
  ctx: Ctx,
  input: { preferences?: Record<string, unknown> | undefined; location_id?: number | null | undefined },
): Promise<Me> {
  const principal = staffOf(ctx)
  const { location_id } = input
  if (location_id != null) {
    if (!ctx.worksAt(location_id)) throw refuse('FORBIDDEN', { location_id })
    if ((await existingLocations(ctx.db, [location_id])).length === 0) throw refuse('NOT_FOUND')
  }
  for (const [key, value] of Object.entries(input.preferences ?? {})) if (bytesOf(value) > PREFERENCE_BYTES) tooLarge(`preferences.${key}`)
  const row = await ctx.tx(async (tx) => {
    const before = await lockStaff(tx, principal.staff_id)
    if (!before || before.disabledAt) throw refuse('FORBIDDEN')
    const all = { ...preferencesOf(before), ...input.preferences }
    const preferences = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null))
    if (bytesOf(preferences) > ALL_PREFERENCES_BYTES) tooLarge('preferences')
    return updateStaff(tx, principal.staff_id, { preferences, ...(location_id === undefined ? {} : { chosen_location_id: location_id }) })
  })
  return serializeMe(ctx, principal, row)
}
