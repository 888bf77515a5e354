/** Devices that get notifications, of an account (docs/domain.md M14, M15). */
import { timingSafeEqual } from 'node:crypto'
import { and, asc, desc, eq, inArray, isNull, notInArray, or, sql } from 'drizzle-orm'
import { refuse } from '#contract/errors.ts'
import type { PushDevice } from '#server/adapters/push/port.ts'
import type { Ctx } from '#server/modules/ctx.ts'
import type { Reader, Tx } from '#server/platform/db.ts'
import { customer, pushDevice, staff } from './tables.ts'

export type PushDeviceRow = typeof pushDevice.$inferSelect

/** Devices per account; the oldest makes room. */
const DEVICES_MAX = 10

function account(ctx: Ctx): { uid: string; session: string | null } {
  if (ctx.actor.kind !== 'identity') throw refuse('UNAUTHENTICATED')
  ctx.requireOwnDevice()
  return { uid: ctx.actor.uid, session: ctx.actor.session ?? null }
}

/** GET /push_devices. */
export async function myPushDevices(ctx: Ctx): Promise<{ key: string; endpoints: string[] }> {
  const { uid } = account(ctx)
  const rows = await ctx.db
    .select({ endpoint: pushDevice.endpoint })
    .from(pushDevice)
    .where(eq(pushDevice.uid, uid))
    .orderBy(asc(pushDevice.push_device_id))
  return { key: ctx.ports.push.publicKey, endpoints: rows.map(({ endpoint }) => endpoint) }
}

/** PUT /push_devices. INVALID_INPUT. */
export async function addPushDevice(ctx: Ctx, device: PushDevice): Promise<{ ok: true }> {
  const { uid, session } = account(ctx)
  const { endpoint, p256dh, auth } = device
  requireDevice(ctx, device, 'endpoint')
  await ctx.tx(async (tx) => {
    const row = { uid, session, p256dh, auth, createdAt: ctx.now }
    await tx
      .insert(pushDevice)
      .values({ endpoint, ...row })
      .onConflictDoUpdate({ target: pushDevice.endpoint, set: row })
    const newest = tx
      .select({ push_device_id: pushDevice.push_device_id })
      .from(pushDevice)
      .where(eq(pushDevice.uid, uid))
      .orderBy(desc(pushDevice.createdAt), desc(pushDevice.push_device_id))
      .limit(DEVICES_MAX)
    await tx.delete(pushDevice).where(and(eq(pushDevice.uid, uid), notInArray(pushDevice.push_device_id, newest)))
  })
  return { ok: true }
}

function requireDevice(ctx: Ctx, device: PushDevice, path: string): void {
  const message = ctx.ports.push.whyNotDevice(device)
  if (message) throw refuse('INVALID_INPUT', { issues: [{ path, message }] })
}

interface PushRenewal {
  old: { endpoint: string; auth: string }
  renewed: PushDevice
}

/** POST /push_devices/renew. INVALID_INPUT. */
export async function renewPushDevice(ctx: Ctx, { old, renewed }: PushRenewal): Promise<{ ok: true }> {
  // Addresses and secrets cannot be guessed; this only limits the load from one address.
  await ctx.throttle({ name: 'push-renewal', subject: ctx.ip, max: 600, seconds: 60 })
  requireDevice(ctx, renewed, 'renewed.endpoint')
  const { endpoint, p256dh, auth } = renewed
  await ctx.tx(async (tx) => {
    const rows = await tx
      .select()
      .from(pushDevice)
      .where(inArray(pushDevice.endpoint, [old.endpoint, endpoint]))
      .for('update')
    const device = rows.find((device) => device.endpoint === old.endpoint)
    if (!device || !isSameSecret(device.auth, old.auth)) return
    // The new address was added meanwhile by a page, perhaps to another account: it stays, and only the old one ends.
    if (rows.length > 1) await forgetPushDevices(tx, [device.push_device_id])
    else await tx.update(pushDevice).set({ endpoint, p256dh, auth }).where(eq(pushDevice.push_device_id, device.push_device_id))
  })
  return { ok: true }
}

const isSameSecret = (first: string, other: string) =>
  first.length === other.length && timingSafeEqual(Buffer.from(first), Buffer.from(other))

/** POST /push_devices/remove. */
export async function removePushDevice(ctx: Ctx, { endpoint }: { endpoint: string }): Promise<{ ok: true }> {
  const { uid } = account(ctx)
  await ctx.tx((tx) => tx.delete(pushDevice).where(and(eq(pushDevice.uid, uid), eq(pushDevice.endpoint, endpoint))))
  return { ok: true }
}

/** The sessions of an account in which a device was added that gets notifications. */
export async function listSessionsWithPush(on: Reader, uid: string): Promise<ReadonlySet<string>> {
  const rows = await on.selectDistinct({ session: pushDevice.session }).from(pushDevice).where(eq(pushDevice.uid, uid))
  return new Set(rows.flatMap(({ session }) => session ?? []))
}

/** Ends the notifications of the devices of one session; of one that the issuer does not name, those of all such sessions. */
export async function endPushOfSession(tx: Tx, uid: string, session: string | null): Promise<void> {
  await tx
    .delete(pushDevice)
    .where(and(eq(pushDevice.uid, uid), session === null ? sql`${pushDevice.session} is null` : eq(pushDevice.session, session)))
}

/** Ends the notifications of an account. */
export async function endPushOfAccount(tx: Tx, uid: string): Promise<void> {
  await tx.delete(pushDevice).where(eq(pushDevice.uid, uid))
}

/** Forgets devices that do not exist any more. */
export async function forgetPushDevices(tx: Tx, ids: readonly number[]): Promise<void> {
  await tx.delete(pushDevice).where(inArray(pushDevice.push_device_id, [...ids]))
}

/**
 * The devices of a customer, also of the accounts of records that were merged into it, or of a staff member, whose session is still open.
 * Devices whose session was ended elsewhere or by a new password are deleted.
 */
export async function openPushDevices(
  ctx: Ctx,
  { customer_id, staff_id }: { customer_id: number | null; staff_id: number | null },
): Promise<PushDeviceRow[]> {
  const accounts =
    customer_id === null
      ? ctx.db
          .select({ uid: staff.uid })
          .from(staff)
          .where(and(eq(staff.staff_id, staff_id ?? 0), isNull(staff.disabledAt)))
      : ctx.db
          .select({ uid: customer.uid })
          .from(customer)
          .where(or(eq(customer.customer_id, customer_id), eq(customer.merged_into, customer_id)))
  const devices = await ctx.db.select().from(pushDevice).where(inArray(pushDevice.uid, accounts))
  const open = new Map<string, ReadonlySet<string>>()
  for (const { uid, session } of devices)
    if (session !== null && !open.has(uid))
      open.set(uid, new Set((await ctx.ports.identity.listSessions(uid)).map((session) => session.session)))
  const ended = devices.filter(({ uid, session }) => session !== null && !open.get(uid)?.has(session))
  if (ended.length)
    await ctx.tx((tx) =>
      forgetPushDevices(
        tx,
        ended.map(({ push_device_id }) => push_device_id),
      ),
    )
  return devices.filter((device) => !ended.includes(device))
}

/** Whether the customer has a device that gets notifications: a condition on the row of `customer` of an outer query. */
export const hasPushDevice = sql<boolean>`exists (select 1 from push_device d where d.uid = "customer"."uid"
  or d.uid in (select o.uid from customer o where o.merged_into = "customer"."customer_id"))`

/** The accounts of those of some staff who have a device, without former members. */
export async function listStaffWithPush(on: Reader, ids: readonly number[]): Promise<{ staff_id: number; uid: string | null }[]> {
  return on
    .select({ staff_id: staff.staff_id, uid: staff.uid })
    .from(staff)
    .where(and(inArray(staff.staff_id, [...ids]), isNull(staff.disabledAt), staffHasPushDevice))
    .orderBy(asc(staff.staff_id))
}

/** The same on the row of `staff`. */
export const staffHasPushDevice = sql<boolean>`exists (select 1 from push_device d where d.uid = "staff"."uid")`

/** Whether a customer has a device that gets notifications. */
export async function getsPush(on: Reader, customer_id: number): Promise<boolean> {
  const [found] = await on.select({ has: hasPushDevice }).from(customer).where(eq(customer.customer_id, customer_id))
  return found?.has ?? false
}
