import { and, eq, inArray, isNotNull, isNull, lt, ne, or, type SQL, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/pg-core'
import type { Right } from '#contract/rights.ts'
import { instructor, location } from '#server/modules/catalogue/tables.ts'
import { customer, staff, staffLocation, staffRight } from '#server/modules/people/tables.ts'
import { type Reader, singleRow, type Tx } from '#server/platform/db.ts'
import type { Membership } from './rules.ts'
import { sharedDevice, staffInvite, staffPin } from './tables.ts'

export type StaffRow = typeof staff.$inferSelect
export type InviteRow = typeof staffInvite.$inferSelect

export async function findStaff(db: Reader, staff_id: number): Promise<StaffRow | null> {
  const [found] = await db.select().from(staff).where(eq(staff.staff_id, staff_id))
  return found ?? null
}

/** Reads and locks a staff member whose row is about to change. */
export async function lockStaff(tx: Tx, staff_id: number): Promise<StaffRow | null> {
  const [found] = await tx.select().from(staff).where(eq(staff.staff_id, staff_id)).for('no key update')
  return found ?? null
}

export async function updateStaff(tx: Tx, staff_id: number, values: Partial<typeof staff.$inferInsert>): Promise<StaffRow> {
  return singleRow(await tx.update(staff).set(values).where(eq(staff.staff_id, staff_id)).returning())
}

/** The preferences of the other members with access that contain something shared with the team. */
export function listSharedPreferences(db: Reader, staff_id: number): Promise<Pick<StaffRow, 'name' | 'preferences'>[]> {
  return db
    .select({ name: staff.name, preferences: staff.preferences })
    .from(staff)
    .where(and(ne(staff.staff_id, staff_id), isNull(staff.disabledAt), sql`${staff.preferences}::text like '%"equipo": true%'`))
}

/** Which of these locations exist. */
export async function existingLocations(db: Reader, location_ids: readonly number[]): Promise<number[]> {
  const rows = await db
    .select({ location_id: location.location_id })
    .from(location)
    .where(and(inArray(location.location_id, [...location_ids]), isNull(location.deletedAt)))
  return rows.map((row) => row.location_id)
}

/** The photo of an instructor; null when there is no such instructor. */
export async function findInstructorPhoto(db: Reader, instructor_id: number): Promise<{ photo: string | null } | null> {
  const [found] = await db
    .select({ photo: instructor.photo })
    .from(instructor)
    .where(and(eq(instructor.instructor_id, instructor_id), isNull(instructor.deletedAt)))
  return found ?? null
}

/** A staff member with rights and locations, the open invitation, and the customer of the same account. */
export interface MemberRow extends StaffRow, Membership {
  rights_added: Right[]
  rights_removed: Right[]
  location_ids: number[] | null
  customer_id: number | null
  invite: { sent_at: string; expires_at: string } | null
}

async function membersWhere(db: Reader, condition: SQL | undefined): Promise<MemberRow[]> {
  const rightsOf = (granted: boolean) =>
    sql<Right[]>`array(select r."right" from ${staffRight} r where r.staff_id = ${staff.staff_id} and r.granted = ${granted})`
  const rows = await db
    .select({
      row: staff,
      rights_added: rightsOf(true),
      rights_removed: rightsOf(false),
      location_ids: sql<
        number[] | null
      >`(select array_agg(l.location_id order by l.location_id) from ${staffLocation} l where l.staff_id = ${staff.staff_id})`,
      customer_id: customer.customer_id,
      sentAt: staffInvite.createdAt,
      expiresAt: staffInvite.expiresAt,
    })
    .from(staff)
    .leftJoin(customer, and(eq(customer.uid, staff.uid), isNull(customer.deletedAt)))
    .leftJoin(staffInvite, and(eq(staffInvite.staff_id, staff.staff_id), isNull(staffInvite.acceptedAt), isNull(staffInvite.withdrawnAt)))
    .where(condition)
    .orderBy(sql`${staff.disabledAt} is not null`, staff.name, staff.staff_id)
  return rows.map(({ row, sentAt, expiresAt, ...more }) => ({
    ...row,
    ...more,
    invite: sentAt && expiresAt ? { sent_at: sentAt.toISOString(), expires_at: expiresAt.toISOString() } : null,
  }))
}

/** All staff members by name, disabled ones last. */
export const listMembers = (db: Reader): Promise<MemberRow[]> => membersWhere(db, undefined)

export const findMembers = (db: Reader, staff_ids: readonly number[]): Promise<MemberRow[]> =>
  membersWhere(db, inArray(staff.staff_id, [...staff_ids]))

/** The staff member with an email, active ones first. */
export async function findMemberByEmail(db: Reader, email: string): Promise<StaffRow | null> {
  const [found] = await db
    .select()
    .from(staff)
    .where(eq(sql`lower(${staff.email})`, email))
    .orderBy(sql`${staff.disabledAt} is not null`)
    .limit(1)
  return found ?? null
}

/** The staff member of an account, disabled or not. */
export async function findStaffOfUid(db: Reader, uid: string): Promise<StaffRow | null> {
  const [found] = await db.select().from(staff).where(eq(staff.uid, uid))
  return found ?? null
}

/** Stores the time of a sign-in unless the stored one is the same or newer. True when stored. */
export async function touchLastSignIn(tx: Tx, staff_id: number, at: Date): Promise<boolean> {
  const rows = await tx
    .update(staff)
    .set({ lastSignInAt: at })
    .where(and(eq(staff.staff_id, staff_id), or(isNull(staff.lastSignInAt), lt(staff.lastSignInAt, at))))
    .returning({ staff_id: staff.staff_id })
  return rows.length > 0
}

/** Locks the active owners in order of their ids, so that two changes that reduce their number run one after the other. */
export async function lockOwners(tx: Tx): Promise<{ staff_id: number }[]> {
  return tx
    .select({ staff_id: staff.staff_id })
    .from(staff)
    .where(and(eq(staff.role, 'owner'), isNotNull(staff.uid), isNull(staff.disabledAt)))
    .orderBy(staff.staff_id)
    .for('no key update')
}

/** Replaces the rights and locations that differ from the role's. */
export async function replaceMembership(
  tx: Tx,
  staff_id: number,
  { rights_added, rights_removed, location_ids }: Membership,
): Promise<void> {
  await tx.delete(staffRight).where(eq(staffRight.staff_id, staff_id))
  await tx.delete(staffLocation).where(eq(staffLocation.staff_id, staff_id))
  const rights = [...rights_added.map((right) => ({ right, granted: true })), ...rights_removed.map((right) => ({ right, granted: false }))]
  if (rights.length > 0) await tx.insert(staffRight).values(rights.map((right) => ({ staff_id, ...right })))
  if (location_ids?.length) await tx.insert(staffLocation).values(location_ids.map((location_id) => ({ staff_id, location_id })))
}

export async function insertInvited(tx: Tx, values: typeof staff.$inferInsert): Promise<StaffRow> {
  return singleRow(await tx.insert(staff).values(values).returning())
}

export async function insertInvite(tx: Tx, values: typeof staffInvite.$inferInsert): Promise<InviteRow> {
  return singleRow(await tx.insert(staffInvite).values(values).returning())
}

export async function findInvite(db: Reader, staff_invite_id: number): Promise<InviteRow | null> {
  const [found] = await db.select().from(staffInvite).where(eq(staffInvite.staff_invite_id, staff_invite_id))
  return found ?? null
}

const isOpen = and(isNull(staffInvite.acceptedAt), isNull(staffInvite.withdrawnAt))

/** The open invitation of a staff member (neither accepted nor withdrawn; it may have expired). */
export async function findOpenInvite(db: Reader, staff_id: number): Promise<InviteRow | null> {
  const [found] = await db
    .select()
    .from(staffInvite)
    .where(and(eq(staffInvite.staff_id, staff_id), isOpen))
  return found ?? null
}

export async function withdrawInvites(tx: Tx, staff_id: number, now: Date): Promise<void> {
  await tx
    .update(staffInvite)
    .set({ withdrawnAt: now })
    .where(and(eq(staffInvite.staff_id, staff_id), isOpen))
}

export async function markAccepted(tx: Tx, staff_invite_id: number, now: Date): Promise<void> {
  await tx.update(staffInvite).set({ acceptedAt: now }).where(eq(staffInvite.staff_invite_id, staff_invite_id))
}

export type PinRow = typeof staffPin.$inferSelect

export async function findPin(db: Reader, staff_id: number): Promise<PinRow | null> {
  const [found] = await db.select().from(staffPin).where(eq(staffPin.staff_id, staff_id))
  return found ?? null
}

/** The PIN of an active staff member, locked so that concurrent attempts are counted one after the other. */
export async function lockPin(tx: Tx, staff_id: number): Promise<(PinRow & Pick<StaffRow, 'role'>) | null> {
  const [found] = await tx
    .select({ pin: staffPin, role: staff.role })
    .from(staffPin)
    .innerJoin(staff, eq(staff.staff_id, staffPin.staff_id))
    .where(and(eq(staffPin.staff_id, staff_id), isNotNull(staff.uid), isNull(staff.disabledAt)))
    .for('update', { of: staffPin })
  return found ? { ...found.pin, role: found.role } : null
}

export async function upsertPin(tx: Tx, row: PinRow): Promise<void> {
  const { mac, wrong_attempts, updatedAt } = row
  await tx.insert(staffPin).values(row).onConflictDoUpdate({ target: staffPin.staff_id, set: { mac, wrong_attempts, updatedAt } })
}

export async function countWrongPin(tx: Tx, staff_id: number, wrong_attempts: number): Promise<void> {
  await tx.update(staffPin).set({ wrong_attempts }).where(eq(staffPin.staff_id, staff_id))
}

/** Deletes a PIN and locks the devices that it unlocked. False when there was none. */
export async function removePinOf(tx: Tx, staff_id: number): Promise<boolean> {
  const removed = await tx.delete(staffPin).where(eq(staffPin.staff_id, staff_id)).returning({ staff_id: staffPin.staff_id })
  await lockDevicesOf(tx, staff_id)
  return removed.length > 0
}

/** Takes a person from the shared devices that their PIN unlocked. */
export async function lockDevicesOf(tx: Tx, staff_id: number): Promise<void> {
  await tx.update(sharedDevice).set({ staff_id: null, unlockedUntil: null, unlock_hash: null }).where(eq(sharedDevice.staff_id, staff_id))
}

/** Active staff members with a PIN, by name. */
export async function findDevicePeople(
  db: Reader,
): Promise<{ staff_id: number; name: string; role: StaffRow['role']; photo: string | null }[]> {
  return db
    .select({ staff_id: staff.staff_id, name: staff.name, role: staff.role, photo: instructor.photo })
    .from(staffPin)
    .innerJoin(staff, eq(staff.staff_id, staffPin.staff_id))
    .leftJoin(instructor, and(eq(instructor.instructor_id, staff.instructor_id), isNull(instructor.deletedAt)))
    .where(and(isNotNull(staff.uid), isNull(staff.disabledAt)))
    .orderBy(staff.name, staff.staff_id)
}

/** False when the session was shared already. */
export async function insertSharedDevice(tx: Tx, values: typeof sharedDevice.$inferInsert): Promise<boolean> {
  const inserted = await tx
    .insert(sharedDevice)
    .values(values)
    .onConflictDoNothing()
    .returning({ shared_device_id: sharedDevice.shared_device_id })
  return inserted.length > 0
}

/** Changes the current person of a shared device, or its mode. */
export async function updateSharedDevice(
  tx: Tx,
  shared_device_id: number,
  values: Partial<
    Pick<typeof sharedDevice.$inferInsert, 'staff_id' | 'unlockedUntil' | 'unlock_hash' | 'kiosk_staff_id' | 'kiosk_location_id'>
  >,
): Promise<void> {
  await tx.update(sharedDevice).set(values).where(eq(sharedDevice.shared_device_id, shared_device_id))
}

/** Takes the person from a shared device. Kiosk mode stays: only a PIN ends it. */
export async function lockSharedDevice(tx: Tx, shared_device_id: number): Promise<void> {
  await tx
    .update(sharedDevice)
    .set({ staff_id: null, unlockedUntil: null, unlock_hash: null })
    .where(and(eq(sharedDevice.shared_device_id, shared_device_id), isNull(sharedDevice.kiosk_staff_id)))
}

/** The shared device of a session, with the account that unlocked it and the one that put it into kiosk mode. */
export async function findDeviceByKey(
  db: Reader,
  session_key: string,
): Promise<{
  shared_device_id: number
  actingUid: string | null
  actingUntil: Date
  unlock_hash: string | null
  kioskUid: string | null
  kiosk_location_id: number | null
} | null> {
  const opener = alias(staff, 'opener')
  const [found] = await db
    .select({
      shared_device_id: sharedDevice.shared_device_id,
      actingUid: staff.uid,
      unlockedUntil: sharedDevice.unlockedUntil,
      unlock_hash: sharedDevice.unlock_hash,
      kioskUid: opener.uid,
      kiosk_location_id: sharedDevice.kiosk_location_id,
    })
    .from(sharedDevice)
    .leftJoin(staff, eq(staff.staff_id, sharedDevice.staff_id))
    .leftJoin(opener, eq(opener.staff_id, sharedDevice.kiosk_staff_id))
    .where(eq(sharedDevice.session_key, session_key))
  return found ? { ...found, actingUntil: found.unlockedUntil ?? new Date(0) } : null
}

/** The name of a location that exists; null for any other. */
export async function findLocationName(db: Reader, location_id: number): Promise<string | null> {
  const [found] = await db
    .select({ name: location.name })
    .from(location)
    .where(and(eq(location.location_id, location_id), isNull(location.deletedAt)))
  return found?.name ?? null
}
