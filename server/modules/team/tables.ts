import { sql } from 'drizzle-orm'
import { index, integer, pgTable, text, timestamp, uniqueIndex } from 'drizzle-orm/pg-core'
import { location } from '#server/modules/catalogue/tables.ts'
import { staff } from '#server/modules/people/tables.ts'
import { instantColumn } from '#server/platform/tables.ts'

/** An invitation to the staff. Only the last one that was neither accepted nor withdrawn is valid. */
export const staffInvite = pgTable(
  'staff_invite',
  {
    staff_invite_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** Lower case; only an account with this verified email can accept. */
    email: text().notNull(),
    /** The staff member who invited. */
    invited_by: integer().references(() => staff.staff_id),
    createdAt: timestamp(instantColumn).notNull(),
    expiresAt: timestamp(instantColumn).notNull(),
    acceptedAt: timestamp(instantColumn),
    /** Withdrawn by staff, or replaced by a newer link. */
    withdrawnAt: timestamp(instantColumn),
  },
  (t) => [
    index('staff_invite_staff').on(t.staff_id, t.createdAt),
    uniqueIndex('staff_invite_open').on(t.staff_id).where(sql`${t.acceptedAt} is null and ${t.withdrawnAt} is null`),
  ],
)

/** The PIN with which a staff member uses shared devices: as a keyed hash, because its few digits could be guessed from any other. */
export const staffPin = pgTable('staff_pin', {
  staff_id: integer()
    .primaryKey()
    .references(() => staff.staff_id),
  mac: text().notNull(),
  /** Wrong attempts in a row on any device; at twenty the PIN is locked until another one is set. */
  wrong_attempts: integer().notNull().default(0),
  updatedAt: timestamp(instantColumn).notNull(),
})

/** A session on a device that staff members share. It stays shared until it ends: signing in again makes another session. */
export const sharedDevice = pgTable(
  'shared_device',
  {
    shared_device_id: integer().primaryKey().generatedByDefaultAsIdentity(),
    /** A hash of the session (server/modules/team/shared-device.ts). */
    session_key: text().notNull(),
    /** The account that signed in with email and password. */
    signed_in_staff_id: integer()
      .notNull()
      .references(() => staff.staff_id),
    /** The account of the last PIN; null while the device is locked. */
    staff_id: integer().references(() => staff.staff_id),
    /** Until when without another PIN. */
    unlockedUntil: timestamp(instantColumn),
    /**
     * SHA-256 of the key that the browser got with the last correct PIN. A request without the key, such as one with a copy of the
     * token, is locked.
     */
    unlock_hash: text(),
    /** The account that started kiosk mode, the actor of check-ins; null outside it. */
    kiosk_staff_id: integer().references(() => staff.staff_id),
    /** Where the kiosk is; null = wherever that person works. */
    kiosk_location_id: integer().references(() => location.location_id),
    createdAt: timestamp(instantColumn).notNull(),
  },
  (t) => [uniqueIndex('shared_device_session').on(t.session_key)],
)
