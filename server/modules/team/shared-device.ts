/** Shared devices: staff change by PIN, with at most the rights of reception (docs/domain.md, E15 and E16). */
import { createHash, randomBytes } from 'node:crypto'
import { refuse } from '#contract/errors.ts'
import { type Right, rightsOfRole } from '#contract/rights.ts'
import { type DevicePerson, type DeviceState, PIN_ATTEMPTS, PIN_ATTEMPTS_EVERYWHERE, type PinState } from '#contract/shared-device.ts'
import type { DeviceKey } from '#server/modules/api.ts'
import type { Ctx, StaffPrincipal } from '#server/modules/ctx.ts'
import type { Tx } from '#server/platform/db.ts'
import { clearAttempts, triesLeft } from '#server/platform/throttle.ts'
import {
  countWrongPin,
  findDeviceByKey,
  findDevicePeople,
  findLocationName,
  findPin,
  insertSharedDevice,
  lockDevicesOf,
  lockPin,
  lockSharedDevice,
  removePinOf,
  updateSharedDevice,
  upsertPin,
} from './store.ts'

/** How long a PIN unlocks a device that is in use; unused it is locked much earlier, by the screen. */
const UNLOCKED_HOURS = 12
const HOUR_MS = 3_600_000
/** How long the browser of a kiosk, which nobody unlocks again, keeps its key. */
const KIOSK_HOURS = 365 * 24
/** Attempts per device and quarter of an hour, for all persons together. */
const DEVICE_ATTEMPTS = { max: 15, seconds: 900 }
/** Attempts per device and person: then one more every twelve minutes. */
const PERSON_ATTEMPTS = { max: PIN_ATTEMPTS, seconds: 3_600 }

const RECEPTION = new Set(rightsOfRole('reception'))

/** A shared device never has more than the rights of reception. */
export const withRightsOfReception = (staff: StaffPrincipal): StaffPrincipal => ({
  ...staff,
  rights: new Set([...staff.rights].filter((right) => RECEPTION.has(right))),
})

/** A kiosk checks people in and does nothing else. */
const KIOSK: ReadonlySet<Right> = new Set<Right>(['classes.own', 'roster.all'])

/** The rights of the account that put a device into kiosk mode, reduced to what a check-in needs. */
export const withRightsOfKiosk = (staff: StaffPrincipal): StaffPrincipal => ({
  ...staff,
  rights: new Set([...staff.rights].filter((right) => KIOSK.has(right))),
})

/** Identifies a session: by its id, or by its sign-in where the issuer states no id (Google). A hash, because the id opens the session. */
export function sessionKey({ uid, session, authTime }: { uid: string; session: string | null; authTime: Date }): string {
  return createHash('sha256')
    .update(JSON.stringify([uid, session ?? authTime.getTime()]))
    .digest('base64url')
}

/** The shared device of a session, with the account that unlocked it; null for a session that is not shared. */
export const findSharedDevice = findDeviceByKey

/**
 * The cookie with the key of a browser that a PIN unlocked, or that is a kiosk. Scripts do not read it, and it opens nothing without
 * the session.
 */
const DEVICE_COOKIE = 'estudio_device'

const hashOfKey = (key: string): string => createHash('sha256').update(key).digest('base64url')

const newKey = (hours: number): DeviceKey => ({ key: randomBytes(32).toString('base64url'), hours })

/** The header that gives a browser its key. */
export const deviceCookie = ({ key, hours }: DeviceKey, isSecure: boolean): string =>
  `${DEVICE_COOKIE}=${key}; Path=/api; Max-Age=${hours * 3_600}; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`

/** Whether a request comes from the browser that the last right PIN unlocked, or in which kiosk mode was started. */
export function hasDeviceKey(cookies: string | undefined, unlock_hash: string | null): boolean {
  const key = new RegExp(`(?:^|;\\s*)${DEVICE_COOKIE}=([\\w-]{1,100})(?:;|$)`).exec(cookies ?? '')?.[1]
  return key !== undefined && unlock_hash !== null && hashOfKey(key) === unlock_hash
}

/** Keyed with a secret of the studio that its database holds encrypted. Without the digits, which `sign` puts in front. */
function macOf(ctx: Ctx, staff_id: number, pin: string): string {
  const token = ctx.studio.signer.sign('pin', `${staff_id}-${pin}`)
  return token.slice(token.lastIndexOf('.') + 1)
}

/** The caller; the access of the endpoint guarantees one. */
function callerOf(ctx: Ctx): StaffPrincipal {
  if (!ctx.staff) throw refuse('FORBIDDEN')
  return ctx.staff
}

/** Reads the state of this session's device: GET /admin/device. */
export async function deviceState(ctx: Ctx): Promise<DeviceState> {
  const device = ctx.sharedDevice
  return device
    ? serializeDevice(ctx, ctx.staff?.staff_id ?? null, device.kiosk)
    : { is_shared: false, person: null, people: [], kiosk: null }
}

async function serializeDevice(
  ctx: Ctx,
  staff_id: number | null,
  kiosk: { location_id: number | null } | null = null,
): Promise<DeviceState> {
  const people: DevicePerson[] = await findDevicePeople(ctx.db)
  const location_id = kiosk?.location_id ?? null
  return {
    is_shared: true,
    person: people.find((person) => person.staff_id === staff_id) ?? null,
    people,
    kiosk: kiosk && { location_id, location: location_id === null ? null : await findLocationName(ctx.db, location_id) },
  }
}

/** Shares the device of this session, which then waits for a PIN. PIN_NONE. Idempotent. */
export async function shareDevice(ctx: Ctx): Promise<DeviceState> {
  const { staff_id } = callerOf(ctx)
  if (ctx.sharedDevice) return serializeDevice(ctx, staff_id)
  await ctx.tx((tx) => shareSession(tx, ctx))
  return serializeDevice(ctx, null)
}

/** Makes the caller's session that of a shared device. PIN_NONE. */
async function shareSession(tx: Tx, ctx: Ctx): Promise<void> {
  const { staff_id } = callerOf(ctx)
  const { actor } = ctx
  if (actor.kind !== 'identity' || !actor.authTime) throw refuse('UNAUTHENTICATED')
  const session_key = sessionKey({ uid: actor.uid, session: actor.session ?? null, authTime: actor.authTime })
  if (!(await findPin(tx, staff_id))) throw refuse('PIN_NONE')
  const device = await insertSharedDevice(tx, { session_key, signed_in_staff_id: staff_id, createdAt: ctx.now })
  if (!device) return
  await ctx.audit(tx, { action: 'staff.share_device', entity: 'staff', entity_id: staff_id })
  tx.notify({ topic: 'shared_device' })
}

/**
 * Puts the device of this session into kiosk mode (Q8); it is shared first if it is not. The caller needs a PIN: kiosk mode ends when that
 * PIN, or the one of another person who may use the device, is typed. The browser gets a key: a copy of its session waits for a PIN.
 * PIN_NONE; NOT_FOUND for an unknown location; FORBIDDEN where the caller does not work.
 */
export async function openKiosk(
  ctx: Ctx,
  { location_id = null }: { location_id?: number | null | undefined },
  giveKey: (key: DeviceKey) => void,
): Promise<DeviceState> {
  const { staff_id } = callerOf(ctx)
  const { actor } = ctx
  if (actor.kind !== 'identity' || !actor.authTime) throw refuse('UNAUTHENTICATED')
  const session_key = sessionKey({ uid: actor.uid, session: actor.session ?? null, authTime: actor.authTime })
  if (location_id !== null) {
    ctx.requireLocation('roster.all', location_id)
    if ((await findLocationName(ctx.db, location_id)) === null) throw refuse('NOT_FOUND')
  }
  const key = newKey(KIOSK_HOURS)
  await ctx.tx(async (tx) => {
    if (!(await findPin(tx, staff_id))) throw refuse('PIN_NONE')
    if (!ctx.sharedDevice) await shareSession(tx, ctx)
    const device = await findDeviceByKey(tx, session_key)
    if (!device) throw refuse('NOT_FOUND')
    const kiosk = { kiosk_staff_id: staff_id, kiosk_location_id: location_id }
    await updateSharedDevice(tx, device.shared_device_id, {
      staff_id: null,
      unlockedUntil: null,
      unlock_hash: hashOfKey(key.key),
      ...kiosk,
    })
    await ctx.audit(tx, { action: 'staff.open_kiosk', entity: 'staff', entity_id: staff_id, after: { location_id } })
    tx.notify({ topic: 'shared_device' })
  })
  giveKey(key)
  return serializeDevice(ctx, null, { location_id })
}

/**
 * Unlocks a shared device for a person. Every attempt is counted before the PIN is compared. The limits are per device, per device and
 * person (attempts at one device do not block the person at others), and per PIN. The browser gets a new key, and the previous one becomes
 * void: a copy of the session or of an earlier cookie is locked.
 * NOT_FOUND, PIN_WRONG with the attempts `left`, PIN_LOCKED, TOO_MANY_REQUESTS.
 */
export async function chooseDevicePerson(
  ctx: Ctx,
  { staff_id, pin }: { staff_id: number; pin: string },
  giveKey: (key: DeviceKey) => void,
): Promise<DeviceState> {
  const device = ctx.sharedDevice
  if (!device) throw refuse('NOT_FOUND')
  const limit = { name: 'device-pin', subject: String(device.shared_device_id), ...DEVICE_ATTEMPTS }
  await ctx.throttle(limit)
  const known = await findPin(ctx.db, staff_id)
  // The limit belongs to this PIN: a new PIN starts at zero.
  const own = { name: 'person-pin', subject: `${device.shared_device_id} ${staff_id} ${known?.updatedAt.getTime()}`, ...PERSON_ATTEMPTS }
  await ctx.throttle(own)
  const key = newKey(UNLOCKED_HOURS)
  const left = await ctx.tx(async (tx) => {
    const storedPin = await lockPin(tx, staff_id)
    if (!storedPin) throw refuse('NOT_FOUND')
    const record = { entity: 'staff', entity_id: staff_id, by: { staff_id, role: storedPin.role } } as const
    if (storedPin.wrong_attempts >= PIN_ATTEMPTS_EVERYWHERE) throw refuse('PIN_LOCKED')
    if (storedPin.mac !== macOf(ctx, staff_id, pin)) {
      const wrong = storedPin.wrong_attempts + 1
      await countWrongPin(tx, staff_id, wrong)
      if (wrong < PIN_ATTEMPTS_EVERYWHERE) return Math.min(PIN_ATTEMPTS_EVERYWHERE - wrong, await triesLeft(tx, own, ctx.now))
      await ctx.audit(tx, { action: 'staff.lock_pin', ...record })
      return 'locked'
    }
    if (storedPin.wrong_attempts > 0) await countWrongPin(tx, staff_id, 0)
    await clearAttempts(tx, own)
    await updateSharedDevice(tx, device.shared_device_id, {
      staff_id,
      unlockedUntil: new Date(ctx.now.getTime() + UNLOCKED_HOURS * HOUR_MS),
      unlock_hash: hashOfKey(key.key),
      kiosk_staff_id: null,
      kiosk_location_id: null,
    })
    await ctx.audit(tx, { action: 'staff.unlock_device', ...record, after: { signed_in_staff_id: device.signedInStaffId } })
    tx.notify({ topic: 'shared_device' })
    return null
  })
  if (left === 'locked') throw refuse('PIN_LOCKED')
  if (left !== null) throw refuse('PIN_WRONG', { left })
  await ctx.uncount(limit)
  giveKey(key)
  return serializeDevice(ctx, staff_id)
}

/** Makes a shared device wait for a PIN; nothing on a person's own device, and on a kiosk, where nobody acts. */
export async function lockDevice(ctx: Ctx): Promise<DeviceState> {
  const device = ctx.sharedDevice
  if (!device || device.kiosk) return deviceState(ctx)
  await ctx.tx(async (tx) => {
    await lockSharedDevice(tx, device.shared_device_id)
    tx.notify({ topic: 'shared_device' })
  })
  return serializeDevice(ctx, null)
}

/** Whether the caller has a PIN: GET /admin/pin. */
export async function pinState(ctx: Ctx): Promise<PinState> {
  const pin = await findPin(ctx.db, callerOf(ctx).staff_id)
  return { has_pin: pin !== null, is_locked: (pin?.wrong_attempts ?? 0) >= PIN_ATTEMPTS_EVERYWHERE }
}

/** Sets the caller's PIN, and locks the devices that an earlier one unlocked (E15). RECENT_SIGN_IN_REQUIRED, DEVICE_SHARED. */
export async function setPin(ctx: Ctx, { pin }: { pin: string }): Promise<PinState> {
  ctx.requireOwnDevice()
  ctx.requireRecentSignIn()
  const { staff_id } = callerOf(ctx)
  await ctx.tx(async (tx) => {
    await lockDevicesOf(tx, staff_id)
    await upsertPin(tx, { staff_id, mac: macOf(ctx, staff_id, pin), wrong_attempts: 0, updatedAt: ctx.now })
    await ctx.audit(tx, { action: 'staff.set_pin', entity: 'staff', entity_id: staff_id })
    tx.notify({ topic: 'shared_device' })
  })
  return { has_pin: true, is_locked: false }
}

/** Removes the caller's PIN, and locks the devices that it unlocked. DEVICE_SHARED. */
export async function removePin(ctx: Ctx): Promise<{ ok: true }> {
  ctx.requireOwnDevice()
  const { staff_id } = callerOf(ctx)
  await ctx.tx(async (tx) => {
    if (!(await removePinOf(tx, staff_id))) return
    await ctx.audit(tx, { action: 'staff.remove_pin', entity: 'staff', entity_id: staff_id })
    tx.notify({ topic: 'shared_device' })
  })
  return { ok: true }
}
